"""A client in another language plays a whole game: Node with gRPC's own library, reading the .proto files."""

from __future__ import annotations

import asyncio
import json
import subprocess

import pytest

from kingsbridge.server.app import App, running
from tests.foreign.node import HERE, node_program


@pytest.fixture(scope="module")
def node() -> str:
    return node_program()


@pytest.mark.parametrize(("game", "players"), [("builders", 2), ("pillars", 3), ("column", 4)])
async def test_a_node_client_that_knows_only_the_proto_files_plays_a_whole_game(
    node: str, game: str, players: int
) -> None:
    async with running(App(workers=1)) as address:
        process = await asyncio.create_subprocess_exec(
            node,
            "play.js",
            address,
            game,
            str(players),
            cwd=HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), timeout=120)
    assert process.returncode == 0, err.decode()
    summary = json.loads(out)
    assert summary["decisions"] > 20
    assert len(summary["scores"]) == players
