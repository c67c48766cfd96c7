"""What the tests say to a server, and how they read a refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_health.v1 import health_pb2_grpc
from grpc_status import rpc_status

from kingsbridge.pyengine import Rng
from kingsbridge.server.app import App
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc, game_pb2, rules_pb2, rules_pb2_grpc

ENDLESS = "ismcts:iterations=1000000000,nodes=1000"
"""A bot that thinks until it is told to stop, in little memory."""


OPERATOR = "the operator of the tests, whose token is long enough"
"""The operator's token of the servers in the tests."""

_WALLET: dict[str, dict[int, str]] = {}
"""The tokens of all games that were created through a ``Client``, by game and seat."""


def bearer(token: str) -> list[tuple[str, str]]:
    """The metadata of a call that shows a token."""
    return [("authorization", f"Bearer {token}")]


def token_of(game_id: str, seat: int) -> str:
    """The token of a seat; the operator's for a game that was made without a client, or a seat that is
    none.
    """
    return _WALLET.get(game_id, {}).get(seat, OPERATOR)


def admit(app: App, game_id: str, players: int) -> None:
    """Gives this client the seats' own tokens of a game that was put into the store of a server."""
    _WALLET[game_id] = {seat: app.tokens.issue(game_id, seat, 0)[0] for seat in range(-1, players)}


class Holder:
    """A stub whose calls show the token of the seat that they are about."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._stub, name)
        match name:
            case "CreateGame":
                return _creating(method)
            case "RenewToken":
                return _renewing(_showing(method))
            case _:
                return _showing(method)


def _showing(method: Any) -> Any:
    def call(request: Any, **more: Any) -> Any:
        place = getattr(request, "session", request)
        bot = getattr(request, "bot", None)
        seat: int = getattr(bot, "seat", getattr(place, "seat", 0))
        token = token_of(getattr(place, "game_id", ""), seat)
        return method(request, metadata=bearer(token), **more)

    return call


def _creating(method: Any) -> Any:
    async def create(request: Any, **more: Any) -> Any:
        created = await method(request, **more)
        _WALLET[created.game_id] = {**dict(enumerate(created.seat_tokens)), -1: created.spectator_token}
        return created

    return create


def _renewing(method: Any) -> Any:
    async def renew(request: Any, **more: Any) -> Any:
        renewed = await method(request, **more)
        _WALLET[request.game_id][request.seat] = renewed.token
        return renewed

    return renew


class Client:
    """The stubs of all services on one channel, and short forms of common calls. It holds all tokens."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.rules: Any = Holder(rules_pb2_grpc.RulesServiceStub(channel))
        self.ai: Any = Holder(ai_pb2_grpc.AiServiceStub(channel))
        self.health: Any = health_pb2_grpc.HealthStub(channel)

    async def create(self, players: int = 2, seed: int = 7, **options: int) -> Any:
        """A new game of a known deal."""
        return await self.rules.CreateGame(
            rules_pb2.CreateGameRequest(
                game="builders", players=players, seed=seed.to_bytes(16, "big"), options=options
            )
        )

    async def view(self, game_id: str, seat: int = 0) -> Any:
        """What a seat sees."""
        return await self.rules.GetView(rules_pb2.GetViewRequest(game_id=game_id, seat=seat))

    async def legal(self, game_id: str, seat: int) -> list[game_pb2.Action]:
        """What a seat may do."""
        request = rules_pb2.ListLegalActionsRequest(game_id=game_id, seat=seat)
        return list((await self.rules.ListLegalActions(request)).actions)

    async def record(self, game_id: str, seat: int = -1) -> Any:
        """The record as a seat may know it."""
        return await self.rules.GetRecord(rules_pb2.GetRecordRequest(game_id=game_id, seat=seat))

    async def apply(
        self, game_id: str, status: game_pb2.GameStatus, action: game_pb2.Action, request_id: str = ""
    ) -> Any:
        """Plays an action for the seat to move."""
        return await self.rules.ApplyAction(
            rules_pb2.ApplyActionRequest(
                game_id=game_id,
                seat=status.seat_to_move,
                action_id=action.id,
                expected_revision=status.revision,
                request_id=request_id,
            )
        )

    async def step(self, game_id: str, rng: Rng) -> Any:
        """Plays any legal action."""
        status = (await self.view(game_id)).status
        actions = await self.legal(game_id, status.seat_to_move)
        return await self.apply(game_id, status, actions[rng.below(len(actions))])

    def choose(
        self,
        game: rules_pb2.CreateGameResponse,
        bot: str = ENDLESS,
        *,
        timeout: float | None = None,
        **more: Any,
    ) -> Any:
        """The call that asks a bot for the first action of a game; to be awaited."""
        session = ai_pb2.SessionPosition(game_id=game.game_id, seat=game.status.seat_to_move)
        request = ai_pb2.ChooseActionRequest(session=session, bot=bot, **more)
        return self.ai.ChooseAction(request, timeout=timeout)


class Refusal:
    """A status with its details unpacked."""

    def __init__(self, error: Any) -> None:
        self.code = error.code()
        self.message = error.details() or ""
        status = rpc_status.from_call(error)
        self.details: list[Any] = [] if status is None else [_unpacked(any_) for any_ in status.details]

    def detail(self, kind: type[Message]) -> Any:
        """The detail of a type."""
        return next(detail for detail in self.details if isinstance(detail, kind))

    @property
    def reason(self) -> str:
        """The reason in ErrorInfo."""
        return str(self.detail(error_details_pb2.ErrorInfo).reason)

    @property
    def field(self) -> str:
        """The field in BadRequest."""
        return str(self.detail(error_details_pb2.BadRequest).field_violations[0].field)


async def refused(call: Any) -> Refusal:
    """The refusal of a call that must not succeed."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return Refusal(error)
    raise AssertionError(f"not refused: {answer}")


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> float:
    """Waits for a condition and returns how long that took."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    while not condition():
        if loop.time() - started > seconds:
            raise AssertionError(f"not within {seconds} s")
        await asyncio.sleep(0.001)
    return loop.time() - started


def _unpacked(packed: Any) -> Message:
    name = packed.type_url.rpartition(".")[2]
    detail: Message = getattr(error_details_pb2, name)()
    packed.Unpack(detail)
    return detail
