"""Games in a database: what is committed stays, whoever is killed, cancelled, or in the way."""

from __future__ import annotations

import asyncio
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from kingsbridge.server import schema
from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, StaleSeatError, StoreError
from kingsbridge.server.sql_store import SqlStore, open_store
from kingsbridge.server.store import Entry, Seat, StoredGame
from tests.postgres import Cluster

from .test_store import DEAL, HEAD, SEATS, game


def opened(url: str, **options: Any) -> SqlStore:
    store = open_store(url, **options)
    assert isinstance(store, SqlStore)
    return store


@contextmanager
def held(store: SqlStore) -> Iterator[None]:
    """Keeps the store from taking the next changes meanwhile, so that they form one group."""
    go_on = threading.Event()
    store._changes._thread.submit(go_on.wait)
    try:
        yield
    finally:
        go_on.set()


async def queued(store: SqlStore, *changes: Any) -> list[asyncio.Task[Any]]:
    """Changes that a store which is held does not take yet."""
    tasks = [asyncio.ensure_future(change) for change in changes]
    while len(store._changes._waiting) < len(tasks):
        await asyncio.sleep(0)
    return tasks


def refuse_to_open(url: str) -> str:
    """The one line that says why a store cannot be opened."""
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def test_what_was_kept_is_there_when_the_store_is_opened_again(database_url: str) -> None:
    first = opened(database_url)
    await first.create(HEAD, DEAL, SEATS)
    await first.append("g1", 1, Entry((5,), "a"), over=True, now=2000)
    await first.seat("g1", Seat(-1, 7, "greedy", "r7"), SEATS[0], now=2000)
    secret = await first.secret("tokens", lambda: b"one")
    await first.close()
    second = opened(database_url)
    wanted = StoredGame(HEAD, (DEAL, Entry((5,), "a")), (Seat(-1, 7, "greedy", "r7"), *SEATS[1:]))
    assert await second.load("g1") == wanted
    assert await second.secret("tokens", lambda: b"two") == secret == b"one"
    assert await second.idle(0, 2001) == ["g1"]
    await second.close()


async def test_a_store_that_is_closed_refuses_everything(database_url: str) -> None:
    store = opened(database_url)
    await store.close()
    for call in (store.create(HEAD, DEAL, SEATS), store.load("g1"), store.count(), store.delete("g1")):
        with pytest.raises(StoreError, match="closed"):
            await call


async def test_a_store_that_closes_first_keeps_what_waits(database_url: str) -> None:
    store = opened(database_url)
    with held(store):
        creating = await queued(store, *(store.create(*game(number)) for number in range(50)))
        closing = asyncio.ensure_future(store.close())
        await asyncio.sleep(0)
    await closing
    assert await asyncio.gather(*creating) == [f"g{number}" for number in range(50)]
    again = opened(database_url)
    assert await again.count() == 50
    await again.close()


async def test_one_bad_change_of_a_group_fails_alone(database_url: str) -> None:
    store = opened(database_url)
    await store.create(HEAD, DEAL, SEATS)
    head = replace(HEAD, game_id="bad", request_id="bad")
    # PostgreSQL finds a number too large and ends the transaction; SQLite cannot write half a character.
    bad = replace(head, players=2**40) if store.shared else replace(head, rules_hash="\ud800")
    with held(store):
        tasks = await queued(
            store,
            store.create(*game(2)),
            store.create(bad, DEAL, SEATS),
            store.append("g1", 1, Entry((5,)), now=2000),
            store.append("g1", 1, Entry((6,)), now=2000),
            store.append("gone", 1, Entry((6,)), now=2000),
            store.append("g1", 2, Entry((7,)), now=2000),
        )
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [results[number] for number in (0, 2, 5)] == ["g2", None, None]
    assert isinstance(results[1], Exception)
    assert not isinstance(results[1], StoreError)
    assert isinstance(results[3], StaleRevisionError)
    assert results[3].revision == 2
    assert isinstance(results[4], GameNotFoundError)
    assert (await store.load("g1")).entries == (DEAL, Entry((5,)), Entry((7,)))
    assert await store.count() == 2
    await store.close()


async def test_changes_that_wait_are_made_in_transactions_of_256(database_url: str) -> None:
    store = opened(database_url)
    commits: list[object] = []
    sa.event.listen(store._database.writer, "commit", commits.append)
    with held(store):
        tasks = await queued(store, *(store.create(*game(number)) for number in range(257)))
    await asyncio.gather(*tasks)
    assert len(commits) == 2
    assert await store.count() == 257
    await store.close()


