"""A Column of Fire: the trading house of the recruiting step: building, pushing down, moving up."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import COUNTRIES, character
from tests.rules.column.position import (
    asked,
    go_on,
    houses,
    imprisoned,
    phase,
    play,
    position,
    row,
    seat,
)


def built(sites: list[int], face: int, country: str = "Spain") -> State:
    """Seat 0 has recruited at a site; ``sites`` are the houses of all seats before, 0 for none.

    The card does nothing to houses: a trader.
    """
    seats = [seat(houses=f"{country}{site}") for site in sites]
    seats[0] = seat(houses=f"{country}{sites[0]}", rolled=f"purple{face}", prison=imprisoned("purple"))
    table = position(*seats, phase="recruit", face_up={country: character("GOOD:ore", country)})
    return play(table, f"recruit(die=purple, country={country})")


# Building


@pytest.mark.parametrize("country", COUNTRIES)
@pytest.mark.parametrize("face", range(1, 7))
def test_a_first_house_is_built_at_the_site_of_the_number_rolled(country: str, face: int) -> None:
    table = built([0, 0], face, country)
    assert phase(table) == "use_card"
    assert houses(table, country) == [face, 0]


def test_houses_in_other_countries_stay() -> None:
    me = seat(houses="France3", rolled="purple3", prison=imprisoned("purple"))
    table = position(me, seat(houses="France2 Spain6"), phase="recruit")
    table = play(table, "recruit(die=purple, country=Spain)")
    assert (houses(table, "France"), houses(table, "Spain")) == ([3, 2], [3, 6])


# Pushing


def test_the_house_on_the_site_moves_down_by_one() -> None:
    assert houses(built([0, 4], 4), "Spain") == [4, 3]


def test_houses_on_other_sites_stay() -> None:
    assert houses(built([0, 5, 3], 4), "Spain") == [4, 5, 3]


def test_a_pushed_house_pushes_the_next_one_in_its_turn() -> None:
    assert houses(built([0, 4, 3], 4), "Spain") == [4, 3, 2]
    assert houses(built([0, 6, 5, 4], 6), "Spain") == [6, 5, 4, 3]


def test_pushing_stops_at_the_first_gap() -> None:
    assert houses(built([0, 4, 2], 4), "Spain") == [4, 3, 2]
    assert houses(built([0, 5, 4, 2], 5), "Spain") == [5, 4, 3, 2]
    assert houses(built([0, 3, 1], 3), "Spain") == [3, 2, 1]


def test_a_house_pushed_off_site_one_goes_back_to_its_owner() -> None:
    assert houses(built([0, 1], 1), "Spain") == [1, 0]


def test_a_chain_down_to_site_one_pushes_the_last_house_off() -> None:
    assert houses(built([0, 3, 2, 1], 3), "Spain") == [3, 2, 1, 0]
    assert houses(built([0, 2, 1], 2), "Spain") == [2, 1, 0]


def test_a_house_pushed_off_may_be_built_again() -> None:
    table = go_on(built([0, 1], 1), "recruit")
    assert houses(table, "Spain") == [1, 0]
    # The second player rolled 1: the same site, from which the first is pushed off in turn.
    assert houses(play(table, "recruit(die=purple, country=Spain)"), "Spain") == [0, 1]


# Moving up


@pytest.mark.parametrize(("site", "face"), [(1, 2), (1, 6), (3, 4), (5, 6)])
def test_an_own_house_on_a_lower_site_may_move_up_to_the_number_rolled(site: int, face: int) -> None:
    table = built([site, 0], face)
    assert (phase(table), asked(table)) == ("house", ["skip()", "upgrade()"])
    assert houses(play(table, "upgrade()"), "Spain") == [face, 0]
    assert houses(play(table, "skip()"), "Spain") == [site, 0]


def test_a_house_not_moved_up_pushes_nobody() -> None:
    assert houses(play(built([2, 4], 4), "skip()"), "Spain") == [2, 4]


@pytest.mark.parametrize(("site", "face"), [(4, 4), (5, 4), (6, 1)])
def test_an_own_house_as_high_or_higher_stays_without_a_question(site: int, face: int) -> None:
    table = built([site, 3], face)
    assert phase(table) == "use_card"
    assert houses(table, "Spain") == [site, 3]


def test_an_own_house_higher_up_pushes_nobody_from_the_number_rolled() -> None:
    assert houses(built([5, 3, 1], 3), "Spain") == [5, 3, 1]
    assert houses(built([5, 1], 1), "Spain") == [5, 1]


def test_a_house_moved_up_pushes_as_a_new_one_does() -> None:
    assert houses(play(built([1, 5, 4], 5), "upgrade()"), "Spain") == [5, 4, 3]


def test_the_site_left_counts_as_empty_so_that_the_chain_stops_there() -> None:
    assert houses(play(built([2, 4, 3, 1], 4), "upgrade()"), "Spain") == [4, 3, 2, 1]
    assert houses(play(built([1, 2], 2), "upgrade()"), "Spain") == [2, 1]


def test_a_chain_may_stop_before_the_site_left() -> None:
    assert houses(play(built([1, 5], 5), "upgrade()"), "Spain") == [5, 4]


def test_the_house_question_comes_before_the_card_joins_the_row() -> None:
    table = built([2, 0], 4)
    assert row(table) == ""
    assert row(play(table, "skip()")) == f"{character('GOOD:ore', 'Spain')}=purple4"
