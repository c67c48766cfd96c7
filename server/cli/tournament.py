"""``kingsbridge tournament``: all matches of a manifest, with results that are kept and gone on from."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from kingsbridge.ai import BotFaultError, DealError
from kingsbridge.ai.arena import (
    ManifestError,
    PlannedMatch,
    ResultsError,
    ResultsFile,
    Standing,
    WorkerDiedError,
    play_tournament,
    read_manifest,
    read_results,
    standings,
)
from kingsbridge.server.cli.errors import CommandError, WrongUsageError

SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
PIPE_WIDTH = 200
"""Columns of the table where no terminal sets them: a match is one line."""


def tournament(
    *,
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="A TOML file of matches.")],
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results; else beside the manifest, with .results.jsonl."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    duration: Annotated[
        str | None, typer.Option("--for", metavar="DURATION", help="Begin no block after 90s, 30m or 2h.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="GLOB", help="These matches only, such as: '*-greedy'.")
    ] = None,
    report: Annotated[bool, typer.Option("--report", help="Play nothing, only print.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Play the matches of a manifest, or go on with them, and print how they stand.

    Every finished block is kept in the results file at once, so a run can be stopped at any time, by Ctrl-C,
    too; the same command plays what is missing. A target is met, or not met, where the whole 95 % interval of
    the first bot's win share says so, else open. With clock = "cpu" seconds are processor time of the process
    that plays: a bot with several threads spends that of all of them.
    """
    seconds = None if duration is None else _seconds(duration)
    with _refusals(manifest):
        matches = _chosen(read_manifest(manifest), only)
        path = results or manifest.with_suffix(".results.jsonl")
        if not report:
            with ResultsFile(path) as file, _progress() as on_progress:
                play_tournament(matches, file, workers=workers, seconds=seconds, on_progress=on_progress)
        found = standings(matches, read_results(path))
    if as_json:
        typer.echo(json.dumps(_as_json(found)))
    else:
        _print(found)


def _seconds(text: str) -> float:
    """What a duration such as 90s, 30m or 2h stands for."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if not found:
        raise WrongUsageError(f"--for takes a duration such as 90s, 30m or 2h, not '{text}'")
    return float(found[1]) * SECONDS[found[2]]


def _chosen(matches: Sequence[PlannedMatch], only: str | None) -> list[PlannedMatch]:
    chosen = [match for match in matches if only is None or fnmatchcase(match.id, only)]
    if not chosen:
        raise WrongUsageError(f"--only {only}: no match has such a name")
    return chosen


@contextmanager
def _refusals(manifest: Path) -> Iterator[None]:
    """Says in one line why nothing can be played, or why it broke off."""
    try:
        yield
    except ManifestError as error:
        raise WrongUsageError(f"{manifest}: {error}") from error
    except (ResultsError, BotFaultError, DealError, WorkerDiedError) as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename or 'the results'}: {error.strerror or error}") from error


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, which counts in blocks; nothing where nobody watches."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("blocks,"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("tournament", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _print(found: Sequence[Standing]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("match", style="bold", overflow="fold")
    for heading in ("games", "win share", "95 %", "mean scores", "target", "verdict", "cpu s"):
        table.add_column(heading, justify="right")
    for each in found:
        table.add_row(*_row(each))
    console = Console()
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    console.print(table)
    blocks, games = (sum(each) for each in zip(*((s.blocks, s.games) for s in found), strict=True))
    total = sum(each.match.blocks for each in found)
    console.print(f"{blocks} of {total} blocks, {games} games, {_cpu_seconds(found):,.0f} processor seconds")
    for game, engines in _engines(found).items():
        if len(engines) > 1:
            console.print(
                f"{game} was played by several engines, which may not compare: {', '.join(engines)}"
            )


def _row(each: Standing) -> tuple[str, ...]:
    share, interval, scores = "-", "-", "-"
    if each.bots:
        low, high = each.bots[0].win_share_ci95
        share, interval = f"{each.bots[0].win_share:.1%}", f"{low:.1%} .. {high:.1%}"
        scores = " : ".join(f"{bot.mean_score:.1f}" for bot in each.bots)
    return (
        escape(each.match.id),
        f"{each.games} of {each.match.blocks * each.match.plan.players}",
        share,
        interval,
        scores,
        _target(each.match),
        each.verdict.value if each.verdict else "",
        f"{each.cpu_seconds:,.1f}",
    )


def _target(match: PlannedMatch) -> str:
    bounds = ((">=", match.at_least), ("<=", match.at_most))
    return " ".join(f"{sign} {bound:.1%}" for sign, bound in bounds if bound is not None)


def _cpu_seconds(found: Sequence[Standing]) -> float:
    return math.fsum(each.cpu_seconds for each in found)


def _engines(found: Sequence[Standing]) -> dict[str, list[str]]:
    """By game, the engines that played it."""
    games = {each.match.plan.game for each in found}
    return {
        game: sorted({engine for each in found if each.match.plan.game == game for engine in each.engines})
        for game in sorted(games)
    }


def _as_json(found: Sequence[Standing]) -> dict[str, object]:
    return {"matches": [each.to_json() for each in found], "cpu_seconds": _cpu_seconds(found)}
