"""A server under the load of many games: latencies, errors, memory over time, and a stop in the midst of it.

Each game has a watcher, a person who plays at a person's rate, and bots that keep the workers busy; a
finished game gives way to a new one. At the end the server is stopped while all play, started again on the
same store, and asked for each game: what was acknowledged must be there.

Run alone (``python -m tests.soak.load --games 500 --seconds 300``) or as part of ``make soak``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Literal

import grpc
from rich.console import Console
from rich.table import Table

from kingsbridge.pyengine import Rng
from kingsbridge.server.client.patience import bearer
from kingsbridge.server.config import Config
from kingsbridge.server.limits import Limits
from kingsbridge.v1 import rules_pb2, rules_pb2_grpc, server_pb2, server_pb2_grpc
from tests.soak.calls import Calls, quantile, spread
from tests.soak.control import SLEEP, TCP, control
from tests.soak.crowd import GONE, Habits, Score, channels, table
from tests.soak.memory import MEBIBYTE, Growth, Sample, growth
from tests.soak.served import Served, served

P99_BAR = 50.0
"""Most milliseconds of a call that does not search: p99."""
GROWTH_BAR = 1.0
"""Most MiB that server and workers together may grow in a minute once warm, beyond ``EVENT_BYTES``."""
EVENT_BYTES = 256
"""What a game in play may remember of each of its events, until it gives way to a new one."""
BUSY_BAR = 0.9
"""Least share of the workers that is at work, or the searches were no load."""
ARRIVAL = 0.1
"""Share of the time over which the games begin."""
WARM_UP = 60.0
"""Seconds that are none of the growth; at most 0.4 of the time."""
RPCS = ("CreateGame", "GetView", "ListLegalActions", "ApplyAction", "GetServerStatus")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run."""

    games: int
    seconds: float
    workers: int = 2
    durability: Literal["full", "normal"] = "full"
    habits: Habits = field(default_factory=Habits)
    seed: int = 1

    @property
    def warm_up(self) -> float:
        """Seconds."""
        return min(WARM_UP, 0.4 * self.seconds)

    def config(self, folder: Path) -> Config:
        """A server that keeps few more games in memory than are played, so that they fill it early."""
        limits = Limits(live_games=self.games + self.games // 10 + 1)
        store = f"sqlite:///{folder}/games.db"
        return Config(store=store, durability=self.durability, port=0, workers=self.workers, limits=limits)


@dataclass
class Report:
    """What was measured."""

    plan: Plan
    calls: Calls = field(default_factory=Calls)
    score: Score = field(default_factory=Score)
    samples: list[Sample] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    waiting: list[float] = field(default_factory=list)
    searches: int = 0
    server_seconds: float = 0.0
    exit_code: int | None = None
    lost: list[str] = field(default_factory=list)

    def growth(self, part: str = "all") -> Growth:
        """Of the server, the workers or all, after the warm-up."""
        late = [each for each in self.samples if each.seconds >= self.plan.warm_up]
        sizes = {
            "server": [each.server for each in late],
            "workers": [each.workers for each in late],
            "all": [each.server + each.workers for each in late],
        }
        return growth([(each.seconds, size) for each, size in zip(late, sizes[part], strict=True)])

    @property
    def remembered(self) -> float:
        """MiB a minute that the games in play may grow by: they get longer."""
        return self.score.events / self.plan.seconds * 60 * EVENT_BYTES / MEBIBYTE

    def wrong(self) -> Iterator[str]:
        """What must not be on any machine."""
        yield from self.calls.errors()
        yield from sorted(set(self.score.faults))
        yield from self.lost
        if self.exit_code:
            yield f"the server ended with {self.exit_code}"

    def missed(self) -> Iterator[str]:
        """The bars of time and memory that do not hold."""
        for method in RPCS:
            if (p99 := quantile(self.calls.waits[method], 0.99)) > P99_BAR:
                yield f"{method}: p99 {p99:.1f} ms, more than {P99_BAR:g}"
        more, most = self.growth().per_minute, GROWTH_BAR + self.remembered
        if more > most:
            yield f"memory grows by {more:.2f} MiB a minute, more than {most:.2f}"
        if self.busy and mean(self.busy) < BUSY_BAR * self.plan.workers:
            yield f"only {mean(self.busy):.2f} of {self.plan.workers} workers were at work on average"


async def run(plan: Plan, folder: Path) -> Report:
    """Plays, stops the server in the midst of it, and looks for what was lost."""
    report = Report(plan)
    with served(plan.config(folder)) as server:
        async with control(report.calls), channels(server.address, plan.games) as made:
            await _play(plan, report, server, made)
        report.exit_code = server.ended()
    await _look_for_lost(plan, report, folder)
    return report


async def _play(plan: Plan, report: Report, server: Served, made: Sequence[grpc.aio.Channel]) -> None:
    rng = Rng(plan.seed)
    watching = asyncio.create_task(_sample(report, server, made[0]))
    tables = []
    for number in range(plan.games):
        playing = table(made[number % len(made)], report.calls, report.score, plan.habits, Rng(rng.next()))
        tables.append(asyncio.create_task(playing))
        await asyncio.sleep(ARRIVAL * plan.seconds / plan.games)
    await asyncio.wait(tables, timeout=(1 - ARRIVAL) * plan.seconds, return_when=asyncio.FIRST_EXCEPTION)
    report.server_seconds = server.busy_seconds()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await _stop(report, server, tables)


async def _stop(report: Report, server: Served, tables: Sequence[asyncio.Task[None]]) -> None:
    """Stops the server while all play; that it is gone is no error then."""
    before = report.calls.codes.copy()
    server.terminate()
    ended, playing = await asyncio.wait(tables, timeout=20.0)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    fell = Counter(repr(task.exception()) for task in ended if task.exception())
    report.lost += [f"{count} players fell: {error}" for error, count in fell.items()]
    if playing:
        report.lost.append(f"{len(playing)} games heard nothing of the server's stop")
    for key in [key for key in report.calls.codes if key[1] in GONE]:
        report.calls.codes[key] = before[key]
    report.calls.codes = +report.calls.codes


async def _sample(report: Report, server: Served, channel: grpc.aio.Channel) -> None:
    """Looks at the server once a second."""
    stub = server_pb2_grpc.ServerServiceStub(channel)
    started = time.perf_counter()
    while True:
        asked = stub.GetServerStatus(server_pb2.GetServerStatusRequest())
        status = await report.calls.timed("GetServerStatus", asked)
        seconds = time.perf_counter() - started
        report.samples.append(Sample(seconds, *server.resident()))
        report.searches = status.searches
        if seconds >= report.plan.warm_up:
            report.busy.append(status.busy_workers)
            report.waiting.append(sum(queue.waiting for queue in status.queues))
        await asyncio.sleep(1.0)


async def _look_for_lost(plan: Plan, report: Report, folder: Path) -> None:
    """Starts a server on the same store and asks for what was acknowledged."""
    with served(plan.config(folder)) as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            rules = rules_pb2_grpc.RulesServiceStub(channel)
            for game_id, (token, revision) in report.score.acknowledged.items():
                request = rules_pb2.GetViewRequest(game_id=game_id, seat=-1)
                view = await rules.GetView(request, metadata=bearer(token))
                if view.status.revision < revision:
                    report.lost.append(
                        f"revision {revision} was acknowledged, {view.status.revision} is kept"
                    )


def tables(report: Report) -> Iterator[Table]:
    """The figures."""
    yield report.calls.table()
    plan, score = report.plan, report.score
    facts = Table(f"{plan.games} games, {plan.seconds:g} s, sqlite {plan.durability}", "")
    rows = {
        "games begun, finished": f"{score.begun}, {score.finished}",
        "persons' moves a second": f"{score.moves / plan.seconds:.1f}",
        "searches a second": f"{report.searches / plan.seconds:.1f}",
        "events told to watchers a second": f"{score.events / plan.seconds:.1f}",
        "from a move to its news, ms (p50, p95, p99, max)": ", ".join(spread(score.news)),
        "workers at work, mean": f"{mean(report.busy or [0]):.2f} of {plan.workers}",
        "searches that wait, mean, most": f"{mean(report.waiting or [0]):.1f}, "
        f"{max(report.waiting, default=0):.0f}",
        "CPU of the server, % of a core": f"{100 * report.server_seconds / plan.seconds:.0f}",
        "games whose acknowledged moves were looked for": f"{len(score.acknowledged)}",
        "lateness of the machine, p99 ms (sleep, echo)": ", ".join(
            f"{quantile(report.calls.waits[name], 0.99):.1f}" for name in (SLEEP, TCP)
        ),
    }
    for part in ("server", "workers", "all"):
        grown = report.growth(part)
        rows[f"memory of {part}, MiB (after {plan.warm_up:.0f} s, in the end, more a minute)"] = (
            f"{grown.first:.1f}, {grown.last:.1f}, {grown.per_minute:+.2f}"
        )
    rows["of which longer games explain, MiB a minute"] = f"{report.remembered:.2f}"
    for what, value in rows.items():
        facts.add_row(what, value)
    yield facts


def _given() -> tuple[Plan, bool]:
    usual = Habits()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--durability", choices=["full", "normal"], default="full")
    parser.add_argument("--iterations", type=int, default=usual.iterations, help="of a bot's decision")
    parser.add_argument("--human", type=int, default=usual.human, help="percent of bots at a human pace")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report-only", action="store_true", help="bars that are missed do not fail")
    given = parser.parse_args()
    habits = Habits(iterations=given.iterations, human=given.human)
    plan = Plan(given.games, given.seconds, given.workers, given.durability, habits, given.seed)
    return plan, given.report_only


def main() -> int:
    """Prints the figures; 1 where a bar is missed."""
    plan, report_only = _given()
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(run(plan, Path(folder)))
    console = Console(width=120)
    for each in tables(report):
        console.print(each)
    faults = [*report.wrong(), *report.missed()]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults and not report_only else 0


if __name__ == "__main__":
    sys.exit(main())
