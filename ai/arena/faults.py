"""What a bot can do wrong, as data: a tournament records it and goes on as its policy says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FaultKind(Enum):
    """What went wrong."""

    TIMEOUT = "timeout"
    """It answered late, or not at all."""
    CRASH = "crash"
    """It raised an error, or its process ended."""
    ILLEGAL = "illegal"
    """It answered with something that is no legal action."""
    DISCONNECT = "disconnect"
    """It could not be reached, or hung up."""


class FaultPolicy(Enum):
    """What becomes of a game in which a bot fails."""

    FORFEIT = "forfeit"
    """The game ends: the bot's seat is last and wins nothing, the others share the win."""
    RANDOM = "random"
    """A random legal action is played for the bot, and the game goes on."""
    VOID = "void"
    """The game ends, and its whole block counts for nobody."""
    STOP = "stop"
    """The tournament stops; the game is not kept, and is played again by the next run."""


class BotFaultError(RuntimeError):
    """A bot broke the game; the message names it, says how, and holds nothing hidden from its seat."""

    def __init__(self, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind

    def __reduce__(self) -> tuple[type[BotFaultError], tuple[FaultKind, str]]:
        return type(self), (self.kind, str(self))


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a game: ``decision`` counts the decisions of the game from 0, whosever they are."""

    kind: FaultKind
    seat: int
    decision: int
    text: str
