"""What is put around a call ends with it, whatever its shape."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc

from kingsbridge.server.around import Around, Route


class Told(Around):
    """Writes down what happens."""

    def __init__(self) -> None:
        self.events: list[str] = []

    @asynccontextmanager
    async def around(self, route: Route, context: Any) -> AsyncIterator[None]:
        self.events.append(f"before {route.method} {route.streams}")
        try:
            yield
        finally:
            self.events.append("after")

    def unknown(self) -> None:
        self.events.append("unknown")


class Details(grpc.HandlerCallDetails):
    """A call of the method "/p.S/M"."""

    method = "/p.S/M"
    invocation_metadata = ()


async def wrapped(told: Told, handler: Any) -> Any:
    async def offered(_: grpc.HandlerCallDetails) -> Any:
        return handler

    return await told.intercept_service(offered, Details())


async def test_a_call_that_answers_once_is_between_before_and_after() -> None:
    told = Told()

    async def answer(request: int, _: Any) -> int:
        told.events.append("during")
        return request + 1

    handler = await wrapped(told, grpc.unary_unary_rpc_method_handler(answer))
    assert await handler.unary_unary(1, None) == 2
    assert told.events == ["before /p.S/M False", "during", "after"]


async def test_a_handler_is_wrapped_once_and_another_one_anew() -> None:
    told = Told()

    async def answer(request: int, _: Any) -> int:
        return request

    async def other(request: int, _: Any) -> int:
        return -request

    handler: Any = grpc.unary_unary_rpc_method_handler(answer)
    first = await wrapped(told, handler)
    assert await wrapped(told, handler) is first
    second = await wrapped(told, grpc.unary_unary_rpc_method_handler(other))
    assert (await first.unary_unary(1, None), await second.unary_unary(1, None)) == (1, -1)


async def test_a_stream_that_is_left_is_closed_at_once_from_the_inside_out() -> None:
    told = Told()

    async def answers(request: int, _: Any) -> AsyncIterator[int]:
        try:
            while True:
                yield request
        finally:
            told.events.append("closed")

    handler = await wrapped(told, grpc.unary_stream_rpc_method_handler(answers))
    with generators_kept():
        stream = handler.unary_stream(7, None)
        assert await anext(stream) == 7
        await stream.aclose()
        assert told.events == ["before /p.S/M True", "closed", "after"]


async def test_a_method_that_is_not_offered_stays_so_and_is_told() -> None:
    told = Told()
    assert await wrapped(told, None) is None
    assert told.events == ["unknown"]


@contextmanager
def generators_kept() -> Iterator[None]:
    """Within, the garbage collector closes no generator that nobody else does."""
    kept: list[Any] = []
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(firstiter=kept.append)
    try:
        yield
    finally:
        sys.set_asyncgen_hooks(*hooks)
