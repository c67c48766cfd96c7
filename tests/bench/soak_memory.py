"""Memory over a long time: thousands of moves by ``ismcts`` in one process, at budgets of all sizes, in every
game with every number of players. Run by ``make soak``.

A tree must keep within its cap, a move must be legal, and what the process holds must not grow once it has
seen trees of all sizes. Fails where one of these does not hold.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from rich.console import Console
from rich.progress import track
from rich.table import Table

from kingsbridge.ai import Budget, make_bot, native
from kingsbridge.pyengine import (
    Dealer,
    Rng,
    Search,
    State,
    describe,
    game_names,
    load_game,
)

MEGABYTE = 1 << 20
CAPS = (MEGABYTE, 8 * MEGABYTE, 256 * MEGABYTE)
"""Most bytes of a tree, in turn: the least there can be, one that is reached now and then, the usual one."""
GROWTH = 8 * MEGABYTE
"""So much more may the process hold than after the warm-up: what the allocator leaves between trees."""
WARM_UP = 0.2
"""Share of the moves that belong to it."""
LARGEST = 1 << 17
"""Most iterations of a move."""
BOTS = ("ismcts", "ismcts", "ismcts:threads=2", "ismcts:nodes=300", "ismcts:c=0.05,length=-1")


class FaultError(AssertionError):
    """A move or a tree broke its promise."""


@dataclass
class Trees:
    """Those that were made: by cap the bytes of each, looked at when its move is decided."""

    alive: list[tuple[int, Search]] = field(default_factory=list)
    bytes: dict[int, list[int]] = field(default_factory=lambda: {cap: [] for cap in CAPS})
    made: int = 0

    def make(self, *arguments: Any, **knobs: Any) -> Search:
        """A tree with the cap whose turn it is."""
        cap = CAPS[self.made % len(CAPS)]
        self.made += 1
        tree = Search(*arguments, **{**knobs, "memory": cap})
        self.alive.append((cap, tree))
        return tree

    def look(self) -> None:
        """Notes what the trees of a move hold, and lets them go."""
        for cap, tree in self.alive:
            self.bytes[cap].append(tree.bytes)
            if tree.bytes > cap:
                raise FaultError(f"a tree holds {tree.bytes} bytes, more than its cap of {cap}")
        self.alive.clear()


def budget_of(rng: Rng, largest: int, timed: bool) -> Budget:
    """As likely small as large: up to so many iterations, or up to 30 ms."""
    if timed and rng.below(4) == 0:
        return Budget(seconds=0.03 * rng.below(1000) / 1000)
    most = 1 << rng.below(largest.bit_length())
    return Budget(iterations=rng.below(most + 1))


def tables() -> Iterator[tuple[str, int]]:
    """Every game with every number of players, over and over."""
    return itertools.cycle(
        [
            (game, players)
            for game in game_names()
            for players in range(describe(game).min_players, describe(game).max_players + 1)
        ]
    )


def moves(seed: int, largest: int, *, timed: bool) -> Iterator[State]:
    """Plays game after game, and gives the state after each move; without ``timed`` always the same."""
    rng = Rng(seed)
    for number, (game, players) in enumerate(tables()):
        state, dealer = load_game(game, players), Dealer(seed + number)
        dealer.settle(state)
        while not state.is_terminal:
            spec = BOTS[rng.below(len(BOTS))]
            budget = budget_of(rng, largest, timed)
            action = make_bot(spec).choose(state.information_set(state.current_player), budget, rng).action
            if not state.is_legal(action):
                raise FaultError(f"{spec} with {budget} plays {action} in {game}, which is illegal")
            state.apply(action)
            dealer.settle(state)
            yield state


def resident() -> int:
    """Bytes of memory this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


@dataclass(frozen=True)
class Soaked:
    """What was measured: the process after each move, and each tree."""

    resident: list[int]
    trees: dict[int, list[int]]

    def around(self, share: float) -> float:
        """Median over the tenth of the moves that begins there."""
        first = int(share * len(self.resident))
        return median(self.resident[first : first + max(1, len(self.resident) // 10)])

    @property
    def growth(self) -> float:
        """Of the process from the end of the warm-up to the end, in bytes."""
        return self.around(0.9) - self.around(WARM_UP)


def soak(count: int, seed: int, largest: int = LARGEST, *, timed: bool) -> Soaked:
    """So many moves, each of at most ``largest`` iterations.

    Raises:
        FaultError: an illegal move, or a tree beyond its cap.
    """
    found, trees = [], Trees()
    played = itertools.islice(moves(seed, largest, timed=timed), count)
    progress, watched = Console(stderr=True), sys.stderr.isatty()
    with mock.patch.object(native, "Search", trees.make):
        for _ in track(played, "moves", count, console=progress, disable=not watched):
            trees.look()
            found.append(resident())
    return Soaked(found, trees.bytes)


def main() -> int:
    """Prints the figures; 1 where the process grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    before = resident()
    found = soak(given.moves, given.seed, timed=True)
    rows = {
        "before the first move": before,
        f"after the warm-up ({WARM_UP:.0%} of the moves)": found.around(WARM_UP),
        "in the end": found.around(0.9),
        f"growth since the warm-up (<= {GROWTH / MEGABYTE:g})": found.growth,
        "most after a move": max(found.resident),
        "most ever": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    for cap, sizes in found.trees.items():
        rows[f"{len(sizes):,} trees with a cap of {cap / MEGABYTE:g}: most"] = max(sizes)
    table = Table(f"{given.moves:,} moves", "MB")
    for what, size in rows.items():
        table.add_row(what, f"{size / MEGABYTE:,.1f}")
    Console(width=100).print(table)
    if found.growth > GROWTH:
        print(f"the process grew by more than {GROWTH / MEGABYTE:g} MB", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
