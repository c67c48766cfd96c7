"""Tournaments from the command line: played, killed, interrupted, gone on with, and told."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai.arena import Store
from kingsbridge.pyengine import GameRecord, Rng, game_names
from tests.cli.conftest import COMMAND, SECONDS, Runner
from tests.processes import alive, until
from tests.soak.tournament import left

GAME = game_names()[0]
TEXT = f"""
[defaults]
game = "{GAME}"
blocks = 4

[[match]]
id = "{{players}}-greedy"
players = [2, 3]
bots = ["greedy", "random"]
field = true
at_least = 0.001

[[contest]]
id = "league"
format = "round_robin"
players = 2
bots = ["ismcts:iterations=1500", "greedy", "random"]

[[contest]]
id = "test"
format = "sprt"
players = 2
blocks = 200
bots = {{ new = "greedy", old = "random" }}
low = 0.5
high = 0.6
"""
QUICK = TEXT.replace("=1500", "=2").replace("blocks = 4", "blocks = 2")


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
    return manifest.with_suffix(".results.sqlite")


@contextmanager
def running(manifest: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A tournament with two workers in a process of its own."""
    # A run in the background ignores interrupts, and a child inherits that.
    command = ["env", "--default-signal", *COMMAND, "tournament", str(manifest), "--workers", "2", *more]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def games_in(path: Path) -> int:
    """How many games are committed."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
        try:
            return int(base.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:  # not made yet
            return 0


def wait_for_games(process: subprocess.Popen[str], path: Path, count: int) -> None:
    """Until so many games are there, or the process has ended."""
    assert until(lambda: process.poll() is not None or games_in(path) >= count, SECONDS)


def test_a_tournament_killed_again_and_again_ends_as_one_that_was_not(
    kingsbridge: Runner, manifest: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    assert kingsbridge("tournament", str(manifest), "--results", str(whole)).code == 0
    path, rng, killed = results_of(manifest), Rng(1), 0
    while True:
        with running(manifest) as process:
            wait_for_games(process, path, games_in(path) + 1 + rng.below(4))
            if process.poll() is not None:
                break
            process.kill()
            killed += process.wait() == -signal.SIGKILL
    assert process.returncode == 0
    assert killed >= 3
    expected = left(manifest, whole, tmp_path / "a")
    assert left(manifest, path, tmp_path / "b") == expected
    assert len(expected["games"]) == len(expected["records"]) > 40


def test_an_interrupt_ends_a_tournament_at_once_and_keeps_what_is_finished(manifest: Path) -> None:
    path = results_of(manifest)
    manifest.write_text(TEXT.replace("blocks = 4", "blocks = 2000"))  # far from finished
    with running(manifest) as process:
        wait_for_games(process, path, 1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "")
    assert games_in(path)


ENDLESS = f"""
[defaults]
game = "{GAME}"
players = 2
blocks = 2000

[[match]]
id = "quick"
bots = ["greedy", "random"]

[[match]]
id = "endless"
bots = ["ismcts:iterations=1000000000", "random"]
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_one_that_is_told_to_end_leaves_nobody_at_work(tmp_path: Path, number: signal.Signals) -> None:
    manifest = tmp_path / "endless.toml"
    manifest.write_text(ENDLESS)
    with running(manifest) as process:
        # By now the other worker has a game without an end. Before the third each has one: the contest that
        # is behind comes next.
        wait_for_games(process, results_of(manifest), 1)
        process.send_signal(number)
        assert process.wait(SECONDS) == 128 + number
    assert until(lambda: not alive(process.pid), SECONDS)


