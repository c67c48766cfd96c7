"""Golden playthroughs: a change of behaviour shows as a change of text."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingsbridge.pyengine import OptionError, UnknownGameError, describe, game_names
from kingsbridge.pyengine.playthrough import main, playthrough, regenerated

FOLDER = Path(__file__).parent.parent / "data" / "playthroughs"
GOLDEN = sorted(FOLDER.glob("*.txt"))
AGAIN = "python -m kingsbridge.pyengine.playthrough --update tests/data/playthroughs/*.txt"


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_game_plays_as_its_golden_text_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert regenerated(text).split("\n") == text.split("\n"), f"if the change is meant: {AGAIN}"


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_text_is_short_enough_to_be_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    assert len(lines) < 3500
    assert max(map(len, lines[2:])) <= 120  # after the head


def test_between_them_the_golden_texts_leave_the_default_of_every_option() -> None:
    heads = "\n".join(path.read_text(encoding="utf-8").split("\n")[1] for path in GOLDEN)
    for game in game_names():
        for option in describe(game).options:
            assert heads.count(f" {option.name}=") > heads.count(f" {option.name}={option.default} ")


@pytest.mark.parametrize("game", game_names())
def test_a_playthrough_tells_every_event_and_every_choice(game: str) -> None:
    text = playthrough(game, 2, seed=3)
    nodes = text.split("\n\n")[1:-1]
    assert text.startswith(f"playthrough of {game} ")
    assert [int(node[1 : node.index("]")]) for node in nodes] == list(range(len(nodes)))
    assert all("\n-> " in node for node in nodes[:-1])
    assert all(("chance, key" in node) == (" of weight " in node) for node in nodes)
    assert all(("seat " in node.split("\n", 1)[0]) == ("\n  may " in node) for node in nodes)
    assert "the game is over" in nodes[-1]
    assert text.rstrip().split("\n")[-2].startswith("scores ")


def test_what_every_viewer_sees_is_told_once() -> None:
    text = playthrough(game_names()[0], 2, seed=3)
    assert "all see: " in text or "spectators: " in text


def test_other_seeds_and_policies_are_other_playthroughs() -> None:
    game = game_names()[0]
    texts = {playthrough(game, 2, seed, policy=policy) for seed in (1, 2) for policy in ("light", "uniform")}
    assert len(texts) == 4


def test_a_file_that_is_no_playthrough_is_not_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("shopping list\n")
    with pytest.raises(SystemExit) as leaving:
        main(["--update", str(path)])
    assert leaving.value.code == 2
    assert path.read_text() == "shopping list\n"


def test_the_command_writes_and_updates_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, path = game_names()[0], tmp_path / "game.txt"
    assert main([game, "--players", "2", "--seed", "3", "--output", str(path)]) == 0
    assert path.read_text() == playthrough(game, 2, seed=3)
    head = "\n".join(path.read_text().split("\n")[:2]) + "\n"
    path.write_text(head)
    assert main(["--update", str(path)]) == 0
    assert path.read_text() == playthrough(game, 2, seed=3)
    assert main([game, "--seed", "3"]) == 0
    assert capsys.readouterr().out == path.read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "chess"),
        (["GAME", "--players", "99"], "players"),
        (["GAME", "--option", "speed=1"], "speed"),
        (["GAME", "--option", "speed"], "invalid literal"),
        (["GAME", "--policy", "heavy"], "heavy"),
        ([], "name a game"),
        (["--update", "/nowhere.txt"], "nowhere"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        main([game_names()[0] if each == "GAME" else each for each in arguments])
    assert leaving.value.code == 2
    assert reason in capsys.readouterr().err


def test_a_playthrough_of_nothing_is_refused() -> None:
    with pytest.raises(UnknownGameError):
        playthrough("chess", 2, 1)
    with pytest.raises(OptionError):
        playthrough(game_names()[0], 99, 1)
