"""A server that is killed under load loses nothing: the short form of ``tests.soak.crash``."""

from __future__ import annotations

from pathlib import Path

from kingsbridge.pyengine import Rng
from tests.soak.soak import Soak


async def test_a_server_that_is_killed_under_load_loses_nothing(database_url: str, tmp_path: Path) -> None:
    soak = Soak(database_url, tmp_path, Rng(5), tables=6, least=8)
    await soak.run(kills=5, play_out=False)
    counts = soak.tally.counts
    assert counts["kills"] == 5
    assert counts["moves acknowledged"] >= 5 * 8
    assert counts["moves found again"] >= 4 * 8
    assert counts["events watched"] >= 5 * 8
