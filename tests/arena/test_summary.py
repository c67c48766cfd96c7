"""What games come to, against figures worked out by hand."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from kingsbridge.ai.arena.contest import Hypotheses
from kingsbridge.ai.arena.faults import Fault, FaultKind
from kingsbridge.ai.arena.histogram import LogHistogram
from kingsbridge.ai.arena.played import Ending
from kingsbridge.ai.arena.statistics import share_interval
from kingsbridge.ai.arena.summary import (
    FAULT_CHARACTERS,
    FAULTS,
    ContestCounts,
    FaultNote,
    Pairing,
    RankedGame,
    summarize_contest,
)
from tests.arena.played_games import contest, played

# Three blocks of two bots in both seats. Shares of bot 0: 1, 1/2 (it won and lost), 3/4 (it won and tied).
BLOCKS = [
    (0, [played((0, 1), (9, 5)), played((1, 0), (2, 8))]),
    (1, [played((0, 1), (7, 5)), played((1, 0), (6, 4))]),
    (2, [played((0, 1), (7, 5)), played((1, 0), (6, 6))]),
]
CRASH = Fault(FaultKind.CRASH, seat=1, decision=3, text="out of ideas")


def test_a_win_share_is_the_mean_over_blocks_with_its_interval() -> None:
    summary = summarize_contest(contest("a", "b"), BLOCKS)
    assert (summary.blocks, summary.games, summary.finished, summary.void_blocks) == (3, 6, 6, 0)
    first, second = summary.entrants
    assert (first.name, first.spec, first.games) == ("a", "spec of a", 6)
    assert first.win_share == share_interval([1.0, 0.5, 0.75])
    assert second.win_share == share_interval([0.0, 0.5, 0.25])
    # mean 0.75, standard deviation 0.25, t for 2 degrees of freedom 4.30265
    assert first.win_share[1] == pytest.approx(0.75 - 4.30265 * 0.25 / 3**0.5, abs=1e-6)
    assert (first.mean_score, second.mean_score) == ((9 + 8 + 7 + 4 + 7 + 6) / 6, (5 + 2 + 5 + 6 + 5 + 6) / 6)
    assert first.scores == {4: 1, 6: 1, 7: 2, 8: 1, 9: 1}


def test_a_seat_is_worth_the_mean_share_of_those_who_sat_there() -> None:
    # Seat 0 won games 1, 3, 4, 5 and tied game 6: block shares 1/2, 1, 3/4.
    seats = summarize_contest(contest("a", "b"), BLOCKS).seats
    assert seats == (share_interval([0.5, 1.0, 0.75]), share_interval([0.5, 0.0, 0.25]))


def test_the_crosstable_counts_pairs_of_seats_and_ties_by_half() -> None:
    nothing = Pairing(0, 0.0)
    crosstable = summarize_contest(contest("a", "b"), BLOCKS).crosstable
    assert crosstable == ((nothing, Pairing(6, 4.5)), (Pairing(6, 1.5), nothing))


def test_a_bot_in_several_seats_meets_others_once_a_seat_and_itself_never() -> None:
    # a 5 and 1, b 3, c 1: a above b once of twice; a against c a win and a tie; b above c.
    game = played((0, 1, 0, 2), (5, 3, 1, 1))
    summary = summarize_contest(contest("a", "b", "c", players=4), [(0, [game])])
    assert summary.entrants[0].games == 2
    assert summary.entrants[0].win_share == (0.5, 0.0, 1.0)  # one block bounds nothing
    assert summary.entrants[0].mean_score == 3
    assert summary.crosstable[0] == (Pairing(0, 0.0), Pairing(2, 1.0), Pairing(2, 1.5))
    assert summary.crosstable[2] == (Pairing(2, 0.5), Pairing(1, 0.0), Pairing(0, 0.0))


def test_a_bot_that_sits_out_a_block_is_not_measured_by_it() -> None:
    blocks = [(0, [played((0, 1), (2, 1))]), (1, [played((1, 2), (2, 1))]), (2, [played((0, 2), (2, 1))])]
    summary = summarize_contest(contest("a", "b", "c"), blocks)
    assert [each.win_share for each in summary.entrants] == [
        share_interval([1.0, 1.0]),
        share_interval([0.0, 1.0]),
        share_interval([0.0, 0.0]),
    ]


def test_a_void_block_counts_for_nobody_but_its_faults_are_told() -> None:
    bad = played((1, 0), (1, 2), ending=Ending.VOID, faults=(CRASH,), cpu_seconds=2.0, deciders=(0,))
    void = [played((0, 1), (1, 2), cpu_seconds=1.0), replace(bad, seconds=(1.0,), iterations=(1,))]
    summary = summarize_contest(contest("a", "b"), [BLOCKS[0], (1, void)])
    assert (summary.blocks, summary.games, summary.void_blocks) == (1, 2, 1)
    assert summary.entrants[0].win_share == (1.0, 0.0, 1.0)
    assert summary.entrants[1].decisions == 0
    assert summary.crosstable[0][1] == Pairing(2, 2.0)
    assert (summary.entrants[0].faults, summary.entrants[1].faults) == ({"crash": 1}, {})
    assert summary.faults == (FaultNote(1, 1, 1, 0, 3, "crash", "out of ideas"),)
    assert summary.cpu_seconds == 3.0
    assert sum(summary.ranked_blocks.values()) == 1


def test_a_forfeited_game_counts_but_its_score_and_length_say_nothing() -> None:
    game = played((0, 1), (9, 0), ending=Ending.FORFEIT, ranks=(0, 1), win_shares=(0.0, 1.0), deciders=(0, 1))
    timed = replace(game, seconds=(0.1, 0.3), iterations=(5, 7))
    summary = summarize_contest(contest("a", "b"), [(0, [timed])])
    assert (summary.games, summary.finished, summary.lengths) == (1, 0, {})
    assert [each.win_share.mean for each in summary.entrants if each.win_share] == [0.0, 1.0]
    assert (summary.entrants[0].mean_score, summary.entrants[0].scores) == (None, {})
    assert [each.decisions for each in summary.entrants] == [1, 1]
    assert summary.crosstable[1][0] == Pairing(1, 1.0)


def test_time_and_iterations_belong_to_the_bot_that_decided() -> None:
    game = played(
        (1, 0), (1, 2), deciders=(0, 1, 0, 0), seconds=(0.25, 8.0, 0.5, 0.75), iterations=(10, 999, 20, 60)
    )
    summary = summarize_contest(contest("a", "b"), [(0, [game])])
    first, second = summary.entrants
    assert (second.decisions, second.mean_seconds, second.max_seconds, second.mean_iterations) == (
        3,
        0.5,
        0.75,
        30.0,
    )
    assert (first.decisions, first.mean_seconds, first.p99_seconds, first.mean_iterations) == (1, 8, 8, 999)
    assert summary.lengths == {4: 1}


def test_of_nothing_nothing_is_told() -> None:
    summary = summarize_contest(contest("a", "b"), [])
    for each in summary.entrants:
        told = (each.win_share, each.mean_score, each.mean_seconds, each.p99_seconds, each.max_seconds)
        assert (*told, each.mean_iterations) == (None,) * 6
    assert summary.seats == (None, None)
    assert json.loads(json.dumps(summary.to_json()))["games"] == 0


def test_all_faults_are_counted_and_the_first_are_told_cut_to_length() -> None:
    long = Fault(FaultKind.TIMEOUT, 0, 0, "x" * (FAULT_CHARACTERS + 1))
    game = played((0, 1), (1, 2), faults=(long, CRASH))
    summary = summarize_contest(contest("a", "b"), [(block, [game]) for block in range(FAULTS)])
    assert summary.fault_count == 2 * FAULTS
    assert len(summary.faults) == FAULTS
    assert summary.faults[0].text == "x" * FAULT_CHARACTERS
    assert [each.faults for each in summary.entrants] == [{"timeout": FAULTS}, {"crash": FAULTS}]


def test_rankings_are_grouped_whatever_their_values_and_the_order_of_games() -> None:
    blocks = [
        (0, [played((0, 1), (2, 1), ranks=(900, 7)), played((1, 0), (1, 1))]),
        (1, [played((1, 0), (5, 5)), played((0, 1), (8, 3))]),
    ]
    summary = summarize_contest(contest("a", "b"), blocks)
    block = (RankedGame((0, 1), (1, 0)), RankedGame((1, 0), (0, 0)))
    assert summary.ranked_blocks == {block: 2}
    assert list(summary.rankings()) == [block, block]


def test_a_sequential_test_gets_the_first_bots_scores_in_order_of_blocks() -> None:
    tested = contest("a", "b", hypotheses=Hypotheses(0.5, 0.6))
    assert summarize_contest(tested, reversed(BLOCKS)).block_scores == (1.0, 0.5, 0.75)
    assert summarize_contest(contest("a", "b"), BLOCKS).block_scores == ()


def test_versions_and_processor_time_are_summed() -> None:
    games = [played((0, 1), (1, 2), engine="2.0", cpu_seconds=0.5), played((1, 0), (1, 2), cpu_seconds=0.25)]
    summary = summarize_contest(contest("a", "b"), [(0, games)])
    assert summary.versions == {("1.0", "abc"): 1, ("2.0", "abc"): 1}
    assert summary.cpu_seconds == 0.75


def test_the_order_of_blocks_does_not_matter() -> None:
    rng = random.Random(5)
    blocks = [
        (block, [played((0, 1), (rng.randrange(9), rng.randrange(9))) for _ in range(2)])
        for block in range(60)
    ]
    shuffled = rng.sample(blocks, len(blocks))
    one, other = (summarize_contest(contest("a", "b"), each) for each in (blocks, shuffled))
    assert one == other
    assert list(one.ranked_blocks) == list(other.ranked_blocks)


def test_blocks_are_counted_one_by_one_while_a_contest_runs() -> None:
    counts = ContestCounts(contest("a", "b"))
    for block, games in BLOCKS:
        counts.add(block, games)
        seen = summarize_contest(contest("a", "b"), BLOCKS[: block + 1])
        assert (counts.entrants(), counts.summary()) == (seen.entrants, seen)


def test_the_summary_as_plain_data() -> None:
    told = json.loads(json.dumps(summarize_contest(contest("a", "b"), BLOCKS).to_json()))
    assert (told["contest"], told["blocks"], told["games"]) == ("cup", 3, 6)
    assert told["entrants"][0]["win_share"]["mean"] == 0.75
    assert told["entrants"][0]["scores"] == [[4, 1], [6, 1], [7, 2], [8, 1], [9, 1]]
    assert told["crosstable"][0][1] == {"pairs": 6, "above": 4.5}
    assert told["versions"] == [{"engine": "1.0", "rules": "abc", "games": 6}]


@pytest.mark.parametrize("games", [[], [played((0, 1, 0), (1, 2, 3))]])
def test_a_block_that_cannot_be_of_the_contest_is_refused(games: list[object]) -> None:
    with pytest.raises(ValueError, match="block 7: a block has games of 2 seats each"):
        summarize_contest(contest("a", "b"), [(7, games)])  # type: ignore[list-item]


def test_quantiles_are_those_of_the_sorted_numbers_to_1_2_percent() -> None:
    rng = random.Random(3)
    numbers = sorted(rng.lognormvariate(-5, 2) for _ in range(10_000))
    spread = LogHistogram()
    spread.add(numbers[5000:])
    spread.add(numbers[:5000])
    assert spread.count == 10_000
    for probability, rank in ((0.0, 1), (0.5, 5000), (0.99, 9900), (1.0, 10_000)):
        assert spread.quantile(probability) == pytest.approx(numbers[rank - 1], rel=0.012)
    assert spread.mean == pytest.approx(sum(numbers) / 10_000, rel=1e-12)
    assert spread.greatest == numbers[-1]


def test_numbers_that_are_all_alike_have_them_as_every_quantile() -> None:
    for number in (0.0, 1e-12, 0.1, 3.0):
        spread = LogHistogram()
        spread.add([number] * 5)
        assert [spread.quantile(probability) for probability in (0.0, 0.5, 0.99)] == [number] * 3
    assert LogHistogram().quantile(0.5) is None


def test_a_quantile_is_the_nearest_rank() -> None:
    spread = LogHistogram()
    spread.add([1.0] * 99 + [50.0])
    assert spread.quantile(0.99) == pytest.approx(1.0, rel=0.012)
    spread.add([50.0])  # 0.99 of 101 is 99.99: the hundredth
    assert spread.quantile(0.99) == pytest.approx(50.0, rel=0.012)
