"""Ladders that others can check: a manifest with a lock, its results as text, and the table they give.

Beside ``NAME.toml`` lie ``NAME.lock.json`` (versions, seeds, every bot in full), ``NAME.results.jsonl``
(a line a game, with a digest of all its events) and ``NAME.md`` (the table). Whoever has the same rules and
bots plays the same games; ``verify`` plays some of them again, move for move, and counts the table anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from kingsbridge.ai.arena.bots import is_built_in
from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.export import ImportRefusedError, read_jsonl, write_jsonl
from kingsbridge.ai.arena.identity import definition_of, identity
from kingsbridge.ai.arena.manifest import read_manifest
from kingsbridge.ai.arena.played import GameKey, PlayedGame
from kingsbridge.ai.arena.soundness import is_timed
from kingsbridge.ai.arena.store import Reader
from kingsbridge.ai.arena.tournament import Player, Run, Task
from kingsbridge.pyengine import ENGINE_VERSION, Rng, describe

Table = Callable[[Sequence[Contest], Sequence[tuple[GameKey, PlayedGame]]], str]
"""The text of a ladder's table, from its games."""


class LadderError(RuntimeError):
    """A ladder is not what its files say; the message says in what."""


@dataclass(frozen=True, slots=True)
class Files:
    """Where the parts of a ladder lie."""

    manifest: Path

    @property
    def lock(self) -> Path:
        """Versions, seeds, bots."""
        return self.manifest.with_suffix(".lock.json")

    @property
    def results(self) -> Path:
        """A line a game."""
        return self.manifest.with_suffix(".results.jsonl")

    @property
    def table(self) -> Path:
        """The table in Markdown."""
        return self.manifest.with_suffix(".md")


def lock_of(contests: Sequence[Contest], results: bytes) -> dict[str, Any]:
    """What decides the results of these contests, and a digest of the results themselves."""
    games = sorted({contest.game for contest in contests})
    return {
        "engine": ENGINE_VERSION,
        "rules": {game: describe(game).rules_hash for game in games},
        "results": sha256(results).hexdigest(),
        "contests": {contest.id: _locked(contest) for contest in contests},
    }


def _locked(contest: Contest) -> dict[str, Any]:
    return {
        "definition": definition_of(contest),
        "seed": contest.seed,
        "blocks": contest.blocks,
        "bots": {name: identity(spec, contest.game, contest.players) for name, spec in contest.entrants},
    }


def publish(
    manifest: Path, runs: Sequence[Run], reader: Reader, table: Table, *, partly: bool = False
) -> Files:
    """Writes lock, results and table beside the manifest, from the games that count: all three or none.

    Raises:
        LadderError: no game was played, or not all and not ``partly``.
        OSError: a file cannot be written.
    """
    files = Files(manifest)
    contests = [run.contest for run in runs]
    missing = sum(run.games_left for run in runs)
    if missing and not partly:
        raise LadderError(f"{missing} games are not played yet: play them first, or publish --partly")
    with _drafts(files) as drafts:
        with drafts.results.open("w", encoding="utf-8") as file:
            write_jsonl(runs, reader, file)
        games = [(key, game) for _, key, game in read_jsonl(drafts.results, contests)]
        if not games:
            raise LadderError("no game was played")
        drafts.lock.write_text(json.dumps(lock_of(contests, drafts.results.read_bytes()), indent=2) + "\n")
        drafts.table.write_text(table(contests, games), encoding="utf-8")
    return files


@contextmanager
def _drafts(files: Files) -> Iterator[Files]:
    """Files beside these, which take their places at the end, or are gone if it fails."""
    drafts = Files(files.manifest.with_name(f"draft-of-{files.manifest.name}"))
    pairs = [(getattr(drafts, part), getattr(files, part)) for part in ("lock", "results", "table")]
    try:
        yield drafts
        for draft, file in pairs:
            draft.replace(file)
    finally:
        for draft, _ in pairs:
            draft.unlink(missing_ok=True)


