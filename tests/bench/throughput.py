"""Calls a second: of those that read, against an empty handler; of actions that are acknowledged, by store.

The empty handler takes and gives the messages of ``GetView``, empty ones, on the same server behind the same
interceptors; a bare server without any is in the same process. All are called in turn, round after round, and
answers are not parsed: the client, on the same cores, costs each of them the same.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal
from unittest import mock

import grpc

from kingsbridge.pyengine import Dealer, Rng, describe, game_names, load_game, seed_bytes
from kingsbridge.server.client.patience import Metadata, bearer
from kingsbridge.server.config import Config
from kingsbridge.v1 import rules_pb2, rules_pb2_grpc
from tests import postgres
from tests.soak.served import Served, served

READING_BAR = 0.7
"""Least throughput of a call that reads, of that of an empty handler."""
CONNECTIONS, CONCURRENCY = 5, 25
ROUNDS, ROUND_CALLS = 7, 500
GAMES, MOVES = 25, 40
"""Games that are played at once, and moves in each."""
EMPTY = "/kingsbridge.bench.Probe/Empty"
RULES = "/kingsbridge.v1.RulesService/"
LOCAL = [("grpc.use_local_subchannel_pool", 1)]
"""Makes each channel a connection."""

PROBED = """
import asyncio
from kingsbridge.server.config import Config
from kingsbridge.server.limits import Limits
from tests.bench.throughput import serve_probed

if __name__ == "__main__":
    knobs = {knobs!r}
    asyncio.run(serve_probed(Config(**{{**knobs, "limits": Limits(**knobs["limits"])}})))
