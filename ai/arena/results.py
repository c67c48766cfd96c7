"""The results file of a tournament: one line of JSON for each finished block, written to last.

Lines are only ever added. Each names its match and a hash of all that decides how that match is played: when
a manifest changes, lines of the old match stay and count no more.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from kingsbridge.ai.arena.match import MatchPlan


class ResultsError(RuntimeError):
    """The file is written to by another, or holds something else; the message says which."""


class BlockKey(NamedTuple):
    """Which block of which match; ``definition`` is that of the match's plan."""

    match: str
    definition: str
    block: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What is kept of a game; tuples have one entry a seat."""

    scores: tuple[int, ...]
    win_shares: tuple[float, ...]
    decisions: int


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """A finished block: its games by rotation, its processor seconds, and the engine and rules behind it."""

    games: tuple[PlayedGame, ...]
    cpu_seconds: float
    engine: str
    rules: str


def definition(plan: MatchPlan) -> str:
    """16 hex digits: equal for equal plans in every process."""
    text = json.dumps(asdict(plan), sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def to_line(key: BlockKey, block: PlayedBlock) -> str:
    """A block as a line of the file."""
    return json.dumps(key._asdict() | asdict(block)) + "\n"


def from_line(line: str) -> tuple[BlockKey, PlayedBlock]:
    """A block from a line of the file.

    Raises:
        ValueError, LookupError, TypeError: the line is no block.
    """
    fields: dict[str, Any] = json.loads(line)
    games = tuple(
        PlayedGame(tuple(game["scores"]), tuple(game["win_shares"]), int(game["decisions"]))
        for game in fields["games"]
    )
    if not games or any(len(each) != len(games) for game in games for each in (game.scores, game.win_shares)):
        raise ValueError("a block has a game for each rotation of its seats")
    key = BlockKey(fields["match"], fields["definition"], int(fields["block"]))
    return key, PlayedBlock(games, float(fields["cpu_seconds"]), fields["engine"], fields["rules"])


def read_results(path: Path) -> dict[BlockKey, PlayedBlock]:
    """All blocks of a results file; none where there is no file. A last line without its end is left out.

    Raises:
        OSError: the file cannot be read.
        ResultsError: a line is no block, or it is no regular file.
    """
    if not path.exists():
        return {}
    if not path.is_file():  # a device may never end
        raise ResultsError(f"{path} is no regular file")
    *lines, _ = path.read_bytes().split(b"\n")
    blocks: dict[BlockKey, PlayedBlock] = {}
    for number, line in enumerate(lines, 1):
        try:
            key, block = from_line(line.decode())
        except (ValueError, LookupError, TypeError) as error:
            raise ResultsError(f"{path}: line {number} is no result of a block") from error
        blocks.setdefault(key, block)
    return blocks


class ResultsFile:
    """A results file to write to, which is nobody else's meanwhile. ``blocks`` holds all that is in it.

    As a context manager it is closed at the end. The lock goes with the process, however that ends.

    Raises:
        OSError: the file cannot be read or written.
        ResultsError: another process writes to it, a line is no block, or it is no regular file.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        try:
            self._lock(path)
            self.blocks: dict[BlockKey, PlayedBlock] = read_results(path)
            self._drop_torn_line(path)
        except BaseException:
            self._file.close()
            raise

    def add(self, key: BlockKey, block: PlayedBlock) -> None:
        """Writes a block; it is on the disk when this returns."""
        self._file.write(to_line(key, block).encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self.blocks[key] = block

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _lock(self, path: Path) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"{path}: another process is writing its results there") from None

    def _drop_torn_line(self, path: Path) -> None:
        """Cuts off what a writer had begun when it ended."""
        self._file.truncate(path.read_bytes().rfind(b"\n") + 1)


def keys_of(match: str, plan: MatchPlan, count: int) -> list[BlockKey]:
    """Those of the first ``count`` blocks of a match, in order."""
    kind = definition(plan)
    return [BlockKey(match, kind, number) for number in range(count)]


def blocks_of(
    blocks: Mapping[BlockKey, PlayedBlock], match: str, plan: MatchPlan, count: int
) -> list[PlayedBlock]:
    """Those of the first ``count`` blocks of a match that are there, in order."""
    return [blocks[key] for key in keys_of(match, plan, count) if key in blocks]
