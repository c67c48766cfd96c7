"""How a search stands while it runs."""

from __future__ import annotations

import math
from collections.abc import Callable

from kingsbridge.ai.bot import Decision, Limits, Report, StopReason

SLICE = 16
"""Iterations of a search in Python between two looks at the clock: a millisecond or two."""


class Interim:
    """Tells it, as often as a report asks for it: between two slices of the search, so it changes nothing."""

    __slots__ = ("_decide", "_due", "_limits", "_report")

    def __init__(
        self, report: Report | None, limits: Limits, decide: Callable[[StopReason], Decision]
    ) -> None:
        """``decide`` gives the decision as it would be now; without a report nothing is ever told."""
        self._report = report
        self._limits = limits
        self._decide = decide
        self._due = math.inf if report is None else report.seconds

    def tell(self) -> None:
        """Does so if it is time."""
        if self._report is None or self._limits.elapsed() < self._due:
            return
        decision = self._decide(StopReason.RUNNING)
        self._report.tell(decision)
        self._due = decision.elapsed + self._report.seconds

    def tell_after(self, iterations: int) -> None:
        """Does so if it is time and, after so many iterations of a search in Python, a slice is over."""
        if iterations % SLICE == 0:
            self.tell()

    def pause(self) -> float | None:
        """Seconds until it is time; ``None``: it never is."""
        return None if self._report is None else max(0.0, self._due - self._limits.elapsed())
