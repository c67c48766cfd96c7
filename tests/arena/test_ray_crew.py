"""A tournament on a Ray cluster, a real one of this machine: the same as on processes of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai.arena import Contest, Entrant, WorkerDiedError
from kingsbridge.ai.arena.ray_crew import RayMissingError, ray_crew
from kingsbridge.pyengine import game_names
from tests.arena.test_tournament import kept, play

NO_RAY = 'the cluster is NOT RUN: it needs Ray (pip install "kingsbridge[ray]")'


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = find_spec("ray")
    if spec is None or spec.origin is None:  # a mere folder of that name is not Ray
        if os.environ.get("KINGSBRIDGE_REQUIRE_RAY"):
            pytest.fail(NO_RAY)
        pytest.skip(NO_RAY)
    ray = import_module("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=4, log_to_driver=False, include_dashboard=False)
    yield ray_crew()
    ray.shutdown()


def each(numbers: range) -> Callable[[], int | None]:
    left = iter(numbers)
    return lambda: next(left, None)


def work_on(number: int) -> int:
    if number == 5:
        raise LookupError("no five")
    if number == 6:
        os._exit(3)
    return number * number


def test_a_cluster_plays_what_processes_play_and_tells_errors_and_ends_as_they_do(
    crew: Any, tmp_path: Path
) -> None:
    contest = Contest(
        "r",
        "round_robin",
        game_names()[0],
        2,
        tuple(Entrant(spec, spec) for spec in ("greedy", "random", "ismcts:iterations=5")),
        3,
    )
    play(tmp_path / "here", [contest])
    played = play(tmp_path / "there", [contest], crew=crew, workers=2)
    assert len(played) == 18
    assert kept(tmp_path / "there", [contest]) == kept(tmp_path / "here", [contest])
    answers = [answer for answer in crew(work_on, each(range(5)), 2, 60.0) if answer is not None]
    assert sorted(answers) == [(number, number * number) for number in range(5)]
    with pytest.raises(LookupError, match="no five"):
        list(crew(work_on, each(range(4, 6)), 2, 60.0))
    with pytest.raises(WorkerDiedError, match="task 6"):
        list(crew(work_on, each(range(6, 7)), 1, 60.0))


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(RayMissingError, match=r"kingsbridge\[ray\]"):
        ray_crew()
