"""Leaving a command that is told to end from outside."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Lets SIGTERM and a closed terminal unwind the stack, so that what was started is stopped, and exit with
    128 + the signal's number. One that is ignored, as by nohup, stays so.
    """

    def leave(number: int, _frame: object) -> NoReturn:
        sys.exit(128 + number)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
