"""Rounds in processes of their own: one that crashes or hangs tells by which request."""

from __future__ import annotations

import mmap
import multiprocessing
import pickle
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from tests.fuzz import course
from tests.fuzz.calls import MOST_SECONDS, Shot
from tests.fuzz.course import Failure, Found

HANG_SECONDS = 3 * MOST_SECONDS
"""So long without a new request, and a worker hangs."""

_CONTEXT = multiprocessing.get_context("spawn")
_SIZE = 4 << 20
_HEAD = struct.Struct("=QQ")  # number of the request, length of what follows


class Journal:
    """The last request of a worker, where it outlives the worker: in a file that both have mapped."""

    def __init__(self, path: str) -> None:
        """Over a file of ``_SIZE`` bytes."""
        with open(path, "r+b") as file:  # noqa: PTH123  # mmap wants its descriptor
            self._map = mmap.mmap(file.fileno(), _SIZE)

    @property
    def number(self) -> int:
        """How many requests were noted."""
        return int(_HEAD.unpack_from(self._map)[0])

    def note(self, shot: Shot) -> None:
        """Puts a request in the place of the last one."""
        data = pickle.dumps(shot)
        self._map[: _HEAD.size + len(data)] = _HEAD.pack(self.number + 1, len(data)) + data

    def last(self) -> Shot:
        """The request that was noted last."""
        _, length = _HEAD.unpack_from(self._map)
        shot: Shot = pickle.loads(self._map[_HEAD.size : _HEAD.size + length])
        return shot


class Worker:
    """A process that plays round after round."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._file = tempfile.NamedTemporaryFile()  # noqa: SIM115  # lives as long as the worker
        self._file.truncate(_SIZE)
        self._journal = Journal(self._file.name)
        self._ours, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=work, args=(theirs, self._file.name, seed), daemon=True)
        self._process.start()
        theirs.close()

    def play(self, number: int, count: int) -> Found:
        """A round; its failures are those of the requests, or that of the process, which is then over."""
        seen, since = self._journal.number, time.monotonic()
        first = seen
        with suppress(EOFError, OSError):
            self._ours.send((number, count))
            while not self._ours.poll(1.0):
                if self._journal.number != seen:
                    seen, since = self._journal.number, time.monotonic()
                if time.monotonic() - since > HANG_SECONDS:
                    return self._lost(number, seen - first, "the process hangs")
            found: Found = self._ours.recv()
            return found
        self._process.join(HANG_SECONDS)
        return self._lost(number, self._journal.number - first, f"the process died: {self._process.exitcode}")

    @property
    def alive(self) -> bool:
        """Whether it can play another round."""
        return self._process.is_alive()

    def close(self) -> None:
        """Ends the process."""
        self._ours.close()
        self._process.kill()
        self._process.join()
        self._file.close()

    def _lost(self, number: int, index: int, how: str) -> Found:
        self._process.kill()
        self._process.join()
        if not self._journal.number:
            raise AssertionError(f"{how} before its first request")
        failure = Failure(how, self._journal.last(), self._seed, number, max(0, index - 1))
        return Found(failures={failure.kind: failure})


def rounds(seed: int, numbers: Iterator[tuple[int, int]], seconds: float) -> Iterator[Found]:
    """What comes of round after round, of so many requests each, until the time is up."""
    worker, end = Worker(seed), time.monotonic() + seconds
    try:
        for number, count in numbers:
            if not worker.alive:
                worker.close()
                worker = Worker(seed)
            yield worker.play(number, count)
            if time.monotonic() > end:
                return
    finally:
        worker.close()


def work(connection: Connection[Any, Any], path: str, seed: int) -> None:
    """Plays rounds until the connection is closed."""
    journal = Journal(path)
    with suppress(EOFError):
        while True:
            number, count = connection.recv()
            connection.send(course.play(seed, number, count, journal.note))
