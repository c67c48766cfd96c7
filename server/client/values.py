"""What a server is told and what it tells, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

View = dict[str, Any]
"""What a seat sees, by the names of the fields of the game's view message."""
Priority = Literal["", "interactive", "analysis", "tournament"]
"""Who waits for whom when there are more searches than workers; empty: what is usual for the call."""


@dataclass(frozen=True)
class Choice:
    """An action as the server names it; ``phrase`` says it in English words."""

    id: int
    kind: str
    arguments: Mapping[str, int | str]
    text: str
    phrase: str = ""


@dataclass(frozen=True)
class Status:
    """Where a game stands; ``scores`` and ``places`` are empty while it runs, ``seat_to_move`` is -1 when it
    is over. ``bots``: per seat the bot by which the server plays it, empty for a person.
    """

    revision: int
    over: bool
    seat_to_move: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    bots: tuple[str, ...] = ()


@dataclass(frozen=True)
class Event:
    """Something that happened: ``index`` among all events from 0, the ``seat`` that decided or -1 for chance,
    and what; ``None`` where the seat that asks cannot tell it.
    """

    index: int
    seat: int
    choice: Choice | None


@dataclass(frozen=True)
class Played:
    """What an action led to: the chance events that followed it, and what its seat sees now."""

    status: Status
    events: tuple[Event, ...]
    view: View


@dataclass(frozen=True)
class Change:
    """A change of a game that is watched. ``next_event``: from where to watch to go on after it."""

    status: Status
    events: tuple[Event, ...]
    next_event: int
    view: View


@dataclass(frozen=True)
class Candidate:
    """What a bot found out about one action, over its visits.

    Per seat: ``values`` are utilities, 0 to 1, ``win_shares`` are shares of the win, 0 to 1, ``scores`` are
    final scores in points. ``standard_error`` is that of the value of the seat that decides.
    """

    choice: Choice
    visits: int
    values: tuple[float, ...]
    win_shares: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    standard_error: float = 0.0


@dataclass(frozen=True)
class Proposal:
    """What a bot would play, and what it considered, best first.

    ``seconds`` of thinking; ``line``: the play it expects; ``stop_reason``: why it ended, such as "time" or
    "decided", "running" in a report; ``revision``: that of the game, 0 of a position that came with the call.
    ``worlds``: how many were imagined.
    """

    choice: Choice
    candidates: tuple[Candidate, ...]
    iterations: int
    seconds: float
    line: tuple[Choice, ...] = ()
    stop_reason: str = ""
    revision: int = 0
    worlds: int = 0


@dataclass(frozen=True)
class Report:
    """What a bot would play as far as it knows; the ``final`` one is its answer."""

    proposal: Proposal
    final: bool


@dataclass(frozen=True)
class Turn:
    """The decisions of a turn, at least one, in order. Where it is not ``over``, chance has its say first."""

    proposals: tuple[Proposal, ...]
    over: bool


@dataclass(frozen=True)
class Record:
    """A game as text. ``complete``: it holds all events, and replays; ``seed`` is ``None`` while the game
    runs; ``commitment``: what the server said of the seed before the first event.
    """

    text: str
    complete: bool
    seed: int | None
    commitment: bytes


@dataclass(frozen=True)
class Thinking:
    """How a bot is asked: its spec, its budget, the seed of its search; ``None`` leaves it to the bot.

    ``top``: of how many actions it tells what it found, 0 for all.
    """

    bot: str
    iterations: int | None = None
    seconds: float | None = None
    seed: int | None = None
    top: int = 0
    priority: Priority = ""


@dataclass(frozen=True)
class BotSeat:
    """How the server plays a seat: by which bot, with which budget of a decision, and at a ``human`` pace or
    at once.
    """

    bot: str
    iterations: int | None = None
    seconds: float | None = None
    human: bool = False
