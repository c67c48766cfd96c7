"""What a soak fails with, and how it tells a refusal from a server that is gone."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import grpc

from tests.server.client import Refusal, bearer

SECONDS = 30.0
"""How long a call may take on a machine that is busy."""


class ViolationError(AssertionError):
    """The server broke a promise."""


class CutOffError(Exception):
    """The server is gone: whether it did what was asked is not known."""


class RefusedError(Exception):
    """The server refused a call; ``reason`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code.name}: {refusal.message}")
        self.code = refusal.code
        self.reason = refusal.reason if refusal.details else ""


async def ask(method: Any, request: Any, token: str = "") -> Any:
    """The answer to a call that shows a token.

    Raises:
        CutOffError: the server is gone.
        RefusedError: it refuses.
    """
    metadata = bearer(token) if token else None
    return await heard(method(request, metadata=metadata, timeout=SECONDS))


async def heard(answer: Awaitable[Any]) -> Any:
    """What a server says.

    Raises:
        CutOffError, RefusedError: as ``ask``.
    """
    try:
        return await answer
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            raise CutOffError from error
        raise RefusedError(Refusal(error)) from error


def demand(holds: bool, story: str) -> None:
    """Ends the soak with a story if a promise does not hold.

    Raises:
        ViolationError: it does not.
    """
    if not holds:
        raise ViolationError(story)
