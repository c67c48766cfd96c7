"""How a tournament ended, as tables for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kingsbridge.ai.arena.findings import Findings
from kingsbridge.ai.arena.statistics import Interval
from kingsbridge.ai.arena.summary import EntrantSummary

NOTHING = "-"
"""Stands where there is nothing to tell."""
PIPE_WIDTH = 200
"""Columns where no terminal sets them: a bot is one line."""


def print_standings(console: Console, findings: Sequence[Findings]) -> None:
    """Each contest: a line of what was played, its table, the verdict of a test, and what to mind."""
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    for number, each in enumerate(findings):
        if number:
            console.print()
        summary = each.summary
        played = f"{summary.games:,} games in {summary.blocks:,} blocks, {summary.cpu_seconds:,.0f} cpu s"
        console.print(plain(f"{summary.contest.id}: {played}"), style="bold")
        console.print(standings_table(each))
        if each.sprt is not None:
            llr = each.sprt.path[-1] if each.sprt.path else 0.0
            console.print(plain(f"{each.sprt.verdict}: {llr_bar(llr, each.sprt.lower, each.sprt.upper)}"))
        for warning in each.all_warnings():
            console.print(plain(warning), style="yellow")


def standings_table(findings: Findings) -> Table:
    """The entrants, best first; ratings where there are some; times are milliseconds a decision."""
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", style="bold", overflow="fold")
    rated = findings.ratings is not None
    headings = ("win share", "95 %", "games", "mean score", "mean ms", "99 % ms", "faults")
    for heading in (*(("rating", "95 %") if rated else ()), *headings):
        table.add_column(heading, justify="right")
    for index in findings.order:
        entrant = findings.summary.entrants[index]
        cells = []
        if findings.ratings is not None:
            row = findings.ratings.entrants[index]
            cells = [f"{row.rating:+.0f}", f"{row.low:+.0f} .. {row.high:+.0f}"]
        table.add_row(plain(entrant.name), *cells, *_cells(entrant))
    return table


def share_cells(share: Interval | None) -> tuple[str, str]:
    """A win share and its interval."""
    if share is None:
        return NOTHING, NOTHING
    return f"{share.mean:.1%}", f"{share.low:.1%} .. {share.high:.1%}"


def llr_bar(llr: float, lower: float, upper: float, width: int = 24) -> str:
    """Where a log-likelihood ratio stands between its bounds, as ``[----|-----] -0.10 (-2.94 .. 2.94)``."""
    part = (min(max(llr, lower), upper) - lower) / (upper - lower)
    place = round(part * (width - 1))
    return f"[{'-' * place}|{'-' * (width - 1 - place)}] {llr:.2f} ({lower:.2f} .. {upper:.2f})"


def plain(content: str) -> Text:
    """A text from outside as it is: no markup, and no character that steers a terminal."""
    return Text("".join(letter if letter.isprintable() else "\ufffd" for letter in content))


def _cells(entrant: EntrantSummary) -> tuple[str, ...]:
    return (
        *share_cells(entrant.win_share),
        f"{entrant.games:,}",
        NOTHING if entrant.mean_score is None else f"{entrant.mean_score:.1f}",
        _milliseconds(entrant.mean_seconds),
        _milliseconds(entrant.p99_seconds),
        ", ".join(f"{count} {kind}" for kind, count in entrant.faults.items()),
    )


def _milliseconds(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{seconds * 1000:,.2f}"
