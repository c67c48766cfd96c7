"""Information set Monte Carlo tree search: a fresh determinization in every iteration.

Multi-observer variant of Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search" (2012).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from kingsbridge.ai.bot import Budget, Clock, Decision, StopFlag, never
from kingsbridge.ai.native import native_search
from kingsbridge.ai.search import SearchParams, search
from kingsbridge.ai.world import SearchInformation, SearchState
from kingsbridge.pyengine import InformationSet, Rng


def fresh_worlds(info: SearchInformation, rng: Rng) -> Callable[[], SearchState]:
    """A sampler: imagines a new world each time."""
    return partial(info.imagine, rng)


@dataclass(frozen=True)
class IsmctsParams(SearchParams):
    """The knobs of the tree search, and no others."""

    bot: ClassVar[str] = "ismcts"


@dataclass(frozen=True)
class IsmctsBot:
    """Searches all worlds that the seat's knowledge leaves possible, in one tree."""

    params: IsmctsParams = IsmctsParams()
    name: ClassVar[str] = "ismcts"

    def choose(
        self,
        info: SearchInformation,
        budget: Budget,
        rng: Rng,
        *,
        clock: Clock = time.monotonic,
        should_stop: StopFlag = never,
        among: Collection[int] | None = None,
    ) -> Decision:
        """As ``search`` with a new world for each iteration."""
        if self.params.kernel == "native" and isinstance(info, InformationSet):
            return native_search(
                info, "fresh", self.params, budget, rng, clock=clock, should_stop=should_stop, among=among
            )
        return search(
            info, fresh_worlds, self.params, budget, rng, clock=clock, should_stop=should_stop, among=among
        )
