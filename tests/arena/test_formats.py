"""Formats: who meets whom, worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

import pytest

from kingsbridge.ai.arena import Contest, Entrant, Hypotheses
from kingsbridge.ai.arena.formats import (
    Outcome,
    Schedule,
    Seats,
    Sequential,
    balanced_tables,
    block_score,
    schedule,
    seatings,
)

A, B, C, D, E = range(5)


def contest(format_: str, bots: int, players: int = 2, blocks: int = 1, **more: Any) -> Contest:
    entrants = tuple(Entrant(f"bot {number}", "random") for number in range(bots))
    return Contest("c", format_, "builders", players, entrants, blocks, **more)


def blocks_of(made: Schedule) -> list[tuple[Seats, ...]]:
    return [made.games(block) for block in range(made.known)]


def won_by(seats: Seats, winner: int) -> Outcome:
    """The first seat of ``winner`` wins all."""
    return Outcome(seats, tuple(float(seat == seats.index(winner)) for seat in range(len(seats))))


def test_a_rotation_moves_every_bot_on_by_a_seat() -> None:
    assert seatings((A, B, C), "rotations") == ((A, B, C), (B, C, A), (C, A, B))
    assert seatings((A, B, B), "rotations") == ((A, B, B), (B, B, A), (B, A, B))


def test_all_arrangements_are_every_order_once() -> None:
    assert set(seatings((A, B, C), "all")) == set(permutations((A, B, C)))
    assert sorted(seatings((A, B, B), "all")) == [(A, B, B), (B, A, B), (B, B, A)]
    assert len(seatings((A, B, C, D), "all")) == 24


def test_a_match_plays_its_line_up_in_every_block() -> None:
    made = schedule(contest("match", 2, 4, blocks=2, line_up=(A, B, A, B)))
    assert made.known == made.total == 2
    assert blocks_of(made)[0] == blocks_of(made)[1]
    assert made.games(0) == ((A, B, A, B), (B, A, B, A), (A, B, A, B), (B, A, B, A))


def test_a_round_robin_has_every_table_once_a_turn() -> None:
    made = schedule(contest("round_robin", 4, 3, blocks=2))
    tables = [games[0] for games in blocks_of(made)]
    assert tables[:4] == [(A, B, C), (A, B, D), (A, C, D), (B, C, D)]
    assert tables[4:] == tables[:4]


def test_more_blocks_leave_the_numbers_of_the_first_as_they_are() -> None:
    few, many = (schedule(contest("round_robin", 4, 2, blocks=number)) for number in (2, 5))
    assert blocks_of(many)[: few.known] == blocks_of(few)


def test_with_fewer_bots_than_seats_they_take_them_in_turn() -> None:
    for format_ in ("round_robin", "ladder"):
        assert blocks_of(schedule(contest(format_, 2, 3))) == [((A, B, A), (B, A, A), (A, A, B))]
        assert [games[0] for games in blocks_of(schedule(contest(format_, 3, 3)))] == [(A, B, C)]


@pytest.mark.parametrize(
    ("bots", "seats", "count", "spread"),
    [(6, 3, 10, 3), (7, 3, 7, 2), (8, 4, 14, 2), (9, 4, 27, 2), (5, 2, 10, 0)],
)
def test_chosen_tables_balance_how_often_bots_sit_and_meet(
    bots: int, seats: int, count: int, spread: int
) -> None:
    tables = balanced_tables(bots, seats, count)
    assert all(len(set(table)) == seats for table in tables)
    sat = Counter(each for table in tables for each in table)
    assert max(sat.values()) - min(sat[each] for each in range(bots)) <= 1
    met = Counter(pair for table in tables for pair in combinations(table, 2))
    assert max(met.values()) - min(met[pair] for pair in combinations(range(bots), 2)) <= spread
    made = schedule(contest("round_robin", bots, seats, tables=count))
    assert [games[0] for games in blocks_of(made)] == list(tables)


def test_in_a_gauntlet_the_first_meets_each_other_among_copies_of_it() -> None:
    made = schedule(contest("gauntlet", 3, 3, blocks=2))
    assert [games[0] for games in blocks_of(made)] == [(A, B, B), (A, C, C)] * 2


def test_on_a_ladder_neighbours_meet() -> None:
    assert [games[0] for games in blocks_of(schedule(contest("ladder", 4)))] == [(A, B), (B, C), (C, D)]
    assert [games[0] for games in blocks_of(schedule(contest("ladder", 4, 3)))] == [(A, B, C), (B, C, D)]


# ---------------------------------------------------------------------------------------- sequential test


def test_a_block_score_is_the_share_of_the_one_among_others() -> None:
    first, second = won_by((A, B), A), won_by((B, A), B)
    assert block_score([first, second]) == 0.5
    assert block_score([Outcome((A, B), (0.5, 0.5)), won_by((B, A), A)]) == 0.75
    field = [won_by((A, B, B), A), won_by((B, B, A), B), won_by((B, A, B), B)]
    assert block_score(field) == pytest.approx(1 / 3)


def test_in_a_mirror_the_score_is_even_when_each_does_as_well_among_the_other() -> None:
    one = [won_by((A, B, B), A), won_by((B, B, A), B), won_by((B, A, B), B)]  # A: 1/3
    other = [won_by((B, A, A), B), won_by((A, A, B), A), won_by((A, B, A), A)]  # B: 1/3
    assert block_score(one + other) == pytest.approx(0.5)
    worse = [won_by(outcome.seats, A) for outcome in other]  # B: 0
    assert block_score(one + worse) == pytest.approx(0.5 + 1 / 6)


def sequential(**more: Any) -> Any:
    return schedule(contest("sprt", 2, blocks=400, hypotheses=Hypotheses(0.5, 0.6), **more))


def wins(made: Schedule) -> list[Outcome]:
    """A block that the first bot wins in every game."""
    return [won_by(seats, A) for seats in made.games(0)]


def test_a_test_plays_each_bot_in_every_seat_and_in_a_mirror_the_other_as_well() -> None:
    assert sequential().games(7) == ((A, B), (B, A))
    assert sequential(mirror=True).games(7) == ((A, B), (B, A))
    made = schedule(contest("sprt", 2, 3, blocks=9, hypotheses=Hypotheses(0.3, 0.4), mirror=True))
    assert made.games(0) == ((A, B, B), (B, B, A), (B, A, B), (B, A, A), (A, A, B), (A, B, A))


def decided_after(order: Sequence[int], lost: int = -1, void: int = -1) -> int:
    """How many blocks count when blocks end in this order; all are won but for one lost and one void."""
    made: Sequential = sequential()
    losses = [won_by(seats, B) for seats in made.games(0)]
    for block in order:
        if block < made.known:
            made.add(block, None if block == void else losses if block == lost else wins(made))
    assert made.decided
    assert made.known == made.total
    return made.known


def test_a_test_decides_on_the_prefix_of_blocks_whatever_the_order_they_end_in() -> None:
    in_order = decided_after(range(200))
    assert 5 < in_order < 100
    assert decided_after(list(reversed(range(200)))) == in_order
    swapped = [number + 1 if number % 2 == 0 else number - 1 for number in range(200)]
    assert decided_after(swapped) == in_order
    late = [number for number in range(200) if number != 3] + [
        3
    ]  # nothing is decided before the fourth is there
    assert decided_after(late) == in_order


def test_a_lost_block_delays_the_decision_only_if_it_lies_in_the_prefix() -> None:
    in_order = decided_after(range(200))
    assert decided_after(range(200), lost=2) > in_order
    assert decided_after(range(200), lost=in_order + 5) == in_order


def test_a_void_block_counts_for_nothing_and_another_is_played_for_it() -> None:
    assert decided_after(range(200), void=1) == decided_after(range(200)) + 1


# -------------------------------------------------------------------------------------------------- swiss


def told(made: Schedule, strength: Sequence[int]) -> None:
    """The results of all blocks that are known and not yet told: who is stronger wins."""
    for block in range(made.known):
        games = made.games(block)
        made.add(block, [won_by(seats, max(seats, key=lambda each: strength[each])) for seats in games])


def test_in_swiss_rounds_those_meet_who_stand_alike() -> None:
    made = schedule(contest("swiss", 4, rounds=3))
    assert (made.known, made.total) == (2, 6)
    assert [made.games(block)[0] for block in range(2)] == [(A, B), (C, D)]
    told(made, strength=[1, 4, 2, 3])  # B and D win
    assert made.known == 4
    assert [made.games(block)[0] for block in (2, 3)] == [(B, D), (A, C)]
    told(made, strength=[1, 4, 2, 3])  # B 2 of 2, C and D 1 of 2, A none
    assert [made.games(block)[0] for block in (4, 5)] == [(B, C), (D, A)]  # B and D have met


def test_a_round_waits_for_all_of_the_one_before() -> None:
    made = schedule(contest("swiss", 4, blocks=2, rounds=2))
    assert made.known == 4
    for block in (3, 1, 0):
        made.add(block, [won_by(seats, min(seats)) for seats in made.games(block)])
        assert made.known == 4
    made.add(2, None)  # void counts for nothing, and for being over
    assert made.known == made.total == 8


def test_who_sits_out_changes_from_round_to_round() -> None:
    made = schedule(contest("swiss", 5, rounds=5))
    out = []
    for round_ in range(5):
        tables = [made.games(block)[0] for block in (2 * round_, 2 * round_ + 1)]
        (resting,) = set(range(5)) - {each for table in tables for each in table}
        out.append(resting)
        for block in (2 * round_, 2 * round_ + 1):
            made.add(block, [won_by(seats, min(seats)) for seats in made.games(block)])
    assert sorted(out) == [A, B, C, D, E]


def test_swiss_tables_have_as_many_seats_as_the_game() -> None:
    made = schedule(contest("swiss", 7, 3, rounds=2))
    assert [made.games(block)[0] for block in range(2)] == [(A, B, C), (D, E, 5)]
    assert len(made.games(0)) == 3


def test_the_order_in_which_blocks_end_does_not_change_the_pairing() -> None:
    first, second = (schedule(contest("swiss", 6, blocks=3, rounds=2)) for _ in range(2))
    results = {
        block: [Outcome(seats, (0.1 * (block % 4), 1 - 0.1 * (block % 4))) for seats in first.games(block)]
        for block in range(first.known)
    }
    for block, outcomes in results.items():
        first.add(block, outcomes)
    for block in reversed(results):
        second.add(block, results[block])
    assert blocks_of(first) == blocks_of(second)
