"""A server in a process and a session of its own, and what it costs: memory and CPU time."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from kingsbridge.server.config import Config
from tests.processes import alive

SERVE = """
import asyncio
from kingsbridge.server.app import serve
from kingsbridge.server.config import Config
from tests.processes import alive
from kingsbridge.server.limits import Limits

if __name__ == "__main__":
    knobs = {knobs!r}
    asyncio.run(serve(Config(**{{**knobs, "limits": Limits(**knobs["limits"])}})))
"""
STOP_SECONDS = 30.0
"""A server that takes longer to stop hangs."""


class Served:
    """A server process that listens at ``address``."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address

    def resident(self) -> tuple[int, int]:
        """Bytes of memory of the server, and of its workers and those who make them."""
        sizes = {pid: _resident(pid) for pid in alive(self.process.pid)}
        own = sizes.pop(self.process.pid, 0)
        return own, sum(sizes.values())

    def busy_seconds(self) -> float:
        """CPU time that the server itself has used, without its workers."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9

    def terminate(self) -> None:
        """Asks it to stop."""
        self.process.send_signal(signal.SIGTERM)

    def ended(self) -> int:
        """Waits for its end; the exit code.

        Raises:
            subprocess.TimeoutExpired: it hangs.
        """
        return self.process.wait(STOP_SECONDS)


@contextmanager
def served(config: Config, program: str = SERVE, *, log: int = subprocess.DEVNULL) -> Iterator[Served]:
    """A server that is as ``config`` says, run by ``program``; killed with its workers at the end."""
    knobs = asdict(config)
    with subprocess.Popen(
        [sys.executable, "-c", program.format(knobs=knobs)],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield Served(process, line.split()[-1])
        finally:
            for pid in alive(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _resident(pid: int) -> int:
    with suppress(OSError):
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * resource.getpagesize()
    return 0
