"""A manifest: a set of matches as one TOML file, each match with a name and perhaps a target.

    seed = 1
    clock = "cpu"

    [defaults]                      # keys of every match that does not say otherwise
    blocks = 100

    [[match]]
    id = "{game}-{players}-greedy"  # with lists: a match of each game and number of players
    game = ["one game", "another"]
    players = [2, 3]
    bots = ["ismcts:seconds=0.1", "greedy"]
    field = true                    # one seat for the first bot, the others for copies of the second
    at_least = 0.5

The keys of a match are ``MATCH_KEYS``.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from kingsbridge.ai.arena.match import CLOCKS, PLAN_CHECKS, MatchPlan
from kingsbridge.ai.bot import Budget
from kingsbridge.ai.params import suggestion


class ManifestError(ValueError):
    """A manifest is refused; the message names the match and the key."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to play: ``blocks`` deals, and the win share its first bot should reach, or not exceed."""

    id: str
    plan: MatchPlan
    blocks: int
    at_least: float | None = None
    at_most: float | None = None


class _Key(NamedTuple):
    """What a key may hold, in words and as a test, and what it is for."""

    expected: str
    allows: Callable[[Any], bool]
    text: str


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_whole(value: object, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: object, most: float = float("inf")) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most


def _is_share(value: object) -> bool:
    return _is_number(value, 1)


def _are(values: object, allows: Callable[[object], bool]) -> bool:
    return isinstance(values, list) and values != [] and all(map(allows, values))


def _are_options(value: object) -> bool:
    return isinstance(value, dict) and all(_is_whole(each, least=-(2**31)) for each in value.values())


MANIFEST_KEYS = {
    "seed": _Key(
        "a whole number, not negative", _is_whole, "seed of every match that has none; not given: 1"
    ),
    "clock": _Key(
        "one of " + ", ".join(CLOCKS), lambda value: value in CLOCKS, "what seconds are measured by: cpu"
    ),
    "defaults": _Key("a table", lambda value: isinstance(value, dict), "keys of every match"),
    "match": _Key(
        "a list of tables", lambda value: _are(value, lambda each: isinstance(each, dict)), "the matches"
    ),
}
MATCH_KEYS = {
    "id": _Key("a text", _is_text, "its name; {game} and {players} are replaced"),
    "game": _Key("a text or a list of texts", lambda v: _is_text(v) or _are(v, _is_text), "the game"),
    "players": _Key(
        "a whole number or a list of them", lambda v: _is_whole(v) or _are(v, _is_whole), "number of seats"
    ),
    "bots": _Key(
        "a list of texts", lambda value: _are(value, _is_text), "the line-up, in turn over the seats"
    ),
    "field": _Key(
        "true or false", lambda value: isinstance(value, bool), "two bots: the second in all seats but one"
    ),
    "blocks": _Key("a whole number of at least 1", lambda value: _is_whole(value, 1), "number of deals"),
    "options": _Key("a table of whole numbers", _are_options, "options of the game"),
    "seed": _Key("a whole number, not negative", _is_whole, "seed of deals and bots"),
    "iterations": _Key("a whole number, not negative", _is_whole, "budget of a decision, for every bot"),
    "seconds": _Key("a number, not negative", _is_number, "budget of a decision, for every bot"),
    "at_least": _Key("a number from 0 to 1", _is_share, "the win share that the first bot should reach"),
    "at_most": _Key("a number from 0 to 1", _is_share, "the win share that it should not exceed"),
}
_NEEDED = ("id", "game", "players", "bots", "blocks")


def read_manifest(path: Path) -> tuple[PlannedMatch, ...]:
    """The matches of a manifest in their order.

    Raises:
        OSError: the file cannot be read.
        ManifestError: it is no manifest, or a match in it cannot be played.
    """
    try:
        return parse_manifest(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ManifestError(f"not UTF-8: {error}") from error


def parse_manifest(text: str) -> tuple[PlannedMatch, ...]:
    """As ``read_manifest``, from the text of the file.

    Raises:
        ManifestError: see there.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"not TOML: {error}") from error
    _check_keys("the manifest", content, MANIFEST_KEYS, ("match",))
    defaults = content.get("defaults", {})
    _check_keys("the defaults", defaults, MATCH_KEYS)
    matches: list[PlannedMatch] = []
    for number, own in enumerate(content["match"], 1):
        entry = {"seed": content.get("seed", 1), **defaults, **own}
        where = f'match "{entry["id"]}"' if "id" in entry else f"match {number}"
        _check_keys(where, entry, MATCH_KEYS, _NEEDED)
        if entry.get("at_least", 0) > entry.get("at_most", 1):
            raise ManifestError(f'{where}: key "at_most": it is less than "at_least"')
        matches += _expanded(entry, content.get("clock", "cpu"))
    _check_ids(matches)
    return tuple(matches)


def _check_keys(
    where: str, table: Mapping[str, Any], keys: Mapping[str, _Key], needed: Sequence[str] = ()
) -> None:
    for name, value in table.items():
        if name not in keys:
            known = ", ".join(keys)
            raise ManifestError(f'{where}: no key "{name}"{suggestion(name, keys)}; keys: {known}')
        if not keys[name].allows(value):
            raise ManifestError(f'{where}: key "{name}" must be {keys[name].expected}, not {value!r}')
    for name in needed:
        if name not in table:
            raise ManifestError(f'{where}: key "{name}" is missing: {keys[name].text}')


def _expanded(entry: Mapping[str, Any], clock: str) -> Iterator[PlannedMatch]:
    """A match for each game and number of players of an entry."""
    games, seats = (each if isinstance(each, list) else [each] for each in (entry["game"], entry["players"]))
    for game, players in product(games, seats):
        name = entry["id"].replace("{game}", game).replace("{players}", str(players))
        plan = MatchPlan(
            game=game,
            players=players,
            bots=_line_up(name, entry, players),
            seed=entry["seed"],
            options=entry.get("options", {}),
            budget=Budget(entry.get("iterations"), entry.get("seconds")),
            clock=clock,
        )
        _check_plan(name, plan)
        yield PlannedMatch(name, plan, entry["blocks"], entry.get("at_least"), entry.get("at_most"))


def _line_up(name: str, entry: Mapping[str, Any], players: int) -> tuple[str, ...]:
    bots = entry["bots"]
    if not entry.get("field", False):
        return tuple(bots)
    if len(bots) != 2:
        raise ManifestError(f'match "{name}": key "field": it takes two bots, not {len(bots)}')
    return (bots[0], *[bots[1]] * (players - 1))


def _check_plan(name: str, plan: MatchPlan) -> None:
    for key, check in PLAN_CHECKS.items():
        try:
            check(plan)
        except (LookupError, ValueError) as error:
            raise ManifestError(f'match "{name}": key "{key}": {error}') from error


def _check_ids(matches: Sequence[PlannedMatch]) -> None:
    for name, times in Counter(match.id for match in matches).items():
        if times > 1:
            raise ManifestError(
                f'match "{name}": key "id": {times} matches have it; '
                "{game} and {players} in it tell those of one entry apart"
            )
