"""``kingsbridge bot``: what it finds in good and in odd bots, and how it serves one."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from typing import Any

import pytest

from kingsbridge.ai import Budget
from kingsbridge.ai.arena.bots import identity_of
from kingsbridge.ai.arena.process_bot import ProcessBot
from kingsbridge.pyengine import ENGINE_VERSION, InformationSet, Rng, describe, game_names
from tests.arena.odd_bots import odd_command, odd_spec
from tests.cli.conftest import COMMAND, Runner

SMALL = ("--game", "builders", "--players", "2")
ODD = ["keeps time", "takes games mixed", "repeats itself"]
OF_PROGRAMS = ["lets unknown members pass", "ends with its input"]


def findings(out: str) -> dict[str, dict[str, Any]]:
    return {finding["check"]: finding for finding in map(json.loads, out.splitlines())}


def test_a_good_program_passes_every_check_in_every_game_and_number_of_seats(kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", odd_spec("none"), "--json")
    found = findings(done.out)
    tables = [
        f"plays {game} with {players}"
        for game in game_names()
        for players in range(describe(game).min_players, describe(game).max_players + 1)
    ]
    assert list(found) == ["greets", *tables, *ODD, *OF_PROGRAMS]
    assert {finding["outcome"] for finding in found.values()} == {"ok"}
    assert found["greets"]["text"] == "odd 1.5"
    assert re.fullmatch(r"\d+ decisions, [1-9]\d* of them forced", found["plays builders with 2"]["text"])
    assert (done.code, done.err) == (0, "")


def test_a_built_in_bot_passes_as_well(kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", "greedy", *SMALL)
    assert done.code == 0
    assert [line.split("  ")[0] for line in done.out.splitlines()] == [
        "greets",
        "plays builders with 2",
        *ODD,
    ]


def test_a_bot_is_asked_only_for_the_games_it_plays(kingsbridge: Runner) -> None:
    found = findings(kingsbridge("bot", "check", odd_spec("plays_pillars"), "--json").out)
    played = {check for check in found if check.startswith("plays")}
    assert played == {f"plays pillars with {players}" for players in (2, 3, 4)}


@pytest.mark.parametrize(
    ("habit", "words"),
    [
        ("crashes", "crash: "),
        ("illegal", "illegal: "),
        ("hangs", "timeout: "),
        ("closes", "disconnect: "),
    ],
)
def test_a_fault_is_shown_with_the_question_as_it_was_sent(
    habit: str, words: str, kingsbridge: Runner
) -> None:
    done = kingsbridge("bot", "check", odd_spec(habit, at=20), *SMALL, "--timeout", "2", "--json")
    failed = [each for each in findings(done.out).values() if each["outcome"] == "failed"]
    assert done.code == 1
    (finding,) = failed
    assert finding["check"] == "plays builders with 2"
    assert finding["text"].startswith(words)
    question = finding["question"]
    assert (question["question"], question["decision"]) == (20, 20)
    info = InformationSet.from_view(question["game"], question["view"])
    assert [action["id"] for action in question["actions"]] == info.legal_actions()


def test_the_question_of_a_failure_can_be_copied_from_the_table(kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", odd_spec("illegal", at=20), *SMALL)
    (line,) = [line for line in done.out.splitlines() if line.startswith("{")]
    assert json.loads(line)["question"] == 20


def test_every_seat_is_played_if_there_are_as_many_games(kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", odd_spec("none"), *SMALL, "--games", "2", "--json")
    one = kingsbridge("bot", "check", odd_spec("none"), *SMALL, "--json")
    decisions = [int(findings(each.out)["plays builders with 2"]["text"].split()[0]) for each in (done, one)]
    assert decisions[0] > decisions[1]


@pytest.mark.parametrize("habit", ["exits", "nameless"])
def test_without_a_greeting_nothing_else_is_asked(habit: str, kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", odd_spec(habit), "--json")
    assert {name: each["outcome"] for name, each in findings(done.out).items()} == {"greets": "failed"}
    assert done.code == 1


def test_a_bot_that_plays_none_of_the_games_has_failed(kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", odd_spec("plays_chess"), "--json")
    assert findings(done.out)["plays"]["text"] == "only chess, as it says"
    assert done.code == 1


@pytest.mark.parametrize(
    ("habit", "check", "outcome"),
    [
        ("deaf", "ends with its input", "failed"),
        ("strict", "lets unknown members pass", "failed"),
        ("slow", "keeps time", "failed"),
        ("fickle", "repeats itself", "note"),
        ("forgetful", "takes games mixed", "failed"),
    ],
)
def test_an_odd_habit_is_found_by_its_check(
    habit: str, check: str, outcome: str, kingsbridge: Runner
) -> None:
    done = kingsbridge("bot", "check", odd_spec(habit), *SMALL, "--json")
    odd = {name: each["outcome"] for name, each in findings(done.out).items() if each["outcome"] != "ok"}
    assert odd == {check: outcome}
    assert done.code == (1 if outcome == "failed" else 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], 'no bot "nobody"'),
        (["exec:./no-such-program"], "there is no program"),
        (["grpc://here"], "grpc://HOST:PORT is expected"),
        (["random", "--game", "chess"], "there is no game 'chess'"),
        (["random", "--players", "9"], "players=9"),
    ],
)
def test_a_wrong_question_is_refused_in_one_line(
    arguments: list[str], words: str, kingsbridge: Runner
) -> None:
    done = kingsbridge("bot", "check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_a_bot_is_served_until_it_is_told_to_end() -> None:
    command = [*COMMAND, "bot", "serve", "ismcts:iterations=20", "--address", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        match = re.fullmatch(r"kingsbridge bot listening on (127\.0\.0\.1:\d+)\n", process.stdout.readline())
        assert match
        assert identity_of(f"grpc://{match[1]}") == ("ismcts:iterations=20", ENGINE_VERSION, ())
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.mark.parametrize("spec", ["exec:cat", "grpc://127.0.0.1:1"])
def test_only_a_bot_in_python_is_served(spec: str, kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "serve", spec)
    assert done.code == 2
    assert "is outside already" in done.err


def test_a_question_that_was_printed_can_be_asked_again(kingsbridge: Runner) -> None:
    done = kingsbridge("bot", "check", odd_spec("crashes", at=20), *SMALL, "--json")
    question = findings(done.out)["plays builders with 2"]["question"]
    info = InformationSet.from_view("builders", question["view"])
    bot = ProcessBot("odd", odd_command("none"), 20.0)
    assert bot.choose(info, Budget(), Rng(1)).action == info.legal_actions()[-1]
    bot.close()
