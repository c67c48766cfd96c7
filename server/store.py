"""Where games are kept: what each started from and what was added, nothing that can be computed from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, StaleSeatError

FOREVER = 1 << 62
"""A time that never comes, in Unix seconds."""


@dataclass(frozen=True, slots=True)
class GameHead:
    """What a game starts from. ``seed``, of 128 bits, is the seed of chance: it shows in no text of this
    object. ``created`` is in Unix seconds.
    """

    game_id: str
    game: str
    players: int
    options: Mapping[str, int]
    engine_version: str
    rules_hash: str
    seed: int = field(repr=False)
    request_id: str = ""
    created: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What one call added to a game: a decision, if any, and the outcomes of chance up to the next one.

    Actions are of 32 bits. ``request_id`` is that of the call, or empty.
    """

    actions: tuple[int, ...]
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """What can change of a seat; number -1 is the spectators'.

    ``epoch``: tokens of other epochs are void. ``bot``: the settings of the bot that plays it, a text that
    the store does not read; empty for a person. ``renewal``: the id of the request that began the epoch, or
    empty.
    """

    number: int
    epoch: int = 0
    bot: str = ""
    renewal: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is kept: its entries in order, and its seats by number.

    The n-th entry of a game, from 1, led to its revision n: the deal to revision 1.
    """

    head: GameHead
    entries: tuple[Entry, ...]
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class News:
    """What can change of a game: the entries that were asked for, and all seats by number."""

    entries: tuple[Entry, ...]
    seats: tuple[Seat, ...]


class Store(Protocol):
    """Keeps games. Each method happens as a whole or, if it raises or is cancelled, perhaps not at all.

    Every method raises a ``StoreError`` where what keeps the games fails.
    """

    @property
    def shared(self) -> bool:
        """Whether others may write as well, so that what was read may be old."""

    async def create(self, head: GameHead, deal: Entry, seats: Sequence[Seat]) -> str:
        """Keeps a new game and returns its id, or that of an older game of that (non-empty) request id.

        A game of that id that is there already stays as it is.
        """

    async def load(self, game_id: str) -> StoredGame:
        """A whole game.

        Raises:
            GameNotFoundError: no such game.
        """

    async def news(self, game_id: str, after: int) -> News:
        """The entries of revisions above ``after``, and the seats.

        Raises:
            GameNotFoundError: no such game.
        """

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
        """Adds an entry to a game that is at ``revision``, which makes it one more. It ends the game if
        ``over``, for good; ``now`` in Unix seconds. ``by`` is the seat that decided: whoever plays it then
        must play it still.

        Raises:
            GameNotFoundError: no such game.
            StaleRevisionError: the game is at another revision.
            StaleSeatError: a person plays the seat instead of the bot of ``by``, or another bot, or a bot
                instead of a person.
        """

    async def seat(self, game_id: str, seat: Seat, expected: Seat, *, now: int) -> None:
        """Puts ``seat`` in the place of ``expected``; ``now`` in Unix seconds.

        Raises:
            GameNotFoundError: no such game.
            StaleSeatError: the seat is another one by now, or there is none of its number.
        """

    async def delete(self, game_id: str) -> None:
        """Forgets a game; one that is not there is forgotten already."""

    async def running(self, since: int = 0, before: int = FOREVER) -> list[str]:
        """Ids of the unfinished games in which a bot has a seat and that were created or changed last from
        ``since`` on and before ``before`` (Unix seconds), in no order.
        """

    async def idle(self, running_before: int, finished_before: int) -> list[str]:
        """Ids of the games that were created or changed last before so many Unix seconds, the longest ago
        first: one time for unfinished games, one for finished ones.
        """

    async def count(self) -> int:
        """How many games are kept."""

    async def secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """A value kept beside the games, made when it is asked for the first time.

        Whoever asks, in whatever process, gets the same.
        """

    async def close(self) -> None:
        """Ends what is under way, as it should end; then the store is of no use. May be called again."""


@dataclass(slots=True)
class _Kept:
    head: GameHead
    entries: list[Entry]
    seats: dict[int, Seat]
    touched: int
    over: bool = False


class MemoryStore:
    """A store that forgets everything with its process."""

    shared = False

    def __init__(self) -> None:
        self._games: dict[str, _Kept] = {}
        self._by_request: dict[str, str] = {}
        self._secrets: dict[str, bytes] = {}

    async def create(self, head: GameHead, deal: Entry, seats: Sequence[Seat]) -> str:
        """As ``Store.create``."""
        if head.request_id in self._by_request:
            return self._by_request[head.request_id]
        if head.game_id not in self._games:
            by_number = {seat.number: seat for seat in sorted(seats, key=lambda seat: seat.number)}
            self._games[head.game_id] = _Kept(head, [deal], by_number, head.created)
            if head.request_id:
                self._by_request[head.request_id] = head.game_id
        return head.game_id

    async def load(self, game_id: str) -> StoredGame:
        """As ``Store.load``."""
        kept = self._find(game_id)
        return StoredGame(kept.head, tuple(kept.entries), tuple(kept.seats.values()))

    async def news(self, game_id: str, after: int) -> News:
        """As ``Store.news``."""
        kept = self._find(game_id)
        return News(tuple(kept.entries[after:]), tuple(kept.seats.values()))

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
        kept = self._find(game_id)
        if len(kept.entries) != revision:
            raise StaleRevisionError(len(kept.entries))
        if by is not None and (by.number not in kept.seats or kept.seats[by.number].bot != by.bot):
            raise StaleSeatError
        kept.entries.append(entry)
        kept.touched, kept.over = now, kept.over or over

    async def seat(self, game_id: str, seat: Seat, expected: Seat, *, now: int) -> None:
        """As ``Store.seat``."""
        kept = self._find(game_id)
        if kept.seats.get(seat.number) != expected:
            raise StaleSeatError
        kept.seats[seat.number] = seat
        kept.touched = now

    async def delete(self, game_id: str) -> None:
        """As ``Store.delete``."""
        kept = self._games.pop(game_id, None)
        if kept is not None:
            self._by_request.pop(kept.head.request_id, None)

    async def running(self, since: int = 0, before: int = FOREVER) -> list[str]:
        """As ``Store.running``."""
        return [
            game_id
            for game_id, kept in self._games.items()
            if not kept.over
            and since <= kept.touched < before
            and any(seat.bot for seat in kept.seats.values())
        ]

    async def idle(self, running_before: int, finished_before: int) -> list[str]:
        """As ``Store.idle``."""
        old = [
            (kept.touched, game_id)
            for game_id, kept in self._games.items()
            if kept.touched < (finished_before if kept.over else running_before)
        ]
        return [game_id for _, game_id in sorted(old)]

    async def count(self) -> int:
        """As ``Store.count``."""
        return len(self._games)

    async def secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """As ``Store.secret``."""
        if name not in self._secrets:
            self._secrets[name] = make()
        return self._secrets[name]

    async def close(self) -> None:
        """As ``Store.close``."""

    def _find(self, game_id: str) -> _Kept:
        if game_id not in self._games:
            raise GameNotFoundError("there is no game of this id")
        return self._games[game_id]
