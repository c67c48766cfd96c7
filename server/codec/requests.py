"""From requests to values. Readers check what can be told from the request alone and raise ``FieldError``;
the rest is checked by those who know. Views are read by the names of their fields, so a new game needs no
code here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf import duration_pb2
from google.protobuf.json_format import MessageToDict

from kingsbridge.ai import Budget
from kingsbridge.server.bot_settings import BotSettings
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import FieldError
from kingsbridge.server.search import Priority
from kingsbridge.server.session import Move, NewGame
from kingsbridge.v1 import ai_pb2, rules_pb2

SEED_BYTES = 16
"""Length of a seed of chance."""
REQUEST_ID_CHARACTERS = 16
"""Shortest request id of a call that hands out tokens: nobody may guess it."""
HEARTBEAT_SECONDS = 15.0
"""Longest silence of a stream, if its caller says nothing."""
REPORT_SECONDS = 0.25
"""Time between two reports, if the caller says nothing."""

Asking = ai_pb2.ChooseActionRequest | ai_pb2.AnalyzeRequest | ai_pb2.ChooseTurnRequest
"""A request that asks a bot about a position."""

_PRIORITIES: dict[int, Priority] = {
    ai_pb2.PRIORITY_INTERACTIVE: Priority.INTERACTIVE,
    ai_pb2.PRIORITY_ANALYSIS: Priority.ANALYSIS,
    ai_pb2.PRIORITY_TOURNAMENT: Priority.TOURNAMENT,
}


@dataclass(frozen=True, slots=True)
class Place:
    """A game of this server and a seat of it; ``revision`` 0 means whatever it is now."""

    game_id: str
    seat: int
    revision: int = 0


@dataclass(frozen=True, slots=True)
class ViewPosition:
    """A view that came with a call, as plain data."""

    game: str
    view: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RecordPosition:
    """A record that came with a call."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is asked. ``seed`` of ``None`` lets the server draw one; ``allow`` and ``avoid`` are as in
    ``among_of``; ``top`` of 0 means all actions.
    """

    position: Place | ViewPosition | RecordPosition
    bot: str
    budget: Budget
    seed: int | None
    allow: frozenset[int]
    avoid: frozenset[int]
    priority: Priority
    top: int


@dataclass(frozen=True, slots=True)
class Watch:
    """What somebody follows: from event number ``first`` on, with a sign of life every ``heartbeat``
    seconds.
    """

    place: Place
    first: int
    heartbeat: float


def read_game(request: rules_pb2.DescribeGameRequest, limits: Limits) -> str:
    """The name of the game that is asked about."""
    return _name(request.game, "game", limits)


def read_new_game(request: rules_pb2.CreateGameRequest, limits: Limits) -> NewGame:
    """The game that is to be created."""
    seed = None
    if request.HasField("seed"):
        if len(request.seed) != SEED_BYTES:
            raise FieldError("seed", f"must be {SEED_BYTES} bytes long")
        seed = int.from_bytes(request.seed, "big")
    for name in request.options:
        _name(name, "options", limits)
    bots = {each.seat: _bot_settings(each, "bots", limits) for each in request.bots}
    if len(bots) < len(request.bots):
        raise FieldError("bots.seat", "a seat is named twice")
    return NewGame(
        game=_name(request.game, "game", limits),
        players=request.players,
        options=dict(request.options),
        seed=seed,
        request_id=_secret_request_id(request, limits),
        bots=bots,
    )


def read_place(
    request: rules_pb2.GetViewRequest
    | rules_pb2.ListLegalActionsRequest
    | rules_pb2.GetRecordRequest
    | rules_pb2.WatchGameRequest
    | rules_pb2.ApplyActionRequest
    | rules_pb2.GiveBackSeatRequest
    | rules_pb2.RenewTokenRequest,
    limits: Limits,
) -> Place:
    """The game and the seat that is meant."""
    return Place(_name(request.game_id, "game_id", limits), request.seat)


def read_renewal(request: rules_pb2.RenewTokenRequest, limits: Limits) -> str:
    """The id of a request for a new token, or nothing."""
    return _secret_request_id(request, limits)


def read_watch(request: rules_pb2.WatchGameRequest, limits: Limits) -> Watch:
    """What is to be followed."""
    heartbeat = HEARTBEAT_SECONDS
    if request.HasField("heartbeat"):
        heartbeat = _seconds(request.heartbeat, "heartbeat", 1.0, 60.0)
    return Watch(read_place(request, limits), request.from_event, heartbeat)


def read_take_over(request: rules_pb2.TakeOverSeatRequest, limits: Limits) -> tuple[Place, BotSettings]:
    """The seat, and the bot that is to play it."""
    place = Place(_name(request.game_id, "game_id", limits), request.bot.seat)
    return place, _bot_settings(request.bot, "bot", limits)


def read_move(request: rules_pb2.ApplyActionRequest, limits: Limits) -> Move:
    """The move that is to be played."""
    action: int | str
    match request.WhichOneof("action"):
        case "action_id":
            action = request.action_id
        case "action_text":
            action = _short(request.action_text, "action_text", limits)
        case _:
            raise FieldError("action", "one of action_id and action_text is required")
    if request.expected_revision == 0:
        raise FieldError("expected_revision", "is required: the revision that the action was decided on")
    return Move(
        game_id=_name(request.game_id, "game_id", limits),
        seat=request.seat,
        action=action,
        expected_revision=request.expected_revision,
        request_id=_short(request.request_id, "request_id", limits),
    )


def read_question(request: Asking, limits: Limits) -> Question:
    """What a bot is asked."""
    allow, avoid = (
        ((), ()) if isinstance(request, ai_pb2.ChooseTurnRequest) else (request.allow, request.avoid)
    )
    usual = Priority.ANALYSIS if isinstance(request, ai_pb2.AnalyzeRequest) else Priority.INTERACTIVE
    if request.priority not in (0, *_PRIORITIES):
        raise FieldError("priority", "is none of the classes")
    return Question(
        position=_position(request, limits),
        bot=_bot_spec(request.bot, "bot", limits),
        budget=_budget(request.budget, limits),
        seed=request.seed if request.HasField("seed") else None,
        allow=frozenset(allow),
        avoid=frozenset(avoid),
        priority=_PRIORITIES.get(request.priority, usual),
        top=request.top,
    )


def read_report_seconds(request: ai_pb2.AnalyzeRequest) -> float:
    """The time between two reports."""
    if not request.HasField("report_interval"):
        return REPORT_SECONDS
    return _seconds(request.report_interval, "report_interval", 0.05, 60.0)


def _secret_request_id(
    request: rules_pb2.CreateGameRequest | rules_pb2.RenewTokenRequest, limits: Limits
) -> str:
    """An id that gives tokens to whoever knows it, so nobody may guess it; or nothing."""
    if request.request_id and len(request.request_id) < REQUEST_ID_CHARACTERS:
        raise FieldError("request_id", f"must have at least {REQUEST_ID_CHARACTERS} characters")
    return _short(request.request_id, "request_id", limits)


def _bot_settings(bot: rules_pb2.SeatBot, name: str, limits: Limits) -> BotSettings:
    if bot.pace not in rules_pb2.Pace.values():
        raise FieldError(f"{name}.pace", "is none of the paces")
    budget = _budget(bot.budget, limits, f"{name}.budget")
    spec = _bot_spec(bot.bot, f"{name}.bot", limits)
    return BotSettings(spec, budget.iterations, budget.seconds, bot.pace == rules_pb2.PACE_HUMAN)


def _bot_spec(spec: str, name: str, limits: Limits) -> str:
    if not spec:
        raise FieldError(name, "is required, such as the name of one in ListBots")
    if len(spec) > limits.bot_characters:
        raise FieldError(name, f"must have at most {limits.bot_characters} characters")
    return spec


def _position(request: Asking, limits: Limits) -> Place | ViewPosition | RecordPosition:
    match request.WhichOneof("position"):
        case "session":
            session = request.session
            game_id = _name(session.game_id, "session.game_id", limits)
            return Place(game_id, session.seat, session.expected_revision)
        case "record":
            if len(request.record) > limits.record_characters:
                raise FieldError("record", f"must have at most {limits.record_characters} characters")
            return RecordPosition(request.record)
        case "view":
            game = request.view.WhichOneof("view")
            if game is None:
                raise FieldError("view", "the view of a game is required")
            if request.view.ByteSize() > limits.view_bytes:
                raise FieldError("view", f"must have at most {limits.view_bytes} bytes")
            return ViewPosition(game, plain(getattr(request.view, game)))
        case _:
            raise FieldError("position", "one of session, record and view is required")


def plain(view: Any) -> dict[str, Any]:
    """A view message as the engine reads it: every field by its name, defaults included."""
    fields: dict[str, Any] = MessageToDict(
        view, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return fields


def _budget(budget: ai_pb2.Budget, limits: Limits, name: str = "budget") -> Budget:
    iterations = budget.iterations if budget.HasField("iterations") else None
    if iterations is not None and iterations > limits.iterations:
        raise FieldError(f"{name}.iterations", f"must be at most {limits.iterations}")
    if not budget.HasField("duration"):
        return Budget(iterations)
    seconds = _seconds(budget.duration, f"{name}.duration", 0.0, None)
    return Budget(iterations, min(seconds, limits.search_seconds))


def _seconds(duration: duration_pb2.Duration, name: str, least: float, most: float | None) -> float:
    if duration.seconds < 0 or not 0 <= duration.nanos < 1_000_000_000:
        raise FieldError(name, "must not be negative, with nanos in 0 .. 999,999,999")
    seconds = duration.seconds + duration.nanos / 1e9
    if most is not None and not least <= seconds <= most:
        raise FieldError(name, f"must be {least:g} to {most:g} seconds")
    return seconds


def _name(text: str, name: str, limits: Limits) -> str:
    if not text:
        raise FieldError(name, "is required")
    return _short(text, name, limits)


def _short(text: str, name: str, limits: Limits) -> str:
    if len(text) > limits.id_characters:
        raise FieldError(name, f"must have at most {limits.id_characters} characters")
    return text
