"""One game in play: the only place, with ``sessions``, that holds a true state."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kingsbridge.pyengine import (
    SPECTATOR,
    Dealer,
    GameRecord,
    InformationSet,
    ParseError,
    State,
    action_text,
    describe,
    parse_action,
    seed_commitment,
)
from kingsbridge.server.bot_settings import BotSettings
from kingsbridge.server.knowledge import censored, knows
from kingsbridge.server.refusals import (
    FieldError,
    RefusedError,
    RequestReusedError,
    RulesChangedError,
    StaleRevisionError,
)
from kingsbridge.server.store import Entry, GameHead, Seat, StoredGame

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NewGame:
    """What is asked for when a game is created. ``seed`` of ``None`` lets the server draw one; ``bots`` are
    the seats that it plays by itself.
    """

    game: str
    players: int
    options: Mapping[str, int]
    seed: int | None = field(default=None, repr=False)
    request_id: str = ""
    bots: Mapping[int, BotSettings] = field(default_factory=dict)

    def made(self, head: GameHead) -> bool:
        """Whether this request could have created that game."""
        return (
            (self.game, self.players) == (head.game, head.players)
            and all(head.options.get(name) == value for name, value in self.options.items())
            and self.seed in (None, head.seed)
        )


@dataclass(frozen=True, slots=True)
class Move:
    """An action that a seat wants to play: by number, or by notation.

    ``bot`` is the text of the settings of the bot that decided, or empty for a person.
    """

    game_id: str
    seat: int
    action: int | str
    expected_revision: int
    request_id: str = ""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands, as everybody knows. Over, ``seat_to_move`` is -1 and scores and places are given.

    ``bots``: per seat the bot that plays it, or empty.
    """

    revision: int
    seat_to_move: int
    bots: tuple[str, ...]
    scores: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Happening:
    """An event as a seat may know it: ``seat`` is -1 for chance, ``action`` is ``None`` if it cannot tell."""

    index: int
    seat: int
    action: int | None


class Sight:
    """What a seat sees of a position, and the message that tells it: made once, for all answers with it."""

    def __init__(self, info: InformationSet) -> None:
        self.info = info
        self._message: Any = None

    def message(self, make: Callable[[InformationSet], T]) -> T:
        """What ``make`` made of it first; always to be asked with the same ``make``."""
        if self._message is None:
            self._message = make(self.info)
        made: T = self._message
        return made


