"""Information set Monte Carlo tree search: a fresh determinization in every iteration.

Multi-observer variant of Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search" (2012).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Self

from kingsbridge.ai.bot import Budget, Clock, Decision, Report, StopFlag, never
from kingsbridge.ai.kept import KeptTrees
from kingsbridge.ai.levels import HIGHEST, levels
from kingsbridge.ai.native import native_search
from kingsbridge.ai.params import SWITCH, BotOptionError, Value, knob
from kingsbridge.ai.search import SearchParams, search
from kingsbridge.ai.world import SearchInformation, SearchState
from kingsbridge.pyengine import InformationSet, Rng


def fresh_worlds(info: SearchInformation, rng: Rng) -> Callable[[], SearchState]:
    """A sampler: imagines a new world each time."""
    return partial(info.imagine, rng)


@dataclass(frozen=True)
class IsmctsParams(SearchParams):
    """The knobs of the tree search, whether trees are kept, and a level that sets some of the knobs.

    Raises:
        BotOptionError: a level is given, and so is a knob that it sets; or trees are to be kept by the kernel
            that cannot.
    """

    level: int | None = knob(
        int,
        None,
        f"strength, 1 to {HIGHEST}: sets iterations and what a search knows, by game and number of players",
        minimum=1,
        maximum=HIGHEST,
    )

    reuse: str = knob(
        str,
        "off",
        "goes on with the tree of the last decision where that knows this one; no effect over gRPC, where "
        "each decision has a bot of its own; kernel=native only",
        choices=SWITCH,
    )

    bot: ClassVar[str] = "ismcts"

    def __post_init__(self) -> None:
        super().__post_init__()
        given = {name for name, default in self.defaults().items() if getattr(self, name) != default}
        self._check_level(self.level, given)
        if self.reuse == "on" and self.kernel != "native":
            raise BotOptionError(f'bot "{self.bot}": option "reuse" needs kernel=native, not {self.kernel}')

    @classmethod
    def read(cls, text: str) -> dict[str, Value]:
        """As ``Params.read``. A knob that the level sets is refused even if it is given its default."""
        values = super().read(text)
        level = values.get("level")
        cls._check_level(level if isinstance(level, int) and 1 <= level <= HIGHEST else None, values)
        return values

    @classmethod
    def _check_level(cls, level: int | None, given: Collection[str]) -> None:
        for name in () if level is None else levels().set_by(level):
            if name in given:
                raise BotOptionError(
                    f'bot "{cls.bot}": options "{name}" and "level" exclude each other: level {level} sets it'
                )

    def at_level(self, game: str, players: int) -> Self:
        """The knobs with those that the level sets in a game; without a level, these.

        Raises:
            UnknownLevelError: the level is set, and there are none for this game or number of players.
        """
        if self.level is None:
            return self
        return replace(self, level=None, **levels().at(self.level, game, players))


@dataclass(frozen=True)
class IsmctsBot:
    """Searches all worlds that the seat's knowledge leaves possible, in one tree.

    With ``reuse=on`` it keeps the tree of its last decision, and a decision depends on those before it: equal
    histories give equal decisions. The tree is used again only where it knows the very information set; so
    another game or seat in between does no harm, but the tree is lost. An object a game and seat is best.
    """

    params: IsmctsParams = IsmctsParams()
    name: ClassVar[str] = "ismcts"
    _kept: KeptTrees = field(default_factory=KeptTrees, init=False, repr=False, compare=False)

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
        """As ``search`` with a new world for each iteration.

        Raises:
            UnknownLevelError: a level is set, and this game has none for so many players.
        """
        params = self.params.at_level(info.game, info.players)
        if params.kernel == "native" and isinstance(info, InformationSet):
            return native_search(
                info,
                "fresh",
                params,
                budget,
                rng,
                clock=clock,
                should_stop=should_stop,
                among=among,
                report=report,
                kept=self._kept if params.reuse == "on" else None,
            )
        return search(
            info,
            fresh_worlds,
            params,
            budget,
            rng,
            clock=clock,
            should_stop=should_stop,
            among=among,
            report=report,
        )
