"""Interceptors that put something around every call, whatever its shape."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from kingsbridge.server.refusals import FieldError

Behaviour = Callable[[Any, Any], Any]
Enter = Callable[[Any], AbstractAsyncContextManager[None]]
Read = Callable[[bytes], Any]

_ARITIES: dict[tuple[bool, bool], tuple[str, Callable[..., Any]]] = {
    (False, False): ("unary_unary", grpc.unary_unary_rpc_method_handler),
    (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
    (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
    (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
}


@dataclass(frozen=True, slots=True)
class Route:
    """A method that the server offers: its name, as "/package.Service/Method", and whether it streams."""

    method: str
    streams: bool


class Around(grpc.aio.ServerInterceptor, ABC):
    """Puts a context around every call."""

    reads = False
    """Whether a unary request is read inside of it, so that bytes that are no message are met there."""

    @abstractmethod
    def around(self, route: Route, context: Any) -> AbstractAsyncContextManager[None]:
        """What is entered before the handler of a call begins, and left after it has ended."""

    def unknown(self) -> None:
        """A method was called that nobody offers. gRPC refuses it."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Wraps a handler, once: a method's handler is the same at each call."""
        handler = await continuation(handler_call_details)
        if handler is None:
            self.unknown()
            return None
        key = str(handler_call_details.method), handler
        if key not in self._wrapped:
            self._wrapped[key] = self._wrap(*key)
        return self._wrapped[key]

    @cached_property
    def _wrapped(self) -> dict[tuple[str, Any], Any]:
        """By method and handler what stands for it."""
        return {}

    def _wrap(self, method: str, handler: Any) -> Any:
        route = Route(method, handler.response_streaming)
        name, make = _ARITIES[handler.request_streaming, handler.response_streaming]
        behaviour = getattr(handler, name)
        read = handler.request_deserializer if self.reads and not handler.request_streaming else None
        wrap = _stream if inspect.isasyncgenfunction(behaviour) else _single
        return make(
            wrap(behaviour, partial(self.around, route), read),
            request_deserializer=handler.request_deserializer if read is None else None,
            response_serializer=handler.response_serializer,
        )


def _single(behaviour: Behaviour, enter: Enter, read: Read | None) -> Behaviour:
    async def call(request: Any, context: Any) -> Any:
        async with enter(context):
            return await behaviour(_read(read, request), context)

    return call


def _stream(behaviour: Behaviour, enter: Enter, read: Read | None) -> Behaviour:
    async def call(request: Any, context: Any) -> AsyncIterator[Any]:
        # Closed here, or what is inside would end whenever the garbage collector comes by.
        async with enter(context), aclosing(behaviour(_read(read, request), context)) as responses:
            async for response in responses:
                yield response

    return call


def _read(read: Read | None, request: Any) -> Any:
    if read is None:
        return request
    try:
        return read(request)
    except DecodeError as error:
        raise FieldError("request", "the bytes are no message of this method") from error
