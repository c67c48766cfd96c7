"""Figures that anyone can reproduce: `make bench`.

Times are CPU time of the thread, as medians over interleaved repetitions, since the clock of a shared
machine drifts by a third; where a
ratio is given, both sides ran in the same run. Bars are those of the issue that asked for them, and a
missed bar is printed as such.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from kingsbridge.ai import Budget, IsmctsBot, IsmctsParams, make_bot
from kingsbridge.ai.bench import Position, position_at
from kingsbridge.ai.native import native_tree
from kingsbridge.pyengine import Dealer, Rng, State, load_game

ENGINE_BENCH = Path("build/cpp/tests/cpp/engine_bench")


@dataclass(frozen=True)
class Figure:
    """One line of the report; ``bar`` is met when ``value`` is not below it, or not above it with
    ``at_most``.
    """

    name: str
    value: float
    unit: str
    bar: float | None = None
    at_most: bool = False

    def verdict(self) -> str:
        """Whether the bar is met, in words."""
        if self.bar is None:
            return ""
        met = self.value <= self.bar if self.at_most else self.value >= self.bar
        return f"{'met' if met else 'MISSED'} ({'<=' if self.at_most else '>='} {self.bar:,g})"


def cpu_rate(work: Callable[[], int]) -> float:
    """Units of ``work`` per second of this thread's CPU time."""
    start = time.thread_time()
    done = work()
    return done / (time.thread_time() - start)


def dealt(players: int, game: str = "builders") -> State:
    """A dealt position, its first decision due."""
    state = load_game(game, players)
    Dealer(1).settle(state)
    return state


def native_figures(repetitions: int) -> list[Figure]:
    """The engine's own micro-benchmarks (google-benchmark): medians of CPU time."""
    command = [
        str(ENGINE_BENCH),
        f"--benchmark_repetitions={repetitions}",
        "--benchmark_report_aggregates_only=true",
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_min_time=0.1",
        "--benchmark_format=json",
    ]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    figures = []
    for entry in report["benchmarks"]:
        if entry.get("aggregate_name") != "median":
            continue
        name = entry["run_name"]
        rates = [key for key in entry if key.endswith("/s")]
        figures += [Figure(name, entry[key], key, AT_LEAST.get((name, key))) for key in rates]
        if not rates:
            figures.append(
                Figure(name, entry["cpu_time"], entry["time_unit"], AT_MOST.get(name), at_most=True)
            )
    return figures


AT_LEAST = {
    ("builders/light/2", "decisions/s"): 10e6,
    ("builders/light/2", "games/s"): 50e3,
    ("builders/light/3", "decisions/s"): 10e6,
    ("builders/light/4", "decisions/s"): 10e6,
    ("pillars/uniform/2", "decisions/s"): 5e6,
    ("pillars/uniform/3", "decisions/s"): 5e6,
    ("pillars/uniform/4", "decisions/s"): 5e6,
    ("column/uniform/2", "decisions/s"): 5e6,
    ("column/uniform/3", "decisions/s"): 5e6,
    ("column/uniform/4", "decisions/s"): 5e6,
}
CUT_OFF = {"builders": 100e3, "pillars": 50e3, "column": 50e3}
AT_MOST = {
    "builders/copy": 30.0,
    "builders/hash": 60.0,
    "pillars/copy": 60.0,
    "pillars/hash": 80.0,
    "column/copy": 60.0,
    "column/hash": 80.0,
}
NATIVE_SEARCH = {
    ("builders", 2): 60e3,
    ("builders", 4): 35e3,
    ("pillars", 2): 15e3,
    ("pillars", 4): 15e3,
    ("column", 2): 15e3,
    ("column", 4): 15e3,
}


def hearts_ratio(repetitions: int) -> list[Figure]:
    """Light rollouts of The Builders against OpenSpiel's random rollouts of hearts, both in C++,
    interleaved.
    """
    import pyspiel  # noqa: PLC0415 - an extra of its own

    game = pyspiel.load_game("hearts(pass_cards=false)")
    root = game.new_initial_state()
    root.apply_action(0)
    rng = Rng(1)
    while root.is_chance_node():
        outcomes = root.legal_actions()
        root.apply_action(outcomes[rng.below(len(outcomes))])
    state = dealt(2)
    count = 4000

    def hearts() -> int:
        # One simulation at the root evaluates it by `count` random rollouts, all in C++.
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, 1, False).step(root)
        return count

    def builders() -> int:
        state.rollout_nodes(1, count)
        return count

    pairs = [(cpu_rate(builders), cpu_rate(hearts)) for _ in range(repetitions)]
    return [
        Figure("OpenSpiel hearts, random rollouts", statistics.median(h for _, h in pairs), "games/s"),
        Figure("light rollouts of builders, 2 players", statistics.median(b for b, _ in pairs), "games/s"),
        Figure("ratio builders : hearts (games)", statistics.median(b / h for b, h in pairs), "x"),
    ]


def uniform_ratio(repetitions: int) -> Figure:
    """Uniform rollouts against light ones, per decision, interleaved."""
    state = dealt(2)
    pairs = [
        (
            cpu_rate(lambda: state.rollout_nodes(1, 2000, "uniform")),
            cpu_rate(lambda: state.rollout_nodes(1, 6000)),
        )
        for _ in range(repetitions)
    ]
    return Figure(
        "uniform : light, decisions per second", statistics.median(u / v for u, v in pairs), "x", 1.0
    )


