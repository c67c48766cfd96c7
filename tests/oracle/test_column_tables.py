"""A Column of Fire: the engine's tables, against the transcription and against what any tables must fulfil.

The transcription holds reconstructed rows; whoever corrects one corrects it there and in the engine.
The second part holds what is certain of the printed game, and must hold for any other rows as well.
"""

from collections import Counter
from typing import Final

import pytest

from kingsbridge.pyengine import ComponentInfo, describe
from tests.oracle.column_cards import (
    CARDS,
    COLOURS,
    COUNTRIES,
    DICE,
    GOODS,
    PAIRS,
    RELIGIONS,
    TILES,
    Action,
    Character,
    tables,
)
from tests.oracle.column_transcription import Row, transcription

COMPONENTS: Final = {component.id: component for component in describe("column").components}
ROWS: Final = transcription()
NEGATIVE: Final = ("LOCH_LEVEN", "LOSE_VP", "LOSE_GOOD")


# Against the transcription


def test_the_box_holds_what_the_transcription_lists_in_the_same_order() -> None:
    assert {kind: ids_of(kind) for kind in kinds()} == {
        kind: [row.id for row in ROWS if row.set == kind] for kind in kinds()
    }


def kinds() -> list[str]:
    return ["character", "event", "space", "loch_leven", "market", "tile"]


def ids_of(kind: str) -> list[str]:
    return [component.id for component in COMPONENTS.values() if component.set == kind]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_each_row_agrees_with_the_transcription(row: Row) -> None:
    component = COMPONENTS[row.id]
    assert {name: component.attributes.get(name, 0) for name in row.attributes} == row.attributes
    if row.name:
        assert component.names["en"] == row.name


@pytest.mark.parametrize("tile", TILES)
def test_a_tile_is_in_the_box_as_often_as_the_table_says(tile: str) -> None:
    assert COMPONENTS[tile].copies == tables().tiles[tile].copies


# Names


@pytest.mark.parametrize("domain", ["country", "good", "die", "card", "tile", "space", "loch_leven"])
def test_names_are_listed_as_the_oracle_lists_them(domain: str) -> None:
    box = tables()
    expected: dict[str, tuple[str, ...]] = {"country": COUNTRIES, "good": GOODS, "die": DICE, "card": CARDS}
    expected |= {"tile": TILES, "space": tuple(box.spaces), "loch_leven": tuple(box.loch_leven)}
    symbols = {one.name: tuple(one.symbols) for one in describe("column").domains}
    assert symbols[domain] == expected[domain]


# What any tables must fulfil (rules 8)


def characters_of(country: str) -> list[Character]:
    return [card for card in tables().characters.values() if card.country == country]


def events_of(country: str) -> list[str]:
    return [event.kind for event in tables().events.values() if event.country == country]


def named(part: str) -> ComponentInfo:
    """The one character whose name has this part."""
    (found,) = (card for card in COMPONENTS.values() if card.set == "character" and part in card.names["en"])
    return found


def action(name: str, value: int = 0) -> Action:
    return Action(name, value)


@pytest.mark.parametrize("country", COUNTRIES)
def test_each_country_has_thirteen_characters_and_four_events(country: str) -> None:
    assert len(characters_of(country)) == 13
    assert len(events_of(country)) == 4


@pytest.mark.parametrize("country", COUNTRIES)
def test_each_country_has_a_trader_of_each_good_and_a_captain(country: str) -> None:
    actions = Counter(card.action for card in characters_of(country))
    assert [actions[action("GOOD", good)] for good in range(4)] == [1, 1, 1, 1]
    assert actions[action("SELL3")] == 1


@pytest.mark.parametrize("country", COUNTRIES)
def test_each_country_has_three_negative_events_one_of_them_loch_leven_and_a_positive_one(
    country: str,
) -> None:
    kinds = Counter(events_of(country))
    assert sum(kinds[kind] for kind in NEGATIVE) == 3
    assert kinds["LOCH_LEVEN"] == kinds["PROTECTION_FOR_VP"] == 1


def test_there_are_28_tiles_of_which_12_are_points() -> None:
    tiles = tables().tiles.values()
    assert sum(tile.copies for tile in tiles) == 28
    points = {tile.action.value: tile.copies for tile in tiles if tile.action.name == "VP"}
    assert points == {1: 5, 2: 5, 3: 2}
    assert any(tile.action.name == "SELL3" for tile in tiles)


@pytest.mark.parametrize("good", GOODS)
def test_each_good_is_sold_in_two_countries_at_4_and_at_2(good: str) -> None:
    sales = [sale for sale in tables().market.values() if sale.good == good]
    assert sorted(sale.price for sale in sales) == [2, 4]
    assert len({sale.country for sale in sales}) == 2


@pytest.mark.parametrize("country", COUNTRIES)
def test_each_country_buys_one_good_at_4_and_one_at_2(country: str) -> None:
    assert [tables().market[pair].price for pair in tables().pairs(country=country)] == [4, 2]
    assert tuple(tables().market) == PAIRS


@pytest.mark.parametrize(
    ("part", "country", "does"),
    [
        ("Walsingham", "England", action("RELIGION")),
        ("Elizabeth", "England", action("VP", 2)),
        ("Feria", "Spain", action("PROTECTION")),
        ("Huus", "Netherlands", action("ADVANTAGE")),
    ],
)
def test_the_four_named_cards_of_the_rulebook_do_what_it_shows(part: str, country: str, does: Action) -> None:
    card = tables().characters[named(part).id]
    assert (card.country, card.action) == (country, does)


def test_walsingham_brings_a_protestant_stone() -> None:
    assert tables().characters[named("Walsingham").id].stone == "protestant"


def test_one_loch_leven_card_is_protestant_with_ore_and_the_white_ship() -> None:
    backs = [(back.religion, back.good, back.ship) for back in tables().loch_leven.values()]
    assert backs.count(("protestant", "ore", "England")) == 1


def test_two_loch_leven_cards_are_of_each_religion_and_each_starts_on_its_own_ship() -> None:
    backs = tables().loch_leven.values()
    assert Counter(back.religion for back in backs) == dict.fromkeys(RELIGIONS, 2)
    assert len({tables().ship_space(back.ship) for back in backs}) == len(backs) == 4


def test_purple_spaces_are_the_ships_one_of_each_country() -> None:
    spaces = tables().spaces.values()
    ships = [space.action.country for space in spaces if space.action.name == "SHIP"]
    assert set(ships) == set(COUNTRIES)
    for space in spaces:
        assert (space.colour == "purple") == (space.action.name == "SHIP")


def test_a_white_space_is_that_of_cloth_and_each_good_has_its_space() -> None:
    goods = {space.action.good: space for space in tables().spaces.values() if is_of_a_good(space.action)}
    assert set(goods) == set(GOODS)
    assert any(
        space.colour == "white" and space.action == action("GOOD_OR_SELL", GOODS.index("cloth"))
        for space in tables().spaces.values()
    )


def is_of_a_good(does: Action) -> bool:
    return does.name == "GOOD_OR_SELL"


def test_each_colour_has_spaces() -> None:
    assert {space.colour for space in tables().spaces.values()} == set(COLOURS)
