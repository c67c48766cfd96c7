"""The server's end of a worker process: starts it, asks it, stops it, and sees to its end.

Workers come from a fork server that is started before gRPC: a process that runs gRPC must not be forked.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import c_uint64
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from types import ModuleType

from kingsbridge.ai import Decision
from kingsbridge.server import search_worker
from kingsbridge.server.limits import Limits
from kingsbridge.server.search import Search
from kingsbridge.server.search_worker import Answer, Fault, Job, MakeBot, Progress

_log = logging.getLogger(__name__)

KILL_SECONDS = 0.5
"""How long a worker may take to stop."""

Tell = Callable[[Decision], None]
"""Who is told what a bot thinks meanwhile."""

_MAIN = threading.Lock()  # sys.modules belongs to the process, and two workers may be replaced at once
_CONTEXT = multiprocessing.get_context("forkserver")
_PRELOAD = ["kingsbridge.pyengine", "kingsbridge.ai", "kingsbridge.server.search_worker"]


def prepare() -> None:
    """Has the fork server load what all workers need. To be called before the first worker is made."""
    _CONTEXT.set_forkserver_preload(_PRELOAD)


class Worker:
    """A process that runs one search at a time."""

    def __init__(self, limits: Limits, make: MakeBot) -> None:
        """Starts the process, which takes milliseconds; ``attach`` then binds it to the event loop."""
        self._limits = limits
        self._connection, theirs = _CONTEXT.Pipe()
        self._stopped: c_uint64 = _CONTEXT.RawValue(c_uint64, 0)
        self._number = 0
        self._asked: asyncio.Future[Decision | Fault | None] | None = None
        self._tell: Tell | None = None
        self._mebibytes = 0
        self.born = time.monotonic()
        self.process = _start(theirs, self._stopped, make, limits.most_mebibytes)

    @property
    def busy(self) -> bool:
        """Whether it works on a job, wanted or not."""
        return self._asked is not None

    @property
    def spent(self) -> bool:
        """Whether it has done as many jobs as it may, or held too much memory after the last one."""
        return self._number >= self._limits.worker_jobs or self._mebibytes > self._limits.worker_mebibytes

    def attach(self, released: Callable[[Worker], None], lost: Callable[[Worker], None]) -> None:
        """Lets the running loop tell when this worker is free again, or dead."""
        asyncio.get_running_loop().add_reader(self._connection.fileno(), self._read, released, lost)

    def ask(
        self, search: Search, stop_by: float, tell: Tell | None = None
    ) -> asyncio.Future[Decision | Fault | None]:
        """Begins a search. The future brings the outcome, or ``None`` if the worker dies."""
        self._number += 1
        self._asked = asked = asyncio.get_running_loop().create_future()
        self._tell = tell
        job = Job(
            number=self._number,
            info=search.info,
            bot=search.bot,
            seed=search.seed,
            budget=search.budget,
            stop_by=stop_by,
            among=search.among,
            report_seconds=None if tell is None else search.report_seconds,
        )
        if self._connection.closed:  # it died after it was given away
            self._settle(None)
        with suppress(OSError):  # it died while idle: reading the connection tells
            self._connection.send(job)
        return asked

    def stop(self) -> None:
        """Ends the present search early; kills the worker if it does not obey."""
        if self._asked is not None and self._stopped.value < self._number:
            self._stopped.value = self._number
            asyncio.get_running_loop().call_later(KILL_SECONDS, self._kill_if_still_at, self._number)

    def detach(self) -> None:
        """Lets the process end: it sees the connection close. A search it is at is as good as dead."""
        self._settle(None)
        asyncio.get_running_loop().remove_reader(self._connection.fileno())
        self._connection.close()

    def reap(self) -> None:
        """Waits for the end of the process, and sees to it."""
        self.process.join(KILL_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()

    def _kill_if_still_at(self, number: int) -> None:
        if self._asked is not None and self._number == number:
            _log.warning("search worker %s does not stop and is killed", self.process.pid)
            self.process.kill()

    def _read(self, released: Callable[[Worker], None], lost: Callable[[Worker], None]) -> None:
        try:
            message: Progress | Answer = self._connection.recv()
        except (EOFError, OSError):
            self._settle(None)
            lost(self)
            return
        if isinstance(message, Answer):
            self._mebibytes = message.mebibytes
            self._settle(message.outcome)
            released(self)
        elif self._tell is not None and self._wanted(message.number):
            self._tell(message.decision)

    def _wanted(self, number: int) -> bool:
        return number == self._number and self._asked is not None and not self._asked.done()

    def _settle(self, outcome: Decision | Fault | None) -> None:
        asked, self._asked = self._asked, None
        if asked is not None and not asked.done():
            asked.set_result(outcome)


def _start(theirs: Connection, stopped: c_uint64, make: MakeBot, most_mebibytes: int) -> ForkServerProcess:
    process = _CONTEXT.Process(
        target=search_worker.work,
        args=(theirs, stopped, make, most_mebibytes),
        name="kingsbridge-search",
        daemon=True,
    )
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers share the cores already
    with _nameless_main():
        process.start()
    theirs.close()
    return process


@contextmanager
def _nameless_main() -> Iterator[None]:
    """Keeps the workers from running the main script again, as multiprocessing would: it loads gRPC."""
    with _MAIN:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
