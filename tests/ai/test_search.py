"""Tree search on toy games whose answers are known."""

from __future__ import annotations

from itertools import permutations

import pytest

from kingsbridge.ai.bot import Budget, Decision, Limits, never
from kingsbridge.ai.ismcts import IsmctsBot, IsmctsParams, fresh_worlds
from kingsbridge.ai.mcts import MctsBot, MctsParams, fixed_world
from kingsbridge.ai.search import SearchParams, Tree, grow
from kingsbridge.pyengine import Rng
from tests.ai.toys import (
    Countdown,
    FakeClock,
    HiddenCoin,
    Kuhn,
    Lotteries,
    OpenReveal,
    Reveal,
    SealedNote,
    SecretWeapon,
    ThreeSeats,
    Toy,
)

J, Q, K = Kuhn.JACK, Kuhn.QUEEN, Kuhn.KING
PASS, BET = Kuhn.PASS, Kuhn.BET
PLAIN = -9.0
"""So little caution that every action is tried once before any is tried again."""

Rows = list[tuple[int, list[tuple[int, int, int, int]]]]


MCTS = MctsBot(MctsParams(kernel="python"))
ISMCTS = IsmctsBot(IsmctsParams(kernel="python"))
"""Toys are plain Python."""


def grown(state: Toy, iterations: int, seed: int = 7, **params: object) -> Tree:
    seat = state.current_player
    tree = Tree(state.information_set(seat), fresh_worlds, SearchParams(**params), seed)  # type: ignore[arg-type]
    grow([tree], Limits(Budget(iterations), FakeClock(0), never))
    return tree


def trace(state: Toy, iterations: int, seed: int = 7, **params: object) -> Rows:
    return list(grown(state, iterations, seed, **params).trace())


def decide(state: Toy, bot: IsmctsBot | MctsBot, iterations: int = 2000, seed: int = 7) -> Decision:
    return bot.choose(state.information_set(state.current_player), Budget(iterations), Rng(seed))


def dealt(first: int, second: int, *played: int) -> Kuhn:
    return Kuhn().after(Kuhn.DEAL[0] + first, Kuhn.DEAL[1] + second, *played)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("played", [(PASS, BET), (BET,)])
def test_the_lowest_card_never_calls_a_bet_and_the_highest_never_folds(
    played: tuple[int, ...], seed: int
) -> None:
    seat = len(played) % 2
    for own, other in permutations((J, Q, K), 2):
        cards = (own, other) if seat == 0 else (other, own)
        action = decide(dealt(*cards, *played), ISMCTS, seed=seed).action
        if own != Q:
            assert action == (PASS if own == J else BET)


def test_what_the_opponent_holds_changes_no_node_of_the_tree() -> None:
    for played in ((), (PASS, BET)):
        assert trace(dealt(Q, J, *played), 500) == trace(dealt(Q, K, *played), 500)
    assert trace(dealt(Q, K), 500) != trace(dealt(J, K), 500)


def test_a_search_leaves_the_information_it_was_given_alone() -> None:
    info = dealt(Q, J).information_set(0)
    before = [(world.history, weight) for world, weight in info.worlds]
    ISMCTS.choose(info, Budget(200), Rng(1))
    MCTS.choose(info, Budget(200), Rng(1))
    assert [(world.history, weight) for world, weight in info.worlds] == before


@pytest.mark.parametrize("bot", [MCTS, ISMCTS])
def test_three_seats_each_maximise_their_own_utility(bot: MctsBot | IsmctsBot) -> None:
    decision = decide(ThreeSeats(), bot)
    assert decision.action == ThreeSeats.RIGHT
    assert decision.principal_variation == (ThreeSeats.RIGHT, 1)
    best = decision.statistics[0]
    assert best.values == pytest.approx((0.7, 0.2, 0.9), abs=0.03)
    assert decide(ThreeSeats().after(1), bot).action == 1
    assert decide(ThreeSeats().after(1, 2), bot).principal_variation == (2,)


def test_lotteries_are_worth_their_expectation() -> None:
    decision = decide(Lotteries(), IsmctsBot(IsmctsParams(c=5.0, kernel="python")), iterations=6000)
    assert decision.action == Lotteries.GOOD
    for row in decision.statistics:
        assert row.values[0] == pytest.approx(Lotteries.EXPECTED[row.action], abs=0.03)
        assert sum(row.values) == pytest.approx(1.0, abs=1e-4)
    assert decision.principal_variation == (Lotteries.GOOD,)  # chance comes next


@pytest.mark.parametrize("bot", [MCTS, ISMCTS])
@pytest.mark.parametrize(("taken", "best"), [((), 2), ((3,), 3), ((1,), 1), ((2, 1), 3)])
def test_nim_is_won_where_it_can_be(taken: tuple[int, ...], best: int, bot: MctsBot | IsmctsBot) -> None:
    assert decide(Countdown().after(*taken), bot, 3000).action == best


