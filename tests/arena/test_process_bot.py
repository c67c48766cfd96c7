"""A bot that is a program: what it is told, what its answers mean, and that no fault of it does harm."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai import Budget, RandomBot
from kingsbridge.ai.arena.faults import BotFaultError, FaultKind
from kingsbridge.ai.arena.game import play_game
from kingsbridge.ai.arena.process_bot import ProcessBot
from kingsbridge.pyengine import Dealer, InformationSet, Rng, action_text, game_names, load_game
from tests.arena.odd_bots import odd_command
from tests.processes import alive, until

GAME = game_names()[0]
TIMEOUT = 20.0
SHORT = 0.5
ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    with open(sys.argv[1], "a") as file:
        file.write(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "echo"}), flush=True)
    else:
        first = message["actions"][0]["id"]
        print(json.dumps({"type": "action", "question": message["question"], "action": first}), flush=True)
"""
"""A bot that plays the first legal action and keeps what it is told."""

Open = Callable[..., ProcessBot]


@pytest.fixture
def odd() -> Iterator[Open]:
    """Opens bots with a bad habit."""
    opened: list[ProcessBot] = []

    def open_odd(habit: str, at: int = 0, file: Path | None = None, timeout: float = TIMEOUT) -> ProcessBot:
        opened.append(ProcessBot("odd", odd_command(habit, at, file), timeout))
        return opened[-1]

    yield open_odd
    for bot in opened:
        bot.close()


def first_position(game: str = GAME, players: int = 2) -> InformationSet:
    state = load_game(game, players)
    Dealer(7).settle(state)
    return state.information_set(state.current_player)


INFO = first_position()
LAST = INFO.legal_actions()[-1]


def ask(bot: ProcessBot, info: InformationSet = INFO) -> int:
    return bot.choose(info, Budget(), Rng(1)).action


def fault(bot: ProcessBot) -> BotFaultError:
    with pytest.raises(BotFaultError) as raised:
        ask(bot)
    return raised.value


def told(tmp_path: Path, *questions: tuple[InformationSet, Budget, int]) -> list[dict[str, Any]]:
    """What a bot is told that is asked these questions."""
    log = tmp_path / "told"
    bot = ProcessBot("echo", [sys.executable, "-c", ECHO, str(log)], TIMEOUT)
    bot.begin_game("g1", TIMEOUT)
    for info, budget, seed in questions:
        bot.choose(info, budget, Rng(seed), clock=lambda: 100.0)
    bot.close()
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("game", game_names())
def test_a_program_plays_whole_games(game: str, odd: Open) -> None:
    result = play_game(game, 3, {}, [odd("none"), RandomBot(), odd("notation", at=3)], 5)
    assert result.decisions > 20


def test_a_question_says_all_that_the_seat_knows_and_may_do(tmp_path: Path) -> None:
    hello, question = told(tmp_path, (INFO, Budget(iterations=50, seconds=1.5), 9))
    assert hello["type"] == "hello"
    assert hello["protocol"] == 1
    view = question.pop("view")
    assert InformationSet.from_view(GAME, view) == INFO
    actions = question.pop("actions")
    assert [action["id"] for action in actions] == INFO.legal_actions()
    assert [action["text"] for action in actions] == [
        action_text(GAME, each) for each in INFO.legal_actions()
    ]
    assert question == {
        "type": "choose",
        "question": 0,
        "game_id": "g1",
        "decision": 0,
        "game": GAME,
        "players": 2,
        "options": {"max_rounds": 40, "visible_tops": 1, "cumulative_coins": 0},
        "seat": INFO.seat,
        "budget": {"iterations": 50, "seconds": 1.5},
        "seed": str(Rng(9).next()),
    }


def test_an_action_is_told_by_kind_and_arguments(tmp_path: Path) -> None:
    _, question = told(tmp_path, (INFO, Budget(), 1))
    for action in question["actions"]:
        values = ", ".join(f"{name}={value}" for name, value in action["arguments"].items())
        assert action["text"] == f"{action['kind']}({values})"


