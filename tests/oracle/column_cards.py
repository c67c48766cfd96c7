"""The names and tables of A Column of Fire for the oracle: what there is in the box.

The tables are those the engine describes, so that a corrected card needs no change here; how they read in
the rules is transcribed in ``tests/data/column_tables.json``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from kingsbridge.pyengine import describe
from tests.oracle.script import read

COUNTRIES: Final = ("England", "France", "Netherlands", "Spain")
GOODS: Final = ("book", "ore", "cloth", "wine")
RELIGIONS: Final = ("catholic", "protestant")
STONES: Final = (*RELIGIONS, "neutral")
COLOURS: Final = ("white", "blue", "orange", "brown", "purple")
"""The dice that recruit and move; each of the first four belongs to a country."""
WILD: Final = "purple"
BLACK: Final = "black"
DICE: Final = (*COLOURS, BLACK)
TILES: Final = (
    *("vp1", "vp2", "vp3"),
    *("sell3", "any_good", "turn_die", "free_die", "remove_card", "next_space", "religion", "place_neutral"),
)
PAIRS: Final = (
    *("cloth_England", "wine_England", "book_France", "ore_France"),
    *("wine_Netherlands", "book_Netherlands", "ore_Spain", "cloth_Spain"),
)
ACTIONS: Final = (
    *("none", "GOOD", "ANY_GOOD", "ADVANTAGE", "PROTECTION", "VP", "RELIGION", "RELIGION_P", "RELIGION_C"),
    *("NEUTRAL", "DIE_PM1", "DIE_REMOVE", "CARD_REMOVE", "TRACK_NEXT", "SELL3", "SHIP", "GOOD_OR_SELL"),
)
EVENT_KINDS: Final = ("LOCH_LEVEN", "LOSE_VP", "LOSE_GOOD", "PROTECTION_FOR_VP")
CONDITIONS: Final = ("house", "catholic", "protestant", "all")

CARDS: Final = tuple(
    card
    for country in COUNTRIES
    for card in (
        *(f"C{country[0]}{number:02}" for number in range(1, 14)),
        *(f"{country[0]}{number}" for number in range(1, 5)),
    )
)
RELIGION_DIE: Final = {1: 1, 2: 1, 3: 2, 4: 1, 5: 1}
"""Faces of the black die, and how often each is on it."""
GOAL: Final = 50
FREE_DIE_PRICE: Final = 3
SELL3_PRICE: Final = 3
LOCH_LEVEN_FACE: Final = 3
LOST_POINTS: Final = 2
MOST_SKIPS: Final = 3
SEED_TILES: Final = {"vp1": 12, "vp2": 11, "vp3": 5}
"""The advantage tiles when all are victory points (rules 3.5)."""


# Tables


class Component(Protocol):
    """A row of the tables, as the engine describes it."""

    @property
    def id(self) -> str: ...
    @property
    def set(self) -> str: ...
    @property
    def attributes(self) -> Mapping[str, int]: ...


@dataclass(frozen=True)
class Action:
    """A symbol of rules 1.8; ``value`` is the number of a good, of points or of a country."""

    name: str
    value: int

    @property
    def good(self) -> str:
        return GOODS[self.value]

    @property
    def country(self) -> str:
        return COUNTRIES[self.value]


@dataclass(frozen=True)
class Character:
    """A character card."""

    country: str
    action: Action
    stone: str


@dataclass(frozen=True)
class Event:
    """An event card."""

    country: str
    kind: str
    condition: str


@dataclass(frozen=True)
class Space:
    """A space of the action track."""

    colour: str
    action: Action


@dataclass(frozen=True)
class LochLeven:
    """The back of a Loch Leven card: how its owner starts."""

    religion: str
    good: str
    ship: str


@dataclass(frozen=True)
class Sale:
    """A good that a country buys."""

    country: str
    good: str
    price: int


@dataclass(frozen=True)
class Tile:
    """A kind of advantage tile."""

    action: Action
    copies: int


@dataclass(frozen=True)
class Tables:
    """All rows, by what they are called."""

    characters: dict[str, Character]
    events: dict[str, Event]
    spaces: dict[str, Space]
    loch_leven: dict[str, LochLeven]
    market: dict[str, Sale]
    tiles: dict[str, Tile]

    @staticmethod
    def of(components: Iterable[Component]) -> "Tables":
        tables = Tables({}, {}, {}, {}, {}, {})
        for component in components:
            tables._add(component)
        return tables

    def _add(self, component: Component) -> None:
        row = component.attributes
        action = Action(ACTIONS[row.get("action", 0)], row.get("value", 0))
        country = COUNTRIES[row.get("country", 0)]
        if component.set == "character":
            self.characters[component.id] = Character(country, action, STONES[row.get("stone", 0)])
        elif component.set == "event":
            kind, condition = EVENT_KINDS[row.get("kind", 0)], CONDITIONS[row.get("condition", 0)]
            self.events[component.id] = Event(country, kind, condition)
        elif component.set == "space":
            self.spaces[component.id] = Space(COLOURS[row.get("colour", 0)], action)
        elif component.set == "loch_leven":
            religion, good = RELIGIONS[row.get("religion", 0)], GOODS[row.get("good", 0)]
            self.loch_leven[component.id] = LochLeven(religion, good, COUNTRIES[row.get("ship", 0)])
        elif component.set == "market":
            self.market[component.id] = Sale(country, GOODS[row.get("good", 0)], row.get("price", 0))
        elif component.set == "tile":
            self.tiles[component.id] = Tile(action, row.get("copies", 0))

    def ship_space(self, country: str) -> str:
        """Where the ship of a country's colour lies."""
        ship = Action("SHIP", COUNTRIES.index(country))
        return next(name for name, space in self.spaces.items() if space.action == ship)

    def pairs(self, *, country: str = "", good: str = "") -> list[str]:
        """What a country buys, or where a good is sold."""
        return [
            name
            for name, sale in self.market.items()
            if country in ("", sale.country) and good in ("", sale.good)
        ]


@cache
def tables() -> Tables:
    """The tables of the engine."""
    return Tables.of(describe("column").components)


# Notation

KINDS: Final = (
    *("pass", "play", "pay", "keep", "change", "use_card", "use_space", "skip", "recruit", "decline"),
    *("accept", "protect", "upgrade", "gain", "sell", "sell_one", "place", "remove", "turn_up", "turn_down"),
    *("free", "remove_card", "move", "imprison", "lose", "redeem", "resolve"),
    *("start", "deal", "roll_religion", "flip", "roll_die", "draw"),
)
DOMAINS: Final[dict[str, tuple[str, ...]]] = {
    "country": COUNTRIES,
    "good": GOODS,
    "stone": STONES,
    "die": DICE,
    "card": CARDS,
    "tile": TILES,
}


def pairs_text(pairs: Iterable[str]) -> str:
    """The notation of a set of things sold."""
    return "-".join(sorted(pairs, key=PAIRS.index))


def place_of(event: str) -> tuple[int, ...]:
    """Where an event stands in a list of events: by kind, then by arguments as their domains are listed."""
    answer = read(event)
    kind = answer.pop("")
    return (KINDS.index(kind), *(_place_of_value(name, value) for name, value in answer.items()))


def _place_of_value(argument: str, value: str) -> int:
    if argument in DOMAINS:
        return DOMAINS[argument].index(value)
    if argument == "pairs":
        return sum(2 ** PAIRS.index(pair) for pair in value.split("-"))
    if argument == "seat_die":
        return COLOURS.index(value[:-1]) + len(COLOURS) * int(value[-1])
    return int(re.sub(r"\D", "", value))
