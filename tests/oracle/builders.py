"""The Builders: Middle Ages in plain Python, slow and simple enough to be read beside the rules.

Written from the rules alone and sharing nothing with the engine: cards are names, piles are counters, actions
are texts such as ``send(worker=W21, site=B31)``. A turn reads as the rule book does; nothing here is packed,
cached or derived twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.oracle.builders_cards import APPRENTICES, BUILDINGS, CARDS, MACHINES, WORKERS, face

CHANCE: Final = "chance"
OVER: Final = "over"

ACTIONS_PER_TURN: Final = 3
COINS_AT_START: Final = 10
ROW_LENGTH: Final = 5
PRICE_OF_AN_ACTION: Final = 5
PAY_FOR_ACTIONS: Final = {1: 1, 2: 3, 3: 6}
PAY_OF_NTH_ACTION: Final = (1, 2, 3)
POINTS_THAT_END_THE_GAME: Final = 17
COINS_PER_POINT: Final = 10

_PLACE: Final = {card: place for place, card in enumerate(CARDS)}
_ACTION: Final = re.compile(r"(\w+)\((.*)\)")


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards as they are listed everywhere: workers, buildings, machines, each by number."""
    return sorted(cards, key=_PLACE.__getitem__)


def read(action: str) -> tuple[str, dict[str, str]]:
    """Splits ``send(worker=W21, site=B31)`` into its name and its arguments."""
    match = _ACTION.fullmatch(action)
    assert match, f"not an action: {action!r}"
    name, arguments = match.groups()
    return name, dict(part.split("=") for part in arguments.split(", ") if part)


@dataclass
class Seat:
    """What lies in front of one player."""

    coins: int = COINS_AT_START
    idle: Counter[str] = field(default_factory=Counter)
    sites: dict[str, list[str]] = field(default_factory=dict)
    """Each open site with the workers and machines on it."""
    sent: Counter[str] = field(default_factory=Counter)
    """Workers sent to each open site in the turn under way."""
    completed: list[str] = field(default_factory=list)

    def points(self) -> int:
        """Victory points of the completed buildings and machines."""
        return sum(CARDS[card].points for card in self.completed)

    def missing(self, site: str) -> list[int]:
        """Stone, wood, knowledge and tile that the workers on a site do not yet supply."""
        missing = list(CARDS[site].needs)
        for worker in self.sites[site]:
            for resource, made in enumerate(CARDS[worker].makes):
                missing[resource] = max(0, missing[resource] - made)
        return missing

    def copy(self) -> Seat:
        sites = {site: list(workers) for site, workers in self.sites.items()}
        return Seat(self.coins, self.idle.copy(), sites, self.sent.copy(), list(self.completed))


