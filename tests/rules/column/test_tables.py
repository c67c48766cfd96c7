"""A Column of Fire: the tables of the engine, against what is printed or must hold of any printing."""

from collections import Counter
from typing import Final

import pytest

from kingsbridge.pyengine import describe
from tests.rules.column.cards import (
    BOX,
    COUNTRIES,
    DICE,
    GAME,
    GOODS,
    PAIRS,
    STONES,
    attributes,
    character,
    characters,
    colour_of,
    country_of,
    does,
    events,
    of,
    space,
    spaces,
)

INFO: Final = describe(GAME)


def named(name: str) -> str:
    """The card with an English name."""
    return next(card for card, one in BOX.items() if one.names["en"].lower() == name.lower())


# Characters


def test_there_are_thirteen_characters_in_each_country() -> None:
    assert len(of("character")) == 52
    assert Counter(map(country_of, of("character"))) == dict.fromkeys(COUNTRIES, 13)


@pytest.mark.parametrize("country", COUNTRIES)
def test_each_country_has_a_trader_of_each_good_and_a_captain(country: str) -> None:
    for good in GOODS:
        assert len(characters(f"GOOD:{good}", country)) == 1
    assert len(characters("SELL3", country)) >= 1


@pytest.mark.parametrize(
    ("name", "country", "action"),
    [
        ("Elizabeth I", "England", "VP:2"),
        ("Francis Walsingham", "England", "RELIGION"),
        ("Father Huus", "Netherlands", "ADVANTAGE"),
        ("Count of Feria", "Spain", "PROTECTION"),
    ],
)
def test_the_characters_of_the_rulebooks_examples_do_as_printed(name: str, country: str, action: str) -> None:
    card = named(name)
    assert country_of(card) == country
    assert does(BOX[card], action)


def test_walsingham_brings_a_protestant_stone() -> None:
    assert STONES[attributes(named("Francis Walsingham"))["stone"]] == "protestant"


# Events


def test_there_are_four_events_in_each_country() -> None:
    assert len(of("event")) == 16
    assert Counter(map(country_of, of("event"))) == dict.fromkeys(COUNTRIES, 4)


@pytest.mark.parametrize("country", COUNTRIES)
def test_one_event_of_a_country_is_loch_leven_two_others_are_negative_and_one_rewards(country: str) -> None:
    assert len(events("LOCH_LEVEN", country)) == 1
    assert len(events("PROTECTION_FOR_VP", country, "all")) == 1
    assert len(events("LOSE_VP", country) + events("LOSE_GOOD", country)) == 2


def test_the_known_events_of_england_are_as_printed() -> None:
    assert "E1" in events("LOCH_LEVEN", "England", "house")
    assert "E2" in events("LOSE_VP", "England", "catholic")


# Tiles, Loch Leven cards


def test_there_are_twenty_eight_advantage_tiles_of_which_twelve_are_points() -> None:
    copies = {tile: BOX[tile].copies for tile in of("tile")}
    assert sum(copies.values()) == 28
    assert (copies["vp1"], copies["vp2"], copies["vp3"]) == (5, 5, 2)
    assert sum(copies.values()) - 12 == 16


def test_at_least_one_kind_of_tile_sells_for_three() -> None:
    assert any(does(BOX[tile], "SELL3") for tile in of("tile"))


def test_the_four_loch_leven_cards_have_two_of_each_religion_and_each_good_and_ship_once() -> None:
    cards = [attributes(card) for card in of("loch_leven")]
    assert Counter(card["religion"] for card in cards) == {0: 2, 1: 2}
    assert sorted(card["good"] for card in cards) == [0, 1, 2, 3]
    assert sorted(card["ship"] for card in cards) == [0, 1, 2, 3]


# Markets


@pytest.mark.parametrize(
    ("pair", "price"),
    [
        ("cloth_England", 4),
        ("wine_England", 2),
        ("book_France", 4),
        ("ore_France", 2),
        ("wine_Netherlands", 4),
        ("book_Netherlands", 2),
        ("ore_Spain", 4),
        ("cloth_Spain", 2),
    ],
)
def test_each_country_buys_two_goods_at_four_and_two(pair: str, price: int) -> None:
    good, _, country = pair.partition("_")
    facts = attributes(pair)
    assert (GOODS[facts["good"]], COUNTRIES[facts["country"]], facts["price"]) == (good, country, price)


def test_every_good_is_bought_in_two_countries_once_at_four_and_once_at_two() -> None:
    assert tuple(of("market")) == PAIRS
    prices = [(attributes(pair)["good"], attributes(pair)["price"]) for pair in PAIRS]
    assert sorted(prices) == [(good, price) for good in range(4) for price in (2, 4)]


# The track


def test_the_purple_spaces_are_the_ship_spaces_one_of_each_country_at_least() -> None:
    assert spaces(colour="purple") == spaces("SHIP")
    for country in COUNTRIES:
        assert spaces(f"SHIP:{country}")


def test_there_is_a_white_space_for_cloth_and_a_good_space_for_each_good() -> None:
    assert space("GOOD_OR_SELL:cloth", "white")
    for good in GOODS:
        assert spaces(f"GOOD_OR_SELL:{good}")


def test_every_colour_but_black_has_spaces() -> None:
    assert set(map(colour_of, of("space"))) == set(DICE)


# What can be said of the box


def test_the_black_die_is_not_on_the_track_and_belongs_to_no_country() -> None:
    symbols = INFO.domain_by_name["die"].symbols
    assert symbols == (*DICE, "black")
    assert INFO.domain_by_name["seat_die"].symbols == tuple(
        f"{die}{number}" for number in range(4) for die in DICE
    )


def test_two_to_four_may_play() -> None:
    assert (INFO.min_players, INFO.max_players) == (2, 4)


def test_every_component_has_a_name_and_says_how_sure_it_is() -> None:
    for component in INFO.components:
        assert component.names["en"]
        assert component.provenance["values"]
        assert set(component.provenance["names"]) == set(component.names)


def test_every_action_of_the_legend_can_be_met() -> None:
    assert character("ANY_GOOD")
    assert character("DIE_PM1")
    for action in ("ADVANTAGE", "PROTECTION", "VP", "RELIGION", "NEUTRAL", "CARD_REMOVE", "TRACK_NEXT"):
        assert characters(action)


def test_the_options_have_the_defaults_and_bounds_of_the_rules() -> None:
    options = {one.name: (one.min, one.max, one.default) for one in INFO.options}
    assert options == {
        "max_years": (1, 30, 30),
        "free_actions": (0, 1, 1),
        "exhausted_fee": (0, 1, 0),
        "advantage_reshuffle": (0, 1, 0),
        "seed_tiles": (0, 1, 0),
        "turned_minority": (0, 1, 1),
        "sell3_limited": (0, 1, 0),
        "events_from_start": (0, 1, 0),
        "full_recruit": (0, 1, 1),
    }
