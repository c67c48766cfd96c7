"""A server of one's own: started for one command, stopped with it."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, cast

from kingsbridge.server.cli.errors import CommandError
from kingsbridge.server.settings import PREFIX

START_SECONDS = 60.0
"""How long a server may take to start."""
STOP_SECONDS = 15.0
"""How long a server may take to stop before it is killed; longer than it gives its calls."""

_LISTENING = re.compile(rb"kingsbridge listening on (\S+)")


@contextmanager
def own_server(workers: int = 1) -> Iterator[str]:
    """The address of a server on a free port of this machine, whose process ends with the context.

    Raises:
        CommandError: it does not start.
    """
    with TemporaryFile() as log, _process(workers, log) as process:
        try:
            yield _address(process, log)
        finally:
            _stop(process)


def _process(workers: int, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """A session of its own keeps the terminal's Ctrl-C from the server: it is stopped after its last call.

    Nor does what the environment tells other servers, such as to speak TLS, concern this one.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    told = ["serve", "--port", "0", "--store", "memory", "--workers", str(workers)]
    return subprocess.Popen(  # noqa: S603  # our own module
        [sys.executable, "-m", "kingsbridge.server", *told],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        start_new_session=True,
    )


def _address(process: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    """Waits for the line that says where it listens; lines before it, such as of a rebuild, are let pass."""
    output = cast("IO[bytes]", process.stdout)
    deadline = time.monotonic() + START_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            line = output.readline()
            if listening := _LISTENING.search(line):
                return listening[1].decode()
            if not line:
                process.wait(STOP_SECONDS)
                raise CommandError(f"the server did not start: {_last_line(log)}")
    raise CommandError(f"the server did not start within {START_SECONDS:.0f} s")


def _last_line(log: IO[bytes]) -> str:
    log.seek(0)
    lines = log.read().decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
