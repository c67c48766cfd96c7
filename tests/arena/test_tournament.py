"""Tournaments: which block is next, what is played again, and how matches stand."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai import Budget, play_match
from kingsbridge.ai.arena import (
    MatchPlan,
    PlannedMatch,
    ResultsFile,
    Verdict,
    play_tournament,
    read_results,
    standings,
)
from kingsbridge.ai.arena.results import BlockKey, PlayedBlock, PlayedGame, definition
from kingsbridge.pyengine import ENGINE_VERSION, describe, game_names

GAME = game_names()[0]
PLAN = MatchPlan(GAME, 2, ("greedy", "random"), 1)
MATCHES = (PlannedMatch("a", PLAN, 4), PlannedMatch("b", replace(PLAN, seed=2), 2))


def play(path: Path, matches: Sequence[PlannedMatch] = MATCHES, **more: Any) -> list[tuple[str, int]]:
    """Plays, and returns what the file then lists: match and block, line by line."""
    with ResultsFile(path) as file:
        play_tournament(matches, file, **more)
    return [(line["match"], line["block"]) for line in map(json.loads, path.read_text().splitlines())]


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file, their times aside, by match and block."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    for each in found:
        assert each.pop("cpu_seconds") >= 0
    return sorted(found, key=lambda each: (each["match"], each["block"]))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results"


def test_next_is_the_match_with_the_least_share_of_its_blocks_done_and_the_first_of_equals(
    path: Path,
) -> None:
    # Done of a and b before each: 0 0, 1/4 0, 1/4 1/2, 2/4 1/2, 3/4 1/2, 3/4 1.
    assert play(path) == [("a", 0), ("b", 0), ("a", 1), ("a", 2), ("b", 1), ("a", 3)]


def test_only_missing_blocks_are_played_and_balanced_by_what_is_there(path: Path) -> None:
    play(path, [replace(MATCHES[0], blocks=3)])
    assert play(path)[3:] == [("b", 0), ("b", 1), ("a", 3)]  # 3/4 0, 3/4 1/2, 3/4 1
    assert len(play(path)) == 6


def test_a_block_that_is_missing_in_the_middle_is_played(path: Path) -> None:
    play(path)
    kept = [line for number, line in enumerate(path.read_text().splitlines(True)) if number != 2]  # a 1
    path.write_text("".join(kept))
    assert play(path)[5:] == [("a", 1)]


def test_the_results_are_those_of_the_match_by_itself(path: Path) -> None:
    play(path)
    for match, standing in zip(MATCHES, standings(MATCHES, read_results(path)), strict=True):
        plan = match.plan
        alone = play_match(plan.game, plan.players, plan.bots, match.blocks, plan.seed)
        assert (standing.bots, standing.games) == (alone.bots, alone.games)
        assert standing.decisions == alone.decisions
        assert standing.engines == (f"{ENGINE_VERSION} rules {describe(GAME).rules_hash}",)


def test_the_lines_do_not_depend_on_the_number_of_workers_or_on_interruptions(tmp_path: Path) -> None:
    searching = replace(PLAN, bots=("ismcts:iterations=10", "greedy"), players=3)
    matches = (*MATCHES, PlannedMatch("c", searching, 3))
    play(tmp_path / "one", matches)
    play(tmp_path / "two", matches, workers=2)
    for blocks in range(2, 4):  # as if stopped after one, then after two
        play(tmp_path / "parts", matches, workers=2, seconds=blocks, clock=count().__next__)
    play(tmp_path / "parts", matches)
    assert lines(tmp_path / "one") == lines(tmp_path / "two") == lines(tmp_path / "parts")
    assert len(lines(tmp_path / "one")) == 9


def test_a_changed_match_is_played_anew_and_its_old_lines_stay(path: Path) -> None:
    old = [PlannedMatch("a", PLAN, 2)]
    new = [PlannedMatch("a", replace(PLAN, budget=Budget(iterations=1)), 2)]
    play(path, old)
    before = path.read_text()
    assert len(play(path, new)) == 4
    assert path.read_text().startswith(before)
    assert standings(new, read_results(path))[0].blocks == 2
    assert len(play(path, old)) == 4


def test_more_blocks_and_other_targets_leave_the_played_ones_valid(path: Path) -> None:
    play(path, [PlannedMatch("a", PLAN, 2)])
    assert play(path, [PlannedMatch("a", PLAN, 3, at_least=0.9)]) == [("a", 0), ("a", 1), ("a", 2)]
    (fewer,) = standings([PlannedMatch("a", PLAN, 1)], read_results(path))
    assert (fewer.blocks, fewer.games) == (1, 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_when_the_time_is_up_no_block_is_begun_and_those_under_way_are_finished(
    path: Path, workers: int
) -> None:
    clock = count().__next__  # 0 at the start, then 1, 2, .. as each block is about to begin
    assert sorted(play(path, seconds=3, clock=clock, workers=workers)) == [("a", 0), ("b", 0)]


def test_without_time_nothing_is_played(path: Path) -> None:
    assert play(path, seconds=0, clock=lambda: 5.0) == []


def test_progress_counts_what_was_there(path: Path) -> None:
    told: list[tuple[int, int]] = []
    play(path, MATCHES[1:])
    play(path, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]


def test_a_tournament_needs_a_worker(path: Path) -> None:
    with pytest.raises(ValueError, match="a worker at least"):
        play(path, workers=0)


def test_the_seconds_of_a_block_are_those_of_the_processor(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(work: Any, tasks: Any, workers: int) -> Any:
        return ((task, work(task)) for task in tasks)

    monkeypatch.setattr("kingsbridge.ai.arena.tournament.share_out", here)
    monkeypatch.setattr(time, "process_time", iter([2.0, 5.5]).__next__)
    play(path, [PlannedMatch("a", PLAN, 1)])
    (block,) = read_results(path).values()
    assert block.cpu_seconds == 3.5


# ------------------------------------------------------------------------ standings of results made by hand


def by_hand(match: PlannedMatch, *blocks: Sequence[PlayedGame]) -> dict[BlockKey, PlayedBlock]:
    return {
        BlockKey(match.id, definition(match.plan), number): PlayedBlock(tuple(games), 1.5, "1.0", "ab")
        for number, games in enumerate(blocks)
    }


def game(*win_shares: float, scores: tuple[int, ...] = (0, 0)) -> PlayedGame:
    return PlayedGame(scores, win_shares, 10)


# The first bot sits in seat 0, then in seat 1: its shares are 0.5, 0.6 and 0.7 a block. For these Student's t
# gives 0.6 with 0.351586 .. 0.848414 (see test_statistics).
SHARES = (
    (game(0.9, 0.1, scores=(10, 20)), game(0.9, 0.1, scores=(30, 44))),
    (game(0.7, 0.3, scores=(10, 20)), game(0.5, 0.5, scores=(30, 44))),
    (game(0.8, 0.2, scores=(10, 20)), game(0.4, 0.6, scores=(30, 44))),
)


def test_shares_scores_and_sums_are_as_computed_by_hand() -> None:
    match = PlannedMatch("a", PLAN, 10)
    (standing,) = standings([match], by_hand(match, *SHARES))
    first, second = standing.bots
    assert first.win_share == pytest.approx(0.6)
    assert first.win_share_ci95 == pytest.approx((0.351586, 0.848414), abs=1e-6)
    assert (first.mean_score, second.mean_score) == (27, 25)  # (10 + 44) / 2, (20 + 30) / 2
    assert (standing.blocks, standing.games, standing.decisions, standing.cpu_seconds) == (3, 6, 60, 4.5)
    assert standing.engines == ("1.0 rules ab",)


def test_in_a_field_of_three_the_first_bot_has_its_own_share() -> None:
    # Seat 0, then 2, then 1 are the first bot's: rotation r puts place (s + r) % 3 into seat s.
    match = PlannedMatch("a", replace(PLAN, players=3, bots=("greedy", "random", "random")), 1)
    games = (
        game(0, 1, 0, scores=(1, 2, 3)),
        game(0, 0, 1, scores=(4, 5, 6)),
        game(1, 0, 0, scores=(7, 8, 9)),
    )
    (standing,) = standings([match], by_hand(match, games))
    assert standing.bots[0].win_share == pytest.approx(1 / 3)
    assert standing.bots[0].mean_score == pytest.approx((1 + 6 + 8) / 3)
    assert sum(bot.win_share for bot in standing.bots) == pytest.approx(1)


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
    match = PlannedMatch("a", PLAN, 3, at_least, at_most)
    (standing,) = standings([match], by_hand(match, *SHARES))
    assert standing.verdict is verdict


def test_what_is_not_played_is_open() -> None:
    aimed, aimless = standings([PlannedMatch("a", PLAN, 3, at_least=0.0), PlannedMatch("b", PLAN, 3)], {})
    assert (aimed.bots, aimed.games, aimed.verdict) == ((), 0, Verdict.OPEN)
    assert aimless.verdict is None


def test_the_json_object_has_the_agreed_shape() -> None:
    match = PlannedMatch("a", PLAN, 10, at_least=0.85)
    (standing,) = standings([match], by_hand(match, *SHARES))
    written = json.loads(json.dumps(standing.to_json()))
    bots = written.pop("bots")
    assert written == {
        "match": "a",
        "game": GAME,
        "players": 2,
        "blocks": 10,
        "blocks_played": 3,
        "games_played": 6,
        "decisions": 60,
        "at_least": 0.85,
        "at_most": None,
        "verdict": "not met",
        "cpu_seconds": 4.5,
        "engines": ["1.0 rules ab"],
    }
    assert [bot["bot"] for bot in bots] == ["greedy", "random"]
    assert list(bots[0]) == ["bot", "games", "win_share", "win_share_ci95", "mean_score"]