def test_questions_and_decisions_are_counted(tmp_path: Path) -> None:
    questions = told(tmp_path, *[(INFO, Budget(), 1)] * 3)[1:]
    assert [(each["question"], each["decision"]) for each in questions] == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        (Budget(), None),
        (Budget(deadline=103.0), 3.0),
        (Budget(seconds=2.0, deadline=103.0), 2.0),
        (Budget(deadline=99.0), 0.0),
        (Budget(seconds=float("inf")), None),
    ],
)
def test_a_deadline_is_told_as_seconds_that_are_left(
    budget: Budget, seconds: float | None, tmp_path: Path
) -> None:
    assert told(tmp_path, (INFO, budget, 1))[1]["budget"] == {"iterations": None, "seconds": seconds}


def test_only_actions_among_those_asked_for_come_into_question(odd: Open) -> None:
    first = INFO.legal_actions()[0]
    assert odd("none").choose(INFO, Budget(), Rng(1), among=[first]).action == first


def test_an_answer_names_the_action_by_number_or_notation(odd: Open) -> None:
    assert ask(odd("none")) == LAST
    assert ask(odd("notation")) == LAST


def test_members_it_does_not_know_are_let_pass_and_iterations_are_kept(odd: Open) -> None:
    assert odd("unknown").choose(INFO, Budget(), Rng(1)).iterations == 7


def test_a_bot_says_its_name_and_version(odd: Open) -> None:
    assert odd("plays_pillars").identity() == ("odd", "1.5", ("pillars",))


@pytest.mark.parametrize(
    ("habit", "kind", "words"),
    [
        ("hangs", FaultKind.TIMEOUT, "did not answer in time"),
        ("late", FaultKind.TIMEOUT, "did not answer in time"),
        ("floods_lines", FaultKind.TIMEOUT, "did not answer in time"),
        ("floods_errors", FaultKind.TIMEOUT, "yyy"),
        ("crashes", FaultKind.CRASH, "ended with exit code 3; its standard error ends: out of ideas"),
        ("last_words", FaultKind.CRASH, "ended with exit code 3; its standard error ends: farewell"),
        ("killed", FaultKind.CRASH, "ended with exit code 137"),
        ("closes", FaultKind.DISCONNECT, "closed its input or output"),
        ("illegal", FaultKind.ILLEGAL, "16777215, which is illegal"),
        ("immense", FaultKind.ILLEGAL, "which is illegal"),
        ("nonsense", FaultKind.ILLEGAL, "castle(kingside)"),
        ("garbage", FaultKind.ILLEGAL, "no JSON object: my move is e4"),
        ("listed", FaultKind.ILLEGAL, "no JSON object"),
        ("deep", FaultKind.ILLEGAL, "no JSON object"),
        ("no_action", FaultKind.ILLEGAL, "no action"),
        ("truth", FaultKind.ILLEGAL, "no action"),
        ("no_number", FaultKind.ILLEGAL, 'without "question"'),
        ("wrong_number", FaultKind.ILLEGAL, "answered question 1 instead of 0"),
        ("floods", FaultKind.ILLEGAL, "a line of more than 1048576 bytes"),
    ],
)
def test_a_fault_is_named_and_the_next_question_is_answered(
    habit: str, kind: FaultKind, words: str, odd: Open
) -> None:
    bot = odd(habit, timeout=SHORT if kind is FaultKind.TIMEOUT else TIMEOUT)
    bot.identity()
    found = fault(bot)
    assert found.kind is kind
    assert 'bot "odd"' in str(found)
    assert words in str(found)
    bot.begin_game("next", TIMEOUT)
    assert ask(bot) == LAST


@pytest.mark.parametrize(
    ("habit", "kind", "words"),
    [
        ("exits", FaultKind.CRASH, "ended with exit code 5; its standard error ends: no licence"),
        ("nameless", FaultKind.ILLEGAL, 'without "name"'),
        ("other_protocol", FaultKind.ILLEGAL, "a hello of protocol 1"),
        ("answers_first", FaultKind.ILLEGAL, "a hello of protocol 1"),
    ],
)
def test_a_program_that_does_not_greet_is_a_fault(habit: str, kind: FaultKind, words: str, odd: Open) -> None:
    found = fault(odd(habit))
    assert found.kind is kind
    assert words in str(found)


def test_a_program_has_a_time_to_start_of_its_own() -> None:
    bot = ProcessBot("mute", odd_command("mute"), TIMEOUT, start_seconds=SHORT)
    started = time.monotonic()
    assert fault(bot).kind is FaultKind.TIMEOUT
    assert time.monotonic() - started < TIMEOUT


