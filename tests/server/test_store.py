"""What every store promises, kept in RAM, by SQLite and by PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, StaleSeatError
from kingsbridge.server.sql_store import open_store
from kingsbridge.server.store import Entry, GameHead, MemoryStore, News, Seat, Store
from tests.postgres import Cluster

HEAD = GameHead(
    game_id="g1",
    game="builders",
    players=3,
    options={"max_rounds": 7, "visible_tops": 1},
    engine_version="1.2.3",
    rules_hash="0123456789abcdef",
    seed=2**128 - 2,
    created=1000,
    request_id="r1",
)
DEAL = Entry((0x01020304, 0, 2**32 - 1))
SEATS = (Seat(-1), Seat(0, 5, "ismcts"), Seat(1, 0, "mcts:c=0.7"))


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = _made(request, tmp_path)
    yield store
    await store.close()


def _made(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "memory":
        return MemoryStore()
    if request.param == "sqlite":
        return open_store(f"sqlite:///{tmp_path}/games.db")
    cluster: Cluster = request.getfixturevalue("cluster")
    return open_store(cluster.new_place())


def game(number: int, *bots: str, created: int = 1000) -> tuple[GameHead, Entry, list[Seat]]:
    """The arguments that create a game of two seats."""
    seats = [Seat(seat, bot=bot) for seat, bot in enumerate(bots or ("", ""))]
    return replace(HEAD, game_id=f"g{number}", request_id="", created=created), DEAL, seats


async def test_only_a_store_of_several_processes_is_shared(
    store: Store, request: pytest.FixtureRequest
) -> None:
    assert store.shared == ("postgresql" in request.node.name)


async def test_a_game_comes_back_as_it_was_created(store: Store) -> None:
    assert await store.create(HEAD, DEAL, SEATS) == "g1"
    stored = await store.load("g1")
    assert (stored.head, stored.entries, stored.seats) == (HEAD, (DEAL,), SEATS)
    assert stored.head.seed == 2**128 - 2
    assert dict(stored.head.options) == {"max_rounds": 7, "visible_tops": 1}


async def test_seats_come_back_by_number(store: Store) -> None:
    for number, order in enumerate(permutations(SEATS)):
        await store.create(replace(HEAD, game_id=f"g{number}", request_id=""), DEAL, order)
        assert (await store.load(f"g{number}")).seats == SEATS


@pytest.mark.parametrize("seed", [0, 1, 255, 2**120])
async def test_a_seed_comes_back_whatever_its_size(store: Store, seed: int) -> None:
    await store.create(replace(HEAD, seed=seed), DEAL, SEATS)
    assert (await store.load("g1")).head.seed == seed


async def test_a_store_gives_back_what_was_added(store: Store) -> None:
    added = [Entry((3,), "a"), Entry(()), Entry((2**32 - 1, 0), "")]
    await store.create(HEAD, DEAL, SEATS)
    for revision, entry in enumerate(added, start=1):
        await store.append("g1", revision, entry, now=1000 + revision)
    assert (await store.load("g1")).entries == (DEAL, *added)


async def test_what_is_known_already_is_not_given_back_again(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    await store.append("g1", 1, Entry((3,)), now=1001)
    await store.append("g1", 2, Entry((4,)), now=1002)
    wanted = {
        0: (DEAL, Entry((3,)), Entry((4,))),
        1: (Entry((3,)), Entry((4,))),
        2: (Entry((4,)),),
        3: (),
        9: (),
    }
    for after, entries in wanted.items():
        assert await store.news("g1", after) == News(entries, SEATS)


async def test_a_store_takes_an_entry_for_the_present_revision_only(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    await store.append("g1", 1, Entry((3,)), now=1001)
    for revision in (0, 1, 3):
        with pytest.raises(StaleRevisionError) as caught:
            await store.append("g1", revision, Entry((4,)), over=True, now=9999)
        assert caught.value.revision == 2
    assert (await store.load("g1")).entries == (DEAL, Entry((3,)))
    assert await store.running() == ["g1"]
    assert await store.idle(1002, 0) == ["g1"]


async def test_of_many_entries_for_one_revision_one_is_added(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    for revision in range(1, 6):
        entries = [Entry((number,), f"{revision}.{number}") for number in range(20)]
        adding = [store.append("g1", revision, entry, now=1001) for entry in entries]
        results = await asyncio.gather(*adding, return_exceptions=True)
        (winner,) = [number for number, result in enumerate(results) if result is None]
        losers = [result for result in results if isinstance(result, StaleRevisionError)]
        assert [loser.revision for loser in losers] == [revision + 1] * 19
        assert (await store.news("g1", revision)).entries == (entries[winner],)


async def test_a_game_that_is_not_there_is_not_found(store: Store) -> None:
    await store.create(*game(2))
    with pytest.raises(GameNotFoundError):
        await store.load("g1")
    with pytest.raises(GameNotFoundError):
        await store.news("g1", 5)
    with pytest.raises(GameNotFoundError):
        await store.append("g1", 1, Entry(()), now=1001)
    with pytest.raises(GameNotFoundError):
        await store.seat("g1", Seat(0, 1), Seat(0), now=1001)


async def test_a_game_that_is_forgotten_is_gone(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    await store.create(*game(2))
    for _ in range(2):
        await store.delete("g1")
        assert await store.count() == 1
    with pytest.raises(GameNotFoundError):
        await store.load("g1")
    with pytest.raises(GameNotFoundError):
        await store.append("g1", 1, Entry(()), now=1001)
    assert await store.running() == []
    await store.create(HEAD, Entry((9,)), SEATS[:1])
    stored = await store.load("g1")
    assert (stored.entries, stored.seats) == ((Entry((9,)),), SEATS[:1])


async def test_a_store_creates_one_game_for_a_request(store: Store) -> None:
    second = replace(HEAD, game_id="g2", players=2)
    assert [await store.create(head, DEAL, SEATS) for head in (HEAD, second)] == ["g1", "g1"]
    assert (await store.load("g1")).head == HEAD
    with pytest.raises(GameNotFoundError):
        await store.load("g2")
    await store.delete("g1")
    assert await store.create(second, DEAL, SEATS) == "g2"


async def test_requests_without_an_id_create_a_game_each(store: Store) -> None:
    assert [await store.create(*game(number)) for number in (1, 2, 3)] == ["g1", "g2", "g3"]
    assert await store.count() == 3


async def test_of_many_creations_at_once_by_one_request_one_happens(store: Store) -> None:
    heads = [replace(HEAD, game_id=f"g{number}") for number in range(20)]
    created = await asyncio.gather(*(store.create(head, DEAL, SEATS) for head in heads))
    assert len(set(created)) == 1
    assert await store.count() == 1
    assert (await store.load(created[0])).head == replace(HEAD, game_id=created[0])


async def test_a_game_that_is_created_again_stays_as_it_is(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    await store.append("g1", 1, Entry((3,)), now=1001)
    other = replace(HEAD, request_id="r2", players=2)
    assert await store.create(other, Entry((7,)), SEATS[:2]) == "g1"
    stored = await store.load("g1")
    assert (stored.head, stored.entries, stored.seats) == (HEAD, (DEAL, Entry((3,))), SEATS)


async def test_games_without_a_request_are_told_apart_when_created_again(store: Store) -> None:
    for _ in range(2):
        assert [await store.create(*game(number)) for number in (3, 1, 2)] == ["g3", "g1", "g2"]


async def test_the_game_of_a_request_comes_before_that_of_an_id(store: Store) -> None:
    await store.create(replace(HEAD, game_id="z"), DEAL, SEATS)
    await store.create(*game(2))
    assert await store.create(replace(HEAD, game_id="g2"), DEAL, SEATS) == "z"


async def test_a_seat_changes_from_what_is_expected_of_it(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    await store.seat("g1", Seat(0, 6, ""), SEATS[1], now=1001)
    assert (await store.load("g1")).seats == (SEATS[0], Seat(0, 6, ""), SEATS[2])


@pytest.mark.parametrize(
    "expected", [Seat(1, 1, "mcts:c=0.7"), Seat(1, 0, ""), Seat(0, 5, "ismcts"), Seat(2, 0, "mcts:c=0.7")]
)
async def test_a_seat_that_is_not_as_expected_stays(store: Store, expected: Seat) -> None:
    await store.create(HEAD, DEAL, SEATS)
    with pytest.raises(StaleSeatError):
        await store.seat("g1", Seat(1, 2, "greedy"), expected, now=1001)
    assert (await store.load("g1")).seats == SEATS


async def test_there_is_no_seat_beside_those_of_the_game(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    with pytest.raises(StaleSeatError):
        await store.seat("g1", Seat(3, 1), Seat(3), now=1001)
    assert (await store.load("g1")).seats == SEATS


async def test_of_many_who_change_a_seat_at_once_one_does(store: Store) -> None:
    await store.create(HEAD, DEAL, SEATS)
    wanted = [Seat(-1, 1, f"bot{number}") for number in range(20)]
    changing = [store.seat("g1", seat, SEATS[0], now=1001) for seat in wanted]
    results = await asyncio.gather(*changing, return_exceptions=True)
    (winner,) = [number for number, result in enumerate(results) if result is None]
    assert sum(isinstance(result, StaleSeatError) for result in results) == 19
    assert (await store.load("g1")).seats[0] == wanted[winner]


async def test_games_in_which_a_bot_plays_are_running_until_they_end(store: Store) -> None:
    await store.create(*game(1, "", ""))
    await store.create(*game(2, "", "greedy"))
    await store.create(*game(3, "greedy", "random"))
    assert sorted(await store.running()) == ["g2", "g3"]
    await store.append("g3", 1, Entry((1,)), now=1001)
    assert sorted(await store.running()) == ["g2", "g3"]
    await store.append("g3", 2, Entry((1,)), over=True, now=1002)
    assert await store.running() == ["g2"]
    await store.seat("g2", Seat(1, 1), Seat(1, 0, "greedy"), now=1003)
    assert await store.running() == []
    await store.seat("g1", Seat(0, 0, "random"), Seat(0), now=1003)
    assert await store.running() == ["g1"]


async def test_running_games_are_told_apart_by_when_they_were_changed_last(store: Store) -> None:
    for number, created in ((1, 100), (2, 200), (3, 300)):
        await store.create(*game(number, "", "greedy", created=created))
    assert sorted(await store.running(100, 300)) == ["g1", "g2"]
    assert sorted(await store.running(101, 301)) == ["g2", "g3"]
    await store.append("g1", 1, Entry((1,)), now=250)
    assert sorted(await store.running(201, 300)) == ["g1"]
    await store.seat("g2", Seat(0, 1), Seat(0), now=260)
    assert sorted(await store.running(251)) == ["g2", "g3"]


@pytest.mark.parametrize("player", ["", "greedy"])
async def test_a_decision_is_added_if_who_decided_it_plays_the_seat_still(store: Store, player: str) -> None:
    await store.create(*game(1, player, "random"))
    await store.append(
        "g1", 1, Entry((1,)), by=Seat(0, 7, player), now=1001
    )  # another epoch is no other player
    for by in (
        Seat(0, 0, "mcts"),
        Seat(1, 0, player),
        Seat(2, 0, player),
        Seat(0, 0, "greedy" if not player else ""),
    ):
        with pytest.raises(StaleSeatError):
            await store.append("g1", 2, Entry((2,)), by=by, now=9999)
    assert (await store.load("g1")).entries == (DEAL, Entry((1,)))
    assert await store.running(before=1002) == ["g1"]
    with pytest.raises(StaleRevisionError):
        await store.append("g1", 1, Entry((2,)), by=Seat(0, 0, "mcts"), now=9999)


async def test_the_request_of_a_renewal_is_kept_with_its_seat(store: Store) -> None:
    await store.create(*game(1))
    await store.seat("g1", Seat(0, 1, "", "who renewed"), Seat(0), now=1001)
    assert (await store.load("g1")).seats == (Seat(0, 1, "", "who renewed"), Seat(1))
    for renewal in ("", "another"):
        with pytest.raises(StaleSeatError):
            await store.seat("g1", Seat(0, 2), Seat(0, 1, "", renewal), now=1001)


async def test_games_untouched_for_longest_are_idle_first(store: Store) -> None:
    for number, created in ((1, 300), (2, 200), (3, 100), (4, 250)):
        await store.create(*game(number, created=created))
    await store.append("g3", 1, Entry((1,)), now=280)
    await store.append("g4", 1, Entry((1,)), over=True, now=260)
    assert await store.idle(1000, 1000) == ["g2", "g4", "g3", "g1"]
    assert await store.idle(280, 0) == ["g2"]
    assert await store.idle(281, 0) == ["g2", "g3"]
    assert await store.idle(0, 260) == []
    assert await store.idle(0, 261) == ["g4"]
    assert await store.idle(201, 261) == ["g2", "g4"]


async def test_times_go_beyond_32_bits(store: Store) -> None:
    await store.create(*game(1, created=2**33))
    await store.append("g1", 1, Entry(()), now=2**33 + 1)
    assert (await store.load("g1")).head.created == 2**33
    assert (await store.idle(2**33 + 1, 0), await store.idle(2**33 + 2, 0)) == ([], ["g1"])


async def test_games_are_counted(store: Store) -> None:
    assert await store.count() == 0
    for number in range(5):
        await store.create(*game(number))
    assert await store.count() == 5


async def test_a_secret_is_made_once(store: Store) -> None:
    made = iter([b"\x00one\xff", b"two", b"three"])
    assert await store.secret("tokens", lambda: next(made)) == b"\x00one\xff"
    assert await store.secret("tokens", lambda: next(made)) == b"\x00one\xff"
    assert await store.secret("other", lambda: next(made)) == b"two"


async def test_those_who_ask_for_a_secret_at_once_get_the_same(store: Store) -> None:
    made = [bytes([number]) for number in range(20)]
    got = await asyncio.gather(*(store.secret("tokens", lambda value=value: value) for value in made))  # type: ignore[misc]
    assert len(set(got)) == 1
    assert got[0] in made


async def test_many_games_are_played_at_once(store: Store) -> None:
    async def play(number: int) -> None:
        game_id = await store.create(*game(number))
        for revision in range(1, 11):
            await store.append(game_id, revision, Entry((number, revision)), over=revision == 10, now=1001)

    await asyncio.gather(*map(play, range(60)))
    assert await store.count() == 60
    for number in range(60):
        stored = await store.load(f"g{number}")
        assert stored.entries == (DEAL, *(Entry((number, revision)) for revision in range(1, 11)))
    assert len(await store.idle(0, 1002)) == 60


async def test_a_store_closes_twice(store: Store) -> None:
    await store.close()