def thread_ratio() -> Figure:
    """Two threads of native rollouts against one, by the wall clock: near 2 on an idle machine if the GIL
    is released.
    """
    state = dealt(2)

    def run() -> None:
        state.rollouts(1, 60_000)

    start = time.perf_counter()
    run()
    alone = time.perf_counter() - start
    threads = [threading.Thread(target=run) for _ in range(2)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Figure("two threads : one, native rollouts", 2 * alone / (time.perf_counter() - start), "x")


def search_figures(repetitions: int, game: str, players: int) -> list[Figure]:
    """Iterations of the Python reference search from the first decision, and where their time goes."""
    state = dealt(players, game)
    info = state.information_set(state.current_player)
    bot = make_bot("ismcts:kernel=python,length=-1")
    count = 5000

    def search() -> int:
        return bot.choose(info, Budget(iterations=count), Rng(1)).iterations

    def imagine() -> int:
        rng = Rng(1)
        for _ in range(count):
            info.imagine(rng)
        return count

    def rollout() -> int:
        rng = Rng(1)
        for _ in range(count):
            state.rollout(rng)
        return count

    rows = [(cpu_rate(search), cpu_rate(imagine), cpu_rate(rollout)) for _ in range(repetitions)]
    rate, imagined, rolled = (statistics.median(column) for column in zip(*rows, strict=True))
    whole, part_imagine, part_rollout = 1e6 / rate, 1e6 / imagined, 1e6 / rolled
    bar = 20_000 if (game, players) == ("builders", 2) else None
    return [
        Figure(f"ismcts, Python tree, {game}, {players} players", rate, "iterations/s", bar),
        Figure("  of an iteration: imagine", part_imagine, "us"),
        Figure("  of an iteration: rollout", part_rollout, "us"),
        Figure("  of an iteration: tree", whole - part_imagine - part_rollout, "us"),
    ]


def native_search_figures(repetitions: int, position: Position) -> list[Figure]:
    """Iterations of the native search against those of the Python reference, which grows the same tree and
    plays its rollouts natively, too; interleaved. With rollouts to the end, and cut off, as the bots do.
    """
    info = position.state.information_set(position.state.current_player)
    game, players = position.game, position.players
    count = 5000

    def pair(params: IsmctsParams) -> tuple[float, float]:
        bot = IsmctsBot(params)

        def native() -> int:
            native_tree(info, "fresh", params, 1).run(4 * count)
            return 4 * count

        def reference() -> int:
            return bot.choose(info, Budget(iterations=count), Rng(1)).iterations

        native_rate = cpu_rate(native)
        return native_rate, native_rate / cpu_rate(reference)

    rows = [
        (*pair(IsmctsParams(kernel="python", length=-1)), *pair(IsmctsParams(kernel="python")))
        for _ in range(repetitions)
    ]
    rate, ratio, cut, cut_ratio = (statistics.median(column) for column in zip(*rows, strict=True))
    where, how = f"{game}, {players} players, {position.stage}", "cut off"
    return [
        Figure(f"ismcts, native tree, {where}", rate, "iterations/s", NATIVE_SEARCH.get((game, players))),
        Figure(f"  ratio native : Python, {where}", ratio, "x", 2.5),
        Figure(f"  rollouts {how}, {where}", cut, "iterations/s", CUT_OFF[game]),
        Figure(f"  ratio native : Python, {how}, {where}", cut_ratio, "x", 2.5),
    ]


def search_thread_ratio(repetitions: int, position: Position) -> Figure:
    """Iterations of ``ismcts:threads=2`` against those of one thread, by the wall clock, interleaved; near 2
    on an idle machine.
    """
    info = position.state.information_set(position.state.current_player)

    def rate(threads: int) -> float:
        bot, start = make_bot(f"ismcts:threads={threads}"), time.perf_counter()
        return bot.choose(info, Budget(40_000), Rng(1)).iterations / (time.perf_counter() - start)

    ratios = [rate(2) / rate(1) for _ in range(repetitions)]
    where = f"{position.game}, {position.players} players, {position.stage}"
    return Figure(f"ismcts, two threads : one, {where}", statistics.median(ratios), "x")


def position_figures(repetitions: int) -> list[Figure]:
    """The native search from the start and from the middle of every game."""
    places = [
        position_at(game, players, stage)
        for game in CUT_OFF
        for players in (2, 4)
        for stage in ("start", "middle")
    ]
    figures = [figure for place in places for figure in native_search_figures(repetitions, place)]
    return figures + [search_thread_ratio(repetitions, place) for place in places if place.players == 2]


def main() -> None:
    """Prints the report; ``--json`` one object instead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    n = arguments.repetitions
    figures = native_figures(n)
    figures += [uniform_ratio(n), *hearts_ratio(n), thread_ratio()]
    for game, players in (("builders", 2), ("builders", 4), ("pillars", 2), ("column", 2)):
        figures += search_figures(n, game, players)
    figures += position_figures(n)
    if arguments.json:
        print(json.dumps({figure.name: figure.value for figure in figures}))
        return
    table = Table("figure", "median", "unit", "bar")
    for figure in figures:
        table.add_row(figure.name, f"{figure.value:,.1f}", figure.unit, figure.verdict())
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
