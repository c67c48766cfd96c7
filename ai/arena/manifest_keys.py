"""The keys of a manifest: what each may hold, and what it is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from kingsbridge.ai.arena.contest import ARRANGEMENTS, CLOCKS, FORMATS
from kingsbridge.ai.arena.faults import FaultPolicy

MOST_TABLES = 1000
"""Of a round robin."""
MOST_SECONDS = 86400.0
"""A day: no bot may think, and nobody waits, any longer."""


class Key(NamedTuple):
    """What a key may hold, in words and as a test, and what it is for."""

    expected: str
    allows: Callable[[Any], bool]
    text: str


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_whole(value: object, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: object, most: float = MOST_SECONDS) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most


def _is_between(value: object) -> bool:
    return _is_number(value, 1) and value not in (0, 1)


def _are(values: object, allows: Callable[[object], bool]) -> bool:
    return isinstance(values, list) and values != [] and all(map(allows, values))


def _are_options(value: object) -> bool:
    return isinstance(value, dict) and all(_is_whole(each, least=-(2**31)) for each in value.values())


def _are_bots(value: object) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(map(_is_text, value.values()))
    return _is_text(value) or _are(value, _is_text)


def _whole(text: str, least: int = 0) -> Key:
    words = f"a whole number of at least {least}" if least else "a whole number, not negative"
    return Key(words, lambda value: _is_whole(value, least), text)


def _number(text: str) -> Key:
    return Key(f"a number of seconds from 0 to {MOST_SECONDS:g}", _is_number, text)


def _share(text: str) -> Key:
    return Key("a number from 0 to 1", lambda value: _is_number(value, 1), text)


def _inner(text: str) -> Key:
    return Key("a number between 0 and 1", _is_between, text)


def _switch(text: str) -> Key:
    return Key("true or false", lambda value: isinstance(value, bool), text)


def _one_of(choices: tuple[str, ...], text: str) -> Key:
    return Key("one of " + ", ".join(choices), lambda value: value in choices, text)


_CLOCK = _one_of(tuple(CLOCKS), "what seconds are measured by; not given: cpu")

MANIFEST_KEYS = {
    "seed": _whole("seed of every contest that has none; not given: 1"),
    "clock": _CLOCK,
    "defaults": Key("a table", lambda value: isinstance(value, dict), "keys of every contest"),
    "match": Key("a list of tables", lambda v: _are(v, lambda each: isinstance(each, dict)), "the matches"),
    "contest": Key(
        "a list of tables", lambda v: _are(v, lambda each: isinstance(each, dict)), "the contests"
    ),
}
CONTEST_KEYS = {
    "id": Key("a text", _is_text, "its name; {game} and {players} are replaced"),
    "format": _one_of(FORMATS, "who meets whom"),
    "game": Key("a text or a list of texts", lambda v: _is_text(v) or _are(v, _is_text), "the game"),
    "players": Key(
        "a whole number or a list of them", lambda v: _is_whole(v) or _are(v, _is_whole), "number of seats"
    ),
    "bots": Key("a list of texts, or a table of them by name", _are_bots, "the bots"),
    "budgets": Key(
        "a list of numbers",
        lambda value: _are(value, lambda each: _is_number(each, 1e9)),
        "a bot of each, where bots is one text with {budget} in it",
    ),
    "field": _switch("two bots: the second in all seats but one"),
    "blocks": _whole("number of deals: of each table; of sprt at most; of swiss in a round", 1),
    "options": Key("a table of whole numbers", _are_options, "options of the game"),
    "seed": _whole("seed of deals and bots"),
    "clock": _CLOCK,
    "iterations": _whole("budget of a decision, for every bot"),
    "seconds": _number("budget of a decision, for every bot"),
    "turn_seconds": _number("budget of all decisions of a turn together"),
    "game_seconds": _number("budget of all decisions of a seat in a game together"),
    "grace": _number("seconds beyond a budget that are not yet a fault; not given: 0.25"),
    "timeout": _number("wall seconds after which an answer counts as none; not given: 60"),
    "on_fault": _one_of(
        tuple(policy.value for policy in FaultPolicy), "what a bot's fault leads to; not given: forfeit"
    ),
    "arrangements": _one_of(ARRANGEMENTS, "which seatings of a table are played; not given: rotations"),
    "tables": Key(
        f"a whole number from 1 to {MOST_TABLES}",
        lambda value: _is_whole(value, 1) and value <= MOST_TABLES,
        "how many different tables, with balanced meetings; not given: all there are",
    ),
    "rounds": _whole("number of rounds", 1),
    "low": _inner("mean block score of the first bot under the hypothesis that it is no better"),
    "high": _inner("mean block score of the first bot under the hypothesis that it is better"),
    "alpha": _inner("chance to accept the high hypothesis where the low one is true; not given: 0.05"),
    "beta": _inner("chance to accept the low hypothesis where the high one is true; not given: 0.05"),
    "mirror": _switch("whether each bot is also the one among copies of the other"),
    "anchor": Key("a text", _is_text, "the bot whose rating is 0; not given: the first"),
    "at_least": _share("the win share that the first bot should reach"),
    "at_most": _share("the win share that it should not exceed"),
}
NEEDED = {
    "match": ("id", "game", "players", "bots", "blocks"),
    "contest": ("id", "format", "game", "players", "bots", "blocks"),
}
"""What an entry must have, with the defaults."""

FORMAT_KEYS = {
    "field": ("match",),
    "tables": ("round_robin",),
    "rounds": ("swiss",),
    "mirror": ("sprt",),
    "low": ("sprt",),
    "high": ("sprt",),
    "arrangements": ("match", "round_robin", "gauntlet", "swiss", "ladder"),
    "at_least": ("match",),
    "at_most": ("match",),
    "alpha": ("sprt",),
    "beta": ("sprt",),
}
"""Keys that some formats have no use for, with those that do."""
