"""What a search reports of each action: means worked by hand, and results that leave no doubt."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import pytest

from kingsbridge.ai import ActionStatistics, Budget, Decision, FlatMcBot, IsmctsBot, IsmctsParams, make_bot
from kingsbridge.ai.flat_mc import FlatMcParams
from kingsbridge.ai.tally import Sums, Tally, merged
from kingsbridge.pyengine import Dealer, Rng, State, describe, kind_of, load_game
from tests.ai.toys import Countdown, Lotteries, Menu, ThreeSeats
from tests.conformance.walks import Table, at_every_table

ONE, POINT = 1 << 16, 16
"""A sure win; a point."""

SEARCHERS = (
    "ismcts",
    "ismcts:kernel=python",
    "ismcts:threads=2",
    "mcts",
    "mcts:kernel=python,threads=2",
    "flat_mc",
)


def test_means_and_standard_error_are_those_of_the_visits() -> None:
    """Three visits, in which the second seat has utilities 1, 0.5 and 0: sample variance 1/4, so the error is
    the root of 1/12.
    """
    sums = Sums(2, 1)
    sums.add(((0, ONE), (0, ONE), (POINT, 5 * POINT)))
    sums.add(((ONE // 4, ONE // 2), (ONE // 2, ONE // 2), (3 * POINT, 3 * POINT)))
    sums.add(((ONE, 0), (ONE, 0), (8 * POINT, -2 * POINT)))
    row = sums.tally(7, 3, 9).statistics(1)
    assert row == ActionStatistics(7, 3, 9, (5 / 12, 0.5), (0.5, 0.5), (4.0, 2.0), row.standard_error)
    assert row.standard_error == pytest.approx(sqrt(1 / 12))


def test_one_visit_has_no_standard_error() -> None:
    sums = Sums(2, 0)
    sums.add(((ONE // 3, 0), (ONE, 0), (POINT, 0)))
    assert sums.tally(7, 1, 1).statistics(0).standard_error == 0.0


def test_trees_together_know_what_one_with_all_visits_would() -> None:
    worths = [((index, 9 * index), (index * index, 2), (-index, 40)) for index in range(1, 6)]
    whole, *parts = (Sums(2, 0) for _ in range(4))
    for number, worth in enumerate(worths):
        whole.add(worth)
        parts[number % 3].add(worth)
    tables = [[sums.tally(7, visits, 4)] for sums, visits in zip(parts, (2, 2, 1), strict=True)]
    tables[1].append(Tally(8, 1, 3, (1, 2), (3, 4), (5, 6), 7))
    assert merged(tables) == [whole.tally(7, 5, 12), tables[1][1]]


def test_sums_are_the_same_whenever_they_are_asked_for() -> None:
    """Of 600 rollouts, 0 + 1 + ... + 599 = 179,700; the squares of the second seat's utility add up to
    599 * 600 * 1199 / 6, the fourfold of that for the doubles.
    """
    asked, unasked = Sums(2, 1), Sums(2, 1)
    for number in range(600):
        for sums in (asked, unasked):
            sums.add(((number, 2 * number), (0, number), (-number, 1)))
        asked.tally(7, number + 1, number + 1)
    whole = Tally(7, 600, 600, (179_700, 359_400), (0, 179_700), (-179_700, 600), 4 * 71_820_100)
    assert asked.tally(7, 600, 600) == unasked.tally(7, 600, 600) == whole


def test_the_win_and_the_score_are_told_beside_the_utility() -> None:
    """Each seat's payoff is its utility; a payoff of 1 is ten points, and the most is the win."""
    decision = FlatMcBot().choose(Menu().information_set(0), Budget(10), Rng(1))
    for row in decision.statistics:
        worth = Menu.WORTH[row.action]
        won = 0.5 if worth == 0.5 else float(worth > 0.5)
        assert row.values == pytest.approx((worth, 1 - worth), abs=1e-4)
        assert row.win_shares == (won, 1 - won)
        assert row.scores == pytest.approx((10 * worth, 10 - 10 * worth), abs=0.1)
        assert (row.visits, row.standard_error) == (2, 0.0)


def test_the_standard_error_of_a_lottery_is_that_of_its_share_of_wins() -> None:
    """Of n draws, k of them won: sqrt(p * (1 - p) / (n - 1)) with p = k / n."""
    plain = IsmctsBot(IsmctsParams(c=5.0, kernel="python"))
    for bot in (FlatMcBot(), plain):
        rows = bot.choose(Lotteries().information_set(0), Budget(600), Rng(3)).statistics
        for row in (each for each in rows if each.action != Lotteries.SURE):
            won = row.win_shares[0]
            assert 0 < won < 1
            assert row.values[0] == pytest.approx(won)
            assert row.standard_error == pytest.approx(sqrt(won * (1 - won) / (row.visits - 1)))


