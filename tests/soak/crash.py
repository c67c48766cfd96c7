"""Nothing is lost, however often the server is killed: python -m tests.soak.crash --kills 200 --store sqlite.

A real server plays many games at once with people, bots and watchers, and is killed at random moments. After
each start all that it had acknowledged is compared with what it says now. Prints a line a kill and a table;
fails with the story of the first promise that was broken. Run by ``make soak``.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from kingsbridge.pyengine import Rng
from tests.postgres import running_cluster

from .soak import Soak
from .violation import ViolationError

TABLES = 24
"""Games that are played at a time."""


@contextmanager
def store_of(name: str, folder: Path) -> Iterator[str]:
    """The address of an empty store."""
    if name == "sqlite":
        yield f"sqlite:///{folder}/games.db"
        return
    with running_cluster() as cluster:
        yield cluster.new_place()


def main(arguments: list[str]) -> int:
    """Returns the code to exit with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds-limit", type=float, default=float("inf"))
    options = parser.parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder, store_of(options.store, Path(folder)) as url:
        soak = Soak(url, Path(folder), Rng(options.seed), options.tables, tell=console.print)
        try:
            asyncio.run(soak.run(options.kills, options.seconds_limit))
        except ViolationError as error:
            console.print(soak.tally.table(f"{options.store}: BROKEN"))
            console.print(f"A promise is broken (seed {options.seed}): {error}", markup=False)
            return 1
    console.print(soak.tally.table(f"{options.store}: nothing is lost"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
