"""Searches in worker processes: a search never blocks another call, and always ends in time.

A worker that dies is replaced and its search tried once more; one that does not stop when told to is killed.
A search that would wait too long for a worker is refused when it comes, not when its time is over.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from kingsbridge.ai import Clock, Decision, StopReason, make_bot
from kingsbridge.server.admission import Durations, estimated_wait, need
from kingsbridge.server.limits import Limits
from kingsbridge.server.observer import Observers
from kingsbridge.server.pool_status import PoolStatus, Rate, Totals, Waiting
from kingsbridge.server.quarantine import Quarantine
from kingsbridge.server.refusals import PoolClosedError, QueueFullError, SearchLostError
from kingsbridge.server.search import Priority, Search, unsearched
from kingsbridge.server.search_queue import SearchQueue, Ticket
from kingsbridge.server.search_worker import Fault, MakeBot
from kingsbridge.server.worker import Tell, Worker, prepare

_log = logging.getLogger(__name__)

OVERRUN_SECONDS = 0.2
"""How long a search may overrun before it is answered without its worker."""
CALM_SECONDS = 1.0
"""A worker that dies younger than this is replaced after a pause as long: a broken start must not spin."""
HIRE_SECONDS = 0.2
"""How long a new worker is expected to take to start."""


class SearchFaultError(Exception):
    """A bot raised an exception: a fault, not a refusal. Its text names types and places only."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.kind} at {fault.places}")


@dataclass(frozen=True, slots=True)
class _Work:
    """What a worker is at: for whom, and until when as far as one can tell."""

    caller: str
    until: float


class _News:
    """What a bot told last, and whether that is news."""

    def __init__(self) -> None:
        self.newest: Decision | None = None
        self.fresh = asyncio.Event()

    def tell(self, decision: Decision) -> None:
        self.newest = decision
        self.fresh.set()

    def unless_better(self, last: Decision) -> Decision:
        """The last decision, unless it was made without the search that told better ones."""
        if self.newest is None or last.iterations > 0:
            return last
        return replace(self.newest, stop_reason=last.stop_reason)


