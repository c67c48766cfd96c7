"""What a bot outside this process is asked, and which action it means by its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from kingsbridge.ai.arena.faults import BotFaultError, FaultKind
from kingsbridge.ai.bot import Budget
from kingsbridge.pyengine import (
    InformationSet,
    ParseError,
    action_text,
    arguments,
    describe,
    kind_of,
    parse_action,
)

PROTOCOL = 1
"""Version of the messages, in JSON lines and over gRPC."""


class Answer(NamedTuple):
    """What a bot answered, not checked yet: an action by number or notation, and iterations it tells of."""

    action: int | str
    iterations: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a bot is asked for: complete by itself, and nothing its seat does not know.

    ``actions`` are those that come into question. ``budget`` has no deadline, since clocks differ. ``seed``
    has 64 bits. ``game_id`` names a seat of a game, ``decision`` counts its questions from 0. ``number`` is
    that of the question among all that the bot is asked.
    """

    info: InformationSet
    actions: tuple[int, ...]
    budget: Budget
    seed: int
    game_id: str = ""
    decision: int = 0
    number: int = 0

    def options(self) -> dict[str, int]:
        """The options of the game, which are part of every view."""
        view = self.info.view()
        return {each.name: int(view[each.name]) for each in describe(self.info.game).options}

    def to_json(self) -> dict[str, Any]:
        """The question as plain data, ready for ``json.dumps``: the message ``choose``."""
        return {
            "type": "choose",
            "question": self.number,
            "game_id": self.game_id,
            "decision": self.decision,
            "game": self.info.game,
            "players": self.info.players,
            "options": self.options(),
            "seat": self.info.seat,
            "view": self.info.view(),
            "actions": [_action(self.info.game, action) for action in self.actions],
            "budget": {"iterations": self.budget.iterations, "seconds": self.budget.seconds},
            "seed": str(self.seed),
        }

    def meant(self, action: int | str, bot: str) -> int:
        """The action that the bot means by a number or a notation.

        Raises:
            BotFaultError: it is no action that comes into question; the message names the bot.
        """
        try:
            number = parse_action(self.info.game, action) if isinstance(action, str) else action
        except ParseError as error:
            raise BotFaultError(FaultKind.ILLEGAL, f'bot "{bot}" answered "{action:.80}": {error}') from error
        if number not in self.actions:
            shown = named(self.info.game, number)
            raise BotFaultError(FaultKind.ILLEGAL, f'bot "{bot}" answered {shown}, which is illegal')
        return number


def _action(game: str, action: int) -> dict[str, Any]:
    info = describe(game)
    return {
        "id": action,
        "text": action_text(game, action),
        "kind": info.kinds[kind_of(action)].name,
        "arguments": arguments(info, action),
    }


def named(game: str, action: int) -> str:
    """An action in notation, or its number where it has none."""
    try:
        return action_text(game, action)
    except (ValueError, TypeError, OverflowError):
        return f"{action}"
