"""How late decisions of ``ismcts`` come: after their budget of time, and after a request to stop.

Each decision is timed from the call to the return, so the making and freeing of its tree is in it. A bare
process sleeps the same budgets at the same time (the control): how late it wakes is the machine's doing.
"Loaded" is beside one busy process for each core, so the search has to share its core.

Who works is later than who sleeps, whatever he does: a scheduler lets those go first who slept. So a loop
that does nothing but look at the clock is timed, too ("spin"). And some decisions go by the CPU time of their
thread, with budget and clock alike ("own"): so late they would be if they had a core for themselves, whatever
else the machine does.

Run alone (``python -m tests.bench.bench_deadlines``) or as part of ``make bench``.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection

from rich.console import Console
from rich.table import Table

from kingsbridge.ai import Budget, make_bot
from kingsbridge.ai.bench import Position, position_at
from kingsbridge.ai.bot import Clock
from kingsbridge.pyengine import InformationSet, Rng, Search, describe, game_names

BUDGETS = {0: 100, 1: 100, 10: 60, 50: 30, 500: 10}
"""Milliseconds of a decision, and how many are timed at each position."""
STAGES = ("start", "middle")
BOT = make_bot("ismcts")
CONTEXT = multiprocessing.get_context("spawn")
IDLE_BAR, LOADED_BAR, STOP_BAR = 2.0, 10.0, 5.0
"""Most milliseconds: p99 on an idle machine; p99 on a loaded one, above the control's; after a stop."""
LONGEST_SPIN = 50
"""Milliseconds; a longer one tells no more."""
PAUSE = 0.001
"""Seconds between two sleeps of the control, so that it does not become a load itself."""


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share of them does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread(values: Sequence[float]) -> list[str]:
    """Median, 99th percentile and maximum, as cells of a table."""
    return [f"{each:.2f}" for each in (quantile(values, 0.5), quantile(values, 0.99), max(values))]


@dataclass
class Lateness:
    """Milliseconds after the budget: of decisions, of such by CPU time, of the control that slept, of a loop
    that spun.
    """

    decisions: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    control: list[float] = field(default_factory=list)
    spin: list[float] = field(default_factory=list)

    def add(self, other: Lateness) -> None:
        """Takes in what was measured elsewhere."""
        self.decisions += other.decisions
        self.own += other.own
        self.control += other.control
        self.spin += other.spin


def late(work: Callable[[], object], milliseconds: float, clock: Clock = time.perf_counter) -> float:
    """Milliseconds that work took beyond its budget."""
    started = clock()
    work()
    return (clock() - started) * 1000 - milliseconds


def spin(milliseconds: float) -> None:
    """Looks at the clock until the time is over."""
    deadline = time.perf_counter() + milliseconds / 1000
    while time.perf_counter() < deadline:
        pass


def _sleep(connection: Connection) -> None:
    """The control's life: sleeps the budget it is sent again and again, and answers the next word with how
    late it woke.
    """
    while (milliseconds := connection.recv()) is not None:
        nap = partial(time.sleep, milliseconds / 1000)
        found = [late(nap, milliseconds)]
        while not connection.poll(PAUSE):
            found.append(late(nap, milliseconds))
        connection.recv()
        connection.send(found)


def _toil() -> None:
    while True:
        pass


@contextmanager
def process(target: Callable[..., None], *arguments: object) -> Iterator[None]:
    """A process that runs meanwhile."""
    made = CONTEXT.Process(target=target, args=arguments, daemon=True)
    made.start()
    try:
        yield
    finally:
        made.terminate()
        made.join()


@contextmanager
def load() -> Iterator[None]:
    """A busy process for each core."""
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            stack.enter_context(process(_toil))
        time.sleep(0.5)  # until they are up
        yield


@contextmanager
def control() -> Iterator[Connection]:
    """The process that sleeps."""
    here, there = CONTEXT.Pipe()
    with process(_sleep, there):
        yield here


def knowledge(position: Position) -> InformationSet:
    """What the seat to move knows."""
    return position.state.information_set(position.state.current_player)


def lateness(info: InformationSet, milliseconds: int, count: int, sleeper: Connection) -> Lateness:
    """So many decisions, with one by CPU time and a spin after each, and the control beside them all."""
    found = Lateness()
    budget = Budget(seconds=milliseconds / 1000)
    sleeper.send(milliseconds)
    for number in range(count):
        found.decisions.append(late(partial(BOT.choose, info, budget, Rng(number)), milliseconds))
        own = partial(BOT.choose, info, budget, Rng(number), clock=time.thread_time)
        found.own.append(late(own, milliseconds, time.thread_time))
        spun = min(milliseconds, LONGEST_SPIN)
        found.spin.append(late(partial(spin, spun), spun))
    sleeper.send("enough")
    found.control = sleeper.recv()
    return found


Cell = tuple[Position, int]
"""A position and a budget in milliseconds."""


def measured(places: Sequence[Position], scale: float, sleeper: Connection) -> dict[Cell, Lateness]:
    """Every position at every budget."""
    return {
        (place, milliseconds): lateness(knowledge(place), milliseconds, max(1, round(count * scale)), sleeper)
        for milliseconds, count in BUDGETS.items()
        for place in places
    }


