"""The Pillars of the Earth for the oracle: what lies on the table, and what each seat sees of it."""

from dataclasses import dataclass, field, fields
from typing import Any, Final

from tests.oracle.pillars_cards import DECK, EVENTS, GOODS, MARKET_GOODS, STARTERS, in_order

ROUNDS: Final = 6
MOST_GOLD: Final = 30
NOBODY: Final = -1


@dataclass(frozen=True)
class Options:
    """The readings of the rules that can be chosen, with those of the printed game as defaults."""

    bishop_spaces: int = 1
    castle_spaces: int = 1
    market_spaces: int = 4
    lowest_space: bool = True
    market_twice: bool = False
    sequential_building: bool = False
    strict_masters: bool = False
    tax_card_first: bool = False
    metal_is_free: bool = False
    event_shortfall: bool = False

    @staticmethod
    def of(given: dict[str, int]) -> "Options":
        """Options from numbers."""
        default = Options()
        return Options(**{name: type(getattr(default, name))(value) for name, value in given.items()})

    def locations(self) -> dict[str, list[str]]:
        """The spaces of each location, but for the town and Shiring, named by their cards."""
        sizes = {
            "bishop": self.bishop_spaces,
            "priory": 2,
            "court": 4,
            "castle": self.castle_spaces,
            "market": self.market_spaces,
        }
        spaces = {name: [f"{name}{number + 1}" for number in range(size)] for name, size in sizes.items()}
        return spaces | {"start": ["start"]}


