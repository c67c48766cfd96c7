"""Arguments that commands share: several values after one option, games, options of games, seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from typer.core import TyperCommand

from kingsbridge.pyengine import LANGUAGES, game_names
from kingsbridge.server.cli.errors import WrongUsageError

SEED_BITS = 128


class ManyBotsCommand(TyperCommand):
    """A command that takes ``--bots A B C`` as well as ``--bots A --bots B --bots C``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Spells out the short form, then parses as usual."""
        return super().parse_args(ctx, list(spread(args, "--bots")))


class ManyGamesCommand(TyperCommand):
    """A command that takes ``--games A B`` as well as ``--games A --games B``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Spells out the short form, then parses as usual."""
        return super().parse_args(ctx, list(spread(args, "--games")))


def spread(arguments: Sequence[str], option: str) -> Iterator[str]:
    """Repeats ``option`` before each of the values that follow it, up to the next option."""
    values: int | None = None  # read since `option`; None where no value of it can come
    for argument in arguments:
        if argument == option or argument.startswith(f"{option}="):
            values = 0 if argument == option else 1
        elif argument.startswith("-"):
            values = None
        elif values is not None:
            if values > 0:
                yield option
            values += 1
        yield argument


def game_options(pairs: Iterable[str]) -> dict[str, int]:
    """Options of a game from ``NAME=VALUE`` texts.

    Raises:
        WrongUsageError: a text is not of that form, or a name comes twice.
    """
    options: dict[str, int] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not name or not equals:
            raise WrongUsageError(f"--option takes NAME=VALUE, not '{pair}'")
        if name in options:
            raise WrongUsageError(f"--option {name} is given twice")
        try:
            options[name] = int(value)
        except ValueError:
            raise WrongUsageError(f"--option {name} takes a whole number, not '{value}'") from None
    return options


def checked_game(game: str) -> str:
    """The name of a game, if there is one of that name.

    Raises:
        WrongUsageError: there is none.
    """
    if game not in game_names():
        raise WrongUsageError(f"there is no game '{game}'; games: {', '.join(game_names())}")
    return game


def checked_language(language: str) -> str:
    """A language, if games are named in it.

    Raises:
        WrongUsageError: they are not.
    """
    if language not in LANGUAGES:
        raise WrongUsageError(f"--language takes one of {', '.join(LANGUAGES)}, not '{language}'")
    return language


def checked_seed(seed: int) -> int:
    """The seed, if it has no more than 128 bits.

    Raises:
        WrongUsageError: it has.
    """
    if not 0 <= seed < 1 << SEED_BITS:
        raise WrongUsageError(f"--seed takes 0 .. 2**{SEED_BITS} - 1, not {seed}")
    return seed
