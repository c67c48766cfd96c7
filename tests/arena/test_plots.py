"""Plots hold the figures they are of, and say what is missing where they cannot be drawn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kingsbridge.ai.arena.contest import Hypotheses
from kingsbridge.ai.arena.findings import Findings, RatingRow, RatingTable, SprtCourse
from kingsbridge.ai.arena.plots import (
    PlotsError,
    ratings_figure,
    scores_figure,
    sprt_figure,
    times_figure,
    write_plots,
)
from kingsbridge.ai.arena.summary import summarize_contest
from tests.arena.played_games import contest, played

HOSTILE = r"$\frac{1}$ \$ ../../x" + "\n\x07"


def findings(name: str = "a", identity: str = "cup") -> Findings:
    event = contest(name, "b", id=identity, hypotheses=Hypotheses(0.5, 0.6))
    games = [
        played((0, 1), (9, 5), deciders=(0, 1), seconds=(0.002, 0.5), iterations=(1, 1)),
        played((1, 0), (5, 7), deciders=(1,), seconds=(1.5,), iterations=(1,)),
    ]
    ratings = RatingTable((RatingRow(0, 0, 0), RatingRow(-40, -90, 30)))
    return Findings(
        summarize_contest(event, [(0, games)]), ratings, SprtCourse((0.5, -0.25), -2.9, 2.8, "open")
    )


def test_every_plot_is_a_png_of_its_own_and_the_same_every_time(tmp_path: Path) -> None:
    first = write_plots([findings(), findings(HOSTILE, "../a b")], tmp_path / "new" / "folder")
    again = write_plots([findings(), findings(HOSTILE, "../a b")], tmp_path / "again")
    kinds = ("ratings", "scores", "sprt", "times")
    assert [path.name for path in first] == [
        *(f"01-cup-{kind}.png" for kind in kinds),
        *(f"02-.._a_b-{kind}.png" for kind in kinds),
    ]
    assert {path.parent for path in first} == {tmp_path / "new" / "folder"}
    for path, other in zip(first, again, strict=True):
        content = path.read_bytes()
        assert content.startswith(b"\x89PNG\r\n")
        assert content == other.read_bytes()


def test_what_was_not_measured_is_not_plotted(tmp_path: Path) -> None:
    assert write_plots([Findings(summarize_contest(contest("a", "b"), []))], tmp_path) == []
    with pytest.raises(ValueError, match="contest cup has no ratings"):
        ratings_figure(Findings(findings().summary))


def test_the_ratings_lie_with_the_best_on_top_between_their_bounds() -> None:
    (axes,) = ratings_figure(findings()).axes
    points, _, (bars,) = axes.containers[0]
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([0, -40], [0, 1])
    assert [sorted(segment[:, 0]) for segment in bars.get_segments()] == [[0, 0], [-90, 30]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert axes.get_ylim() == (1.5, -0.5)


def test_the_scores_are_parts_of_a_bots_seats() -> None:
    (axes,) = scores_figure(findings()).axes
    first, second = axes.get_lines()
    assert list(zip(first.get_xdata(), first.get_ydata(), strict=True)) == [
        (6, 0),
        (7, 0.5),
        (8, 0),
        (9, 0.5),
        (10, 0),
    ]
    assert list(second.get_ydata()) == [0, 1, 0]


def test_the_test_runs_from_nothing_between_its_bounds() -> None:
    found = findings()
    assert found.sprt is not None
    (axes,) = sprt_figure(found.summary, found.sprt).axes
    course, lower, upper = axes.get_lines()
    assert (list(course.get_xdata()), list(course.get_ydata())) == ([0, 1, 2], [0, 0.5, -0.25])
    assert (lower.get_ydata()[0], upper.get_ydata()[0]) == (-2.9, 2.8)


def test_times_are_shown_in_milliseconds_by_bot() -> None:
    (axes,) = times_figure(findings()).axes
    mean, _, longest = axes.get_lines()
    assert list(mean.get_xdata()) == pytest.approx([751, 500])  # of a: 2 and 1500
    assert list(longest.get_xdata()) == pytest.approx([1500, 500])
    assert list(mean.get_ydata()) == [0, 1]


def test_names_are_shown_as_they_are_written() -> None:
    figure = ratings_figure(findings(r"$x^2$"))
    (axes,) = figure.axes
    label = axes.get_yticklabels()[0]
    assert label.get_text() == r"\$x^2\$"  # which is drawn as $x^2$, not as a formula


def test_no_figure_is_left_in_the_global_state() -> None:
    ratings_figure(findings())
    assert "matplotlib.pyplot" not in sys.modules


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.split(".")[0] == "matplotlib"] + ["matplotlib"]:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PlotsError, match=r"pip install 'kingsbridge\[plots\]'"):
        write_plots([findings()], tmp_path)
    assert list(tmp_path.iterdir()) == []
