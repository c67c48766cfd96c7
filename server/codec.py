"""Messages to values and back: the only file that touches what messages contain.

Readers check what can be told from the request alone and raise ``FieldError``; the rest is checked by those
who know. Views are written and read by the names of their fields, so a new game needs no code here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from google.protobuf import duration_pb2
from google.protobuf.json_format import MessageToDict

from kingsbridge.ai import BotInfo, Budget, Decision, StopReason
from kingsbridge.pyengine import (
    ENGINE_VERSION,
    ComponentInfo,
    GameInfo,
    InformationSet,
    action_text,
    arguments,
    describe,
    game_info,
    game_names,
    kind_of,
    phrase,
)
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import FieldError
from kingsbridge.server.sessions import Applied, Happening, Move, NewGame, Status
from kingsbridge.v1 import ai_pb2, game_pb2, rules_pb2

SEED_BYTES = 16
"""Length of a seed of chance."""

_STOP_REASONS = {
    StopReason.ITERATIONS: ai_pb2.STOP_REASON_ITERATIONS,
    StopReason.TIME: ai_pb2.STOP_REASON_TIME,
    StopReason.STOPPED: ai_pb2.STOP_REASON_STOPPED,
    StopReason.FORCED: ai_pb2.STOP_REASON_FORCED,
    StopReason.POLICY: ai_pb2.STOP_REASON_POLICY,
    StopReason.DECIDED: ai_pb2.STOP_REASON_DECIDED,
}
_OPTION_TYPES = {
    "int": ai_pb2.OPTION_TYPE_INTEGER,
    "float": ai_pb2.OPTION_TYPE_NUMBER,
    "bool": ai_pb2.OPTION_TYPE_BOOLEAN,
    "str": ai_pb2.OPTION_TYPE_TEXT,
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
    ``among_of``.
    """

    position: Place | ViewPosition | RecordPosition
    bot: str
    budget: Budget
    seed: int | None
    allow: frozenset[int]
    avoid: frozenset[int]


# Reading requests


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
    return NewGame(
        game=_name(request.game, "game", limits),
        players=request.players,
        options=dict(request.options),
        seed=seed,
        request_id=_short(request.request_id, "request_id", limits),
    )


def read_place(
    request: rules_pb2.GetViewRequest | rules_pb2.ListLegalActionsRequest | rules_pb2.GetRecordRequest,
    limits: Limits,
) -> Place:
    """The game and the seat that looks."""
    return Place(_name(request.game_id, "game_id", limits), request.seat)


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


def read_question(request: ai_pb2.ChooseActionRequest, limits: Limits) -> Question:
    """What a bot is asked."""
    if not request.bot:
        raise FieldError("bot", "is required, such as the name of one in ListBots")
    if len(request.bot) > limits.bot_characters:
        raise FieldError("bot", f"must have at most {limits.bot_characters} characters")
    return Question(
        position=_position(request, limits),
        bot=request.bot,
        budget=_budget(request.budget, limits),
        seed=request.seed if request.HasField("seed") else None,
        allow=frozenset(request.allow),
        avoid=frozenset(request.avoid),
    )


def _position(request: ai_pb2.ChooseActionRequest, limits: Limits) -> Place | ViewPosition | RecordPosition:
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
            return ViewPosition(game, _plain(getattr(request.view, game)))
        case _:
            raise FieldError("position", "one of session, record and view is required")


