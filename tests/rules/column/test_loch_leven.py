"""A Column of Fire: the events that put a die on Loch Leven."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    DICE,
    attributes,
    character,
    country_of,
    events,
)
from tests.rules.column.position import (
    View,
    country_seen,
    flip,
    flipping,
    go_on,
    imprisoned,
    legal,
    look,
    phase,
    play,
    position,
    prison,
    row,
    seat,
    seat_of,
)

GAIN = character("VP:2")
LOCH_LEVEN = events("LOCH_LEVEN", condition="house")
LOSE_VP = [card for card in events("LOSE_VP") if attributes(card)["condition"] in (1, 2)]
LOSE_GOOD = events("LOSE_GOOD", condition="house")
REWARD = events("PROTECTION_FOR_VP", condition="all")


def came(event: str, *seats: View, **facts: Any) -> State:
    """Seat 0 has recruited in a country and flipped its event."""
    return flip(flipping(country_of(event), *seats, **facts), event)


def house(event: str, site: int = 3) -> str:
    return f"{country_of(event)}{site}"


def asked_seats(table: State, answer: str) -> list[int]:
    """Who decides about an event, if all give this answer."""
    movers = []
    while phase(table) == "event":
        movers.append(table.current_player)
        table = play(table, answer)
    return movers


# Loch Leven


@pytest.mark.parametrize("event", LOCH_LEVEN)
def test_each_player_with_a_house_there_puts_one_die_on_loch_leven_showing_three(event: str) -> None:
    table = came(event, seat(houses=house(event), row=f"{GAIN}=purple5"), seat(houses=house(event, 4)))
    assert (phase(table), table.current_player, look(table)["event"]) == ("event", 0, event)
    assert legal(table) == [f"imprison(die={die})" for die in DICE]
    table = play(table, "imprison(die=blue)")
    assert (prison(table), row(table)) == ("blue3", f"{GAIN}=purple5")
    assert table.current_player == 1
    table = play(table, "imprison(die=white)")
    assert prison(table, 1) == "white3"
    assert phase(table) == "flip"


@pytest.mark.parametrize("event", LOCH_LEVEN)
def test_who_has_no_house_there_keeps_his_dice(event: str) -> None:
    elsewhere = " ".join(f"{country}2" for country in COUNTRIES if country != country_of(event))
    table = came(event, seat(houses=elsewhere), seat(houses=house(event)))
    assert asked_seats(table, "imprison(die=white)") == [1]


def test_a_character_whose_die_goes_to_loch_leven_leaves_the_game() -> None:
    event = LOCH_LEVEN[0]
    table = came(event, seat(houses=house(event), row=f"{GAIN}=purple5"), seat())
    table = play(table, "imprison(die=purple)")
    assert (prison(table), row(table)) == ("purple3", "")
    assert GAIN not in country_seen(table, country_of(GAIN))["unseen"]


def test_dice_on_loch_leven_already_and_the_religion_die_are_not_taken() -> None:
    event = LOCH_LEVEN[0]
    table = came(event, seat(houses=house(event), prison="white2 orange1"), seat())
    assert legal(table) == [f"imprison(die={die})" for die in ("blue", "brown", "purple")]
    assert prison(play(table, "imprison(die=blue)")) == "white2 blue3 orange1"


def test_who_has_all_five_dice_on_loch_leven_is_not_hit() -> None:
    event = LOCH_LEVEN[0]
    full = seat(houses=house(event), prison=imprisoned(), protection=1)
    assert phase(came(event, full, seat())) == "flip"


def test_a_protection_tile_keeps_the_dice() -> None:
    event = LOCH_LEVEN[0]
    table = came(event, seat(houses=house(event), protection=2), seat())
    assert legal(table) == ["protect()", *[f"imprison(die={die})" for die in DICE]]
    table = play(table, "protect()")
    assert (seat_of(table)["protection"], prison(table), phase(table)) == (1, "", "flip")


def test_the_die_on_the_card_just_recruited_may_be_taken() -> None:
    event = events("LOCH_LEVEN", country_of(GAIN))[0]
    me = seat(rolled="purple4", prison=imprisoned("purple"))
    table = position(me, seat(), phase="recruit", face_up={country_of(GAIN): GAIN})
    table = play(table, f"recruit(die=purple, country={country_of(GAIN)})", "skip()", f"flip(card={event})")
    assert legal(table) == ["imprison(die=purple)"]


def test_who_loses_his_last_free_die_does_not_move() -> None:
    event = LOCH_LEVEN[0]
    table = came(event, seat(houses=house(event), prison=imprisoned("white")), seat())
    table = go_on(play(table, "imprison(die=white)"), "track", "window")
    assert (phase(table), look(table)["point"]) == ("window", "end")


def test_a_loch_leven_event_of_a_first_half_is_counted_down_that_year_by_who_plays_later() -> None:
    event = events("LOCH_LEVEN", "England")[0]
    remove = character("CARD_REMOVE")
    table = position(seat(row=f"{remove}=white3"), seat(houses="England2"), phase="use_card")
    shown = country_seen(table, "England")["face_up"]
    table = play(table, f"use_card(card={remove})", f"remove_card(card={shown})", f"flip(card={event})")
    table = go_on(play(table, "imprison(die=blue)"), "window")
    assert prison(table, 1) == "blue3"
    table = play(table, "pass()", "pass()")
    assert prison(table, 1) == "blue2"
