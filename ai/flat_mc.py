"""Flat Monte Carlo: every legal action is tried equally often, in the same imagined worlds, and the best mean
wins.

No tree, so no plan of several steps; strong all the same in short, luck-heavy games (Gedda and others, "Monte
Carlo methods for the game Kingdomino", 2018).
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from kingsbridge.ai.bot import ActionStatistics, Budget, Clock, Decision, Limits, StopFlag, never
from kingsbridge.ai.choices import considered
from kingsbridge.ai.pace import PACES, comes_at_once
from kingsbridge.ai.params import Params, knob
from kingsbridge.ai.search import CHANCES, POLICIES, WORLDS, acting_seat, best_first, forced, values_of
from kingsbridge.ai.world import SearchInformation
from kingsbridge.pyengine import UTILITY_ONE, Rng


@dataclass(frozen=True)
class FlatMcParams(Params):
    """Knobs of flat Monte Carlo."""

    iterations: int | None = knob(int, None, "most iterations a move (games simulated)", minimum=0)
    seconds: float | None = knob(float, None, "most time a move (seconds)", minimum=0)
    policy: str = knob(str, "light", "how games are played out after the action", choices=POLICIES)
    pace: str = knob(str, "even", "quick: any forced move comes at once", choices=PACES)

    bot: ClassVar[str] = "flat_mc"


@dataclass(frozen=True)
class FlatMcBot:
    """Plays rounds of one rollout an action; a round shares world and luck: less noise between means."""

    params: FlatMcParams = FlatMcParams()
    name: ClassVar[str] = "flat_mc"

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
        """Within the budget, the best mean, then more visits, then the lower number.

        A round goes through the actions from the native heuristic's best on, so a budget too small for one
        round is spent on what looks best; a budget of nothing answers with the heuristic's best.
        """
        acting_seat(info)
        own = Budget(self.params.iterations, self.params.seconds)
        limits = Limits(budget.over(own), clock, should_stop)
        legal = info.legal_actions()
        offered = considered(legal, among)
        if comes_at_once(info, legal, self.params.pace):
            return forced(legal[0], limits.elapsed())
        rounds = _Rounds(info, offered, self.params.policy, rng.next())
        while (reason := limits.reached(rounds.iterations)) is None:
            rounds.iterate()
        ranked = rounds.ranked()
        action = ranked[0].action if ranked else rounds.order[0]
        statistics = tuple(sorted(ranked, key=lambda each: -each.visits))
        return Decision(action, statistics, (action,), rounds.iterations, limits.elapsed(), reason)


class _Rounds:
    """The rollouts so far: ``order`` is the order of the actions in every round."""

    def __init__(self, info: SearchInformation, actions: list[int], policy: str, seed: int) -> None:
        self._info = info
        self._policy = policy
        self._worlds = Rng(seed, WORLDS)
        self._luck = Rng(seed, CHANCES).next()
        self._world = info.imagine(self._worlds)
        self._visits = dict.fromkeys(actions, 0)
        self._totals = {action: [0] * info.players for action in actions}
        self.order = [actions[slot] for slot in best_first(values_of(self._world, actions))]
        self.iterations = 0

    def iterate(self) -> None:
        """The next action's rollout in the world and with the luck of this round."""
        number, turn = divmod(self.iterations, len(self.order))
        if turn == 0 and number > 0:
            self._world = self._info.imagine(self._worlds)
        action = self.order[turn]
        state = self._world.copy()
        state.apply(action)
        totals = self._totals[action]
        for seat, utility in enumerate(state.rollout(Rng(self._luck, number), self._policy)):
            totals[seat] += utility
        self._visits[action] += 1
        self.iterations += 1

    def ranked(self) -> list[ActionStatistics]:
        """The actions tried: the best mean first, then more visits, then the lower number."""
        seat = self._info.seat
        table = [self._statistics(action) for action, visits in self._visits.items() if visits]
        return sorted(table, key=lambda each: (-each.values[seat], -each.visits, each.action))

    def _statistics(self, action: int) -> ActionStatistics:
        visits = self._visits[action]
        values = tuple(total / (visits * UTILITY_ONE) for total in self._totals[action])
        return ActionStatistics(action, visits, self.iterations, values)
