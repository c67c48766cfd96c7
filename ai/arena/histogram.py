"""How numbers are spread, in memory that does not grow with how many they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

BINS_PER_DECADE = 100
"""A bin reaches from one number to 1.0233 times it, so its middle is within 1.2 % of all in it."""
FLOOR = 1e-9
"""Numbers below it share a bin."""

_BATCH = 4096
"""Numbers that are put into bins at once: one by one takes ten times as long."""


class LogHistogram:
    """Counts of numbers from 0, in bins of equal ratio."""

    def __init__(self) -> None:
        self._count = 0
        self._total = 0.0
        self._least = math.inf
        self._greatest = 0.0
        self._bins: Counter[int] = Counter()
        self._waiting: list[float] = []

    def add(self, numbers: Iterable[float]) -> None:
        """Counts numbers, each from 0."""
        self._waiting.extend(numbers)
        if len(self._waiting) >= _BATCH:
            self._sort_in()

    @property
    def count(self) -> int:
        """How many they are."""
        return self._count + len(self._waiting)

    @property
    def mean(self) -> float | None:
        """Their mean; ``None`` of no number."""
        self._sort_in()
        return self._total / self._count if self._count else None

    @property
    def greatest(self) -> float | None:
        """The greatest of them, exactly; ``None`` of no number."""
        self._sort_in()
        return self._greatest if self._count else None

    def quantile(self, probability: float) -> float | None:
        """What this part of the numbers does not exceed, to 1.2 %; ``None`` of no number.

        It is the nearest rank: the k-th number in order, k the least with ``k >= probability * count``.
        """
        self._sort_in()
        rank = max(1, math.ceil(probability * self._count))
        below = 0
        for bin_ in sorted(self._bins):
            below += self._bins[bin_]
            if below >= rank:
                return min(max(_edge(bin_ + 0.5), self._least), self._greatest)
        return None

    def _sort_in(self) -> None:
        import numpy as np  # noqa: PLC0415  # takes longer to load than commands take that need none of it

        if not self._waiting:
            return
        bins = np.floor(np.log10(np.maximum(self._waiting, FLOOR)) * BINS_PER_DECADE).astype(int)
        self._bins.update(bins.tolist())
        self._count += len(self._waiting)
        self._total += math.fsum(self._waiting)
        self._least = min(self._least, *self._waiting)
        self._greatest = max(self._greatest, *self._waiting)
        self._waiting.clear()


def _edge(bin_: float) -> float:
    return float(10 ** (bin_ / BINS_PER_DECADE))
