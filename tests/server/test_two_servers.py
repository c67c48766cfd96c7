"""Two servers share a PostgreSQL database and play the same games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingsbridge.pyengine import Rng
from kingsbridge.v1 import rules_pb2, rules_pb2_grpc
from tests.postgres import Cluster
from tests.soak.ledger import Ledger, Move
from tests.soak.player import Player
from tests.soak.process import Process
from tests.soak.tally import Tally
from tests.soak.violation import CutOffError, RefusedError, ask
from tests.soak.watcher import Watcher


class Either:
    """A stub that asks one server or the other, by chance."""

    def __init__(self, stubs: list[Any], rng: Rng) -> None:
        self._stubs = stubs
        self._rng = rng

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stubs[self._rng.below(len(self._stubs))], name)


@asynccontextmanager
async def server(url: str, folder: Path) -> AsyncIterator[tuple[Process, Any]]:
    """A server in a process of its own, and a stub for it."""
    process = await Process.start(url, folder)
    try:
        async with grpc.aio.insecure_channel(process.address) as channel:
            yield process, rules_pb2_grpc.RulesServiceStub(channel)
    finally:
        process.clear()


async def created(stub: Any, rng: Rng, players: int, bots: list[str]) -> tuple[Ledger, Player]:
    """A game with its player."""
    ledger = Ledger("builders", players, f"two servers, {rng.below(1 << 31):016x}", bots=bots)
    player = Player(ledger, rng, Tally())
    await player.create(stub)
    return ledger, player


async def to_move(ledger: Ledger, stub: Any, count: int) -> list[Move]:
    """So many decisions, if there are, that the seat to move could take now."""
    place = rules_pb2.ListLegalActionsRequest(game_id=ledger.game_id, seat=-1)
    status = (await ask(stub.ListLegalActions, place, ledger.tokens[-1])).status
    seat = status.seat_to_move
    request = rules_pb2.ListLegalActionsRequest(game_id=ledger.game_id, seat=seat)
    actions = (await ask(stub.ListLegalActions, request, ledger.tokens[seat])).actions
    return [
        Move(seat, action.id, status.revision, f"{status.revision}.{action.id}") for action in actions[:count]
    ]


async def send(ledger: Ledger, stub: Any, move: Move) -> Any:
    """The answer to a move, or why it is refused."""
    try:
        return await ask(stub.ApplyAction, move.request(ledger.game_id), ledger.tokens[move.seat])
    except RefusedError as error:
        return error.reason


@pytest.fixture
def url(cluster: Cluster) -> str:
    """An empty database."""
    return cluster.new_place()


async def test_of_two_who_move_at_once_on_two_servers_one_is_told_to_look_again(
    url: str, tmp_path: Path
) -> None:
    async with server(url, tmp_path) as (_, first), server(url, tmp_path) as (_, second):
        ledger, _ = await created(first, Rng(1), 2, ["", ""])
        watchers = [(Watcher(ledger, -1, Tally()), first), (Watcher(ledger, 0, Tally()), second)]
        following = [asyncio.create_task(watcher.follow(stub)) for watcher, stub in watchers]
        contested = 0
        while not ledger.over and contested < 12:
            moves = await to_move(ledger, first, 2)
            answers = await asyncio.gather(
                *(send(ledger, stub, move) for stub, move in zip((first, second), moves, strict=False))
            )
            contested += len(moves) == 2
            (kept,) = [number for number, answer in enumerate(answers) if answer != "STALE_REVISION"]
            moves[kept].answer = answers[kept]
            ledger.moves[answers[kept].status.revision] = moves[kept]
            ledger.see(answers[kept].status, ledger.revision)
        length = len(ledger.moves) + 1
        for watcher, _ in watchers:
            async with asyncio.timeout(10):
                while watcher.revision < length:
                    await asyncio.sleep(0.01)
        for stub in (first, second):
            assert await ledger.check(stub, 0) == len(ledger.moves) >= 12
        for task in following:
            task.cancel()


async def test_a_move_that_is_sent_to_two_servers_at_once_is_played_once_and_answered_by_both(
    url: str, tmp_path: Path
) -> None:
    async with server(url, tmp_path) as (_, first), server(url, tmp_path) as (_, second):
        ledger, _ = await created(first, Rng(2), 2, ["", ""])
        for _ in range(15):
            (move,) = await to_move(ledger, first, 1)
            one, other = await asyncio.gather(send(ledger, first, move), send(ledger, second, move))
            assert one == other
            assert one.status.revision == move.revision + 1
            move.answer = one
            ledger.moves[one.status.revision] = move
        for stub in (first, second):
            assert await ledger.check(stub, 1) == 15


async def test_one_of_two_servers_is_killed_and_nothing_is_lost(url: str, tmp_path: Path) -> None:
    rng = Rng(3)
    async with server(url, tmp_path) as (_, second):
        async with server(url, tmp_path) as (process, first):
            either = Either([first, second], rng)
            tables = [await created(either, rng, 2 + number % 3, _bots(number)) for number in range(4)]
            load = asyncio.gather(*(_played(player, either) for _, player in tables))
            await asyncio.sleep(2.0)
            await process.kill(group=True)
            assert await asyncio.wait_for(load, 60)
        for ledger, player in tables:
            await player.settle(second)
            await ledger.check(second, 0)
        async with server(url, tmp_path) as (process, first):
            either = Either([first, second], rng)
            load = asyncio.gather(*(_played(player, either, 15) for _, player in tables))
            await asyncio.wait_for(load, 60)
            for ledger, player in tables:
                for stub in (first, second):
                    await player.again(stub)
                    assert await ledger.check(stub, 1) > 0


def _bots(number: int) -> list[str]:
    """A bot at a seat of every other game."""
    return ["", "greedy" if number % 2 else "", *[""] * (number % 3)]


async def _played(player: Player, stub: Any, steps: int = 1 << 30) -> bool:
    """Plays until the game is over, or so many steps; or until a server is gone."""
    try:
        for _ in range(steps):
            await player.step(stub)
    except CutOffError:
        pass
    return True
