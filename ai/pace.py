"""Which moves come at once, and when a search ends before its budget does."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kingsbridge.ai.bot import Limits
from kingsbridge.pyengine import SPECTATOR, Rng

if TYPE_CHECKING:
    from kingsbridge.ai.world import SearchInformation

PACES = ("even", "quick")
"""``even``: a bot takes its whole budget, but a move that everybody can see is forced comes at once; so the
time it takes tells nothing. ``quick``: every forced move comes at once, and a search ends when it is decided.
"""

WITNESSES = 32
"""Worlds in which a spectator looks for another action: if one world in ten has one, 3 in 100 searches for it
fail."""

PARTS = 16
"""A search looks whether it is decided after each of so many parts of its budget, from the middle on."""
OFTEN = 64
"""Iterations of the plain search between two looks, where the clock ends it."""


def comes_at_once(info: SearchInformation, legal: list[int], pace: str) -> bool:
    """Whether the decision is to be answered without a search: it is forced, and that is no secret."""
    return len(legal) == 1 and (pace == "quick" or everybody_sees(info, legal))


def everybody_sees(info: SearchInformation, legal: list[int]) -> bool:
    """Whether the seat to move has these actions in every world a spectator thinks possible: in none of some
    it had others. Depends on ``info`` alone.
    """
    rng = Rng(0)
    public = info.imagine(rng).information_set(SPECTATOR)
    return all(public.imagine(rng).legal_actions() == legal for _ in range(WITNESSES))


class Early:
    """The STOP rule (Baier, Winands, "Time management for Monte Carlo tree search", 2016): a search is
    decided when its leader could not be caught if all iterations that are left went to the next.

    With a budget of iterations it looks after fixed numbers of them, so it ends at the same one every time,
    and the leader is what the whole budget would have chosen. Against a clock it looks whenever asked after
    half of the time, and takes the rate so far for that of the rest.
    """

    __slots__ = ("_limits", "_marks", "_quick")

    def __init__(self, limits: Limits, pace: str) -> None:
        """At an even pace nothing is ever decided."""
        self._limits = limits
        self._quick = pace == "quick"
        total = limits.iterations if self._quick else None
        # Nothing can be decided before half of the iterations are made.
        self._marks = [] if total is None else [total * part // PARTS for part in range(PARTS // 2, PARTS)]

    def until(self, iterations: int) -> int | None:
        """How many iterations to make after so many: up to the next look or the end; ``None``: any number."""
        ahead = next((mark for mark in self._marks if mark > iterations), None)
        return self._limits.iterations_left(iterations) if ahead is None else ahead - iterations

    def due(self, iterations: int) -> bool:
        """Whether a search that could look after each iteration should, after so many."""
        return self._quick and (iterations in self._marks or iterations % OFTEN == 0)

    def decided(self, iterations: int, visits: Callable[[], Iterable[int]]) -> bool:
        """Whether it is decided after so many iterations; may ask for the visits of the root's actions."""
        left = self._left(iterations) if self._quick else None
        return left is not None and lead(visits()) > left

    def pause(self) -> float | None:
        """Seconds to the next look against the clock for a search that cannot look often; ``None``: none."""
        left = self._limits.seconds_left() if self._quick else None
        if left is None:
            return None
        elapsed = self._limits.elapsed()
        return max((elapsed + left) / PARTS, (left - elapsed) / 2)

    def _left(self, iterations: int) -> int | None:
        """The most iterations that may follow; ``None`` if this is no time to look."""
        by_count = self._limits.iterations_left(iterations) if iterations in self._marks else None
        return min(
            (each for each in (by_count, self._left_by_clock(iterations)) if each is not None), default=None
        )

    def _left_by_clock(self, iterations: int) -> int | None:
        left = self._limits.seconds_left()
        if left is None:
            return None
        elapsed = self._limits.elapsed()
        return None if elapsed <= left else math.ceil(iterations * left / elapsed)


def lead(visits: Iterable[int]) -> int:
    """How far the most visited action is ahead of the next."""
    first, second = heapq.nlargest(2, (*visits, 0, 0))
    return first - second
