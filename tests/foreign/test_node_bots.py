"""Bots in another language take part: a program that speaks JSON lines, and a server of BotService."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator

import pytest

from kingsbridge.ai import RandomBot
from kingsbridge.ai.arena.bots import Bots, identity_of
from kingsbridge.ai.arena.conformance import Examination, Outcome, examine
from kingsbridge.ai.arena.game import play_game
from kingsbridge.pyengine import game_names
from tests.foreign.node import HERE, node_program


@pytest.fixture(scope="module")
def node() -> str:
    return node_program()


@pytest.fixture(scope="module")
def called(node: str) -> Iterator[str]:
    """The spec of the bot that is called over gRPC."""
    with subprocess.Popen([node, str(HERE / "grpc_bot.js")], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        match = re.fullmatch(r"listening on (\S+)\n", process.stdout.readline())
        assert match
        yield f"grpc://{match[1]}"
        process.terminate()


@pytest.fixture(params=["program", "called"])
def spec(request: pytest.FixtureRequest, node: str) -> str:
    if request.param == "program":
        return f"exec:{shlex.quote(node)} {shlex.quote(str(HERE / 'bot.js'))}"
    return str(request.getfixturevalue("called"))


def test_a_bot_in_javascript_passes_every_check(spec: str) -> None:
    found = list(examine(Examination(spec)))
    assert len(found) >= 13
    assert [each for each in found if each.outcome is not Outcome.PASSED] == []


@pytest.mark.parametrize("game", game_names())
def test_a_bot_in_javascript_plays_whole_games_the_same_way_again(game: str, spec: str) -> None:
    assert identity_of(spec).version == "1"
    with Bots() as bots:
        played = [
            play_game(game, 3, {}, [bots.seated(spec, 0), RandomBot(), bots.seated(spec, 2)], 11).actions
            for _ in range(2)
        ]
    assert len(played[0]) > 30
    assert played[0] == played[1]
