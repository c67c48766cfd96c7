"""A Column of Fire: the religion die, the choice of religion, and the point for who is alone with his."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import character
from tests.rules.column.position import (
    View,
    asked,
    first_half,
    free,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    seat,
    seat_of,
)

TURN = character("DIE_PM1")
OTHER = {"catholic": "protestant", "protestant": "catholic"}


def die(table: State, number: int = 0) -> int:
    return int(seat_of(table, number)["religion_die"])


def rolled(face: int, *seats: View) -> State:
    """Seat 0's religion die showed 1 and has been rolled in the first half."""
    own = seats or (seat(religion_die=1), seat())
    return play(first_half(*own), f"roll_religion(year=3, seat=0, face={face})")


# The die


@pytest.mark.parametrize("face", range(2, 6))
def test_the_religion_die_is_turned_down_by_one(face: int) -> None:
    table = first_half(seat(religion_die=face), seat())
    assert (phase(table), die(table)) == ("window", face - 1)


def test_the_religion_dice_of_the_others_stay() -> None:
    assert die(first_half(seat(), seat(religion_die=4)), 1) == 4


def test_a_religion_die_showing_one_is_rolled() -> None:
    table = first_half(seat(religion_die=1), seat())
    assert outcomes(table) == {
        f"roll_religion(year=3, seat=0, face={face})": weight
        for face, weight in zip(range(1, 6), (1, 1, 2, 1, 1), strict=True)
    }
    assert die(table) == 0


@pytest.mark.parametrize("face", range(1, 6))
def test_after_the_roll_the_player_keeps_or_changes_his_religion(face: int) -> None:
    table = rolled(face)
    assert (phase(table), table.current_player, die(table)) == ("convert", 0, face)
    assert legal(table) == ["keep()", "change()"]


@pytest.mark.parametrize("face", range(1, 6))
@pytest.mark.parametrize("answer", ["keep()", "change()"])
def test_a_rolled_religion_die_is_not_turned_down_in_that_year(face: int, answer: str) -> None:
    table = play(rolled(face), answer)
    assert (look(table)["point"], die(table)) == ("end", face)


@pytest.mark.parametrize("before", OTHER)
def test_who_changes_has_the_other_religion(before: str) -> None:
    seats = (seat(religion_die=1, religion=before), seat())
    assert seat_of(play(rolled(3, *seats), "keep()"))["religion"] == before
    assert seat_of(play(rolled(3, *seats), "change()"))["religion"] == OTHER[before]


def test_the_choice_is_no_time_for_free_actions() -> None:
    seats = (seat(religion_die=1, tiles="any_good"), seat())
    assert free(rolled(3, *seats)) == []


# The point for the minority


@pytest.mark.parametrize("own", OTHER)
def test_who_turns_his_die_down_and_is_alone_with_his_religion_gains_a_point(own: str) -> None:
    others = [seat(religion=OTHER[own])] * 2
    assert points(first_half(seat(religion=own), *others)) == [11, 10, 10]


@pytest.mark.parametrize("own", OTHER)
def test_who_shares_his_religion_gains_none(own: str) -> None:
    table = first_half(seat(religion=own), seat(religion=OTHER[own]), seat(religion=own))
    assert points(table) == [10, 10, 10]


def test_of_two_players_of_different_religion_each_gains_a_point_at_his_own_die() -> None:
    table = first_half(seat(), seat(religion="protestant"))
    assert points(table) == [11, 10]
    assert points(play(table, "pass()", "pass()")) == [11, 11]


def test_the_point_for_a_rolled_die_comes_after_the_choice() -> None:
    seats = (seat(religion_die=1), seat(religion="protestant"), seat(religion="protestant"))
    table = rolled(4, *seats)
    assert points(table) == [10, 10, 10]
    assert points(play(table, "keep()")) == [11, 10, 10]
    assert points(play(table, "change()")) == [10, 10, 10]


def test_who_changes_to_a_religion_nobody_has_gains_a_point() -> None:
    seats = (seat(religion_die=1), seat(), seat())
    assert points(play(rolled(4, *seats), "change()")) == [11, 10, 10]
    assert points(play(rolled(4, *seats), "keep()")) == [10, 10, 10]


def test_the_point_goes_to_who_turns_the_die_and_not_to_another_lone_believer() -> None:
    table = first_half(seat(), seat(religion="protestant"), seat())
    assert points(table) == [10, 10, 10]


