"""A client in another language plays a whole game: Node with gRPC's own library, reading the .proto files."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kingsbridge.server.app import App, running

HERE = Path(__file__).parent
NODE_MISSING = "the foreign client is NOT RUN: it needs node and npm (Debian: apt install nodejs npm)"


@pytest.fixture(scope="module")
def node() -> str:
    """The node program, with the client's packages installed as its lock file says."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        if os.environ.get("KINGSBRIDGE_REQUIRE_NODE"):
            pytest.fail(NODE_MISSING)
        pytest.skip(NODE_MISSING)
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        install = subprocess.run(
            [npm, "ci"], cwd=HERE, capture_output=True, text=True, timeout=300, check=False
        )
        assert install.returncode == 0, f"npm ci failed:\n{install.stderr}"
    return node


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
