"""A manifest: a tournament as one TOML file. Each contest has a name and perhaps a target.

    seed = 1
    clock = "cpu"

    [defaults]                      # keys of every contest that does not say otherwise
    blocks = 100

    [[match]]                       # one table of bots, as it is written
    id = "{game}-{players}-greedy"  # with lists: a contest of each game and number of players
    game = ["one game", "another"]
    players = [2, 3]
    bots = ["ismcts:seconds=0.1", "greedy"]
    field = true                    # one seat for the first bot, the others for copies of the second
    at_least = 0.5

    [[contest]]
    id = "test"
    format = "sprt"
    game = "one game"
    players = 2
    bots = { new = "ismcts:c=0.4", old = "ismcts" }
    iterations = 1000
    low = 0.5
    high = 0.55

The keys are ``MANIFEST_KEYS`` and ``CONTEST_KEYS``.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from kingsbridge.ai.arena.contest import Contest, Entrant, Hypotheses, TimeControl
from kingsbridge.ai.arena.faults import FaultPolicy
from kingsbridge.ai.arena.manifest_keys import CONTEST_KEYS, FORMAT_KEYS, MANIFEST_KEYS, NEEDED, Key
from kingsbridge.ai.arena.schedule import line_up
from kingsbridge.ai.arena.soundness import CHECKS
from kingsbridge.ai.arena.sprt import Sprt
from kingsbridge.ai.params import suggestion
from kingsbridge.pyengine import describe, load_game


class ManifestError(ValueError):
    """A manifest is refused; the message names the contest and the key."""


def read_manifest(path: Path, *, to_play: bool = True) -> tuple[Contest, ...]:
    """The contests of a manifest in their order. Where results are only read (not ``to_play``), bots may be
    programs that are not here.

    Raises:
        OSError: the file cannot be read.
        ManifestError: it is no manifest, or a contest in it cannot be played.
    """
    try:
        return parse_manifest(path.read_text(encoding="utf-8"), to_play=to_play)
    except UnicodeDecodeError as error:
        raise ManifestError(f"not UTF-8: {error}") from error


def parse_manifest(text: str, *, to_play: bool = True) -> tuple[Contest, ...]:
    """As ``read_manifest``, from the text of the file; matches come first.

    Raises:
        ManifestError: see there.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"not TOML: {error}") from error
    _check_keys("the manifest", content, MANIFEST_KEYS)
    defaults = content.get("defaults", {})
    _check_keys("the defaults", defaults, CONTEST_KEYS)
    basis = {"seed": content.get("seed", 1), "clock": content.get("clock", "cpu"), **defaults}
    contests: list[Contest] = []
    for kind in ("match", "contest"):
        for number, own in enumerate(content.get(kind, ()), 1):
            contests += _contests(kind, number, basis | own)
    for contest in contests:
        _check_contest(contest, to_play)
    if not contests:
        raise ManifestError("the manifest: there is no [[match]] and no [[contest]] in it")
    _check_ids(contests)
    return tuple(contests)


def _contests(kind: str, number: int, entry: dict[str, Any]) -> Iterator[Contest]:
    """Those that an entry stands for."""
    where = f'{kind} "{entry["id"]}"' if "id" in entry else f"{kind} {number}"
    _check_keys(where, entry, CONTEST_KEYS, NEEDED[kind])
    if kind == "match" and entry.setdefault("format", "match") != "match":
        raise ManifestError(f'{where}: key "format": a match has no other; write [[contest]]')
    format_ = entry["format"]
    for name in FORMAT_KEYS:
        if name in entry and format_ not in FORMAT_KEYS[name]:
            formats = " or ".join(FORMAT_KEYS[name])
            raise ManifestError(f'{where}: key "{name}" is for format {formats}, not {format_}')
    for name in ("low", "high") if format_ == "sprt" else ():
        if name not in entry:
            raise ManifestError(f'{where}: key "{name}" is missing: {CONTEST_KEYS[name].text}')
    if entry.get("at_least", 0) > entry.get("at_most", 1):
        raise ManifestError(f'{where}: key "at_most": it is less than "at_least"')
    yield from _expanded(kind, entry)


def _expanded(kind: str, entry: Mapping[str, Any]) -> Iterator[Contest]:
    """A contest of each game and number of players."""
    for game, players in product(_listed(entry["game"]), _listed(entry["players"])):
        name = entry["id"].replace("{game}", game).replace("{players}", str(players))
        with _refusing(f'{kind} "{name}"', "game"):
            describe(game)
        with _refusing(f'{kind} "{name}"', "players"):
            load_game(game, players)
        yield _contest(f'{kind} "{name}"', name, entry, game, players)