def test_tables_tell_how_the_contests_stand(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--workers", "2")
    assert (done.code, done.err) == (0, "")
    heading, two, three, *rest = done.out.splitlines()
    expected = "match games win share 95 % mean scores target verdict faults cpu s"
    assert " ".join(heading.split()) == expected
    assert [" ".join(row.split()[:4]) for row in (two, three)] == ["2-greedy 4 of 4", "3-greedy 6 of 6"]
    assert two.count(" : ") == 1  # scores of two bots
    assert ">= 0.1%" in two
    assert " met " in two
    league = rest[rest.index(next(line for line in rest if line.startswith("league:"))) + 1 :]
    assert " ".join(league[0].split()[:4]) == "bot rating 95 %"
    assert league[3].split()[0] == "random"  # is last
    assert any(line.startswith("new is taken to score 0.6 a block") for line in rest)
    again = kingsbridge("tournament", str(quick))
    assert again.out == kingsbridge("tournament", str(quick), "--report").out == done.out


def test_a_report_plays_nothing(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--report")
    assert done.code == 0
    assert "\n0 of " in done.out
    assert "open" in done.out
    assert not results_of(quick).exists()


def test_events_are_lines_of_json(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    names = [event["event"] for event in events]
    assert (names[0], set(names)) == ("started", {"started", "game", "standing", "finished", "result"})
    games = names.count("game")
    assert names.index("finished") > max(number for number, name in enumerate(names) if name == "game")
    assert events[names.index("finished")]["games"] == games
    assert events[names.index("finished")]["complete"]
    results = {event["contest"]: event for event in events if event["event"] == "result"}
    assert list(results) == ["2-greedy", "3-greedy", "league", "test"]
    assert results["2-greedy"]["verdict"] == "met"
    assert sum(result["games"] for result in results.values()) == games
    again = kingsbridge("tournament", str(quick), "--json", "--report")
    assert [json.loads(line)["event"] for line in again.out.splitlines()] == ["result"] * 4


def test_some_contests_only(kingsbridge: Runner, quick: Path) -> None:
    assert kingsbridge("tournament", str(quick), "--only", "*-greedy").code == 0
    assert games_in(results_of(quick)) == 4 + 6


@pytest.mark.parametrize("duration", ["0s", "0m", "0h"])
def test_without_time_nothing_is_played(kingsbridge: Runner, quick: Path, duration: str) -> None:
    done = kingsbridge("tournament", str(quick), "--for", duration)
    assert (done.code, games_in(results_of(quick))) == (0, 0)


def test_exports_hold_every_game(kingsbridge: Runner, quick: Path, tmp_path: Path) -> None:
    files = {name: str(tmp_path / name) for name in ("jsonl", "csv", "records", "html")}
    options = [part for name, path in files.items() for part in (f"--{name}", path)]
    done = kingsbridge("tournament", str(quick), "--only", "*-greedy", *options)
    assert done.code == 0
    lines = [json.loads(line) for line in (tmp_path / "jsonl").read_text().splitlines()]
    assert [(line["contest"], line["block"], line["game"]) for line in lines] == sorted(
        (name, block, game)
        for name, games in (("2-greedy", 2), ("3-greedy", 3))
        for block in (0, 1)
        for game in range(games)
    )
    rows = list(csv.DictReader((tmp_path / "csv").read_text().splitlines()))
    assert len(rows) == 4 * 2 + 6 * 3
    assert sum(float(row["win_share"]) for row in rows) == pytest.approx(10)
    assert {row["bot"] for row in rows} == {"greedy", "random"}
    records = {path.name: GameRecord.load(path) for path in (tmp_path / "records").iterdir()}
    assert [list(records[f"01-2-greedy-00001-{game}.record"].result or ()) for game in (0, 1)] == [
        line["scores"] for line in lines if (line["contest"], line["block"]) == ("2-greedy", 1)
    ]
    assert len(records) == 10
    assert "2-greedy" in (tmp_path / "html").read_text()


def test_an_export_is_taken_in_and_gone_on_from(kingsbridge: Runner, quick: Path, tmp_path: Path) -> None:
    export = tmp_path / "games"
    kingsbridge("tournament", str(quick), "--only", "league", "--jsonl", str(export))
    other = str(tmp_path / "other.sqlite")
    lines = export.read_text().splitlines(keepends=True)
    export.write_text("".join(lines[:7]))
    done = kingsbridge(
        "tournament", str(quick), "--only", "league", "--import", str(export), "--results", other
    )
    assert done.code == 0
    assert f"\n{len(lines)} of {len(lines)} games" in done.out
    take_in = ("tournament", str(quick), "--import", str(export), "--results", other, "--report")
    before = Path(other).read_bytes()
    for wrong in (
        "".join(lines[:7]).replace('"random"', '"hal"'),
        lines[0].replace('"block": 0', '"block": 99'),
        lines[0] + lines[0],
        lines[0].replace('"definition": "', '"definition": "0'),
    ):
        export.write_text(wrong)
        refused(kingsbridge(*take_in), 1, str(export), "line")
    assert Path(other).read_bytes() == before


def test_an_export_is_taken_in_whole_whichever_contests_are_played(
    kingsbridge: Runner, quick: Path, tmp_path: Path
) -> None:
    export, other = str(tmp_path / "games"), str(tmp_path / "other.sqlite")
    kingsbridge("tournament", str(quick), "--jsonl", export)
    only = ("--only", "league", "--import", export, "--results", other)
    assert kingsbridge("tournament", str(quick), *only).code == 0
    again = str(tmp_path / "again")
    assert kingsbridge("tournament", str(quick), "--report", "--results", other, "--jsonl", again).code == 0
    assert Path(again).read_bytes() == Path(export).read_bytes() != b""


def test_rules_that_changed_meanwhile_are_told(kingsbridge: Runner, quick: Path) -> None:
    kingsbridge("tournament", str(quick))
    with closing(sqlite3.connect(results_of(quick))) as base, base:
        base.execute("UPDATE games SET rules = ? WHERE block = 0 AND game = 0", ("0" * 16,))
    done = kingsbridge("tournament", str(quick), "--report")
    assert "Several engines played" in done.out
    assert "0" * 16 in done.out


def refused(done: Any, code: int, *reasons: str) -> None:
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    for reason in ("kingsbridge: ", *reasons):
        assert reason in done.err


def test_two_at_once_are_refused(kingsbridge: Runner, quick: Path) -> None:
    path = results_of(quick)
    with Store(path):
        refused(kingsbridge("tournament", str(quick)), 1, str(path), "another process is writing")
        assert kingsbridge("tournament", str(quick), "--report").code == 0


def test_bots_that_think_by_the_clock_do_not_share_cores_unless_forced_and_then_the_report_says_so(
    kingsbridge: Runner, quick: Path
) -> None:
    quick.write_text(QUICK.replace("blocks = 2\n", "blocks = 1\nseconds = 0.0001\ngrace = 10\n"))
    command = ("tournament", str(quick), "--only", "2-greedy", "--workers", "999")
    refused(kingsbridge(*command), 2, "--workers", "2-greedy", "think by the clock", "--force")
    assert kingsbridge(*command, "--report").code == 0
    done = kingsbridge(*command, "--force")
    assert done.code == 0
    assert "999 games shared" in done.out
    assert "999 games shared" in kingsbridge("tournament", str(quick), "--report").out


def test_what_is_wrong_with_files_and_options_is_told(
    kingsbridge: Runner, quick: Path, tmp_path: Path
) -> None:
    command = ("tournament", str(quick))
    refused(kingsbridge("tournament", "/nowhere/x.toml"), 1, "/nowhere/x.toml")
    refused(kingsbridge(*command, "--results", "/nowhere/x"), 1, "/nowhere/x")
    refused(kingsbridge(*command, "--results", str(quick)), 1, str(quick), "holds no results")
    refused(kingsbridge(*command, "--results", "/dev/null"), 1, "/dev/null", "no regular file")
    refused(kingsbridge(*command, "--import", "/nowhere/x"), 1, "/nowhere/x")
    refused(kingsbridge(*command, "--only", "chess-*"), 2, "--only", "chess-*")
    refused(kingsbridge(*command, "--for", "soon"), 2, "--for", "soon")
    refused(kingsbridge(*command, "--workers", "0"), 2, "--workers")
    refused(kingsbridge("tournament"), 2, "MANIFEST")
    quick.write_text(QUICK.replace("random", "hal"))
    refused(kingsbridge(*command), 2, str(quick), 'match "2-greedy"', 'key "bots"', "hal")
    quick.write_text(QUICK)
    refused(kingsbridge(*command, "--report", "--csv", "/nowhere/x"), 1, "/nowhere/x")
    for option in ("--html", "--jsonl"):
        refused(kingsbridge(*command, option, "/nowhere/x"), 1, "/nowhere/x")
        refused(kingsbridge(*command, option, str(tmp_path)), 1, str(tmp_path))
    refused(kingsbridge(*command, "--html", str(quick)), 2, "the manifest itself")
    refused(kingsbridge(*command, "--records", str(quick)), 1, str(quick))
    assert games_in(results_of(quick)) == 0  # all of it was refused before anything was played


def test_a_reader_that_has_enough_ends_it_quietly(quick: Path) -> None:
    command = f"{' '.join(COMMAND)} tournament {quick} --json | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S602
    assert json.loads(done.stdout)["event"] == "started"
    assert done.stderr == ""


def test_results_of_a_program_that_is_not_here_can_be_read_but_not_gone_on_with(
    kingsbridge: Runner, quick: Path
) -> None:
    kingsbridge("tournament", str(quick), "--only", "2-greedy")
    quick.write_text(QUICK.replace('old = "random"', 'old = "exec:./nowhere"'))
    assert kingsbridge("tournament", str(quick), "--report").code == 0
    refused(kingsbridge("tournament", str(quick)), 2, "no program", "nowhere")


def test_a_test_tells_as_many_blocks_at_its_end_as_count(kingsbridge: Runner, quick: Path) -> None:
    done = kingsbridge("tournament", str(quick), "--only", "test", "--json", "--workers", "3")
    events = [json.loads(line) for line in done.out.splitlines()]
    last = [event for event in events if event["event"] == "standing"][-1]
    (result,) = (event for event in events if event["event"] == "result")
    assert last["blocks"] == result["blocks"] < 200
