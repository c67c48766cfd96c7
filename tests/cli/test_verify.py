"""The luck of a finished game, looked at from a terminal."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from kingsbridge.pyengine import Dealer, GameRecord, game_names
from tests.cli.conftest import Runner

GAME = game_names()[0]
SEED = 0x00112233445566778899AABBCCDDEEFF
HEX = "00112233445566778899aabbccddeeff"
COMMITMENT = sha256(b"kingsbridge-seed:" + bytes.fromhex(HEX)).hexdigest()


def finished(game: str = GAME) -> GameRecord:
    record, dealer = GameRecord(game, 2), Dealer(SEED)
    while not (state := record.state()).is_terminal:
        record.append(dealer.outcome(state) if state.is_chance else state.legal_actions()[-1])
    return record


@pytest.fixture(scope="module")
def text() -> str:
    return finished().text(seed=SEED)


@pytest.fixture
def path(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.record"
    path.write_text(text, encoding="utf-8")
    return path


def kinds(text: str) -> Counter[str]:
    """The events of chance in a record by kind: those that no seat decided."""
    lines = text.partition("\n\n")[2].split("\n")
    return Counter(line.partition("(")[0] for line in lines if "(" in line and not line[0].isdigit())


def test_honest_luck_is_counted_and_said_to_be_so(kingsbridge: Runner, path: Path, text: str) -> None:
    done = kingsbridge("verify", str(path))
    assert (done.code, done.err) == (0, "")
    lines = done.out.rstrip("\n").split("\n")
    chance = kinds(text)
    assert lines[0] == f"{GAME}, 2 players, {text.count('(')} events"
    assert lines[1].startswith(f"{chance.total()} events of chance: ")
    assert sorted(lines[1].partition(": ")[2].split(", ")) == sorted(
        f"{n} {kind}" for kind, n in chance.items()
    )
    assert lines[2] == f"seed {HEX}"
    assert lines[3].startswith(f"commitment {COMMITMENT}")
    assert lines[-1] == "all as the seed deals them"


@pytest.mark.parametrize("game", game_names())
def test_the_record_of_every_game_that_was_played_on_a_server_verifies(
    kingsbridge: Runner, server: str, tmp_path: Path, game: str
) -> None:
    played = tmp_path / "played.record"
    bots = ("--auto", "--bot", "greedy", "--json", "--server", server)
    assert kingsbridge("play", game, *bots, "--record", str(played)).code == 0
    done = kingsbridge("verify", str(played))
    assert (done.code, done.out.rstrip().split("\n")[-1]) == (0, "all as the seed deals them")


def test_a_commitment_that_is_given_is_checked(kingsbridge: Runner, path: Path) -> None:
    done = kingsbridge("verify", str(path), "--commitment", COMMITMENT.upper())
    assert done.code == 0
    assert f"commitment {COMMITMENT}, as given" in done.out
    done = kingsbridge("verify", str(path), "--commitment", "0" * 64)
    assert done.code == 1
    assert f"commitment {COMMITMENT}, not the one given: {'0' * 64}" in done.out


def test_the_first_event_that_the_seed_does_not_deal_is_shown(kingsbridge: Runner, path: Path) -> None:
    done = kingsbridge("verify", str(path), "--seed", "f" * 32, "--json")
    found = json.loads(done.out)
    assert done.code == 1
    assert (found["seed"], found["good"], found["commitment_kept"]) == ("f" * 32, False, None)
    record = GameRecord.load(path)
    dealer = Dealer(2**128 - 1)
    number = next(
        number
        for number, (state, action) in enumerate(zip(record.states(), record.actions, strict=False), start=1)
        if state.is_chance and dealer.outcome(state) != action
    )
    assert found["wrong"]["event"] == number
    body = path.read_text(encoding="utf-8").partition("\n\n")[2].split("\n")
    assert found["wrong"]["recorded"] == body[number - 1]
    said = kingsbridge("verify", str(path), "--seed", "f" * 32)
    assert said.out.rstrip("\n").split("\n")[-1] == (
        f"event {number} is not as the seed deals it: recorded {found['wrong']['recorded']}, "
        f"dealt {found['wrong']['dealt']}"
    )


def test_json_is_one_object(kingsbridge: Runner, path: Path, text: str) -> None:
    done = kingsbridge("verify", str(path), "--json", "--commitment", COMMITMENT)
    assert json.loads(done.out) == {
        "game": GAME,
        "events": text.count("("),
        "chance": dict(kinds(text)),
        "seed": HEX,
        "commitment": COMMITMENT,
        "commitment_kept": True,
        "wrong": None,
        "good": True,
    }


def test_a_record_without_a_seed_needs_one(kingsbridge: Runner, tmp_path: Path, text: str) -> None:
    path = tmp_path / "silent.record"
    path.write_text(text.replace(f"seed {HEX}\n", ""), encoding="utf-8")
    done = kingsbridge("verify", str(path))
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "it tells no seed" in done.err
    assert kingsbridge("verify", str(path), "--seed", HEX.upper()).code == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--seed", "12"), "--seed takes 32 hexadecimal digits"),
        (("--seed", "g" * 32), "--seed takes 32 hexadecimal digits"),
        (("--commitment", HEX), "--commitment takes 64 hexadecimal digits"),
    ],
)
def test_digits_that_are_none_are_wrong_usage(
    kingsbridge: Runner, path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    done = kingsbridge("verify", str(path), *arguments)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert reason in done.err


def test_what_is_no_record_is_said_in_one_line(kingsbridge: Runner, tmp_path: Path) -> None:
    done = kingsbridge("verify", str(tmp_path / "none"))
    assert (done.code, done.err.count("\n")) == (1, 1)
    path = tmp_path / "other"
    path.write_text("hello", encoding="utf-8")
    done = kingsbridge("verify", str(path))
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "line 1" in done.err
