"""What cheating would bring: a search that cheats (see ``tests/ai/cheater.py``) against the fair one with as
many iterations, two players, the same deals from either seat. Run by ``make fairness``.

Who sees all that is hidden, or the luck to come, should win; and where nothing is hidden, seeing should bring
nothing. A fair search that did as well as one that cheats would be looked at.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator

from kingsbridge.ai import Budget, IsmctsBot, IsmctsParams
from kingsbridge.ai.arena.schedule import block_seed
from kingsbridge.ai.arena.statistics import share_interval
from kingsbridge.pyengine import game_names
from tests.ai.cheater import Cheater, win_share

CHEATERS = {"sees": Cheater(), "foresees": Cheater(foresees=True)}
FAIR = IsmctsBot(IsmctsParams(kernel="python"))
LEAST = 2
"""Blocks without which there is no interval."""


def shares(game: str, cheater: Cheater, iterations: int, seed: int) -> Iterator[float]:
    """The cheater's share of the win in block after block."""
    for number in itertools.count():
        yield win_share(game, cheater, FAIR, Budget(iterations), block_seed(seed, number))


def played(blocks: Iterator[float], seconds: float, most: int | None) -> list[float]:
    """As many blocks as begin within so much CPU time, or ``most``: both are known before a result is."""
    found: list[float] = []
    started = time.process_time()
    while len(found) != most and (len(found) < LEAST or time.process_time() - started < seconds):
        found.append(next(blocks))
    return found


def main() -> None:
    """Prints a row for each game and way of cheating."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", choices=game_names(), default=game_names())
    parser.add_argument("--iterations", type=int, default=100, help="of either search, a move")
    parser.add_argument("--seconds", type=float, default=100.0, help="CPU time of a row")
    parser.add_argument("--blocks", type=int, help="most blocks of a row")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"wins of the cheater of two players, {given.iterations} iterations a move, seed {given.seed}")
    for game, (name, cheater) in itertools.product(given.games, CHEATERS.items()):
        found = played(shares(game, cheater, given.iterations, given.seed), given.seconds, given.blocks)
        mean, low, high = (100 * value for value in share_interval(found))
        print(f"{game:10} {name:9} {mean:5.1f} % ({low:.1f} .. {high:.1f}), {len(found)} blocks", flush=True)


if __name__ == "__main__":
    main()
