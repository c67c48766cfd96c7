"""Ladders: published, checked, and found out when anything in them is changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.pyengine import game_names
from tests.cli.conftest import Runner

GAMES = game_names()
TEXT = f"""
[[contest]]
id = "{{game}}"
format = "ladder"
game = ["{GAMES[0]}", "{GAMES[1]}"]
players = 2
blocks = 3
bots = ["random", "greedy", "ismcts:iterations=3"]
"""


@pytest.fixture
def published(kingsbridge: Runner, tmp_path: Path) -> Path:
    manifest = tmp_path / "small.toml"
    manifest.write_text(TEXT)
    assert kingsbridge("tournament", str(manifest)).code == 0
    done = kingsbridge("ladder", "publish", str(manifest))
    assert done.code == 0
    assert done.out.count("written: ") == 3
    manifest.with_suffix(".results.sqlite").unlink()  # what is published is enough
    return manifest


def test_a_published_ladder_verifies(kingsbridge: Runner, published: Path) -> None:
    done = kingsbridge("ladder", "verify", str(published), "--sample", "5")
    assert (done.code, done.err) == (0, "")
    assert "2 contests" in done.out
    assert "its 24 games are those" in done.out  # 2 games x 2 pairs x 3 blocks x 2 seats
    assert "5 games, of 24 that can be, were played again, move for move" in done.out
    table = published.with_suffix(".md").read_text()
    assert table.count("## ") == 2
    assert "| `ismcts:iterations=3` |" in table


def refused(kingsbridge: Runner, manifest: Path, *reasons: str) -> None:
    done = kingsbridge("ladder", "verify", str(manifest), "--sample", "1000")
    assert (done.code, done.err.count("\n")) == (1, 1)
    for reason in reasons:
        assert reason in done.err


def changed(path: Path, line: int, **fields: Any) -> None:
    """The file of results with members of one line changed, and the lock made to fit."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | fields)
    path.write_text("\n".join(lines) + "\n")


def relock(manifest: Path) -> None:
    from hashlib import sha256  # noqa: PLC0415

    lock = manifest.with_suffix(".lock.json")
    content = json.loads(lock.read_text())
    content["results"] = sha256(manifest.with_suffix(".results.jsonl").read_bytes()).hexdigest()
    lock.write_text(json.dumps(content))


def test_results_that_were_touched_do_not_fit_the_lock(kingsbridge: Runner, published: Path) -> None:
    changed(published.with_suffix(".results.jsonl"), 3, cpu_seconds=0.0)
    refused(kingsbridge, published, "lock.json: results: locked as")


