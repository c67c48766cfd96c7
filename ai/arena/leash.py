"""A program on a leash, run as a script: ``leash.py DESCRIPTOR PROGRAM ARGUMENT...``.

Runs the program in a session of its own, on this one's standard streams. When the program ends, or the pipe
DESCRIPTOR ends because whoever holds its other end is gone, however it went, every process of the program's
group is killed. Ends with the program's exit code: 128 + n after signal n, 127 if it cannot be run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

NOT_RUN = 127
"""Exit code where there is no program to run."""


def run(lifeline: int, command: Sequence[str]) -> int:
    """Runs a program as the module says, and returns the exit code."""
    try:
        process = subprocess.Popen(command, start_new_session=True)  # noqa: S603  # the user's own program
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return NOT_RUN
    _let_go_of_streams()
    threading.Thread(target=_kill_at_end_of, args=(lifeline, process.pid), daemon=True).start()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    _kill(process.pid)  # before the program's number is given up, so that nobody else can have it
    code = process.wait()
    return code if code >= 0 else 128 - code


def _let_go_of_streams() -> None:
    """The program alone holds its streams, so that their end is seen when it closes them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _kill_at_end_of(lifeline: int, group: int) -> None:
    os.read(lifeline, 1)
    _kill(group)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]), sys.argv[2:]))
