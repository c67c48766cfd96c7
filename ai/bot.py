"""What a bot is: it is given what a seat knows and a budget, and answers with a decision."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
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
    """The budget of seconds is used up, or the deadline is reached."""
    STOPPED = "stopped"
    """``should_stop`` said so."""
    FORCED = "forced"
    """There is one legal action. Of a bot that searches at an even pace: and everybody can see that."""
    DECIDED = "decided"
    """What is left of the budget cannot change the choice."""
    POLICY = "policy"
    """The bot does not search."""
    RUNNING = "running"
    """It goes on: an interim decision that a ``Report`` is told."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: whatever is reached first. An empty budget leaves it to the bot.

    ``iterations`` counts simulated games, ``seconds`` is by the clock the bot is given, and ``deadline`` is a
    time of that clock. Zero iterations or seconds and a deadline that is past are allowed: the bot then
    answers without searching.

    Raises:
        ValueError: a negative limit, or one that is no number.
    """

    iterations: int | None = None
    seconds: float | None = None
    deadline: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is not None and self.iterations < 0:
            raise ValueError(f"a budget of {self.iterations} iterations: it must not be negative")
        if self.seconds is not None and (math.isnan(self.seconds) or self.seconds < 0):
            raise ValueError(f"a budget of {self.seconds} seconds: it must be a number and not negative")
        if self.deadline is not None and math.isnan(self.deadline):
            raise ValueError(f"a deadline of {self.deadline}: it must be a number")

    def over(self, default: Budget) -> Budget:
        """This budget, with limits it leaves open taken from ``default``."""
        return Budget(
            default.iterations if self.iterations is None else self.iterations,
            default.seconds if self.seconds is None else self.seconds,
            default.deadline if self.deadline is None else self.deadline,
        )

    @property
    def is_empty(self) -> bool:
        """Whether no limit is given."""
        return self.iterations is None and self.seconds is None and self.deadline is None


@dataclass(frozen=True, slots=True)
class ActionStatistics:
    """What a search learnt of one action of the root.

    ``visits``: iterations that tried it. ``availability``: iterations in which it was legal at the root. Both
    count those of earlier decisions, where a tree was kept (``reuse=on``), and so do all means, which are
    over the visits, each of each seat:

    ``values``: utility, 0 (sure loss) to 1 (sure win). ``win_shares``: share of the win, 0 to 1; those who
    tie for it share it. ``scores``: final score in points. Where a rollout is cut off, all three are what the
    game's evaluation expects; its scores are made to tell seats apart, so what all seats have alike may be
    missing in them.

    ``standard_error``: of the utility of the seat that searches, ``sqrt(sample variance / visits)``, as if
    visits were independent; 0 for fewer than two visits.
    """

    action: int
    visits: int
    availability: int
    values: tuple[float, ...]
    win_shares: tuple[float, ...]
    scores: tuple[float, ...]
    standard_error: float


@dataclass(frozen=True, slots=True)
class Decision:
    """A bot's answer.

    ``statistics`` lists the actions that were tried, most visited first. ``principal_variation`` begins with
    ``action`` and goes on with the most visited decisions, up to the next chance event. ``iterations`` are
    those of this decision; ``elapsed`` is in seconds. ``worlds`` is how many worlds were imagined for them:
    one an iteration if each is new, one a tree if it is fixed, one a round of ``flat_mc``; 0 without a
    search.
    """

    action: int
    statistics: tuple[ActionStatistics, ...]
    principal_variation: tuple[int, ...]
    iterations: int
    elapsed: float
    stop_reason: StopReason
    worlds: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """Asks for interim decisions: ``tell`` is given one every ``seconds`` by the bot's clock, between two
    slices of the search, which waits for it and goes on unchanged. The final decision is only returned, not
    told.

    Raises:
        ValueError: ``seconds`` is negative or no number.
    """

    tell: Callable[[Decision], None]
    seconds: float = 0.25

    def __post_init__(self) -> None:
        if math.isnan(self.seconds) or self.seconds < 0:
            raise ValueError(f"a report every {self.seconds} seconds: it must be a number and not negative")


def never() -> bool:
    """A stop flag that is never raised."""
    return False


class Bot(Protocol):
    """One who decides for a seat. It keeps nothing between decisions, so one object may serve many games; but
    for ``ismcts:reuse=on``, see ``IsmctsBot``.
    """

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
        among: Collection[int] | None = None,
        report: Report | None = None,
    ) -> Decision:
        """The action the seat should play, at any budget: zero iterations and zero seconds included.

        Only the actions in ``among`` come into question; ``None``: every legal one. A search asks for their
        values even if there is one of them, as long as more are legal.

        All randomness comes from ``rng``: equal information sets, iterations and generators give equal
        decisions (but for ``elapsed``) in every process. With ``reuse=on`` the earlier decisions of the same
        object must be equal, too. A ``report`` changes no decision but where the clock ends the search; a bot
        that does not search never tells it anything.

        Raises:
            ValueError: the seat of ``info`` is not to move, or ``among`` is empty or holds an action that is
                not legal.
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
        ends = (
            [budget.deadline] if budget.seconds is None else [budget.deadline, self._started + budget.seconds]
        )
        self._deadline = min((end for end in ends if end is not None), default=None)

    @property
    def iterations(self) -> int | None:
        """How many are allowed in all; ``None`` if any number is."""
        return self._iterations

    def reached(self, iterations: int) -> StopReason | None:
        """Why to stop after so many iterations, or ``None`` to go on."""
        if self._iterations is not None and iterations >= self._iterations:
            return StopReason.ITERATIONS
        if self._should_stop():
            return StopReason.STOPPED
        if self._deadline is not None and self._clock() >= self._deadline:
            return StopReason.TIME
        return None

    def spent(self, iterations: int, part: int, parts: int) -> bool:
        """Whether ``part`` of ``parts`` equal parts of the budget are used up after so many iterations."""
        if self._iterations is not None and iterations * parts >= self._iterations * part:
            return True
        if self._deadline is None:
            return False
        return (self._clock() - self._started) * parts >= (self._deadline - self._started) * part

    def iterations_left(self, iterations: int) -> int | None:
        """How many more are allowed after so many; ``None`` if any number is."""
        return None if self._iterations is None else max(0, self._iterations - iterations)

    def seconds_left(self) -> float | None:
        """Seconds to the end, not below 0; ``None`` without one."""
        return None if self._deadline is None else max(0.0, self._deadline - self._clock())

    def slice(self, seconds: float) -> float:
        """So many seconds, or those that are left if they are fewer."""
        return seconds if self._deadline is None else min(seconds, max(0.0, self._deadline - self._clock()))

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._started
