"""What is to be played: bots, a game, and how the two are brought together."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from hashlib import blake2b
from typing import Any, NamedTuple

from kingsbridge.ai.arena.faults import FaultPolicy
from kingsbridge.ai.bot import Clock

FORMATS = ("match", "round_robin", "gauntlet", "sprt", "swiss", "ladder")
"""How bots are brought together: see ``formats``."""

ARRANGEMENTS = ("rotations", "all")
"""Which seatings of a table a block has: every cyclic rotation of it, or every order."""

CLOCKS: Mapping[str, Clock] = {"wall": time.monotonic, "cpu": time.process_time}
"""What a budget of seconds is measured by. ``cpu`` is processor time of the process that plays, that of all
threads of a bot together, and so fair on a machine that others use, too."""


class Entrant(NamedTuple):
    """A bot that takes part: ``name`` in tables, ``spec`` as ``open_bot`` reads it."""

    name: str
    spec: str


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a bot may think; ``None``: not limited by this.

    ``iterations``, ``seconds``: of one decision. ``turn_seconds``: a bank for all decisions of one turn.
    ``game_seconds``: a bank for all decisions of a seat in one game. ``grace``: seconds beyond these that are
    not yet a fault. ``timeout``: wall seconds after which an answer counts as none, whatever the budget.
    """

    iterations: int | None = None
    seconds: float | None = None
    turn_seconds: float | None = None
    game_seconds: float | None = None
    grace: float = 0.25
    timeout: float = 60.0

    @property
    def timed(self) -> bool:
        """Whether results depend on how fast the machine is."""
        return not (self.seconds is None and self.turn_seconds is None and self.game_seconds is None)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What a sequential test decides between: the first bot's mean block score is ``low``, or ``high``.

    ``alpha``: chance to accept ``high`` where ``low`` is true; ``beta``: chance of the opposite error.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class Contest:
    """One event of a tournament: ``entrants`` meet in ``format`` over blocks.

    A block is one deal, played in every seat arrangement that the format asks for. ``blocks`` is the number
    of blocks that a table of bots plays: of ``sprt`` the most, of ``swiss`` those of a round. ``line_up``, of
    a ``match`` only: the entrant of each seat before any rotation. ``tables``, of a ``round_robin``: how many
    different tables, ``None`` for all. ``rounds``: of ``swiss``. ``mirror``, of ``sprt``: whether each bot is
    also the one among copies of the other. ``anchor`` is the entrant whose rating is 0, by its index.
    ``at_least``, ``at_most``: what the win share of the first entrant is held against.
    """

    id: str
    format: str
    game: str
    players: int
    entrants: tuple[Entrant, ...]
    blocks: int
    seed: int = 1
    options: Mapping[str, int] = field(default_factory=dict)
    time_control: TimeControl = TimeControl()  # frozen
    clock: str = "wall"
    on_fault: FaultPolicy = FaultPolicy.FORFEIT
    arrangements: str = "rotations"
    line_up: tuple[int, ...] = ()
    tables: int | None = None
    rounds: int = 1
    hypotheses: Hypotheses | None = None
    mirror: bool = False
    anchor: int = 0
    at_least: float | None = None
    at_most: float | None = None

    @property
    def specs(self) -> tuple[str, ...]:
        """The specs of the entrants."""
        return tuple(entrant.spec for entrant in self.entrants)


_NO_PART_OF_A_GAME = ("id", "entrants", "blocks", "hypotheses", "anchor", "at_least", "at_most")


def definition(contest: Contest, bots: tuple[str, ...]) -> str:
    """16 hex digits, equal in every process for contests whose blocks are played alike: whatever their ids,
    their number of blocks and what is made of the results. ``bots`` says what each entrant is, in full.

    What has its default is left out, so that a later version with more fields finds the same digits.
    """
    parts = {name: value for name, value in _told(contest).items() if name not in _NO_PART_OF_A_GAME}
    parts |= {"bots": bots, "time_control": _told(contest.time_control)}
    if contest.format == "swiss":  # who meets whom depends on it
        parts["blocks"] = contest.blocks
    text = json.dumps(parts, sort_keys=True, default=lambda policy: policy.value)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _told(settings: Contest | TimeControl) -> dict[str, Any]:
    """The fields that have not their default."""
    values = {each.name: (getattr(settings, each.name), _default(each)) for each in fields(settings)}
    return {name: value for name, (value, default) in values.items() if value != default}


def _default(of: Field[Any]) -> Any:
    return of.default_factory() if of.default_factory is not MISSING else of.default


def tables_of(entrants: int, seats: int) -> int:
    """How many different tables there are."""
    return math.comb(entrants, seats) if entrants > seats else 1