def test_the_principal_variation_follows_the_most_visited_decisions() -> None:
    line = decide(Countdown(), ISMCTS, 5000).principal_variation
    assert line[0] == 2
    state = Countdown().after(*line)
    assert all(sum(state.history[: turn + 1]) % 4 == 2 for turn in range(0, len(line), 2))


def test_a_decision_with_one_legal_action_is_passed_through() -> None:
    tree = grown(Countdown(), 2000)
    assert all(len(rows) > 1 for _, rows in tree.trace())
    four_left = grown(Countdown().after(3, 3), 50)
    assert four_left.line(3) == (3, 1)


def test_one_fixed_world_is_believed_in_and_fresh_worlds_are_not() -> None:
    hidden = HiddenCoin().after(HiddenCoin.COIN + HiddenCoin.HEADS)
    assert decide(hidden, ISMCTS).action == HiddenCoin.SURE
    guesses = {decide(hidden, MCTS, seed=seed).action for seed in range(20)}
    assert guesses == {HiddenCoin.HEADS, HiddenCoin.TAILS}


@pytest.mark.parametrize("game", [ThreeSeats, Lotteries, Countdown, Reveal])
def test_in_an_open_game_both_samplers_grow_the_same_tree(game: type[Toy]) -> None:
    info = game().information_set(0)
    trees = [Tree(info, sampler, SearchParams(), 11) for sampler in (fixed_world, fresh_worlds)]
    for tree in trees:
        grow([tree], Limits(Budget(800), FakeClock(0), never))
    assert list(trees[0].trace()) == list(trees[1].trace())


def test_a_choice_cannot_depend_on_what_the_seat_did_not_see() -> None:
    seats = [seat for seat, _ in trace(SealedNote(), 3000, caution=PLAIN)]
    assert seats.count(1) == 1  # one node for the guess, whatever the note says
    assert seats.count(0) == 1 + 4  # the root, and what the writer knows before the last move


def test_pooled_chance_shares_a_node_and_open_chance_does_not() -> None:
    assert len(trace(Reveal(), 4000)) == 1 + 2
    assert len(trace(OpenReveal(), 4000)) == 1 + 2 * 35


def test_availability_counts_the_visits_that_offered_an_action() -> None:
    rows = trace(SecretWeapon().after(SecretWeapon.DULL), 4000)
    offers = sum(visits for _, visits, _, _ in rows[0][1])
    assert offers == 4000
    for seat, table in rows[1:]:
        assert seat == 1
        available = {action: availability for action, _, availability, _ in table}
        visits = {action: count for action, count, _, _ in table}
        assert available[1] == available[2] + available[3] == sum(visits.values())
        assert available[3] == pytest.approx(available[1] / 4, rel=0.15)
        assert all(visits[action] <= available[action] for action in available)
        assert visits[3] > 0.8 * available[3]  # it wins, so it is taken when it is there


def test_untried_actions_come_first_by_heuristic_and_equal_bounds_go_to_the_lower_action() -> None:
    order = []
    for iterations in (1, 2, 3):
        tried = {row[0] for row in trace(Countdown(), iterations, caution=PLAIN)[0][1] if row[1]}
        order.append(tried)
    assert order == [{3}, {3, 1}, {3, 1, 2}]  # heuristic 9, 7, 3
    equal = trace(SealedNote(), 2, caution=PLAIN)[0][1]
    assert [row[:2] for row in equal] == [(1, 1), (2, 1)]


def test_sums_are_whole_utilities_and_visits_add_up() -> None:
    for _, table in trace(Lotteries(), 300):
        assert all(isinstance(total, int) for *_, total in table)
    assert sum(visits for _, visits, _, _ in trace(Lotteries(), 300)[0][1]) == 300


def test_a_full_tree_grows_no_more_and_still_searches() -> None:
    tree = grown(Countdown(), 500, nodes=3)
    assert len(list(tree.trace())) == 3
    assert sum(row.visits for row in tree.root_statistics()) == 500


@pytest.mark.parametrize("bot", [MCTS, ISMCTS])
def test_equal_seeds_give_equal_visits_and_other_seeds_do_not(bot: MctsBot | IsmctsBot) -> None:
    first, again = (decide(Lotteries(), bot, 500).statistics for _ in range(2))
    assert first == again
    assert decide(Lotteries(), bot, 500, seed=8).statistics != first


def test_the_choice_is_the_most_visited_then_the_better_mean_then_the_lower_action() -> None:
    for iterations in range(1, 60):
        decision = decide(Countdown(), ISMCTS, iterations)
        rows = decision.statistics
        assert decision.action == rows[0].action
        ranks = [(-row.visits, -row.values[0], row.action) for row in rows]
        assert ranks == sorted(ranks)
