"""No caller can have the server start a program, call an address or load a package: its bots are built in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from kingsbridge.v1 import ai_pb2, rules_pb2
from tests.arena.odd_bots import odd_spec

from .client import Client, refused

OUTSIDE = ("exec:touch {file}", "exec:{odd}", "grpc://127.0.0.1:1", "grpcs://127.0.0.1:1", "grpc", "exec")


@pytest.fixture(params=OUTSIDE)
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    odd = odd_spec("none", file=tmp_path / "started").removeprefix("exec:")
    return str(request.param).format(file=tmp_path / "started", odd=odd)


async def unknown(call: Any, field: str, folder: Path) -> None:
    refusal = await refused(call)
    assert (refusal.code, refusal.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)
    assert refusal.reason in {"UNKNOWN_BOT", "INVALID_FIELD"}  # the latter where the spec is too long
    assert list(folder.iterdir()) == []


async def test_nobody_can_ask_a_bot_outside(client: Client, spec: str, tmp_path: Path) -> None:
    game = await client.create()
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=game.status.seat_to_move)
    fields: dict[str, Any] = {"session": session, "bot": spec}
    await unknown(client.ai.ChooseAction(ai_pb2.ChooseActionRequest(**fields)), "bot", tmp_path)
    await unknown(client.ai.ChooseTurn(ai_pb2.ChooseTurnRequest(**fields)), "bot", tmp_path)


async def test_no_seat_is_given_to_a_bot_outside(client: Client, spec: str, tmp_path: Path) -> None:
    bot = rules_pb2.SeatBot(seat=0, bot=spec)
    new = rules_pb2.CreateGameRequest(game="builders", players=2, bots=[bot])
    await unknown(client.rules.CreateGame(new), "bots.bot", tmp_path)
    game = await client.create()
    request = rules_pb2.TakeOverSeatRequest(game_id=game.game_id, bot=bot)
    await unknown(client.rules.TakeOverSeat(request), "bot.bot", tmp_path)


async def test_the_list_of_bots_names_none_outside(client: Client) -> None:
    answer = await client.ai.ListBots(ai_pb2.ListBotsRequest())
    assert {bot.name for bot in answer.bots} == {"random", "greedy", "flat_mc", "mcts", "ismcts"}
