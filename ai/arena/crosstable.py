"""Results of many games, counted: equal games and equal blocks are kept once.

All is in an order of its own, so what is computed from it does not depend on the order of play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:  # takes as long to load as numpy itself
    from numpy.typing import NDArray

Integers: TypeAlias = "NDArray[np.intp]"
Floats: TypeAlias = "NDArray[np.float64]"


class RankedGame(Protocol):
    """A game as far as ratings ask: whose each seat was, and its rank; higher is better, equal ranks tie."""

    @property
    def seats(self) -> Sequence[int]:
        """By seat, the index of the bot."""

    @property
    def ranks(self) -> Sequence[int]:
        """By seat."""


class Placing(NamedTuple):
    """A game: by seat, the index of the bot and its place, 0 for the best; who ties shares a place."""

    entrants: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """What was played: distinct games, and of which of them each distinct block consists.

    ``times``: how often each distinct block was played. The other arrays have an entry for each distinct game
    of each distinct block: the index of the block and the game, and how often it holds that.
    """

    games: tuple[Placing, ...]
    times: Integers
    block: Integers
    game: Integers
    repeats: Integers

    @property
    def blocks(self) -> int:
        """Number of blocks that were played."""
        return int(self.times.sum())

    def weights(self, times: NDArray[np.integer]) -> Floats:
        """How often each distinct game was played, were each distinct block played so many ``times``."""
        played = self.repeats * times[self.block]
        return np.bincount(self.game, played, minlength=len(self.games)).astype(np.float64)


def tabulate(blocks: Iterable[Sequence[RankedGame]], entrants: int) -> Crosstable:
    """Counts games and blocks.

    Raises:
        ValueError: there is no block, one without a game, a game with an index of no entrant, with fewer than
            two seats, with more seats than ranks or the reverse, or with more seats than another.
    """
    kinds = Counter(
        tuple(sorted(Counter((tuple(game.seats), tuple(game.ranks)) for game in block).items()))
        for block in blocks
    )
    _check([game for kind in kinds for game, _ in kind], entrants, () in kinds)
    placed = Counter[tuple[tuple[Placing, int], ...]]()
    for kind, count in kinds.items():
        games = Counter[Placing]()
        for (seats, ranks), repeats in kind:
            games[_place(seats, ranks)] += repeats
        placed[tuple(sorted(games.items()))] += count
    return _index(placed)


def _check(games: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], entrants: int, empty: bool) -> None:
    if empty or not games:
        raise ValueError("ratings need blocks, and blocks need games")
    sizes = {len(seats) for seats, _ in games}
    if len(sizes) > 1 or min(sizes) < 2 or any(len(seats) != len(ranks) for seats, ranks in games):
        raise ValueError("games to rate have the same number of seats, at least 2, and a rank for each")
    if not all(0 <= bot < entrants for seats, _ in games for bot in seats):
        raise ValueError(f"a seat is held by one of the {entrants} entrants")


def _place(seats: tuple[int, ...], ranks: tuple[int, ...]) -> Placing:
    order = sorted(set(ranks), reverse=True)
    return Placing(seats, tuple(order.index(rank) for rank in ranks))


def _index(kinds: Counter[tuple[tuple[Placing, int], ...]]) -> Crosstable:
    games = sorted({game for kind in kinds for game, _ in kind})
    number = {game: index for index, game in enumerate(games)}
    entries = [
        (block, number[game], repeats) for block, kind in enumerate(sorted(kinds)) for game, repeats in kind
    ]
    block, game, repeats = np.array(entries, dtype=np.intp).T
    times = np.array([kinds[kind] for kind in sorted(kinds)], dtype=np.intp)
    return Crosstable(tuple(games), times, block, game, repeats)
