"""The results of a tournament: an SQLite file with every finished game, whole, and each exactly once.

A game belongs to a contest as it is defined: when a manifest changes, games of the old definition stay in the
file and count no more. Games are committed in groups of at most ``GROUP`` seconds; what a crash takes with it
is played again, the same.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from kingsbridge.ai.arena.formats import Outcome
from kingsbridge.ai.arena.played import Ending, GameKey, PlayedGame
from kingsbridge.ai.arena.rows import COLUMNS, from_row, to_row
from kingsbridge.ai.bot import Clock

GROUP = 0.5
"""Seconds that a finished game may wait for others before all of them are committed."""
APPLICATION = 0x4B424152
"""What tells such a file from others that SQLite made: "KBAR"."""
VERSION = 1

_SCHEMA = """
CREATE TABLE contests (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    definition TEXT NOT NULL,
    UNIQUE (id, definition)
) STRICT;
CREATE TABLE games (
    contest INTEGER NOT NULL REFERENCES contests (number),
    block INTEGER NOT NULL,
    game INTEGER NOT NULL,
    ending TEXT NOT NULL,
    seats TEXT NOT NULL,        -- by seat, as JSON: so are scores, ranks and win shares
    scores TEXT NOT NULL,
    ranks TEXT NOT NULL,
    win_shares TEXT NOT NULL,
    faults TEXT NOT NULL,       -- as JSON
    deciders BLOB NOT NULL,     -- by decision: a byte
    microseconds BLOB NOT NULL, -- by decision: 32 bits, the lowest byte first
    iterations BLOB NOT NULL,   -- the same
    actions BLOB,               -- by event: the same; NULL where only the digest was imported
    digest TEXT NOT NULL,
    cpu_seconds REAL NOT NULL,
    seed TEXT NOT NULL,         -- 32 hex digits
    engine TEXT NOT NULL,
    rules TEXT NOT NULL,
    PRIMARY KEY (contest, block, game)
) STRICT;
CREATE TABLE notes (
    contest INTEGER NOT NULL REFERENCES contests (number),
    text TEXT NOT NULL,
    PRIMARY KEY (contest, text)
) STRICT;
"""


class StoreError(RuntimeError):
    """The file is written to by another, or holds something else; the message says which."""


class Store:
    """A results file, open for writing: nobody else writes to it meanwhile.

    As a context manager it commits and closes at the end. The lock goes with the process, however that ends.

    Raises:
        OSError: the file cannot be opened.
        StoreError: another process writes to it, or it is no results file.
    """

    def __init__(self, path: Path, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._numbers: dict[tuple[str, str], int] = {}
        self._begun: float | None = None
        self._lock = path.open("ab")
        try:
            self._take(path)
            self._base = _connect(path, "rwc")
            _prepare(self._base, path)
        except BaseException:
            self._lock.close()
            raise

    def add(self, key: GameKey, game: PlayedGame) -> None:
        """Writes a game; it is on the disk after the next ``commit``, which comes by itself with a later game
        once ``GROUP`` seconds have passed. A game that is there already stays as it is.
        """
        if self._begun is None:
            self._base.execute("BEGIN IMMEDIATE")
            self._begun = self._clock()
        row = (self._number(key.contest, key.definition), key.block, key.game, *to_row(game))
        places = ", ".join("?" * len(row))
        self._base.execute(
            f"INSERT OR IGNORE INTO games (contest, block, game, {COLUMNS}) VALUES ({places})",  # noqa: S608
            row,
        )
        if self._clock() - self._begun >= GROUP:
            self.commit()

    def note(self, contest: str, definition: str, text: str) -> None:
        """Keeps a remark on how a contest was played, once, for its report."""
        self.commit()
        number = self._number(contest, definition)
        self._base.execute("INSERT OR IGNORE INTO notes VALUES (?, ?)", (number, text))

    def commit(self) -> None:
        """Puts all games that were added on the disk."""
        if self._begun is not None:
            self._base.commit()
            self._begun = None

    def reader(self) -> Reader:
        """Reads what has been added."""
        return Reader(self._base)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.commit()
        finally:
            self._base.close()
            self._lock.close()  # last: closing any handle of a file drops SQLite's own locks on it

    def _number(self, contest: str, definition: str) -> int:
        key = (contest, definition)
        if key not in self._numbers:
            self._base.execute("INSERT OR IGNORE INTO contests (id, definition) VALUES (?, ?)", key)
            query = "SELECT number FROM contests WHERE id = ? AND definition = ?"
            (self._numbers[key],) = self._base.execute(query, key).fetchone()
        return self._numbers[key]

    def _take(self, path: Path) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{path}: another process is writing its results there") from None
        if not path.is_file():  # a device may never end
            raise StoreError(f"{path} is no regular file")


class Result(NamedTuple):
    """A game as far as schedules look at it."""

    block: int
    game: int
    outcome: Outcome
    void: bool


class Reader:
    """What is in a results file; see ``open_reader``."""

    def __init__(self, base: sqlite3.Connection | None) -> None:
        self._base = base

    def results(self, contest: str, definition: str) -> Iterator[Result]:
        """The games of a contest in order of block and number, in short."""
        rows = self._rows("block, game, seats, win_shares, ending", contest, definition)
        for block, game, seats, shares, ending in rows:
            outcome = Outcome(tuple(json.loads(seats)), tuple(json.loads(shares)))
            yield Result(block, game, outcome, ending == Ending.VOID.value)

    def games(self, contest: str, definition: str) -> Iterator[tuple[int, int, PlayedGame]]:
        """(block, number, game) of a contest, whole, in order of block and number; one at a time."""
        for block, game, *row in self._rows(f"block, game, {COLUMNS}", contest, definition):
            yield block, game, from_row(row)

    def block(self, contest: str, definition: str, block: int) -> list[PlayedGame]:
        """The games of one block, by number."""
        return [from_row(row) for row in self._rows(COLUMNS, contest, definition, "block = ?", block)]

    def game(self, contest: str, definition: str, block: int, game: int) -> PlayedGame | None:
        """One game, if it is there."""
        rows = self._rows(COLUMNS, contest, definition, "block = ? AND game = ?", block, game)
        return next((from_row(row) for row in rows), None)

    def notes(self, contest: str, definition: str) -> list[str]:
        """The remarks on how it was played."""
        if self._base is None:
            return []
        query = "SELECT text FROM notes JOIN contests ON number = contest WHERE id = ? AND definition = ?"
        return sorted(text for (text,) in self._base.execute(query, (contest, definition)))

    def _rows(
        self, columns: str, contest: str, definition: str, where: str = "TRUE", *values: int
    ) -> Iterable[Any]:
        if self._base is None:
            return ()
        query = (
            f"SELECT {columns} FROM games JOIN contests ON number = contest "  # noqa: S608
            f"WHERE id = ? AND definition = ? AND {where} ORDER BY block, game"
        )
        return self._base.execute(query, (contest, definition, *values))


@contextmanager
def open_reader(path: Path) -> Iterator[Reader]:
    """Reads a results file, while another writes to it, too. Where there is no file, there are no games.

    Raises:
        OSError: the file cannot be read.
        StoreError: it is no results file.
    """
    if not path.exists():
        yield Reader(None)
        return
    if not path.is_file():  # a device may never end
        raise StoreError(f"{path} is no regular file")
    mode = "rw"  # who may write takes SQLite's side files away again
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        mode = "ro" if path.with_name(f"{path.name}-wal").exists() else "ro&immutable=1"
    with closing(_connect(path, mode)) as base:
        base.execute("PRAGMA query_only = ON")
        _check(base, path)
        yield Reader(base)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """In ``autocommit``: transactions are begun by hand, at once as writing ones."""
    with path.open("rb"):  # for an error that names the file
        pass
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)


def _prepare(base: sqlite3.Connection, path: Path) -> None:
    """Makes an empty file a results file; checks any other."""
    if path.stat().st_size:
        _check(base, path)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("BEGIN IMMEDIATE")
    if not base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        for statement in _SCHEMA.split(";\n"):
            base.execute(statement)
        base.execute(f"PRAGMA application_id = {APPLICATION}")
        base.execute(f"PRAGMA user_version = {VERSION}")
    base.commit()


def _check(base: sqlite3.Connection, path: Path) -> None:
    try:
        (kind,) = base.execute("PRAGMA application_id").fetchone()
        (version,) = base.execute("PRAGMA user_version").fetchone()
        empty = not base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} holds no results of a tournament: {error}") from error
    if not empty and (kind, version) != (APPLICATION, VERSION):
        raise StoreError(f"{path} holds no results of a tournament, or those of another version")
