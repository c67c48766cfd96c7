"""The call that is being answered: whatever runs on its behalf can ask for its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import unquote

REQUEST_ID = "x-request-id"
"""Metadata key under which a client may name its call, and is told the name."""

_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_VISIBLE = re.compile(r"[!-~]{1,64}")
_PEER = re.compile(r"ipv[46]:(.*):\d+")
_CURRENT: ContextVar[Call | None] = ContextVar("kingsbridge_call", default=None)

Metadata = Iterable[tuple[str, str | bytes]]


@dataclass(frozen=True, slots=True)
class Call:
    """Whose call this is, of which method. ``request_id`` is the client's own or drawn."""

    request_id: str
    method: str
    caller: str

    def enter(self) -> None:
        """Makes this the current call, up to the end of the task that answers it."""
        _CURRENT.set(self)


def current() -> Call | None:
    """The call that the running task answers, if it does."""
    return _CURRENT.get()


def request_id_of(metadata: Metadata, draw: Callable[[], str]) -> str:
    """The client's name of its call if it is short and plain; else one that is drawn."""
    given = _value(metadata, REQUEST_ID)
    return given if given is not None and _PLAIN.fullmatch(given) else draw()


def caller_of(metadata: Metadata, peer: str, header: str | None) -> str:
    """Who calls: what a trusted proxy says under ``header``, else the address gRPC calls ``peer``."""
    given = None if header is None else _value(metadata, header)
    return given if given is not None and _VISIBLE.fullmatch(given) else _address(peer)


def _address(peer: str) -> str:
    """A peer without its port, which changes with each connection: "ipv6:%5B::1%5D:5" is "::1"."""
    match = _PEER.fullmatch(peer)
    return unquote(match[1]).strip("[]") if match else peer.partition(":")[0]


def _value(metadata: Metadata, key: str) -> str | None:
    return next((value for name, value in metadata if name == key and isinstance(value, str)), None)
