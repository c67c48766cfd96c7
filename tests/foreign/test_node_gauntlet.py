"""A tournament of bots in JavaScript and of bots with bad habits: all is recorded, and it goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kingsbridge.pyengine import game_names
from tests.arena.odd_bots import odd_spec
from tests.cli.conftest import Runner, kingsbridge  # noqa: F401  # a fixture
from tests.foreign.node import HERE
from tests.foreign.test_node_bots import called, node  # noqa: F401  # fixtures

GAME = game_names()[0]


@pytest.fixture
def manifest(tmp_path: Path, node: str, called: str) -> Path:  # noqa: F811
    path = tmp_path / "gauntlet.toml"
    bots = {
        "candidate": "greedy",
        "lines": f"exec:{node} {HERE / 'bot.js'}",
        "called": called,
        "crashes": odd_spec("crashes", 5),
        "illegal": odd_spec("illegal", 3),
        "late": odd_spec("late", 4),
        "hangs": odd_spec("hangs", 2),
    }
    listed = "\n".join(f"{name} = {json.dumps(spec)}" for name, spec in bots.items())
    path.write_text(f"""
[[contest]]
id = "gauntlet"
format = "gauntlet"
game = "{GAME}"
players = 2
blocks = 2
timeout = 1.0
on_fault = "forfeit"
[contest.bots]
{listed}
""")
    return path


def test_bots_in_javascript_play_a_gauntlet_and_what_bad_bots_do_is_recorded(
    kingsbridge: Runner,  # noqa: F811
    manifest: Path,
    tmp_path: Path,
) -> None:
    done = kingsbridge("tournament", str(manifest), "--workers", "2", "--jsonl", str(tmp_path / "games"))
    assert done.code == 0, done.err
    games = [json.loads(line) for line in (tmp_path / "games").read_text().splitlines()]
    assert len(games) == 6 * 2 * 2
    # A bad bot shows its habit once in the life of its process, which may play several games.
    kinds = {(game["bots"][fault["seat"]], fault["kind"]) for game in games for fault in game["faults"]}
    assert kinds == {("crashes", "crash"), ("illegal", "illegal"), ("late", "timeout"), ("hangs", "timeout")}
    assert all(game["ending"] == ("forfeit" if game["faults"] else "finished") for game in games)
    strict = kingsbridge("tournament", str(manifest), "--report", "--strict")
    assert strict.code == 1
    assert " crash" in strict.out
