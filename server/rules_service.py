"""RulesService: from a request to the game it is about, and back."""

# ruff: noqa: N802, ARG002  (names and signatures are gRPC's)

from __future__ import annotations

from typing import Any

from kingsbridge.server import codec
from kingsbridge.server.limits import Limits
from kingsbridge.server.sessions import Sessions
from kingsbridge.v1 import rules_pb2, rules_pb2_grpc


class RulesService(rules_pb2_grpc.RulesServiceServicer):
    """The calls are described in ``rules.proto``. Refusals are raised; the shield makes statuses of them."""

    def __init__(self, sessions: Sessions, limits: Limits) -> None:
        self._sessions = sessions
        self._limits = limits

    async def ListGames(
        self, request: rules_pb2.ListGamesRequest, context: Any
    ) -> rules_pb2.ListGamesResponse:
        """As in the proto."""
        return codec.games()

    async def DescribeGame(
        self, request: rules_pb2.DescribeGameRequest, context: Any
    ) -> rules_pb2.DescribeGameResponse:
        """As in the proto."""
        return codec.description(codec.read_game(request, self._limits))

    async def CreateGame(
        self, request: rules_pb2.CreateGameRequest, context: Any
    ) -> rules_pb2.CreateGameResponse:
        """As in the proto."""
        session = await self._sessions.create(codec.read_new_game(request, self._limits))
        return codec.created(session.head.game_id, session.status())

    async def GetView(self, request: rules_pb2.GetViewRequest, context: Any) -> rules_pb2.GetViewResponse:
        """As in the proto."""
        place = codec.read_place(request, self._limits)
        session = await self._sessions.get(place.game_id)
        return codec.view(session.status(), session.information_set(place.seat))

    async def ListLegalActions(
        self, request: rules_pb2.ListLegalActionsRequest, context: Any
    ) -> rules_pb2.ListLegalActionsResponse:
        """As in the proto."""
        place = codec.read_place(request, self._limits)
        session = await self._sessions.get(place.game_id)
        return codec.legal_actions(session.status(), session.information_set(place.seat))

    async def ApplyAction(
        self, request: rules_pb2.ApplyActionRequest, context: Any
    ) -> rules_pb2.ApplyActionResponse:
        """As in the proto."""
        return codec.applied(await self._sessions.apply(codec.read_move(request, self._limits)))

    async def GetRecord(
        self, request: rules_pb2.GetRecordRequest, context: Any
    ) -> rules_pb2.GetRecordResponse:
        """As in the proto."""
        place = codec.read_place(request, self._limits)
        session = await self._sessions.get(place.game_id)
        return codec.record(session.status(), *session.told(place.seat))
