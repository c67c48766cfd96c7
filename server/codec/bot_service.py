"""Questions to bots on other machines and their answers, both ways."""

from __future__ import annotations

from dataclasses import dataclass

from kingsbridge.ai import Budget, Decision
from kingsbridge.ai.arena.outside_bot import Identity
from kingsbridge.ai.arena.question import Answer, Question
from kingsbridge.pyengine import ENGINE_VERSION, InformationSet
from kingsbridge.server.codec.answers import action_messages, duration, game_view
from kingsbridge.server.codec.requests import plain
from kingsbridge.server.refusals import FieldError
from kingsbridge.v1 import ai_pb2, bot_pb2

MOST_ITERATIONS = (1 << 32) - 1
"""The largest number of iterations there is a message for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a bot reads of a question."""

    info: InformationSet
    actions: tuple[int, ...]
    budget: Budget
    seed: int


def introduction(protocol: int) -> bot_pb2.DescribeBotRequest:
    """Asks who the bot is."""
    return bot_pb2.DescribeBotRequest(protocol=protocol, engine_version=ENGINE_VERSION)


def read_identity(response: bot_pb2.DescribeBotResponse) -> Identity:
    """Who the bot is."""
    return Identity(response.name, response.version, tuple(response.games))


def asked(question: Question) -> bot_pb2.DecideActionRequest:
    """A question as it is sent."""
    info = question.info
    return bot_pb2.DecideActionRequest(
        game_id=question.game_id,
        decision=question.decision,
        game=info.game,
        players=info.players,
        options=question.options(),
        seat=info.seat,
        view=game_view(info),
        actions=action_messages(info.game, question.actions),
        budget=_budget(question.budget),
        seed=question.seed,
    )


def read_answer(response: bot_pb2.DecideActionResponse) -> Answer | None:
    """What the bot answered; ``None``: no action."""
    match response.WhichOneof("action"):
        case "action_id":
            return Answer(response.action_id, response.iterations)
        case "action_text":
            return Answer(response.action_text, response.iterations)
        case _:
            return None


def identity(who: Identity) -> bot_pb2.DescribeBotResponse:
    """Who a bot is."""
    return bot_pb2.DescribeBotResponse(name=who.name, version=who.version, games=who.games)


def read_asked(request: bot_pb2.DecideActionRequest) -> Asked:
    """A question as it was sent.

    Raises:
        FieldError: the view is missing.
        ViewError: it breaks a rule of its game.
    """
    game = request.view.WhichOneof("view")
    if game is None:
        raise FieldError("view", "the view of a game is required")
    info = InformationSet.from_view(game, plain(getattr(request.view, game)))
    budget = request.budget
    iterations = budget.iterations if budget.HasField("iterations") else None
    seconds = budget.duration.ToMicroseconds() / 1e6 if budget.HasField("duration") else None
    actions = tuple(action.id for action in request.actions)
    return Asked(info, actions, Budget(iterations, seconds), request.seed)


def answered(decision: Decision) -> bot_pb2.DecideActionResponse:
    """A bot's answer."""
    return bot_pb2.DecideActionResponse(action_id=decision.action, iterations=decision.iterations)


def _budget(budget: Budget) -> ai_pb2.Budget:
    return ai_pb2.Budget(
        iterations=None if budget.iterations is None else min(budget.iterations, MOST_ITERATIONS),
        duration=None if budget.seconds is None else duration(budget.seconds),
    )
