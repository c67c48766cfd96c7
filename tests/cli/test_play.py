"""The terminal frontend: whole games over gRPC, with bots in all seats or a human in one."""

from __future__ import annotations

import json
import os
import platform
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import grpc
import pytest

from kingsbridge.ai.levels import levels
from kingsbridge.pyengine import GameRecord, describe, game_names
from tests.cli.conftest import COMMAND, SECONDS, Runner
from tests.processes import until
from tests.server.certificates import Authority
from tests.server.flaky import Flaky, failing, serving

GAME = game_names()[0]
FAST = ("--bot", "greedy", "--seed", "11")


def answers(address: str) -> bool:
    """Whether something listens at HOST:PORT."""
    host, _, port = address.rpartition(":")
    with suppress(OSError), socket.create_connection((host, int(port)), timeout=2):
        return True
    return False


def started_at(text: str) -> str:
    """Where the command's own server listened."""
    match = re.search(r"server started at (\S+)", text)
    assert match, text
    return match[1]


def test_bots_play_a_whole_game_on_a_server_of_its_own_which_then_stops(kingsbridge: Runner) -> None:
    done = kingsbridge.apart("play", GAME, "--auto", "--iterations", "30", "--seed", "4")
    assert (done.code, done.err) == (0, "")
    assert not answers(started_at(done.out))
    assert done.out.rstrip().endswith("server stopped")
    assert "final scores" in done.out
    assert "wins" in done.out or "share the win" in done.out
    ends = [kind.phrase["en"] for kind in describe(GAME).kinds if not kind.arguments and not kind.chance]
    assert any(words in done.out for words in ends)


@pytest.mark.parametrize("players", range(describe(GAME).min_players, describe(GAME).max_players + 1))
def test_every_number_of_players_plays_to_the_end(kingsbridge: Runner, server: str, players: int) -> None:
    done = kingsbridge("play", GAME, "--auto", *FAST, "--players", str(players), "--server", server)
    assert (done.code, done.err) == (0, "")
    for seat in range(players):
        assert f"seat {seat} greedy: " in done.out
    assert "server stopped" not in done.out
    assert answers(server)


