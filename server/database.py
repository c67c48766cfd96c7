"""The database that keeps games: opened, migrated, and closed again. SQLite or PostgreSQL."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

import sqlalchemy as sa
from sqlalchemy import event, exc

from kingsbridge.server import migrations
from kingsbridge.server.refusals import StoreError

Durability = Literal["full", "normal"]
"""What SQLite loses nothing by: "normal" a process that is killed, "full" also power that fails.

PostgreSQL does as its own settings say.
"""
READERS = 4
"""Reads that go on at a time."""
BUSY_SECONDS = 5
"""How long SQLite waits for a tool from outside that locks the file."""
NETWORK = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""After how many seconds (the last: milliseconds) a PostgreSQL server that is silent counts as lost."""

_FORMS = "sqlite:///PATH or postgresql://USER@HOST/NAME"
_DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "sqlite+pysqlite": "sqlite+pysqlite",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}

T = TypeVar("T")


class Database:
    """An open database of the present schema. Its methods block; they may be called from any thread."""

    def __init__(self, writer: sa.Engine, reader: sa.Engine, *, shared: bool, resources: ExitStack) -> None:
        """``writer`` has one connection, ``reader`` as many as ``READERS``; ``resources`` are closed at last.

        Transactions of ``reader`` see the database as it is at their begin.
        """
        self.writer = writer
        self.shared = shared
        self._reader = reader
        self._resources = resources

    def read(self, work: Callable[[sa.Connection], T]) -> T:
        """What ``work`` finds in a transaction. Where the connection is lost it is done once more.

        Raises:
            StoreError: the database does not answer.
        """
        try:
            return self._read(work)
        except exc.DBAPIError as error:
            if not error.connection_invalidated:
                raise failure(error) from error
        try:
            return self._read(work)
        except exc.DBAPIError as error:
            raise failure(error) from error

    def close(self) -> None:
        """Lets the database go. Nothing may be under way."""
        self._resources.close()

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        with self._reader.begin() as connection:
            return work(connection)


def failure(error: Exception) -> Exception:
    """What an error becomes by which nothing was changed: a refusal, or itself if a statement is at fault."""
    lost = isinstance(error, exc.DBAPIError) and error.connection_invalidated
    if lost or isinstance(error, (exc.OperationalError, exc.InterfaceError, exc.InternalError)):
        return unreachable()
    return error


def unreachable() -> StoreError:
    """What a caller is told when the database does not answer and nothing was changed."""
    return StoreError("the games cannot be reached at present: nothing was changed, try again later")


def open_database(url: str, durability: Durability = "full") -> Database:
    """Opens a database and brings it to the present schema; one of SQLite is made if there is none.

    Raises:
        StoreError: the url says no place, it cannot be opened, another process has it, or it is of a newer
            program. The text is one line without a password.
    """
    place = _parsed(url)
    with ExitStack() as resources, _opening(place):
        if place.get_backend_name() == "sqlite":
            return _open_sqlite(place, durability, resources)
        return _open_postgresql(place, resources)


def check_database(url: str) -> None:
    """Finds out whether a database could be opened, and changes nothing.

    Raises:
        StoreError: as ``open_database``.
    """
    place = _parsed(url)
    with ExitStack() as resources, _opening(place):
        if place.get_backend_name() == "sqlite":
            _check_sqlite(Path(str(place.database)))
        else:
            with _postgresql(place, resources, 1, "READ COMMITTED").begin() as connection:
                migrations.check(connection)


@contextmanager
def _opening(place: sa.URL) -> Iterator[None]:
    """Makes one clear refusal of all that can go wrong."""
    try:
        yield
    except ImportError:
        raise StoreError("PostgreSQL needs a driver: pip install 'kingsbridge[postgres]'") from None
    except (exc.SQLAlchemyError, OSError) as error:
        raise StoreError(f"{_name(place)} cannot be opened: {_reason(error, place)}") from None


def _check_sqlite(path: Path) -> None:
    wanted = path if path.exists() else path.parent
    if not wanted.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if not os.access(wanted, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if Path(f"{path}.lock").exists():
        with _locked(path):
            pass


def _parsed(url: str) -> sa.URL:
    try:
        place = sa.make_url(url)
        place = place.set(drivername=_DRIVERS[place.drivername])
    except (exc.ArgumentError, ValueError, LookupError):
        raise StoreError(f"the place of the games is not of the form {_FORMS}") from None
    if "@" in (place.host or ""):
        raise StoreError("the place of the games has more than one @: write %40 for one in a password")
    if place.get_backend_name() == "sqlite" and (
        place.database in (None, "", ":memory:") or place.query or place.host
    ):
        raise StoreError("SQLite keeps games in a file, and takes no parameters: sqlite:///PATH")
    return place


def _name(place: sa.URL) -> str:
    if place.get_backend_name() == "sqlite":
        return str(place.database)
    return f"the PostgreSQL database {place.database or ''} on {place.host or 'this machine'}"


def _reason(error: Exception, place: sa.URL) -> str:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    text = (cause.strerror or "") if isinstance(cause, OSError) else str(cause)
    for password in (place.password, place.query.get("password")):
        if password:
            text = text.replace(str(password), "***")
    return " ".join(text.split())


def _open_sqlite(place: sa.URL, durability: Durability, resources: ExitStack) -> Database:
    path = Path(str(place.database))
    resources.enter_context(_locked(path))
    path.touch(mode=0o600)  # it holds seeds and secrets
    # A step that makes a table anew must not take along the rows that refer to it.
    migrator = _sqlite(place, resources, 1, "BEGIN IMMEDIATE", foreign_keys="OFF")
    with migrator.begin() as connection:
        migrations.upgrade(connection)
    migrator.dispose()
    writer = _sqlite(place, resources, 1, "BEGIN IMMEDIATE", foreign_keys="ON", synchronous=durability)
    reader = _sqlite(place, resources, READERS, "BEGIN", query_only="ON")
    return Database(writer, reader, shared=False, resources=resources.pop_all())


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Has the database to itself; the lock goes with the process, however that ends."""
    with Path(f"{path}.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{path}: another server keeps its games there") from None
        yield


def _sqlite(place: sa.URL, resources: ExitStack, connections: int, begin: str, **pragmas: str) -> sa.Engine:
    engine = sa.create_engine(
        place,
        hide_parameters=True,
        connect_args={"timeout": BUSY_SECONDS},
        pool_size=connections,
        max_overflow=0,
    )

    def set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None  # else the driver begins transactions of its own
        for name, value in {"journal_mode": "WAL", **pragmas}.items():
            connection.execute(f"PRAGMA {name} = {value}")

    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    resources.callback(engine.dispose)
    return engine


def _open_postgresql(place: sa.URL, resources: ExitStack) -> Database:
    writer = _postgresql(place, resources, 1, "READ COMMITTED")
    reader = _postgresql(place, resources, READERS, "REPEATABLE READ")
    with writer.begin() as connection:
        migrations.upgrade(connection)
    return Database(writer, reader, shared=True, resources=resources.pop_all())


def _postgresql(place: sa.URL, resources: ExitStack, connections: int, isolation: Any) -> sa.Engine:
    settings = {name: value for name, value in NETWORK.items() if name not in place.query}
    engine = sa.create_engine(
        place,
        hide_parameters=True,
        connect_args={"application_name": "kingsbridge", **settings},
        isolation_level=isolation,
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
    )
    resources.callback(engine.dispose)
    return engine
