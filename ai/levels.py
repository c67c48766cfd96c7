"""Strength levels: how far a bot searches and what it may know, by game and number of players.

Levels are iterations, not seconds, so a level plays the same move with the same seed on every machine.
``levels.toml`` holds them, ``ladder/levels.toml`` the matches that measured them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kingsbridge.ai.params import Value

HIGHEST = 10
"""The strongest level; the weakest is 1."""


class UnknownLevelError(LookupError):
    """A game, or a number of players in it, has no levels; the message names those that have."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of all games.

    ``iterations``: by game and number of players, those of each level, from level 1 on. ``knobs``: by level,
    what else is set.
    """

    iterations: Mapping[str, Mapping[int, tuple[int, ...]]]
    knobs: Mapping[int, Mapping[str, Value]]

    def at(self, level: int, game: str, players: int) -> dict[str, Any]:
        """The knobs of a level, iterations among them.

        Raises:
            UnknownLevelError: the game has no levels, or not for so many players.
        """
        if game not in self.iterations:
            raise UnknownLevelError(
                f'level: no levels for game "{game}"; games: {", ".join(self.iterations)}'
            )
        tables = self.iterations[game]
        if players not in tables:
            known = ", ".join(map(str, tables))
            raise UnknownLevelError(
                f'level: no levels for game "{game}" with {players} players; players: {known}'
            )
        return {"iterations": tables[players][level - 1], **self.knobs.get(level, {})}

    def set_by(self, level: int) -> Collection[str]:
        """Names of the knobs that a level sets in every game."""
        return ("iterations", *self.knobs.get(level, {}))


@cache
def levels() -> Levels:
    """What ``levels.toml`` says, read once."""
    text = files(__package__).joinpath("levels.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    return Levels(
        iterations={
            game: {int(players): tuple(steps) for players, steps in tables.items()}
            for game, tables in content["iterations"].items()
        },
        knobs={int(level): dict(knobs) for level, knobs in content["knobs"].items()},
    )
