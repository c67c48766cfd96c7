"""A connection to a server, and what can be asked without a game."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from types import MappingProxyType, TracebackType
from typing import Any, Self

import grpc

from kingsbridge.pyengine import SPECTATOR, GameInfo, seed_bytes
from kingsbridge.server.client.errors import UnavailableError
from kingsbridge.server.client.game import Game
from kingsbridge.server.client.messages import (
    asked,
    read_game,
    read_proposal,
    read_status,
    seat_bot,
    view_message,
)
from kingsbridge.server.client.patience import Calls, thinking_seconds
from kingsbridge.server.client.stubs import Stubs
from kingsbridge.server.client.tls import Tls, channel
from kingsbridge.server.client.values import BotSeat, Proposal, Thinking, View
from kingsbridge.v1 import ai_pb2, rules_pb2

CONNECT_SECONDS = 5.0
"""How long a server may take to answer at all."""


def _request_id() -> str:
    return secrets.token_urlsafe(16)


class Client:
    """A connection to a server. Closes with its context."""

    def __init__(
        self,
        address: str,
        *,
        tls: Tls | bool | None = None,
        token: str = "",
        calls: Calls | None = None,
        request_id: Callable[[], str] = _request_id,
    ) -> None:
        """Connects to HOST:PORT.

        ``tls``: with what, ``True`` for the system's roots, ``False`` for plain text; not given, plain text
        to this machine and TLS to others. ``token`` is shown where no seat's token is held, such as the
        operator's. ``calls`` says how long to try; ``request_id`` draws ids that nobody can guess.

        Raises:
            UnavailableError: nobody answers there.
        """
        self._channel = channel(address, tls)
        try:
            grpc.channel_ready_future(self._channel).result(CONNECT_SECONDS)
        except grpc.FutureTimeoutError:
            self._channel.close()
            raise UnavailableError("UNAVAILABLE", f"no server answers at {address}") from None
        self._stubs = Stubs(self._channel)
        self._token = token
        self._calls = calls or Calls()
        self._request_id = request_id

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._channel.close()

    def games(self) -> list[str]:
        """The names of the games this server knows.

        Raises:
            ServerError: the call fails.
        """
        answer = self._calls.call(self._stubs.rules.ListGames, rules_pb2.ListGamesRequest(), self._token)
        return [game.name for game in answer.games]

    def bots(self) -> dict[str, str]:
        """The bots by name, with what they do.

        Raises:
            ServerError: the call fails.
        """
        answer = self._calls.call(self._stubs.ai.ListBots, ai_pb2.ListBotsRequest(), self._token)
        return {bot.name: bot.summary for bot in answer.bots}

    def describe(self, game: str) -> GameInfo:
        """A game as its server describes it.

        Raises:
            UnknownError: there is no such game.
            ServerError: the call fails.
        """
        request = rules_pb2.DescribeGameRequest(game=game)
        return read_game(self._calls.call(self._stubs.rules.DescribeGame, request, self._token).game)

    def create(
        self,
        game: str,
        players: int = 2,
        options: Mapping[str, int] = MappingProxyType({}),
        seed: int | None = None,
        bots: Mapping[int, BotSeat] = MappingProxyType({}),
    ) -> Game:
        """A new game, dealt, with the tokens of all its seats.

        ``seed`` has 128 bits; who knows it knows the future, so give one only in tests. ``bots``: the seats
        that the server plays by itself.

        Raises:
            UnknownError: there is no such game.
            InvalidError: number of players, an option or a bot.
            ServerError: the call fails.
            ValueError: the seed is out of range.
        """
        request = rules_pb2.CreateGameRequest(
            game=game,
            players=players,
            options=options,
            seed=None if seed is None else seed_bytes(seed),
            request_id=self._request_id(),
            bots=[seat_bot(seat, settings) for seat, settings in bots.items()],
        )
        answer = self._calls.call(self._stubs.rules.CreateGame, request, self._token)
        tokens = {**dict(enumerate(answer.seat_tokens)), SPECTATOR: answer.spectator_token}
        return self._game(
            answer.game_id, tokens, status=read_status(answer.status), commitment=answer.seed_commitment
        )

    def join(self, game_id: str, seat: int, token: str) -> Game:
        """A game for somebody who was handed the token of one seat, ``SPECTATOR`` for one who looks on.

        Raises:
            TokenError: it is not the token of that seat.
            UnknownError: there is no such game.
            ServerError: the call fails.
        """
        request = rules_pb2.GetRecordRequest(game_id=game_id, seat=seat)
        answer = self._calls.call(self._stubs.rules.GetRecord, request, token)
        return self._game(
            game_id,
            {seat: token},
            status=read_status(answer.status),
            commitment=answer.record.seed_commitment,
        )

    def propose_from_view(self, game: str, view: View, thinking: Thinking) -> Proposal:
        """What a bot would play for the viewer of a view: for frontends that keep their games to themselves.

        Raises:
            InvalidError: no seat could have this view; it names field and rule.
            ServerError: the call fails.
            ValueError: a field that views of this game have not, or a value of the wrong type.
        """
        request = ai_pb2.ChooseActionRequest(view=view_message(game, view), **asked(thinking))
        return self._proposed(request, thinking)

    def propose_from_record(self, record: str, thinking: Thinking) -> Proposal:
        """What a bot would play for the seat to move at the end of a whole record.

        Raises:
            InvalidError: it is no record; the text names the line.
            ServerError: the call fails.
        """
        return self._proposed(ai_pb2.ChooseActionRequest(record=record, **asked(thinking)), thinking)

    def _proposed(self, request: ai_pb2.ChooseActionRequest, thinking: Thinking) -> Proposal:
        seconds = thinking_seconds(thinking)
        return read_proposal(
            self._calls.call(self._stubs.ai.ChooseAction, request, self._token, seconds=seconds)
        )

    def _game(self, game_id: str, tokens: Mapping[int, str], **known: Any) -> Game:
        return Game(
            self._stubs,
            self._calls,
            game_id,
            tokens,
            token=self._token,
            request_id=self._request_id,
            **known,
        )
