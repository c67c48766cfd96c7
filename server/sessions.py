"""Games in play: the only place that holds true states, and the only one that changes them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kingsbridge.pyengine import (
    SPECTATOR,
    Dealer,
    GameRecord,
    InformationSet,
    ParseError,
    State,
    action_text,
    describe,
    new_seed,
    parse_action,
)
from kingsbridge.server.knowledge import censored, knows
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import (
    FieldError,
    RefusedError,
    RequestReusedError,
    StaleRevisionError,
    TooManyGamesError,
)
from kingsbridge.server.store import Entry, GameHead, Store, StoredGame


@dataclass(frozen=True, slots=True)
class NewGame:
    """What is asked for when a game is created. ``seed`` of ``None`` lets the server draw one."""

    game: str
    players: int
    options: Mapping[str, int]
    seed: int | None = field(default=None, repr=False)
    request_id: str = ""

    def made(self, head: GameHead) -> bool:
        """Whether this request could have created that game."""
        return (
            (self.game, self.players) == (head.game, head.players)
            and all(head.options.get(name) == value for name, value in self.options.items())
            and self.seed in (None, head.seed)
        )


@dataclass(frozen=True, slots=True)
class Move:
    """An action that a seat wants to play: by number, or by notation."""

    game_id: str
    seat: int
    action: int | str
    expected_revision: int
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands, as everybody knows. Over, ``seat_to_move`` is -1 and the rest is given."""

    revision: int
    seat_to_move: int
    scores: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Happening:
    """An event as a seat may know it: ``seat`` is -1 for chance, ``action`` is ``None`` if it cannot tell."""

    seat: int
    action: int | None


@dataclass(frozen=True, slots=True)
class Applied:
    """What an action led to, for the seat that played it."""

    status: Status
    info: InformationSet
    happenings: tuple[Happening, ...]


class Session:
    """One game in play. Everything it tells is told to a seat; ``state`` stays within the server."""

    def __init__(self, head: GameHead) -> None:
        self.head = head
        self.lock = asyncio.Lock()
        self.touched = 0.0
        self._record = GameRecord(head.game, head.players, head.options)
        self._dealer = Dealer(head.seed)
        self._ends: list[int] = []  # number of events after each entry
        self._requests: dict[str, int] = {}  # revision that a request led to
        self._known: dict[int, list[bool]] = {}

    @property
    def revision(self) -> int:
        """Number of entries."""
        return len(self._ends)

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self._record.result is not None

    def status(self) -> Status:
        """Where the game stands."""
        return _status(self.revision, self._record.state())

    def information_set(self, seat: int) -> InformationSet:
        """What a seat knows.

        Raises:
            FieldError: no such seat.
        """
        return self._record.state().information_set(self._viewer(seat))

    def deciding(self, seat: int) -> InformationSet:
        """What a seat knows that is to move.

        Raises:
            FieldError: no such seat.
            RefusedError: it is not to move.
        """
        state = self._record.state()
        self._player(seat)
        _check_turn(state, seat)
        return state.information_set(seat)

    def told(self, seat: int) -> tuple[str, bool]:
        """The record as a seat may know it, and whether it is complete. A finished game is open to all.

        Raises:
            FieldError: no such seat.
        """
        viewer = self._viewer(seat)
        text = self._record.text()
        if self.over:
            return text, True
        known = self._known.setdefault(viewer, [])
        played = zip(self._record.states(), self._record.actions, strict=False)
        for number, (state, action) in enumerate(played):
            if number == len(known):
                known.append(knows(state, action, viewer))
        return censored(text, known), all(known)

    def find(self, request_id: str) -> int | None:
        """The revision that an earlier request led to."""
        return self._requests.get(request_id) if request_id else None

    def plan(self, move: Move) -> Entry:
        """The entry that a move leads to; chance is settled, the game is not changed yet.

        An entry that is planned must be added: the dealer has dealt. Drop the session otherwise.

        Raises:
            FieldError: no such seat, or the action cannot be read.
            StaleRevisionError: the move was decided on another revision.
            RefusedError: the seat is not to move, or the action is not legal.
        """
        self._player(move.seat)
        action, text = self._read(move.action)
        if move.expected_revision != self.revision:
            raise StaleRevisionError(self.revision)
        state = self._record.state()
        _check_turn(state, move.seat)
        if not state.is_legal(action):
            raise RefusedError("ILLEGAL_ACTION", text, f"{text} is not legal in this position")
        state.apply(action)
        return Entry((action, *self._dealer.settle(state)), move.request_id)

    def plan_deal(self) -> Entry:
        """The entry that starts the game."""
        return Entry(tuple(self._dealer.settle(self._record.state())))

    def add(self, entry: Entry) -> None:
        """Adds an entry that the store has taken."""
        for action in entry.actions:
            self._record.append(action)
        self._ends.append(len(self._record.actions))
        if entry.request_id:
            self._requests[entry.request_id] = self.revision

    def replay(self, entry: Entry) -> None:
        """Adds an entry of the store to a session built anew: the dealer deals along, to be where it was."""
        state = self._record.state()
        for action in entry.actions:
            if state.is_chance:
                self._dealer.outcome(state)
            state.apply(action)
        self.add(entry)

    def applied(self, move: Move, revision: int) -> Applied:
        """What the move that led to ``revision`` led to, for the seat that played it.

        Raises:
            RequestReusedError: another move led there.
        """
        actions = self._record.actions[self._ends[revision - 2] : self._ends[revision - 1]]
        state = self._before(revision)
        if (state.current_player, actions[0]) != (move.seat, self._read(move.action)[0]):
            raise RequestReusedError
        happenings = []
        for number, action in enumerate(actions):
            if number:
                told = action if knows(state, action, move.seat) else None
                happenings.append(Happening(-1, told))
            state.apply(action)
        return Applied(_status(revision, state), state.information_set(move.seat), tuple(happenings))

    def _before(self, revision: int) -> State:
        state = State.initial(self.head.game, self.head.players, dict(self.head.options))
        for action in self._record.actions[: self._ends[revision - 2]]:
            state.apply(action)
        return state

    def _read(self, action: int | str) -> tuple[int, str]:
        """Number and notation of an action."""
        game = self.head.game
        name = "action_text" if isinstance(action, str) else "action_id"
        try:
            number = parse_action(game, action) if isinstance(action, str) else action
            return number, action_text(game, number)
        except ParseError as error:
            raise FieldError(name, str(error)) from error

    def _player(self, seat: int) -> None:
        if not 0 <= seat < self.head.players:
            raise FieldError("seat", f"must be in 0 .. {self.head.players - 1}")

    def _viewer(self, seat: int) -> int:
        if seat == -1:
            return SPECTATOR
        if not 0 <= seat < self.head.players:
            raise FieldError("seat", f"must be in 0 .. {self.head.players - 1}, or -1 for a spectator")
        return seat


