"""The Pillars of the Earth: mill, town, priory, production, court, and each advantage card there."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.pillars.position import (
    View,
    all_pass,
    go_on,
    goods,
    legal,
    look,
    outcomes,
    phase,
    play,
    position,
    refused,
    reveal,
    seat,
    seat_of,
)

QUIET = "E3"  # one metal for everyone and nothing else
IN_NO_MILL = "sand2 stone4"  # all twelve workers


# The wool mill


def test_the_mill_pays_one_gold_a_worker() -> None:
    # 12 - 5 (stone2) = 7 workers.
    after = reveal(QUIET, seat(gold=10, quarries="stone2"), seat(gold=0))
    assert [one["gold"] for one in look(after)["seats"]] == [17, 12]
    assert [one["mill"] for one in look(after)["seats"]] == [0, 0]


def test_the_mill_pays_up_to_thirty_gold() -> None:
    after = reveal(QUIET, seat(gold=19), seat(gold=18))
    assert [one["gold"] for one in look(after)["seats"]] == [30, 30]


def test_all_workers_are_free_again_in_the_next_round() -> None:
    after = go_on(reveal(QUIET, seat(quarries="stone2 wood3"), seat()), ["cards"])
    assert [one["workers"] for one in look(after)["seats"]] == [12, 12]


# Town


def in_town(card: str, **facts: Any) -> State:
    """The first seat's builder stands at a card; all workers are out, so that the mill pays nothing."""
    round_ = 6 if card in ("A15", "A16") else 2
    return reveal(QUIET, seat(quarries=IN_NO_MILL, **facts), seat(), builders={card: 0}, round=round_)


