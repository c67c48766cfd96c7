"""The calls of a client: how long each took and how it ended."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Iterator, Sequence
from typing import TypeVar

import grpc
from rich.table import Table

from kingsbridge.server.client.errors import failure

T = TypeVar("T")
WAIT_SECONDS = 1.0
"""How long is waited where a refusal does not say."""


class Calls:
    """What was measured: milliseconds by method of the calls that succeeded, and the codes of the others."""

    def __init__(self) -> None:
        self.waits: defaultdict[str, list[float]] = defaultdict(list)
        self.codes: Counter[tuple[str, str]] = Counter()

    async def timed(self, method: str, call: Awaitable[T]) -> T:
        """The answer of a call.

        Raises:
            grpc.aio.AioRpcError: it was refused, which is counted.
        """
        started = time.perf_counter()
        try:
            answer = await call
        except grpc.aio.AioRpcError as error:
            self.failed(method, error)
            raise
        self.waits[method].append((time.perf_counter() - started) * 1000)
        return answer

    def failed(self, method: str, error: grpc.aio.AioRpcError) -> None:
        """A call ended with an error."""
        self.codes[method, error.code().name] += 1

    def errors(self) -> Iterator[str]:
        """The errors that nobody may meet: all but those that ask to come again."""
        for (method, code), count in sorted(self.codes.items()):
            if code != grpc.StatusCode.RESOURCE_EXHAUSTED.name:
                yield f"{method}: {count} x {code}"

    def table(self) -> Table:
        """All of it, a row for each method."""
        table = Table("ms", "calls", "p50", "p95", "p99", "max", "errors")
        for method in sorted({*self.waits, *(method for method, _ in self.codes)}):
            failed = [f"{code} {count}" for (name, code), count in self.codes.items() if name == method]
            waits = self.waits[method]
            table.add_row(method, f"{len(waits):,}", *spread(waits), ", ".join(failed))
        return table


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share of them does not exceed; 0 without any."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else 0.0


def spread(values: Sequence[float]) -> list[str]:
    """Median, 95th and 99th percentile and maximum, as cells of a table."""
    return [f"{quantile(values, share):.1f}" for share in (0.5, 0.95, 0.99, 1.0)]


def retry_seconds(error: grpc.aio.AioRpcError) -> float:
    """How long a refusal asks to wait."""
    told = failure(error).retry_seconds
    return WAIT_SECONDS if told is None else told


async def come_again(error: grpc.aio.AioRpcError) -> None:
    """Waits as long as a refusal asks for.

    Raises:
        grpc.aio.AioRpcError: it is one that waiting does not help.
    """
    if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
        raise error
    await asyncio.sleep(retry_seconds(error))
