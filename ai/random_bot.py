"""A bot that plays any legal action: the floor of every ladder."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from kingsbridge.ai.bot import Budget, Clock, Decision, Report, StopFlag, StopReason, never
from kingsbridge.ai.choices import considered
from kingsbridge.ai.params import Params
from kingsbridge.ai.search import acting_seat, forced
from kingsbridge.ai.world import SearchInformation
from kingsbridge.pyengine import Rng


@dataclass(frozen=True)
class RandomParams(Params):
    """It has no knobs."""

    bot: ClassVar[str] = "random"


@dataclass(frozen=True)
class RandomBot:
    """Chooses uniformly among the legal actions."""

    params: RandomParams = RandomParams()
    name: ClassVar[str] = "random"

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
        """One draw of ``rng``; the budget does not matter."""
        started = clock()
        acting_seat(info)
        legal = info.legal_actions()
        offered = considered(legal, among)
        if len(legal) == 1:
            return forced(legal[0], clock() - started)
        action = offered[rng.below(len(offered))]
        return Decision(action, (), (action,), 0, clock() - started, StopReason.POLICY)