@pytest.mark.parametrize("card", ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A10", "A11", "A12"])
def test_the_builders_owner_keeps_the_card_he_stands_at(card: str) -> None:
    after = in_town(card)
    assert seat_of(after, 0)["advantages"] == [card]
    assert seat_of(after, 1)["advantages"] == []
    assert look(after)["town"] == []


@pytest.mark.parametrize("card", ["A9", "A13", "A14", "A15", "A16"])
def test_a_card_that_acts_at_once_is_discarded(card: str) -> None:
    assert seat_of(in_town(card))["advantages"] == []


def test_a_card_nobody_stands_at_leaves_the_game() -> None:
    after = go_on(reveal(QUIET, seat(), seat(), town="A5 A6", builders={"A5": 0}), ["town"])
    assert seat_of(after)["advantages"] == ["A5"]
    assert "town(advantage=A6)" not in outcomes(after)
    assert len(outcomes(after)) == 14 - 4


def test_one_player_may_take_both_cards() -> None:
    after = reveal(QUIET, seat(), seat(), builders={"A5": 1, "A6": 1})
    assert seat_of(after, 1)["advantages"] == ["A5", "A6"]


def test_a9_gives_three_points() -> None:
    assert seat_of(in_town("A9", points=4))["points"] == 7


def test_a13_gives_eight_gold_up_to_thirty() -> None:
    assert seat_of(in_town("A13", gold=10))["gold"] == 18
    assert seat_of(in_town("A13", gold=25))["gold"] == 30


def test_a14_gives_two_metal() -> None:
    assert goods(in_town("A14"))["metal"] == 1 + 2


def test_a15_gives_one_stone_and_one_wood() -> None:
    # Beside the cards' 2 sand and 4 stone.
    assert goods(in_town("A15")) == {"sand": 2, "wood": 1, "stone": 4 + 1, "metal": 1}


def test_a16_gives_one_metal() -> None:
    assert goods(in_town("A16"))["metal"] == 1 + 1


def test_a10_gives_a_thirteenth_worker_from_the_next_round_to_the_end() -> None:
    after = in_town("A10")
    for number in (3, 4):
        after = go_on(after, ["cards"])
        assert look(after)["round"] == number
        assert [one["workers"] for one in look(after)["seats"]] == [13, 12]
        after = all_pass(after)
    assert seat_of(after)["mill"] == 13


@pytest.mark.parametrize(("card", "good"), [("A1", "sand"), ("A2", "wood"), ("A3", "stone")])
def test_a1_a2_a3_give_a_cube_at_each_production(card: str, good: str) -> None:
    after = reveal(QUIET, seat(advantages=card), seat())
    assert goods(after) == {good: 1, "metal": 1}
    later = reveal(QUIET, seat(advantages=card, sand=1), seat(), round=5)
    assert goods(later)[good] == (2 if good == "sand" else 1)


@pytest.mark.parametrize(("card", "good"), [("A1", "sand"), ("A2", "wood"), ("A3", "stone")])
def test_a1_a2_a3_work_in_the_round_they_are_taken(card: str, good: str) -> None:
    assert goods(reveal(QUIET, seat(), seat(), builders={card: 0})) == {good: 1, "metal": 1}


# Priory


def test_the_first_space_of_the_priory_gives_two_points_and_the_second_one() -> None:
    after = reveal(QUIET, seat(), seat(), builders={"priory1": 1, "priory2": 0})
    assert [one["points"] for one in look(after)["seats"]] == [2 + 1, 2 + 2]


def test_a5_gives_one_point_more_for_each_builder_and_five_for_both_spaces() -> None:
    both = reveal(QUIET, seat(points=10, advantages="A5"), seat(), builders={"priory1": 0, "priory2": 0})
    assert seat_of(both)["points"] == 10 + 5
    first = reveal(QUIET, seat(points=10, advantages="A5"), seat(), builders={"priory1": 0, "priory2": 1})
    assert [one["points"] for one in look(first)["seats"]] == [10 + 3, 2 + 1]
    second = reveal(QUIET, seat(points=10, advantages="A5"), seat(), builders={"priory1": 1, "priory2": 0})
    assert [one["points"] for one in look(second)["seats"]] == [10 + 2, 2 + 2]


def test_a5_gives_nothing_without_a_builder_in_the_priory() -> None:
    assert seat_of(reveal(QUIET, seat(advantages="A5"), seat()))["points"] == 2


def test_a5_works_in_the_round_it_is_taken() -> None:
    after = reveal(QUIET, seat(), seat(), builders={"A5": 0, "priory1": 0, "priory2": 0})
    assert seat_of(after)["points"] == 2 + 5


# Production


@pytest.mark.parametrize("good", ["sand", "wood", "stone"])
@pytest.mark.parametrize("number", [2, 3, 4])
def test_each_resource_card_gives_the_cubes_printed_on_it(good: str, number: int) -> None:
    after = reveal(QUIET, seat(quarries=f"{good}{number}"), seat())
    assert goods(after) == {good: number, "metal": 1}
    assert seat_of(after)["quarries"] == []


def test_several_cards_add_up_and_the_market_is_left_alone() -> None:
    after = reveal(QUIET, seat(wood=1, quarries="sand2 wood2 sand3"), seat())
    assert goods(after) == {"sand": 5, "wood": 3, "metal": 1}
    assert look(after)["stock"] == [4, 4, 4]


# King's court and tax


def taxed(face: int, *seats: View, **facts: object) -> State:
    """The position after the tax die."""
    table = position(*seats, phase="roll", **facts)
    return play(table, f"roll(face={face})")


def test_the_tax_die_has_the_faces_2_3_3_4_4_5() -> None:
    table = position(seat(), seat(), phase="roll")
    assert outcomes(table) == {"roll(face=2)": 1, "roll(face=3)": 2, "roll(face=4)": 2, "roll(face=5)": 1}


@pytest.mark.parametrize("face", [2, 3, 4, 5])
def test_every_player_without_a_builder_at_court_pays_the_tax(face: int) -> None:
    after = taxed(face, seat(gold=20), seat(gold=9), seat(gold=30), builders={"court1": 1})
    assert [one["gold"] for one in look(after)["seats"]] == [20 - face, 9, 30 - face]


def test_the_die_lies_open_until_the_round_is_over() -> None:
    after = taxed(4, seat(), seat(), builders={"market1": 0})
    assert look(after)["die"] == 4
    assert look(go_on(after, ["town"]))["die"] == 0


@pytest.mark.parametrize("space", ["court1", "court2", "court3", "court4"])
def test_each_space_at_court_frees_from_the_tax(space: str) -> None:
    lower = {f"court{number}": 1 for number in range(1, int(space[-1]))}
    assert seat_of(taxed(5, seat(gold=20), seat(), builders=lower | {space: 0}))["gold"] == 20


def test_the_first_space_at_court_gives_one_metal_before_the_die() -> None:
    table = reveal("E5", seat(), seat(), builders={"court1": 1, "court2": 0})
    assert phase(table) == "roll"
    assert goods(table, 1) == {"metal": 1}
    assert goods(table, 0) == {}


def test_the_die_is_rolled_even_if_nobody_pays() -> None:
    table = reveal("E5", seat(), seat(), builders={"court1": 1, "court2": 0})
    assert phase(table) == "roll"


@pytest.mark.parametrize(("missing", "lost"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_for_every_full_two_gold_missing_at_the_tax_a_point_is_lost(missing: int, lost: int) -> None:
    after = taxed(5, seat(gold=5 - missing, points=10), seat())
    assert (seat_of(after)["gold"], seat_of(after)["points"]) == (0, 10 - lost)


def test_gold_that_just_suffices_for_the_tax_costs_no_point() -> None:
    after = taxed(4, seat(gold=4, points=10), seat())
    assert (seat_of(after)["gold"], seat_of(after)["points"]) == (0, 10)


def test_points_never_fall_below_zero_at_the_tax() -> None:
    assert seat_of(taxed(5, seat(gold=0, points=1), seat()))["points"] == 0


@pytest.mark.parametrize("face", [2, 3, 4, 5])
def test_a6_fixes_the_tax_at_two(face: int) -> None:
    after = taxed(face, seat(gold=20, advantages="A6"), seat(gold=20))
    assert [one["gold"] for one in look(after)["seats"]] == [18, 20 - face]


@pytest.mark.parametrize(("gold", "points"), [(2, 10), (1, 10), (0, 9)])
def test_with_a6_the_shortfall_counts_from_two(gold: int, points: int) -> None:
    after = taxed(5, seat(gold=gold, points=10, advantages="A6"), seat())
    assert (seat_of(after)["gold"], seat_of(after)["points"]) == (0, points)


def test_a6_works_in_the_round_it_is_taken() -> None:
    table = reveal(QUIET, seat(gold=20, quarries=IN_NO_MILL), seat(), builders={"A6": 0})
    assert seat_of(play(table, "roll(face=5)"))["gold"] == 18


def test_a12_is_asked_for_after_the_die_of_an_owner_who_must_pay() -> None:
    table = taxed(5, seat(gold=20, advantages="A12"), seat(gold=20))
    assert (phase(table), table.current_player) == ("tax_card", 0)
    assert legal(table) == ["use(advantage=A12)", "decline()"]
    used = play(table, "use(advantage=A12)")
    assert [one["gold"] for one in look(used)["seats"]] == [20, 15]
    assert seat_of(used)["advantages"] == []
    kept = play(table, "decline()")
    assert [one["gold"] for one in look(kept)["seats"]] == [15, 15]
    assert seat_of(kept)["advantages"] == ["A12"]


def test_a12_saves_points_where_gold_is_missing() -> None:
    table = taxed(5, seat(gold=0, points=9, advantages="A12"), seat())
    assert seat_of(play(table, "use(advantage=A12)"))["points"] == 9
    assert seat_of(play(table, "decline()"))["points"] == 7


def test_a12_is_not_asked_for_at_court() -> None:
    after = taxed(5, seat(gold=20, advantages="A12"), seat(), builders={"court1": 1, "court2": 0})
    assert phase(after) != "tax_card"
    assert (seat_of(after)["gold"], seat_of(after)["advantages"]) == (20, ["A12"])


def test_a12_works_beside_a6() -> None:
    table = taxed(5, seat(gold=20, advantages="A6 A12"), seat())
    assert seat_of(play(table, "use(advantage=A12)"))["gold"] == 20
    assert seat_of(play(table, "decline()"))["gold"] == 18


def test_a12_works_in_the_round_it_is_taken() -> None:
    table = play(reveal(QUIET, seat(), seat(), builders={"A12": 1}), "roll(face=4)")
    assert (phase(table), table.current_player) == ("tax_card", 1)


def test_an_option_asks_for_a12_before_the_die() -> None:
    table = reveal(
        "E5", seat(gold=20, quarries=IN_NO_MILL, advantages="A12"), seat(gold=20), tax_card_first=1
    )
    assert (phase(table), table.current_player, look(table)["die"]) == ("tax_card", 0, 0)
    used = play(table, "use(advantage=A12)")
    assert phase(used) == "roll"
    assert look(used)["exempt"] == 0
    after = play(used, "roll(face=5)")
    assert (seat_of(after)["gold"], seat_of(after)["advantages"]) == (20, [])
    assert look(after)["exempt"] == -1
    kept = play(table, "decline()", "roll(face=5)")
    assert phase(kept) != "tax_card"
    assert (seat_of(kept)["gold"], seat_of(kept)["advantages"]) == (15, ["A12"])


def test_with_that_option_too_a12_is_not_asked_for_at_court() -> None:
    table = reveal("E5", seat(advantages="A12"), seat(), builders={"court1": 0}, tax_card_first=1)
    assert phase(table) == "roll"


def test_the_tax_card_cannot_be_used_by_others() -> None:
    table = taxed(5, seat(gold=20), seat(gold=20, advantages="A12"))
    assert table.current_player == 1
    assert refused(play(table, "decline()"), "use(advantage=A12)")
