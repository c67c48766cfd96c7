"""Those who look on: they see calls and searches begin and end, and change neither."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc

from kingsbridge.ai import Decision
from kingsbridge.server.around import Around, Route

LATE_SECONDS = 0.05
"""A call that ends with less than this left has met its deadline: its client's clock runs a little ahead."""

CallEnd = Callable[[grpc.StatusCode], None]
"""Told once how a call ended."""
SearchEnd = Callable[[Decision | None], None]
"""Told once what a search brought; ``None``: nothing, it was cancelled, refused or lost."""


class Observer(Around):
    """An interceptor that sees each call begin and end, and is told of searches as well."""

    @abstractmethod
    def begin(self, route: Route, context: Any) -> CallEnd:
        """A call begins. Runs in the task that answers it."""

    def search(self, bot: str) -> SearchEnd:  # noqa: ARG002  (for those who care)
        """A search of the bot of that name begins. Runs in the task that asked for it."""
        return lambda _: None

    @asynccontextmanager
    async def around(self, route: Route, context: Any) -> AsyncIterator[None]:
        """Tells how the call inside ends, however that is."""
        end = self.begin(route, context)
        code = grpc.StatusCode.UNKNOWN
        try:
            yield
            code = context.code() or grpc.StatusCode.OK
        except (asyncio.CancelledError, GeneratorExit):
            code = _cut_short(context)
            raise
        except BaseException:
            code = context.code() or grpc.StatusCode.UNKNOWN
            raise
        finally:
            end(code)


class Observers:
    """All who look on, as one."""

    def __init__(self, observers: Sequence[Observer] = ()) -> None:
        self._observers = observers

    @contextmanager
    def search(self, spec: str) -> Iterator[Callable[[Decision], Decision]]:
        """Around a search of the bot ``spec``: hand the decision to what this gives, which returns it."""
        ends = [observer.search(spec.partition(":")[0]) for observer in self._observers]
        decisions: list[Decision] = []

        def seen(decision: Decision) -> Decision:
            decisions.append(decision)
            return decision

        try:
            yield seen
        finally:
            for end in ends:
                end(decisions[-1] if decisions else None)


def _cut_short(context: Any) -> grpc.StatusCode:
    """Why a call is cancelled: gRPC does not say whether its deadline passed or its client went away."""
    left = context.time_remaining()
    late = left is not None and left < LATE_SECONDS
    return grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED
