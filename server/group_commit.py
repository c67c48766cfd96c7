"""Group commit: changes that wait are made in one transaction, as a disk syncs many as fast as one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from kingsbridge.server.database import failure, unreachable
from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, StaleSeatError, StoreError

GROUP = 256
"""Most changes of one transaction."""

_REFUSALS = (GameNotFoundError, StaleRevisionError, StaleSeatError)
_UNKNOWN = (
    "the games did not answer: it is not known whether the change was kept, ask with the same request id"
)

T = TypeVar("T")
Lock = Callable[[sa.Connection, Sequence[str]], None]
"""Keeps other processes from changing games until the transaction ends."""


@dataclass(slots=True)
class _Change(Generic[T]):
    """``key`` is the id of the game that is changed, or the name of what is made."""

    key: str
    on_game: bool
    make: Callable[[sa.Connection], T]
    done: Future[T] = field(default_factory=Future)
    tell: Callable[[], None] = lambda: None
    """Tells the caller what is now so."""

    def run(self, connection: sa.Connection) -> None:
        """Makes the change, or finds why it is refused."""
        try:
            self.tell = partial(self.done.set_result, self.make(connection))
        except _REFUSALS as refusal:
            self.tell = partial(self.done.set_exception, refusal)


class GroupCommit:
    """Makes changes in a thread of its own, in as few transactions as there are waits."""

    def __init__(self, engine: sa.Engine, lock: Lock) -> None:
        self._engine = engine
        self._lock = lock
        self._waiting: deque[_Change[Any]] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-write")

    async def make(self, key: str, make: Callable[[sa.Connection], T]) -> T:
        """What ``make`` returns, when it is committed. It makes something new of a name, ``key``.

        ``make`` may run more than once, of which one is kept. If it raises a refusal it has changed nothing.
        Cancelled, the change is made or not.

        Raises:
            StoreError: the database does not answer, or this is closed.
        """
        return await self._queue(_Change(key, on_game=False, make=make))

    async def change(self, game_id: str, make: Callable[[sa.Connection], T]) -> T:
        """As ``make``, but it changes a game, if that is there. Changes of one game keep their order."""
        return await self._queue(_Change(game_id, on_game=True, make=make))

    def close(self) -> None:
        """Makes the changes that wait, and ends."""
        self._thread.shutdown()

    async def _queue(self, change: _Change[T]) -> T:
        self._waiting.append(change)
        try:
            self._thread.submit(self._take)
        except RuntimeError:
            raise StoreError("the games are closed: the server stops") from None
        return await asyncio.wrap_future(change.done)

    def _take(self) -> None:
        """Commits what waits; for those that were taken along with an earlier one nothing is left to do."""
        group = [self._waiting.popleft() for _ in range(min(GROUP, len(self._waiting)))]
        group = [change for change in group if change.done.set_running_or_notify_cancel()]
        if not group:
            return
        try:
            self._commit(group)
        except StoreError as error:
            for change in group:
                change.done.set_exception(error)
        except Exception:
            # One is at fault, and took the others with it: alone, each meets its own fate.
            for change in group:
                self._commit_alone(change)

    def _commit_alone(self, change: _Change[Any]) -> None:
        try:
            self._commit([change])
        except Exception as error:
            change.done.set_exception(failure(error))

    def _commit(self, group: list[_Change[Any]]) -> None:
        """Makes all changes and tells their callers; or raises, and nothing was changed.

        Raises:
            StoreError: the database does not answer, or it is not known whether they were kept.
        """
        with ExitStack() as stack:
            try:
                connection = stack.enter_context(self._engine.connect())
                transaction = connection.begin()
            except exc.DBAPIError as error:
                raise unreachable() from error
            self._make_all(connection, group)
            try:
                transaction.commit()
            except Exception as error:
                connection.invalidate()  # its transaction may still be open
                raise StoreError(_UNKNOWN) from error
        for change in group:
            change.tell()

    def _make_all(self, connection: sa.Connection, group: list[_Change[Any]]) -> None:
        """Everybody makes names first, in order, then locks games, in order: nobody waits in a ring."""
        for change in sorted((each for each in group if not each.on_game), key=lambda each: each.key):
            change.run(connection)
        on_games = sorted((each for each in group if each.on_game), key=lambda each: each.key)
        if on_games:
            self._lock(connection, [change.key for change in on_games])
        for change in on_games:
            change.run(connection)