"""

Line = tuple[str, float, str]
"""What was measured, how much, in which unit."""


async def _empty(request: Any, context: Any) -> rules_pb2.GetViewResponse:
    return rules_pb2.GetViewResponse()


def _probe() -> grpc.GenericRpcHandler:
    handler = grpc.unary_unary_rpc_method_handler(
        _empty,
        request_deserializer=rules_pb2.GetViewRequest.FromString,
        response_serializer=rules_pb2.GetViewResponse.SerializeToString,
    )
    service, _, method = EMPTY.strip("/").partition("/")
    return grpc.method_handlers_generic_handler(service, {method: handler})


async def serve_probed(config: Config) -> None:
    """Serves with the empty handler, and a bare server beside it; says both addresses."""
    from kingsbridge.server.app import App, serve  # noqa: PLC0415  (here only is gRPC's server wanted)

    build, servers = App._build, []

    def probed(app: App, tokens: Any) -> grpc.aio.Server:
        server = build(app, tokens)
        server.add_generic_rpc_handlers((_probe(),))
        return server

    async def announce(line: str) -> None:
        bare = grpc.aio.server()
        bare.add_generic_rpc_handlers((_probe(),))
        port = bare.add_insecure_port("127.0.0.1:0")
        await bare.start()
        servers.append(bare)
        print(f"{line.rsplit(maxsplit=1)[-1]},127.0.0.1:{port}", flush=True)

    tasks = []
    with mock.patch.object(App, "_build", probed):
        await serve(config, lambda line: tasks.append(asyncio.create_task(announce(line))))


@dataclass
class Kind:
    """A call that is made over and over, and what came out: calls a second and CPU microseconds of a call."""

    method: str
    request: bytes
    token: Metadata
    address: str
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    answer_bytes: int = 0

    async def round(self, server: Served, calls: int) -> None:
        """So many calls, some at a time, over several connections."""
        async with _channels(self.address) as made:
            methods = [channel.unary_unary(self.method) for channel in made]
            await asyncio.gather(*(self._repeat(method, 10) for method in methods))
            started, busy = time.perf_counter(), server.busy_seconds()
            each = calls // CONCURRENCY
            await asyncio.gather(
                *(self._repeat(methods[number % len(methods)], each) for number in range(CONCURRENCY))
            )
            count = each * CONCURRENCY
            self.costs.append((server.busy_seconds() - busy) / count * 1e6)
            self.rates.append(count / (time.perf_counter() - started))

    async def _repeat(self, method: Any, count: int) -> None:
        for _ in range(count):
            self.answer_bytes = len(await method(self.request, metadata=self.token))


async def reading(rounds: int = ROUNDS, calls: int = ROUND_CALLS) -> list[Line]:
    """The calls that read, of every game, against the empty handler and the bare server."""
    with served(Config(store="memory", port=0, workers=1), PROBED) as server:
        address, bare = server.address.split(",")
        async with grpc.aio.insecure_channel(address) as channel:
            kinds = await _kinds(channel, address, bare)
        for _ in range(rounds):
            for kind in kinds.values():
                await kind.round(server, calls)
    return list(_lines(kinds))


async def _kinds(channel: grpc.aio.Channel, address: str, bare: str) -> dict[str, Kind]:
    rules: Any = rules_pb2_grpc.RulesServiceStub(channel)
    kinds: dict[str, Kind] = {}
    for game in sorted(game_names()):
        request = rules_pb2.CreateGameRequest(game=game, players=describe(game).max_players, seed=bytes(16))
        created = await rules.CreateGame(request)
        seat = created.status.seat_to_move
        token = bearer(created.seat_tokens[seat])
        place = rules_pb2.GetViewRequest(game_id=created.game_id, seat=seat).SerializeToString()
        if not kinds:
            kinds["bare server, empty handler"] = Kind(EMPTY, place, token, bare)
            kinds["empty handler"] = Kind(EMPTY, place, token, address)
        for method in ("GetView", "ListLegalActions"):  # both ask with the same fields
            kinds[f"{method}, {game}"] = Kind(RULES + method, place, token, address)
    return kinds


def _lines(kinds: dict[str, Kind]) -> Iterator[Line]:
    empty = kinds["empty handler"]
    for name, kind in kinds.items():
        yield f"{name}, {kind.answer_bytes} bytes", median(kind.rates), "calls/s"
        yield f"{name}, CPU of the server", median(kind.costs), "us/call"
        share = median(one / other for one, other in zip(kind.rates, empty.rates, strict=True))
        bar = f" (>= {READING_BAR:.0%})" if "empty" not in name else ""
        yield f"{name}, share of the empty handler's throughput", 100 * share, f"%{bar}"


@asynccontextmanager
async def _channels(address: str) -> Any:
    made = [grpc.aio.insecure_channel(address, options=LOCAL) for _ in range(CONNECTIONS)]
    try:
        yield made
    finally:
        for channel in made:
            await channel.close()


Script = list[tuple[int, int]]
"""Seat and action of each move of a game."""


def script(game: str, seed: int, moves: int) -> Script:
    """What a person plays who knows the deal: any legal actions, each at its turn."""
    found: Script = []
    state, dealer, rng = load_game(game, describe(game).min_players), Dealer(seed), Rng(seed)
    dealer.settle(state)
    while not state.is_terminal and len(found) < moves:
        actions = state.legal_actions()
        found.append((state.current_player, actions[rng.below(len(actions))]))
        state.apply(found[-1][1])
        dealer.settle(state)
    return found


async def _play(rules: Any, created: Any, moves: Script) -> None:
    for number, (seat, action) in enumerate(moves):
        request = rules_pb2.ApplyActionRequest(
            game_id=created.game_id,
            seat=seat,
            action_id=action,
            expected_revision=created.status.revision + number,
        )
        await rules.ApplyAction(request, metadata=bearer(created.seat_tokens[seat]))


async def acknowledged(name: str, config: Config, games: int = GAMES, moves: int = MOVES) -> list[Line]:
    """Actions a second that a server acknowledges, of games that are played at once."""
    with served(config) as server:
        async with _channels(server.address) as made:
            stubs: list[Any] = [rules_pb2_grpc.RulesServiceStub(channel) for channel in made]
            begun, names = [], sorted(game_names())
            for number in range(games):
                game, rules = names[number % len(names)], stubs[number % len(stubs)]
                request = rules_pb2.CreateGameRequest(
                    game=game, players=describe(game).min_players, seed=seed_bytes(number)
                )
                begun.append((rules, await rules.CreateGame(request), script(game, number, moves)))
            started, busy = time.perf_counter(), server.busy_seconds()
            await asyncio.gather(*(_play(*each) for each in begun))
            count = sum(len(each) for _, _, each in begun)
            seconds = time.perf_counter() - started
            cost = (server.busy_seconds() - busy) / count * 1e6
    what = f"ApplyAction, {name}"
    return [(what, count / seconds, "acknowledged/s"), (f"{what}, CPU of the server", cost, "us/call")]


@contextmanager
def stores() -> Iterator[dict[str, Config]]:
    """Servers by store and durability; without PostgreSQL where there is none."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())

        def on(store: str, durability: Literal["full", "normal"] = "full") -> Config:
            return Config(store=store, durability=durability, port=0, workers=1)

        found = {
            "memory": on("memory"),
            "sqlite, full": on(f"sqlite:///{folder}/full.db"),
            "sqlite, normal": on(f"sqlite:///{folder}/normal.db", "normal"),
        }
        if postgres.programs() is not None:
            settings = postgres.SETTINGS.replace("-c fsync=off", "-c fsync=on")
            stack.enter_context(mock.patch.object(postgres, "SETTINGS", settings))
            cluster = stack.enter_context(postgres.running_cluster())
            found["postgresql, full"] = on(cluster.new_place())
        yield found


async def acting() -> list[Line]:
    """Every store."""
    with stores() as found:
        return [line for name, config in found.items() for line in await acknowledged(name, config)]
