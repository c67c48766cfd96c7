"""AiService: from a request to what the seat knows, to a search, and back.

The true state is never seen here.
"""

# ruff: noqa: N802, ARG002  (names and signatures are gRPC's)

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Mapping
from typing import Any

from kingsbridge.ai import ChoiceError, among_of, bot_infos, make_bot, tree_memory
from kingsbridge.pyengine import GameRecord, InformationSet, ViewError
from kingsbridge.server import codec
from kingsbridge.server.codec import Place, Question, ViewPosition
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import FieldError, RefusedError, StaleRevisionError
from kingsbridge.server.search_pool import Search, SearchPool
from kingsbridge.server.sessions import Sessions, seat_to_move
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc


class AiService(ai_pb2_grpc.AiServiceServicer):
    """The calls are described in ``ai.proto``. Refusals are raised; the shield makes statuses of them."""

    def __init__(self, sessions: Sessions, pool: SearchPool, limits: Limits) -> None:
        self._sessions = sessions
        self._pool = pool
        self._limits = limits

    async def ListBots(self, request: ai_pb2.ListBotsRequest, context: Any) -> ai_pb2.ListBotsResponse:
        """As in the proto."""
        return codec.bots(bot_infos())

    async def ChooseAction(
        self, request: ai_pb2.ChooseActionRequest, context: Any
    ) -> ai_pb2.ChooseActionResponse:
        """As in the proto."""
        deadline = _deadline(context.time_remaining())
        question = codec.read_question(request, self._limits)
        self._check_bot(question.bot)
        info, revision = await self._position(question)
        decision = await self._pool.search(self._search(question, info, deadline))
        return codec.choice(info.game, decision, revision)

    def _check_bot(self, spec: str) -> None:
        """Refuses a bad spec here, where it is the caller's, not in a worker."""
        if tree_memory(make_bot(spec)) > self._limits.tree_mebibytes:
            raise FieldError("bot", f"memory * threads must be at most {self._limits.tree_mebibytes} MiB")

    def _search(self, question: Question, info: InformationSet, deadline: float) -> Search:
        """The search that answers in time: it ends a margin before the deadline."""
        left = max(0.0, deadline - time.monotonic())
        margin = min(self._limits.margin_seconds, left / 4)
        return Search(
            info=info,
            bot=question.bot,
            seed=secrets.randbits(64) if question.seed is None else question.seed,
            budget=question.budget,
            max_seconds=self._limits.search_seconds,
            stop_by=deadline - margin,
            answer_by=deadline - margin / 2,
            among=_among(question, info),
        )

    async def _position(self, question: Question) -> tuple[InformationSet, int]:
        """What the deciding seat knows, and the revision of its game or 0."""
        match question.position:
            case Place() as place:
                return await self._held(place)
            case ViewPosition(game, view):
                return _deciding(_known_by(game, view)), 0
            case record:
                # In a thread, because a long record takes longer than the loop may stand still.
                return await asyncio.to_thread(_end_of, record.text), 0

    async def _held(self, place: Place) -> tuple[InformationSet, int]:
        session = await self._sessions.get(place.game_id)
        if place.revision not in (0, session.revision):
            raise StaleRevisionError(session.revision)
        return session.deciding(place.seat), session.revision


def _deadline(remaining: float | None) -> float:
    """A call's deadline as a time of ``time.monotonic``."""
    return math.inf if remaining is None else time.monotonic() + remaining


def _among(question: Question, info: InformationSet) -> list[int] | None:
    """The actions that come into question; ``None``: all."""
    try:
        return among_of(info.legal_actions(), question.allow, question.avoid)
    except ChoiceError as error:
        raise FieldError(error.field, error.rule) from error


def _known_by(game: str, view: Mapping[str, Any]) -> InformationSet:
    """The information set of a view that came with a call."""
    try:
        return InformationSet.from_view(game, dict(view))
    except ViewError as error:
        _, field, rule = error.args
        raise FieldError(f"view.{game}.{field}" if field else f"view.{game}", rule) from error


def _deciding(info: InformationSet) -> InformationSet:
    """The same, if its seat is to move."""
    if not info.legal_actions():
        raise RefusedError("NOT_YOUR_TURN", f"seat {info.seat}", "the viewer of this view is not to move")
    return info


def _end_of(text: str) -> InformationSet:
    """What the seat to move at the end of a record knows."""
    state = GameRecord.parse(text).state()
    if state.is_terminal:
        raise RefusedError("GAME_OVER", "record", "the game of this record is over")
    if state.is_chance:
        raise FieldError("record", "it ends where chance is to move; a decision is needed")
    return state.information_set(seat_to_move(state))
