"""How long a search takes and how long it waits, as far as that can be told before: estimates in seconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from heapq import heapify, heapreplace

from kingsbridge.server.search import Search

FIRST_GUESS_SECONDS = 0.1
"""What a search without a budget of seconds is expected to take before one like it was measured."""
WEIGHT = 0.25
"""How much the newest measurement counts in the moving average."""
NEED_SHARE = 0.1
"""A search that waits must be left at least this part of the time it is expected to take."""
KINDS = 1000
"""Kinds of searches that are remembered, the most recent ones."""


class Durations:
    """How long searches without a budget of seconds take, by game, bot spec and iterations."""

    def __init__(self) -> None:
        self._average: OrderedDict[tuple[str, str, int | None], float] = OrderedDict()

    def expected(self, search: Search, now: float) -> float:
        """How long a search that begins now is expected to take."""
        limit = max(0.0, min(search.seconds(), search.stop_by - now))
        if search.budget.seconds is not None and search.budget.iterations is None:
            return limit
        return min(limit, self._average.get(_kind(search), FIRST_GUESS_SECONDS))

    def learn(self, search: Search, seconds: float, whole: bool) -> None:
        """A search took so long. One that was cut short teaches only that it takes at least so long."""
        if search.budget.seconds is not None and not whole:
            return
        before = self._average.pop(_kind(search), seconds if whole else max(seconds, FIRST_GUESS_SECONDS))
        after = before + WEIGHT * (seconds - before)
        self._average[_kind(search)] = after if whole else max(before, after)
        if len(self._average) > KINDS:
            self._average.popitem(last=False)


def estimated_wait(rests: Iterable[float], ahead: Iterable[float]) -> float:
    """When a worker is free for a newcomer.

    ``rests``: of each worker, how long it is still at work. ``ahead``: how long the searches that go before
    the newcomer take, in the order they begin.
    """
    free = list(rests)
    heapify(free)
    for seconds in ahead:
        heapreplace(free, free[0] + seconds)
    return free[0]


def need(seconds: float) -> float:
    """The least time that must be left after a wait, of a search that is expected to take so long."""
    return NEED_SHARE * seconds


def _kind(search: Search) -> tuple[str, str, int | None]:
    return search.info.game, search.bot, search.budget.iterations
