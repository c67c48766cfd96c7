"""Around every call: the shield that keeps exceptions inside, and a line in the log.

gRPC sends the text of an exception that leaves a handler to the client, and in a game with hidden cards that
text may be a hand. So nothing leaves a handler but an answer, an abort or the cancellation of the call.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status

from kingsbridge.server import errors
from kingsbridge.server.refusals import FieldError

_log = logging.getLogger(__name__)

Behaviour = Callable[[Any, Any], Any]

_ARITIES: dict[tuple[bool, bool], tuple[str, Callable[..., Any]]] = {
    (False, False): ("unary_unary", grpc.unary_unary_rpc_method_handler),
    (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
    (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
    (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
}


class Shield(grpc.aio.ServerInterceptor):
    """The outermost interceptor: a refusal becomes its status, all else INTERNAL with an incident id."""

    def __init__(self) -> None:
        self._calls = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def quiet(self) -> None:
        """Waits until no call is in flight but streams."""
        await self._quiet.wait()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Puts the shield around a handler."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        name, make = _ARITIES[handler.request_streaming, handler.response_streaming]
        # A unary request is read inside the shield, so that bytes that are no message are refused as well.
        read = None if handler.request_streaming else handler.request_deserializer
        behaviour, method = getattr(handler, name), str(handler_call_details.method)
        if inspect.isasyncgenfunction(behaviour):
            guarded = self._stream(behaviour, method, read)
        else:
            count = nullcontext if handler.response_streaming else self._counted
            guarded = self._single(behaviour, method, read, count)
        return make(
            guarded,
            request_deserializer=handler.request_deserializer if read is None else None,
            response_serializer=handler.response_serializer,
        )

    def _single(
        self,
        behaviour: Behaviour,
        method: str,
        read: Callable[[bytes], Any] | None,
        count: Callable[[], AbstractAsyncContextManager[None]],
    ) -> Behaviour:
        async def call(request: Any, context: Any) -> Any:
            async with self._shielded(method, context), count():
                return await behaviour(_read(read, request), context)

        return call

    def _stream(self, behaviour: Behaviour, method: str, read: Callable[[bytes], Any] | None) -> Behaviour:
        async def call(request: Any, context: Any) -> AsyncIterator[Any]:
            async with self._shielded(method, context):
                async for response in behaviour(_read(read, request), context):
                    yield response

        return call

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        self._calls += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._quiet.set()

    @asynccontextmanager
    async def _shielded(self, method: str, context: Any) -> AsyncIterator[None]:
        """Turns what is raised inside into a status, and writes one line about the call."""
        started = time.monotonic()
        outcome = "OK"
        try:
            yield
        except grpc.aio.AbortError:
            outcome = "ABORT"
            raise
        except asyncio.CancelledError as error:
            outcome = "CANCELLED"
            if _cancelled():
                raise
            # Raised by the handler itself: passed on, it would leave the client waiting for its deadline.
            outcome = await _abort_fault(context, method, error)
        except Exception as error:
            status = errors.refusal(error)
            outcome = await (
                _abort_fault(context, method, error) if status is None else _abort(context, status)
            )
        finally:
            level = logging.DEBUG if outcome == "OK" else logging.INFO
            _log.log(level, "%s %s %.1f ms", method, outcome, (time.monotonic() - started) * 1000)


def _read(read: Callable[[bytes], Any] | None, request: Any) -> Any:
    if read is None:
        return request
    try:
        return read(request)
    except DecodeError as error:
        raise FieldError("request", "the bytes are no message of this method") from error


def _cancelled() -> bool:
    """Whether somebody outside wants the present call to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _abort_fault(context: Any, method: str, error: BaseException) -> str:
    incident = secrets.token_hex(8)
    _log.error("incident %s in %s: %s", incident, method, errors.trace(error))
    return await _abort(context, errors.fault(incident))


async def _abort(context: Any, status: status_pb2.Status) -> str:
    """Ends the call with a status; it does not return, but for the type checker."""
    rich = rpc_status.to_status(status)
    await context.abort(rich.code, rich.details, rich.trailing_metadata)
    return str(rich.code)
