"""Where games are kept: what each started from and what was added, nothing that can be computed from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError


@dataclass(frozen=True, slots=True)
class GameHead:
    """What a game starts from. ``seed`` is the seed of chance: it shows in no text of this object."""

    game_id: str
    game: str
    players: int
    options: Mapping[str, int]
    engine_version: str
    rules_hash: str
    seed: int = field(repr=False)
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one call added to a game: a decision, if any, and the outcomes of chance up to the next one.

    ``request_id`` is that of the call, or empty.
    """

    actions: tuple[int, ...]
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is kept. Its revision is the number of its entries, the deal included."""

    head: GameHead
    entries: tuple[Entry, ...]


class Store(Protocol):
    """Keeps games. Each method happens as a whole or, if it raises or is cancelled, perhaps not at all."""

    async def create(self, head: GameHead, deal: Entry) -> str:
        """Keeps a new game and returns its id, or that of an older game of that (non-empty) request id."""

    async def load(self, game_id: str) -> StoredGame:
        """A game with all its entries.

        Raises:
            GameNotFoundError: no such game.
        """

    async def append(self, game_id: str, revision: int, entry: Entry) -> None:
        """Adds an entry to a game that is at ``revision``, which makes it one more.

        Raises:
            GameNotFoundError: no such game.
            StaleRevisionError: the game is at another revision.
        """

    async def delete(self, game_id: str) -> None:
        """Forgets a game; one that is not there is forgotten already."""


@dataclass(slots=True)
class _Kept:
    head: GameHead
    entries: list[Entry]


class MemoryStore:
    """A store that forgets everything with its process."""

    def __init__(self) -> None:
        self._games: dict[str, _Kept] = {}
        self._by_request: dict[str, str] = {}

    async def create(self, head: GameHead, deal: Entry) -> str:
        """As ``Store.create``."""
        if head.request_id:
            older = self._by_request.setdefault(head.request_id, head.game_id)
            if older != head.game_id:
                return older
        self._games[head.game_id] = _Kept(head, [deal])
        return head.game_id

    async def load(self, game_id: str) -> StoredGame:
        """As ``Store.load``."""
        kept = self._find(game_id)
        return StoredGame(kept.head, tuple(kept.entries))

    async def append(self, game_id: str, revision: int, entry: Entry) -> None:
        """As ``Store.append``."""
        entries = self._find(game_id).entries
        if len(entries) != revision:
            raise StaleRevisionError(len(entries))
        entries.append(entry)

    async def delete(self, game_id: str) -> None:
        """As ``Store.delete``."""
        kept = self._games.pop(game_id, None)
        if kept is not None:
            self._by_request.pop(kept.head.request_id, None)

    def _find(self, game_id: str) -> _Kept:
        if game_id not in self._games:
            raise GameNotFoundError("there is no game of this id")
        return self._games[game_id]
