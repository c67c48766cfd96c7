"""A frontend's side of the wire: the calls as plain values. No other file of the frontend sees a message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf import duration_pb2
from google.protobuf.message import Message

from kingsbridge.pyengine import (
    SPECTATOR,
    ArgumentInfo,
    ComponentInfo,
    DomainInfo,
    GameInfo,
    KindInfo,
    OptionInfo,
)
from kingsbridge.server.cli.errors import CommandError, WrongUsageError
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc, game_pb2, rules_pb2, rules_pb2_grpc

CONNECT_SECONDS = 5.0
"""How long a server may take to answer at all."""
CALL_SECONDS = 30.0
"""Deadline of a call, beside the time a bot is asked to think."""


@dataclass(frozen=True)
class Choice:
    """An action as the server names it."""

    id: int
    kind: str
    arguments: Mapping[str, int | str]
    text: str


@dataclass(frozen=True)
class Status:
    """Where a game stands; ``scores`` and ``places`` are empty while it runs."""

    revision: int
    over: bool
    seat_to_move: int
    scores: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Candidate:
    """What a bot found out about one action; ``values`` are utilities per seat, 0 to 1."""

    choice: Choice
    visits: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Proposal:
    """What a bot would play, and what it considered, best first."""

    choice: Choice
    candidates: tuple[Candidate, ...]
    iterations: int
    seconds: float


@dataclass(frozen=True)
class Thinking:
    """How a bot is asked: its spec, its budget and the seed of its search; ``None`` leaves it to the bot."""

    bot: str
    iterations: int | None = None
    seconds: float | None = None
    seed: int | None = None


class Client:
    """A connection to a server. Closes with its context."""

    def __init__(self, address: str) -> None:
        """Connects to HOST:PORT.

        Raises:
            CommandError: nobody answers there.
        """
        self._channel = grpc.insecure_channel(address)
        try:
            grpc.channel_ready_future(self._channel).result(CONNECT_SECONDS)
        except grpc.FutureTimeoutError:
            self._channel.close()
            raise CommandError(f"no server answers at {address}") from None
        self._rules = rules_pb2_grpc.RulesServiceStub(self._channel)
        self._ai = ai_pb2_grpc.AiServiceStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._channel.close()

    def describe(self, game: str) -> GameInfo:
        """A game as its server describes it.

        Raises:
            CommandError: there is no such game, or the call fails.
        """
        with _failures():
            answer = self._rules.DescribeGame(rules_pb2.DescribeGameRequest(game=game), timeout=CALL_SECONDS)
        return _game_info(answer.game)

    def create(self, game: str, players: int, options: Mapping[str, int], seed: int | None) -> Game:
        """A new game, dealt; ``seed`` has 128 bits.

        Raises:
            CommandError: the game cannot be created.
        """
        request = rules_pb2.CreateGameRequest(game=game, players=players, options=options)
        if seed is not None:
            request.seed = seed.to_bytes(16, "big")
        with _failures():
            answer = self._rules.CreateGame(request, timeout=CALL_SECONDS)
        return Game(self._rules, self._ai, answer.game_id, _status(answer.status))


class Game:
    """One game on the server; ``status`` is where it stood after the last call."""

    def __init__(
        self,
        rules: rules_pb2_grpc.RulesServiceStub,
        ai: ai_pb2_grpc.AiServiceStub,
        game_id: str,
        status: Status,
    ) -> None:
        self._rules = rules
        self._ai = ai
        self._id = game_id
        self.status = status

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat sees, as plain data by the names of the fields."""
        request = rules_pb2.GetViewRequest(game_id=self._id, seat=seat)
        with _failures():
            answer = self._rules.GetView(request, timeout=CALL_SECONDS)
        self.status = _status(answer.status)
        game = answer.view.WhichOneof("view")
        return {} if game is None else _plain(getattr(answer.view, game))

    def choices(self, seat: int) -> list[Choice]:
        """The legal actions of a seat."""
        request = rules_pb2.ListLegalActionsRequest(game_id=self._id, seat=seat)
        with _failures():
            answer = self._rules.ListLegalActions(request, timeout=CALL_SECONDS)
        self.status = _status(answer.status)
        return [_choice(action) for action in answer.actions]

    def play(self, seat: int, choice: Choice) -> list[Choice | None]:
        """Plays an action; returns the chance events that followed, ``None`` for one the seat cannot tell."""
        request = rules_pb2.ApplyActionRequest(
            game_id=self._id, seat=seat, action_id=choice.id, expected_revision=self.status.revision
        )
        with _failures():
            answer = self._rules.ApplyAction(request, timeout=CALL_SECONDS)
        self.status = _status(answer.status)
        return [_choice(event.action) if event.HasField("action") else None for event in answer.events]

    def propose(self, seat: int, thinking: Thinking) -> Proposal:
        """What a bot would play for a seat. It changes nothing."""
        position = ai_pb2.SessionPosition(game_id=self._id, seat=seat, expected_revision=self.status.revision)
        request = ai_pb2.ChooseActionRequest(session=position, bot=thinking.bot, budget=_budget(thinking))
        if thinking.seed is not None:
            request.seed = thinking.seed
        with _failures():
            answer = self._ai.ChooseAction(request, timeout=CALL_SECONDS + (thinking.seconds or 0.0))
        return _proposal(answer)

    def record(self, seat: int = SPECTATOR) -> str:
        """The record of the game as a seat may know it, by default a spectator."""
        request = rules_pb2.GetRecordRequest(game_id=self._id, seat=seat)
        with _failures():
            return self._rules.GetRecord(request, timeout=CALL_SECONDS).record.text


