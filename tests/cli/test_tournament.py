"""Tournaments from the command line: played, killed, interrupted, gone on with, and reported."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai.arena import ResultsFile
from kingsbridge.pyengine import Rng, game_names
from tests.cli.conftest import COMMAND, SECONDS, Runner

GAME = game_names()[0]
TEXT = f"""
[defaults]
game = "{GAME}"
players = [2, 3]

[[match]]
id = "{{players}}-greedy"
bots = ["greedy", "random"]
field = true
blocks = 6
at_least = 0.001

[[match]]
id = "{{players}}-search"
bots = ["ismcts:iterations=150", "greedy"]
blocks = 12
"""
BLOCKS = 2 * (6 + 12)
QUICK = TEXT.replace("=150", "=2").replace("blocks = 12", "blocks = 2").replace("blocks = 6", "blocks = 2")
QUICK_BLOCKS = 4 * 2


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    path = tmp_path / "quick.toml"
    path.write_text(QUICK)
    return path


def results_of(manifest: Path) -> Path:
    return manifest.with_suffix(".results.jsonl")


def lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file, their times aside, by match and block."""
    found = [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
    for each in found:
        del each["cpu_seconds"]
    return sorted(found, key=lambda each: (each["match"], each["block"]))


@contextmanager
def running(manifest: Path) -> Iterator[subprocess.Popen[str]]:
    """A tournament with two workers in a process of its own."""
    # A run in the background ignores interrupts, and a child inherits that.
    command = ["env", "--default-signal", *COMMAND, "tournament", str(manifest), "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_bytes(process: subprocess.Popen[str], path: Path, size: int) -> None:
    """Until the file is so long, or the process has ended."""
    while process.poll() is None and not (path.exists() and path.stat().st_size >= size):
        time.sleep(0.001)


def test_a_tournament_killed_again_and_again_ends_with_the_same_lines(
    kingsbridge: Runner, manifest: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    assert kingsbridge("tournament", str(manifest), "--results", str(whole)).code == 0
    path, rng, killed = results_of(manifest), Rng(1), 0
    while True:
        begun = path.stat().st_size if path.exists() else 0
        with running(manifest) as process:
            wait_for_bytes(process, path, begun + 1 + rng.next() % (whole.stat().st_size // 4))
            if process.poll() is not None:
                break
            process.kill()
            killed += process.wait() == -signal.SIGKILL
    assert process.returncode == 0
    assert killed >= 3
    assert len(lines(path)) == BLOCKS
    assert lines(path) == lines(whole)


def test_an_interrupt_ends_a_tournament_at_once_and_keeps_what_is_finished(manifest: Path) -> None:
    path = results_of(manifest)
    manifest.write_text(TEXT.replace("blocks = 12", "blocks = 2000"))  # far from finished
    with running(manifest) as process:
        wait_for_bytes(process, path, 1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "")
    assert lines(path)
    assert path.read_bytes().endswith(b"\n")


def test_a_table_tells_how_the_matches_stand(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--workers", "2")
    assert (done.code, done.err) == (0, "")
    heading, *rows, total = done.out.splitlines()
    assert " ".join(heading.split()) == "match games win share 95 % mean scores target verdict cpu s"
    assert [row.split()[0] for row in rows] == ["2-greedy", "3-greedy", "2-search", "3-search"]
    assert [" ".join(row.split()[1:4]) for row in rows] == ["4 of 4", "6 of 6", "4 of 4", "6 of 6"]
    assert rows[1].count(" : ") == 2  # scores of three places of the line-up
    assert [">= 0.1%" in row for row in rows] == [True, True, False, False]
    assert total.startswith(f"{QUICK_BLOCKS} of {QUICK_BLOCKS} blocks, 20 games, ")
    again = kingsbridge("tournament", str(quick))
    assert again.out == kingsbridge("tournament", str(quick), "--report").out == done.out


def test_a_report_plays_nothing(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--report")
    assert done.code == 0
    assert f"0 of {QUICK_BLOCKS} blocks" in done.out
    assert "open" in done.out
    assert not results_of(quick).exists()


def test_of_a_torn_file_only_the_torn_block_is_played_again(kingsbridge: Runner, quick: Path) -> None:
    kingsbridge("tournament", str(quick))
    path = results_of(quick)
    whole = lines(path)
    path.write_bytes(path.read_bytes()[:-20])
    kept = path.read_bytes().rpartition(b"\n")[0]
    assert len(lines(path)) == QUICK_BLOCKS - 1
    assert kingsbridge("tournament", str(quick)).code == 0
    assert lines(path) == whole
    assert path.read_bytes().startswith(kept)


def test_the_result_as_one_json_object(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--json")
    assert done.out.count("\n") == 1
    result = json.loads(done.out)
    assert [match["match"] for match in result["matches"]] == ["2-greedy", "3-greedy", "2-search", "3-search"]
    assert result["cpu_seconds"] == pytest.approx(sum(match["cpu_seconds"] for match in result["matches"]))


def test_some_matches_only(kingsbridge: Runner, quick: Path) -> None:
    kingsbridge("tournament", str(quick), "--only", "*-greedy")
    assert {line["match"] for line in lines(results_of(quick))} == {"2-greedy", "3-greedy"}


@pytest.mark.parametrize("duration", ["0s", "0m", "0h"])
def test_without_time_nothing_is_played(kingsbridge: Runner, quick: Path, duration: str) -> None:
    done = kingsbridge("tournament", str(quick), "--for", duration)
    assert (done.code, results_of(quick).read_text()) == (0, "")


def test_rules_that_changed_meanwhile_are_told(kingsbridge: Runner, quick: Path) -> None:
    kingsbridge("tournament", str(quick))
    path = results_of(quick)
    first, *rest = path.read_text().splitlines(True)
    path.write_text("".join([json.dumps(json.loads(first) | {"rules": "0" * 16}) + "\n", *rest]))
    done = kingsbridge("tournament", str(quick), "--report")
    assert f"{GAME} was played by several engines" in done.out
    assert "0" * 16 in done.out


def refused(done: Any, code: int, *reasons: str) -> None:
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    for reason in ("kingsbridge: ", *reasons):
        assert reason in done.err


def test_two_at_once_are_refused(kingsbridge: Runner, quick: Path) -> None:
    path = results_of(quick)
    with ResultsFile(path):
        refused(kingsbridge("tournament", str(quick)), 1, str(path), "another process is writing")
        assert kingsbridge("tournament", str(quick), "--report").code == 0


def test_what_is_wrong_with_files_and_options_is_told(
    kingsbridge: Runner, quick: Path, tmp_path: Path
) -> None:
    command = ("tournament", str(quick))
    refused(kingsbridge("tournament", "/nowhere/x.toml"), 1, "/nowhere/x.toml")
    refused(kingsbridge(*command, "--results", "/nowhere/x"), 1, "/nowhere/x")
    refused(kingsbridge(*command, "--results", str(quick)), 1, str(quick), "line 1")
    refused(kingsbridge(*command, "--results", "/dev/null"), 1, "/dev/null", "no regular file")
    refused(kingsbridge(*command, "--only", "chess-*"), 2, "--only", "chess-*")
    refused(kingsbridge(*command, "--for", "soon"), 2, "--for", "soon")
    refused(kingsbridge(*command, "--workers", "0"), 2, "--workers")
    refused(kingsbridge("tournament"), 2, "MANIFEST")
    quick.write_text(QUICK.replace("random", "hal"))
    refused(kingsbridge(*command), 2, str(quick), 'match "2-greedy"', 'key "bots"', "hal")
    assert not results_of(quick).exists()
