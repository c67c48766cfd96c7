"""Searches in worker processes: a search never blocks another call, and always ends in time.

Workers come from a fork server that is started before gRPC: a process that runs gRPC must not be forked. A
worker that dies is replaced and its search tried once more; one that does not stop when told to is killed.
"""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import c_uint64
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from types import ModuleType

from kingsbridge.ai import Budget, Decision, StopReason, likeliest
from kingsbridge.pyengine import InformationSet, Rng
from kingsbridge.server import search_worker
from kingsbridge.server.refusals import PoolClosedError, QueueFullError, SearchLostError
from kingsbridge.server.search_worker import Answer, Fault, Job

_log = logging.getLogger(__name__)

KILL_SECONDS = 0.5
"""How long a worker may take to stop."""
OVERRUN_SECONDS = 0.2
"""How long a search may overrun before it is answered without its worker."""
CALM_SECONDS = 1.0
"""A worker that dies younger than this is replaced after a pause as long: a broken start must not spin."""

_MAIN = threading.Lock()  # sys.modules belongs to the process, and two workers may be replaced at once
_CONTEXT = multiprocessing.get_context("forkserver")
_PRELOAD = ["kingsbridge.pyengine", "kingsbridge.ai", "kingsbridge.server.search_worker"]


class SearchFaultError(Exception):
    """A bot raised an exception: a fault, not a refusal. Its text names types and places only."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.kind} at {fault.places}")


@dataclass(frozen=True, slots=True)
class Search:
    """A question to a bot.

    ``stop_by`` and ``answer_by`` (not before ``stop_by``) are times of ``time.monotonic``: when the search
    ends, and when the answer is due even if there is none. ``max_seconds`` bounds the thinking time alone.
    ``among`` holds the legal actions that come into question; ``None``: all.
    """

    info: InformationSet
    bot: str
    seed: int
    budget: Budget
    max_seconds: float
    stop_by: float = math.inf
    answer_by: float = math.inf
    among: list[int] | None = None


class _Worker:
    """The server's end of a worker process."""

    def __init__(self) -> None:
        """Starts the process, which takes milliseconds; ``attach`` then binds it to the event loop."""
        self._connection, theirs = _CONTEXT.Pipe()
        self._stopped: c_uint64 = _CONTEXT.RawValue(c_uint64, 0)
        self._number = 0
        self._asked: asyncio.Future[Decision | Fault | None] | None = None
        self.born = time.monotonic()
        self.process = _start(theirs, self._stopped)

    @property
    def busy(self) -> bool:
        """Whether it works on a job, wanted or not."""
        return self._asked is not None

    def attach(self, pool: SearchPool) -> None:
        """Lets the running loop tell the pool when this worker is free again, or dead."""
        asyncio.get_running_loop().add_reader(self._connection.fileno(), self._read, pool)

    def ask(self, search: Search, stop_by: float) -> asyncio.Future[Decision | Fault | None]:
        """Begins a search. The future brings the outcome, or ``None`` if the worker dies."""
        self._number += 1
        self._asked = asyncio.get_running_loop().create_future()
        job = Job(self._number, search.info, search.bot, search.seed, search.budget, stop_by, search.among)
        with suppress(OSError):  # it died while idle: reading the connection tells
            self._connection.send(job)
        return self._asked

    def stop(self) -> None:
        """Ends the present search early; kills the worker if it does not obey."""
        if self._asked is not None and self._stopped.value < self._number:
            self._stopped.value = self._number
            asyncio.get_running_loop().call_later(KILL_SECONDS, self._kill_if_still_at, self._number)

    def detach(self) -> None:
        """Lets the process end: it sees the connection close."""
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

    def _read(self, pool: SearchPool) -> None:
        outcome: Decision | Fault | None = None
        try:
            answer: Answer = self._connection.recv()
            outcome = answer.outcome
        except (EOFError, OSError):
            pass
        asked, self._asked = self._asked, None
        if asked is not None and not asked.done():
            asked.set_result(outcome)
        if outcome is None:
            pool.lose(self)
        else:
            pool.release(self)


