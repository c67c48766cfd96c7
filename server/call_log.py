"""The outermost interceptor: it names each call, and writes one line about it."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import grpc

from kingsbridge.ai import Clock
from kingsbridge.server.around import Route
from kingsbridge.server.call import REQUEST_ID, Call, caller_of, request_id_of
from kingsbridge.server.observer import CallEnd, Observer

_log = logging.getLogger(__name__)


def names() -> Callable[[], str]:
    """Names for calls that bring none: numbers after a prefix of this log's own."""
    prefix, numbers = secrets.token_hex(4), count()
    return lambda: f"{prefix}{next(numbers):08x}"


class CallLog(Observer):
    """A line for each call, at level DEBUG if it succeeds and INFO if not."""

    def __init__(
        self,
        caller_header: str | None = None,
        *,
        clock: Clock = time.monotonic,
        draw: Callable[[], str] | None = None,
    ) -> None:
        """``caller_header`` is as in ``Config``; ``draw`` names the calls that bring no name, by
        default as ``names``.
        """
        self._caller_header = caller_header and caller_header.lower()
        self._clock = clock
        self._draw = draw or names()

    def begin(self, route: Route, context: Any) -> CallEnd:
        """Names the call, to itself and to its client."""
        metadata = context.invocation_metadata() or ()
        call = Call(
            request_id_of(metadata, self._draw),
            route.method,
            caller_of(metadata, context.peer(), self._caller_header),
        )
        call.enter()
        context.set_trailing_metadata(((REQUEST_ID, call.request_id),))
        started = self._clock()

        def end(code: grpc.StatusCode) -> None:
            _write(call, code, (self._clock() - started) * 1000)

        return end

    def unknown(self) -> None:
        """Says so, without the name: it is the client's."""
        _log.info("a method that is not offered was called")


def _write(call: Call, code: grpc.StatusCode, milliseconds: float) -> None:
    level = logging.DEBUG if code is grpc.StatusCode.OK else logging.INFO
    facts = {
        "method": call.method,
        "code": code.name,
        "milliseconds": round(milliseconds, 1),
        "caller": call.caller,
    }
    _log.log(level, "%s %s %.1f ms", call.method, code.name, milliseconds, extra=facts)
