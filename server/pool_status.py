"""What the search pool is doing and has done, in numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kingsbridge.server.search import Priority

WINDOW_SECONDS = 60.0
"""The span over which a rate is taken."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The searches of one class that wait: how many, and for how long the oldest has (seconds)."""

    count: int
    oldest_seconds: float


@dataclass(frozen=True, slots=True)
class Totals:
    """Searches since the pool began, by how they ended; and workers that were replaced.

    ``done``: answered by a bot. ``refused``: no room, or no time left after the wait. ``shed``: answered
    without a bot, because the time was over or the pool closed. ``lost``: crashed their workers, or refused
    because they did before. ``faults``: the bot raised. ``recycled``: workers replaced because of their jobs
    or their memory. ``iterations``: those of the searches that are done.
    """

    done: int = 0
    refused: int = 0
    shed: int = 0
    lost: int = 0
    faults: int = 0
    recycled: int = 0
    iterations: int = 0


@dataclass(frozen=True, slots=True)
class PoolStatus:
    """The pool at a moment. ``workers`` are those that live; ``idle`` could begin a search at once.

    ``iterations_per_second`` is the mean over the last minute, or since the start if that is less ago.
    """

    workers: int
    busy: int
    idle: int
    waiting: Mapping[Priority, Waiting]
    totals: Totals
    iterations_per_second: float


class Rate:
    """How often something happens in a second, over the last minute (to a second)."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._seconds: deque[tuple[float, int]] = deque()

    def add(self, count: int) -> None:
        """It has happened so often since it was last said."""
        now = self._clock()
        self._forget(now)
        if self._seconds and now - self._seconds[-1][0] < 1.0:
            since, before = self._seconds.pop()
            self._seconds.append((since, before + count))
        else:
            self._seconds.append((now, count))

    def per_second(self) -> float:
        """The mean; of less than a second as if it were one."""
        now = self._clock()
        self._forget(now)
        span = min(WINDOW_SECONDS, max(1.0, now - self._began))
        return sum(count for _, count in self._seconds) / span

    def _forget(self, now: float) -> None:
        while self._seconds and self._seconds[0][0] <= now - WINDOW_SECONDS:
            self._seconds.popleft()