def test_the_error_is_that_of_the_seat_that_searches() -> None:
    """The third seat's utility is sure after a move of the second, the other two differ by it."""
    bot = IsmctsBot(IsmctsParams(c=9.0, kernel="python"))
    for state in (ThreeSeats(), ThreeSeats().after(1)):
        info = state.information_set(state.current_player)
        rows = {row.action: row for row in bot.choose(info, Budget(200), Rng(1)).statistics}
        assert (rows[1].standard_error > 0) == (not state.history)


def test_a_rollout_that_is_cut_off_tells_what_the_evaluation_expects() -> None:
    bot = FlatMcBot(FlatMcParams(length=0))
    for row in bot.choose(Countdown().information_set(0), Budget(6), Rng(1)).statistics:
        assert (row.values, row.win_shares, row.scores) == ((0.5, 0.5), (0.5, 0.5), (3.0, 3.0))


def last_moves(table: Table) -> Iterator[State]:
    """Decisions with a choice after some of which the game is over."""
    for seed in range(40):
        policy = ("light", "uniform")[seed % 2]  # the one keeps tiles face down, the other plays them
        state, dealer, rng = load_game(table.game, table.players), Dealer(seed), Rng(seed)
        dealer.settle(state)
        while not state.is_terminal:
            legal = state.legal_actions()
            if len(legal) > 1 and any(state.child(action).is_terminal for action in legal):
                yield state.copy()
            state.apply(state.sample_action(rng, policy))
            dealer.settle(state)


@at_every_table
def test_an_action_that_ends_the_game_is_worth_its_result(table: Table) -> None:
    met = 0
    for state in last_moves(table):
        info = state.information_set(state.current_player)
        ends = {action: state.child(action) for action in state.legal_actions()}
        for spec in SEARCHERS:
            for row in make_bot(spec).choose(info, Budget(40), Rng(1)).statistics:
                end = ends[row.action]
                if not end.is_terminal or info.imagine(Rng(1)) != info.imagine(Rng(2)):
                    continue
                met += 1
                assert row.scores == end.scores()
                assert row.win_shares == pytest.approx(end.win_shares(), abs=1e-4)
                assert row.values == pytest.approx([each / ONE for each in end.utilities()])
                assert row.standard_error == 0.0
        if met > 10:
            return
    assert met > 0


@at_every_table
@pytest.mark.parametrize("spec", SEARCHERS)
def test_the_shares_of_a_win_add_up_and_scores_are_points(table: Table, spec: str) -> None:
    state, dealer, rng = load_game(table.game, table.players), Dealer(1), Rng(1)
    dealer.settle(state)
    for _ in range(30):
        state.apply(state.sample_action(rng))
        dealer.settle(state)
    info = state.information_set(state.current_player)
    for row in make_bot(spec).choose(info, Budget(60), Rng(1)).statistics:
        assert sum(row.win_shares) == pytest.approx(1.0, abs=1e-4)
        assert all(0 <= share <= 1 for share in row.win_shares)
        assert all(-table.info.max_score <= score <= table.info.max_score for score in row.scores)
        assert len(row.values) == len(row.win_shares) == len(row.scores) == table.players


@pytest.mark.parametrize(
    ("spec", "worlds"),
    [
        ("ismcts", 50),
        ("ismcts:kernel=python", 50),
        ("ismcts:threads=3", 50),
        ("mcts", 1),
        ("mcts:kernel=python", 1),
        ("mcts:threads=3", 3),
        ("random", 0),
        ("greedy", 0),
    ],
)
def test_a_decision_tells_how_many_worlds_it_imagined(spec: str, worlds: int) -> None:
    assert start_of("builders", spec, 50).worlds == worlds


def test_flat_monte_carlo_imagines_a_world_a_round() -> None:
    for iterations, worlds in ((0, 1), (4, 1), (5, 1), (6, 2), (10, 2), (11, 3)):
        decision = FlatMcBot().choose(Menu().information_set(0), Budget(iterations), Rng(1))
        assert decision.worlds == worlds  # five dishes


def start_of(game: str, spec: str, iterations: int) -> Decision:
    state = load_game(game, 2)
    Dealer(1).settle(state)
    return make_bot(spec).choose(state.information_set(state.current_player), Budget(iterations), Rng(1))


@at_every_table
def test_no_event_of_a_principal_variation_is_chance_and_chance_can_be_told(table: Table) -> None:
    kinds = describe(table.game).kinds
    state, dealer, rng = load_game(table.game, table.players), Dealer(1), Rng(1)
    longest = 0
    for number in range(120):
        if state.is_terminal:
            break
        if state.is_chance:
            assert all(kinds[kind_of(outcome)].chance for outcome, _ in state.chance_outcomes())
            state.apply(dealer.outcome(state))
            continue
        if number % 6 == 0:
            info = state.information_set(state.current_player)
            line = make_bot("ismcts").choose(info, Budget(200), Rng(1)).principal_variation
            assert not any(kinds[kind_of(action)].chance for action in line)
            longest = max(longest, len(line))
        state.apply(state.sample_action(rng))
    assert longest > 1
