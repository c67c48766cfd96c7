"""What the trees of a search decide together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from kingsbridge.ai.bot import Decision, Limits, StopReason
from kingsbridge.ai.tally import Tally, best_informed, merged, rank


class Grown(Protocol):
    """A tree, as far as a decision asks it."""

    @property
    def iterations(self) -> int:
        """Those of this decision."""

    def line(self, action: int) -> tuple[int, ...]:
        """A root action and what is most visited after it; changes nothing."""


@dataclass(frozen=True)
class Conclusion:
    """The choice is the most visited action, then the higher mean, then the lower number.

    ``tables`` gives what each of ``trees`` knows of the root's actions now, ``unsearched`` the action of
    ``seat`` where they know nothing. ``fresh``: each iteration imagined a world, and not each tree.
    """

    trees: Sequence[Grown]
    tables: Callable[[], list[list[Tally]]]
    unsearched: Callable[[], int]
    seat: int
    limits: Limits
    fresh: bool

    def decide(self, reason: StopReason) -> Decision:
        """The decision as things stand."""
        tables = self.tables()
        ranked = rank(merged(tables), self.seat)
        action = ranked[0].action if ranked else self.unsearched()
        line = self.trees[best_informed(tables, action)].line(action)
        iterations = sum(tree.iterations for tree in self.trees)
        worlds = iterations if self.fresh else len(self.trees)
        return Decision(action, ranked, line, iterations, self.limits.elapsed(), reason, worlds)
