"""AiService: from a request to what the seat knows, to a search, and back.

The true state is never seen here.
"""

# ruff: noqa: N802, ARG002  (names and signatures are gRPC's)

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from kingsbridge.ai import (
    Bank,
    ChoiceError,
    Decision,
    among_of,
    bot_infos,
    sequel,
)
from kingsbridge.pyengine import GameRecord, InformationSet, Rng, ViewError
from kingsbridge.server.access import Access
from kingsbridge.server.bot_specs import check_level, known_bot
from kingsbridge.server.call import current
from kingsbridge.server.codec import answers
from kingsbridge.server.codec.requests import (
    Asking,
    Place,
    Question,
    ViewPosition,
    read_question,
    read_report_seconds,
)
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import FieldError, RefusedError, StaleRevisionError, within
from kingsbridge.server.search import Search
from kingsbridge.server.search_pool import SearchPool
from kingsbridge.server.session import seat_to_move
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search, the revision of its game or 0, and how many actions to tell of, 0 for all."""

    search: Search
    revision: int
    top: int


class AiService(ai_pb2_grpc.AiServiceServicer):
    """The calls are described in ``ai.proto``. Refusals are raised; the shield makes statuses of them."""

    def __init__(self, access: Access, pool: SearchPool, limits: Limits) -> None:
        self._access = access
        self._pool = pool
        self._limits = limits

    async def ListBots(self, request: ai_pb2.ListBotsRequest, context: Any) -> ai_pb2.ListBotsResponse:
        """As in the proto."""
        return answers.bots(bot_infos())

    async def ChooseAction(
        self, request: ai_pb2.ChooseActionRequest, context: Any
    ) -> ai_pb2.ChooseActionResponse:
        """As in the proto."""
        asked = await self._asked(request, context)
        decision = await self._pool.search(asked.search)
        return answers.choice(asked.search.info.game, decision, asked.revision, asked.top)

    async def Analyze(
        self, request: ai_pb2.AnalyzeRequest, context: Any
    ) -> AsyncIterator[ai_pb2.AnalyzeResponse]:
        """As in the proto."""
        asked = await self._asked(request, context)
        search = replace(asked.search, report_seconds=read_report_seconds(request))
        async with aclosing(self._pool.stream(search)) as decisions:
            async for decision in decisions:
                yield answers.analysis(search.info.game, decision, asked.revision, asked.top)

    async def ChooseTurn(self, request: ai_pb2.ChooseTurnRequest, context: Any) -> ai_pb2.ChooseTurnResponse:
        """As in the proto."""
        asked = await self._asked(request, context)
        search, rng = asked.search, Rng(asked.search.seed)
        bank = _bank(search)
        decisions: list[Decision] = []
        info: InformationSet | None = search.info
        while info is not None:
            budget = search.budget if bank is None else bank.budget()
            decision = await self._pool.search(replace(search, info=info, budget=budget, seed=rng.next()))
            if bank is not None:
                bank.charge(decision)
            decisions.append(decision)
            following = sequel(info, decision.action, rng)
            info = following.info
        return answers.turn(search.info.game, decisions, asked.revision, asked.top, over=following.over)

    async def _asked(self, request: Asking, context: Any) -> _Asked:
        """What is to be searched, and what the answer needs beside it."""
        deadline = _deadline(context.time_remaining())
        question = read_question(request, self._limits)
        bot = known_bot(question.bot, self._limits)
        info, revision = await self._position(question, context)
        check_level(bot, info.game, info.players)
        call = current()
        search = self._search(question, info, deadline, "" if call is None else call.caller)
        return _Asked(search, revision, question.top)

    def _search(self, question: Question, info: InformationSet, deadline: float, caller: str) -> Search:
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
            priority=question.priority,
            caller=caller,
        )

    async def _position(self, question: Question, context: Any) -> tuple[InformationSet, int]:
        """What the deciding seat knows, and the revision of its game or 0."""
        match question.position:
            case Place() as place:
                return await self._held(place, context)
            case ViewPosition(game, view):
                return _deciding(_known_by(game, view)), 0
            case record:
                # In a thread, because a long record takes longer than the loop may stand still.
                return await asyncio.to_thread(_end_of, record.text), 0

    async def _held(self, place: Place, context: Any) -> tuple[InformationSet, int]:
        with within("session"):
            session = await self._access.act(self._access.show(context), place.game_id, place.seat)
        if place.revision not in (0, session.revision):
            raise StaleRevisionError(session.revision)
        return session.deciding(place.seat), session.revision


def _bank(search: Search) -> Bank | None:
    """What a turn may cost, within the time of its call; ``None``: each decision what the bot itself
    allows.
    """
    budget = search.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=min(budget.seconds, max(0.0, search.stop_by - time.monotonic())))
    if budget.is_empty:
        return None
    return Bank(iterations=budget.iterations, seconds=budget.seconds)


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