def _plain(view: Any) -> dict[str, Any]:
    """A view message as the engine reads it: every field by its name, defaults included."""
    plain: dict[str, Any] = MessageToDict(
        view, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return plain


def _budget(budget: ai_pb2.Budget, limits: Limits) -> Budget:
    iterations = budget.iterations if budget.HasField("iterations") else None
    if iterations is not None and iterations > limits.iterations:
        raise FieldError("budget.iterations", f"must be at most {limits.iterations}")
    if not budget.HasField("duration"):
        return Budget(iterations)
    duration = budget.duration
    if duration.seconds < 0 or not 0 <= duration.nanos < 1_000_000_000:
        raise FieldError("budget.duration", "must not be negative, with nanos in 0 .. 999,999,999")
    return Budget(iterations, min(duration.seconds + duration.nanos / 1e9, limits.search_seconds))


def _name(text: str, name: str, limits: Limits) -> str:
    if not text:
        raise FieldError(name, "is required")
    return _short(text, name, limits)


def _short(text: str, name: str, limits: Limits) -> str:
    if len(text) > limits.id_characters:
        raise FieldError(name, f"must have at most {limits.id_characters} characters")
    return text


# Writing answers: rules


def games() -> rules_pb2.ListGamesResponse:
    """All games in short."""
    summaries = [_summary(describe(name)) for name in game_names()]
    return rules_pb2.ListGamesResponse(games=summaries, engine_version=ENGINE_VERSION)


@cache
def description(game: str) -> rules_pb2.DescribeGameResponse:
    """A game in full: the engine's own description, field by field. Kept, since it never changes.

    Raises:
        UnknownGameError: no such game.
    """
    fields: dict[str, Any] = game_info(game)
    for component in fields["components"]:  # a map on the wire would lose the order of the card
        printed, words = component["attributes"].items(), component.pop("words")
        component["attributes"] = [
            {"name": name, "value": value, "word": words.get(name, "")} for name, value in printed
        ]
    return rules_pb2.DescribeGameResponse(
        game=rules_pb2.GameDescription(**fields), engine_version=ENGINE_VERSION
    )


def created(game_id: str, status: Status) -> rules_pb2.CreateGameResponse:
    """A new game."""
    return rules_pb2.CreateGameResponse(game_id=game_id, status=_status(status))


def view(status: Status, info: InformationSet) -> rules_pb2.GetViewResponse:
    """What a seat sees."""
    return rules_pb2.GetViewResponse(status=_status(status), view=_view(info))


def legal_actions(status: Status, info: InformationSet) -> rules_pb2.ListLegalActionsResponse:
    """What a seat may do."""
    return rules_pb2.ListLegalActionsResponse(
        status=_status(status), actions=_actions(info.game, info.legal_actions())
    )


def applied(result: Applied) -> rules_pb2.ApplyActionResponse:
    """What an action led to."""
    game = result.info.game
    return rules_pb2.ApplyActionResponse(
        status=_status(result.status),
        view=_view(result.info),
        events=[_event(game, happening) for happening in result.happenings],
    )


def record(status: Status, text: str, complete: object) -> rules_pb2.GetRecordResponse:
    """A record as a seat may know it."""
    return rules_pb2.GetRecordResponse(
        status=_status(status), record=game_pb2.GameRecord(text=text, complete=bool(complete))
    )


def _summary(info: GameInfo) -> rules_pb2.GameSummary:
    return rules_pb2.GameSummary(
        name=info.name,
        title=game_pb2.LocalizedText(**info.title),
        min_players=info.min_players,
        max_players=info.max_players,
        rules_hash=info.rules_hash,
    )


def _status(status: Status) -> game_pb2.GameStatus:
    message = game_pb2.GameStatus(revision=status.revision, seat_to_move=status.seat_to_move)
    if status.scores is not None:
        message.over = True
        message.result.scores.extend(status.scores)
        message.result.places.extend(status.places or ())
    return message


def _view(info: InformationSet) -> game_pb2.GameView:
    fields: dict[str, Any] = {info.game: info.view()}
    return game_pb2.GameView(**fields)


def _event(game: str, happening: Happening) -> game_pb2.Event:
    action = None if happening.action is None else _action(game, happening.action)
    return game_pb2.Event(seat=happening.seat, action=action)


def _actions(game: str, actions: Iterable[int]) -> list[game_pb2.Action]:
    return [_action(game, action) for action in actions]


def _action(game: str, action: int) -> game_pb2.Action:
    info = describe(game)
    return game_pb2.Action(
        id=action,
        kind=info.kinds[kind_of(action)].name,
        arguments=[_argument(name, value) for name, value in arguments(info, action).items()],
        text=action_text(game, action),
        phrase=phrase(info, action, component_name=_namer(game)),
    )


@cache
def _namer(game: str) -> Callable[[ComponentInfo], str]:
    """How components are called in phrases: by name, and by id as well where several share the name."""
    names = Counter(component.names["en"] for component in describe(game).components)

    def called(component: ComponentInfo) -> str:
        name = component.names["en"]
        return name if names[name] == 1 else f"{name} {component.id}"

    return called


def _argument(name: str, value: int | str) -> game_pb2.Argument:
    if isinstance(value, str):
        return game_pb2.Argument(name=name, symbol=value)
    return game_pb2.Argument(name=name, number=value)


# Writing answers: bots


def bots(infos: Iterable[BotInfo]) -> ai_pb2.ListBotsResponse:
    """The bots with their options."""
    return ai_pb2.ListBotsResponse(bots=sorted(map(_bot, infos), key=lambda bot: bot.name))


def choice(game: str, decision: Decision, revision: int) -> ai_pb2.ChooseActionResponse:
    """A bot's choice; ``revision`` is 0 for a position that came with the call."""
    statistics = [
        ai_pb2.ActionStatistics(
            action=_action(game, each.action),
            visits=each.visits,
            availability=each.availability,
            values=each.values,
        )
        for each in decision.statistics
    ]
    return ai_pb2.ChooseActionResponse(
        action=_action(game, decision.action),
        statistics=statistics,
        principal_variation=_actions(game, decision.principal_variation),
        iterations=decision.iterations,
        elapsed=_duration(decision.elapsed),
        stop_reason=_STOP_REASONS[decision.stop_reason],
        revision=revision,
    )


def _bot(info: BotInfo) -> ai_pb2.BotDescription:
    options = [
        ai_pb2.BotOption(
            name=name,
            type=_OPTION_TYPES[option.type],
            default="" if option.default is None else str(option.default),
            text=option.text,
        )
        for name, option in info.options.items()
    ]
    return ai_pb2.BotDescription(name=info.name, summary=info.summary, options=options)


def _duration(seconds: float) -> duration_pb2.Duration:
    nanos = round(seconds * 1e9)
    return duration_pb2.Duration(seconds=nanos // 1_000_000_000, nanos=nanos % 1_000_000_000)
