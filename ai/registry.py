"""The bots by name, and bots from text such as ``"ismcts:iterations=2000,c=0.7"``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from kingsbridge.ai.bot import Bot
from kingsbridge.ai.flat_mc import FlatMcBot, FlatMcParams
from kingsbridge.ai.greedy_bot import GreedyBot, GreedyParams
from kingsbridge.ai.ismcts import IsmctsBot, IsmctsParams
from kingsbridge.ai.mcts import MctsBot, MctsParams
from kingsbridge.ai.params import Params, Value, suggestion
from kingsbridge.ai.random_bot import RandomBot, RandomParams
from kingsbridge.ai.search import SearchParams


class UnknownBotError(LookupError):
    """There is no bot of that name; the message says which there are."""


class BotOption(NamedTuple):
    """An option: the name of its type, its default (``None``: not set) and what it does, in which unit."""

    type: str
    default: Value | None
    text: str


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A bot that can be made, with its options in the order they are listed."""

    name: str
    summary: str
    options: dict[str, BotOption]


class _Entry(NamedTuple):
    summary: str
    params: type[Params]
    make: Callable[[Any], Bot]


_BOTS = {
    "random": _Entry("plays any legal action", RandomParams, RandomBot),
    "greedy": _Entry("plays what the game's heuristic likes best", GreedyParams, GreedyBot),
    "flat_mc": _Entry("tries every action equally often in the same worlds", FlatMcParams, FlatMcBot),
    "mcts": _Entry("tree search in one imagined world", MctsParams, MctsBot),
    "ismcts": _Entry("tree search with a new imagined world in each iteration", IsmctsParams, IsmctsBot),
}


def bot_infos() -> list[BotInfo]:
    """Every bot with its options, weakest idea first."""
    return [BotInfo(name, entry.summary, _options(entry.params)) for name, entry in _BOTS.items()]


def make_bot(spec: str) -> Bot:
    """The bot a text describes: a name, and perhaps a colon and ``option=value`` pairs with commas between.

    Raises:
        UnknownBotError: there is no bot of that name.
        BotOptionError: an option is unknown, given twice, or has a bad value.
    """
    name, _, options = (part.strip() for part in spec.partition(":"))
    entry = _BOTS.get(name)
    if entry is None:
        raise UnknownBotError(f'no bot "{name}"{suggestion(name, _BOTS)}; bots: {", ".join(_BOTS)}')
    return entry.make(entry.params(**entry.params.read(options)))


def tree_memory(bot: Bot) -> int:
    """The most memory that the trees of one decision may take (MiB); 0 for a bot without."""
    params = getattr(bot, "params", None)
    return params.memory * params.threads if isinstance(params, SearchParams) else 0


def _options(params: type[Params]) -> dict[str, BotOption]:
    defaults = params.defaults()
    return {
        name: BotOption(each.kind.__name__, defaults[name], each.described)
        for name, each in params.knobs().items()
    }