@dataclass
class Seat:
    """What one player has."""

    points: int = 2
    gold: int = 0
    goods: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GOODS, 0))
    workers: int = 0
    """Free ones, in the first phase."""
    passed: bool = False
    craftsmen: list[str] = field(default_factory=lambda: list(STARTERS))
    advantages: list[str] = field(default_factory=list)
    quarries: list[str] = field(default_factory=list)
    protected: bool = False
    two_builders: bool = False
    mill: int = 0
    grey: int = 0
    bought: set[str] = field(default_factory=set)
    sold: set[str] = field(default_factory=set)

    def earn(self, gold: int) -> None:
        self.gold = min(MOST_GOLD, self.gold + gold)

    def lose(self, gold: int, *, penalty: bool) -> None:
        """Pays what there is; with a penalty, a point goes for every full two gold missing."""
        missing = max(0, gold - self.gold)
        self.gold = max(0, self.gold - gold)
        if penalty:
            self.lose_points(missing // 2)

    def lose_points(self, points: int) -> None:
        self.points = max(0, self.points - points)

    def limit(self) -> int:
        """How many craftsmen the player may have."""
        return 6 if "A7" in self.advantages else 5


@dataclass
class Table:
    """Everything there is: the event that lies face down included, the order of decks and bag not."""

    players: int
    options: Options
    seats: list[Seat] = field(default_factory=list)
    round: int = 0
    start_player: int = 0
    # The round's display
    town: dict[str, int] = field(default_factory=dict)
    """Advantage cards, each with the seat whose builder stands there."""
    craftsmen: list[str] = field(default_factory=list)
    shiring: dict[str, int] = field(default_factory=dict)
    quarries: list[str] = field(default_factory=list)
    stock: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MARKET_GOODS, 0))
    # Decks
    unseen_advantages: list[str] = field(default_factory=lambda: list(DECK))
    unseen_events: list[str] = field(default_factory=lambda: list(EVENTS))
    event: str = ""
    """Of this round, from the moment a player has seen it."""
    event_known: bool = False
    """To all."""
    looked: int = NOBODY
    # Builders
    builders: dict[str, int] = field(default_factory=dict)
    bag: list[int] = field(default_factory=list)
    drawn: int = NOBODY
    dealt: int = 0
    free: bool = False
    refused: bool = False
    dial: dict[int, int] = field(default_factory=dict)
    """Seats by the cost at which their builder was passed."""
    # What is under way
    die: int = 0
    exempt: int = NOBODY
    """Who has paid this round's tax with A12, before the die."""
    market_space: str = ""
    """Whose builder trades."""
    asked: str = ""
    made: int = 0
    boosted: str = ""
    used: dict[str, int] = field(default_factory=dict)
    dropping: str = ""
    excess: int = 0

    def __post_init__(self) -> None:
        self.seats = self.seats or [Seat() for _ in range(self.players)]
        self.bag = self.bag or [0] * self.players

    def clockwise(self) -> list[int]:
        """All seats from the start player on."""
        return [(self.start_player + step) % self.players for step in range(self.players)]

    def owner(self, advantage: str) -> int:
        """Who has an advantage card."""
        for number, seat in enumerate(self.seats):
            if advantage in seat.advantages:
                return number
        return NOBODY

    def free_spaces(self) -> list[str]:
        """The ordinary spaces a builder may be placed on."""
        spaces = []
        for location, all_spaces in self.options.locations().items():
            free = [space for space in all_spaces if space not in self.builders]
            if location != "market" or self.options.lowest_space:
                free = free[:1]
            spaces += free
        return spaces

    def at(self, location: str) -> dict[str, int]:
        """The builders of a location, by space in order."""
        spaces = self.options.locations()[location]
        return {space: self.builders[space] for space in spaces if space in self.builders}

    # Looking at it

    def view(self, viewer: int, phase: str, mover: int) -> dict[str, Any]:
        """What a seat, or a spectator (-1), sees: all but an event that another seat has looked at."""
        spaces = [space for location in self.options.locations().values() for space in location]
        sees_event = self.event_known or viewer == self.looked != NOBODY
        return {
            "players": self.players,
            **{option.name: getattr(self.options, option.name) for option in fields(Options)},
            "viewer": viewer,
            "phase": phase,
            "round": self.round,
            "start_player": self.start_player,
            "mover": mover,
            "town": in_order(self.town),
            "town_builders": [self.town[card] for card in in_order(self.town)],
            "craftsmen": in_order(self.craftsmen),
            "shiring": in_order(self.shiring),
            "shiring_builders": [self.shiring[card] for card in in_order(self.shiring)],
            "quarries": in_order(self.quarries),
            "stock": [self.stock[good] for good in MARKET_GOODS],
            "unseen_advantages": in_order(self.unseen_advantages),
            "unseen_events": in_order(self.unseen_events),
            "event": self.event if sees_event else "",
            "event_known": self.event_known,
            "looked": self.looked,
            "builders": [
                {"space": space, "seat": self.builders[space]} for space in spaces if space in self.builders
            ],
            "bag": list(self.bag),
            "drawn": self.drawn,
            "dealt": self.dealt,
            "free": self.free,
            "refused": self.refused,
            "dial": [{"cost": cost, "seat": self.dial[cost]} for cost in sorted(self.dial, reverse=True)],
            "die": self.die,
            "exempt": self.exempt,
            "market_space": self.market_space,
            "asked": self.asked,
            "made": self.made,
            "boosted": self.boosted,
            "used": [{"craftsman": card, "times": self.used[card]} for card in in_order(self.used)],
            "dropping": self.dropping,
            "excess": self.excess,
            "seats": [self._seat_view(seat) for seat in self.seats],
        }

    @staticmethod
    def _seat_view(seat: Seat) -> dict[str, Any]:
        return {
            "points": seat.points,
            "gold": seat.gold,
            "goods": [seat.goods[good] for good in GOODS],
            "workers": seat.workers,
            "passed": seat.passed,
            "craftsmen": in_order(seat.craftsmen),
            "advantages": in_order(seat.advantages),
            "quarries": in_order(seat.quarries),
            "protected": seat.protected,
            "two_builders": seat.two_builders,
            "mill": seat.mill,
            "grey": seat.grey,
            "bought": [good in seat.bought for good in MARKET_GOODS],
            "sold": [good in seat.sold for good in GOODS],
        }