def test_results_that_give_another_table_are_found_out(kingsbridge: Runner, published: Path) -> None:
    changed(published.with_suffix(".results.jsonl"), 3, win_shares=[0.5, 0.5], scores=[99, 1])
    relock(published)
    refused(kingsbridge, published, "the results give another table")


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "seats": ({"bots": ["greedy", "greedy"]}, "line 4 is no game"),
    "definition": ({"definition": "0" * 16}, "defined otherwise"),
    "shares": ({"win_shares": [5, -4]}, "line 4 is no game"),
    "sum of shares": ({"win_shares": [1.0, 1.0]}, "add up to 1"),
    "block": ({"block": -5}, "line 4 is no game"),
    "a block beyond": ({"block": 10**30}, "line 4 is no game"),
    "a game beyond": ({"game": 7}, "has no game 7"),
    "a score in words": ({"scores": ["many", 1]}, "line 4 is no game"),
    "no number": ({"cpu_seconds": float("nan")}, "line 4 is no game"),
    "rules": ({"rules": "0" * 16}, "played by other rules"),
    "iterations": ({"iterations": [-1, 0]}, "line 4 is no game"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_line_is_found_out(kingsbridge: Runner, published: Path, forgery: str) -> None:
    fields, reason = FORGED[forgery]
    changed(published.with_suffix(".results.jsonl"), 3, **fields)
    relock(published)
    refused(kingsbridge, published, reason)


def test_a_fault_that_never_was_is_found_out(kingsbridge: Runner, published: Path) -> None:
    fault = {"kind": "timeout", "seat": 0, "decision": 1, "text": "late"}
    changed(published.with_suffix(".results.jsonl"), 3, faults=[fault])
    relock(published)
    refused(kingsbridge, published, "faults is")


def test_games_that_are_there_twice_or_alone_are_found_out(kingsbridge: Runner, published: Path) -> None:
    path = published.with_suffix(".results.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[3]]))
    relock(published)
    refused(kingsbridge, published, "line 25", "twice")
    path.write_text("".join(lines[:-1]))
    relock(published)
    refused(kingsbridge, published, "other games of its block are missing")
    path.write_text("")
    relock(published)
    refused(kingsbridge, published, "there is no game")


def test_a_lock_that_is_none_is_refused(kingsbridge: Runner, published: Path) -> None:
    for text in ("{", "[]"):
        published.with_suffix(".lock.json").write_text(text)
        refused(kingsbridge, published, "small.lock.json")
    published.with_suffix(".results.jsonl").write_bytes(b"\xff\n")
    refused(kingsbridge, published, "small.lock.json")


def test_what_is_not_played_is_published_only_if_asked_for_and_nothing_never(
    kingsbridge: Runner, published: Path
) -> None:
    before = {path.name: path.read_bytes() for path in published.parent.iterdir()}
    results = published.with_suffix(".results.sqlite")
    kingsbridge("tournament", str(published), "--for", "0s")
    for more in ((), ("--partly",)):
        done = kingsbridge("ladder", "publish", str(published), *more)
        assert done.code == 1
    assert "no game was played" in done.err
    results.unlink()
    assert {path.name: path.read_bytes() for path in published.parent.iterdir()} == before
    kingsbridge("tournament", str(published), "--only", GAMES[1])
    done = kingsbridge("ladder", "publish", str(published))
    assert "12 games are not played yet" in done.err
    assert kingsbridge("ladder", "publish", str(published), "--partly").code == 0
    assert "its 12 games" in kingsbridge("ladder", "verify", str(published)).out


def test_a_game_that_went_another_way_is_found_out(kingsbridge: Runner, published: Path) -> None:
    changed(published.with_suffix(".results.jsonl"), 3, digest="0" * 32)
    relock(published)
    refused(kingsbridge, published, "digest is 00000000000000000000000000000000, played again")


def test_a_game_of_another_seed_is_found_out(kingsbridge: Runner, published: Path) -> None:
    changed(published.with_suffix(".results.jsonl"), 3, seed="0" * 32)
    relock(published)
    refused(kingsbridge, published, "its seed is not the one of its block")


def test_bots_that_became_others_are_found_out(kingsbridge: Runner, published: Path) -> None:
    lock = published.with_suffix(".lock.json")
    lock.write_text(lock.read_text().replace(",iterations=3,", ",iterations=4,"))
    refused(kingsbridge, published, "lock.json: contests:", "bots", ",iterations=4,")


def test_a_manifest_that_was_changed_is_found_out(kingsbridge: Runner, published: Path) -> None:
    published.write_text(TEXT.replace("blocks = 3", "blocks = 4"))
    refused(kingsbridge, published, "lock.json: contests:", "blocks: locked as 3, now 4")


def test_rules_that_changed_are_found_out(kingsbridge: Runner, published: Path) -> None:
    lock = published.with_suffix(".lock.json")
    content = json.loads(lock.read_text())
    content["rules"][GAMES[0]] = "0" * 16
    lock.write_text(json.dumps(content))
    refused(kingsbridge, published, f"lock.json: rules: {GAMES[0]}: locked as")


def test_files_that_are_missing_are_named(kingsbridge: Runner, published: Path) -> None:
    published.with_suffix(".md").unlink()
    refused(kingsbridge, published, "small.md")
    done = kingsbridge("ladder", "publish", str(published))
    assert done.code == 1
    assert "small.results.sqlite: no such file" in done.err
