"""From messages to plain values and back: the client's half of what ``codec`` is to the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf import duration_pb2
from google.protobuf.message import Message

from kingsbridge.pyengine import ArgumentInfo, ComponentInfo, DomainInfo, GameInfo, KindInfo, OptionInfo
from kingsbridge.server.client.values import (
    BotSeat,
    Candidate,
    Change,
    Choice,
    Event,
    Played,
    Proposal,
    Record,
    Report,
    Status,
    Thinking,
    Turn,
    View,
)
from kingsbridge.v1 import ai_pb2, game_pb2, rules_pb2


def read_status(message: game_pb2.GameStatus) -> Status:
    """Where a game stands."""
    return Status(
        revision=message.revision,
        over=message.over,
        seat_to_move=message.seat_to_move,
        scores=tuple(message.result.scores),
        places=tuple(message.result.places),
        bots=tuple(message.bots),
    )


def read_view(message: game_pb2.GameView) -> View:
    """What a seat sees, all fields in their order, whatever the game is."""
    game = message.WhichOneof("view")
    return {} if game is None else _plain(getattr(message, game))


def read_choices(messages: Iterable[game_pb2.Action]) -> tuple[Choice, ...]:
    """Actions."""
    return tuple(_choice(message) for message in messages)


def read_played(message: rules_pb2.ApplyActionResponse) -> Played:
    """What an action led to."""
    return Played(read_status(message.status), _events(message.events), read_view(message.view))


def read_change(message: rules_pb2.WatchGameResponse) -> Change:
    """A change of a game."""
    return Change(
        status=read_status(message.status),
        events=_events(message.events),
        next_event=message.next_event,
        view=read_view(message.view),
    )


def read_record(message: game_pb2.GameRecord) -> Record:
    """A record."""
    return Record(
        text=message.text,
        complete=message.complete,
        seed=int.from_bytes(message.seed, "big") if message.seed else None,
        commitment=message.seed_commitment,
    )


def read_proposal(message: ai_pb2.ChooseActionResponse) -> Proposal:
    """What a bot would play."""
    return Proposal(
        choice=_choice(message.action),
        candidates=tuple(map(_candidate, message.statistics)),
        iterations=message.iterations,
        seconds=message.elapsed.seconds + message.elapsed.nanos / 1e9,
        line=read_choices(message.principal_variation),
        stop_reason=ai_pb2.StopReason.Name(message.stop_reason).removeprefix("STOP_REASON_").lower(),
        revision=message.revision,
        worlds=message.worlds,
    )


def _candidate(message: ai_pb2.ActionStatistics) -> Candidate:
    return Candidate(
        choice=_choice(message.action),
        visits=message.visits,
        values=tuple(message.values),
        win_shares=tuple(message.win_shares),
        scores=tuple(message.scores),
        standard_error=message.standard_error,
    )


def read_report(message: ai_pb2.AnalyzeResponse) -> Report:
    """What a bot would play so far."""
    return Report(read_proposal(message.choice), message.final)


def read_turn(message: ai_pb2.ChooseTurnResponse) -> Turn:
    """The decisions of a turn."""
    return Turn(tuple(map(read_proposal, message.decisions)), message.turn_over)


def seat_bot(seat: int, settings: BotSeat) -> rules_pb2.SeatBot:
    """How the server is to play a seat."""
    pace = rules_pb2.PACE_HUMAN if settings.human else rules_pb2.PACE_INSTANT
    budget = _budget(settings.iterations, settings.seconds)
    return rules_pb2.SeatBot(seat=seat, bot=settings.bot, budget=budget, pace=pace)


def asked(thinking: Thinking) -> dict[str, Any]:
    """The fields that all requests to a bot share, but the position."""
    fields = {
        "bot": thinking.bot,
        "budget": _budget(thinking.iterations, thinking.seconds),
        "top": thinking.top,
        "priority": ai_pb2.Priority.Value(f"PRIORITY_{thinking.priority.upper() or 'UNSPECIFIED'}"),
    }
    return fields if thinking.seed is None else {**fields, "seed": thinking.seed}


def view_message(game: str, view: View) -> game_pb2.GameView:
    """The message of a view.

    Raises:
        ValueError: it has a field that views of this game have not, or a value of the wrong type.
    """
    try:
        return game_pb2.GameView(**{game: view})  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ValueError(f"no view of {game}: {error}") from error


def duration(seconds: float) -> duration_pb2.Duration:
    """A span of time."""
    nanos = round(seconds * 1e9)
    return duration_pb2.Duration(seconds=nanos // 1_000_000_000, nanos=nanos % 1_000_000_000)


def _budget(iterations: int | None, seconds: float | None) -> ai_pb2.Budget:
    return ai_pb2.Budget(iterations=iterations, duration=None if seconds is None else duration(seconds))


def _plain(message: Message) -> dict[str, Any]:
    return {field.name: _plain_value(getattr(message, field.name)) for field in message.DESCRIPTOR.fields}


def _plain_value(value: Any) -> Any:
    if isinstance(value, Message):
        return _plain(value)
    if isinstance(value, (str, bytes, int, float)):
        return value
    return [_plain_value(each) for each in value]


def _choice(message: game_pb2.Action) -> Choice:
    arguments = {
        each.name: each.symbol if each.WhichOneof("value") == "symbol" else each.number
        for each in message.arguments
    }
    return Choice(message.id, message.kind, arguments, message.text, message.phrase)


def _events(messages: Iterable[game_pb2.Event]) -> tuple[Event, ...]:
    return tuple(
        Event(each.index, each.seat, _choice(each.action) if each.HasField("action") else None)
        for each in messages
    )


def _texts(message: game_pb2.LocalizedText) -> dict[str, str]:
    texts = {"en": message.en, "fr": message.fr, "ja": message.ja, "de": message.de}
    return {language: words for language, words in texts.items() if words}


def read_game(message: rules_pb2.GameDescription) -> GameInfo:
    """A description in the form in which the engine gives its own."""
    return GameInfo(
        name=message.name,
        title=_texts(message.title),
        min_players=message.min_players,
        max_players=message.max_players,
        rules_hash=message.rules_hash,
        max_score=message.max_score,
        max_length=message.max_length,
        action_count=message.action_count,
        options=tuple(
            OptionInfo(each.name, each.default, each.min, each.max, each.text) for each in message.options
        ),
        kinds=tuple(_kind(each) for each in message.kinds),
        domains=tuple(
            DomainInfo(each.name, each.first, tuple(each.symbols), tuple(each.copies))
            for each in message.domains
        ),
        components=tuple(_component(each) for each in message.components),
    )


def _kind(message: rules_pb2.ActionKind) -> KindInfo:
    arguments = tuple(ArgumentInfo(each.name, each.domain) for each in message.arguments)
    return KindInfo(
        message.name, arguments, message.chance, message.deck, message.pooled, _texts(message.phrase)
    )


def _component(message: rules_pb2.Component) -> ComponentInfo:
    return ComponentInfo(
        id=message.id,
        set=message.set,
        names=_texts(message.names),
        provenance={"names": _texts(message.provenance.names), "values": message.provenance.values},
        attributes={each.name: each.value for each in message.attributes},
        face=message.face,
        copies=message.copies,
        words={each.name: each.word for each in message.attributes if each.word},
    )
