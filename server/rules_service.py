"""RulesService: from a request to the game it is about, and back."""

# ruff: noqa: N802, ARG002  (names and signatures are gRPC's)

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from kingsbridge.server.access import Access
from kingsbridge.server.bot_specs import check_level, known_bot
from kingsbridge.server.codec import answers, requests
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import within
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.tokens import Tokens
from kingsbridge.server.watching import Watching
from kingsbridge.v1 import rules_pb2, rules_pb2_grpc


class RulesService(rules_pb2_grpc.RulesServiceServicer):
    """The calls are described in ``rules.proto``. Refusals are raised; the shield makes statuses of them."""

    def __init__(
        self, sessions: Sessions, access: Access, tokens: Tokens, watching: Watching, limits: Limits
    ) -> None:
        self._sessions = sessions
        self._access = access
        self._tokens = tokens
        self._watching = watching
        self._limits = limits

    async def ListGames(
        self, request: rules_pb2.ListGamesRequest, context: Any
    ) -> rules_pb2.ListGamesResponse:
        """As in the proto."""
        return answers.games()

    async def DescribeGame(
        self, request: rules_pb2.DescribeGameRequest, context: Any
    ) -> rules_pb2.DescribeGameResponse:
        """As in the proto."""
        return answers.description(requests.read_game(request, self._limits))

    async def CreateGame(
        self, request: rules_pb2.CreateGameRequest, context: Any
    ) -> rules_pb2.CreateGameResponse:
        """As in the proto."""
        new = requests.read_new_game(request, self._limits)
        for settings in new.bots.values():
            with within("bots"):
                check_level(known_bot(settings.bot, self._limits), new.game, new.players)
        session = await self._sessions.create(new)
        game_id = session.head.game_id
        issued = {
            seat: self._tokens.issue(game_id, seat, session.seat(seat).epoch)
            for seat in range(-1, session.head.players)
        }
        tokens = {seat: token for seat, (token, _) in issued.items()}
        expires = min(end for _, end in issued.values())
        return answers.created(game_id, session.status(), tokens, expires, session.commitment)

    async def GetView(self, request: rules_pb2.GetViewRequest, context: Any) -> rules_pb2.GetViewResponse:
        """As in the proto."""
        shown, place = self._access.show(context), requests.read_place(request, self._limits)
        session = await self._access.look(shown, place.game_id, place.seat)
        return answers.view(session.status(), session.sight(place.seat))

    async def ListLegalActions(
        self, request: rules_pb2.ListLegalActionsRequest, context: Any
    ) -> rules_pb2.ListLegalActionsResponse:
        """As in the proto."""
        shown, place = self._access.show(context), requests.read_place(request, self._limits)
        session = await self._access.look(shown, place.game_id, place.seat)
        return session.remembered(
            ("legal", place.seat),
            lambda: answers.legal_actions(session.status(), session.information_set(place.seat)),
        )

    async def ApplyAction(
        self, request: rules_pb2.ApplyActionRequest, context: Any
    ) -> rules_pb2.ApplyActionResponse:
        """As in the proto."""
        shown, move = self._access.show(context), requests.read_move(request, self._limits)
        session = await self._access.act(shown, move.game_id, move.seat)
        return answers.applied(await self._sessions.apply(move, session))

    async def GetRecord(
        self, request: rules_pb2.GetRecordRequest, context: Any
    ) -> rules_pb2.GetRecordResponse:
        """As in the proto."""
        shown, place = self._access.show(context), requests.read_place(request, self._limits)
        if request.full:
            session = await self._access.operate(shown, place.game_id)
            return answers.record(session.status(), session.whole())
        session = await self._access.look(shown, place.game_id, place.seat)
        return answers.record(session.status(), session.told(place.seat))

    async def WatchGame(
        self, request: rules_pb2.WatchGameRequest, context: Any
    ) -> AsyncIterator[rules_pb2.WatchGameResponse]:
        """As in the proto."""
        shown, watch = self._access.show(context), requests.read_watch(request, self._limits)
        place = watch.place
        changes = self._watching.follow(
            lambda: self._access.look(shown, place.game_id, place.seat),
            place.seat,
            watch.first,
            watch.heartbeat,
        )
        async with aclosing(changes):
            async for change in changes:
                yield answers.change(change)

    async def TakeOverSeat(
        self, request: rules_pb2.TakeOverSeatRequest, context: Any
    ) -> rules_pb2.TakeOverSeatResponse:
        """As in the proto."""
        shown = self._access.show(context)
        place, settings = requests.read_take_over(request, self._limits)
        with within("bot"):
            bot = known_bot(settings.bot, self._limits)
            session = await self._access.act(shown, place.game_id, place.seat)
            check_level(bot, session.head.game, session.head.players)
        session = await self._sessions.take_over(place.game_id, place.seat, settings)
        return answers.taken_over(session.status())

    async def GiveBackSeat(
        self, request: rules_pb2.GiveBackSeatRequest, context: Any
    ) -> rules_pb2.GiveBackSeatResponse:
        """As in the proto."""
        shown, place = self._access.show(context), requests.read_place(request, self._limits)
        await self._access.act(shown, place.game_id, place.seat)
        session = await self._sessions.give_back(place.game_id, place.seat)
        return answers.given_back(session.status())

    async def RenewToken(
        self, request: rules_pb2.RenewTokenRequest, context: Any
    ) -> rules_pb2.RenewTokenResponse:
        """As in the proto."""
        shown, place = self._access.show(context), requests.read_place(request, self._limits)
        request_id = requests.read_renewal(request, self._limits)
        await self._access.renew(shown, place.game_id, place.seat, request_id)
        seat = await self._sessions.renew(place.game_id, place.seat, request_id)
        return answers.renewed(*self._tokens.issue(place.game_id, seat.number, seat.epoch))
