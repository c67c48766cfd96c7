"""All games in play, over the store that keeps them: the only place that changes a game."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from itertools import islice
from math import inf
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from kingsbridge.pyengine import GameRecord, describe, new_seed
from kingsbridge.server.bot_settings import BotSettings
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import (
    FieldError,
    GameNotFoundError,
    RefusedError,
    RequestReusedError,
    StaleRevisionError,
    StaleSeatError,
    TooManyGamesError,
)
from kingsbridge.server.session import Applied, Move, NewGame, Session, revived
from kingsbridge.server.store import FOREVER, GameHead, Seat, Store

REPEAT_SECONDS = 600
"""How long the request that created a game may be repeated."""

LOOKED_AT = 8
"""How many games are looked at, whether they can leave memory, when one comes in."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Sessions:
    """The games of a server: those that are looked at or played in memory, the others in the store alone."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        seed: Callable[[], int] = new_seed,
        clock: Callable[[], float] = time.time,
        name: Callable[[], str] = lambda: secrets.token_urlsafe(16),
    ) -> None:
        """``seed`` draws the seed of chance of a game whose creator gives none; ``clock`` gives Unix time;
        ``name`` draws the ids of games, which nobody may guess.
        """
        self._store = store
        self._limits = limits
        self._seed = seed
        self._clock = clock
        self._name = name
        self._live: dict[str, Session] = {}  # least recently used first
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # those in use
        self._working: set[asyncio.Task[Any]] = set()
        self._looked: dict[str, float] = {}  # when somebody asked for a game last
        self._places = 0  # games that can be created at least before the store is full
        self.on_change: Callable[[Session], None] = lambda _: None
        """Called after each change of a game or its seats."""

    async def create(self, new: NewGame) -> Session:
        """A new game, dealt; or the one that the same request created before.

        Raises:
            UnknownGameError: no such game.
            FieldError, OptionError: the number of players, an option, a bot's seat.
            RequestReusedError: the request id created another game, or created one long ago.
            TooManyGamesError: no place is left.
        """
        session = self._dealt(new)
        deal = session.plan_deal()
        await self._make_room()
        seats = [session.seat(number) for number in range(-1, new.players)]
        game_id = await self._store.create(session.head, deal, seats)
        if game_id != session.head.game_id:
            return await self._repeated(new, game_id)
        session.add(deal)
        self._keep(session)
        self.on_change(session)
        return session

    async def get(self, game_id: str) -> Session:
        """A game, as it is in the store.

        Raises:
            GameNotFoundError: no such game.
            RulesChangedError: it was begun by other rules.
        """
        session = self._live.get(game_id)
        if session is None or self._store.shared:
            async with self._lock(game_id):
                return await self._current(game_id)
        self._keep(session)
        return session

    async def apply(self, move: Move, session: Session | None = None) -> Applied:
        """Plays a move and lets chance settle what follows; a request id that was seen plays nothing again.

        ``session``: the game as ``get`` has just given it, which then is not asked for again.

        Raises:
            GameNotFoundError: no such game.
            FieldError, StaleRevisionError, RefusedError: as ``Session.plan``.
            RequestReusedError: the request id played another move.
        """
        played, revision = await self._played(move, session)
        return played.applied(move, revision)

    async def play(self, move: Move) -> None:
        """As ``apply``, for whoever does not ask what it led to.

        Raises:
            GameNotFoundError, FieldError, StaleRevisionError, RefusedError: as ``apply``.
        """
        await self._played(move)

    async def take_over(self, game_id: str, seat: int, settings: BotSettings) -> Session:
        """Lets a bot play a seat.

        Raises:
            GameNotFoundError: no such game.
            FieldError: no such seat.
            RefusedError: the game is over.
            StaleSeatError: somebody else changed the seat at the same time.
        """
        session = await self.get(game_id)
        session.player(seat)
        if session.over:
            raise RefusedError("GAME_OVER", "game", "the game is over")
        session, _ = await self._change_seat(session, seat, lambda held: replace(held, bot=settings.text()))
        return session

    async def give_back(self, game_id: str, seat: int) -> Session:
        """Lets a person play a seat that a bot plays.

        Raises:
            GameNotFoundError, FieldError, StaleSeatError: as ``take_over``.
            RefusedError: no bot plays it.
        """
        session = await self.get(game_id)
        if session.settings(session.player(seat)) is None:
            raise RefusedError("NO_BOT", f"seat {seat}", f"no bot plays seat {seat}")
        session, _ = await self._change_seat(session, seat, lambda held: replace(held, bot=""))
        return session

    async def renew(self, game_id: str, seat: int, request_id: str = "") -> Seat:
        """Begins a new epoch of a seat, or of the spectators: tokens of earlier ones are void. The request
        that began the present one begins no other. Returns the seat with that epoch, of which others may
        have begun a later one since.

        Raises:
            GameNotFoundError, FieldError, StaleSeatError: as ``take_over``.
        """
        try:
            return await self._renew(game_id, seat, request_id)
        except StaleSeatError:
            if not request_id:
                raise
        # The same request may have been kept meanwhile, as in ``apply``.
        return await self._renew(game_id, seat, request_id)

    @property
    def live(self) -> int:
        """How many games are in memory."""
        return len(self._live)

    async def with_bots(self, since: int = 0, before: int = FOREVER) -> list[str]:
        """As ``Store.running``: the games in which servers play a seat."""
        return await self._store.running(since, before)

    async def count(self) -> int:
        """How many games are kept."""
        return await self._store.count()

    async def sweep(self) -> int:
        """Deletes games that nobody has asked for or played for too long; returns how many."""
        running = self._clock() - self._limits.idle_seconds
        finished = self._clock() - self._limits.finished_seconds
        old = [
            *((game_id, running) for game_id in await self._store.idle(int(running), 0)),
            *((game_id, finished) for game_id in await self._store.idle(0, int(finished))),
        ]
        deleted = sum([await self._delete(game_id, since) for game_id, since in old])
        forgotten = min(running, finished)
        self._looked = {game_id: at for game_id, at in self._looked.items() if at >= forgotten}
        return deleted

    def release(self) -> None:
        """Wakes all who wait for a change: the server stops."""
        for session in self._live.values():
            session.changed()

    async def _played(self, move: Move, session: Session | None = None) -> tuple[Session, int]:
        """The game with the move, and the revision that the move led to."""
        if session is None:
            session = await self.get(move.game_id)
        try:
            return await self._play(move, session)
        except StaleRevisionError:
            # The same request may have been kept meanwhile: by a call given up, or by another server.
            if not move.request_id:
                raise
        except StaleSeatError:
            pass  # another server has given the seat to somebody else: who has it now is told anew
        return await self._play(move, await self.get(move.game_id))

    async def _play(self, move: Move, session: Session) -> tuple[Session, int]:
        async def play() -> tuple[Session, int]:
            game = await self._still(session)
            revision = game.find(move.request_id)
            if revision is None:
                await self._add(game, move)
                revision = game.revision
            self.on_change(game)
            return game, revision

        return await self._alone(move.game_id, play)

    async def _renew(self, game_id: str, seat: int, request_id: str) -> Seat:
        def renewed(held: Seat) -> Seat:
            if request_id and held.renewal == request_id:
                return held
            return replace(held, epoch=held.epoch + 1, renewal=request_id)

        _, changed = await self._change_seat(await self.get(game_id), seat, renewed)
        return changed

    async def _change_seat(
        self, session: Session, seat: int, change: Callable[[Seat], Seat]
    ) -> tuple[Session, Seat]:
        """The game, and the seat as this change has made it."""

        async def change_seat() -> tuple[Session, Seat]:
            game = await self._still(session)
            held = game.seat(seat)
            changed = change(held)
            if changed != held:
                await self._keep_seat(game, changed, held)
            self.on_change(game)
            return game, changed

        return await self._alone(session.head.game_id, change_seat)

    async def _keep_seat(self, session: Session, changed: Seat, held: Seat) -> None:
        try:
            await self._store.seat(session.head.game_id, changed, held, now=int(self._clock()))
        except BaseException:
            self._drop(session)
            raise
        session.set_seat(changed)

    async def _add(self, session: Session, move: Move) -> None:
        entry, over = session.plan(move)
        by, now = session.seat(move.seat), int(self._clock())
        try:
            await self._store.append(move.game_id, session.revision, entry, by=by, over=over, now=now)
        except BaseException:
            # Whether it was kept is unknown, and the dealer has moved on: the next call builds it anew.
            self._drop(session)
            raise
        session.add(entry)
        self._keep(session)

    async def _alone(self, game_id: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What ``work`` makes of a game, while nobody else changes it or reads it from the store.

        What has begun comes to its end though the caller is cancelled: else the game could be read again
        before the store has kept what it was asked to, and would be looked at as it was before.
        """
        lock = self._lock(game_id)
        await lock.acquire()
        working = asyncio.create_task(_releasing(lock, work))
        self._working.add(working)
        working.add_done_callback(self._working.discard)
        try:
            await asyncio.wait({working})  # not ``shield``, which leaves an error to the loop's handler
        except asyncio.CancelledError:
            working.add_done_callback(_unheard)
            raise
        return working.result()

    def _lock(self, game_id: str) -> asyncio.Lock:
        """Whoever changes a game holds it, and whoever reads it from the store: what is read is not older
        than what was changed or read before, and there are no two objects of one game.
        """
        return self._locks.setdefault(game_id, asyncio.Lock())

    async def _current(self, game_id: str) -> Session:
        """The game, as it is in the store, for who holds its lock."""
        session = self._live.get(game_id)
        if session is None:
            session = revived(await self._store.load(game_id))
        elif self._store.shared:
            await self._refresh(session)
        self._keep(session)
        return session

    async def _still(self, session: Session) -> Session:
        """This object, or the game's if it was dropped meanwhile; for who holds the lock."""
        game_id = session.head.game_id
        return session if self._live.get(game_id) is session else await self._current(game_id)

    async def _refresh(self, session: Session) -> None:
        """Brings a session up to what other servers have added."""
        try:
            news = await self._store.news(session.head.game_id, session.revision)
        except GameNotFoundError:
            self._drop(session)
            raise
        for entry in news.entries:
            session.replay(entry)
        for seat in news.seats:
            session.set_seat(seat)

    async def _repeated(self, new: NewGame, game_id: str) -> Session:
        session = await self.get(game_id)
        if not new.made(session.head) or self._clock() > session.head.created + REPEAT_SECONDS:
            raise RequestReusedError
        self.on_change(session)  # the call that created it may have been given up before it told
        return session

    def _dealt(self, new: NewGame) -> Session:
        info = describe(new.game)
        if not info.min_players <= new.players <= info.max_players:
            raise FieldError("players", f"must be in {info.min_players} .. {info.max_players}")
        for number in new.bots:
            if not 0 <= number < new.players:
                raise FieldError("bots.seat", f"must be in 0 .. {new.players - 1}")
        record = GameRecord(new.game, new.players, new.options)
        head = GameHead(
            game_id=self._name(),
            game=new.game,
            players=new.players,
            options=record.options,
            engine_version=record.engine_version,
            rules_hash=record.rules_hash,
            seed=self._seed() if new.seed is None else new.seed,
            request_id=new.request_id,
            created=int(self._clock()),
        )
        bots = {number: settings.text() for number, settings in new.bots.items()}
        return Session(head, [Seat(number, bot=bots.get(number, "")) for number in range(-1, new.players)])

    async def _make_room(self) -> None:
        """Deletes a finished or forgotten game, the longest untouched one, if there is no place.

        Raises:
            TooManyGamesError: all are being played.
        """
        if self._places > 0 and not self._store.shared:
            self._places -= 1
            return
        self._places = self._limits.games - await self._store.count() - 1
        if self._places >= 0:
            return
        running = self._clock() - self._limits.idle_seconds
        finished = [(game_id, inf) for game_id in await self._store.idle(0, int(self._clock()) + 1)]
        old = finished or [(game_id, running) for game_id in await self._store.idle(int(running), 0)]
        for game_id, since in old:
            if await self._delete(game_id, since):
                return
        raise TooManyGamesError(
            f"the server holds {self._limits.games} games, all being played: try again later"
        )

    def _keep(self, session: Session) -> None:
        """Makes this object the game's, and the one that was used last."""
        game_id = session.head.game_id
        other = self._live.pop(game_id, session)
        if other is not session:
            other.changed()
        self._live[game_id] = session
        self._looked[game_id] = self._clock()
        for other in list(islice(self._live.values(), LOOKED_AT)):
            if len(self._live) <= self._limits.live_games:
                return
            if other.awaited or other is session:
                self._live[other.head.game_id] = self._live.pop(other.head.game_id)
            else:
                self._drop(other)

    def _drop(self, session: Session) -> None:
        """Lets the next call build the game anew, and those who wait to change this object."""
        if self._live.get(session.head.game_id) is session:
            del self._live[session.head.game_id]
        session.changed()

    async def _delete(self, game_id: str, since: float) -> bool:
        """Deletes a game, if nobody has asked for it since; whether it did."""

        async def delete() -> bool:
            if self._looked.get(game_id, 0.0) >= since:
                return False
            await self._store.delete(game_id)
            self._looked.pop(game_id, None)
            session = self._live.get(game_id)
            if session is not None:
                self._drop(session)
            return True

        return await self._alone(game_id, delete)


async def _releasing(lock: asyncio.Lock, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What ``work`` makes; then the lock is free."""
    try:
        return await work()
    finally:
        lock.release()


def _unheard(working: asyncio.Task[Any]) -> None:
    """Says what failed when nobody was there to be told."""
    error = None if working.cancelled() else working.exception()
    if error is not None:
        _log.warning("a change whose caller had gone failed: %s", type(error).__name__)
