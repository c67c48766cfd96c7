"""Who was ever placed ahead of whom: what games say about two bots is bounded only if each got ahead once.

The maximum of the likelihood is finite if, however the bots are split in two, one of either half came ahead
of, or tied with, one of the other (Ford 1957; Hunter 2004, assumption 1): the graph is strongly connected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:  # takes as long to load as numpy itself
    from numpy.typing import NDArray

from kingsbridge.ai.arena.crosstable import Placing

Booleans: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Groups of bots, by their indices in ascending order.

    ``components``: those who came ahead of, or tied with, each other, directly or by way of others. ``met``:
    those who met at all, directly or by way of others. Of components that met another, nobody in ``unbeaten``
    was behind or tied with a bot outside, and nobody in ``winless`` ahead of or tied with one.
    """

    components: tuple[tuple[int, ...], ...]
    met: tuple[tuple[int, ...], ...]
    unbeaten: tuple[tuple[int, ...], ...]
    winless: tuple[tuple[int, ...], ...]

    @property
    def connected(self) -> bool:
        """Whether the games bound every difference of two ratings."""
        return len(self.components) == 1

    def warnings(self, names: Sequence[str]) -> tuple[str, ...]:
        """What the games cannot tell, a sentence each."""

        def listed(bots: Sequence[int]) -> str:
            return ", ".join(names[bot] for bot in bots)

        apart = "never met, not even by way of others: their ratings do not compare"
        lines = [" and ".join(f"({listed(group)})" for group in self.met) + f" {apart}"] * (len(self.met) > 1)
        for group in self.unbeaten:
            lines.append(f"{listed(group)} never lost to the rest: the games set no upper bound")
        for group in self.winless:
            lines.append(f"{listed(group)} never won against the rest: the games set no lower bound")
        return tuple(lines)


def edges(games: Sequence[Placing]) -> Iterable[tuple[int, int, int]]:
    """Index of a game, a bot, and the bot of another seat that was not placed ahead of it there."""
    for index, game in enumerate(games):
        for (bot, place), (other, behind) in permutations(zip(*game, strict=True), 2):
            if place <= behind:
                yield index, bot, other


def compare(games: Sequence[Placing], entrants: int) -> Comparisons:
    """What the games compare."""
    ahead = np.zeros((entrants, entrants), dtype=np.bool_)
    for _, bot, other in edges(games):
        ahead[bot, other] = True
    reach = closure(ahead)
    components = _classes(reach & reach.T)
    met = _classes(closure(ahead | ahead.T))
    alone = set(met)
    split = [group for group in components if group not in alone]
    return Comparisons(
        components,
        met,
        tuple(group for group in split if reach[:, group[0]].sum() == len(group)),
        tuple(group for group in split if reach[group[0]].sum() == len(group)),
    )


def closure(ahead: Booleans) -> Booleans:
    """Who came ahead of whom, directly or by way of others; everyone of themselves."""
    reach = ahead | np.eye(len(ahead), dtype=np.bool_)
    for _ in range(len(ahead).bit_length()):
        reach = reach @ reach
    return reach


def _classes(same: Booleans) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted({tuple(int(bot) for bot in np.flatnonzero(row)) for row in same}))
