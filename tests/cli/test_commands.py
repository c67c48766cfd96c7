"""Commands that need no server: lists, counts and matches, and what they say when asked wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kingsbridge.pyengine import (
    ENGINE_VERSION,
    LANGUAGES,
    Dealer,
    GameRecord,
    describe,
    game_names,
    load_game,
    text_in,
)
from tests.cli.conftest import Runner

GAME = game_names()[0]
COMMANDS = (
    "games",
    "bots",
    "bot",
    "play",
    "serve",
    "match",
    "tournament",
    "perft",
    "bench",
    "profile",
    "verify",
    "version",
)


def test_the_list_of_games_names_them_all_with_title_and_seats(kingsbridge: Runner) -> None:
    done = kingsbridge("games")
    assert (done.code, done.err) == (0, "")
    for name in game_names():
        info = describe(name)
        line = next(line for line in done.out.split("\n") if line.startswith(name))
        assert info.title["en"] in line
        assert f"{info.min_players} - {info.max_players}" in line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", game_names())
def test_a_game_is_shown_with_options_actions_and_every_component(
    kingsbridge: Runner, game: str, language: str
) -> None:
    done = kingsbridge("games", game, "--language", language)
    info = describe(game)
    assert done.code == 0
    assert text_in(info.title, language) in done.out
    for word in (
        *(option.name for option in info.options),
        *(f"{kind.name}(" for kind in info.kinds),
    ):
        assert word in done.out
    for component in info.components:
        assert re.search(rf"\s{component.id}\b", done.out)


def test_the_bots_are_listed_with_their_options(kingsbridge: Runner) -> None:
    done = kingsbridge("bots")
    assert done.code == 0
    for word in ("random", "greedy", "flat_mc", "mcts", "ismcts", "iterations"):
        assert word in done.out


def test_the_version_is_that_of_the_engine(kingsbridge: Runner) -> None:
    assert kingsbridge("version").out == f"kingsbridge {ENGINE_VERSION}\n"


def test_without_a_command_the_commands_are_listed(kingsbridge: Runner) -> None:
    done = kingsbridge()
    assert done.code == 0
    for command in COMMANDS:
        assert command in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(kingsbridge: Runner, command: str) -> None:
    done = kingsbridge(command, "--help")
    assert done.code == 0
    assert f"kingsbridge {command}" in done.out


def test_perft_counts_from_a_dealt_position(kingsbridge: Runner) -> None:
    state = load_game(GAME, 3)
    Dealer(9).settle(state)
    done = kingsbridge("perft", GAME, "--players", "3", "--depth", "2", "--seed", "9")
    assert (done.code, done.out) == (0, f"{state.perft(2)}\n")
    assert "leaves/s" in done.err


def test_perft_expands_chance_if_asked(kingsbridge: Runner) -> None:
    state = load_game(GAME)
    Dealer(1).settle(state)
    done = kingsbridge("perft", GAME, "--depth", "2", "--expand-chance")
    assert int(done.out) == state.perft(2, expand_chance=True) > state.perft(2)


@pytest.mark.parametrize("more", [[], ["--expand-chance"]])
def test_the_parts_of_a_divided_perft_add_up(kingsbridge: Runner, more: list[str]) -> None:
    whole = kingsbridge("perft", GAME, "--depth", "3", *more)
    *parts, total = kingsbridge("perft", GAME, "--depth", "3", "--divide", *more).out.split("\n")[:-1]
    assert total == whole.out.strip()
    assert sum(int(part.rpartition(": ")[2]) for part in parts) == int(total)
    assert len(parts) == int(kingsbridge("perft", GAME, "--depth", "1", *more).out)


def test_a_divided_perft_of_depth_0_is_one_leaf(kingsbridge: Runner) -> None:
    assert kingsbridge("perft", GAME, "--depth", "0", "--divide").out == "1\n"


def test_perft_starts_from_a_record(kingsbridge: Runner, tmp_path: Path) -> None:
    record = GameRecord(GAME, 2)
    record.save(tmp_path / "start.record")
    done = kingsbridge(
        "perft", GAME, "--depth", "1", "--expand-chance", "--record", str(tmp_path / "start.record")
    )
    assert int(done.out) == len(record.state().chance_outcomes())
    divided = kingsbridge(
        "perft", GAME, "--depth", "1", "--divide", "--record", str(tmp_path / "start.record")
    )
    assert int(divided.out.split()[-1]) == record.state().perft(1)


def test_a_match_prints_a_table(kingsbridge: Runner) -> None:
    done = kingsbridge("match", GAME, "--bots", "random", "greedy", "--blocks", "3", "--seed", "5")
    assert done.code == 0
    assert done.err == ""
    assert "6 games in 3 blocks" in done.out
    assert len([line for line in done.out.split("\n") if "%" in line and "±" in line]) == 2


def test_a_match_prints_one_json_object(kingsbridge: Runner) -> None:
    arguments = (
        "match",
        GAME,
        "--players",
        "3",
        "--bots",
        "random",
        "--bots",
        "greedy",
        "--blocks",
        "2",
        "--json",
    )
    done = kingsbridge(*arguments)
    result = json.loads(done.out)
    assert done.out.count("\n") == 1
    assert {key: result[key] for key in ("game", "players", "blocks")} == {
        "game": GAME,
        "players": 3,
        "blocks": 2,
    }
    assert [bot["bot"] for bot in result["bots"]] == ["random", "greedy"]
    assert set(result["bots"][0]) == {"bot", "games", "win_share", "win_share_ci95", "mean_score"}
    assert kingsbridge(*arguments).out == done.out


def test_a_match_saves_records_that_replay(kingsbridge: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    done = kingsbridge(
        "match", GAME, "--bots", "random", "greedy", "--blocks", "2", "--save", str(folder), "--json"
    )
    records = [GameRecord.load(path) for path in sorted(folder.iterdir())]
    assert len(records) == 4
    assert all(record.state().is_terminal for record in records)
    bots = json.loads(done.out)["bots"]
    scores = [score for record in records for score in record.state().scores()]
    assert sum(scores) / len(scores) == pytest.approx(sum(bot["mean_score"] for bot in bots) / 2)


WRONG: dict[str, tuple[str, int, str]] = {
    "no such command": ("frobnicate", 2, "frobnicate"),
    "no such game to show": ("games chess", 2, "chess"),
    "no such language": ("games --language xx", 2, "en, fr, ja, de"),
    "no game to play": ("play", 2, "GAME"),
    "no such game to play": ("play chess", 2, "chess"),
    "no such seat": (f"play {GAME} --seat 4", 2, "--seat 4"),
    "no such language to play in": (f"play {GAME} --language xx", 2, "en, fr, ja, de"),
    "json for a human": (f"play {GAME} --json", 2, "--auto"),
    "no such seed": (f"play {GAME} --seed -1", 2, "--seed"),
    "no address": (f"play {GAME} --server nowhere", 2, "HOST:PORT"),
    "no folder for the record": (f"play {GAME} --auto --record /nowhere/x", 1, "/nowhere/x"),
    "no depth": (f"perft {GAME}", 2, "--depth"),
    "a depth that is no number": (f"perft {GAME} --depth deep", 2, "--depth"),
    "too many players to count": (f"perft {GAME} --depth 1 --players 99", 2, "players"),
    "no such game to count": ("perft chess --depth 1", 2, "chess"),
    "no such record": (f"perft {GAME} --depth 1 --record /nowhere", 1, "/nowhere"),
    "no such option of the game": (f"perft {GAME} --depth 1 --option speed=1", 2, "speed"),
    "an option without a value": (f"perft {GAME} --depth 1 --option speed", 2, "NAME=VALUE"),
    "no such bot": (f"match {GAME} --bots foo", 2, "foo"),
    "no such option of a bot": (f"match {GAME} --bots greedy:x=1", 2, "x"),
    "no bots": (f"match {GAME}", 2, "--bots"),
    "no bot after the option": (f"match {GAME} --bots", 2, "--bots"),
    "too many bots": (f"match {GAME} --bots random random random random random", 2, "bots"),
    "no blocks": (f"match {GAME} --bots random --blocks 0", 2, "--blocks"),
    "no game to match": ("match --bots random", 2, "GAME"),
    "no such game to match": ("match chess --bots random", 2, "chess"),
    "a negative seed": (f"match {GAME} --bots random --seed -1", 2, "--seed"),
    "a file in place of a folder": (f"match {GAME} --bots random --save /dev/null", 1, "/dev/null"),
    "no such port": ("serve --port 70000", 2, "--port"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_asked_wrongly_is_answered_in_one_line(kingsbridge: Runner, name: str) -> None:
    command, code, reason = WRONG[name]
    done = kingsbridge(*command.split())
    assert done.code == code
    assert done.out == ""
    assert done.err.startswith("kingsbridge: ")
    assert done.err.count("\n") == 1
    assert reason in done.err


def test_a_damaged_record_is_refused_with_its_line(kingsbridge: Runner, tmp_path: Path) -> None:
    path = tmp_path / "bad.record"
    path.write_text(GameRecord(GAME).text() + "dance()\n")
    done = kingsbridge("perft", GAME, "--depth", "1", "--record", str(path))
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "line 8: unknown action 'dance'" in done.err
