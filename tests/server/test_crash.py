"""A process that is killed loses nothing that its store had taken."""

from __future__ import annotations

import subprocess
import sys

from kingsbridge.server.sql_store import open_store
from tests.architecture.sources import ROOT

from .crash import GAMES, entry


def killed(url: str, lines: int) -> dict[int, int]:
    """The revisions that a process said its games had, killed after so many lines."""
    command = [sys.executable, "-m", "tests.server.crash", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.readlines()
    if not said[-1].endswith("\n"):
        said.pop()
    revisions: dict[int, int] = {}
    for line in said:
        number, revision = map(int, line.split())
        revisions[number] = revision
    return revisions


async def test_a_kill_loses_no_entry_that_was_taken(database_url: str) -> None:
    before = dict.fromkeys(range(GAMES), 0)
    for lines in (40, 137, 333):
        said = killed(database_url, lines)
        store = open_store(database_url, durability="normal")
        for number, revision in said.items():
            kept = (await store.load(f"g{number}")).entries
            assert kept == tuple(entry(number, each) for each in range(1, len(kept) + 1))
            assert len(kept) - revision in (0, 1)  # one may have been taken and not been told
            assert len(kept) >= before[number]
            before[number] = len(kept)
        await store.close()
    assert sum(before.values()) > 333
