"""How fast the server answers: a server process with two workers, and a client in this process.

Run alone (``python -m tests.bench.bench_server``) or as part of ``make bench``.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from statistics import median, quantiles
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kingsbridge.server.client.patience import bearer
from kingsbridge.server.config import Config
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc, rules_pb2, rules_pb2_grpc
from tests.bench.throughput import Line, acting, reading
from tests.soak.served import served

ENDLESS = "ismcts:iterations=1000000000,nodes=100000"
DEADLINE = 0.2


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
        self.token = bearer(created.seat_tokens[created.status.seat_to_move])

    def search(
        self, bot: str, timeout: float | None = None
    ) -> grpc.aio.UnaryUnaryCall[ai_pb2.ChooseActionRequest, ai_pb2.ChooseActionResponse]:
        """Asks a bot."""
        session = ai_pb2.SessionPosition(**self.place)
        request = ai_pb2.ChooseActionRequest(session=session, bot=bot)
        return self.ai.ChooseAction(request, timeout=timeout, metadata=self.token)

    async def check(self) -> None:
        """A health check."""
        await self.health.Check(health_pb2.HealthCheckRequest())

    async def view(self) -> None:
        """A look at the game."""
        await self.rules.GetView(rules_pb2.GetViewRequest(**self.place), metadata=self.token)

    async def legal(self) -> None:
        """The legal actions."""
        request = rules_pb2.ListLegalActionsRequest(**self.place)
        await self.rules.ListLegalActions(request, metadata=self.token)


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
    with served(Config(store="memory", port=0, workers=workers)) as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            game = Game(channel)
            await game.create()
            for part in parts:
                lines += await part(game)
    return lines


PARTS: dict[str, Callable[[], Awaitable[list[Line]]]] = {
    "latency": lambda: measure(2, latency, deadlines),
    "cancellations": lambda: measure(1, cancellations),
    "reading": reading,
    "acting": acting,
}


def main() -> None:
    """Prints the measurements, one a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all if none is named")
    named = parser.parse_args().parts or list(PARTS)
    for part in named:
        for what, value, unit in asyncio.run(_made(PARTS[part])):
            print(f"{what:<70} {value:10.2f} {unit}")


async def _made(part: Callable[[], Awaitable[list[Line]]]) -> list[Line]:
    return await part()


if __name__ == "__main__":
    main()