@dataclass
class Builders:
    """One position.

    ``pending`` lists the chance events still to come, in order; a decision waits until there are none.
    """

    players: int
    max_rounds: int = 40
    visible_tops: bool = True
    cumulative_coins: bool = False
    pending: list[str] = field(default_factory=list)
    dealt: bool = False
    start_player: int = 0
    round: int = 0
    """From 1; 0 before the first turn."""
    mover: int = 0
    """The seat whose turn it is, in the deal the one who will begin; 0 where there is none."""
    actions: int = 0
    coins_sold: int = 0
    """Actions sold in this turn, counted in threes; only where coins are cumulative."""
    triggered: bool = False
    """A player has ended a turn with the points that end the game."""
    over: bool = False
    building_row: Counter[str] = field(default_factory=Counter)
    worker_row: Counter[str] = field(default_factory=Counter)
    building_top: str = ""
    worker_top: str = ""
    building_deck: Counter[str] = field(default_factory=Counter)
    """The cards under the top card, in no order: what nobody has seen."""
    worker_deck: Counter[str] = field(default_factory=Counter)
    seats: list[Seat] = field(default_factory=list)

    @staticmethod
    def initial(players: int, options: dict[str, int] | None = None) -> Builders:
        """The box just opened: nothing is dealt, all is chance."""
        given = {"max_rounds": 40, "visible_tops": 1, "cumulative_coins": 0} | (options or {})
        game = Builders(
            players, given["max_rounds"], bool(given["visible_tops"]), bool(given["cumulative_coins"])
        )
        game.building_deck = Counter(card.id for card in BUILDINGS + MACHINES)
        game.worker_deck = Counter(face(card.id) for card in WORKERS)
        game.seats = [Seat() for _ in range(players)]
        game.pending = ["start"] + [f"apprentice {seat}" for seat in range(players)]
        game.pending += ["site to row"] * ROW_LENGTH + ["worker to row"] * ROW_LENGTH
        game.pending += ["site on top", "worker on top"] if game.visible_tops else []
        return game

    # What may happen next

    def current_player(self) -> int | str:
        """The seat to move, ``CHANCE`` or ``OVER``."""
        if self.over:
            return OVER
        return CHANCE if self.pending else self.mover

    def chance_outcomes(self) -> dict[str, int]:
        """Each outcome with the number of cards that bring it about, lowest first."""
        if not self.pending:
            return {}
        event = self.pending[0]
        if event == "start":
            return {f"start(seat={seat})": 1 for seat in range(self.players)}
        if event.startswith("apprentice"):
            seat = event.split()[1]
            left = [card for card in APPRENTICES if self.worker_deck[card]]
            return {f"apprentice(seat={seat}, worker={card})": 1 for card in left}
        kind = event.split()[0]
        deck = self.building_deck if kind == "site" else self.worker_deck
        return {f"reveal_{kind}({kind}={card})": deck[card] for card in in_order(deck) if deck[card]}

    def legal_actions(self) -> list[str]:
        """All the seat to move may do, in the order of the engine's numbers: by kind, then by card."""
        if self.pending or self.over:
            return []
        seat = self.seats[self.mover]
        actions = []
        if self.actions >= 1:
            actions += [f"open(site={card})" for card in in_order(set(self.building_row.elements()))]
            actions += [f"recruit(worker={card})" for card in in_order(set(self.worker_row.elements()))]
        for worker in in_order(set(seat.idle.elements())):
            for site in in_order(seat.sites):
                if self.actions >= seat.sent[site] + 1 and seat.coins >= CARDS[worker].wage:
                    actions.append(f"send(worker={worker}, site={site})")
        actions += [f"coins(actions={number})" for number in PAY_FOR_ACTIONS if number <= self.actions]
        if seat.coins >= PRICE_OF_AN_ACTION:
            actions.append("buy()")
        if self.actions == 0:
            actions.append("end()")
        return actions

    def events(self) -> list[str]:
        """The outcomes of a chance node, else the legal actions."""
        return list(self.chance_outcomes()) if self.pending else self.legal_actions()

    # Making it happen

    def apply(self, action: str) -> None:
        """Plays one of ``events()``; anything else is the caller's mistake and not looked for."""
        name, arguments = read(action)
        if self.pending:
            self._settle(name, arguments)
        elif name == "open":
            self._open(arguments["site"])
        elif name == "recruit":
            self._recruit(arguments["worker"])
        elif name == "send":
            self._send(arguments["worker"], arguments["site"])
        elif name == "coins":
            self._sell(int(arguments["actions"]))
        elif name == "buy":
            self.seats[self.mover].coins -= PRICE_OF_AN_ACTION
            self.actions += 1
        else:
            assert name == "end", name
            self._end_turn()

    def _settle(self, name: str, arguments: dict[str, str]) -> None:
        event = self.pending.pop(0)
        if name == "start":
            self.start_player = self.mover = int(arguments["seat"])
        elif name == "apprentice":
            self.worker_deck[arguments["worker"]] -= 1
            self.seats[int(arguments["seat"])].idle[arguments["worker"]] += 1
        elif name == "reveal_site":
            self.building_deck[arguments["site"]] -= 1
            if event == "site to row":
                self.building_row[arguments["site"]] += 1
            else:
                self.building_top = arguments["site"]
        else:
            self.worker_deck[arguments["worker"]] -= 1
            if event == "worker to row":
                self.worker_row[arguments["worker"]] += 1
            else:
                self.worker_top = arguments["worker"]
        if not self.pending and not self.dealt:
            self.dealt = True
            self.round = 1
            self._begin_turn(self.start_player)

    def _begin_turn(self, seat: int) -> None:
        self.mover = seat
        self.actions = ACTIONS_PER_TURN
        self.coins_sold = 0

    def _open(self, site: str) -> None:
        self.actions -= 1
        self.seats[self.mover].sites[site] = []
        self.building_row[site] -= 1
        if not self.visible_tops:
            self.pending += ["site to row"] if self.building_deck.total() else []
            return
        if self.building_top:
            self.building_row[self.building_top] += 1
            self.building_top = ""
        self.pending += ["site on top"] if self.building_deck.total() else []

    def _recruit(self, worker: str) -> None:
        self.actions -= 1
        self.seats[self.mover].idle[worker] += 1
        self.worker_row[worker] -= 1
        if not self.visible_tops:
            self.pending += ["worker to row"] if self.worker_deck.total() else []
            return
        if self.worker_top:
            self.worker_row[self.worker_top] += 1
            self.worker_top = ""
        self.pending += ["worker on top"] if self.worker_deck.total() else []

    def _send(self, worker: str, site: str) -> None:
        seat = self.seats[self.mover]
        seat.coins -= CARDS[worker].wage
        seat.idle[worker] -= 1
        seat.sites[site].append(worker)
        seat.sent[site] += 1
        self.actions -= seat.sent[site]
        if not any(seat.missing(site)):
            self._complete(seat, site)

    def _complete(self, seat: Seat, site: str) -> None:
        seat.idle.update(seat.sites.pop(site))
        del seat.sent[site]
        seat.coins += CARDS[site].coins
        seat.completed.append(site)
        if CARDS[site].set == "machine":
            seat.idle[site] += 1

    def _sell(self, actions: int) -> None:
        self.actions -= actions
        seat = self.seats[self.mover]
        if not self.cumulative_coins:
            seat.coins += PAY_FOR_ACTIONS[actions]
            return
        for _ in range(actions):
            seat.coins += PAY_OF_NTH_ACTION[self.coins_sold]
            self.coins_sold = (self.coins_sold + 1) % len(PAY_OF_NTH_ACTION)

    def _end_turn(self) -> None:
        seat = self.seats[self.mover]
        seat.sent.clear()
        if seat.points() >= POINTS_THAT_END_THE_GAME:
            self.triggered = True
        following = (self.mover + 1) % self.players
        self._begin_turn(following)
        if following != self.start_player:
            return
        if self.final_round():
            self.over = True
            self.mover = self.actions = 0
        else:
            self.round += 1

    # What it is worth

    def scores(self) -> list[int]:
        return [seat.points() + seat.coins // COINS_PER_POINT for seat in self.seats]

    def standings(self) -> list[tuple[int, int, int]]:
        """What seats are ranked by: score, then points of completed cards, then coins."""
        return [
            (score, seat.points(), seat.coins) for score, seat in zip(self.scores(), self.seats, strict=True)
        ]

    def win_shares(self) -> list[float]:
        standings = self.standings()
        best = max(standings)
        return [standings.count(best) ** -1 if standing == best else 0.0 for standing in standings]

    # Looking at it

    def phase(self) -> str:
        if self.over:
            return "over"
        if not self.pending:
            return "play"
        return {"start": "start", "apprentice": "apprentices"}.get(self.pending[0].split()[0], "reveal")

    def final_round(self) -> bool:
        """Whether this round is the last, be it by points or by the cap."""
        return self.triggered or self.round == self.max_rounds

    def view(self, viewer: int = -1) -> dict[str, Any]:
        """What a seat, or a spectator (-1), sees: all but the order of the decks."""
        return {
            "players": self.players,
            "max_rounds": self.max_rounds,
            "visible_tops": self.visible_tops,
            "cumulative_coins": self.cumulative_coins,
            "viewer": viewer,
            "phase": self.phase(),
            "round": self.round,
            "start_player": self.start_player,
            "mover": self.mover,
            "actions": self.actions,
            "coins_sold": self.coins_sold,
            "final_round": self.final_round(),
            "building_row": in_order(self.building_row.elements()),
            "worker_row": in_order(self.worker_row.elements()),
            "building_top": self.building_top,
            "worker_top": self.worker_top,
            "unseen_buildings": in_order(self.building_deck.elements()),
            "unseen_workers": in_order(self.worker_deck.elements()),
            "seats": [self._seat_view(seat) for seat in self.seats],
        }

    @staticmethod
    def _seat_view(seat: Seat) -> dict[str, Any]:
        return {
            "coins": seat.coins,
            "points": seat.points(),
            "idle": in_order(seat.idle.elements()),
            "sites": [
                {
                    "site": site,
                    "workers": in_order(seat.sites[site]),
                    "sent": seat.sent[site],
                    "missing": seat.missing(site),
                }
                for site in in_order(seat.sites)
            ],
            "completed": in_order(seat.completed),
        }

    def identity(self) -> str:
        """Equal exactly for equal positions: the same facts and the same future, whatever happened before."""
        return repr((self.view(), self.pending))

    def copy(self) -> Builders:
        twin = Builders(**vars(self))
        twin.pending = list(self.pending)
        twin.building_row, twin.worker_row = self.building_row.copy(), self.worker_row.copy()
        twin.building_deck, twin.worker_deck = self.building_deck.copy(), self.worker_deck.copy()
        twin.seats = [seat.copy() for seat in self.seats]
        return twin
