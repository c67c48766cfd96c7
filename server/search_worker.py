"""A search worker: one process that runs one search at a time. It never loads gRPC and holds no game."""

from __future__ import annotations

import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from ctypes import c_uint64
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from kingsbridge.ai import Bot, Budget, Decision, Report, StopReason
from kingsbridge.pyengine import InformationSet, Rng

NICE = 10
"""How far a search steps back behind the server's other work, which is short and waited for."""

MakeBot = Callable[[str], Bot]
"""How a worker makes a bot of its spec. It crosses to the worker by name."""


@dataclass(frozen=True, slots=True)
class Job:
    """What crosses to the worker. ``stop_by`` is by ``time.monotonic``, which all processes share.

    ``report_seconds`` is how often the bot tells what it thinks meanwhile; ``None``: never.
    """

    number: int
    info: InformationSet
    bot: str
    seed: int
    budget: Budget
    stop_by: float
    among: list[int] | None = None
    report_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot raised: the type of the exception and where. Its text may tell what no log must hold."""

    kind: str
    places: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What comes back before the answer, any number of times: what the bot thinks so far."""

    number: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back once, at the end. ``mebibytes`` is the memory the worker holds then (MiB)."""

    number: int
    outcome: Decision | Fault
    mebibytes: int


class Terminated:
    """SIGTERM, as a service manager sends it to a whole group: a running search ends early with an answer."""

    def __init__(self) -> None:
        self.asked = False
        self.busy = False
        signal.signal(signal.SIGTERM, self._note)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        if not self.busy:
            raise SystemExit(0)


def work(connection: Connection, stopped: c_uint64, make: MakeBot, most_mebibytes: int) -> None:
    """Runs jobs until ``connection`` is closed; ``stopped`` is the number of the last job to give up.

    The system refuses the process more than ``most_mebibytes`` of memory (MiB).
    """
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_DATA, (most_mebibytes << 20, most_mebibytes << 20))
    terminated = Terminated()
    while not terminated.asked:
        try:
            job: Job = connection.recv()
            terminated.busy = True
            outcome = search(job, stopped, lambda: terminated.asked, make, telling(connection, job.number))
            connection.send(Answer(job.number, outcome, resident_mebibytes()))
            terminated.busy = False
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # the server is gone
        except MemoryError:
            return  # there is not even room for an answer: the server sees the worker go


def search(
    job: Job,
    stopped: c_uint64,
    terminated: Callable[[], bool],
    make: MakeBot,
    tell: Callable[[Decision], None],
) -> Decision | Fault:
    """The decision of the job's bot, at the latest soon after it is to stop."""

    def given_up() -> bool:
        return terminated() or stopped.value >= job.number

    def should_stop() -> bool:
        return given_up() or time.monotonic() >= job.stop_by

    try:
        bot, rng = make(job.bot), Rng(job.seed)
        report = None if job.report_seconds is None else Report(tell, job.report_seconds)
        decision = bot.choose(
            job.info, job.budget, rng, should_stop=should_stop, among=job.among, report=report
        )
    except Exception as error:
        return _fault(error)
    if decision.stop_reason is StopReason.STOPPED and not given_up():
        return replace(decision, stop_reason=StopReason.TIME)
    return decision


def telling(connection: Connection, number: int) -> Callable[[Decision], None]:
    """Sends what a bot thinks meanwhile, but never waits: what finds the pipe full is dropped."""
    room = select.poll()
    room.register(connection.fileno(), select.POLLOUT)

    def tell(decision: Decision) -> None:
        if room.poll(0):
            connection.send(Progress(number, decision))

    return tell


def resident_mebibytes() -> int:
    """The memory this process holds (MiB); 0 where the system does not tell."""
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() >> 20
    return 0


def _fault(error: Exception) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    places = " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    return Fault(type(error).__name__, places)
