"""Tree search in one fixed determinization: what a player does who guesses the hidden cards once and then
believes in them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import ClassVar

from kingsbridge.ai.bot import Budget, Clock, Decision, Report, StopFlag, never
from kingsbridge.ai.native import native_search
from kingsbridge.ai.search import SearchParams, search
from kingsbridge.ai.world import SearchInformation, SearchState
from kingsbridge.pyengine import InformationSet, Rng


def fixed_world(info: SearchInformation, rng: Rng) -> Callable[[], SearchState]:
    """A sampler: imagines one world and gives a copy of it each time."""
    return info.imagine(rng).copy


@dataclass(frozen=True)
class MctsParams(SearchParams):
    """The knobs of the tree search, and no others."""

    bot: ClassVar[str] = "mcts"


@dataclass(frozen=True)
class MctsBot:
    """Searches one imagined world. Chance to come is still drawn afresh in every iteration."""

    params: MctsParams = MctsParams()
    name: ClassVar[str] = "mcts"

    def choose(
        self,
        info: SearchInformation,
        budget: Budget,
        rng: Rng,
        *,
        clock: Clock = time.monotonic,
        should_stop: StopFlag = never,
        among: Collection[int] | None = None,
        report: Report | None = None,
    ) -> Decision:
        """As ``search`` with one world."""
        if self.params.kernel == "native" and isinstance(info, InformationSet):
            return native_search(
                info,
                "fixed",
                self.params,
                budget,
                rng,
                clock=clock,
                should_stop=should_stop,
                among=among,
                report=report,
            )
        return search(
            info,
            fixed_world,
            self.params,
            budget,
            rng,
            clock=clock,
            should_stop=should_stop,
            among=among,
            report=report,
            fresh=False,
        )