class Sessions:
    """All games in play, over a store that keeps them."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        seed: Callable[[], int] = new_seed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``seed`` draws the seed of chance of a game whose creator gives none."""
        self._store = store
        self._limits = limits
        self._seed = seed
        self._clock = clock
        self._live: dict[str, Session] = {}  # least recently used first
        self._finished: dict[str, None] = {}  # those of them that are over, in the order of their ends

    async def create(self, new: NewGame) -> Session:
        """A new game, dealt; or the one that the same request created before.

        Raises:
            UnknownGameError: no such game.
            FieldError, OptionError: the number of players, an option.
            RequestReusedError: the request id created another game.
            TooManyGamesError: no place is left.
        """
        session = self._dealt(new)
        deal = session.plan_deal()
        game_id = await self._store.create(session.head, deal)
        if game_id == session.head.game_id:
            session.add(deal)
            self._live[game_id] = session
            await self._make_room(game_id)
        session = await self.get(game_id)
        if not new.made(session.head):
            raise RequestReusedError
        return session

    async def get(self, game_id: str) -> Session:
        """A game.

        Raises:
            GameNotFoundError: no such game.
        """
        session = self._live.pop(game_id, None)
        if session is None:
            session = _revived(await self._store.load(game_id))
        session.touched = self._clock()
        self._live[game_id] = session
        return session

    async def apply(self, move: Move) -> Applied:
        """Plays a move and lets chance settle what follows; a request id that was seen plays nothing again.

        Raises:
            GameNotFoundError: no such game.
            FieldError, StaleRevisionError, RefusedError: as ``Session.plan``.
            RequestReusedError: the request id played another move.
        """
        session = await self.get(move.game_id)
        async with session.lock:
            revision = session.find(move.request_id)
            if revision is None:
                await self._add(session, move)
                revision = session.revision
                if session.over:
                    self._finished[move.game_id] = None
            return session.applied(move, revision)

    async def _add(self, session: Session, move: Move) -> None:
        entry = session.plan(move)
        try:
            await self._store.append(move.game_id, session.revision, entry)
        except BaseException:
            # Whether it was kept is unknown, and the dealer has moved on: the next call builds it anew.
            self._live.pop(move.game_id, None)
            raise
        session.add(entry)

    def _dealt(self, new: NewGame) -> Session:
        info = describe(new.game)
        if not info.min_players <= new.players <= info.max_players:
            raise FieldError("players", f"must be in {info.min_players} .. {info.max_players}")
        record = GameRecord(new.game, new.players, new.options)
        head = GameHead(
            game_id=secrets.token_urlsafe(16),
            game=new.game,
            players=new.players,
            options=record.options,
            engine_version=record.engine_version,
            rules_hash=record.rules_hash,
            seed=self._seed() if new.seed is None else new.seed,
            request_id=new.request_id,
        )
        return Session(head)

    async def _make_room(self, newest: str) -> None:
        """Lets a finished or forgotten game go if there are too many; if none is, the newest goes."""
        if len(self._live) <= self._limits.games:
            return
        game_id = next(iter(self._finished), None) or next(iter(self._live))
        forgotten = self._live[game_id].touched < self._clock() - self._limits.idle_seconds
        refused = not (game_id in self._finished or forgotten)
        await self._forget(newest if refused else game_id)
        if refused:
            raise TooManyGamesError(
                f"the server holds {self._limits.games} games, all being played: try again later"
            )

    async def _forget(self, game_id: str) -> None:
        self._live.pop(game_id, None)
        self._finished.pop(game_id, None)
        await self._store.delete(game_id)


def seat_to_move(state: State) -> int:
    """The seat to decide, or -1 if nobody is."""
    return -1 if state.is_chance or state.is_terminal else state.current_player


def _check_turn(state: State, seat: int) -> None:
    if state.is_terminal:
        raise RefusedError("GAME_OVER", "game", "the game is over")
    if state.current_player != seat:
        raise RefusedError(
            "NOT_YOUR_TURN", f"seat {seat}", f"seat {state.current_player} is to move, not seat {seat}"
        )


def _status(revision: int, state: State) -> Status:
    if not state.is_terminal:
        return Status(revision, seat_to_move(state))
    ranks = state.ranks()
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    return Status(revision, -1, state.scores(), places)


def _revived(stored: StoredGame) -> Session:
    session = Session(stored.head)
    for entry in stored.entries:
        session.replay(entry)
    return session
