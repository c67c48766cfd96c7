"""Games in play and the store beneath them, without a network."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from kingsbridge.pyengine import ENGINE_VERSION, Dealer, load_game
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, TooManyGamesError
from kingsbridge.server.sessions import Move, NewGame, Sessions
from kingsbridge.server.store import Entry, GameHead, MemoryStore

HEAD = GameHead("g1", "builders", 2, {}, ENGINE_VERSION, "0" * 16, seed=42)
GAME = NewGame("builders", 2, {}, seed=42)


class FailingStore(MemoryStore):
    """A store whose next appends fail, before or after they happened."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[str] = []

    async def append(self, game_id: str, revision: int, entry: Entry) -> None:
        failure = self.failures.pop() if self.failures else ""
        if failure == "before":
            raise ConnectionError
        await super().append(game_id, revision, entry)
        if failure == "after":
            raise ConnectionError


async def test_a_store_gives_back_what_was_added() -> None:
    store = MemoryStore()
    assert await store.create(HEAD, Entry((1, 2))) == "g1"
    await store.append("g1", 1, Entry((3,), "r"))
    stored = await store.load("g1")
    assert stored.head == HEAD
    assert stored.entries == (Entry((1, 2)), Entry((3,), "r"))


async def test_a_store_takes_an_entry_for_the_present_revision_only() -> None:
    store = MemoryStore()
    await store.create(HEAD, Entry(()))
    for revision in (0, 2):
        with pytest.raises(StaleRevisionError) as caught:
            await store.append("g1", revision, Entry(()))
        assert caught.value.revision == 1
    assert len((await store.load("g1")).entries) == 1


async def test_a_store_creates_one_game_for_a_request() -> None:
    store = MemoryStore()
    first, second = replace(HEAD, request_id="r"), replace(HEAD, game_id="g2", request_id="r")
    assert [await store.create(head, Entry(())) for head in (first, second)] == ["g1", "g1"]
    with pytest.raises(GameNotFoundError):
        await store.load("g2")
    await store.delete("g1")
    assert await store.create(second, Entry(())) == "g2"


async def test_a_game_that_is_forgotten_is_gone() -> None:
    store = MemoryStore()
    await store.create(HEAD, Entry(()))
    for _ in range(2):
        await store.delete("g1")
    with pytest.raises(GameNotFoundError):
        await store.load("g1")
    with pytest.raises(GameNotFoundError):
        await store.append("g1", 1, Entry(()))


def test_the_seed_shows_in_no_text() -> None:
    assert "42" not in repr(HEAD)
    assert "42" not in repr(GAME)


@pytest.mark.parametrize("failure", ["before", "after"])
async def test_after_a_failure_of_the_store_the_game_goes_on_from_what_was_kept(failure: str) -> None:
    """A dealer that has dealt what was not kept must not deal again from where it stands."""
    store = FailingStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(GAME)
    state = load_game("builders")
    dealer = Dealer(42)
    dealer.settle(state)
    for number in range(30):
        action = state.legal_actions()[0]
        move = Move(session.head.game_id, state.current_player, action, number + 1, request_id=f"r{number}")
        store.failures = [failure]
        with pytest.raises(ConnectionError):
            await sessions.apply(move)
        applied = await sessions.apply(move)  # the same request again: played once, whatever was kept
        state.apply(action)
        outcomes = dealer.settle(state)
        assert [happening.action for happening in applied.happenings] == outcomes
        assert applied.status.revision == number + 2
        if state.is_terminal:
            break


async def test_a_dealer_is_where_it_was_when_a_game_is_built_anew() -> None:
    sessions = Sessions(MemoryStore(), Limits())
    session = await sessions.create(GAME)
    counted = dict(session._dealer._seen)
    sessions._live.clear()
    anew = await sessions.get(session.head.game_id)
    assert anew is not session
    assert dict(anew._dealer._seen) == counted != {}


async def test_concurrent_moves_on_one_revision_play_once() -> None:
    sessions = Sessions(MemoryStore(), Limits())
    session = await sessions.create(GAME)
    status = session.status()
    actions = session.deciding(status.seat_to_move).legal_actions()
    moves = [Move(session.head.game_id, status.seat_to_move, action, 1) for action in actions]
    results = await asyncio.gather(*map(sessions.apply, moves), return_exceptions=True)
    assert sum(not isinstance(result, Exception) for result in results) == 1
    assert all(isinstance(result, StaleRevisionError) for result in results[1:])


async def test_a_game_long_untouched_gives_way_to_a_new_one() -> None:
    now = 0.0
    limits = Limits(games=2, idle_seconds=100.0)
    sessions = Sessions(MemoryStore(), limits, clock=lambda: now)
    old = await sessions.create(GAME)
    now = 60.0
    young = await sessions.create(GAME)
    with pytest.raises(TooManyGamesError):
        await sessions.create(GAME)
    now = 101.0
    await sessions.create(GAME)
    await sessions.get(young.head.game_id)
    with pytest.raises(GameNotFoundError):
        await sessions.get(old.head.game_id)


async def test_looking_at_a_game_keeps_it() -> None:
    now = 0.0
    sessions = Sessions(MemoryStore(), Limits(games=2, idle_seconds=100.0), clock=lambda: now)
    first, second = [await sessions.create(GAME) for _ in range(2)]
    now = 60.0
    await sessions.get(first.head.game_id)
    now = 101.0
    await sessions.create(GAME)
    await sessions.get(first.head.game_id)
    with pytest.raises(GameNotFoundError):
        await sessions.get(second.head.game_id)


async def test_seeds_are_drawn_by_the_function_that_is_given() -> None:
    sessions = Sessions(MemoryStore(), Limits(), seed=lambda: 42)
    drawn = await sessions.create(NewGame("builders", 2, {}))
    given = await sessions.create(GAME)
    assert drawn.information_set(0) == given.information_set(0)
