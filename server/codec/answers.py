"""From values to answers. Views are written by the names of their fields, so a new game needs no code
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from google.protobuf import duration_pb2, timestamp_pb2

from kingsbridge.ai import ActionStatistics, BotInfo, Decision, StopReason
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
    seed_bytes,
)
from kingsbridge.server.search import Priority
from kingsbridge.server.server_status import ServerStatus
from kingsbridge.server.session import Applied, Happening, Sight, Status, Told
from kingsbridge.server.watching import Change
from kingsbridge.v1 import ai_pb2, game_pb2, rules_pb2, server_pb2

ACTIONS = 1 << 13
"""Actions whose messages are kept, the most recent ones: some 500 bytes each."""

_STOP_REASONS = {
    StopReason.ITERATIONS: ai_pb2.STOP_REASON_ITERATIONS,
    StopReason.TIME: ai_pb2.STOP_REASON_TIME,
    StopReason.STOPPED: ai_pb2.STOP_REASON_STOPPED,
    StopReason.FORCED: ai_pb2.STOP_REASON_FORCED,
    StopReason.POLICY: ai_pb2.STOP_REASON_POLICY,
    StopReason.DECIDED: ai_pb2.STOP_REASON_DECIDED,
    StopReason.RUNNING: ai_pb2.STOP_REASON_RUNNING,
}
_PRIORITIES = {
    Priority.INTERACTIVE: ai_pb2.PRIORITY_INTERACTIVE,
    Priority.ANALYSIS: ai_pb2.PRIORITY_ANALYSIS,
    Priority.TOURNAMENT: ai_pb2.PRIORITY_TOURNAMENT,
}
_OPTION_TYPES = {
    "int": ai_pb2.OPTION_TYPE_INTEGER,
    "float": ai_pb2.OPTION_TYPE_NUMBER,
    "bool": ai_pb2.OPTION_TYPE_BOOLEAN,
    "str": ai_pb2.OPTION_TYPE_TEXT,
}


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


def created(
    game_id: str, status: Status, tokens: Mapping[int, str], expires: int, commitment: bytes
) -> rules_pb2.CreateGameResponse:
    """A new game; ``tokens`` by seat, the spectators' under -1."""
    return rules_pb2.CreateGameResponse(
        game_id=game_id,
        status=_status(status),
        seat_tokens=[token for seat, token in sorted(tokens.items()) if seat >= 0],
        spectator_token=tokens[-1],
        expire_time=timestamp_pb2.Timestamp(seconds=expires),
        seed_commitment=commitment,
    )


def renewed(token: str, expires: int) -> rules_pb2.RenewTokenResponse:
    """A new token."""
    return rules_pb2.RenewTokenResponse(token=token, expire_time=timestamp_pb2.Timestamp(seconds=expires))


def taken_over(status: Status) -> rules_pb2.TakeOverSeatResponse:
    """A bot plays the seat."""
    return rules_pb2.TakeOverSeatResponse(status=_status(status))


def given_back(status: Status) -> rules_pb2.GiveBackSeatResponse:
    """A person plays the seat."""
    return rules_pb2.GiveBackSeatResponse(status=_status(status))


def change(change: Change) -> rules_pb2.WatchGameResponse:
    """What happened, and what the watcher sees now; or a sign of life."""
    message = rules_pb2.WatchGameResponse(status=_status(change.status), next_event=change.next_event)
    if change.sight is not None:
        game = change.sight.info.game
        message.events.extend(_event(game, happening) for happening in change.happenings)
        message.view.CopyFrom(change.sight.message(game_view))
    return message


def view(status: Status, sight: Sight) -> rules_pb2.GetViewResponse:
    """What a seat sees."""
    return rules_pb2.GetViewResponse(status=_status(status), view=sight.message(game_view))


def legal_actions(status: Status, info: InformationSet) -> rules_pb2.ListLegalActionsResponse:
    """What a seat may do."""
    return rules_pb2.ListLegalActionsResponse(
        status=_status(status), actions=action_messages(info.game, info.legal_actions())
    )


def applied(result: Applied) -> rules_pb2.ApplyActionResponse:
    """What an action led to."""
    game = result.sight.info.game
    return rules_pb2.ApplyActionResponse(
        status=_status(result.status),
        view=result.sight.message(game_view),
        events=[_event(game, happening) for happening in result.happenings],
    )


def record(status: Status, told: Told) -> rules_pb2.GetRecordResponse:
    """A record as a seat may know it."""
    message = game_pb2.GameRecord(text=told.text, complete=told.complete, seed_commitment=told.commitment)
    if told.seed is not None:
        message.seed = seed_bytes(told.seed)
    return rules_pb2.GetRecordResponse(status=_status(status), record=message)