def test_the_time_limit_is_kept(odd: Open) -> None:
    bot = odd("hangs", timeout=SHORT)
    bot.identity()
    started = time.monotonic()
    assert fault(bot).kind is FaultKind.TIMEOUT
    assert SHORT <= time.monotonic() - started < TIMEOUT


@pytest.mark.parametrize("habit", ["twice", "old_number"])
def test_an_answer_to_an_earlier_question_is_let_pass(habit: str, odd: Open) -> None:
    bot = odd(habit)
    assert [ask(bot) for _ in range(3)] == [LAST] * 3


def test_after_an_illegal_action_the_same_process_goes_on(odd: Open, tmp_path: Path) -> None:
    bot = odd("illegal", file=tmp_path / "pid")
    assert fault(bot).kind is FaultKind.ILLEGAL
    process = (tmp_path / "pid").read_text()
    assert ask(bot) == LAST
    assert (tmp_path / "pid").read_text() == process


def test_after_a_line_that_cannot_be_read_another_process_answers(odd: Open, tmp_path: Path) -> None:
    bot = odd("garbage", file=tmp_path / "pid")
    assert fault(bot).kind is FaultKind.ILLEGAL
    process = (tmp_path / "pid").read_text()
    assert ask(bot) == LAST
    assert (tmp_path / "pid").read_text() != process
    assert alive(int(process)) == []


def test_a_program_that_left_after_a_game_is_started_for_the_next(odd: Open, tmp_path: Path) -> None:
    bot = odd("leaves", file=tmp_path / "pid")
    assert ask(bot) == LAST
    assert until(lambda: alive(int((tmp_path / "pid").read_text())) == [])
    bot.begin_game("next", TIMEOUT)
    assert ask(bot) == LAST


def test_a_program_that_left_in_a_game_has_crashed(odd: Open, tmp_path: Path) -> None:
    bot = odd("leaves", file=tmp_path / "pid")
    assert ask(bot) == LAST
    assert until(lambda: alive(int((tmp_path / "pid").read_text())) == [])
    assert fault(bot).kind is FaultKind.CRASH


def test_a_program_ends_with_its_input(odd: Open) -> None:
    bot = odd("none")
    ask(bot)
    assert bot.end(TIMEOUT)


@pytest.mark.parametrize("habit", ["parent", "deaf"])
def test_closing_a_bot_ends_its_process_and_what_that_has_started(
    habit: str, odd: Open, tmp_path: Path
) -> None:
    bot = odd(habit, file=tmp_path / "pid")
    ask(bot)
    session = int((tmp_path / "pid").read_text())
    assert len(alive(session)) == 2
    assert bot.end(SHORT) is (habit == "parent")
    assert alive(session) == []


def test_a_bot_that_is_not_asked_starts_no_process(odd: Open, tmp_path: Path) -> None:
    odd("none", file=tmp_path / "pid").close()
    assert not (tmp_path / "pid").exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_is_left_when_the_one_that_plays_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    command = odd_command("deaf", file=tmp_path / "pid")
    program = (
        "import sys, time\n"
        "from kingsbridge.ai.arena.process_bot import ProcessBot\n"
        f"ProcessBot('deaf', {command!r}, 60.0).identity()\n"
        "print('ready', flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as player:
        assert player.stdout
        assert player.stdout.readline() == b"ready\n"
        session = int((tmp_path / "pid").read_text())
        assert len(alive(session)) == 2
        os.kill(player.pid, number)
    assert until(lambda: alive(session) == [])


def test_a_program_that_cannot_be_run_is_a_crash(tmp_path: Path) -> None:
    bot = ProcessBot("none", [str(tmp_path / "missing")], TIMEOUT)
    found = fault(bot)
    assert found.kind is FaultKind.CRASH
    assert "exit code 127" in str(found)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    bot = ProcessBot("echo", ["echo", "$(touch", f"{tmp_path}/hacked)", ";", "true"], TIMEOUT)
    assert fault(bot).kind is FaultKind.ILLEGAL
    assert list(tmp_path.iterdir()) == []


def test_files_of_the_one_that_plays_are_not_passed_on(tmp_path: Path) -> None:
    listing = "import os; print(sorted(os.listdir('/proc/self/fd')), file=__import__('sys').stderr)"
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        found = fault(ProcessBot("nosy", [sys.executable, "-c", listing], TIMEOUT))
    assert "['0', '1', '2', '3']" in str(found)  # 3 is the folder that it lists
