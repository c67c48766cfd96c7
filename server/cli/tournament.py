"""``kingsbridge tournament``: all contests of a manifest, with results that are kept and gone on from."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import typer

from kingsbridge.ai import BotFaultError, DealError
from kingsbridge.ai.arena import (
    Contest,
    ManifestError,
    Store,
    StoreError,
    WorkerDiedError,
    read_manifest,
)
from kingsbridge.ai.arena.export import ImportRefusedError
from kingsbridge.ai.arena.ladder import LadderError
from kingsbridge.ai.arena.plots import PlotsError
from kingsbridge.ai.arena.ray_crew import RayMissingError
from kingsbridge.server.cli.errors import CommandError, WrongUsageError
from kingsbridge.server.cli.leaving import ending_on_signals
from kingsbridge.server.cli.tournament_output import Outputs
from kingsbridge.server.cli.tournament_run import Plan, play, take_in

SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def tournament(
    *,
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="A TOML file of contests.")],
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results; else beside the manifest, with .results.sqlite."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Games at a time, each in a process.")] = 1,
    duration: Annotated[
        str | None, typer.Option("--for", metavar="DURATION", help="Begin no game after 90s, 30m or 2h.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="GLOB", help="These contests only, such as: '*-greedy'.")
    ] = None,
    report: Annotated[bool, typer.Option("--report", help="Play nothing, only tell.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Tell events as lines of JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report as one HTML page.")
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write plots as PNG files (extra: plots).")
    ] = None,
    jsonl: Annotated[Path | None, typer.Option(metavar="FILE", help="Export a line of JSON a game.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Export a row a seat of a game.")] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Export the record of each game.")
    ] = None,
    import_from: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="First take in games that --jsonl wrote.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: ray://HOST:PORT, auto or local."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Let bots that think by the clock share cores.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail if any bot did.")] = False,
) -> None:
    """Play the contests of a manifest, or go on with them, and tell how they stand.

    Every finished game is kept, so a run can be stopped at any time, by Ctrl-C, kill or a crash; the same
    command plays what is missing. A target is met, or not met, where the whole 95 % interval of the first
    bot's win share says so, else open. With clock = "cpu" seconds are processor time of the process that
    plays: a bot with several threads spends that of all of them.
    """
    plan = Plan(workers, _seconds(duration), ray, force=force, as_json=as_json)
    outputs = Outputs(manifest, html=html, plots=plots, jsonl=jsonl, csv=csv, records=records)
    path = results or manifest.with_suffix(".results.sqlite")
    with ending_on_signals(), refusals(manifest):
        outputs.check()
        all_contests = read_manifest(manifest, to_play=not report)
        contests = _chosen(all_contests, only)
        _write(path, None if report else plan, contests, import_from, all_contests)
        findings = outputs.write(contests, path, as_json=as_json)
    if strict and any(each.summary.fault_count for each in findings):
        raise CommandError("bots have failed: see the column of faults")


def _write(
    path: Path,
    plan: Plan | None,
    contests: Sequence[Contest],
    import_from: Path | None,
    all_contests: Sequence[Contest],
) -> None:
    """Takes in what is asked for, of any contest of the manifest, and plays the contests by the plan; without
    either the results are left alone.
    """
    cores = len(os.sched_getaffinity(0))
    if plan is not None:
        plan.check(contests, cores)
    elif import_from is None:
        return
    with Store(path) as store:
        if import_from is not None:
            take_in(import_from, all_contests, store)
        if plan is not None:
            play(contests, store, plan, cores)


def _seconds(text: str | None) -> float | None:
    """What a duration such as 90s, 30m or 2h stands for."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if not found:
        raise WrongUsageError(f"--for takes a duration such as 90s, 30m or 2h, not '{text}'")
    return float(found[1]) * SECONDS[found[2]]


def _chosen(contests: Sequence[Contest], only: str | None) -> list[Contest]:
    chosen = [contest for contest in contests if only is None or fnmatchcase(contest.id, only)]
    if not chosen:
        raise WrongUsageError(f"--only {only}: no contest has such a name")
    return chosen


_BROKEN_OFF = (
    StoreError,
    LadderError,
    BotFaultError,
    DealError,
    WorkerDiedError,
    ImportRefusedError,
    PlotsError,
    RayMissingError,
)


@contextmanager
def refusals(manifest: Path) -> Iterator[None]:
    """Says in one line why nothing can be played, or why it broke off."""
    try:
        yield
    except ManifestError as error:
        raise WrongUsageError(f"{manifest}: {error}") from error
    except _BROKEN_OFF as error:
        raise CommandError(str(error)) from error
    except sqlite3.Error as error:
        raise CommandError(f"the results: {error}") from error
    except BrokenPipeError:  # nobody reads on: say nothing more, and let nothing be flushed at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except OSError as error:
        raise CommandError(f"{error.filename or 'the results'}: {error.strerror or error}") from error
