"""The log: one line a thing, as text or JSON, and never what an exception says.

The text of an exception may hold hidden cards. So wherever one would be printed, by us or by a library, types
and places stand instead; and so they do for what nobody catches.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

from kingsbridge.server import errors
from kingsbridge.server.call import current

OURS = "kingsbridge"
"""The logger above all of this project's."""
FACTS = ("method", "code", "milliseconds", "caller")
"""What is known of a call when it ends: attributes of its line."""

_log = logging.getLogger(__name__)


class DiscreetFormatter(logging.Formatter):
    """Writes lines without the text of any exception."""

    def format(self, record: logging.LogRecord) -> str:
        """A line, whatever the record holds."""
        facts: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info and record.exc_info[1] is not None:
            facts["exception"] = errors.trace(record.exc_info[1])
        if (call := current()) is not None:
            facts["request_id"] = call.request_id
        return self.line(facts | {name: record.__dict__[name] for name in FACTS if name in record.__dict__})

    @abstractmethod
    def line(self, facts: dict[str, Any]) -> str:
        """The facts in one line."""


class TextFormatter(DiscreetFormatter):
    """For people."""

    def line(self, facts: dict[str, Any]) -> str:
        """Time, level, logger and message; then what the message of a call does not say."""
        parts = [
            str(facts[name]) for name in ("time", "level", "logger", "message", "exception") if name in facts
        ]
        parts += [f"{name}={facts[name]}" for name in ("request_id", "caller") if name in facts]
        return " ".join(parts).replace("\n", "\\n")


class JsonFormatter(DiscreetFormatter):
    """For machines: an object a line."""

    def line(self, facts: dict[str, Any]) -> str:
        """All facts by name."""
        return json.dumps(facts)


def formatter_of(log_format: str) -> DiscreetFormatter:
    """The formatter for "text" or "json"."""
    return {"text": TextFormatter, "json": JsonFormatter}[log_format]()


def begin(log_format: str, log_level: str, stream: TextIO | None = None) -> None:
    """Has this process log to ``stream``, by default standard error, unless it logs somewhere already."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter_of(log_format))
    logging.basicConfig(handlers=[handler], level=log_level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells its every step


@contextmanager
def contained(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Within, what nobody catches is logged by types and places: in the loop, in threads, in finalizers."""
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook, loop.get_exception_handler()
    sys.excepthook = _uncaught
    threading.excepthook = lambda args: _unhandled("a thread", args.exc_value)
    sys.unraisablehook = lambda args: _unhandled("a finalizer", args.exc_value)
    loop.set_exception_handler(_uncaught_in_loop)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks[:3]
        loop.set_exception_handler(hooks[3])


def _uncaught(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
    _unhandled("the program", error)


def _uncaught_in_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if error is None:
        _log.error("the event loop says: %s", context["message"])
    else:
        _unhandled("the event loop", error)


def _unhandled(where: str, error: BaseException | None) -> None:
    _log.error("nobody caught in %s: %s", where, "nothing" if error is None else errors.trace(error))


def _message(record: logging.LogRecord) -> str:
    """A record's message. Of what a library puts into its own, only numbers and texts are kept."""
    if record.name.split(".")[0] == OURS or not isinstance(record.args, tuple):
        return record.getMessage()
    kept = tuple(each if isinstance(each, (int, float, str)) else type(each).__name__ for each in record.args)
    return str(record.msg) % kept if kept else str(record.msg)
