"""A store that keeps games in a database: SQLite for one server process, PostgreSQL for several."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from kingsbridge.pyengine import seed_bytes
from kingsbridge.server.database import READERS, Database, Durability, open_database
from kingsbridge.server.group_commit import GroupCommit
from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, StaleSeatError, StoreError
from kingsbridge.server.schema import entries, games, has_bot, seats, secrets
from kingsbridge.server.store import FOREVER, Entry, GameHead, News, Seat, StoredGame

Insert = sqlite.Insert | postgresql.Insert
T = TypeVar("T")


def _adding(insert: Insert, *, by: bool) -> Insert:
    """Adds an entry, if the one before it is the last and, with ``by``, the seat is played by that bot."""
    before = entries.alias()
    there = (before.c.game_id == sa.bindparam("game_id")) & (
        before.c.revision == sa.bindparam("revision") - 1
    )
    row = [sa.bindparam(column.name, type_=column.type) for column in entries.c]
    source = sa.select(*row).where(sa.exists().where(there))
    if by:
        seat = (seats.c.game_id == sa.bindparam("game_id")) & (seats.c.seat == sa.bindparam("seat"))
        source = source.where(sa.exists().where(seat & (seats.c.bot == sa.bindparam("bot"))))
    return insert.from_select(list(entries.c), source).on_conflict_do_nothing()


# Made once: an entry is added far more often than all else happens.
_ADD_ENTRY = {
    (dialect, by): _adding(insert(entries), by=by)
    for dialect, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
    for by in (False, True)
}
_TOUCH = sa.update(games).where(games.c.game_id == sa.bindparam("id")).values(touched=sa.bindparam("now"))
_FINISH = _TOUCH.values(over=True)


def open_store(url: str, *, durability: Durability = "full") -> SqlStore:
    """The store at ``sqlite:///PATH`` or ``postgresql://USER@HOST/NAME``.

    Blocks until the database has the present schema.

    Raises:
        StoreError: as ``open_database``.
    """
    return SqlStore(open_database(url, durability))


class SqlStore:
    """A store over a database. Changes are committed when a method returns."""

    def __init__(self, database: Database) -> None:
        """The database is closed with the store."""
        self._database = database
        self._changes = GroupCommit(database.writer, _lock_games)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")

    @property
    def shared(self) -> bool:
        """As ``Store.shared``."""
        return self._database.shared

    async def create(self, head: GameHead, deal: Entry, seats: Sequence[Seat]) -> str:
        """As ``Store.create``."""
        rows = _NewRows(head, deal, seats)
        return await self._changes.make(f"request {head.request_id}", rows.insert)

    async def load(self, game_id: str) -> StoredGame:
        """As ``Store.load``."""
        return await self._read(partial(_load, game_id=game_id))

    async def news(self, game_id: str, after: int) -> News:
        """As ``Store.news``."""
        return await self._read(partial(_news, game_id=game_id, after=after))

    async def append(
        self,
        game_id: str,
        revision: int,
        entry: Entry,
        *,
        by: Seat | None = None,
        over: bool = False,
        now: int,
    ) -> None:
        """As ``Store.append``."""
        row = _entry_row(game_id, revision + 1, entry)
        await self._changes.change(game_id, partial(_append, row=row, by=by, over=over, now=now))

    async def seat(self, game_id: str, seat: Seat, expected: Seat, *, now: int) -> None:
        """As ``Store.seat``."""
        await self._changes.change(
            game_id, partial(_change_seat, game_id=game_id, seat=seat, expected=expected, now=now)
        )

    async def delete(self, game_id: str) -> None:
        """As ``Store.delete``."""
        statement = sa.delete(games).where(games.c.game_id == game_id)
        await self._changes.change(game_id, lambda connection: _changes(connection, statement))

    async def running(self, since: int = 0, before: int = FOREVER) -> list[str]:
        """As ``Store.running``."""
        with_bots = sa.select(seats.c.game_id).where(has_bot)
        changed = (games.c.touched >= since) & (games.c.touched < before)
        statement = sa.select(games.c.game_id).where(~games.c.over, changed, games.c.game_id.in_(with_bots))
        return await self._read(partial(_ids, statement=statement))

    async def idle(self, running_before: int, finished_before: int) -> list[str]:
        """As ``Store.idle``."""
        running = ~games.c.over & (games.c.touched < running_before)
        finished = games.c.over & (games.c.touched < finished_before)
        statement = sa.select(games.c.game_id).where(running | finished).order_by(games.c.touched)
        return await self._read(partial(_ids, statement=statement))

    async def count(self) -> int:
        """As ``Store.count``."""
        return await self._read(_count)

    async def secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """As ``Store.secret``."""
        found = await self._read(partial(_secret, name=name))
        if found is not None:
            return found
        return await self._changes.make(f"secret {name}", partial(_keep_secret, name=name, value=make()))

    async def close(self) -> None:
        """As ``Store.close``."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._changes.close()
        self._readers.shutdown()
        self._database.close()

    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            reading = self._readers.submit(self._database.read, work)
        except RuntimeError:
            raise StoreError("the games are closed: the server stops") from None
        return await asyncio.wrap_future(reading)


