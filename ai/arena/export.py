"""Results in forms that others read: JSON lines, CSV, and records.

All are in order of contest, block and game, so equal results give equal files.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.played import Ending, GameKey, PlayedGame
from kingsbridge.ai.arena.rows import from_plain, to_plain
from kingsbridge.ai.arena.schedule import block_seed
from kingsbridge.ai.arena.store import Reader
from kingsbridge.ai.arena.tournament import Run, counted_blocks, outcome_of
from kingsbridge.pyengine import GameRecord

CSV_COLUMNS = (
    "contest",
    "game",
    "players",
    "block",
    "number",
    "ending",
    "seat",
    "bot",
    "score",
    "rank",
    "win_share",
    "decisions",
    "iterations",
    "seconds",
    "faults",
)


class ImportRefusedError(ValueError):
    """A file of results does not fit the manifest; the message names the line."""


def counted_games(runs: Iterable[Run], reader: Reader) -> Iterator[tuple[Contest, GameKey, PlayedGame]]:
    """The games of all whole blocks that count."""
    for run in runs:
        for block, games in counted_blocks(run, reader):
            for number, game in enumerate(games):
                yield run.contest, run.key(block, number), game


def write_jsonl(runs: Iterable[Run], reader: Reader, file: TextIO) -> None:
    """A line a game: see ``to_line``."""
    file.writelines(to_line(contest, key, game) for contest, key, game in counted_games(runs, reader))


def to_line(contest: Contest, key: GameKey, game: PlayedGame) -> str:
    """A game as a line of JSON. By seat: the bots' names, scores, ranks, win shares, and decisions with the
    sums of their iterations and seconds. ``digest`` stands for the events of the game.
    """
    names = [contest.entrants[entrant].name for entrant in game.seats]
    fields = {
        **key._asdict(),
        "seed": f"{game.seed:032x}",
        "bots": names,
        "ending": game.ending.value,
        "scores": game.scores,
        "ranks": game.ranks,
        "win_shares": game.win_shares,
        **_by_seat(game),
        "faults": [to_plain(fault) for fault in game.faults],
        "digest": game.digest,
        "cpu_seconds": game.cpu_seconds,
        "engine": game.engine,
        "rules": game.rules,
    }
    return json.dumps(fields) + "\n"


def _by_seat(game: PlayedGame) -> dict[str, list[Any]]:
    seats = range(len(game.seats))
    decisions, iterations, seconds = [0] * len(seats), [0] * len(seats), [0.0] * len(seats)
    for seat, count, spent in zip(game.deciders, game.iterations, game.seconds, strict=True):
        decisions[seat] += 1
        iterations[seat] += count
        seconds[seat] += spent
    return {
        "decisions": decisions,
        "iterations": iterations,
        "seconds": [round(each, 6) for each in seconds],
    }


def from_line(line: str, runs: Mapping[str, Run]) -> tuple[Run, GameKey, PlayedGame]:
    """A game from such a line, by the run of its contest, which is not told of it. Each decision gets an
    equal part of its seat's iterations and seconds, and the events are not known.

    Raises:
        ValueError, LookupError, TypeError: the line is no game that such a run plays.
    """
    fields: dict[str, Any] = json.loads(line)
    run = runs[fields["contest"]]
    names = [entrant.name for entrant in run.contest.entrants]
    key = run.key(_whole(fields["block"]), _whole(fields["game"]))
    if fields["definition"] != run.definition:
        raise ValueError(
            "its contest was defined otherwise: bots, how they play, seeds, options or budgets have changed"
        )
    counts = [_whole(each) for each in _listed(run, fields["decisions"])]
    game = PlayedGame(
        seats=tuple(names.index(name) for name in fields["bots"]),
        ending=Ending(fields["ending"]),
        scores=tuple(_whole(each, least=-(2**31)) for each in _listed(run, fields["scores"])),
        ranks=tuple(_whole(each, least=-(2**31)) for each in _listed(run, fields["ranks"])),
        win_shares=tuple(_number(each) for each in _listed(run, fields["win_shares"])),
        faults=tuple(from_plain(fault) for fault in fields["faults"]),
        deciders=tuple(seat for seat, count in enumerate(counts) for _ in range(count)),
        seconds=tuple(
            each / 1e6
            for each in _shared_out(
                [round(_number(each) * 1e6) for each in _listed(run, fields["seconds"])], counts
            )
        ),
        iterations=_shared_out([_whole(each) for each in _listed(run, fields["iterations"])], counts),
        actions=None,
        digest=str(fields["digest"]),
        cpu_seconds=_number(fields["cpu_seconds"]),
        seed=int(fields["seed"], 16),
        engine=str(fields["engine"]),
        rules=str(fields["rules"]),
    )
    _check(run, key, game)
    return run, key, game


def _check(run: Run, key: GameKey, game: PlayedGame) -> None:
    """Whether it is a game that the run plays."""
    if key.block >= run.schedule.known:
        raise ValueError(f"block {key.block} is not to be played, as far as the games before it tell")
    seatings = run.schedule.games(key.block)
    if key.game >= len(seatings) or game.seats != seatings[key.game]:
        raise ValueError(f"block {key.block} has no game {key.game} with these bots in these seats")
    if game.seed != block_seed(run.contest.seed, key.block):
        raise ValueError("its seed is not the one of its block")
    if abs(sum(game.win_shares) - 1) > 1e-9 or max(game.win_shares) > 1:
        raise ValueError("win shares lie between 0 and 1 and add up to 1")
    if any(not 0 <= fault.seat < len(game.seats) for fault in game.faults):
        raise ValueError("a fault is of a seat that the game has not")


def _listed(run: Run, values: Any) -> list[Any]:
    """An entry for each seat."""
    if not isinstance(values, list) or len(values) != run.contest.players:
        raise ValueError("a game has an entry for each of its seats")
    return values


def _whole(value: Any, least: int = 0) -> int:
    if type(value) is not int or not least <= value < 2**53:
        raise ValueError(f"{value!r} is no such whole number")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise ValueError(f"{value!r} is no such number")
    return float(value)


def _shared_out(sums: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """Each sum as so many whole parts, as equal as can be, that add up to it again."""
    return tuple(
        (part + 1) * total // count - part * total // count
        for total, count in zip(sums, counts, strict=True)
        for part in range(count)
    )


def read_jsonl(path: Path, contests: Sequence[Contest]) -> Iterator[tuple[Run, GameKey, PlayedGame]]:
    """The games of such a file, each with the run of its contest, which has been told of those before.

    Raises:
        OSError: the file cannot be read.
        ImportRefusedError: a line is no game of these contests, or is there twice.
    """
    runs = {contest.id: Run(contest) for contest in contests}
    seen: set[GameKey] = set()
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            run, key, game = from_line(line.decode(), runs)
            if key in seen:
                raise ValueError("the game is there twice")
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            why = f"no {error}" if isinstance(error, LookupError) else str(error)
            raise ImportRefusedError(f"{path}: line {number} is no game of this manifest: {why}") from error
        seen.add(key)
        run.tell(key.block, key.game, outcome_of(game))
        yield run, key, game


def write_csv(runs: Iterable[Run], reader: Reader, file: TextIO) -> None:
    """A row for each seat of each game: ``CSV_COLUMNS``."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for contest, key, game in counted_games(runs, reader):
        sums = _by_seat(game)
        for seat, entrant in enumerate(game.seats):
            row = (
                contest.id,
                contest.game,
                contest.players,
                key.block,
                key.game,
                game.ending.value,
                seat,
                contest.entrants[entrant].name,
                game.scores[seat],
                game.ranks[seat],
                game.win_shares[seat],
                *(values[seat] for values in sums.values()),
                sum(fault.seat == seat for fault in game.faults),
            )
            writer.writerow(row)


def write_records(runs: Sequence[Run], reader: Reader, folder: Path) -> None:
    """A file for each game whose events are kept.

    Raises:
        OSError: a file cannot be written.
    """
    places = {run.contest.id: place for place, run in enumerate(runs, 1)}
    for contest, key, game in counted_games(runs, reader):
        if game.actions is not None:
            record = GameRecord(contest.game, contest.players, contest.options, game.actions)
            record.save(folder / record_name(places[contest.id], key))


def record_name(place: int, key: GameKey) -> str:
    """The name of the file of a game's record; ``place`` tells contests apart that have like names."""
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in key.contest)
    return f"{place:02}-{plain[:60]}-{key.block:05}-{key.game}.record"