def pooled(cells: dict[Cell, Lateness], milliseconds: int) -> Lateness:
    """What was found at all positions with a budget."""
    whole = Lateness()
    for (_, each), found in cells.items():
        if each == milliseconds:
            whole.add(found)
    return whole


def after_should_stop(info: InformationSet, milliseconds: float, number: int) -> float:
    """From the moment at which ``should_stop`` would say so to the return of the bot."""
    moment = time.perf_counter() + milliseconds / 1000
    BOT.choose(info, Budget(10**9), Rng(number), should_stop=lambda: time.perf_counter() >= moment)
    return (time.perf_counter() - moment) * 1000


def after_should_stop_own(info: InformationSet, milliseconds: float, number: int) -> float:
    """The same by the CPU time of the thread."""
    moment = time.thread_time() + milliseconds / 1000
    BOT.choose(info, Budget(10**9), Rng(number), should_stop=lambda: time.thread_time() >= moment)
    return (time.thread_time() - moment) * 1000


def after_stop(info: InformationSet, milliseconds: float, number: int) -> float:
    """From a call of ``Search.stop`` to the return of the run in another thread, its tree freed there."""
    length, rounds = info.horizon
    searches, ended = [Search(info, number, length=length, rounds=rounds)], []

    def run() -> None:
        searches[0].run()
        searches.clear()
        ended.append(time.perf_counter())

    search = searches[0]
    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(milliseconds / 1000)
    moment = time.perf_counter()
    search.stop()
    del search  # the thread has the last word
    thread.join()
    return (ended[0] - moment) * 1000


STOPS = {
    "should_stop": after_should_stop,
    "should_stop, own": after_should_stop_own,
    "Search.stop": after_stop,
}
Delays = dict[tuple[str, int], list[float]]


def stops(places: Sequence[Position], scale: float) -> Delays:
    """Milliseconds from a request to the return, by the way of asking and the milliseconds before it."""
    return {
        (way, milliseconds): [
            ask(knowledge(place), milliseconds * (1 + number / count), number)
            for place in places
            for number in range(count)
        ]
        for way, ask in STOPS.items()
        for milliseconds, count in ((10, max(1, round(30 * scale))), (500, max(1, round(4 * scale))))
    }


def cell_table(machines: dict[str, dict[Cell, Lateness]]) -> Table:
    """Decisions at each position and budget."""
    columns = [f"{machine} {what}" for machine in (*machines, "own") for what in ("p50", "p99", "max")]
    table = Table("position", "budget", *columns)
    for cell in machines["idle"]:
        place, milliseconds = cell
        each = [spread(cells[cell].decisions) for cells in machines.values()]
        own = spread([time for cells in machines.values() for time in cells[cell].own])
        where = f"{place.game} {place.players}p {place.stage}"
        table.add_row(where, f"{milliseconds} ms", *itertools.chain(*each, own))
    return table


def verdict(value: float, bar: float) -> str:
    """Whether the bar is met, in words."""
    return f"{value:.2f}: {'met' if value <= bar else 'MISSED'} (<= {bar:g})"


def budget_rows(found: Lateness, machine: str) -> Iterator[tuple[str, list[float], str]]:
    """What was timed with a budget, the times, and how they stand to their bar."""
    p99 = quantile(found.decisions, 0.99)
    if machine == "idle":
        yield "decision", found.decisions, verdict(p99, IDLE_BAR)
    else:
        above = verdict(p99 - quantile(found.control, 0.99), LOADED_BAR)
        yield "decision", found.decisions, f"{above} above the control"
    yield "own", found.own, verdict(quantile(found.own, 0.99), IDLE_BAR)
    yield "control", found.control, ""
    yield "spin", found.spin, ""


def budget_table(machines: dict[str, dict[Cell, Lateness]]) -> Table:
    """All positions together, and the bars."""
    table = Table("budget", "machine", "what", "timed", "p50", "p99", "max", "p99 against its bar")
    for milliseconds in BUDGETS:
        for machine, cells in machines.items():
            for what, times, bar in budget_rows(pooled(cells, milliseconds), machine):
                table.add_row(f"{milliseconds} ms", machine, what, f"{len(times)}", *spread(times), bar)
    return table


def stop_table(machines: dict[str, Delays]) -> Table:
    """How long a request to stop takes."""
    table = Table("asked by", "after", "machine", "timed", "p50", "p99", "max", "p99 against its bar")
    for machine, delays in machines.items():
        for (way, milliseconds), found in delays.items():
            bar = verdict(quantile(found, 0.99), STOP_BAR) if machine == "idle" or "own" in way else ""
            table.add_row(way, f"{milliseconds} ms", machine, f"{len(found)}", *spread(found), bar)
    return table


def main() -> None:
    """Prints the tables; all figures are in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual number of decisions")
    scale = parser.parse_args().scale
    places = [
        position_at(game, players, stage)
        for game in game_names()
        for players in (describe(game).min_players, describe(game).max_players)
        for stage in STAGES
    ]
    with control() as sleeper:
        idle, idle_stops = measured(places, scale, sleeper), stops(places, scale)
        with load():
            loaded, loaded_stops = measured(places, scale, sleeper), stops(places, scale)
    console = Console(width=150)
    machines = {"idle": idle, "loaded": loaded}
    console.print(cell_table(machines), budget_table(machines))
    console.print(stop_table({"idle": idle_stops, "loaded": loaded_stops}))


if __name__ == "__main__":
    main()