# Turned by an action


def turning(*seats: View, **options: int) -> State:
    """Seat 0 turns one of his dice with a character; his religion die shows what the seat says less one."""
    return play(first_half(*seats, **options), f"use_card(card={TURN})")


def test_a_religion_die_turned_down_by_an_action_gains_the_point_too() -> None:
    seats = (seat(religion_die=4, row=f"{TURN}=white3"), seat(religion="protestant"))
    table = turning(*seats)
    assert points(table) == [11, 10]
    down = play(table, "turn_down(die=black)")
    assert (points(down), die(down)) == ([12, 10], 2)


def test_a_religion_die_turned_up_gains_nothing() -> None:
    table = turning(seat(religion_die=4, row=f"{TURN}=white3"), seat(religion="protestant"))
    up = play(table, "turn_up(die=black)")
    assert (points(up), die(up)) == ([11, 10], 4)


def test_another_die_turned_down_gains_nothing() -> None:
    table = turning(seat(religion_die=4, row=f"{TURN}=white3"), seat(religion="protestant"))
    assert points(play(table, "turn_down(die=white)")) == [11, 10]


def test_a_religion_die_showing_five_is_not_turned_up_nor_one_showing_one_down() -> None:
    five = position(seat(religion_die=5, row=f"{TURN}=white3"), seat(), phase="use_card")
    five = play(five, f"use_card(card={TURN})")
    assert legal(five) == ["turn_up(die=white)", "turn_down(die=white)", "turn_down(die=black)"]
    one = turning(seat(religion_die=2, row=f"{TURN}=white3"), seat())
    assert legal(one) == ["turn_up(die=white)", "turn_up(die=black)", "turn_down(die=white)"]


# Rolled again for three points


def test_three_points_buy_a_roll_of_the_religion_die_at_once() -> None:
    table = position(seat(points=8), seat(), phase="window", point="end", half=1)
    table = play(table, "pay(die=black)")
    assert (phase(table), points(table), die(table)) == ("roll_religion", [5, 10], 0)
    table = play(table, "roll_religion(year=3, seat=0, face=5)")
    assert legal(table) == ["keep()", "change()"]
    table = play(table, "change()")
    assert (die(table), seat_of(table)["religion"], look(table)["point"]) == (5, "protestant", "end")
    assert phase(table) == "window"


def test_a_bought_roll_gains_the_point_for_the_minority_after_the_choice() -> None:
    table = position(seat(points=8), seat(), seat(), phase="window", point="end", half=1)
    table = play(table, "pay(die=black)", "roll_religion(year=3, seat=0, face=2)")
    assert points(table)[0] == 5
    assert points(play(table, "change()"))[0] == 6
    assert points(play(table, "keep()"))[0] == 5


def test_after_the_choice_three_points_buy_another_roll() -> None:
    table = play(rolled(2), "keep()")
    table = play(table, "pay(die=black)", "roll_religion(year=3, seat=0, face=5)", "change()")
    assert (points(table), die(table)) == ([8, 10], 5)
    assert asked(table) == ["pass()"]
    again = play(table, "pay(die=black)")
    assert points(again) == [5, 10]


def test_a_roll_bought_before_the_religion_die_is_turned_still_leaves_it_to_be_turned() -> None:
    table = position(seat(), seat(), phase="window", point="start", half=1)
    table = play(table, "pay(die=black)", "roll_religion(year=3, seat=0, face=4)", "keep()")
    assert (look(table)["point"], die(table)) == ("start", 4)
    assert die(play(table, "pass()")) == 3


def test_a_religion_die_turned_to_one_at_the_start_of_the_half_is_rolled() -> None:
    table = position(seat(religion_die=2, tiles="turn_die"), seat(), phase="window", point="start", half=1)
    table = play(table, "play(tile=turn_die)", "turn_down(die=black)", "pass()")
    assert phase(table) == "roll_religion"


def test_a_religion_die_turned_from_one_at_the_start_of_the_half_is_turned_back() -> None:
    table = position(seat(religion_die=1, tiles="turn_die"), seat(), phase="window", point="start", half=1)
    table = play(table, "play(tile=turn_die)", "turn_up(die=black)", "pass()")
    assert (look(table)["point"], die(table)) == ("end", 1)
