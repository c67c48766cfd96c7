"""Flat Monte Carlo: which actions its rollouts go to, and how far these go."""

from __future__ import annotations

from typing import Any

import pytest

from kingsbridge.ai import Budget, Decision, FlatMcBot, FlatMcParams, StopReason, make_bot
from kingsbridge.ai.bench import position_at
from kingsbridge.pyengine import InformationSet, Rng, game_names
from tests.ai.toys import DarkCoin, EvenMenu, FakeClock, HiddenCoin, Menu, Streak, Toy

HALVING = FlatMcBot(FlatMcParams(halving="on"))
FLAT = FlatMcBot()


def halved(state: Toy, budget: Budget, bot: FlatMcBot = HALVING, **more: Any) -> Decision:
    return bot.choose(state.information_set(0), budget, Rng(3), clock=FakeClock(0.001), **more)


def visits(decision: Decision) -> dict[int, int]:
    return {row.action: row.visits for row in decision.statistics}


def middle(game: str) -> InformationSet:
    state = position_at(game, 2, "middle").state
    return state.information_set(state.current_player)


def test_the_better_half_goes_on_in_phases_of_equal_budgets() -> None:
    # Five actions have three phases, which end with the rounds that reach 20 and 40 of 60: four rounds of
    # five, seven of the best three (20 + 7 * 3 = 41), and 19 rollouts for the best two, the very best first.
    decision = halved(Menu(), Budget(60))
    assert visits(decision) == {1: 4, 5: 4, 3: 4 + 7, 4: 4 + 7 + 9, 2: 4 + 7 + 10}
    assert (decision.action, decision.iterations, decision.stop_reason) == (2, 60, StopReason.ITERATIONS)


def test_of_equal_actions_the_lower_ones_go_on() -> None:
    decision = halved(EvenMenu(), Budget(60))
    assert visits(decision) == {4: 4, 5: 4, 3: 11, 2: 20, 1: 21}
    assert decision.action == 1


def test_a_phase_has_a_whole_round_at_least() -> None:
    # A third of 7 is past after the first action, but all five are tried before three go on: 2, then 4.
    assert visits(halved(Menu(), Budget(7))) == {1: 1, 3: 1, 5: 1, 2: 2, 4: 2}


def test_a_budget_too_small_for_a_round_goes_to_what_looks_best() -> None:
    for iterations in range(1, 5):
        small = halved(Menu(), Budget(iterations))
        assert visits(small) == dict.fromkeys(range(1, iterations + 1), 1)
        assert small.action == min(iterations, 2)


def test_against_a_clock_phases_end_by_its_share() -> None:
    # A look at the clock costs 1 ms: one before each rollout and one more after each round. The first third
    # of 60.5 ms is over when the fourth round is (25 ms), the second after four rounds of three (41 ms); then
    # 20 rollouts fit.
    decision = halved(Menu(), Budget(seconds=0.0605))
    assert visits(decision) == {1: 4, 5: 4, 3: 4 + 4, 4: 4 + 4 + 10, 2: 4 + 4 + 10}
    assert (decision.action, decision.stop_reason) == (2, StopReason.TIME)


def test_the_limit_that_is_nearer_ends_a_phase() -> None:
    by_count = visits(halved(Menu(), Budget(60)))
    assert visits(halved(Menu(), Budget(60, 100.0))) == by_count
    assert visits(halved(Menu(), Budget(100_000, 0.0605))) == visits(halved(Menu(), Budget(seconds=0.0605)))


def test_without_a_known_end_no_action_drops_out() -> None:
    looks = iter(range(41))
    decision = halved(Menu(), Budget(seconds=float("inf")), should_stop=lambda: next(looks) == 40)
    assert set(visits(decision).values()) == {8}


def test_two_actions_have_one_phase() -> None:
    among = [3, 4]
    assert (
        halved(Menu(), Budget(21), among=among).statistics
        == halved(Menu(), Budget(21), FLAT, among=among).statistics
    )
    assert visits(halved(Menu(), Budget(21), among=[3])) == {3: 21}


def test_those_that_go_on_still_share_their_worlds() -> None:
    # Five rounds of four, then ten of heads and tails: each of 15 coins falls one way.
    rows = halved(DarkCoin().after(HiddenCoin.COIN + 2), Budget(40)).statistics
    won = {row.action: round(row.values[0] * row.visits) for row in rows}
    assert {row.action: row.visits for row in rows} == {2: 15, 3: 15, 4: 5, 5: 5}
    assert won[HiddenCoin.HEADS] + won[HiddenCoin.TAILS] == 15
    assert all(won[side] for side in (HiddenCoin.HEADS, HiddenCoin.TAILS))  # a new coin each round


def test_what_has_dropped_out_is_not_chosen() -> None:
    regretted = 0
    for seed in range(40):
        info = Streak().after(Streak.COIN + 2).information_set(0)
        decision = HALVING.choose(info, Budget(16), Rng(seed))
        means = {row.action: row.values[0] for row in decision.statistics}
        assert visits(decision)[decision.action] == 6  # two rounds of four, four rounds of two
        regretted += means[decision.action] < max(means.values())
    assert regretted  # or the test would show nothing


@pytest.mark.parametrize("game", game_names())
def test_rollouts_end_where_suits_the_game(game: str) -> None:
    info = middle(game)
    length, rounds = (-1 if bound is None else bound for bound in info.horizon)
    own, named, endless = (
        make_bot(spec).choose(info, Budget(100), Rng(1)).statistics
        for spec in ("flat_mc", f"flat_mc:length={length},rounds={rounds}", "flat_mc:length=-1")
    )
    assert own == named
    assert (own == endless) == (info.horizon == (None, None))


@pytest.mark.parametrize("knob", ["margin=1", "reach=2", "rounds=0", "length=2"])
@pytest.mark.parametrize("game", game_names())
def test_every_knob_of_a_rollout_changes_it(game: str, knob: str) -> None:
    info = middle(game)
    usual, turned = (
        make_bot(spec).choose(info, Budget(100), Rng(1)).statistics for spec in ("flat_mc", f"flat_mc:{knob}")
    )
    assert usual != turned
