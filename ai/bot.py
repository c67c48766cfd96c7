"""What a bot is: it is given what a seat knows and a budget, and answers with a decision."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from kingsbridge.pyengine import InformationSet, Rng

Clock = Callable[[], float]
"""Seconds from any start, never running backwards."""
StopFlag = Callable[[], bool]
"""Asked between iterations: whether to stop and answer with what there is."""

DEFAULT_ITERATIONS = 1000
"""Budget of a search when neither the caller nor the bot's options name one."""


class StopReason(Enum):
    """Why a bot stopped thinking."""

    ITERATIONS = "iterations"
    """The budget of iterations is used up."""
    TIME = "time"
    """The budget of seconds is used up."""
    STOPPED = "stopped"
    """``should_stop`` said so."""
    FORCED = "forced"
    """There is one legal action."""
    POLICY = "policy"
    """The bot does not search."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: whatever is reached first. An empty budget leaves it to the bot.

    ``iterations`` counts simulated games, ``seconds`` is by the clock the bot is given. Zero of either is
    allowed: the bot then answers without searching.

    Raises:
        ValueError: a negative limit, or one that is no number.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is not None and self.iterations < 0:
            raise ValueError(f"a budget of {self.iterations} iterations: it must not be negative")
        if self.seconds is not None and (math.isnan(self.seconds) or self.seconds < 0):
            raise ValueError(f"a budget of {self.seconds} seconds: it must be a number and not negative")

    def over(self, default: Budget) -> Budget:
        """This budget, with limits it leaves open taken from ``default``."""
        return Budget(
            default.iterations if self.iterations is None else self.iterations,
            default.seconds if self.seconds is None else self.seconds,
        )

    @property
    def is_empty(self) -> bool:
        """Whether neither limit is given."""
        return self.iterations is None and self.seconds is None


@dataclass(frozen=True, slots=True)
class ActionStatistics:
    """What a search learnt of one action of the root.

    ``visits``: iterations that tried it. ``availability``: iterations in which it was legal at the root.
    ``values``: mean utility of each seat over the visits, 0 (sure loss) to 1 (sure win).
    """

    action: int
    visits: int
    availability: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A bot's answer.

    ``statistics`` lists the actions that were tried, most visited first. ``principal_variation`` begins with
    ``action`` and goes on with the most visited decisions, up to the next chance event. ``elapsed`` is in
    seconds.
    """

    action: int
    statistics: tuple[ActionStatistics, ...]
    principal_variation: tuple[int, ...]
    iterations: int
    elapsed: float
    stop_reason: StopReason


def never() -> bool:
    """A stop flag that is never raised."""
    return False


class Bot(Protocol):
    """One who decides for a seat. It keeps nothing between decisions, so one object may serve many games."""

    @property
    def name(self) -> str:
        """Its name in the registry."""

    def choose(
        self,
        info: InformationSet,
        budget: Budget,
        rng: Rng,
        *,
        clock: Clock = time.monotonic,
        should_stop: StopFlag = never,
    ) -> Decision:
        """The action the seat should play, at any budget: zero iterations and zero seconds included.

        All randomness comes from ``rng``: equal information sets, iterations and generators give equal
        decisions (but for ``elapsed``) in every process.

        Raises:
            ValueError: the seat of ``info`` is not to move.
        """


class Limits:
    """A budget running down: says when to stop and why."""

    __slots__ = ("_clock", "_deadline", "_iterations", "_should_stop", "_started")

    def __init__(self, budget: Budget, clock: Clock, should_stop: StopFlag) -> None:
        """The clock starts now; an empty budget is one of ``DEFAULT_ITERATIONS``."""
        self._clock = clock
        self._should_stop = should_stop
        self._started = clock()
        self._iterations = DEFAULT_ITERATIONS if budget.is_empty else budget.iterations
        self._deadline = None if budget.seconds is None else self._started + budget.seconds

    def reached(self, iterations: int) -> StopReason | None:
        """Why to stop after so many iterations, or ``None`` to go on."""
        if self._iterations is not None and iterations >= self._iterations:
            return StopReason.ITERATIONS
        if self._should_stop():
            return StopReason.STOPPED
        if self._deadline is not None and self._clock() >= self._deadline:
            return StopReason.TIME
        return None

    def iterations_left(self, iterations: int) -> int | None:
        """How many more are allowed after so many; ``None`` if any number is."""
        return None if self._iterations is None else max(0, self._iterations - iterations)

    def share(self, number: int, of: int) -> int | None:
        """How many iterations fall to one of several that take them in turn; ``None`` if any number does."""
        return None if self._iterations is None else max(0, (self._iterations - number + of - 1) // of)

    def slice(self, seconds: float) -> float:
        """So many seconds, or those that are left if they are fewer."""
        return seconds if self._deadline is None else min(seconds, max(0.0, self._deadline - self._clock()))

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._started
