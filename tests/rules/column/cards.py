"""What the box of A Column of Fire holds, found by what it does: tests name an action and not a row."""

from collections.abc import Mapping
from typing import Final

from kingsbridge.pyengine import ComponentInfo, describe

GAME: Final = "column"
COUNTRIES: Final = ("England", "France", "Netherlands", "Spain")
GOODS: Final = ("book", "ore", "cloth", "wine")
DICE: Final = ("white", "blue", "orange", "brown", "purple")
STONES: Final = ("catholic", "protestant", "neutral")
TILES: Final = (
    *("vp1", "vp2", "vp3", "sell3", "any_good", "turn_die"),
    *("free_die", "remove_card", "next_space", "religion", "place_neutral"),
)
PAIRS: Final = (
    *("cloth_England", "wine_England", "book_France", "ore_France"),
    *("wine_Netherlands", "book_Netherlands", "ore_Spain", "cloth_Spain"),
)
ACTIONS: Final = (
    *("none", "GOOD", "ANY_GOOD", "ADVANTAGE", "PROTECTION", "VP", "RELIGION", "RELIGION_P", "RELIGION_C"),
    *("NEUTRAL", "DIE_PM1", "DIE_REMOVE", "CARD_REMOVE", "TRACK_NEXT", "SELL3", "SHIP", "GOOD_OR_SELL"),
)
"""The legend, by its codes."""
KINDS: Final = ("LOCH_LEVEN", "LOSE_VP", "LOSE_GOOD", "PROTECTION_FOR_VP")

BOX: Final = {one.id: one for one in describe(GAME).components}


def of(kind: str) -> list[str]:
    """The ids of a set, in the order of the box."""
    return [card for card, component in BOX.items() if component.set == kind]


def attributes(card: str) -> Mapping[str, int]:
    return BOX[card].attributes


def country_of(card: str) -> str:
    return COUNTRIES[attributes(card)["country"]]


def stone_of(card: str) -> str:
    return STONES[attributes(card)["stone"]]


def colour_of(space: str) -> str:
    return DICE[attributes(space)["colour"]]


def does(component: ComponentInfo, action: str) -> bool:
    """Whether a card, tile or space does this: ``VP``, ``VP:2``, ``GOOD:ore``, ``SHIP:Spain``."""
    name, _, value = action.partition(":")
    if component.attributes["action"] != ACTIONS.index(name):
        return False
    return not value or component.attributes["value"] == _number(value)


def _number(value: str) -> int:
    for words in (GOODS, COUNTRIES):
        if value in words:
            return words.index(value)
    return int(value)


def characters(action: str = "", country: str = "", stone: str = "") -> list[str]:
    """The characters with this action, of this country, with this stone."""
    return [
        card
        for card in of("character")
        if (not action or does(BOX[card], action))
        and country in ("", country_of(card))
        and stone in ("", stone_of(card))
    ]


def character(action: str = "", country: str = "", stone: str = "") -> str:
    """The first of them."""
    return characters(action, country, stone)[0]


def spaces(action: str = "", colour: str = "") -> list[str]:
    """The track spaces with this action and of this colour, in track order."""
    return [
        space
        for space in of("space")
        if (not action or does(BOX[space], action)) and colour in ("", colour_of(space))
    ]


def space(action: str = "", colour: str = "") -> str:
    """The first of them."""
    return spaces(action, colour)[0]


def ship(country: str) -> str:
    return space(f"SHIP:{country}")


def ring(colour: str, after: str) -> list[str]:
    """The spaces of a colour (``""``: of any) clockwise after a space, itself left out."""
    track = of("space")
    place = track.index(after)
    return [one for one in track[place + 1 :] + track[:place] if colour in ("", colour_of(one))]


def events(kind: str = "", country: str = "", condition: str = "") -> list[str]:
    """The events of a kind, of a country, for a condition (house, catholic, protestant or all)."""
    conditions = ("house", "catholic", "protestant", "all")
    return [
        card
        for card in of("event")
        if kind in ("", KINDS[attributes(card)["kind"]])
        and country in ("", country_of(card))
        and condition in ("", conditions[attributes(card)["condition"]])
    ]


def event(kind: str, country: str = "", condition: str = "") -> str:
    """The first of them."""
    return events(kind, country, condition)[0]


def deck(country: str) -> list[str]:
    """All cards of a country: its characters, then its events."""
    return characters(country=country) + events(country=country)


def domain(name: str) -> tuple[str, ...]:
    return describe(GAME).domain_by_name[name].symbols


def price(pair: str) -> int:
    return attributes(pair)["price"]
