"""A bot that plays what the game's native heuristic likes best, without looking ahead."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from kingsbridge.ai.bot import Budget, Clock, Decision, Report, StopFlag, StopReason, never
from kingsbridge.ai.choices import considered
from kingsbridge.ai.params import Params
from kingsbridge.ai.search import WORLDS, acting_seat, forced, likeliest
from kingsbridge.ai.world import SearchInformation
from kingsbridge.pyengine import Rng


@dataclass(frozen=True)
class GreedyParams(Params):
    """It has no knobs."""

    bot: ClassVar[str] = "greedy"


@dataclass(frozen=True)
class GreedyBot:
    """Chooses the highest ``State.heuristic()`` in one imagined world; equal ones by lower number."""

    params: GreedyParams = GreedyParams()
    name: ClassVar[str] = "greedy"

    def choose(
        self,
        info: SearchInformation,
        budget: Budget,  # noqa: ARG002 - every bot is given one
        rng: Rng,
        *,
        clock: Clock = time.monotonic,
        should_stop: StopFlag = never,  # noqa: ARG002
        among: Collection[int] | None = None,
        report: Report | None = None,  # noqa: ARG002
    ) -> Decision:
        """One imagined world; the budget does not matter."""
        started = clock()
        acting_seat(info)
        legal = info.legal_actions()
        offered = considered(legal, among)
        if len(legal) == 1:
            return forced(legal[0], clock() - started)
        world = info.imagine(Rng(rng.next(), WORLDS))
        action = likeliest(world, offered)
        return Decision(action, (), (action,), 0, clock() - started, StopReason.POLICY)
