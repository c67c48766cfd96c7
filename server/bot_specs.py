"""Bots that callers name: a bad spec is refused here, where it is the caller's, not in a worker."""

from __future__ import annotations

from kingsbridge.ai import (
    Bot,
    BotOptionError,
    IsmctsBot,
    MctsBot,
    UnknownBotError,
    UnknownLevelError,
    make_bot,
    tree_memory,
)
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import FieldError


def known_bot(spec: str, limits: Limits) -> Bot:
    """The bot of a spec.

    Raises:
        FieldError: there is none, or it would take too many threads or too much memory.
    """
    try:
        bot = make_bot(spec)
    except UnknownBotError as error:
        raise FieldError("bot", str(error), "UNKNOWN_BOT") from error
    except BotOptionError as error:
        raise FieldError("bot", str(error), "INVALID_BOT_OPTION") from error
    if isinstance(bot, IsmctsBot | MctsBot) and bot.params.threads > limits.threads:
        raise FieldError("bot", f"threads is {bot.params.threads} and must be at most {limits.threads}")
    asked, most = tree_memory(bot), limits.tree_mebibytes
    if asked > most:
        raise FieldError("bot", f"memory * threads is {asked} MiB and must be at most {most} MiB")
    return bot


def check_level(bot: Bot, game: str, players: int) -> None:
    """Refuses a level that the game does not have.

    Raises:
        FieldError: there is no such level.
    """
    try:
        if isinstance(bot, IsmctsBot):
            bot.params.at_level(game, players)
    except UnknownLevelError as error:
        raise FieldError("bot", str(error)) from error
