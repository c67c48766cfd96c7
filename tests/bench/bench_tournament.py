"""What the tournament runner costs beside the games it plays.

``overhead``: games of bots that move at random, by the runner with one worker, and the same games one after
the other without it, in one run; the difference is the runner's own. ``memory``: many such games to the end
and the report, with the most memory the runner's process took. ``pairing``: by how much shared luck narrows
results: the spread of block scores, against that of blocks whose games have deals of their own.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

from rich.console import Console

from kingsbridge.ai.arena import (
    Contest,
    Entrant,
    PlayedGame,
    Store,
    counted_blocks,
    open_reader,
    play_tournament,
    resumed,
)
from kingsbridge.ai.arena.analysis import findings_of
from kingsbridge.ai.arena.report import Reproduction, html_report
from kingsbridge.ai.arena.tournament import Player, Run, Task
from kingsbridge.pyengine import game_names
from kingsbridge.server.cli.tournament_tables import print_standings


def contest(game: str, blocks: int) -> Contest:
    """Two bots that move at random."""
    bots = (Entrant("one", "random"), Entrant("two", "random"))
    return Contest("random", "round_robin", game, 2, bots, blocks)


def tasks(plan: Contest) -> list[Task]:
    """All games of a contest."""
    schedule = Run(plan).schedule
    return [
        Task(0, block, number, seats)
        for block in range(schedule.known)
        for number, seats in enumerate(schedule.games(block))
    ]


def bare(plan: Contest) -> float:
    """Seconds that a warm process needs for the games alone."""
    player, games = Player([plan]), tasks(plan)
    for task in games[:50]:
        player(task)
    started = time.perf_counter()
    for task in games:
        player(task)
    return time.perf_counter() - started


def whole(plan: Contest, folder: Path) -> float:
    """Seconds of wall time that the runner needs with one worker, without that worker's start."""
    started = 0.0

    class Watcher:
        def start(self, runs: object) -> None: ...
        def pause(self) -> None: ...
        def game(self, *_: object) -> None:
            nonlocal started
            started = started or time.perf_counter()

    with Store(folder / f"{time.monotonic_ns()}.sqlite") as store:
        play_tournament([plan], store, workers=1, watcher=Watcher())
    return time.perf_counter() - started


def overhead(blocks: int, rounds: int) -> None:
    """Prints medians of what a game costs, in turn with and without the runner."""
    for game in game_names():
        plan = contest(game, blocks)
        games = len(tasks(plan))
        with tempfile.TemporaryDirectory() as folder:
            pairs = [(bare(plan), whole(plan, Path(folder))) for _ in range(rounds)]
        alone = statistics.median(each[0] for each in pairs) / games * 1000
        own = statistics.median(each[1] - each[0] for each in pairs) / games * 1000
        print(
            f"{game}: a game {alone:.3f} ms, of the runner {own:.3f} ms more ({games} games, {rounds} rounds)"
        )


def memory(games: int, workers: int) -> None:
    """Prints time, and the most memory of the runner's process, its report included."""
    plan = contest(game_names()[0], games // 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        started = time.perf_counter()
        with Store(path) as store:
            play_tournament([plan], store, workers=workers)
        played = time.perf_counter() - started
        with open_reader(path) as reader:
            (run,) = resumed([plan], reader)
            findings = [findings_of(run, reader, replays=6)]
        page = html_report(findings, Reproduction("memory", "", ""))
        told = time.perf_counter() - started - played
        size = path.stat().st_size / 2**20
    print_standings(Console(), findings)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{games} games: {played:.0f} s with {workers} workers, report {told:.0f} s ({len(page)} bytes), "
        f"file {size:.0f} MiB, peak {peak:.0f} MiB"
    )


def pairing(blocks: int, workers: int) -> None:
    """Prints ratios of standard errors: blocks, to games of different deals in the same seats.

    The second is found by putting the game of one block together with that of the next: the same games, the
    same seats, and no deal in common.
    """
    for game in game_names():
        bots = (Entrant("more", "ismcts:iterations=60"), Entrant("less", "ismcts:iterations=40"))
        plan = Contest("pairing", "round_robin", game, 2, bots, blocks)
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results") as store:
            play_tournament([plan], store, workers=workers)
            (run,) = resumed([plan], store.reader())
            played = [games for _, games in counted_blocks(run, store.reader())]
        shares = [[each.win_shares[each.seats.index(0)] for each in games] for games in played]
        leads = [[_lead(each) for each in games] for games in played]
        print(
            f"{game}: standard error with shared luck to without, {blocks} blocks: win share "
            f"{_ratio(shares):.2f}, lead in points {_ratio(leads):.2f}"
        )


def _lead(game: PlayedGame) -> float:
    first = game.seats.index(0)
    return float(game.scores[first] - game.scores[1 - first])


def _ratio(blocks: list[list[float]]) -> float:
    apart = [(one[0] + other[1]) / 2 for one, other in zip(blocks, blocks[1:] + blocks[:1], strict=True)]
    return statistics.stdev(sum(each) / 2 for each in blocks) / statistics.stdev(apart)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("overhead", "memory", "pairing"))
    parser.add_argument("--blocks", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    if options.what == "overhead":
        overhead(options.blocks, options.rounds)
    elif options.what == "pairing":
        pairing(options.blocks, options.workers)
    else:
        memory(options.games, options.workers)


if __name__ == "__main__":
    main()
