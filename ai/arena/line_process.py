"""A program that is spoken to in lines, on its standard input and output, with a time limit on every wait."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from kingsbridge.ai.arena.faults import BotFaultError, FaultKind

LINE_BYTES = 1 << 20
"""A longer line is a fault of the program."""
TAIL_BYTES = 1 << 11
"""What is kept of the program's standard error: its end."""
EXIT_SECONDS = 2.0
"""How long to wait for the exit code of a program that closed its pipe, and for one that was killed."""

_LEASH = Path(__file__).with_name("leash.py")
_CHUNK = 1 << 16


class LineProcess:
    """A running program. It ends with this object's ``end`` or ``kill``, or with this process, see ``leash``.

    All faults are ``BotFaultError``: TIMEOUT, CRASH if it ended, DISCONNECT if it closed a pipe and lives on,
    ILLEGAL for a line that is too long. After a fault it is to be killed.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        """Starts it in the current folder; ``name`` is how messages call it."""
        self._name = name
        self._buffer = b""
        self._tail = b""
        end, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the user's own program, without a shell
                [sys.executable, "-I", "-S", str(_LEASH), str(end), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(end,),
                start_new_session=True,  # the terminal's Ctrl-C is not for bots
            )
        finally:
            os.close(end)
        self._streams = [
            cast("IO[bytes]", each)
            for each in (self._process.stdin, self._process.stdout, self._process.stderr)
        ]
        self._in, self._out, self._err = (each.fileno() for each in self._streams)
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)

    @property
    def running(self) -> bool:
        """Whether it has not ended yet, nor closed what it writes to. The second shows at once, while its
        leash may take a moment to end after it.
        """
        if self._process.poll() is not None:
            return False
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return True
        self._buffer += chunk
        return bool(chunk)

    def send(self, line: bytes, deadline: float) -> None:
        """Writes a line, by a deadline of ``time.monotonic``."""
        rest = line + b"\n"
        self._selector.register(self._in, selectors.EVENT_WRITE)
        try:
            while rest:
                if self._in in self._ready(deadline):
                    with suppress(BlockingIOError):
                        rest = rest[os.write(self._in, rest) :]
        except BrokenPipeError:
            raise self._gone() from None
        finally:
            self._selector.unregister(self._in)

    def receive(self, deadline: float) -> bytes:
        """The next line that it wrote, without its end, by a deadline of ``time.monotonic``."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > LINE_BYTES:
                raise self.fault(FaultKind.ILLEGAL, f"wrote a line of more than {LINE_BYTES} bytes")
            if self._out in self._ready(deadline):
                self._read_out()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def fault(self, kind: FaultKind, text: str) -> BotFaultError:
        """A fault of this program, with the end of what it wrote to standard error."""
        tail = self._tail.decode(errors="replace").strip()
        said = f"; its standard error ends: {tail}" if tail else ""
        return BotFaultError(kind, f'bot "{self._name}" {text}{said}')

    def end(self, seconds: float) -> bool:
        """Closes its input, which tells it to end, and kills it after so many seconds. Whether it obeyed."""
        self._streams[0].close()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        self.kill()
        return True

    def kill(self) -> None:
        """Ends it with all it has started."""
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()

    def _ready(self, deadline: float) -> set[int]:
        """The pipes that can be used now; standard error is read on the way.

        Raises:
            BotFaultError: none can before the deadline.
        """
        left = deadline - time.monotonic()
        events = self._selector.select(left) if left > 0 else []
        if not events:
            raise self.fault(FaultKind.TIMEOUT, "did not answer in time")
        ready = {key.fd for key, _ in events}
        if self._err in ready:
            self._read_err()
        return ready

    def _read_out(self) -> None:
        chunk = os.read(self._out, _CHUNK)
        if not chunk:
            raise self._gone()
        self._buffer += chunk

    def _read_err(self) -> bool:
        """Reads some of standard error. False if there is nothing now."""
        try:
            chunk = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk and self._err in self._selector.get_map():
            self._selector.unregister(self._err)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        return bool(chunk)

    def _gone(self) -> BotFaultError:
        """The fault of a program that closed a pipe."""
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return self.fault(FaultKind.DISCONNECT, "closed its input or output")
        while self._read_err():
            pass
        return self.fault(FaultKind.CRASH, f"ended with exit code {code}")
