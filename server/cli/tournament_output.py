"""What ``kingsbridge tournament`` leaves behind: tables, reports, exports."""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kingsbridge.ai.arena import open_reader, resumed
from kingsbridge.ai.arena.analysis import findings_of, verdict_of
from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.export import write_csv, write_jsonl, write_records
from kingsbridge.ai.arena.findings import Findings
from kingsbridge.ai.arena.plots import write_plots
from kingsbridge.ai.arena.report import Reproduction, html_report
from kingsbridge.ai.arena.store import Reader
from kingsbridge.ai.arena.tournament import Run
from kingsbridge.server.cli.errors import CommandError, WrongUsageError
from kingsbridge.server.cli.tournament_tables import PIPE_WIDTH, plain, print_standings, share_cells

REPLAYS = 6
"""Games of each contest that a report tells in words."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is to be written, and where; ``None``: it is not."""

    manifest: Path
    html: Path | None
    plots: Path | None
    jsonl: Path | None
    csv: Path | None
    records: Path | None

    def check(self) -> None:
        """Refuses before anything is played what could not be written after it.

        Raises:
            WrongUsageError: the manifest itself would be written over.
            CommandError: a file or folder cannot be written.
        """
        for path in (each for each in (self.html, self.jsonl, self.csv) if each is not None):
            if path.exists() and path.samefile(self.manifest):
                raise WrongUsageError(f"{path} is the manifest itself")
            if path.is_dir() or not _is_open(path.absolute().parent):
                raise CommandError(f"{path}: no file can be written there")
        for path in (each for each in (self.plots, self.records) if each is not None):
            there = next(each for each in (path.absolute(), *path.absolute().parents) if each.exists())
            if not _is_open(there):
                raise CommandError(f"{path}: no folder can be made there, or written to")

    def write(self, contests: Sequence[Contest], results: Path, *, as_json: bool) -> list[Findings]:
        """Tells how the contests stand, writes all that was asked for, and returns what was found.

        Raises:
            OSError: a file cannot be read or written.
            StoreError: the results are none.
            PlotsError: there is no matplotlib.
        """
        with open_reader(results) as reader:
            runs = resumed(contests, reader)
            self._export(runs, reader)
            findings = [findings_of(run, reader, replays=REPLAYS if self.html else 0) for run in runs]
        tell(findings, runs, as_json=as_json)
        self._report(findings)
        return findings

    def _export(self, runs: Sequence[Run], reader: Reader) -> None:
        if self.jsonl is not None:
            with self.jsonl.open("w", encoding="utf-8") as file:
                write_jsonl(runs, reader, file)
        if self.csv is not None:
            with self.csv.open("w", encoding="utf-8", newline="") as file:
                write_csv(runs, reader, file)
        if self.records is not None:
            self.records.mkdir(parents=True, exist_ok=True)
            write_records(runs, reader, self.records)

    def _report(self, findings: Sequence[Findings]) -> None:
        if self.html is not None:
            command = f"kingsbridge tournament {shlex.quote(self.manifest.name)}"
            again = Reproduction(self.manifest.stem, command, self.manifest.read_text(encoding="utf-8"))
            self.html.write_text(html_report(findings, again), encoding="utf-8")
        if self.plots is not None:
            write_plots(findings, self.plots)


def _is_open(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK)


def tell(findings: Sequence[Findings], runs: Sequence[Run], *, as_json: bool) -> None:
    """How the contests stand: matches as one table, every other with its own; or a line of JSON for each."""
    if as_json:
        for each in findings:
            typer.echo(json.dumps({"event": "result", **_as_json(each)}))
        return
    console = Console()
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    matches = [each for each in findings if each.summary.contest.format == "match"]
    others = [each for each in findings if each.summary.contest.format != "match"]
    if matches:
        console.print(_matches(matches))
        for warning in dict.fromkeys(text for each in matches for text in each.all_warnings()):
            console.print(plain(warning), style="yellow")
    if matches and others:
        console.print()
    print_standings(console, others)
    played, total = (
        sum(counts) for counts in zip(*((run.games_done, run.games_total) for run in runs), strict=True)
    )
    spent = math.fsum(each.summary.cpu_seconds for each in findings)
    console.print(f"{played:,} of {total:,} games, {spent:,.0f} processor seconds", highlight=False)


def _matches(findings: Sequence[Findings]) -> Table:
    """A line a match: the share of its first bot, and the scores of its bots in the order of the line-up."""
    table = Table(box=None, pad_edge=False)
    table.add_column("match", style="bold", overflow="fold")
    for heading in ("games", "win share", "95 %", "mean scores", "target", "verdict", "faults", "cpu s"):
        table.add_column(heading, justify="right")
    for each in findings:
        table.add_row(*_row(each))
    return table


def _row(findings: Findings) -> tuple[Text | str, ...]:
    summary = findings.summary
    contest = summary.contest
    verdict = verdict_of(summary)
    scores = ("-" if each.mean_score is None else f"{each.mean_score:.1f}" for each in summary.entrants)
    return (
        plain(contest.id),
        f"{summary.games} of {contest.blocks * contest.players}",
        *share_cells(summary.entrants[0].win_share),
        " : ".join(scores),
        _target(contest),
        verdict.value if verdict else "",
        str(summary.fault_count or ""),
        f"{summary.cpu_seconds:,.1f}",
    )


def _target(contest: Contest) -> str:
    bounds = ((">=", contest.at_least), ("<=", contest.at_most))
    return " ".join(f"{sign} {bound:.1%}" for sign, bound in bounds if bound is not None)


def _as_json(findings: Findings) -> dict[str, object]:
    contest, verdict = findings.summary.contest, verdict_of(findings.summary)
    more = {
        "at_least": contest.at_least,
        "at_most": contest.at_most,
        "verdict": verdict.value if verdict else None,
        "warnings": findings.all_warnings(),
    }
    return {**findings.summary.to_json(), **more}
