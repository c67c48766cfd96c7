"""A game of a tournament as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from kingsbridge.ai.arena.faults import Fault


class GameKey(NamedTuple):
    """Which game: its contest, a hash of all that decides how that is played, its block, its number in it."""

    contest: str
    definition: str
    block: int
    game: int


class Ending(Enum):
    """How a game ended."""

    FINISHED = "finished"
    """By its rules."""
    FORFEIT = "forfeit"
    """By a fault of a bot, to the good of the others."""
    VOID = "void"
    """By a fault of a bot; it counts for nobody, nor do the other games of its block."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What is kept of a game.

    ``seats``: by seat, the index of its bot among the contest's entrants. ``scores``, ``ranks`` (as of
    ``State.ranks``: higher is better, equal values tie) and ``win_shares`` are by seat; of a game that was
    not finished the scores are those at its end, and a seat that forfeited has the lowest rank. By decision,
    in order: ``deciders`` (the seat), ``seconds`` (by the contest's clock) and ``iterations`` (0 of a bot
    that does not search). ``actions``: all events, chance included; ``None`` where only their ``digest`` was
    kept, which is 32 hex digits, or empty where nothing was. ``engine``, ``rules``: versions that played it.
    ``seed``: of the block (128 bits).
    """

    seats: tuple[int, ...]
    ending: Ending
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    win_shares: tuple[float, ...]
    faults: tuple[Fault, ...]
    deciders: tuple[int, ...]
    seconds: tuple[float, ...]
    iterations: tuple[int, ...]
    actions: tuple[int, ...] | None
    digest: str
    cpu_seconds: float
    seed: int
    engine: str
    rules: str
