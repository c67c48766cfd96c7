"""What is asked of the search workers, and the answer that needs none of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from kingsbridge.ai import Budget, Decision, StopReason, likeliest
from kingsbridge.pyengine import InformationSet, Rng


class Priority(IntEnum):
    """Who waits for the answer. The greater goes first."""

    TOURNAMENT = 0
    """Nobody: games among bots."""
    ANALYSIS = 1
    """Somebody who looks at a position."""
    INTERACTIVE = 2
    """Somebody who plays."""


@dataclass(frozen=True, slots=True)
class Search:
    """A question to a bot.

    ``stop_by`` and ``answer_by`` (not before ``stop_by``) are times of ``time.monotonic``: when the search
    ends, and when the answer is due even if there is none. ``max_seconds`` bounds the thinking time alone.
    ``among`` holds the legal actions that come into question; ``None``: all. ``caller`` is whoever shares the
    workers with other callers. ``report_seconds`` is how often the bot tells what it thinks meanwhile;
    ``None``: never.
    """

    info: InformationSet
    bot: str
    seed: int
    budget: Budget
    max_seconds: float
    stop_by: float = math.inf
    answer_by: float = math.inf
    among: list[int] | None = None
    priority: Priority = Priority.INTERACTIVE
    caller: str = ""
    report_seconds: float | None = None

    def seconds(self) -> float:
        """The most it may think, its deadline left aside."""
        limit = self.max_seconds
        return limit if self.budget.seconds is None else min(self.budget.seconds, limit)


def unsearched(search: Search, reason: StopReason) -> Decision:
    """A legal action without a search, within microseconds: the one that looks best in one imagined state."""
    world = search.info.imagine(Rng(search.seed))
    action = likeliest(world, search.among or world.legal_actions())
    return Decision(action, (), (action,), 0, 0.0, reason)
