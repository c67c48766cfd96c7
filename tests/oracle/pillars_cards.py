"""The cards and spaces of The Pillars of the Earth, typed a second time for the oracle.

Source: the card lists of the Japanese rules page (BlueBear), counted against the totals of the box: 27
craftsmen (three of them starters, which every player has), 9 resource cards, 16 advantage cards, 10 events.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

GOODS: Final = ("sand", "wood", "stone", "metal")
MARKET_GOODS: Final = ("sand", "wood", "stone")
PRICE: Final = {"sand": 2, "wood": 3, "stone": 4, "metal": 5}


@dataclass(frozen=True)
class Craftsman:
    """One craftsman. He turns ``inputs`` into points or gold, at most ``capacity`` times a round."""

    id: str
    profession: str
    german: str
    cost: int
    """Gold, in the first phase only; 0 for starters."""
    round: int
    """0 for starters."""
    inputs: dict[str, int]
    """Goods and gold that go away."""
    points: int
    earns: int
    """Gold."""
    capacity: int


_CRAFTSMEN: Final = """
S1  0  3 sand            -> 1 point   x3  mortar mixer / Mörtelmischer
S2  0  2 wood            -> 1 point   x4  woodworker / Schreiner
S3  0  2 stone           -> 1 point   x4  stonecutter / Steinmetz
1a  4  2 sand            -> 1 point   x3  mortar mixer / Mörtelmischer
1b  3  1 wood            -> 4 gold    x2  woodworker / Schreiner
1c  2                    -> 2 gold    x1  toolmaker / Werkzeugmacher
1d  5  1 stone           -> 1 point   x2  mason / Maurer
2a  4  1 stone           -> 1 point   x3  mason / Maurer
2b  6                    -> 1 point   x1  architect / Statiker
2c  5  1 sand            -> 1 point   x2  potter / Töpfer
2d  3  1 wood            -> 1 point   x2  carpenter / Zimmermann
3a  4  1 stone           -> 1 point   x4  mason / Maurer
3b  7  1 sand            -> 1 point   x3  potter / Töpfer
3c  5  1 wood            -> 1 point   x3  carpenter / Zimmermann
3d  6  1 stone           -> 2 point   x1  sculptor / Bildhauer
4a  5  1 stone           -> 1 point   x5  mason / Maurer
4b  6  1 wood            -> 1 point   x4  carpenter / Zimmermann
4c  7  1 stone           -> 2 point   x2  sculptor / Bildhauer
4d  8  1 sand, 1 metal   -> 3 point   x1  glassblower / Glasbläser
5a  6  1 wood            -> 1 point   x5  carpenter / Zimmermann
5b  8  1 stone           -> 2 point   x3  sculptor / Bildhauer
5c  9  1 sand, 1 metal   -> 3 point   x2  glassblower / Glasbläser
5d  7  3 gold            -> 1 point   x6  goldsmith / Goldschmied
6a  8  1 stone           -> 2 point   x4  sculptor / Bildhauer
6b  7  3 gold            -> 1 point   x8  goldsmith / Goldschmied
6c  9  1 wood, 1 metal   -> 6 point   x1  organ builder / Orgelbauer
6d 10  1 metal           -> 4 point   x2  bell maker / Glockengießer
"""


def _craftsman(row: str) -> Craftsman:
    left, right = row.split("->")
    card, cost, *needs = left.replace(",", "").split()
    made, unit, capacity, *names = right.split()
    english, german = " ".join(names).split(" / ")
    inputs = {good: int(number) for number, good in zip(needs[::2], needs[1::2], strict=True)}
    points, gold = (int(made), 0) if unit == "point" else (0, int(made))
    of_round = 0 if card[0] == "S" else int(card[0])
    return Craftsman(card, english, german, int(cost), of_round, inputs, points, gold, int(capacity[1:]))


CRAFTSMEN: Final = {card.id: card for card in map(_craftsman, _CRAFTSMEN.strip().splitlines())}
STARTERS: Final = ("S1", "S2", "S3")

MORTAR_MIXERS: Final = ("S1", "1a")
"""One of them makes masons worth their stone."""
WOODWORKERS: Final = ("S2", "1b")
"""One of them lets a player buy wood."""
STONECUTTER: Final = "S3"
"""Lets a player sell stone."""
TOOLMAKER: Final = "1c"
NEVER_BOOSTED: Final = ("1c", "2b", "6c", "6d")
"""What E9 does not help."""

# The quarry cards: workers they take, by yield.
WORKERS: Final = {
    "sand2": 2, "sand3": 4, "sand4": 7,
    "wood2": 3, "wood3": 6, "wood4": 9,
    "stone2": 5, "stone3": 8, "stone4": 10,
}  # fmt: skip


def good_of(quarry: str) -> str:
    """What a resource card yields."""
    return quarry[:-1]


def yield_of(quarry: str) -> int:
    """How much of it."""
    return int(quarry[-1])


ADVANTAGES: Final = {
    "A1": "Jede Runde 1 Sand",
    "A2": "Jede Runde 1 Holz",
    "A3": "Jede Runde 1 Stein",
    "A4": "Ereigniskarte ansehen",
    "A5": "Priorei +1",
    "A6": "Fixsteuer 2 Gold",
    "A7": "6 Handwerker",
    "A8": "Einmal Baumeister kostenlos",
    "A9": "Sofort 3 Siegpunkte",
    "A10": "Jede Runde ein Arbeiter mehr",
    "A11": "Einmal Ereignisschutz",
    "A12": "Einmal Steuerfreiheit",
    "A13": "Sofort 8 Gold",
    "A14": "Sofort 2 Metall",
    "A15": "Sofort 1 Stein und 1 Holz",
    "A16": "Sofort 1 Metall",
}
DECK: Final = tuple(f"A{number}" for number in range(1, 15))
"""The advantage cards of rounds 1 to 5."""
LAST_ROUND: Final = ("A15", "A16")
GONE_AT_ONCE: Final = ("A9", "A13", "A14", "A15", "A16")

EVENTS: Final = {
    "E1": "Alle Baustoffkarten -1",
    "E2": "Alle Baustoffkarten +1",
    "E3": "Alle Spieler erhalten 1 Metall",
    "E4": "Alle Spieler erhalten 5 Gold",
    "E5": "Alle Spieler verlieren 2 Siegpunkte",
    "E6": "Alle Spieler verlieren 4 Gold",
    "E7": "Einen Handwerker abgeben",
    "E8": "Je bis zu 5 Arbeiter doppelten Lohn",
    "E9": "Kapazität eines Handwerkers +1",
    "E10": "Nur zwei Baumeister nächste Runde",
}
NEGATIVE: Final = ("E1", "E5", "E6", "E7", "E10")

DIE: Final = {2: 1, 3: 2, 4: 2, 5: 1}
"""Faces of the tax die, and how often each is on it."""

_PLACE: Final = {card: place for place, card in enumerate([*CRAFTSMEN, *WORKERS, *ADVANTAGES, *EVENTS])}


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards of one kind as they are listed everywhere."""
    return sorted(cards, key=_PLACE.__getitem__)