class _NewRows:
    """The rows of a new game."""

    def __init__(self, head: GameHead, deal: Entry, seats: Sequence[Seat]) -> None:
        self.game = {
            "game_id": head.game_id,
            "game": head.game,
            "players": head.players,
            "options": dict(head.options),
            "engine_version": head.engine_version,
            "rules_hash": head.rules_hash,
            "seed": seed_bytes(head.seed),
            "request_id": head.request_id or None,
            "created": head.created,
            "touched": head.created,
            "over": False,
        }
        self.deal = _entry_row(head.game_id, 1, deal)
        self.seats = [
            {
                "game_id": head.game_id,
                "seat": seat.number,
                "epoch": seat.epoch,
                "bot": seat.bot,
                "renewal": seat.renewal,
            }
            for seat in seats
        ]

    def insert(self, connection: sa.Connection) -> str:
        """Inserts them and returns the id, or that of the game that is there already."""
        while not _changes(connection, _insert(connection, games).values(self.game).on_conflict_do_nothing()):
            older = self._older(connection)
            if older is not None:  # else it was deleted between the two statements
                return older
        connection.execute(sa.insert(entries), self.deal)
        if self.seats:
            connection.execute(sa.insert(seats), self.seats)
        return str(self.game["game_id"])

    def _older(self, connection: sa.Connection) -> str | None:
        same_id = games.c.game_id == self.game["game_id"]
        same_request = games.c.request_id == (self.game["request_id"] or "")  # no game has an empty one
        statement = sa.select(games.c.game_id).where(same_id | same_request).order_by(same_id).limit(1)
        return connection.scalar(statement)


def _entry_row(game_id: str, revision: int, entry: Entry) -> dict[str, str | int | bytes]:
    return {
        "game_id": game_id,
        "revision": revision,
        "actions": _packed(entry.actions),
        "request_id": entry.request_id,
    }


def _load(connection: sa.Connection, game_id: str) -> StoredGame:
    game = connection.execute(sa.select(games).where(games.c.game_id == game_id)).one_or_none()
    if game is None:
        raise _not_found()
    news = _news(connection, game_id, 0)
    return StoredGame(_head(game), news.entries, news.seats)


def _news(connection: sa.Connection, game_id: str, after: int) -> News:
    added = connection.execute(
        sa.select(entries.c.actions, entries.c.request_id)
        .where(entries.c.game_id == game_id, entries.c.revision > after)
        .order_by(entries.c.revision)
    ).all()
    seated = connection.execute(
        sa.select(seats.c.seat, seats.c.epoch, seats.c.bot, seats.c.renewal)
        .where(seats.c.game_id == game_id)
        .order_by(seats.c.seat)
    ).all()
    if not added and not seated:
        _revision(connection, game_id)  # raises if the game is gone
    return News(
        tuple(Entry(_unpacked(actions), request_id) for actions, request_id in added),
        tuple(Seat(*seat) for seat in seated),
    )


