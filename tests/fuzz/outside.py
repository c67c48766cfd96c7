"""A real server process over gRPC, for what only the wire can do to a request."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Hashable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import grpc

from kingsbridge.v1 import rules_pb2
from tests.fuzz.calls import Outcome, Shot, bearer
from tests.fuzz.course import Opening
from tests.fuzz.methods import METHODS

DEADLINE_SECONDS = 5.0
"""Of calls that set none of their own: the server answers before it."""


class Outside:
    """A ``Driver`` over a channel. It knows the tokens of the spectators from the games' creation."""

    operator = ""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel: Any = channel
        self._tokens: dict[str, str] = {}

    async def call(self, shot: Shot) -> Outcome:
        """As ``Driver.call``."""
        kind = self._channel.unary_stream if shot.method.streams else self._channel.unary_unary
        call = kind(shot.method.path)(shot.data, metadata=shot.metadata, timeout=DEADLINE_SECONDS)
        started = time.monotonic()
        try:
            data = await (call.read() if shot.method.streams else call)
        except grpc.aio.AioRpcError as error:
            return _refused(error, time.monotonic() - started)
        finally:
            call.cancel()
        if data is grpc.aio.EOF:
            return Outcome("OK", (), seconds=time.monotonic() - started)
        answer = shot.method.response.FromString(data)
        self._learn(shot, answer)
        return Outcome("OK", (answer,), seconds=time.monotonic() - started)

    async def prints(self, game_ids: Iterable[str]) -> Mapping[str, Hashable]:
        """As ``Driver.prints``: what spectators see; nothing of games that a bot plays on meanwhile."""
        found: dict[str, Hashable] = {}
        for game_id in game_ids:
            request = rules_pb2.GetRecordRequest(game_id=game_id, seat=-1)
            outcome = await self.call(
                Shot(METHODS["GetRecord"], request.SerializeToString(), bearer(self._tokens[game_id]))
            )
            answer: Any = outcome.answers[0] if outcome.answers else None
            with_bots = answer is not None and any(answer.status.bots)
            found[game_id] = (
                None if with_bots or answer is None else answer.SerializeToString(deterministic=True)
            )
        return found

    def _learn(self, shot: Shot, answer: Any) -> None:
        """Keeps the tokens of spectators, old and new."""
        if shot.method.name == "CreateGame":
            self._tokens.setdefault(answer.game_id, answer.spectator_token)
        request: Any = shot.message()
        if shot.method.name == "RenewToken" and request.seat == -1:
            self._tokens[request.game_id] = answer.token


def _refused(error: grpc.aio.AioRpcError, seconds: float) -> Outcome:
    trailers = dict(error.trailing_metadata() or ())
    status: Any = trailers.get("grpc-status-details-bin")
    return Outcome(error.code().name, (), status, error.details() or "", seconds)


@asynccontextmanager
async def outside(address: str) -> AsyncIterator[Outside]:
    """A driver of the server at an address."""
    async with grpc.aio.insecure_channel(address) as channel:
        yield Outside(channel)


def opening(address: str) -> Opening:
    """Opens drivers of the server at an address."""
    return lambda: outside(address)