def test_json_is_one_object_and_the_record_replays_to_its_scores(
    kingsbridge: Runner, server: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.record"
    done = kingsbridge("play", GAME, "--auto", *FAST, "--json", "--server", server, "--record", str(path))
    game = json.loads(done.out)
    assert (done.code, done.out.count("\n")) == (0, 1)
    record = GameRecord.load(path)
    assert record.result == tuple(game["scores"])
    assert min(game["places"]) == 1
    assert (game["game"], game["seats"]) == (GAME, ["greedy", "greedy"])
    decisions = [
        f"{state.current_player}: {action}"
        for state, action in zip(record.states(), record.actions, strict=False)
        if not state.is_chance
    ]
    assert len(game["actions"]) == len(decisions)


def test_a_seed_repeats_the_game_with_its_searches(kingsbridge: Runner, server: str) -> None:
    def played(seed: str) -> str:
        arguments = ("--bot", "ismcts", "--iterations", "20", "--seed", seed, "--json", "--server", server)
        return kingsbridge("play", GAME, "--auto", *arguments).out

    assert played("5") == played("5") != played("6")


def test_a_bot_keeps_to_its_level(kingsbridge: Runner, server: str) -> None:
    def played(bot: str) -> list[str]:
        done = kingsbridge("play", GAME, "--auto", "--bot", bot, "--seed", "5", "--json", "--server", server)
        actions: list[str] = json.loads(done.out)["actions"]
        return actions

    knobs = ",".join(f"{name}={value}" for name, value in levels().at(1, GAME, 2).items())
    assert played("ismcts:level=1") == played(f"ismcts:{knobs}") != played("ismcts:level=2")


def test_several_bots_take_the_seats_in_turn(kingsbridge: Runner, server: str) -> None:
    bots = ("--bot", "greedy", "--bot", "random", "--players", "3")
    done = kingsbridge("play", GAME, "--auto", *bots, "--json", "--seed", "3", "--server", server)
    assert json.loads(done.out)["seats"] == ["greedy", "random", "greedy"]


@pytest.mark.parametrize("language", ["fr", "ja"])
def test_cards_and_actions_speak_the_language_asked_for(
    kingsbridge: Runner, server: str, language: str
) -> None:
    done = kingsbridge("play", GAME, "--auto", *FAST, "--language", language, "--server", server)
    names = {component.names[language] for component in describe(GAME).components}
    assert sum(name in done.out for name in names) > 5
    others = {component.names["en"] for component in describe(GAME).components} - names
    assert not [name for name in others if f"{name} " in done.out and len(name) > 8]


def test_options_of_the_game_reach_it(kingsbridge: Runner, server: str, tmp_path: Path) -> None:
    option = describe(GAME).options[0]
    path = tmp_path / "game.record"
    asked = ("--option", f"{option.name}={option.min}", "--record", str(path), "--server", server)
    assert kingsbridge("play", GAME, "--auto", *FAST, *asked).code == 0
    assert GameRecord.load(path).options[option.name] == option.min


def human(server: str, *lines: str) -> tuple[str, ...]:
    """Arguments and input of a human at seat 0 against a quick bot."""
    return ("play", GAME, *FAST, "--server", server)


def test_wrong_input_gets_a_clear_line_and_is_asked_again(kingsbridge: Runner, server: str) -> None:
    done = kingsbridge.apart(*human(server), stdin="0\n99\nfoo\n-1\n²\n\n? Z99\nq\n")
    assert (done.code, done.err) == (0, "")
    assert done.out.count("your action") == 8
    assert "there is no action 0: choose 1 .." in done.out
    assert "there is no action 99: choose 1 .." in done.out
    for wrong in ("foo", "-1", "²"):
        assert f"'{wrong}' is no action you may take now" in done.out
    assert "there is no card 'Z99'" in done.out
    assert done.out.rstrip().endswith("You left the game.")


def test_the_human_gets_help_the_table_cards_and_a_hint(kingsbridge: Runner, server: str) -> None:
    component = describe(GAME).components[-1]
    done = kingsbridge.apart(*human(server), stdin=f"?\n??\n? {component.id.lower()}\nv\nh\nquit\n")
    assert done.code == 0
    assert "leave the game" in done.out
    assert re.search(r" 1 \w+\(.*\)", done.out)
    assert f"{component.names['en']} {component.id} (" in done.out
    assert done.out.count("your action") == 6
    assert done.out.count("to move") == 2


def test_a_search_explains_its_hint(kingsbridge: Runner, server: str) -> None:
    searching = ("play", GAME, "--bot", "ismcts", "--iterations", "50", "--server", server)
    done = kingsbridge.apart(*searching, stdin="h\nq\n")
    assert "visits" in done.out
    assert "50 iterations" in done.out


def test_actions_are_taken_by_number_and_by_notation(kingsbridge: Runner, server: str) -> None:
    listed = kingsbridge.apart(*human(server), stdin="??\nq\n").out
    notation = next(line for line in listed.split("\n") if re.match(r"^\W+2 \w+\(", line)).split(" ", 1)
    text = notation[-1].strip().removeprefix("2 ").strip()
    spaced = text.replace("(", " ( ").replace("=", " = ")
    by_number = kingsbridge.apart(*human(server), stdin="2\nq\n")
    by_text = kingsbridge.apart(*human(server), stdin=f"{spaced}\nq\n")
    moved = [
        [
            line
            for line in done.out.split("\n")
            if line.startswith(("your", "seat 0 you: ")) or "you: " in line
        ]
        for done in (by_number, by_text)
    ]
    assert moved[0] == moved[1]
    assert any("seat 0 you: " in line for line in moved[0])


def test_a_human_who_always_takes_the_first_action_reaches_the_end(kingsbridge: Runner, server: str) -> None:
    asked = ("--option", f"{describe(GAME).options[0].name}=3")
    done = kingsbridge.apart(*human(server), *asked, stdin="1\n" * 2000)
    assert (done.code, done.err) == (0, "")
    assert "final scores" in done.out


def test_the_end_of_input_leaves_the_game_and_stops_the_server(kingsbridge: Runner) -> None:
    done = kingsbridge.apart("play", GAME, *FAST, stdin="")
    assert (done.code, done.err) == (0, "")
    assert "You left the game." in done.out
    assert not answers(started_at(done.out))


@contextmanager
def at_a_terminal(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A command with a terminal of its own, and our end of it."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        # A run in the background ignores interrupts, and a child inherits that.
        ["env", "--default-signal", *COMMAND, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(terminal: int, wanted: str) -> str:
    """What the terminal shows up to a text, without its colours."""
    shown = ""
    deadline = time.monotonic() + SECONDS
    while wanted not in shown:
        assert select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))[0], shown
        with suppress(OSError):  # the other end is closed
            shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", os.read(terminal, 65536).decode(errors="replace"))
    return shown


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Until the program waits in read(0, ...). What interrupts it between its prompt and that is seen with
    the next key only: input() looks for signals before it reads.
    """
    waiting = [{"x86_64": "0", "aarch64": "63"}[platform.machine()], "0x0"]
    under_way = Path(f"/proc/{process.pid}/syscall")
    assert until(lambda: under_way.read_text().split()[:2] == waiting, SECONDS)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_leaves_cleanly_with_the_server_stopped(number: signal.Signals, code: int) -> None:
    with at_a_terminal("play", GAME, *FAST) as (process, terminal):
        shown = read_until(terminal, "your action")
        address = started_at(shown)
        assert answers(address)
        wait_until_it_reads(process)
        process.send_signal(number)
        shown = read_until(terminal, "server stopped")
        assert process.wait(SECONDS) == code
    assert "Traceback" not in shown
    assert not answers(address)


def test_a_terminal_gets_colours_and_a_pipe_does_not(kingsbridge: Runner, server: str) -> None:
    with at_a_terminal(*human(server)) as (process, terminal):
        raw = b""
        while b"your action" not in raw:
            raw += os.read(terminal, 65536)
        os.write(terminal, b"q\n")
        read_until(terminal, "You left the game.")
        assert process.wait(SECONDS) == 0
    assert b"\x1b[" in raw
    assert "\x1b[" not in kingsbridge.apart(*human(server), stdin="q\n").out


def test_an_interrupt_while_bots_play_leaves_cleanly() -> None:
    with at_a_terminal("play", GAME, "--auto", "--iterations", "100000") as (process, terminal):
        address = started_at(read_until(terminal, "to move"))
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in read_until(terminal, "server stopped")
        assert process.wait(SECONDS) == 130
    assert not answers(address)


def test_an_unknown_bot_is_refused_by_the_server_in_one_line(kingsbridge: Runner, server: str) -> None:
    done = kingsbridge("play", GAME, "--auto", "--bot", "deep_blue", "--server", server)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "deep_blue" in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(("chess",), "chess"), ((GAME, "--players", "99"), "players"), ((GAME, "--option", "speed=1"), "speed")],
)
def test_what_the_server_refuses_is_said_in_one_line(
    kingsbridge: Runner, server: str, arguments: tuple[str, ...], reason: str
) -> None:
    done = kingsbridge("play", *arguments, "--auto", "--server", server)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert reason in done.err


def test_where_no_server_answers_it_is_said_in_one_line(kingsbridge: Runner) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = kingsbridge("play", GAME, "--auto", "--server", address)
    assert (done.code, done.err) == (1, f"kingsbridge: no server answers at {address}\n")


def test_a_server_is_spoken_to_by_tls_if_its_root_is_given(
    kingsbridge: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingsbridge.server.client.connection.CONNECT_SECONDS", 1.0)
    authority = Authority("a")
    certificate, key = authority.signed("server")
    roots, others = tmp_path / "roots.pem", tmp_path / "others.pem"
    roots.write_bytes(authority.pem)
    others.write_bytes(Authority("b").pem)
    flaky = Flaky()
    flaky.failures = [failing(grpc.StatusCode.NOT_FOUND)]
    credentials = grpc.ssl_server_credentials([(key, certificate)])
    with serving(flaky, credentials) as address:
        playing = ("play", GAME, "--auto", "--server", address)
        assert kingsbridge(*playing, "--tls-roots", str(roots)).err == "kingsbridge: not now\n"
        for untrusted in (("--tls-roots", str(others)), ("--tls",), ()):
            done = kingsbridge(*playing, *untrusted)
            assert (done.code, done.err) == (1, f"kingsbridge: no server answers at {address}\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--tls-key", "k"), 2),
        (("--tls-certificate", "c"), 2),
        (("--no-tls", "--tls-roots", "r"), 2),
        (("--tls-roots", "no such file"), 1),
    ],
)
def test_certificates_that_do_not_fit_are_refused_in_one_line(
    kingsbridge: Runner, arguments: tuple[str, ...], code: int
) -> None:
    done = kingsbridge("play", GAME, "--auto", "--server", "127.0.0.1:1", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)


def test_a_server_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch, kingsbridge: Runner) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    done = kingsbridge("play", GAME, "--auto")
    assert done.code == 1
    assert "the server did not start" in done.err
    assert done.err.count("\n") == 1
