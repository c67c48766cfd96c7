"""A search worker: one process that runs one search at a time. It never loads gRPC and holds no game."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from ctypes import c_uint64
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from kingsbridge.ai import Budget, Decision, StopReason, make_bot
from kingsbridge.pyengine import InformationSet, Rng

NICE = 5
"""How far a search steps back behind the server's other work, which is short and waited for."""


@dataclass(frozen=True, slots=True)
class Job:
    """What crosses to the worker. ``stop_by`` is by ``time.monotonic``, which all processes share."""

    number: int
    info: InformationSet
    bot: str
    seed: int
    budget: Budget
    stop_by: float
    among: list[int] | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot raised: the type of the exception and where. Its text may tell what no log must hold."""

    kind: str
    places: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back."""

    number: int
    outcome: Decision | Fault


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


def work(connection: Connection, stopped: c_uint64) -> None:
    """Runs jobs until ``connection`` is closed; ``stopped`` is the number of the last job to give up."""
    os.nice(NICE)
    terminated = Terminated()
    while not terminated.asked:
        try:
            job: Job = connection.recv()
            terminated.busy = True
            connection.send(Answer(job.number, search(job, stopped, lambda: terminated.asked)))
            terminated.busy = False
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # the server is gone


def search(job: Job, stopped: c_uint64, terminated: Callable[[], bool]) -> Decision | Fault:
    """The decision of the job's bot, at the latest soon after it is to stop."""

    def given_up() -> bool:
        return terminated() or stopped.value >= job.number

    def should_stop() -> bool:
        return given_up() or time.monotonic() >= job.stop_by

    try:
        bot = make_bot(job.bot)
        rng = Rng(job.seed)
        decision = bot.choose(job.info, job.budget, rng, should_stop=should_stop, among=job.among)
    except Exception as error:
        return _fault(error)
    if decision.stop_reason is StopReason.STOPPED and not given_up():
        return replace(decision, stop_reason=StopReason.TIME)
    return decision


def _fault(error: Exception) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    places = " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    return Fault(type(error).__name__, places)
