"""Who may ask what of which game: the only place that decides it.

A call shows its token in the metadata, ``authorization: Bearer TOKEN``.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from kingsbridge.server.refusals import ForbiddenError, UnauthenticatedError
from kingsbridge.server.session import Session
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.tokens import Grant, Tokens

HEADER = "authorization"
"""The key of the token among a call's metadata."""
_SCHEME = "bearer "


class Context(Protocol):
    """What is needed of a gRPC context."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """The metadata of the call."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What a caller has shown: the grant of a seat's token, or ``None`` for the operator's."""

    grant: Grant | None


class Access:
    """Checks passes. Order of the refusals: no good token, another game, no such game, no such seat, another
    seat. So who has no token learns nothing of what there is.
    """

    def __init__(self, sessions: Sessions, tokens: Tokens, operator: str | None) -> None:
        """``operator`` is the operator's token; without it nobody has his rights."""
        self._sessions = sessions
        self._tokens = tokens
        self._operator = operator

    def show(self, context: Any) -> Pass:
        """The pass that a call shows.

        Raises:
            UnauthenticatedError: it shows none, or none that is good.
        """
        token = _token(context)
        if not token:
            raise UnauthenticatedError(
                "NO_TOKEN", "the call needs a token of the game, as metadata 'authorization: Bearer TOKEN'"
            )
        if self._operator is not None and hmac.compare_digest(token.encode(), self._operator.encode()):
            return Pass(None)
        return Pass(self._tokens.read(token))

    async def look(self, shown: Pass, game_id: str, seat: int) -> Session:
        """The game, to be looked at from a seat; whoever has a seat may look as a spectator does, too.

        Raises:
            ForbiddenError: the pass is of another game or another seat.
            UnauthenticatedError: it is void by now.
            GameNotFoundError: no such game.
            FieldError: no such seat.
        """
        session = await self._game(shown, game_id)
        session.seat(seat)
        if shown.grant is not None and seat not in (shown.grant.seat, -1):
            raise ForbiddenError("WRONG_SEAT", f"the token is not one of seat {seat}")
        return session

    async def act(self, shown: Pass, game_id: str, seat: int, *, renewal: str = "") -> Session:
        """The game, to be played from a seat; ``renewal`` as ``request_id`` of ``renew``.

        Raises:
            ForbiddenError, UnauthenticatedError, GameNotFoundError, FieldError: as ``look``.
        """
        session = await self._game(shown, game_id, renewal)
        session.player(seat)
        if shown.grant is not None and seat != shown.grant.seat:
            raise ForbiddenError("WRONG_SEAT", f"the token is not one of seat {seat}")
        return session

    async def renew(self, shown: Pass, game_id: str, seat: int, request_id: str = "") -> Session:
        """The game, whose tokens of a seat are to be renewed; those of spectators by any player.

        The token that a seat's own renewal has made void still asks for its answer: by the same request id.

        Raises:
            ForbiddenError, UnauthenticatedError, GameNotFoundError, FieldError: as ``look``.
        """
        if seat != -1:
            return await self.act(shown, game_id, seat, renewal=request_id)
        session = await self._game(shown, game_id)
        if shown.grant is not None and shown.grant.seat == -1:
            raise ForbiddenError("WRONG_SEAT", "spectators cannot renew their token: a player can")
        return session

    async def operate(self, shown: Pass, game_id: str) -> Session:
        """The game, for its operator.

        Raises:
            ForbiddenError: it is not the operator's token.
            UnauthenticatedError, GameNotFoundError: as ``look``.
        """
        session = await self._game(shown, game_id)
        if shown.grant is not None:
            raise ForbiddenError("NOT_OPERATOR", "this takes the operator's token")
        return session

    async def _game(self, shown: Pass, game_id: str, renewal: str = "") -> Session:
        grant = shown.grant
        if grant is None:
            return await self._sessions.get(game_id)
        self._tokens.check(grant)
        if grant.game_id != game_id:
            raise ForbiddenError("WRONG_GAME", "the token is one of another game")
        session = await self._sessions.get(game_id)
        seat = session.seat(grant.seat)
        repeated = renewal and (seat.epoch, seat.renewal) == (grant.epoch + 1, renewal)
        if seat.epoch != grant.epoch and not repeated:
            raise UnauthenticatedError("TOKEN_VOID", "the token was replaced by a newer one")
        return session


def _token(context: Context) -> str:
    """The token of a call, or nothing."""
    for key, value in context.invocation_metadata() or ():
        if key == HEADER and isinstance(value, str) and value.lower().startswith(_SCHEME):
            return value[len(_SCHEME) :].strip()
    return ""