@contextmanager
def _failures() -> Iterator[None]:
    """Says in one line why a call failed; a call that asked for something wrong is wrong usage."""
    try:
        yield
    except grpc.RpcError as error:
        code, details = error.code(), error.details() or "no details"
        if code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND):
            raise WrongUsageError(details) from error
        raise CommandError(f"the server answers {code.name}: {details}") from error


def _plain(message: Message) -> dict[str, Any]:
    """A message as plain data: all its fields in their order, whatever the message is."""
    return {field.name: _plain_value(getattr(message, field.name)) for field in message.DESCRIPTOR.fields}


def _plain_value(value: Any) -> Any:
    if isinstance(value, Message):
        return _plain(value)
    if isinstance(value, (str, bytes, int, float)):
        return value
    return [_plain_value(each) for each in value]


def _budget(thinking: Thinking) -> ai_pb2.Budget:
    budget = ai_pb2.Budget()
    if thinking.iterations is not None:
        budget.iterations = thinking.iterations
    if thinking.seconds is not None:
        budget.duration.CopyFrom(
            duration_pb2.Duration(seconds=int(thinking.seconds), nanos=int(thinking.seconds % 1 * 1e9))
        )
    return budget


def _status(message: game_pb2.GameStatus) -> Status:
    return Status(
        revision=message.revision,
        over=message.over,
        seat_to_move=message.seat_to_move,
        scores=tuple(message.result.scores),
        places=tuple(message.result.places),
    )


def _choice(message: game_pb2.Action) -> Choice:
    arguments = {
        each.name: each.symbol if each.WhichOneof("value") == "symbol" else each.number
        for each in message.arguments
    }
    return Choice(message.id, message.kind, arguments, message.text)


def _proposal(message: ai_pb2.ChooseActionResponse) -> Proposal:
    return Proposal(
        choice=_choice(message.action),
        candidates=tuple(
            Candidate(_choice(each.action), each.visits, tuple(each.values)) for each in message.statistics
        ),
        iterations=message.iterations,
        seconds=message.elapsed.seconds + message.elapsed.nanos / 1e9,
    )


def _texts(message: game_pb2.LocalizedText) -> dict[str, str]:
    texts = {"en": message.en, "fr": message.fr, "ja": message.ja, "de": message.de}
    return {language: words for language, words in texts.items() if words}


def _game_info(message: rules_pb2.GameDescription) -> GameInfo:
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
