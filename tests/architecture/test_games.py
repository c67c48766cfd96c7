"""A game brings all that a game must have, and the rest of the project names none."""

from __future__ import annotations

import re

import pytest

from kingsbridge.pyengine import describe, game_names
from kingsbridge.v1 import game_pb2
from tests.architecture.sources import ROOT, SOURCES, Source

every_game = pytest.mark.parametrize("game", game_names())
TESTS = ROOT / "tests"


@every_game
def test_a_game_has_a_playthrough_for_each_number_of_players(game: str) -> None:
    info = describe(game)
    for players in range(info.min_players, info.max_players + 1):
        assert (TESTS / "data" / "playthroughs" / f"{game}_{players}p.txt").is_file()


@every_game
def test_a_game_has_perft_tables(game: str) -> None:
    tables = [path for path in (TESTS / "data" / "perft").glob(f"{game}*") if path.stat().st_size > 100]
    assert tables


@every_game
def test_a_game_has_tests_of_its_rules(game: str) -> None:
    folder, file = TESTS / "rules" / game, TESTS / "rules" / f"test_{game}.py"
    assert any(folder.glob("test_*.py")) if folder.is_dir() else file.is_file()


@every_game
def test_a_game_has_an_independent_model_of_its_rules(game: str) -> None:
    model = TESTS / "oracle" / f"{game}.py"
    assert model.is_file()
    assert "kingsbridge" not in model.read_text(encoding="utf-8")


@every_game
def test_a_game_has_a_message_for_its_view_with_the_fields_of_the_view(game: str) -> None:
    assert (ROOT / "proto" / "kingsbridge" / "v1" / f"{game}.proto").is_file()
    case = game_pb2.GameView.DESCRIPTOR.oneofs_by_name["view"].fields
    assert game in [field.name for field in case]


def test_every_message_for_a_view_has_its_game() -> None:
    case = game_pb2.GameView.DESCRIPTOR.oneofs_by_name["view"].fields
    assert sorted(field.name for field in case) == sorted(game_names())


@pytest.mark.parametrize(
    "source",
    [source for source in SOURCES if source.layer in ("ai", "server")],
    ids=lambda source: source.name,
)
def test_bots_and_server_name_no_game(source: Source) -> None:
    for game in game_names():
        # As a string or a part of a name; a game's name may be a common word, too.
        assert not re.search(rf"""["']{game}\b|\b{game.capitalize()}[A-Z]""", source.text)
        assert describe(game).title["en"] not in source.text


@pytest.mark.parametrize("folder", ["core", "algorithms", "bindings"])
def test_the_engine_outside_its_games_names_no_game(folder: str) -> None:
    for path in (ROOT / "engine_cpp" / folder).rglob("*.?pp"):
        for line in path.read_text(encoding="utf-8").split("\n"):
            code = line.partition("//")[0]
            assert not any(game in code.lower() for game in game_names()), f"{path.name}: {line}"