def _head(game: sa.Row[tuple[object, ...]]) -> GameHead:
    return GameHead(
        game_id=game.game_id,
        game=game.game,
        players=game.players,
        options=game.options,
        engine_version=game.engine_version,
        rules_hash=game.rules_hash,
        seed=int.from_bytes(game.seed, "big"),
        created=game.created,
        request_id=game.request_id or "",
    )


def _append(
    connection: sa.Connection, row: dict[str, str | int | bytes], *, by: Seat | None, over: bool, now: int
) -> None:
    held: dict[str, str | int | bytes] = {} if by is None else {"seat": by.number, "bot": by.bot}
    if not _changes(connection, _ADD_ENTRY[connection.dialect.name, by is not None], row | held):
        revision = _revision(connection, str(row["game_id"]))
        raise StaleSeatError if revision + 1 == row["revision"] else StaleRevisionError(revision)
    connection.execute(_FINISH if over else _TOUCH, {"id": row["game_id"], "now": now})


def _revision(connection: sa.Connection, game_id: str) -> int:
    """The revision of a game.

    Raises:
        GameNotFoundError: no such game.
    """
    last = sa.select(sa.func.max(entries.c.revision)).where(entries.c.game_id == game_id)
    revision: int | None = connection.scalar(last)
    if revision is None:
        raise _not_found()
    return revision


def _change_seat(connection: sa.Connection, game_id: str, seat: Seat, expected: Seat, *, now: int) -> None:
    statement = sa.update(seats).where(
        seats.c.game_id == game_id,
        seats.c.seat == seat.number,
        seats.c.seat == expected.number,
        seats.c.epoch == expected.epoch,
        seats.c.bot == expected.bot,
        seats.c.renewal == expected.renewal,
    )
    if not _changes(connection, statement.values(epoch=seat.epoch, bot=seat.bot, renewal=seat.renewal)):
        _revision(connection, game_id)
        raise StaleSeatError
    connection.execute(_TOUCH, {"id": game_id, "now": now})


def _ids(connection: sa.Connection, statement: sa.Select[tuple[str]]) -> list[str]:
    return list(connection.scalars(statement))


def _count(connection: sa.Connection) -> int:
    return connection.scalar(sa.select(sa.func.count()).select_from(games)) or 0


def _secret(connection: sa.Connection, name: str) -> bytes | None:
    value: bytes | None = connection.scalar(sa.select(secrets.c.value).where(secrets.c.name == name))
    return value


def _keep_secret(connection: sa.Connection, name: str, value: bytes) -> bytes:
    connection.execute(_insert(connection, secrets).values(name=name, value=value).on_conflict_do_nothing())
    return _secret(connection, name) or value


def _lock_games(connection: sa.Connection, game_ids: Sequence[str]) -> None:
    """Has games to itself until the transaction ends. One of SQLite has all of them from its begin."""
    if connection.dialect.name != "sqlite":
        chosen = sa.select(games.c.game_id).where(games.c.game_id.in_(game_ids))
        connection.execute(chosen.order_by(games.c.game_id).with_for_update())


def _insert(connection: sa.Connection, table: sa.Table) -> Insert:
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def _changes(
    connection: sa.Connection, statement: sa.UpdateBase, row: dict[str, str | int | bytes] | None = None
) -> int:
    """Executes a statement and returns how many rows it has changed."""
    return connection.execute(statement, row, execution_options={"preserve_rowcount": True}).rowcount


def _packed(actions: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(actions)}I", *actions)


def _unpacked(actions: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(actions) // 4}I", actions)


def _not_found() -> GameNotFoundError:
    return GameNotFoundError("there is no game of this id")
