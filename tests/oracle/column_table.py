"""A Column of Fire for the oracle: what lies on the table, and what each seat sees of it."""

from dataclasses import dataclass, field, fields
from typing import Any, Final

from tests.oracle.column_cards import (
    BLACK,
    CARDS,
    COLOURS,
    COUNTRIES,
    DICE,
    GOAL,
    GOODS,
    PAIRS,
    RELIGIONS,
    SEED_TILES,
    STONES,
    TILES,
    tables,
)

SPECTATOR: Final = -1
START_POINTS: Final = 2


@dataclass(frozen=True)
class Options:
    """The readings of the rules that can be chosen, with the defaults."""

    max_years: int = 30
    free_actions: bool = True
    exhausted_fee: bool = False
    advantage_reshuffle: bool = False
    seed_tiles: bool = False
    turned_minority: bool = True
    sell3_limited: bool = False
    events_from_start: bool = False
    full_recruit: bool = True

    @staticmethod
    def of(given: dict[str, int]) -> "Options":
        """Options from numbers."""
        default = Options()
        return Options(**{name: type(getattr(default, name))(value) for name, value in given.items()})


@dataclass
class Seat:
    """What one player has."""

    points: int = START_POINTS
    goods: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GOODS, 0))
    protection: int = 0
    religion: str = RELIGIONS[0]
    religion_die: int = 0
    """0 before its first roll, and while it is rolled again."""
    space: str | None = None
    """Where the disk lies on the track."""
    houses: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTRIES, 0))
    """The site in each country, 0 for none."""
    faces: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    """Of dice on cards, and of free dice from their roll until the recruiting choice; else 0."""
    row: dict[str, str] = field(default_factory=dict)
    """Character cards, oldest first, each with its die."""
    prison: list[str] = field(default_factory=list)
    """Dice on the Loch Leven card."""
    tiles: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TILES, 0))
    """Face-down advantage tiles."""

    def free_dice(self) -> list[str]:
        """Dice on no card."""
        return [die for die in COLOURS if die not in self.prison and die not in self.row.values()]

    def dice_on_cards(self) -> list[str]:
        return [die for die in COLOURS if die in self.prison or die in self.row.values()] + [BLACK]

    def card_of(self, die: str) -> str:
        """The character card on which a die lies, or nothing."""
        return next((card for card, on_it in self.row.items() if on_it == die), "")

    def held(self) -> int:
        return sum(self.tiles.values())

    def vp_tiles(self) -> int:
        """What the face-down tiles are worth at the end."""
        return sum(
            tables().tiles[tile].action.value * count for tile, count in self.tiles.items() if is_vp(tile)
        )

    def score(self) -> int:
        """Rules 5, the final additions included."""
        houses = sum(1 for site in self.houses.values() if site)
        goods = sum(self.goods.values())
        return self.points + 2 * houses + self.protection + goods // 2 + self.vp_tiles()


def is_vp(tile: str) -> bool:
    """Whether a tile only counts at the end."""
    return tables().tiles[tile].action.name == "VP"


@dataclass
class Country:
    """A country of the board; houses are listed with their owners."""

    unseen: list[str]
    """Cards of the deck that nobody has seen, in no order."""
    face_up: str | None = None
    stones: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STONES, 0))


def full_deck(country: str) -> list[str]:
    box = tables()
    return [
        card
        for card in CARDS
        if (card in box.characters and box.characters[card].country == country)
        or (card in box.events and box.events[card].country == country)
    ]


