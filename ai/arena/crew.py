"""Worker processes that share out tasks and can be stopped at any moment.

Small on purpose: the pools of the standard library either hang when a worker dies or cannot end one that is
busy.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, cast

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerDiedError(RuntimeError):
    """A worker process ended before it answered, for instance killed for want of memory."""


def share_out(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[tuple[Task, Result]]:
    """Calls ``work`` with each task in ``workers`` processes and yields (task, result) as they come.

    A task is taken when a worker is free for it: ``tasks`` may choose the next one then, or end. ``work``,
    tasks and results are pickled. Processes are started afresh (``forkserver``), so no thread or lock of this
    one is copied into them. An exception of the work is raised here, with the worker's traceback as a note.
    Whatever ends the iteration, an interrupt included, ends the workers.

    Raises:
        WorkerDiedError: a worker ended without an answer.
    """
    context = multiprocessing.get_context("forkserver")
    crew: dict[Connection, BaseProcess] = {}
    asked: dict[Connection, Task] = {}
    waiting = iter(tasks)
    try:
        for task in islice(waiting, workers):
            here, there = context.Pipe()
            process: BaseProcess = context.Process(target=_work, args=(there, work), daemon=True)
            process.start()
            there.close()  # so that the end of the worker is the end of the pipe
            crew[here] = process
            _ask(here, task, asked)
        yield from _supervise(waiting, asked)
    finally:
        for connection, process in crew.items():
            process.terminate()
            process.join()
            connection.close()


def _supervise(waiting: Iterator[Task], asked: dict[Connection, Task]) -> Iterator[tuple[Task, Any]]:
    """Keeps each worker busy with one task at a time."""
    while asked:
        for ready in cast("list[Connection]", wait(list(asked))):
            task = asked.pop(ready)
            try:
                result, error = ready.recv()
            except EOFError:
                raise WorkerDiedError(f"a worker process ended while it worked on task {task}") from None
            if error is not None:
                raise error
            for following in islice(waiting, 1):
                _ask(ready, following, asked)
            yield task, result


def _ask(connection: Connection, task: Task, asked: dict[Connection, Task]) -> None:
    connection.send(task)
    asked[connection] = task


def _work(connection: Connection, work: Callable[[Any], Any]) -> None:
    """A worker's life: answer tasks with results until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that hands out the work decides when to stop
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
