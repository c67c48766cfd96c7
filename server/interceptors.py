"""The shield that keeps exceptions inside.

gRPC sends the text of an exception that leaves a handler to the client, and in a game with hidden cards that
text may be a hand. So nothing leaves a handler but an answer, an abort or the cancellation of the call.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.rpc import status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status

from kingsbridge.server import errors
from kingsbridge.server.around import Around, Route
from kingsbridge.server.call import current
from kingsbridge.server.in_flight import InFlight
from kingsbridge.server.refusals import ShuttingDownError

_log = logging.getLogger(__name__)


class Shield(Around):
    """A refusal becomes its status, all else INTERNAL with an incident id. Only observers stand further
    out.
    """

    reads = True

    def __init__(self, endless: Collection[str] = (), closing: Collection[str] = ()) -> None:
        """``endless`` names the services whose calls do not end by themselves when the server stops, and
        ``closing`` those that begin no more calls then.
        """
        self._endless = endless
        self._closing = closing
        self._closed = False
        self.calls = InFlight()
        """Calls that end by themselves."""
        self.endless_calls = InFlight()
        """Calls of endless services."""

    def close(self) -> None:
        """Refuses new calls of the services that close, since the server stops."""
        self._closed = True

    @asynccontextmanager
    async def around(self, route: Route, context: Any) -> AsyncIterator[None]:
        """Turns what is raised inside into a status."""
        service = route.method.split("/")[1]
        try:
            with (self.endless_calls if service in self._endless else self.calls).one():
                if self._closed and service in self._closing:
                    raise ShuttingDownError("the server is shutting down: go on with the next one")
                yield
        except grpc.aio.AbortError:
            raise
        except asyncio.CancelledError as error:
            if _cancelled():
                raise
            # Raised by the handler itself: passed on, it would leave the client waiting for its deadline.
            await _abort_fault(context, route, error)
        except (Exception, BaseExceptionGroup) as error:
            status = errors.refusal(error)
            await (_abort_fault(context, route, error) if status is None else _abort(context, status))


def _cancelled() -> bool:
    """Whether somebody outside wants the present call to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _abort_fault(context: Any, route: Route, error: BaseException) -> None:
    incident = secrets.token_hex(8)
    call = current()
    _log.error("incident %s in %s: %s", incident, route.method, errors.trace(error))
    await _abort(context, errors.fault(incident, "" if call is None else call.request_id))


async def _abort(context: Any, status: status_pb2.Status) -> None:
    """Ends the call with a status; it does not return."""
    rich = rpc_status.to_status(status)
    await context.abort(rich.code, rich.details, (*context.trailing_metadata(), *rich.trailing_metadata))
