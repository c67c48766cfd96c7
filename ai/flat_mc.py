"""Flat Monte Carlo: every legal action is tried equally often, in the same imagined worlds, and the best mean
wins; or the better half goes on, again and again, until the budget is spent.

No tree, so no plan of several steps; strong all the same in short, luck-heavy games (Gedda and others, "Monte
Carlo methods for the game Kingdomino", 2018).
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from kingsbridge.ai.bot import (
    ActionStatistics,
    Budget,
    Clock,
    Decision,
    Limits,
    Report,
    StopFlag,
    StopReason,
    never,
)
from kingsbridge.ai.choices import considered
from kingsbridge.ai.interim import Interim
from kingsbridge.ai.pace import PACES, comes_at_once
from kingsbridge.ai.params import SWITCH, Params, knob, shared
from kingsbridge.ai.search import (
    CHANCES,
    POLICIES,
    WORLDS,
    SearchParams,
    acting_seat,
    best_first,
    forced,
    horizon,
    values_of,
)
from kingsbridge.ai.tally import Sums, Tally, rank
from kingsbridge.ai.world import SearchInformation
from kingsbridge.pyengine import Rng


@dataclass(frozen=True)
class FlatMcParams(Params):
    """Knobs of flat Monte Carlo."""

    iterations: int | None = shared(SearchParams, "iterations")
    seconds: float | None = shared(SearchParams, "seconds")
    margin: float = shared(SearchParams, "margin")
    reach: int = shared(SearchParams, "reach")
    policy: str = knob(str, "light", "how games are played out after the action", choices=POLICIES)
    length: int | None = shared(SearchParams, "length")
    rounds: int | None = shared(SearchParams, "rounds")
    halving: str = knob(str, "off", "on: the budget goes to ever fewer actions, the best", choices=SWITCH)
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
        report: Report | None = None,
    ) -> Decision:
        """Within the budget, the best mean of the actions still in question, then more visits, then the lower
        number.

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
        rounds = _Rounds(info, offered, self.params, rng.next())
        halving = _Halving(len(offered), limits) if self.params.halving == "on" else None

        def decide(reason: StopReason) -> Decision:
            action = rounds.best
            table = rounds.statistics()
            return Decision(
                action, table, (action,), rounds.iterations, limits.elapsed(), reason, rounds.worlds
            )

        interim = Interim(report, limits, decide)
        while (reason := limits.reached(rounds.iterations)) is None:
            interim.tell_after(rounds.iterations)
            if halving is not None and rounds.complete and halving.due(rounds.iterations):
                rounds.halve()
            rounds.iterate()
        return decide(reason)


class _Halving:
    """When the worse half drops out (Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed
    bandits", 2013): the budget has as many equal phases as it takes halvings to leave one action.
    """

    def __init__(self, actions: int, limits: Limits) -> None:
        self._limits = limits
        self._phases = (actions - 1).bit_length()
        self._phase = 1

    def due(self, iterations: int) -> bool:
        """Whether a phase is over after so many; the next one then begins. The last ends with the budget."""
        if self._phase >= self._phases or not self._limits.spent(iterations, self._phase, self._phases):
            return False
        self._phase += 1
        return True


class _Rounds:
    """The rollouts so far: ``order`` is the order of the actions in every round, those that have dropped out
    left out.
    """

    def __init__(self, info: SearchInformation, actions: list[int], params: FlatMcParams, seed: int) -> None:
        self._info = info
        self._rollout = (params.policy, *horizon(info, params), params.margin, params.reach)
        self._worlds = Rng(seed, WORLDS)
        self._luck = Rng(seed, CHANCES).next()
        self._world = info.imagine(self._worlds)
        self._visits = dict.fromkeys(actions, 0)
        self._sums = {action: Sums(info.players, info.seat) for action in actions}
        self.order = [actions[slot] for slot in best_first(values_of(self._world, actions))]
        self._round = self._turn = 0
        self.iterations = 0

    @property
    def worlds(self) -> int:
        """How many were imagined."""
        return self._round + 1

    @property
    def best(self) -> int:
        """The best of what was tried and is still in question; before that what the heuristic likes best."""
        ranked = self.ranked()
        return ranked[0].action if ranked else self.order[0]

    @property
    def complete(self) -> bool:
        """Whether a round has just been finished."""
        return self._turn == len(self.order)

    def iterate(self) -> None:
        """The next action's rollout in the world and with the luck of this round."""
        if self.complete:
            self._world = self._info.imagine(self._worlds)
            self._round, self._turn = self._round + 1, 0
        action = self.order[self._turn]
        state = self._world.copy()
        state.apply(action)
        worth = state.rollout(Rng(self._luck, self._round), *self._rollout)
        self._sums[action].add(worth)
        self._visits[action] += 1
        self._turn += 1
        self.iterations += 1

    def halve(self) -> None:
        """Only the better half goes on, the larger one of an odd number. A round must be complete."""
        self.order = [each.action for each in self.ranked()[: (len(self.order) + 1) // 2]]
        self._turn = len(self.order)

    def ranked(self) -> list[ActionStatistics]:
        """What was tried and is still in question: the best mean first, then more visits, then the lower."""
        seat = self._info.seat
        table = [self._tally(action).statistics(seat) for action in self.order if self._visits[action]]
        return sorted(table, key=lambda each: (-each.values[seat], -each.visits, each.action))

    def statistics(self) -> tuple[ActionStatistics, ...]:
        """All actions tried, as a search reports them."""
        table = [self._tally(action) for action, visits in self._visits.items() if visits]
        return rank(table, self._info.seat)

    def _tally(self, action: int) -> Tally:
        return self._sums[action].tally(action, self._visits[action], self.iterations)
