"""Worker processes that share out numbered tasks and can be stopped at any moment.

Small on purpose: the pools of the standard library either hang when a worker dies or cannot end one that is
busy.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, cast

Result = TypeVar("Result")


class WorkerDiedError(RuntimeError):
    """A worker process ended before it answered, for instance killed for want of memory."""


def share_out(task: Callable[[int], Result], count: int, workers: int) -> Iterator[tuple[int, Result]]:
    """Calls ``task`` with 0 .. count - 1 in ``workers`` processes and yields (number, result) as they come.

    ``task`` and its results are pickled. Processes are started afresh (``forkserver``), so no thread or lock
    of this one is copied into them. An exception of the task is raised here, with the worker's traceback as a
    note. Whatever ends the iteration, an interrupt included, ends the workers.

    Raises:
        WorkerDiedError: a worker ended without an answer.
    """
    context = multiprocessing.get_context("forkserver")
    crew: dict[Connection, BaseProcess] = {}
    try:
        for _ in range(min(workers, count)):
            here, there = context.Pipe()
            process: BaseProcess = context.Process(target=_work, args=(there, task), daemon=True)
            process.start()
            there.close()  # so that the end of the worker is the end of the pipe
            crew[here] = process
        yield from _supervise(list(crew), count)
    finally:
        for connection, process in crew.items():
            process.terminate()
            process.join()
            connection.close()


def _supervise(connections: list[Connection], count: int) -> Iterator[tuple[int, Any]]:
    """Keeps each worker busy with one task at a time."""
    waiting = iter(range(count))
    asked: dict[Connection, int] = {}
    for connection in connections:
        _ask(connection, waiting, asked)
    while asked:
        for ready in cast("list[Connection]", wait(list(asked))):
            number = asked.pop(ready)
            try:
                result, error = ready.recv()
            except EOFError:
                raise WorkerDiedError(f"a worker process ended while it worked on task {number}") from None
            if error is not None:
                raise error
            _ask(ready, waiting, asked)
            yield number, result


def _ask(connection: Connection, waiting: Iterator[int], asked: dict[Connection, int]) -> None:
    number = next(waiting, None)
    if number is not None:
        connection.send(number)
        asked[connection] = number


def _work(connection: Connection, task: Callable[[int], Any]) -> None:
    """A worker's life: answer numbers with results until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that hands out the work decides when to stop
    while True:
        try:
            number = connection.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None]
        try:
            answer = (task(number), None)
        except Exception as error:
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
            answer = (None, error)
        connection.send(answer)