async def test_a_change_is_told_when_it_is_committed(database_url: str) -> None:
    store = opened(database_url)
    go_on = threading.Event()
    sa.event.listen(store._database.writer, "commit", lambda _: go_on.wait())
    task = asyncio.ensure_future(store.create(HEAD, DEAL, SEATS))
    done, _ = await asyncio.wait({task}, timeout=0.2)
    assert not done
    assert await store.count() == 0
    go_on.set()
    assert await task == "g1"
    assert await store.count() == 1
    await store.close()


async def test_who_is_cancelled_before_his_turn_changes_nothing_and_stops_nobody(database_url: str) -> None:
    store = opened(database_url)
    with held(store):
        tasks = await queued(store, *(store.create(*game(number)) for number in range(10)))
        for task in tasks[::2]:
            task.cancel()
        await asyncio.wait(tasks[::2])
    assert await asyncio.gather(*tasks[1::2]) == ["g1", "g3", "g5", "g7", "g9"]
    assert await store.count() == 5
    await store.close()


async def test_who_is_cancelled_in_the_middle_of_a_commit_corrupts_nothing(database_url: str) -> None:
    store = opened(database_url)
    began, go_on = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        began.set()
        go_on.wait()

    with held(store):
        tasks = await queued(store, *(store.create(*game(number)) for number in range(4)))
        sa.event.listen(store._database.writer, "commit", wait)
    await asyncio.to_thread(began.wait)
    tasks[0].cancel()
    tasks[2].cancel()
    await asyncio.wait({tasks[0], tasks[2]})
    go_on.set()
    assert await asyncio.gather(*tasks[1::2]) == ["g1", "g3"]
    assert await store.count() == 4  # too late to take it back
    await store.append("g0", 1, Entry(()), now=2000)
    await store.close()


async def test_a_commit_that_fails_leaves_its_changes_unknown(database_url: str) -> None:
    store = opened(database_url)

    def fail(_: object) -> None:
        raise ConnectionError

    sa.event.listen(store._database.writer, "commit", fail)
    with held(store):
        tasks = await queued(store, *(store.create(*game(number)) for number in range(3)))
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(result, StoreError)
        assert "not known" in str(result)
    sa.event.remove(store._database.writer, "commit", fail)
    assert await store.create(*game(0)) == "g0"
    assert await store.count() == 1
    await store.close()


async def test_two_stores_share_one_postgresql(cluster: Cluster) -> None:
    url = cluster.new_place()
    one, other = opened(url), opened(url)
    await one.create(HEAD, DEAL, SEATS)
    assert await other.create(replace(HEAD, game_id="g2"), DEAL, SEATS) == "g1"
    await other.append("g1", 1, Entry((5,)), now=2000)
    assert (await one.load("g1")).entries == (DEAL, Entry((5,)))
    assert (
        await one.secret("tokens", lambda: b"one") == await other.secret("tokens", lambda: b"two") == b"one"
    )
    await one.delete("g1")
    with pytest.raises(GameNotFoundError):
        await other.append("g1", 2, Entry(()), now=2000)
    await one.close()
    await other.close()


async def test_of_a_thousand_races_between_two_stores_each_has_one_winner(cluster: Cluster) -> None:
    url = cluster.new_place()
    stores = [opened(url), opened(url)]
    games = [f"g{number}" for number in range(50)]
    for number in range(50):
        await stores[0].create(*game(number))
    won = [0, 0]
    for revision in range(1, 21):
        calls = [
            store.append(game_id, revision, Entry((who,)), now=2000)
            for game_id in (games if revision % 2 else games[::-1])
            for who, store in enumerate(stores)
        ]
        results = await asyncio.gather(*calls, return_exceptions=True)
        for first, second in zip(results[::2], results[1::2], strict=True):
            winner, loser = (0, second) if first is None else (1, first)
            assert [first, second].count(None) == 1
            assert isinstance(loser, StaleRevisionError)
            assert loser.revision == revision + 1
            won[winner] += 1
    assert sum(won) == 1000
    for game_id in games:
        assert len((await stores[1].load(game_id)).entries) == 21
    for store in stores:
        await store.close()


async def test_changes_of_one_game_by_two_stores_never_wait_in_a_ring(cluster: Cluster) -> None:
    """Two who change entries and seats of the same games in opposite orders would, without locks on games."""
    url = cluster.new_place()
    stores = [opened(url), opened(url)]
    for number in range(10):
        await stores[0].create(*game(number))
    failed: list[object] = []
    for store in stores:
        sa.event.listen(store._database.writer, "rollback", failed.append)
    for turn in range(20):
        calls = []
        for number in range(10):
            append = [store.append(f"g{number}", turn + 1, Entry((turn,)), now=2000) for store in stores]
            before, after = Seat(0, turn), Seat(0, turn + 1)
            seat = [store.seat(f"g{number}", after, before, now=2000) for store in stores]
            calls += [append[0], seat[0], seat[1], append[1]]
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert results.count(None) == 20
    assert failed == []
    for store in stores:
        await store.close()


