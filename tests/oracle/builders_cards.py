"""The cards of The Builders: Middle Ages, typed a second time for the oracle.

Four digits are stone, wood, knowledge and tile. Sources: the printed faces (bars counted on scans of all 92
cards), the French rulebook of Bombyx (2013) where it shows a card, and at least two independent typed lists
for every row. English machine names are translations; all other names are those of the French and English
editions.
"""

from dataclasses import dataclass
from typing import Final

Resources = tuple[int, int, int, int]

_WORKERS: Final = """
Apprentice Apprenti 2  W01:1010 W02:0110 W03:1001 W04:1100 W05:0011 W06:0101
Labourer Manœuvre 3  W07:0201 W08:1020 W09:0012 W10:1200 W11:0102 W12:2001 W13:1002 W14:0210
Labourer Manœuvre 3  W15:0021 W16:0120 W17:2100 W18:2010
Craftsman Compagnon 4  W19:1111 W20:3100 W21:0013 W22:0301 W23:2110 W24:1201 W25:2002 W26:2020
Craftsman Compagnon 4  W27:1021 W28:0022 W29:2200 W30:1111 W31:1030 W32:0220 W33:0112 W34:0202
Master Maître 5  W35:3002 W36:0023 W37:0230 W38:3200 W39:0032 W40:2003 W41:2300 W42:0320
"""

_BUILDINGS: Final = """
B01  8 0 1001  The Bower / La tonnelle
B02  8 0 0110  The Wooden Shack / La cabane
B03  6 1 0120  The Covered Bridge / Le pont couvert
B04  6 1 0210  The Treehouse / La cabane perchée
B05  6 1 2010  The Stone Bridge / Le pont en pierre
B06  6 1 0102  The Wash House / Le lavoir
B07  6 1 1002  The Straw Hut / La hutte de paille
B08 10 2 2021  The Townhouse / La maison urbaine
B09 10 2 0212  The Cottage / La chaumière
B10 10 2 1211  The Rural House / La maison rurale
B11 10 2 2102  The House / La maisonnette
B12 12 3 0123  The Cowshed / L'étable
B13 12 3 2112  The Inn / L'auberge
B14 12 3 0222  The Pigsty / La porcherie
B15 12 3 0312  The Rural Relay / Le relais rural
B16 12 3 0231  The Grain Silo / Le silo à grains
B17 14 3 0313  The Stables / L'écurie
B18 14 3 2203  The Forge / La forge
B19 14 3 3031  The Windmill / Le moulin à vent
B20 14 3 0232  The Watermill / Le moulin à eau
B21 16 4 0323  The Covered Market / Les halles
B22 16 4 2222  The Bourgeois House / La maison bourgeoise
B23 16 4 3122  The Post / Le relais postal
B24 16 4 1331  The Hotel / L'hôtel
B25 16 4 1313  The Tavern / La taverne
B26 16 4 4202  The Farm / La ferme
B27 18 5 4024  The Church / L'église
B28 18 5 3322  The Watchtower / La tour de guet
B29 18 5 4321  The Abbey / L'abbaye
B30 18 5 4240  The Cloister / Le cloître
B31 18 5 3223  The Chapel / La chapelle
B32 20 6 5250  The Aqueduct / L'aqueduc
B33 20 7 5353  The Castle / Le château-fort
B34 20 8 5444  The Cathedral / La cathédrale
"""

_MACHINES: Final = """
M01 1 0101 2000  Crane (small) / Une grue
M02 1 1010 0200  Circular Saw (small) / Une scie circulaire
M03 1 1100 0020  Measuring Instrument (small) / Un instrument de mesure
M04 1 0110 0002  Tile Kiln (small) / Un four à tuiles
M05 2 0210 3000  Crane (large) / Une grue
M06 2 0021 0300  Circular Saw (large) / Une scie circulaire
M07 2 1002 0030  Measuring Instrument (large) / Un instrument de mesure
M08 2 2100 0003  Tile Kiln (large) / Un four à tuiles
"""


@dataclass(frozen=True)
class Card:
    """One card of the box; what a card does not have is 0."""

    id: str
    set: str
    english: str
    french: str
    wage: int = 0
    makes: Resources = (0, 0, 0, 0)
    needs: Resources = (0, 0, 0, 0)
    coins: int = 0
    points: int = 0


def _digits(text: str) -> Resources:
    stone, wood, knowledge, tile = (int(digit) for digit in text)
    return stone, wood, knowledge, tile


def _workers() -> list[Card]:
    cards = []
    for line in _WORKERS.strip().splitlines():
        english, french, wage, *faces = line.split()
        for face in faces:
            card, makes = face.split(":")
            cards.append(Card(card, "worker", english, french, wage=int(wage), makes=_digits(makes)))
    return cards


def _buildings() -> list[Card]:
    cards = []
    for line in _BUILDINGS.strip().splitlines():
        card, coins, points, needs, names = line.split(maxsplit=4)
        english, french = names.split(" / ")
        cards.append(
            Card(
                card, "building", english, french, needs=_digits(needs), coins=int(coins), points=int(points)
            )
        )
    return cards


def _machines() -> list[Card]:
    cards = []
    for line in _MACHINES.strip().splitlines():
        card, points, needs, makes, names = line.split(maxsplit=4)
        english, french = names.split(" / ")
        cards.append(
            Card(
                card,
                "machine",
                english,
                french,
                needs=_digits(needs),
                makes=_digits(makes),
                points=int(points),
            )
        )
    return cards


WORKERS: Final = _workers()
"""The 42 worker cards."""
BUILDINGS: Final = _buildings()
"""The 34 building cards that are no machines."""
MACHINES: Final = _machines()
"""The 8 machine cards, which are also building cards."""
CARDS: Final[dict[str, Card]] = {card.id: card for card in WORKERS + BUILDINGS + MACHINES}

APPRENTICES: Final = [card.id for card in WORKERS if card.english == "Apprentice"]
TWIN: Final = {"W30": "W19"}
"""Two cards have one face and nobody need tell them apart: both go by the first's name."""


def face(card: str) -> str:
    """The name under which the game counts a card."""
    return TWIN.get(card, card)
