"""What the visits of an action brought, in sums."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kingsbridge.ai.bot import ActionStatistics
from kingsbridge.ai.world import Worth
from kingsbridge.pyengine import OUTLOOK_POINT, UTILITY_ONE

Totals = tuple[int, ...]
"""A sum for each seat."""


BATCH = 256
"""Rollouts that are summed at once: one by one takes several times as long."""


class Sums:
    """Of the worth of rollouts to each seat, and of the squares of the searching seat's utility.

    They are integers, so they do not depend on the order of summing.
    """

    __slots__ = ("_batch", "_scores", "_searcher", "_shares", "_squares", "_utilities")

    def __init__(self, players: int, searcher: int) -> None:
        """``searcher`` is the searching seat."""
        self._searcher = searcher
        self._batch: list[Worth] = []
        self._utilities = self._shares = self._scores = (0,) * players
        self._squares = 0

    def add(self, worth: Worth) -> None:
        """One rollout more."""
        self._batch.append(worth)
        if len(self._batch) == BATCH:
            self._sum_up()

    def tally(self, action: int, visits: int, availability: int) -> Tally:
        """These sums as those of an action."""
        self._sum_up()
        totals = self._utilities, self._shares, self._scores
        return Tally(action, visits, availability, *totals, self._squares)

    def _sum_up(self) -> None:
        if not self._batch:
            return
        utilities, shares, scores = zip(*self._batch, strict=True)
        self._utilities = _totals([self._utilities, *utilities])
        self._shares = _totals([self._shares, *shares])
        self._scores = _totals([self._scores, *scores])
        self._squares += sum(each[self._searcher] ** 2 for each in utilities)
        self._batch.clear()


@dataclass(frozen=True, slots=True)
class Tally:
    """An action of the root that was tried: a row of ``Search.root_statistics``, which tells the units."""

    action: int
    visits: int
    availability: int
    utilities: Totals
    shares: Totals
    scores: Totals
    squares: int

    def statistics(self, searcher: int) -> ActionStatistics:
        """Means over the visits; ``searcher`` is the searching seat."""
        return ActionStatistics(
            self.action,
            self.visits,
            self.availability,
            _means(self.utilities, self.visits * UTILITY_ONE),
            _means(self.shares, self.visits * UTILITY_ONE),
            _means(self.scores, self.visits * OUTLOOK_POINT),
            self._standard_error(self.utilities[searcher]),
        )

    def _standard_error(self, total: int) -> float:
        """Of the mean utility with this total: from n visits, ``sqrt(sample variance / n)``."""
        visits = self.visits
        if visits < 2:
            return 0.0
        spread = visits * self.squares - total * total
        return math.sqrt(spread / (visits - 1)) / (visits * UTILITY_ONE)


def merged(tables: Sequence[list[Tally]]) -> list[Tally]:
    """What several trees know of each action together (root parallelisation: Chaslot, Winands, van den
    Herik, "Parallel Monte-Carlo tree search", 2008).
    """
    by_action: dict[int, list[Tally]] = {}
    for each in itertools.chain(*tables):
        by_action.setdefault(each.action, []).append(each)
    return [_sum(rows) for rows in by_action.values()]


def rank(table: Iterable[Tally], seat: int) -> tuple[ActionStatistics, ...]:
    """Most visited first, then the higher mean of the searching seat, then the lower action."""
    rows = (each.statistics(seat) for each in table)
    return tuple(sorted(rows, key=lambda each: (-each.visits, -each.values[seat], each.action)))


def best_informed(tables: Sequence[list[Tally]], action: int) -> int:
    """The tree that visited an action most, the first of equals."""
    visits = [sum(row.visits for row in table if row.action == action) for table in tables]
    return visits.index(max(visits))


def _sum(rows: list[Tally]) -> Tally:
    if len(rows) == 1:
        return rows[0]
    return Tally(
        rows[0].action,
        sum(row.visits for row in rows),
        sum(row.availability for row in rows),
        _totals([row.utilities for row in rows]),
        _totals([row.shares for row in rows]),
        _totals([row.scores for row in rows]),
        sum(row.squares for row in rows),
    )


def _totals(parts: list[Totals]) -> Totals:
    return tuple(map(sum, zip(*parts, strict=True)))


def _means(totals: Totals, units: int) -> tuple[float, ...]:
    return tuple(total / units for total in totals)
