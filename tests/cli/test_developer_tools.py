"""``bench`` and ``profile``: what they print, and what they say when a tool is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kingsbridge.ai import bench
from kingsbridge.ai.bench import STAGES, run_bench
from kingsbridge.pyengine import game_names
from tests.cli.conftest import Runner

GAME = game_names()[0]
PROFILE = ("profile", GAME, "--iterations", "100")


@pytest.fixture(autouse=True)
def few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ROLLOUTS", 100)


def test_a_bench_prints_a_row_a_position_the_signature_and_the_speed(kingsbridge: Runner) -> None:
    done = kingsbridge("bench", "--iterations", "50")
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[-2] == f"Bench: {run_bench(iterations=50).signature}"
    assert re.fullmatch(r"[\d,]+ iterations/s, [\d,]+ rollouts/s", lines[-1])
    for game in game_names():
        assert sum(line.startswith(game) for line in lines) == 2 * len(STAGES)


@pytest.mark.parametrize(
    "games", [["--games", *game_names()[:2]], [f"--games={g}" for g in game_names()[:2]]]
)
def test_a_bench_of_some_games_leaves_the_others_out(kingsbridge: Runner, games: list[str]) -> None:
    done = kingsbridge("bench", "--iterations", "50", "--json", *games)
    result = json.loads(done.out)
    assert (done.code, done.out.count("\n")) == (0, 1)
    assert {each["game"] for each in result["positions"]} == set(game_names()[:2])
    assert result["signature"] == run_bench(game_names()[:2], 50).signature


def test_a_bench_says_which_games_are_played_otherwise_than_before(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = run_bench(iterations=50).by_game | {GAME: "0123456789abcdef"}
    monkeypatch.setattr("kingsbridge.server.cli.bench.signatures", lambda: known)
    command = ("bench", "--iterations", "50")
    assert "otherwise" not in kingsbridge(*command).out  # those that are kept are of the standard bench
    monkeypatch.setattr("kingsbridge.server.cli.bench.ITERATIONS", 50)
    *_, speed, last = kingsbridge(*command).out.splitlines()
    assert "otherwise" not in speed
    assert last == f"{GAME} is played otherwise than this version says (0123456789abcdef)"


def test_a_profile_prints_phases_and_kinds(kingsbridge: Runner) -> None:
    done = kingsbridge(*PROFILE, "--players", "3", "--stage", "late")
    assert (done.code, done.err) == (0, "")
    assert f"{GAME}, 3 players, late: 100 iterations" in done.out
    for word in ("imagine", "way down", "expand", "rollout", "tree", "whole", "apply ns"):
        assert word in done.out


def test_a_profile_prints_one_json_object(kingsbridge: Runner) -> None:
    done = kingsbridge(*PROFILE, "--json")
    result = json.loads(done.out)
    assert done.out.count("\n") == 1
    assert result["iterations"] == 100
    assert set(result["phases"][0]) == {"name", "count", "nanoseconds", "how"}
    assert set(result["kinds"][0]) == {"kind", "count", "apply", "choices", "heuristic"}


def test_without_a_sampler_a_flame_graph_is_refused_with_what_to_install(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = kingsbridge(*PROFILE, "--flame", str(tmp_path / "out"))
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "py-spy" in done.err
    assert "perf" in done.err


def sampler(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_a_flame_graph_is_what_the_sampler_wrote(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sampler(tmp_path, "perf", 'echo "perf $1"')
    monkeypatch.setenv("PATH", str(tmp_path))
    done = kingsbridge(*PROFILE, "--flame", str(tmp_path / "out"))
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "out").read_text() == "perf script\n"
    sampler(tmp_path, "py-spy", 'echo "py-spy $1 $2" > "$4"')
    assert kingsbridge(*PROFILE, "--flame", str(tmp_path / "out")).code == 0
    assert (tmp_path / "out").read_text() == "py-spy record --native\n"


def test_a_sampler_that_fails_is_quoted(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sampler(tmp_path, "perf", "echo first >&2; echo no permission >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = kingsbridge(*PROFILE, "--flame", str(tmp_path / "out"))
    assert (done.code, done.err) == (1, "kingsbridge: perf failed: no permission\n")


def test_the_search_that_is_sampled_runs(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kingsbridge.server.cli.profile.FLAME_SECONDS", 0.01)
    sampler(tmp_path, "py-spy", 'out="$4"; shift 5; "$@" && echo ran > "$out"')
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kingsbridge(*PROFILE, "--flame", str(tmp_path / "out")).code == 0
    assert (tmp_path / "out").read_text() == "ran\n"


WRONG: dict[str, tuple[str, str]] = {
    "no such game to bench": ("bench --games chess", "chess"),
    "a bench of nothing": ("bench --iterations 0", "--iterations"),
    "no game to profile": ("profile", "GAME"),
    "no such game to profile": ("profile chess", "chess"),
    "no such stage": (f"profile {GAME} --stage end", "start, middle, late"),
    "too many players to profile": (f"profile {GAME} --players 9", "players"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_asked_wrongly_is_answered_in_one_line(kingsbridge: Runner, name: str) -> None:
    command, reason = WRONG[name]
    done = kingsbridge(*command.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert reason in done.err