@dataclass(frozen=True, slots=True)
class Applied:
    """What an action led to, for the seat that played it."""

    status: Status
    sight: Sight
    happenings: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A record as a seat may know it; ``seed`` is ``None`` as long as it is secret."""

    text: str
    complete: bool
    seed: int | None = field(repr=False)
    commitment: bytes


class Session:
    """One game in play. Everything it tells is told to a seat; ``state`` stays within the server."""

    def __init__(self, head: GameHead, seats: Sequence[Seat]) -> None:
        """A game before its deal; ``seats`` are those of the players and the spectators' one, -1.

        Raises:
            RulesChangedError: it was begun by other rules.
        """
        if head.rules_hash != describe(head.game).rules_hash:
            raise RulesChangedError(
                f"this game of {head.game} was begun by other rules or tables ({head.rules_hash}, engine "
                f"{head.engine_version}) than this server's ({describe(head.game).rules_hash})"
            )
        self.head = head
        self._seats = {seat.number: seat for seat in seats}
        self._record = GameRecord(head.game, head.players, head.options)
        self._dealer = Dealer(head.seed)
        self._ends: list[int] = []  # number of events after each entry
        self._requests: dict[str, int] = {}  # revision that a request led to
        self._deciders: list[int] = []  # per event
        self._known: dict[int, list[bool]] = {}
        self._tail: list[State] = []  # before each event of the last entry
        self._memory: dict[Hashable, Any] = {}
        self._change = asyncio.Event()
        self._waiting = 0

    @property
    def revision(self) -> int:
        """Number of entries."""
        return len(self._ends)

    @property
    def length(self) -> int:
        """Number of events."""
        return len(self._deciders)

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self._record.result is not None

    @contextmanager
    def awaiting(self) -> Iterator[asyncio.Event]:
        """What is set at the next change of the game or its seats, or when this object is no longer the
        game's; until the context ends the game stays in memory for it.
        """
        self._waiting += 1
        try:
            yield self._change
        finally:
            self._waiting -= 1

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for a change."""
        return self._waiting > 0

    @property
    def seat_to_move(self) -> int:
        """The seat that is to decide; -1 if the game is over."""
        return -1 if self.over else self._record.seat_to_move

    @property
    def commitment(self) -> bytes:
        """What the server committed to: see ``seed_commitment``."""
        return seed_commitment(self.head.seed)

    def seat(self, number: int) -> Seat:
        """A seat, or the spectators' one.

        Raises:
            FieldError: no such seat.
        """
        return self._seats[self._viewer(number)]

    def settings(self, seat: int) -> BotSettings | None:
        """The bot that plays a seat, or ``None`` for a person."""
        return BotSettings.of_text(self._seats[seat].bot)

    def status(self) -> Status:
        """Where the game stands."""
        return self.remembered("status", lambda: self._status(self.revision, self._record.state()))

    def information_set(self, seat: int) -> InformationSet:
        """What a seat knows.

        Raises:
            FieldError: no such seat.
        """
        return self.sight(seat).info

    def sight(self, seat: int) -> Sight:
        """What a seat sees; the same object until the next change.

        Raises:
            FieldError: no such seat.
        """
        viewer = self._viewer(seat)
        return self.remembered(("sight", seat), lambda: Sight(self._record.state().information_set(viewer)))

    def deciding(self, seat: int) -> InformationSet:
        """What a seat knows that is to move.

        Raises:
            FieldError: no such seat.
            RefusedError: it is not to move.
        """
        state = self._record.state()
        self.player(seat)
        _check_turn(state, seat)
        return state.information_set(seat)

    def happenings(self, seat: int, first: int) -> tuple[Happening, ...]:
        """The events from number ``first`` on as a seat may know them; a finished game is open to all.

        Raises:
            FieldError: no such seat.
        """
        viewer = self._viewer(seat)
        known = [True] * self.length if self.over else self._knowledge(viewer)
        return self._happenings(known, first, self.length)

    def told(self, seat: int) -> Told:
        """The record as a seat may know it. A finished game is open to all.

        Raises:
            FieldError: no such seat.
        """
        viewer = self._viewer(seat)
        if self.over:
            return self.whole()
        known = self._knowledge(viewer)
        return Told(censored(self._record.text(), known), all(known), None, self.commitment)

    def whole(self) -> Told:
        """The whole record; with the seed of chance only when the game is over."""
        seed = self.head.seed if self.over else None
        return Told(self._record.text(seed=seed), True, seed, self.commitment)

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once until the next change: for answers that many ask for."""
        if key not in self._memory:
            self._memory[key] = make()
        found: T = self._memory[key]
        return found

    def find(self, request_id: str) -> int | None:
        """The revision that an earlier request led to."""
        return self._requests.get(request_id) if request_id else None

    def plan(self, move: Move) -> tuple[Entry, bool]:
        """The entry that a move leads to, and whether it ends the game; chance is settled, the game is not
        changed yet.

        An entry that is planned must be added: the dealer has dealt. Drop the session otherwise.

        Raises:
            FieldError: no such seat, or the action cannot be read.
            StaleRevisionError: the move was decided on another revision.
            RefusedError: the seat is not to move or not played by whoever decided, or the action is not
            legal.
        """
        self.player(move.seat)
        action, text = self._read(move.action)
        if move.expected_revision != self.revision:
            raise StaleRevisionError(self.revision)
        state = self._record.state()
        _check_turn(state, move.seat)
        if self._seats[move.seat].bot != move.bot:
            raise RefusedError(
                "SEAT_HELD_BY_BOT",
                f"seat {move.seat}",
                f"a bot plays seat {move.seat}: GiveBackSeat gives it back",
            )
        if not state.is_legal(action):
            raise RefusedError("ILLEGAL_ACTION", text, f"{text} is not legal in this position")
        state.apply(action)
        entry = Entry((action, *self._dealer.settle(state)), move.request_id)
        return entry, state.is_terminal

    def plan_deal(self) -> Entry:
        """The entry that starts the game."""
        return Entry(tuple(self._dealer.settle(self._record.state())))

    def add(self, entry: Entry) -> None:
        """Adds an entry that the store has taken."""
        self._tail = []
        for action in entry.actions:
            state = self._record.state()
            self._tail.append(state)
            self._deciders.append(-1 if state.is_chance else state.current_player)
            self._record.append(action)
        self._ends.append(self.length)
        if entry.request_id:
            self._requests[entry.request_id] = self.revision
        self.changed()

    def replay(self, entry: Entry) -> None:
        """Adds an entry of the store to a session built anew: the dealer deals along, to be where it was."""
        state = self._record.state()
        for action in entry.actions:
            if state.is_chance:
                self._dealer.outcome(state)
            state.apply(action)
        self.add(entry)

    def set_seat(self, seat: Seat) -> None:
        """Puts a seat that the store has taken in the place of the one of that number."""
        if self._seats[seat.number] != seat:
            self._seats[seat.number] = seat
            self.changed()

    def changed(self) -> None:
        """Wakes all who wait for a change."""
        self._memory.clear()
        change, self._change = self._change, asyncio.Event()
        change.set()

    def applied(self, move: Move, revision: int) -> Applied:
        """What the move that led to ``revision`` led to, for the seat that played it.

        Raises:
            RequestReusedError: another move led there.
        """
        first, end = self._ends[revision - 2], self._ends[revision - 1]
        if (self._deciders[first], self._record.actions[first]) != (move.seat, self._read(move.action)[0]):
            raise RequestReusedError
        happenings = self._happenings(self._knowledge(move.seat), first + 1, end)
        if revision == self.revision:
            return Applied(self.status(), self.sight(move.seat), happenings)
        state = self._after(end)
        return Applied(self._status(revision, state), Sight(state.information_set(move.seat)), happenings)

    def player(self, seat: int) -> int:
        """The same seat, if there is one.

        Raises:
            FieldError: no such seat.
        """
        if not 0 <= seat < self.head.players:
            raise FieldError("seat", f"must be in 0 .. {self.head.players - 1}")
        return seat

    def _after(self, events: int) -> State:
        state = State.initial(self.head.game, self.head.players, dict(self.head.options))
        for action in self._record.actions[:events]:
            state.apply(action)
        return state

    def _happenings(self, known: Sequence[bool], first: int, end: int) -> tuple[Happening, ...]:
        actions = self._record.actions
        return tuple(
            Happening(index, self._deciders[index], actions[index] if known[index] else None)
            for index in range(first, end)
        )

    def _knowledge(self, viewer: int) -> list[bool]:
        """Which events ``viewer`` can tell; kept, since what was told cannot be taken back."""
        known = self._known.setdefault(viewer, [])
        first = self.length - len(self._tail)
        newest = len(known) >= first
        states = self._tail[len(known) - first :] if newest else [*self._record.states()][len(known) :]
        for state, action in zip(states, self._record.actions[len(known) :], strict=False):
            known.append(knows(state, action, viewer))
        return known

    def _status(self, revision: int, state: State) -> Status:
        players = range(self.head.players)
        settings = [self.settings(seat) for seat in players]
        bots = tuple("" if each is None else each.bot for each in settings)
        if not state.is_terminal:
            return Status(revision, seat_to_move(state), bots)
        ranks = state.ranks()
        places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
        return Status(revision, -1, bots, state.scores(), places)

    def _read(self, action: int | str) -> tuple[int, str]:
        """Number and notation of an action."""
        game = self.head.game
        name = "action_text" if isinstance(action, str) else "action_id"
        try:
            number = parse_action(game, action) if isinstance(action, str) else action
            return number, action_text(game, number)
        except ParseError as error:
            raise FieldError(name, str(error)) from error

    def _viewer(self, seat: int) -> int:
        if seat == -1:
            return SPECTATOR
        if not 0 <= seat < self.head.players:
            raise FieldError("seat", f"must be in 0 .. {self.head.players - 1}, or -1 for a spectator")
        return seat


def seat_to_move(state: State) -> int:
    """The seat to decide, or -1 if nobody is."""
    return -1 if state.is_chance or state.is_terminal else state.current_player


def revived(stored: StoredGame) -> Session:
    """A game as it was kept.

    Raises:
        RulesChangedError: it was begun by other rules.
    """
    session = Session(stored.head, stored.seats)
    for entry in stored.entries:
        session.replay(entry)
    return session


def _check_turn(state: State, seat: int) -> None:
    if state.is_terminal:
        raise RefusedError("GAME_OVER", "game", "the game is over")
    if state.current_player != seat:
        raise RefusedError(
            "NOT_YOUR_TURN", f"seat {seat}", f"seat {state.current_player} is to move, not seat {seat}"
        )
