"""How fast the server answers: a server process with two workers, and a client in this process.

Run alone (``python tests/bench/bench_server.py``) or as part of ``make bench``.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kingsbridge.v1 import ai_pb2, ai_pb2_grpc, rules_pb2, rules_pb2_grpc

SERVE = (
    "import asyncio; from kingsbridge.server.app import serve; asyncio.run(serve(port=0, workers={workers}))"
)
ENDLESS = "ismcts:iterations=1000000000,nodes=100000"
DEADLINE = 0.2
Line = tuple[str, float, str]
"""What was measured, how much, in which unit."""


@contextmanager
def server(workers: int) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-c", SERVE.format(workers=workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield (process.stdout.readline() if process.stdout else "").split()[-1]
        finally:
            process.terminate()


class Game:
    """One game at its start, and the calls that are measured."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.rules = rules_pb2_grpc.RulesServiceStub(channel)
        self.ai = ai_pb2_grpc.AiServiceStub(channel)
        self.health: Any = health_pb2_grpc.HealthStub(channel)

    async def create(self) -> None:
        """Starts the game."""
        created = await self.rules.CreateGame(
            rules_pb2.CreateGameRequest(game="builders", players=2, seed=bytes(16))
        )
        self.place: dict[str, Any] = {"game_id": created.game_id, "seat": created.status.seat_to_move}

    def search(
        self, bot: str, timeout: float | None = None
    ) -> grpc.aio.UnaryUnaryCall[ai_pb2.ChooseActionRequest, ai_pb2.ChooseActionResponse]:
        """Asks a bot."""
        session = ai_pb2.SessionPosition(**self.place)
        return self.ai.ChooseAction(ai_pb2.ChooseActionRequest(session=session, bot=bot), timeout=timeout)

    async def check(self) -> None:
        """A health check."""
        await self.health.Check(health_pb2.HealthCheckRequest())

    async def view(self) -> None:
        """A look at the game."""
        await self.rules.GetView(rules_pb2.GetViewRequest(**self.place))

    async def legal(self) -> None:
        """The legal actions."""
        await self.rules.ListLegalActions(rules_pb2.ListLegalActionsRequest(**self.place))


async def timed(call: Callable[[], Awaitable[object]], count: int) -> list[float]:
    """Milliseconds of each of ``count`` calls, one after the other."""
    waits = []
    for _ in range(count):
        started = time.perf_counter()
        await call()
        waits.append((time.perf_counter() - started) * 1000)
    return waits


def spread(what: str, waits: list[float]) -> Iterator[Line]:
    """Median and 99th percentile."""
    yield f"{what}, median", median(waits), "ms"
    yield f"{what}, p99", quantiles(waits, n=100)[98], "ms"


async def latency(game: Game) -> list[Line]:
    """Calls that do not search, idle and while two searches run."""
    lines: list[Line] = []
    calls = {"Health.Check": game.check, "GetView": game.view, "ListLegalActions": game.legal}
    for what, call in calls.items():
        await timed(call, 200)
        lines += spread(f"{what}, idle", await timed(call, 1000))
    searches = [game.search(ENDLESS) for _ in range(2)]
    await asyncio.sleep(0.5)
    for what, call in calls.items():
        lines += spread(f"{what}, two searches", await timed(call, 1000))
    for search in searches:
        search.cancel()
    return lines


async def deadlines(game: Game, count: int = 100) -> list[Line]:
    """Searches under a deadline: how many are answered before it, and after how long."""
    answered, waits, iterations = 0, [], []
    for _ in range(count):
        started = time.perf_counter()
        try:
            answer = await game.search(ENDLESS, timeout=DEADLINE)
        except grpc.aio.AioRpcError:
            continue
        waits.append((time.perf_counter() - started) * 1000)
        iterations.append(answer.iterations)
        answered += waits[-1] < DEADLINE * 1000
    what = f"ChooseAction, deadline {DEADLINE * 1000:.0f} ms"
    return [
        (f"{what}, answered before it", answered, f"of {count}"),
        *spread(what, waits),
        (f"{what}, iterations, median", median(iterations), ""),
    ]


async def cancellations(game: Game, count: int = 50) -> list[Line]:
    """From cancelling a search to the next answer of the only worker: longer than it takes to free it."""
    waits = []
    for _ in range(count):
        search = game.search(ENDLESS)
        await asyncio.sleep(0.1)
        search.cancel()
        waits += await timed(lambda: game.search("random"), 1)
    return list(spread("cancel to next answer of the worker", waits))


async def measure(workers: int, *parts: Callable[[Game], Awaitable[list[Line]]]) -> list[Line]:
    """Runs some measurements against one server."""
    lines: list[Line] = []
    with server(workers) as address:
        async with grpc.aio.insecure_channel(address) as channel:
            game = Game(channel)
            await game.create()
            for part in parts:
                lines += await part(game)
    return lines


async def everything() -> list[Line]:
    """All measurements."""
    return await measure(2, latency, deadlines) + await measure(1, cancellations)


def main() -> None:
    """Prints the measurements, one a line."""
    for what, value, unit in asyncio.run(everything()):
        print(f"{what:<60} {value:10.2f} {unit}")


if __name__ == "__main__":
    main()
