"""A server in a process group of its own, that can be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.processes import alive
from tests.server.client import OPERATOR

from .violation import ViolationError

PATIENCE = 60.0
"""Seconds in which a server starts or ends on a machine that is busy."""


class Process:
    """A server that runs, at ``address``."""

    def __init__(self, process: subprocess.Popen[str], address: str, log: Path) -> None:
        self._process = process
        self._log = log
        self.address = address

    @classmethod
    async def start(cls, url: str, folder: Path) -> Process:
        """A server over the store at ``url``. Its log goes to ``folder``.

        Raises:
            ViolationError: it does not start.
        """
        token, log = folder / "operator", folder / "log"
        token.write_text(OPERATOR)
        token.chmod(0o600)
        options = {"store": url, "port": "0", "workers": "1", "operator-token-file": str(token)}
        command = [sys.executable, "-m", "kingsbridge.server", "serve", "--log-level", "warning"]
        for name, value in options.items():
            command += [f"--{name}", value]
        with log.open("a") as file:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=file, text=True, start_new_session=True
            )
        assert process.stdout is not None
        line = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), PATIENCE)
        if not line.startswith("kingsbridge listening on "):
            process.kill()
            process.communicate()
            raise ViolationError(f"the server does not start: {line} {log.read_text()[-2000:]}")
        return cls(process, line.split()[-1], log)

    async def kill(self, *, group: bool) -> None:
        """Ends the server by SIGKILL, with its workers or alone."""
        if group:
            os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        await self._ended()

    async def terminate(self) -> None:
        """Asks the server to stop, and waits until it has.

        Raises:
            ViolationError: it does not end as it should.
        """
        self._process.terminate()
        code = await self._ended()
        if code != 0:
            raise ViolationError(f"a server that was asked to stop ended with {code}\n{self.log()}")

    def clear(self) -> None:
        """Ends what may still run."""
        for pid in alive(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def log(self) -> str:
        """The end of what it has logged."""
        return self._log.read_text()[-3000:]

    async def _ended(self) -> int:
        return await asyncio.to_thread(self._process.wait, PATIENCE)