class SearchPool:
    """A fixed number of workers, and a bounded queue in front of them. Belongs to one event loop."""

    def __init__(self, workers: int, queue: int) -> None:
        """``workers`` processes; at most ``queue`` searches wait for one."""
        if workers < 1:
            raise ValueError(f"{workers} workers: at least one is needed")
        self._size = workers
        self._queue = queue
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._waiting: deque[asyncio.Future[_Worker | None]] = deque()
        self._replacing: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def busy(self) -> int:
        """Workers at work."""
        return sum(worker.busy for worker in self._workers)

    @property
    def idle(self) -> int:
        """Workers that could begin a search at once."""
        return len(self._idle)

    @property
    def waiting(self) -> int:
        """Searches that wait for a worker."""
        return len(self._waiting)

    async def start(self) -> None:
        """Starts the workers. To be called before the process makes its first gRPC object."""
        _CONTEXT.set_forkserver_preload(_PRELOAD)
        for _ in range(self._size):
            await self._hire()

    async def search(self, search: Search) -> Decision:
        """The bot's decision: in time, even if it is made without a worker. Cancelling frees the worker.

        Raises:
            PoolClosedError: the pool is shutting down.
            QueueFullError: too many searches wait.
            SearchLostError: the worker died, and so did the next one.
            SearchFaultError: the bot raised.
        """
        if self._closed:
            raise PoolClosedError("the server is shutting down")
        for _ in range(2):
            worker = await self._free_worker(search.answer_by)
            if worker is None:
                return unsearched(search, StopReason.STOPPED if self._closed else StopReason.TIME)
            outcome = await self._ask(worker, search)
            if isinstance(outcome, Fault):
                raise SearchFaultError(outcome)
            if outcome is not None:
                return outcome
        raise SearchLostError("the search crashed twice")

    def finish_early(self) -> None:
        """Begins no more searches and ends those that run or wait, each with the best action so far."""
        self._closed = True
        while self._waiting:
            self._waiting.popleft().set_result(None)
        for worker in self._workers:
            worker.stop()

    async def close(self) -> None:
        """Ends all workers."""
        self.finish_early()
        for task in self._replacing:
            task.cancel()
        await asyncio.gather(*self._replacing, return_exceptions=True)
        for worker in self._workers:
            worker.detach()
        for worker in self._workers:
            await asyncio.to_thread(worker.reap)
        self._workers.clear()
        self._idle.clear()

    def release(self, worker: _Worker) -> None:
        """A worker is free: it goes to the search that waits longest."""
        while self._waiting:
            ticket = self._waiting.popleft()
            if not ticket.done():
                ticket.set_result(worker)
                return
        self._idle.append(worker)

    def lose(self, worker: _Worker) -> None:
        """A worker is dead: another one takes its place."""
        worker.detach()
        self._workers.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        task = asyncio.get_running_loop().create_task(self._replace(worker))
        self._replacing.add(task)
        task.add_done_callback(self._replacing.discard)

    async def _ask(self, worker: _Worker, search: Search) -> Decision | Fault | None:
        seconds = search.max_seconds if search.budget.seconds is None else search.budget.seconds
        stop_by = min(search.stop_by, time.monotonic() + min(seconds, search.max_seconds))
        answer_by = min(search.answer_by, stop_by + OVERRUN_SECONDS)
        asked = worker.ask(search, stop_by)
        try:
            await asyncio.wait({asked}, timeout=answer_by - time.monotonic())
        finally:
            if not asked.done():
                asked.cancel()
                worker.stop()
        return unsearched(search, StopReason.TIME) if asked.cancelled() else asked.result()

    async def _free_worker(self, by: float) -> _Worker | None:
        """A worker, or ``None`` if none is free in time or the pool closes."""
        if self._idle:
            return self._idle.pop()
        if self._closed:
            return None
        if len(self._waiting) >= self._queue:
            raise QueueFullError(f"{self._queue} searches wait already")
        ticket: asyncio.Future[_Worker | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(ticket)
        timeout = None if by == math.inf else by - time.monotonic()
        try:
            await asyncio.wait({ticket}, timeout=timeout)
        except asyncio.CancelledError:
            self._withdraw(ticket)
            raise
        if not ticket.done():
            self._withdraw(ticket)
            return None
        return ticket.result()

    def _withdraw(self, ticket: asyncio.Future[_Worker | None]) -> None:
        """Nobody waits for this ticket any more; a worker it was given meanwhile goes on to the next."""
        if not ticket.done():
            self._waiting.remove(ticket)
            ticket.cancel()
        elif (worker := ticket.result()) is not None:
            self.release(worker)

    async def _hire(self) -> None:
        # In a thread: a fork server that has to be started first takes longer than the loop may stand still.
        worker = await asyncio.to_thread(_Worker)
        self._workers.add(worker)
        worker.attach(self)
        self.release(worker)

    async def _replace(self, worker: _Worker) -> None:
        pid, age = worker.process.pid, time.monotonic() - worker.born
        await asyncio.to_thread(worker.reap)
        if age < CALM_SECONDS:
            await asyncio.sleep(CALM_SECONDS)
        while not self._closed:
            _log.warning("search worker %s died and is replaced", pid)
            try:
                await self._hire()
                break
            except (OSError, EOFError) as error:  # the fork server may be dying as well
                _log.error("no new search worker: %s", type(error).__name__)
                await asyncio.sleep(CALM_SECONDS)


def unsearched(search: Search, reason: StopReason) -> Decision:
    """A legal action without a search, within microseconds: the one that looks best in one imagined state."""
    world = search.info.imagine(Rng(search.seed))
    action = likeliest(world, search.among or world.legal_actions())
    return Decision(action, (), (action,), 0, 0.0, reason)


def _start(theirs: Connection, stopped: c_uint64) -> ForkServerProcess:
    process = _CONTEXT.Process(
        target=search_worker.work, args=(theirs, stopped), name="kingsbridge-search", daemon=True
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