def verify(manifest: Path, table: Table, sample: int, seed: int) -> Iterator[str]:
    """Checks a ladder and tells each thing that is well, in words: its lock; that its results are whole
    blocks of its contests, each game once, with its seats and its seed; its table; and ``sample`` games that
    ``seed`` chooses, played again. Games of bots outside, or with budgets in seconds, cannot be.

    Raises:
        LadderError: something is not well.
        OSError: a file cannot be read.
        ManifestError: the manifest is wrong.
    """
    files = Files(manifest)
    contests = read_manifest(manifest, to_play=False)
    _check_lock(files, contests)
    yield f"the lock fits: engine {ENGINE_VERSION}, {len(contests)} contests, all bots as they were"
    played = _played(files, contests)
    total = sum(run.games_total for run in {id(run): run for run, _, _ in played}.values())
    yield f"its {len(played)} games are those of its contests, in whole blocks (of {total} that are planned)"
    if table(contests, [(key, game) for _, key, game in played]) != files.table.read_text(encoding="utf-8"):
        raise LadderError(f"{files.table}: the results give another table")
    yield "its table follows from them"
    playable = [each for each in played if _can_be_replayed(each[0].contest, each[2])]
    chosen = _sample(playable, sample, Rng(seed))
    player = Player(contests)
    for run, key, game in chosen:
        _check_game(player, contests.index(run.contest), key, game)
    yield f"{len(chosen)} games, of {len(playable)} that can be, were played again, move for move"


def _check_lock(files: Files, contests: Sequence[Contest]) -> None:
    try:
        locked = json.loads(files.lock.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LadderError(f"{files.lock}: {error}") from error
    if not isinstance(locked, dict):
        raise LadderError(f"{files.lock} holds no lock")
    found = lock_of(contests, files.results.read_bytes())
    for name in ("rules", "results", "contests"):  # another engine may well play the same
        if locked.get(name) != found[name]:
            raise LadderError(f"{files.lock}: {name}: {_difference(locked.get(name), found[name])}")


def _difference(locked: Any, found: Any) -> str:
    """Where two values differ first, in words."""
    if isinstance(locked, dict) and isinstance(found, dict):
        for name in sorted({*locked, *found}):
            if locked.get(name) != found.get(name):
                return f"{name}: {_difference(locked.get(name), found.get(name))}"
    return f"locked as {locked!r}, now {found!r}"


def _played(files: Files, contests: Sequence[Contest]) -> list[tuple[Run, GameKey, PlayedGame]]:
    """The games of the results, all of whole blocks, by the rules of this engine."""
    try:
        games = list(read_jsonl(files.results, contests))
    except ImportRefusedError as error:
        raise LadderError(str(error)) from error
    if not games:
        raise LadderError(f"{files.results}: there is no game")
    for run, key, game in games:
        where = f"{files.results}: {_place(key)}"
        if not run.is_whole(key.block):
            raise LadderError(f"{where}: other games of its block are missing")
        if key.block >= run.schedule.known:
            raise LadderError(f"{where}: the test was decided before")
        if game.rules != describe(run.contest.game).rules_hash:
            raise LadderError(f"{where}: it was played by other rules")
    return games


def _place(key: GameKey) -> str:
    return f'contest "{key.contest}", block {key.block}, game {key.game}'


def _can_be_replayed(contest: Contest, game: PlayedGame) -> bool:
    return bool(game.digest) and not is_timed(contest) and all(map(is_built_in, contest.specs))


def _sample(games: Sequence[Any], size: int, rng: Rng) -> list[Any]:
    """So many of them, each as likely as any other."""
    left = list(games)
    return [left.pop(rng.below(len(left))) for _ in range(min(size, len(left)))]


def _check_game(player: Player, contest: int, key: GameKey, game: PlayedGame) -> None:
    again = player(Task(contest, key.block, key.game, game.seats)).game
    for name in ("digest", "ending", "scores", "ranks", "win_shares", "faults"):
        locked, found = getattr(game, name), getattr(again, name)
        if locked != found:
            raise LadderError(f"{_place(key)}: {name} is {locked}, played again {found}")