def _summary(info: GameInfo) -> rules_pb2.GameSummary:
    return rules_pb2.GameSummary(
        name=info.name,
        title=game_pb2.LocalizedText(**info.title),
        min_players=info.min_players,
        max_players=info.max_players,
        rules_hash=info.rules_hash,
    )


def _status(status: Status) -> game_pb2.GameStatus:
    message = game_pb2.GameStatus(
        revision=status.revision, seat_to_move=status.seat_to_move, bots=status.bots
    )
    if status.scores is not None:
        message.over = True
        message.result.scores.extend(status.scores)
        message.result.places.extend(status.places or ())
    return message


def game_view(info: InformationSet) -> game_pb2.GameView:
    """What a seat sees, as the view of its game."""
    fields: dict[str, Any] = {info.game: info.view()}
    return game_pb2.GameView(**fields)


def _event(game: str, happening: Happening) -> game_pb2.Event:
    action = None if happening.action is None else _action(game, happening.action)
    return game_pb2.Event(seat=happening.seat, action=action, index=happening.index)


def action_messages(game: str, actions: Iterable[int]) -> list[game_pb2.Action]:
    """Actions with their words."""
    return [_action(game, action) for action in actions]


@lru_cache(maxsize=ACTIONS)
def _action(game: str, action: int) -> game_pb2.Action:
    """An action with its words; never to be changed, since all answers that tell of it share it."""
    info = describe(game)
    return game_pb2.Action(
        id=action,
        kind=info.kinds[kind_of(action)].name,
        arguments=[_argument(name, value) for name, value in arguments(info, action).items()],
        text=action_text(game, action),
        phrase=phrase(info, action, component_name=_namer(game)),
        chance=info.kinds[kind_of(action)].chance,
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


def bots(infos: Iterable[BotInfo]) -> ai_pb2.ListBotsResponse:
    """The bots with their options."""
    return ai_pb2.ListBotsResponse(bots=sorted(map(_bot, infos), key=lambda bot: bot.name))


def choice(game: str, decision: Decision, revision: int, top: int = 0) -> ai_pb2.ChooseActionResponse:
    """A bot's choice; ``revision`` is 0 for a position that came with the call. It tells of the ``top`` most
    visited actions, 0 for all.
    """
    told = decision.statistics[:top] if top else decision.statistics
    speed = decision.iterations / decision.elapsed if decision.elapsed > 0 else 0.0
    return ai_pb2.ChooseActionResponse(
        action=_action(game, decision.action),
        statistics=[_statistics(game, each) for each in told],
        principal_variation=action_messages(game, decision.principal_variation),
        iterations=decision.iterations,
        elapsed=duration(decision.elapsed),
        stop_reason=_STOP_REASONS[decision.stop_reason],
        revision=revision,
        worlds=decision.worlds,
        iterations_per_second=speed,
    )


def analysis(game: str, decision: Decision, revision: int, top: int) -> ai_pb2.AnalyzeResponse:
    """A report, or the final answer."""
    return ai_pb2.AnalyzeResponse(
        choice=choice(game, decision, revision, top),
        final=decision.stop_reason is not StopReason.RUNNING,
    )


def turn(
    game: str, decisions: Iterable[Decision], revision: int, top: int, *, over: bool
) -> ai_pb2.ChooseTurnResponse:
    """The decisions of a turn; ``over``: it ends with them."""
    chosen = [choice(game, decision, revision, top) for decision in decisions]
    return ai_pb2.ChooseTurnResponse(decisions=chosen, turn_over=over)


def _statistics(game: str, row: ActionStatistics) -> ai_pb2.ActionStatistics:
    return ai_pb2.ActionStatistics(
        action=_action(game, row.action),
        visits=row.visits,
        availability=row.availability,
        values=row.values,
        win_shares=row.win_shares,
        scores=row.scores,
        standard_error=row.standard_error,
    )


def server_status(status: ServerStatus) -> server_pb2.GetServerStatusResponse:
    """How the server is doing."""
    pool = status.pool
    queues = [
        server_pb2.QueueStatus(
            priority=_PRIORITIES[priority],
            waiting=waiting.count,
            oldest_wait=duration(waiting.oldest_seconds),
        )
        for priority, waiting in sorted(pool.waiting.items(), reverse=True)
    ]
    return server_pb2.GetServerStatusResponse(
        engine_version=ENGINE_VERSION,
        start_time=timestamp_pb2.Timestamp(seconds=status.started),
        draining=status.draining,
        games=status.games,
        watchers=status.watchers,
        workers=pool.workers,
        busy_workers=pool.busy,
        queues=queues,
        searches=pool.totals.done,
        iterations=pool.totals.iterations,
        iterations_per_second=pool.iterations_per_second,
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


def duration(seconds: float) -> duration_pb2.Duration:
    """Seconds as a message."""
    nanos = round(seconds * 1e9)
    return duration_pb2.Duration(seconds=nanos // 1_000_000_000, nanos=nanos % 1_000_000_000)
