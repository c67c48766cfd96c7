"""What ``kingsbridge tournament`` leaves behind: tables, reports, exports."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kingsbridge.ai.arena.analysis import verdict_of
from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.export import write_csv, write_jsonl, write_records
from kingsbridge.ai.arena.findings import Findings
from kingsbridge.ai.arena.plots import write_plots
from kingsbridge.ai.arena.report import Reproduction, html_report
from kingsbridge.ai.arena.store import Reader
from kingsbridge.ai.arena.tournament import Run
from kingsbridge.server.cli.tournament_tables import PIPE_WIDTH, plain, print_standings, share_cells


def write_exports(
    runs: Sequence[Run], reader: Reader, *, jsonl: Path | None, csv: Path | None, records: Path | None
) -> None:
    """Writes what was asked for.

    Raises:
        OSError: a file cannot be written.
    """
    if jsonl is not None:
        with jsonl.open("w", encoding="utf-8") as file:
            write_jsonl(runs, reader, file)
    if csv is not None:
        with csv.open("w", encoding="utf-8", newline="") as file:
            write_csv(runs, reader, file)
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
        write_records(runs, reader, records)


def write_reports(
    findings: Sequence[Findings], manifest: Path, *, html: Path | None, plots: Path | None
) -> None:
    """Writes what was asked for.

    Raises:
        OSError: a file cannot be written.
        PlotsError: there is no matplotlib.
    """
    if html is not None:
        command = f"kingsbridge tournament {shlex.quote(manifest.name)}"
        again = Reproduction(manifest.stem, command, manifest.read_text(encoding="utf-8"))
        html.write_text(html_report(findings, again), encoding="utf-8")
    if plots is not None:
        write_plots(findings, plots)


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