def _contest(where: str, name: str, entry: Mapping[str, Any], game: str, players: int) -> Contest:
    entrants = _entrants(where, entry)
    return Contest(
        id=name,
        format=entry["format"],
        game=game,
        players=players,
        entrants=entrants,
        blocks=entry["blocks"],
        seed=entry["seed"],
        options=entry.get("options", {}),
        time_control=TimeControl(**_chosen(entry, TimeControl)),
        clock=entry["clock"],
        on_fault=FaultPolicy(entry.get("on_fault", FaultPolicy.FORFEIT.value)),
        arrangements=entry.get("arrangements", "rotations"),
        line_up=_line_up(where, entry, len(entrants), players) if entry["format"] == "match" else (),
        tables=entry.get("tables"),
        rounds=entry.get("rounds", 1),
        hypotheses=_hypotheses(where, entry) if entry["format"] == "sprt" else None,
        mirror=entry.get("mirror", False),
        anchor=_anchor(where, entry, entrants),
        at_least=entry.get("at_least"),
        at_most=entry.get("at_most"),
    )


def _chosen(entry: Mapping[str, Any], of: type[TimeControl]) -> dict[str, Any]:
    return {name: entry[name] for name in of.__dataclass_fields__ if name in entry}


def _entrants(where: str, entry: Mapping[str, Any]) -> tuple[Entrant, ...]:
    """The bots with their names: a bot that is listed twice is told apart by a number."""
    bots = entry["bots"]
    if isinstance(bots, str):
        if "budgets" not in entry:
            raise ManifestError(f'{where}: key "bots": one text needs key "budgets" as well')
        bots = [bots.replace("{budget}", str(budget)) for budget in entry["budgets"]]
    if isinstance(bots, dict):
        return tuple(Entrant(name, spec) for name, spec in bots.items())
    times: Counter[str] = Counter()
    entrants = []
    for spec in bots:
        times[spec] += 1
        entrants.append(Entrant(spec if times[spec] == 1 else f"{spec} ({times[spec]})", spec))
    return tuple(entrants)


def _line_up(where: str, entry: Mapping[str, Any], bots: int, players: int) -> tuple[int, ...]:
    if entry.get("field", False):
        if bots != 2:
            raise ManifestError(f'{where}: key "field": it takes two bots, not {bots}')
        return (0, *[1] * (players - 1))
    if bots > players:
        raise ManifestError(
            f'{where}: key "bots": {bots} bots for {players} seats; write [[contest]] for more'
        )
    return line_up(bots, players, 0)


def _hypotheses(where: str, entry: Mapping[str, Any]) -> Hypotheses:
    if not entry["low"] < entry["high"]:
        raise ManifestError(f'{where}: key "high": it must be above "low"')
    hypotheses = Hypotheses(
        **{name: entry[name] for name in Hypotheses.__dataclass_fields__ if name in entry}
    )
    with _refusing(where, "alpha"):
        Sprt(hypotheses)
    return hypotheses


def _anchor(where: str, entry: Mapping[str, Any], entrants: Sequence[Entrant]) -> int:
    names = [entrant.name for entrant in entrants]
    anchor = entry.get("anchor", names[0])
    if anchor not in names:
        raise ManifestError(f'{where}: key "anchor": no bot "{anchor}"{suggestion(anchor, names)}')
    return names.index(anchor)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _check_keys(
    where: str, table: Mapping[str, Any], keys: Mapping[str, Key], needed: Sequence[str] = ()
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


def _check_contest(contest: Contest, to_play: bool) -> None:
    kind = "match" if contest.format == "match" else "contest"
    for key, check in CHECKS.items():
        with _refusing(f'{kind} "{contest.id}"', key):
            check(contest, to_play)


@contextmanager
def _refusing(where: str, key: str) -> Iterator[None]:
    """Says of which key a fault is."""
    try:
        yield
    except (LookupError, ValueError) as error:
        raise ManifestError(f'{where}: key "{key}": {error}') from error


def _check_ids(contests: Sequence[Contest]) -> None:
    for name, times in Counter(contest.id for contest in contests).items():
        if times > 1:
            raise ManifestError(
                f'contest "{name}": key "id": {times} contests have it; '
                "{game} and {players} in it tell those of one entry apart"
            )
