"""Findings: targets, ratings, the course of a test, and which games are told in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kingsbridge.ai.arena import Contest, Entrant, Hypotheses, Store, play_tournament, resumed
from kingsbridge.ai.arena.analysis import Verdict, findings_of, ratings_of, verdict_of
from kingsbridge.ai.arena.findings import Findings
from kingsbridge.ai.arena.summary import Summary, summarize_contest
from kingsbridge.pyengine import game_names
from tests.arena.played_games import contest, played
from tests.arena.test_tournament import here

GAME = game_names()[0]

# The first bot sits in seat 0, then in seat 1: its shares are 0.5, 0.6 and 0.7 a block. For these Student's t
# gives 0.6 with 0.351586 .. 0.848414 (see test_statistics).
SHARES = (((0.9, 0.1), (0.9, 0.1)), ((0.7, 0.3), (0.5, 0.5)), ((0.8, 0.2), (0.4, 0.6)))


def summary(
    at_least: float | None, at_most: float | None, shares: Sequence[Sequence[tuple[float, float]]]
) -> Summary:
    blocks = [
        (number, [played((0, 1), (0, 0), win_shares=first), played((1, 0), (0, 0), win_shares=second)])
        for number, (first, second) in enumerate(shares)
    ]
    return summarize_contest(contest("a", "b", at_least=at_least, at_most=at_most), blocks)


@pytest.mark.parametrize(
    ("at_least", "at_most", "verdict"),
    [
        (None, None, None),
        (0.35, None, Verdict.MET),
        (0.36, None, Verdict.OPEN),
        (0.84, None, Verdict.OPEN),
        (0.85, None, Verdict.NOT_MET),
        (None, 0.85, Verdict.MET),
        (None, 0.84, Verdict.OPEN),
        (None, 0.36, Verdict.OPEN),
        (None, 0.35, Verdict.NOT_MET),
        (0.35, 0.85, Verdict.MET),
        (0.35, 0.84, Verdict.OPEN),
        (0.85, 0.9, Verdict.NOT_MET),
        (0.0, None, Verdict.MET),
    ],
)
def test_a_verdict_is_by_the_whole_interval(
    at_least: float | None, at_most: float | None, verdict: Verdict | None
) -> None:
    assert verdict_of(summary(at_least, at_most, SHARES)) is verdict


def test_what_is_not_played_is_open() -> None:
    assert verdict_of(summary(0.0, None, ())) is Verdict.OPEN
    assert verdict_of(summary(None, None, ())) is None


def found(path: Path, plan: Contest, replays: int = 0) -> Findings:
    with Store(path / "results") as store:
        play_tournament([plan], store, crew=here)
        (run,) = resumed([plan], store.reader())
        return findings_of(run, store.reader(), replays=replays)


BOTS = tuple(Entrant(spec, spec) for spec in ("random", "greedy", "ismcts:iterations=20"))


def test_a_league_is_rated_by_its_anchor_and_told_in_as_many_replays_as_asked_for(tmp_path: Path) -> None:
    findings = found(tmp_path, Contest("l", "round_robin", GAME, 2, BOTS, 4, anchor=1), replays=3)
    assert findings.ratings is not None
    ratings = [row.rating for row in findings.ratings.entrants]
    assert ratings[1] == 0
    assert ratings[0] < 0 < ratings[2]
    assert findings.order == [2, 1, 0]
    assert [(each.block, each.game) for each in findings.replays] == [(0, 0), (4, 0), (8, 0)]
    assert findings.sprt is None


def test_a_test_shows_its_course_up_to_its_end(tmp_path: Path) -> None:
    test = Contest("t", "sprt", GAME, 2, BOTS[1::-1], 100, hypotheses=Hypotheses(0.5, 0.6))
    findings = found(tmp_path, test)
    assert findings.sprt is not None
    assert len(findings.sprt.path) == findings.summary.blocks < 100
    assert findings.sprt.path[-1] >= findings.sprt.upper > findings.sprt.path[-2]
    assert findings.sprt.verdict == "greedy is taken to score 0.6 a block, not less"
    assert findings.ratings is None


def test_where_nothing_was_played_there_are_no_ratings() -> None:
    assert ratings_of(summarize_contest(contest("a", "b", format="round_robin"), [])) is None
