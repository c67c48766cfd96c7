"""Workers on many machines, by Ray: what ``crew.share_out`` does on one. Needs the extra ``ray``."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from kingsbridge.ai.arena.crew import Crew, WorkerDiedError

Task = TypeVar("Task")
Result = TypeVar("Result")


class RayMissingError(RuntimeError):
    """Ray is not installed; the message says how to."""


def ray_crew(address: str | None = None) -> Crew:
    """A crew in the cluster at ``address`` (``ray://host:port``, or ``auto``); ``None``: one on this machine,
    for as long as it works. A process that is connected to a cluster stays there. Each worker takes one
    processor of the cluster.

    Raises:
        RayMissingError: see there.
    """
    missing = RayMissingError('Ray is not installed: pip install "kingsbridge[ray]"')
    try:
        ray = importlib.import_module("ray")  # an extra
    except ImportError as error:
        raise missing from error
    if not hasattr(ray, "is_initialized"):  # a folder of that name, such as the one where Ray keeps its files
        raise missing
    return _RayCrew(ray, address)


class _RayCrew:
    """See ``ray_crew``."""

    def __init__(self, ray: Any, address: str | None) -> None:
        self._ray = ray
        self._address = address

    def __call__(
        self, work: Callable[[Task], Result], next_task: Callable[[], Task | None], workers: int, pause: float
    ) -> Iterator[tuple[Task, Result] | None]:
        """See ``crew.share_out``."""
        connected = self._ray.is_initialized()  # whoever connected this process lets go, too
        if not connected:
            self._connect(workers)
        try:
            # An actor lives as long as the tournament, so that bots from outside stay open between games.
            actor = self._ray.remote(num_cpus=1)(_Worker)
            crew = [actor.remote(work) for _ in range(workers)]
            yield from _supervise(self._ray, crew, next_task, pause)
        finally:
            if not connected:
                self._ray.shutdown()

    def _connect(self, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to others
        processors = None if self._address else workers
        self._ray.init(self._address, num_cpus=processors, log_to_driver=False, include_dashboard=False)


class _Worker:
    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def answer(self, task: Any) -> Any:
        return self._work(task)


def _supervise(
    ray: Any, workers: list[Any], next_task: Callable[[], Task | None], pause: float
) -> Iterator[tuple[Task, Any] | None]:
    """Keeps each worker busy with one task at a time."""
    idle = list(workers)
    asked: dict[Any, tuple[Any, Task]] = {}
    while True:
        while idle and (task := next_task()) is not None:
            worker = idle.pop()
            asked[worker.answer.remote(task)] = worker, task
        if not asked:
            return
        ready, _ = ray.wait(list(asked), timeout=pause)
        if not ready:
            yield None
        for answer in ready:
            worker, task = asked.pop(answer)
            try:
                result = ray.get(answer)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except ray.exceptions.RayActorError as error:
                raise WorkerDiedError(f"a worker ended while it worked on task {task}") from error
            idle.append(worker)
            yield task, result