async def test_of_a_move_and_a_bot_that_takes_its_seat_over_on_two_servers_the_later_is_refused(
    cluster: Cluster,
) -> None:
    """A person's entry is kept before the bot has the seat, or not at all."""
    url = cluster.new_place()
    stores = [opened(url), opened(url)]
    for number in range(100):
        await stores[0].create(*game(number))
    calls = []
    for number in range(100):
        move = stores[0].append(f"g{number}", 1, Entry((5,)), by=Seat(0), now=2000)
        taking = stores[1].seat(f"g{number}", Seat(0, 0, "greedy"), Seat(0), now=2000)
        calls += [move, taking]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert results[1::2] == [None] * 100
    for number, moved in enumerate(results[::2]):
        stored = await stores[1].load(f"g{number}")
        assert stored.seats == (Seat(0, 0, "greedy"), Seat(1))
        assert len(stored.entries) == (2 if moved is None else 1)
        assert moved is None or isinstance(moved, StaleSeatError)
    revision = len((await stores[0].load("g0")).entries)
    with pytest.raises(StaleSeatError):
        await stores[0].append("g0", revision, Entry(()), by=Seat(0), now=2000)
    for store in stores:
        await store.close()


def losing(cluster: Cluster, engine: sa.Engine, event: str) -> list[int]:
    """Has the next ``event`` of an engine lose all connections; notes how many it were."""
    lost: list[int] = []

    def lose(connection: sa.Connection) -> None:
        if not lost:
            lost.append(cluster.disconnect())

    sa.event.listen(engine, event, lose)
    return lost


async def test_a_connection_that_is_lost_is_made_anew(cluster: Cluster) -> None:
    url = cluster.new_place()
    store = opened(url)
    await store.create(HEAD, DEAL, SEATS)
    await asyncio.gather(*(store.count() for _ in range(8)))
    assert cluster.disconnect() >= 2
    await store.append("g1", 1, Entry((5,)), now=2000)
    assert await asyncio.gather(*(store.count() for _ in range(8))) == [1] * 8
    await store.close()


async def test_a_read_whose_connection_is_lost_is_done_once_more(cluster: Cluster) -> None:
    url = cluster.new_place()
    store = opened(url)
    await store.create(HEAD, DEAL, SEATS)
    lost = losing(cluster, store._database._reader, "begin")
    assert await store.count() == 1
    assert lost
    await store.close()


async def test_a_change_whose_connection_is_lost_before_its_commit_is_made_once(cluster: Cluster) -> None:
    url = cluster.new_place()
    store = opened(url)
    await store.create(HEAD, DEAL, SEATS)
    lost = losing(cluster, store._database.writer, "begin")
    await store.append("g1", 1, Entry((5,)), now=2000)
    assert lost
    assert (await store.load("g1")).entries == (DEAL, Entry((5,)))
    await store.close()


async def test_a_change_whose_connection_is_lost_in_its_commit_is_unknown(cluster: Cluster) -> None:
    url = cluster.new_place()
    store = opened(url)
    await store.create(HEAD, DEAL, SEATS)
    losing(cluster, store._database.writer, "commit")
    with pytest.raises(StoreError, match="not known"):
        await store.append("g1", 1, Entry((5,)), now=2000)
    assert (await store.load("g1")).entries == (DEAL,)
    await store.append("g1", 1, Entry((6,)), now=2000)
    await store.close()


async def test_a_server_that_is_away_is_a_refusal_and_comes_back(cluster: Cluster) -> None:
    store = opened(cluster.new_place())
    await store.create(HEAD, DEAL, SEATS)
    tried: list[object] = []
    sa.event.listen(store._database.writer, "do_connect", lambda *arguments: tried.append(arguments))
    cluster.stop()
    try:
        with held(store):
            changes = (store.append("g1", 1, Entry((number,)), now=2000) for number in range(20))
            tasks = await queued(store, *changes)
        for result in await asyncio.gather(*tasks, store.load("g1"), return_exceptions=True):
            assert isinstance(result, StoreError)
            assert "nothing was changed" in str(result)
        assert len(tried) == 1  # not once for each of them: all would wait where a network is silent
    finally:
        cluster.start()
    await store.append("g1", 1, Entry((5,)), now=2000)
    assert (await store.load("g1")).entries == (DEAL, Entry((5,)))
    await store.close()


