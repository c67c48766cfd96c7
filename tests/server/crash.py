"""Plays in a store until it is killed: python -m tests.server.crash URL.

Prints the number and the revision of a game whenever the store has taken an entry. What the entry of a
revision is can be told from these two alone.
"""

from __future__ import annotations

import asyncio
import sys

from kingsbridge.server.refusals import GameNotFoundError
from kingsbridge.server.sql_store import open_store
from kingsbridge.server.store import Entry, GameHead, Seat, Store

GAMES = 16


def entry(number: int, revision: int) -> Entry:
    """What leads a game to a revision."""
    return Entry((number, revision) * 10, f"{number}.{revision}")


async def play(store: Store, number: int) -> None:
    """Goes on with a game for ever."""
    head = GameHead(f"g{number}", "game", 2, {}, "1", "0", seed=number, created=1)
    try:
        revision = len((await store.load(head.game_id)).entries)
    except GameNotFoundError:
        await store.create(head, entry(number, 1), [Seat(0), Seat(1)])
        revision = 1
    while True:
        print(number, revision, flush=True)
        await store.append(head.game_id, revision, entry(number, revision + 1), now=revision)
        revision += 1


async def main(url: str) -> None:
    """Plays all games at once."""
    store = open_store(url, durability="normal")
    await asyncio.gather(*(play(store, number) for number in range(GAMES)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
