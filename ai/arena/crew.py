"""Worker processes that share out tasks and can be stopped at any moment.

Small on purpose: the pools of the standard library either hang when a worker dies or cannot end one that is
busy.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, TypeVar, cast

Task = TypeVar("Task")
Result = TypeVar("Result")

SHORT = 0.05
"""Seconds of a task below which a worker is given the next one before it has answered, so that it need not
wait for it. With longer ones a worker could sit on a task while another has none."""


class WorkerDiedError(RuntimeError):
    """A worker process ended before it answered, for instance killed for want of memory."""


class Crew(Protocol):
    """Who does the work: ``share_out``, or what does the same on many machines."""

    def __call__(
        self, work: Callable[[Task], Result], next_task: Callable[[], Task | None], workers: int, pause: float
    ) -> Iterator[tuple[Task, Result] | None]:
        """See ``share_out``."""


def share_out(
    work: Callable[[Task], Result], next_task: Callable[[], Task | None], workers: int, pause: float = 60.0
) -> Iterator[tuple[Task, Result] | None]:
    """Calls ``work`` with each task in ``workers`` processes and yields (task, result) as they come, or
    ``None`` when nothing came for ``pause`` seconds.

    ``next_task`` is asked when a worker is free: it may choose then, and may have nothing (``None``) now and
    something after the next result. It is over when there is nothing and nobody is at work. ``work``, tasks
    and results are pickled; ``work`` once for each worker, which may keep things in it. Processes are started
    afresh (``forkserver``), so no thread or lock of this one is copied into them. An exception of the work is
    raised here, with the worker's traceback as a note. Whatever ends the iteration, an interrupt included,
    ends the workers.

    Raises:
        WorkerDiedError: a worker ended without an answer.
    """
    crew: list[_Worker[Task, Result]] = []
    try:
        while True:
            _fill(crew, work, next_task, workers)
            busy = {worker.connection: worker for worker in crew if worker.has}
            if not busy:
                return
            ready = cast("list[Connection]", wait(list(busy), timeout=pause))
            if not ready:
                yield None
            for connection in ready:
                yield busy[connection].answer()
    finally:
        for worker in crew:
            worker.end()


class _Worker(Generic[Task, Result]):
    """A process at work, and the tasks it was given: it answers them in their order."""

    def __init__(self, work: Callable[[Task], Result]) -> None:
        context = multiprocessing.get_context("forkserver")
        self.connection, there = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(there, work), daemon=True)
        self._process.start()
        there.close()  # so that the end of the worker is the end of the pipe
        self._asked: deque[Task] = deque()
        self._since = time.monotonic()
        self._seconds = float("inf")

    @property
    def has(self) -> int:
        """How many tasks it has."""
        return len(self._asked)

    @property
    def wants(self) -> int:
        """How many tasks it should have."""
        return 2 if self._seconds < SHORT else 1

    def ask(self, task: Task) -> None:
        """Gives it a task.

        Raises:
            WorkerDiedError: it has ended.
        """
        if not self._asked:
            self._since = time.monotonic()
        try:
            self.connection.send(task)
        except BrokenPipeError:
            raise WorkerDiedError(f"a worker process had ended before it was given task {task}") from None
        self._asked.append(task)

    def answer(self) -> tuple[Task, Result]:
        """The next answer, which is there.

        Raises:
            WorkerDiedError: the worker has ended instead.
        """
        task = self._asked.popleft()
        try:
            result, error = self.connection.recv()
        except (EOFError, ConnectionResetError):  # reset: there was a task in the pipe that it never read
            raise WorkerDiedError(f"a worker process ended while it worked on task {task}") from None
        now = time.monotonic()
        self._seconds, self._since = now - self._since, now
        if error is not None:
            raise error
        return task, cast("Result", result)

    def end(self) -> None:
        """Ends it, busy or not."""
        self._process.terminate()
        self._process.join()
        self.connection.close()


def _fill(
    crew: list[_Worker[Task, Result]],
    work: Callable[[Task], Result],
    next_task: Callable[[], Task | None],
    workers: int,
) -> None:
    """Gives a task to each worker that has none, new ones included, and then to those that want another."""
    for least in (0, 1):
        for worker in crew:
            if worker.has <= least < worker.wants:
                task = next_task()
                if task is None:
                    return
                worker.ask(task)
        while least == 0 and len(crew) < workers:
            task = next_task()
            if task is None:
                return
            crew.append(_Worker(work))
            crew[-1].ask(task)


def _work(connection: Connection, work: Callable[[Any], Any]) -> None:
    """A worker's life: answer tasks with results until the pipe ends."""
    # The one that hands out the work decides when to stop. While a terminal suspends that one (Ctrl-Z),
    # tasks under way are finished: one that measures time would take the pause for its own.
    for number in (signal.SIGINT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None]
        try:
            answer = (work(task), None)
        except Exception as error:
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
            answer = (None, error)
        try:
            connection.send(answer)
        except BrokenPipeError:  # nobody waits for it any more
            return