class SearchPool:
    """A fixed number of workers, and a bounded queue in front of them. Belongs to one event loop."""

    def __init__(
        self,
        workers: int,
        limits: Limits | None = None,
        *,
        make: MakeBot = make_bot,
        clock: Clock = time.monotonic,
        observers: Observers | None = None,
    ) -> None:
        """``workers`` processes, which make their bots by ``make``; ``clock`` is that of the searches.

        ``observers`` are told of every search.
        """
        if workers < 1:
            raise ValueError(f"{workers} workers: at least one is needed")
        self._size = workers
        self._limits = limits or Limits()
        self._make = make
        self._clock = clock
        self._observers = observers or Observers()
        self._queue = SearchQueue(self._limits.queue, self._limits.caller_places)
        self._durations = Durations()
        self._quarantine = Quarantine(clock)
        self._totals = Totals()
        self._rate = Rate(clock)
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._work: dict[Worker, _Work] = {}
        self._awaited: dict[Ticket, asyncio.Future[Worker | None]] = {}
        self._renewing: set[Worker] = set()  # their successors are on the way
        self._outgoing: set[Worker] = set()  # their successors are here
        self._chores: set[asyncio.Task[None]] = set()
        self._burials: set[asyncio.Future[None]] = set()
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
        return len(self._queue)

    def status(self) -> PoolStatus:
        """What it is doing and has done."""
        now = self._clock()
        waiting = {}
        for priority in Priority:
            since = [ticket.since for ticket in self._queue.waiting(priority)]
            waiting[priority] = Waiting(len(since), max(0.0, now - min(since, default=now)))
        return PoolStatus(
            workers=len(self._workers),
            busy=self.busy,
            idle=self.idle,
            waiting=waiting,
            totals=self._totals,
            iterations_per_second=self._rate.per_second(),
        )

    async def start(self) -> None:
        """Starts the workers. To be called before the process makes its first gRPC object."""
        prepare()
        for _ in range(self._size):
            await self._hire()

    async def search(self, search: Search) -> Decision:
        """The bot's decision: in time, even if it is made without a worker. Cancelling frees the worker.

        Raises:
            PoolClosedError: the pool is shutting down.
            QueueFullError: too many searches wait, or too long ones for this search's deadline.
            SearchLostError: the worker died, and so did the next one; or they did so a short while ago.
            SearchFaultError: the bot raised.
        """
        return await self._search(search, None)

    async def stream(self, search: Search) -> AsyncGenerator[Decision, None]:
        """Decisions that get better: at once one without a search, then what the bot tells meanwhile, and at
        last its own decision, as ``search`` gives it.

        Who reads slowly misses decisions in between, never the last. If the bot overruns its time, that is
        what it told before. Who reads no more must close the iterator (``contextlib.aclosing``) or be
        cancelled: both free the worker.

        Raises:
            As ``search``; refusals come before the first decision.
        """
        news = _News()
        last = asyncio.create_task(self._search(search, news.tell))
        last.add_done_callback(lambda _: news.fresh.set())
        try:
            await asyncio.sleep(0)  # it is let in or refused now
            if not last.done():
                yield unsearched(search, StopReason.RUNNING)
            while not last.done():
                await news.fresh.wait()
                news.fresh.clear()
                if news.newest is not None and not last.done():
                    yield news.newest
            yield news.unless_better(await last)
        finally:
            last.cancel()
            await asyncio.gather(last, return_exceptions=True)

    def finish_early(self) -> None:
        """Begins no more searches and ends those that run or wait, each with the best action so far."""
        self._closed = True
        for ticket in list(self._queue):
            self._queue.remove(ticket)
            self._awaited.pop(ticket).set_result(None)
        for worker in self._workers:
            worker.stop()

    async def close(self) -> None:
        """Ends all workers."""
        self.finish_early()
        for task in self._chores:
            task.cancel()
        await asyncio.gather(*self._chores, *self._burials, return_exceptions=True)
        for worker in self._workers:
            worker.detach()
        for worker in self._workers:
            await asyncio.to_thread(worker.reap)
        self._workers.clear()
        self._idle.clear()

    def release(self, worker: Worker) -> None:
        """A worker is free: it goes to the search whose turn it is, unless it is at its end."""
        self._work.pop(worker, None)
        if worker in self._outgoing:
            self._dismiss(worker)
            return
        if worker.spent and worker not in self._renewing and not self._closed:
            self._renewing.add(worker)
            self._begin(self._renew(worker))
        ticket = None if self._closed else self._queue.take(self._clock(), self._shares())
        if ticket is None:
            self._idle.append(worker)
        else:
            self._awaited.pop(ticket).set_result(self._engage(worker, ticket))

    def lose(self, worker: Worker) -> None:
        """A worker is dead: another one takes its place."""
        self._work.pop(worker, None)
        worker.detach()
        self._workers.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        if worker not in self._renewing | self._outgoing:
            self._begin(self._replace(worker.process.pid, time.monotonic() - worker.born))
        self._outgoing.discard(worker)
        self._bury(worker)

    async def _search(self, search: Search, tell: Tell | None) -> Decision:
        with self._observers.search(search.bot) as seen:
            return seen(await self._decided(search, tell))

    async def _decided(self, search: Search, tell: Tell | None) -> Decision:
        if self._closed:
            raise PoolClosedError("the server is shutting down")
        if self._quarantine.holds(search):
            self._count(lost=1)
            raise SearchLostError("the search crashed a short while ago")
        for first in (True, False):
            worker = await self._free_worker(search, first)
            if worker is None:
                self._count(shed=1)
                return unsearched(search, StopReason.STOPPED if self._closed else StopReason.TIME)
            outcome = await self._ask(worker, search, tell)
            if isinstance(outcome, Fault):
                self._count(faults=1)
                raise SearchFaultError(outcome)
            if outcome is not None:
                return outcome
        self._quarantine.add(search)
        self._count(lost=1)
        raise SearchLostError("the search crashed twice")

    async def _ask(self, worker: Worker, search: Search, tell: Tell | None) -> Decision | Fault | None:
        began = self._clock()
        stop_by = min(search.stop_by, began + search.seconds())
        answer_by = min(search.answer_by, stop_by + OVERRUN_SECONDS)
        asked = worker.ask(search, stop_by, tell)
        if self._closed:  # since it was given the worker
            worker.stop()
        try:
            await asyncio.wait({asked}, timeout=answer_by - began)
        finally:
            if not asked.done():
                asked.cancel()
                self._give_up(worker)
            self._learn(search, asked, self._clock() - began)
        if asked.cancelled():
            self._count(shed=1)
            return unsearched(search, StopReason.TIME)
        return asked.result()

    def _give_up(self, worker: Worker) -> None:
        worker.stop()
        if worker in self._work:
            self._work[worker] = replace(self._work[worker], until=self._clock())

    def _learn(self, search: Search, asked: asyncio.Future[Decision | Fault | None], seconds: float) -> None:
        outcome = None if asked.cancelled() else asked.result()
        if isinstance(outcome, Decision):
            self._count(done=1, iterations=outcome.iterations)
            self._rate.add(outcome.iterations)
            whole = outcome.stop_reason not in (StopReason.TIME, StopReason.STOPPED)
            self._durations.learn(search, seconds, whole)
        elif asked.cancelled():
            self._durations.learn(search, seconds, whole=False)

    async def _free_worker(self, search: Search, first: bool) -> Worker | None:
        """A worker, or ``None`` if none is free in time or the pool closes. Only ``first`` asks for room."""
        now = self._clock()
        seconds = self._durations.expected(search, now)
        ticket = Ticket(search.priority, search.caller, now, seconds, search.stop_by)
        if self._closed:
            return None
        if self._idle:
            return self._engage(self._idle.pop(), ticket)
        if search.stop_by <= now:
            return None
        if first:
            self._admit(ticket, now)
        given: asyncio.Future[Worker | None] = asyncio.get_running_loop().create_future()
        self._awaited[ticket] = given
        self._queue.add(ticket)
        timeout = None if search.stop_by == math.inf else search.stop_by - now
        try:
            await asyncio.wait({given}, timeout=timeout)
        except asyncio.CancelledError:
            self._withdraw(ticket, given)
            raise
        if not given.done():
            self._withdraw(ticket, given)
            return None
        return given.result()

    def _admit(self, ticket: Ticket, now: float) -> None:
        """Refuses a ticket that finds no room, or is not left the time it needs by those before it."""
        shortage = self._queue.shortage(ticket)
        if not shortage and ticket.stop_by == math.inf:
            return
        self._queue.add(ticket)
        order = self._queue.order(now, self._shares())
        ahead = [each.seconds for each in takewhile(lambda each: each is not ticket, order)]
        self._queue.remove(ticket)
        wait = estimated_wait(self._rests(now), ahead)
        if not shortage and now + wait + need(ticket.seconds) > ticket.stop_by:
            shortage = f"a worker is expected to be free in {wait:.1f} s, which is too late"
        if shortage:
            self._count(refused=1)
            raise QueueFullError(shortage, ticket.priority.name.lower(), len(ahead) + 1, wait)

    def _rests(self, now: float) -> list[float]:
        """How long each worker is still at work; those to come as well."""
        rests = [max(0.0, work.until - now) for work in self._work.values()]
        return rests + [HIRE_SECONDS] * (self._size - len(rests))

    def _shares(self) -> Counter[str]:
        """Searches in work, by caller."""
        return Counter(work.caller for work in self._work.values())

    def _engage(self, worker: Worker, ticket: Ticket) -> Worker:
        until = min(self._clock() + ticket.seconds, ticket.stop_by)
        self._work[worker] = _Work(ticket.caller, until)
        return worker

    def _withdraw(self, ticket: Ticket, given: asyncio.Future[Worker | None]) -> None:
        """Nobody waits for this ticket any more; a worker it was given meanwhile goes on to the next."""
        if not given.done():
            self._queue.remove(ticket)
            self._awaited.pop(ticket)
            given.cancel()
        elif (worker := given.result()) is not None:
            self.release(worker)

    def _count(self, **more: int) -> None:
        self._totals = replace(
            self._totals, **{name: getattr(self._totals, name) + count for name, count in more.items()}
        )

    def _begin(self, chore: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _hire(self) -> None:
        # In a thread: a fork server that has to be started first takes longer than the loop may stand still.
        worker = await asyncio.to_thread(Worker, self._limits, self._make)
        self._workers.add(worker)
        worker.attach(self.release, self.lose)
        self.release(worker)

    async def _hire_at_last(self) -> None:
        """Tries until there is a new worker, or the pool closes."""
        while not self._closed:
            try:
                await self._hire()
                break
            except (OSError, EOFError) as error:  # the fork server may be dying as well
                _log.error("no new search worker: %s", type(error).__name__)
                await asyncio.sleep(CALM_SECONDS)

    async def _replace(self, pid: int | None, age: float) -> None:
        if age < CALM_SECONDS:
            await asyncio.sleep(CALM_SECONDS)
        if not self._closed:
            _log.warning("search worker %s died and is replaced", pid)
        await self._hire_at_last()

    async def _renew(self, worker: Worker) -> None:
        """Gives a worker a successor, and lets it go when it is free."""
        await self._hire_at_last()
        if self._closed:
            return
        self._renewing.discard(worker)
        self._count(recycled=1)
        if worker in self._idle:
            self._idle.remove(worker)
            self._dismiss(worker)
        elif worker in self._workers:
            self._outgoing.add(worker)

    def _dismiss(self, worker: Worker) -> None:
        self._outgoing.discard(worker)
        self._workers.discard(worker)
        worker.detach()
        self._bury(worker)

    def _bury(self, worker: Worker) -> None:
        burial = asyncio.get_running_loop().run_in_executor(None, worker.reap)
        self._burials.add(burial)
        burial.add_done_callback(self._burials.discard)
