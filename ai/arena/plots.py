"""Plots of a contest as PNG files, by matplotlib, which the extra ``plots`` installs.

Figures are drawn apart from matplotlib's windows and its global state, so plots can be made anywhere.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kingsbridge.ai.arena.figures import shortened
from kingsbridge.ai.arena.findings import Findings, SprtCourse
from kingsbridge.ai.arena.summary import Summary

DPI = 120
"""Pixels an inch; a plot is 8 inches wide."""
_WIDTH = 8.0
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class PlotsError(RuntimeError):
    """Plots cannot be drawn; the message says what to install."""


def write_plots(findings: Sequence[Findings], folder: Path) -> list[Path]:
    """Writes the plots of each contest to a folder, which is made if needed, and tells their files.

    Files are named by number and id of the contest, and by what they show.

    Raises:
        PlotsError: matplotlib is not installed.
        OSError: a file cannot be written.
    """
    canvas = _module("matplotlib.backends.backend_agg").FigureCanvasAgg
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, each in enumerate(findings, 1):
        name = _UNFIT.sub("_", each.summary.contest.id)[:60]
        for kind, figure in _plots(each):
            path = folder / f"{number:02}-{name}-{kind}.png"
            canvas(figure).print_png(path, metadata={"Software": None})
            paths.append(path)
    return paths


def ratings_figure(findings: Findings) -> Any:
    """Ratings with their intervals, best first; a matplotlib ``Figure``.

    Raises:
        ValueError: there are no ratings.
        PlotsError: as ``write_plots``.
    """
    if findings.ratings is None:
        raise ValueError(f"contest {findings.summary.contest.id} has no ratings")
    entrants, order = findings.summary.entrants, findings.order
    rows = [findings.ratings.entrants[index] for index in order]
    anchor = entrants[findings.summary.contest.anchor].name
    axes = _axes(findings, "ratings", f"Elo above {_plain(anchor)}", 1.5 + 0.35 * len(rows))
    margins = [[row.rating - row.low for row in rows], [row.high - row.rating for row in rows]]
    places = range(len(rows))
    axes.errorbar([row.rating for row in rows], places, xerr=margins, fmt="o", capsize=4)
    _name_rows(axes, [entrants[index].name for index in order])
    return axes.figure


def scores_figure(findings: Findings) -> Any:
    """How final scores are spread, a line for each bot; as ``ratings_figure`` for the rest."""
    axes = _axes(findings, "final scores of finished games", "score", 4.5)
    for index in findings.order:
        entrant = findings.summary.entrants[index]
        if entrant.scores:
            seats = sum(entrant.scores.values())
            numbers = range(min(entrant.scores) - 1, max(entrant.scores) + 2)
            parts = [entrant.scores.get(number, 0) / seats for number in numbers]
            axes.plot(numbers, parts, drawstyle="steps-mid", label=_plain(entrant.name))
    axes.set_ylabel("part of its seats")
    axes.legend()
    return axes.figure


def sprt_figure(summary: Summary, course: SprtCourse) -> Any:
    """The course of a sequential test between its bounds; as ``ratings_figure`` for the rest."""
    axes = _axes(Findings(summary), f"sequential test: {course.verdict}", "blocks", 4.5)
    axes.plot(range(len(course.path) + 1), [0.0, *course.path])
    for bound in (course.lower, course.upper):
        axes.axhline(bound, linestyle="--", color="tab:red")
    axes.set_ylabel("log-likelihood ratio")
    return axes.figure


def times_figure(findings: Findings) -> Any:
    """Mean, 99 % and longest time of a decision by bot; as ``ratings_figure`` for the rest."""
    entrants = [findings.summary.entrants[index] for index in findings.order]
    axes = _axes(findings, "time of a decision", "milliseconds", 1.5 + 0.35 * len(entrants))
    for label, mark, times in (
        ("mean", "o", [each.mean_seconds for each in entrants]),
        ("99 %", "|", [each.p99_seconds for each in entrants]),
        ("longest", "x", [each.max_seconds for each in entrants]),
    ):
        told = [(1000 * seconds, row) for row, seconds in enumerate(times) if seconds]
        if told:
            axes.plot(*zip(*told, strict=True), mark, label=label)
    axes.set_xscale("log")
    _name_rows(axes, [each.name for each in entrants])
    axes.legend()
    return axes.figure


def _plots(findings: Findings) -> Iterator[tuple[str, Any]]:
    """What can be shown of a contest, each with a name."""
    if findings.ratings is not None:
        yield "ratings", ratings_figure(findings)
    if findings.summary.finished:
        yield "scores", scores_figure(findings)
    if findings.sprt is not None:
        yield "sprt", sprt_figure(findings.summary, findings.sprt)
    if any(each.max_seconds for each in findings.summary.entrants):
        yield "times", times_figure(findings)


def _axes(findings: Findings, title: str, unit: str, height: float) -> Any:
    figure = _module("matplotlib.figure").Figure(figsize=(_WIDTH, height), dpi=DPI, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(f"{_plain(findings.summary.contest.id)}: {title}")
    axes.set_xlabel(unit)
    axes.grid(visible=True, alpha=0.3)
    return axes


def _name_rows(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [_plain(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)  # the best on top


def _plain(name: str) -> str:
    """A name from outside as text that matplotlib shows as it is: a dollar would begin a formula."""
    printable = "".join(letter if letter.isprintable() else "\ufffd" for letter in shortened(name))
    return printable.replace("$", r"\$")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise PlotsError("plots need matplotlib: pip install 'kingsbridge[plots]'") from error