def test_a_database_that_cannot_be_reached_is_named_without_its_password(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        text = refuse_to_open(f"postgresql://me:hush@127.0.0.1:{port}/games")
    assert text.startswith("the PostgreSQL database games on 127.0.0.1 cannot be opened: ")
    assert "hush" not in text
    for rest in (f"me@/games?host={tmp_path}&password=hush", "me:hush@localhost/games?sslmode=hush"):
        text = refuse_to_open(f"postgresql+psycopg://{rest}")
        assert "cannot be opened" in text
        assert "hush" not in text


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hu@sh@host/games",
        "postgresql://me:hush",
        "postgresql://me:hush@host:port/games",
        "mysql://me:hush@host/games",
        "postgresql+asyncpg://me:hush@host/games",
        "hush",
        "",
        "sqlite://",
        "sqlite:///",
        "sqlite://hush/games.db",
        "sqlite:///games.db?hush=1",
        "sqlite:///:memory:",
    ],
)
def test_an_address_of_no_place_is_refused_without_being_repeated(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = refuse_to_open(url)
    assert not any(part in text for part in ("hush", "hu@", "sh@"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder, reason in (("missing", "No such file or directory"), ("file", "Not a directory")):
        text = refuse_to_open(f"sqlite:///{tmp_path}/{folder}/games.db")
        assert text == f"{tmp_path}/{folder}/games.db cannot be opened: {reason}"


def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_text("dear diary, " * 1000)
    assert "is not a database" in refuse_to_open(f"sqlite:///{path}")
    assert path.read_text() == "dear diary, " * 1000


async def test_one_server_at_a_time_has_a_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    store = opened(url)
    assert refuse_to_open(url) == f"{tmp_path}/games.db: another server keeps its games there"
    program = f"from kingsbridge.server.sql_store import open_store; open_store({url!r})"
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert other.returncode != 0
    assert "another server keeps its games there" in other.stderr
    await store.close()
    await opened(url).close()


async def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    store = opened(f"sqlite:///{tmp_path}/games.db")
    await store.create(HEAD, DEAL, SEATS)
    kept = [path for path in tmp_path.iterdir() if path.suffix != ".lock"]
    assert len(kept) >= 2  # the log of what is written is one
    assert [path.stat().st_mode & 0o077 for path in kept] == [0] * len(kept)
    await store.close()


@pytest.mark.parametrize(("durability", "level"), [("full", 2), ("normal", 1)])
async def test_sqlite_is_set_up_for_what_it_has_to_survive(
    tmp_path: Path, durability: str, level: int
) -> None:
    store = opened(f"sqlite:///{tmp_path}/games.db", durability=durability)
    wanted = {"synchronous": level, "journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 5000}
    with store._database.writer.connect() as connection:
        for pragma, value in wanted.items():
            assert connection.scalar(sa.text(f"PRAGMA {pragma}")) == value, pragma
    await store.close()


async def test_sqlite_waits_for_a_tool_that_has_locked_the_file(tmp_path: Path) -> None:
    store = opened(f"sqlite:///{tmp_path}/games.db")
    tool = sa.create_engine(f"sqlite:///{tmp_path}/games.db")
    with tool.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        creating = asyncio.ensure_future(store.create(HEAD, DEAL, SEATS))
        done, _ = await asyncio.wait({creating}, timeout=0.2)
        assert not done
        assert await store.count() == 0
        connection.exec_driver_sql("ROLLBACK")
    assert await creating == "g1"
    tool.dispose()
    await store.close()


async def test_every_row_of_a_game_goes_with_it(database_url: str) -> None:
    store = opened(database_url)
    await store.create(HEAD, DEAL, SEATS)
    await store.create(*game(2))
    await store.delete("g1")
    with store._database.writer.connect() as connection:
        counts = [
            connection.scalar(sa.select(sa.func.count()).select_from(table))
            for table in (schema.games, schema.entries, schema.seats)
        ]
    assert counts == [1, 1, 2]
    await store.close()


@pytest.mark.parametrize("action", [-1, 2**32])
async def test_an_action_of_more_than_32_bits_is_a_fault(database_url: str, action: int) -> None:
    store = opened(database_url)
    await store.create(HEAD, DEAL, SEATS)
    with pytest.raises(struct.error):
        await store.append("g1", 1, Entry((action,)), now=2000)
    assert (await store.load("g1")).entries == (DEAL,)
    await store.close()