@dataclass
class Table:
    """Everything there is; decks have no order until a card is flipped, the stacks of tiles neither."""

    players: int
    options: Options
    seats: list[Seat] = field(default_factory=list)
    countries: dict[str, Country] = field(default_factory=dict)
    stack: dict[str, int] = field(default_factory=dict)
    """Advantage tiles nobody has drawn."""
    discards: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TILES, 0))
    year: int = 0
    half: int = 0
    start_player: int = 0
    turn: int = 0
    ending: bool = False
    over: bool = False
    # The half-turn
    point: str = "none"
    """Where the half-turn stands."""
    cursor: int = 0
    """The next card of the row, in the first half."""
    die: str | None = None
    """Chosen to recruit."""
    country: str | None = None
    """Recruited from, until its flip."""
    space: str | None = None
    """Landed on and not yet decided about."""
    acting: str | None = None
    """The space whose action is under way."""
    stones: list[str] = field(default_factory=list)
    """What may be placed or removed."""
    sold: list[str] = field(default_factory=list)
    """Goods sold in this half-turn, each with its country."""
    flipping: str | None = None
    """The country whose deck is flipped."""
    event: str | None = None
    event_done: bool = False
    happened: list[str] = field(default_factory=list)
    """What was rare about the last event: of no account for the game."""

    def __post_init__(self) -> None:
        self.seats = self.seats or [Seat() for _ in range(self.players)]
        self.countries = self.countries or {country: Country(full_deck(country)) for country in COUNTRIES}
        self.stack = self.stack or self.all_tiles()

    def all_tiles(self) -> dict[str, int]:
        printed = {tile: tables().tiles[tile].copies for tile in TILES}
        return dict.fromkeys(TILES, 0) | SEED_TILES if self.options.seed_tiles else printed

    @property
    def active(self) -> Seat:
        """The seat whose turn it is."""
        return self.seats[self.turn]

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.players for step in range(self.players)]

    # The board

    def free_spaces(self, country: str) -> int:
        """For stones; with two players a cross token covers one of the four."""
        return (3 if self.players == 2 else 4) - sum(self.countries[country].stones.values())

    def is_full(self, country: str) -> bool:
        return self.free_spaces(country) == 0

    def occupant(self, country: str, site: int) -> Seat | None:
        return next((seat for seat in self.seats if site and seat.houses[country] == site), None)

    def next_spaces(self) -> list[str]:
        """The unoccupied spaces of the track in the order in which the active player comes to them."""
        spaces = list(tables().spaces)
        here = spaces.index(str(self.active.space))
        disks = [seat.space for seat in self.seats]
        return [space for space in spaces[here + 1 :] + spaces[:here] if space not in disks]

    # Victory points (rules 1.10)

    def gain(self, seat: Seat, points: int) -> None:
        seat.points += points
        if seat.points >= GOAL:
            self.ending = True

    def lose(self, seat: Seat, points: int) -> None:
        seat.points = max(0, seat.points - points)

    def check_minority(self, seat: Seat) -> None:
        """The point for the only player of a religion (rules 4)."""
        if [other.religion for other in self.seats].count(seat.religion) == 1:
            self.gain(seat, 1)
            self.happened.append("a minority point")

    # Dice and cards

    def take_off(self, seat: Seat, die: str) -> None:
        """A coloured die becomes free; a character card it lay on leaves the game."""
        card = seat.card_of(die)
        if card:
            self.forget_card(seat, card)
            del seat.row[card]
        else:
            seat.prison.remove(die)
        seat.faces[die] = 0

    def forget_card(self, seat: Seat, card: str) -> None:
        """Lets the half-turn go on as it must when a card leaves the active player's row."""
        if seat is not self.active:
            return
        at = list(seat.row).index(card)
        if self.point == "card" and at == self.cursor:
            self.point = "cards"
            self.happened.append("a card gone before its use")
        elif self.half == 1 and at < self.cursor:
            self.cursor -= 1
            self.happened.append("a card gone left of the one in question")
        elif self.point == "new_card" and at == len(seat.row) - 1:
            self.point = "flip"
            self.happened.append("the new card gone before its use")

    # Looking at it

    def view(self, viewer: int, phase: str, mover: int) -> dict[str, Any]:
        """What a seat, or a spectator (-1), sees: all but the faces of others' tiles."""
        return {
            "players": self.players,
            **{option.name: getattr(self.options, option.name) for option in fields(Options)},
            "viewer": viewer,
            "phase": phase,
            "point": self.point,
            "year": self.year,
            "half": self.half,
            "start_player": self.start_player,
            "turn": self.turn,
            "mover": mover,
            "countries": [self._country_view(country) for country in self.countries.values()],
            "flipping": self.flipping or "",
            "event": self.event or "",
            "event_done": self.event_done,
            "ending": self.ending,
            "die": self.die or "",
            "country": self.country or "",
            "cursor": self.cursor,
            "space": self.space or "",
            "acting": self.acting or "",
            "stones": list(self.stones),
            "sold": [pair in self.sold for pair in PAIRS],
            "unseen_tiles": self._unseen_tiles(viewer),
            "seats": [self._seat_view(seat, number == viewer) for number, seat in enumerate(self.seats)],
        }

    def _unseen_tiles(self, viewer: int) -> list[int]:
        hidden = [seat for number, seat in enumerate(self.seats) if number != viewer and not self.over]
        return [self.stack[tile] + sum(seat.tiles[tile] for seat in hidden) for tile in TILES]

    @staticmethod
    def _country_view(country: Country) -> dict[str, Any]:
        return {
            "face_up": country.face_up or "",
            "stones": list(country.stones.values()),
            "unseen": list(country.unseen),
        }

    def _seat_view(self, seat: Seat, own: bool) -> dict[str, Any]:
        return {
            "points": seat.points,
            "goods": list(seat.goods.values()),
            "protection": seat.protection,
            "religion": seat.religion,
            "religion_die": seat.religion_die,
            "space": seat.space or "",
            "houses": list(seat.houses.values()),
            "faces": list(seat.faces.values()),
            "row": [{"card": card, "die": die} for card, die in seat.row.items()],
            "prison": sorted(seat.prison, key=DICE.index),
            "held": seat.held(),
            "tiles": [seat.tiles[tile] if own or self.over else 0 for tile in TILES],
        }
