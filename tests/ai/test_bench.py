"""The bench: its signature is that of behaviour, whatever runs it and however often."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from kingsbridge.ai import bench
from kingsbridge.ai.bench import STAGES, PositionResult, bench_position, positions, run_bench
from kingsbridge.pyengine import describe, game_names

GAME = game_names()[0]
FEW = 200
PRINT = f"""
from kingsbridge.ai import bench
bench.ROLLOUTS = {FEW}
print(bench.run_bench(iterations={FEW}).signature)
"""
MIDDLE = [place for game in game_names() for place in positions(game) if place.stage == "middle"]


@pytest.fixture(autouse=True)
def few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ROLLOUTS", FEW)


@pytest.mark.parametrize("game", game_names())
def test_positions_are_decisions_at_each_stage_with_the_fewest_and_the_most_players(game: str) -> None:
    info, places = describe(game), list(positions(game))
    assert [(place.players, place.stage) for place in places] == [
        (players, stage) for players in (info.min_players, info.max_players) for stage in STAGES
    ]
    for place in places:
        assert place.game == place.state.game == game
        assert place.state.players == place.players
        assert len(place.state.legal_actions()) > 1
    assert places[0].decision == 0 < places[1].decision < places[2].decision


def test_two_runs_have_one_signature_and_parts_of_their_own() -> None:
    first, second = run_bench(iterations=FEW), run_bench(iterations=FEW)
    assert first.signature == second.signature
    assert len(first.signature) == 16
    assert int(first.signature, 16) >= 0
    parts = [each.signature for each in first.positions]
    assert parts == [each.signature for each in second.positions]
    assert len(set(parts)) == len(parts)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_signature_is_the_same_in_other_processes(hash_seed: str) -> None:
    apart = subprocess.run(
        [sys.executable, "-c", PRINT],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert apart.stdout == f"{run_bench(iterations=FEW).signature}\n"


def test_a_bench_of_some_games_has_the_parts_of_the_whole() -> None:
    whole, some = run_bench(iterations=FEW), run_bench(reversed(game_names()[:2]), FEW)
    parts = [each.signature for each in some.positions]
    assert parts == [each.signature for each in whole.positions][: len(parts)]
    assert some.signature != whole.signature


@pytest.mark.parametrize(
    ("worlds", "knobs"),
    [
        ("fresh", {"c": 0.6}),
        ("fresh", {"bias": 0.0}),
        ("fresh", {"policy": "uniform"}),
        ("fixed", {"c": 0.6}),
    ],
)
def test_another_knob_of_the_search_is_another_signature(
    monkeypatch: pytest.MonkeyPatch, worlds: str, knobs: dict[str, float | str]
) -> None:
    def parts() -> list[str]:
        return [bench_position(place, FEW).signature for place in MIDDLE]

    before = parts()
    params = replace(bench.SEARCHES[worlds], **knobs)  # type: ignore[arg-type]
    monkeypatch.setitem(bench.SEARCHES, worlds, params)
    assert all(one != other for one, other in zip(before, parts(), strict=True))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEED", 2),
        ("ROLLOUTS", FEW + 1),
        ("PERFT", ((2, False),)),
        ("BOTS", ("random",)),
        ("BOTS", ("greedy", "flat_mc", "ismcts:threads=2,length=9")),
        ("BOT_ITERATIONS", FEW + 1),
    ],
)
def test_each_part_of_the_work_is_in_the_signature(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    before = bench_position(MIDDLE[0], FEW).signature
    monkeypatch.setattr(bench, name, value)
    assert bench_position(MIDDLE[0], FEW).signature != before


def test_speed_is_not_in_the_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    before = bench_position(MIDDLE[0], FEW)
    monkeypatch.setattr("kingsbridge.ai.bench.time.thread_time", iter(range(100)).__next__)
    after = bench_position(MIDDLE[0], FEW)
    assert after.signature == before.signature
    assert (after.search_seconds, after.rollout_seconds) == (1, 1)
    assert after.iterations_per_second == 2 * FEW
    assert after.rollouts_per_second == 2 * FEW


def test_rates_of_the_whole_are_work_by_time() -> None:
    part = PositionResult(GAME, 2, "start", 0, "0" * 16, 100, 1.0, 300, 2.0)
    whole = bench.BenchResult((part, replace(part, iterations=200, search_seconds=5.0)))
    assert whole.iterations_per_second == 50
    assert whole.rollouts_per_second == 150
    assert whole.to_json()["positions"][0] == part.to_json()
