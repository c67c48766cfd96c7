"""When a call that failed is made again.

Only a server that has no room or is not there is asked again: UNAVAILABLE and RESOURCE_EXHAUSTED, after the
delay that it names. UNAVAILABLE without a delay comes from the way there. Then, and where the server's store
failed, what was asked for may have been done: such a call is made again only if it is safe to repeat.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc

from kingsbridge.server.client.errors import BusyError, ServerError, UnavailableError, failure
from kingsbridge.server.client.values import Thinking

Metadata = tuple[tuple[str, str | bytes], ...]
"""What is sent with a call beside its request."""
CALL_SECONDS = 30.0
"""Deadline of a call, beside the time a bot is asked to think."""
UNCERTAIN = "STORE_UNAVAILABLE"
"""The reason of a refusal after which it is unknown whether a change was kept."""
JITTER = 0.25
"""By which part a pause is longer at most, so that not all come back at once."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a call is tried."""

    attempts: int = 5
    """Most attempts, the first one included."""
    seconds: float = 30.0
    """No attempt begins later than so long after the first."""
    pause: float = 0.2
    """The first pause where the server names none; the next ones double."""
    longest_pause: float = 5.0
    """They grow no longer than this."""


def _even() -> float:
    return secrets.randbits(32) / (1 << 32)


@dataclass(frozen=True, slots=True)
class Calls:
    """Makes calls with patience."""

    patience: Patience = Patience()
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = _even
    """A number from 0 to 1, drawn evenly for each pause."""
    clock: Callable[[], float] = time.monotonic

    def call(
        self,
        method: Callable[..., Any],
        request: object,
        token: str = "",
        *,
        seconds: float = CALL_SECONDS,
        repeatable: bool = True,
    ) -> Any:
        """What a method answers within so many seconds; it shows ``token`` if there is one.

        Raises:
            ServerError: it does not, or not for as long as patience lasts.
        """
        trial = Trial(self, repeatable=repeatable)
        while True:
            try:
                return method(request, metadata=bearer(token), timeout=seconds)
            except grpc.RpcError as error:
                trial.again(failure(error))


class Trial:
    """The attempts at one call."""

    def __init__(self, calls: Calls, *, repeatable: bool = True) -> None:
        """``repeatable``: it may be made again although it may have been heard."""
        self._calls = calls
        self._repeatable = repeatable
        self.restart()

    def restart(self) -> None:
        """Counts from here: it went on."""
        self._failures = 0
        self._end = self._calls.clock() + self._calls.patience.seconds

    def again(self, error: ServerError) -> None:
        """Waits until the next attempt.

        Raises:
            ServerError: this error, if there is none.
        """
        self._failures += 1
        pause = self._pause(error)
        exhausted = self._failures >= self._calls.patience.attempts
        if pause is None or exhausted or self._calls.clock() + pause > self._end:
            raise error
        self._calls.sleep(pause)

    def _pause(self, error: ServerError) -> float | None:
        patience = self._calls.patience
        certain = error.retry_seconds is not None and error.reason != UNCERTAIN
        if not (certain or self._repeatable) or not isinstance(error, (UnavailableError, BusyError)):
            return None
        if error.retry_seconds is not None:
            pause = error.retry_seconds
        elif isinstance(error, UnavailableError):
            pause = min(patience.pause * 2.0 ** (self._failures - 1), patience.longest_pause)
        else:
            return None
        return pause * (1 + JITTER * self._calls.jitter())


def thinking_seconds(thinking: Thinking) -> float:
    """The deadline of a call that lets a bot think."""
    return CALL_SECONDS + (thinking.seconds or 0.0)


def bearer(token: str) -> Metadata:
    """The metadata of a call that shows a token."""
    return (("authorization", f"Bearer {token}"),) if token else ()
