"""Games in play and the store beneath them, without a network."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from typing import Any, TypeVar

import pytest

from kingsbridge.pyengine import (
    ENGINE_VERSION,
    Dealer,
    GameRecord,
    InformationSet,
    describe,
    load_game,
    verify,
)
from kingsbridge.server.bot_settings import BotSettings
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import (
    GameNotFoundError,
    RefusedError,
    StaleRevisionError,
    StaleSeatError,
    TooManyGamesError,
)
from kingsbridge.server.session import Move, NewGame, Session
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.store import Entry, GameHead, MemoryStore, News, Seat, StoredGame

HEAD = GameHead("g1", "builders", 2, {}, ENGINE_VERSION, describe("builders").rules_hash, seed=42)
SEATS = [Seat(-1), Seat(0), Seat(1)]
GAME = NewGame("builders", 2, {}, seed=42)
T = TypeVar("T")


def a_move(session: Session, request_id: str = "") -> Move:
    """The first legal one of the seat to move."""
    seat = session.seat_to_move
    action = session.deciding(seat).legal_actions()[0]
    return Move(session.head.game_id, seat, action, session.revision, request_id)


class FailingStore(MemoryStore):
    """A store whose next appends fail: before or after they happened, or "late": the entry is kept when the
    next one comes. Each takes its time.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[str] = []
        self._late: list[tuple[int, Entry]] = []

    async def append(self, game_id: str, revision: int, entry: Entry, **more: Any) -> None:
        await asyncio.sleep(0)
        for earlier, kept in self._late:
            await super().append(game_id, earlier, kept, now=more["now"])
        self._late.clear()
        failure = self.failures.pop() if self.failures else ""
        if failure == "late":
            self._late.append((revision, entry))
        if failure in {"before", "late"}:
            raise ConnectionError
        await super().append(game_id, revision, entry, **more)
        if failure == "after":
            raise ConnectionError


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


@pytest.mark.parametrize("failure", ["before", "after", "late"])
async def test_who_waits_while_another_call_fails_gets_the_luck_that_the_seed_deals(failure: str) -> None:
    """Dice show it: the n-th roll has one face, so a dealer that has rolled for nobody rolls wrong."""
    store = FailingStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(NewGame("column", 2, {}, seed=42))
    game_id = session.head.game_id
    for number in range(40):
        session = await sessions.get(game_id)
        seat = session.seat_to_move
        move = Move(game_id, seat, session.deciding(seat).legal_actions()[0], number + 1, f"r{number}")
        store.failures = [failure]
        failed, answered = await asyncio.gather(
            sessions.apply(move), sessions.apply(move), return_exceptions=True
        )
        assert isinstance(failed, ConnectionError)
        assert not isinstance(answered, BaseException)
        assert answered.status.revision == number + 2
    record = GameRecord.parse((await sessions.get(game_id)).whole().text)
    assert verify(record, 42).wrong is None


async def test_a_request_that_was_kept_after_its_call_failed_is_answered_when_it_is_repeated() -> None:
    store = FailingStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(GAME)
    seat = session.seat_to_move
    action, other, *_ = session.deciding(seat).legal_actions()
    move = Move(session.head.game_id, seat, action, 1, request_id="r")
    store.failures = ["late"]
    with pytest.raises(ConnectionError):
        await sessions.apply(move)
    assert (await sessions.apply(move)).status.revision == 2
    assert (await sessions.get(session.head.game_id)).revision == 2
    with pytest.raises(StaleRevisionError):
        await sessions.apply(replace(move, action=other, request_id="another"))


async def test_who_waits_while_a_bot_takes_the_seat_over_does_not_play_it_though_that_call_fails() -> None:
    class Failing(MemoryStore):
        async def seat(self, game_id: str, seat: Seat, expected: Seat, *, now: int) -> None:
            await asyncio.sleep(0)
            await super().seat(game_id, seat, expected, now=now)
            raise ConnectionError

    sessions = Sessions(Failing(), Limits())
    session = await sessions.create(GAME)
    game_id, seat = session.head.game_id, session.seat_to_move
    move = Move(game_id, seat, session.deciding(seat).legal_actions()[0], 1)
    results = await asyncio.gather(
        sessions.take_over(game_id, seat, BotSettings("random")), sessions.apply(move), return_exceptions=True
    )
    assert list(map(type, results)) == [ConnectionError, RefusedError]


async def test_a_request_that_another_server_has_kept_is_answered_by_this_one() -> None:
    store = MemoryStore()
    here, there = Sessions(store, Limits()), Sessions(store, Limits())
    session = await here.create(GAME)
    move = a_move(session, request_id="r")
    kept = await there.apply(move)
    assert (await here.apply(move)).status == kept.status
    assert len((await store.load(move.game_id)).entries) == 2


class SharedStore(MemoryStore):
    """A store that other servers change as well; it takes its time."""

    shared = True
    asked = 0
    """How often news were asked for."""

    async def load(self, game_id: str) -> StoredGame:
        await asyncio.sleep(0)
        return await super().load(game_id)

    async def news(self, game_id: str, after: int) -> News:
        await asyncio.sleep(0)
        self.asked += 1
        return await super().news(game_id, after)


async def test_all_who_ask_for_a_game_at_the_same_time_get_the_same_object() -> None:
    """Each has a lock of its own: two would let a bot play while its seat is given back."""
    sessions = Sessions(SharedStore(), Limits())
    session = await sessions.create(GAME)
    found = await asyncio.gather(*(sessions.get(session.head.game_id) for _ in range(3)))
    assert all(each is session for each in found)


async def test_a_game_that_another_server_deletes_is_held_no_longer() -> None:
    store = SharedStore()
    sessions = Sessions(store, Limits())
    game_id = (await sessions.create(GAME)).head.game_id
    await store.delete(game_id)
    with pytest.raises(GameNotFoundError):
        await sessions.get(game_id)
    assert sessions.live == 0


async def test_a_move_on_a_game_that_was_just_given_asks_for_no_news() -> None:
    store = SharedStore()
    sessions = Sessions(store, Limits())
    await sessions.create(GAME)
    (game_id,) = store._games
    session = await sessions.get(game_id)
    seat, asked = session.seat_to_move, store.asked
    move = Move(game_id, seat, session.deciding(seat).legal_actions()[0], 1)
    assert (await sessions.apply(move, session)).status.revision == 2
    assert store.asked == asked


async def test_who_moves_while_another_server_gives_the_seat_to_a_bot_is_told_so_and_plays_nothing() -> None:
    store = SharedStore()
    here, there = Sessions(store, Limits()), Sessions(store, Limits())
    session = await here.create(GAME)
    game_id, seat = session.head.game_id, session.seat_to_move
    move = Move(game_id, seat, session.deciding(seat).legal_actions()[0], 1)
    await there.take_over(game_id, seat, BotSettings("greedy"))
    with pytest.raises(RefusedError, match="a bot plays seat"):
        await here.apply(move, session)
    assert (await here.get(game_id)).revision == 1


async def test_a_game_that_another_server_deleted_is_not_remembered_for_ever() -> None:
    now = 1000.0
    store, limits = SharedStore(), Limits(idle_seconds=100.0, finished_seconds=50.0)
    sessions = Sessions(store, limits, clock=lambda: now)
    gone, kept = [(await sessions.create(GAME)).head.game_id for _ in range(2)]
    await store.delete(gone)
    now = 1090.0
    await sessions.get(kept)
    now = 1101.0
    await sessions.sweep()
    assert list(sessions._looked) == [kept]


async def test_a_renewal_that_is_repeated_begins_no_other_epoch() -> None:
    store = SharedStore()
    here, there = Sessions(store, Limits()), Sessions(store, Limits())
    game_id = (await here.create(GAME)).head.game_id
    both = await asyncio.gather(*(each.renew(game_id, 0, "first") for each in (here, there, here)))
    assert [seat.epoch for seat in both] == [1, 1, 1]
    assert (await there.renew(game_id, 0, "second")).epoch == 2
    assert (await here.renew(game_id, 0)).epoch == 3
    assert (await here.renew(game_id, 0)).epoch == 4


async def test_of_many_who_renew_a_token_at_once_each_is_told_the_epoch_that_was_begun_for_him() -> None:
    """Else two would hold good tokens, though one renewed after the other."""
    sessions = Sessions(MemoryStore(), Limits())
    game_id = (await sessions.create(GAME)).head.game_id
    seats = await asyncio.gather(*(sessions.renew(game_id, 0) for _ in range(5)))
    assert sorted(seat.epoch for seat in seats) == [1, 2, 3, 4, 5]


class RacingStore(SharedStore):
    """A store in which ``rival``, another server, renews a seat before the next change of it."""

    rival: Sessions | None = None

    async def seat(self, game_id: str, seat: Seat, expected: Seat, *, now: int) -> None:
        rival, self.rival = self.rival, None
        if rival is not None:
            await rival.renew(game_id, seat.number, "the request")
        await super().seat(game_id, seat, expected, now=now)


async def test_a_renewal_that_another_server_keeps_meanwhile_is_answered_if_it_is_the_same_one() -> None:
    store = RacingStore()
    sessions = Sessions(store, Limits())
    game_id = (await sessions.create(GAME)).head.game_id
    store.rival = Sessions(store, Limits())
    assert (await sessions.renew(game_id, 0, "the request")).epoch == 1
    store.rival = Sessions(store, Limits())
    with pytest.raises(StaleSeatError):
        await sessions.renew(game_id, 1)
    assert (await sessions.get(game_id)).seat(1).epoch == 1


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


async def test_what_a_seat_sees_is_put_in_a_message_once_until_the_next_change() -> None:
    sessions = Sessions(MemoryStore(), Limits())
    session = await sessions.create(GAME)
    seat, made = session.seat_to_move, []

    def message(info: InformationSet) -> InformationSet:
        made.append(info)
        return info

    for viewer in (seat, 1 - seat, seat, 1 - seat):
        assert session.sight(viewer).message(message) == session.information_set(viewer)
    assert len(made) == 2
    move = Move(session.head.game_id, seat, session.deciding(seat).legal_actions()[0], 1)
    applied = await sessions.apply(move)
    assert applied.sight.message(message) == session.sight(seat).message(message) != made[0]
    assert len(made) == 3


async def test_seeds_are_drawn_by_the_function_that_is_given() -> None:
    sessions = Sessions(MemoryStore(), Limits(), seed=lambda: 42)
    drawn = await sessions.create(NewGame("builders", 2, {}))
    given = await sessions.create(GAME)
    assert drawn.information_set(0) == given.information_set(0)


async def test_a_seat_is_changed_on_the_game_as_it_is_and_not_on_one_that_was_dropped() -> None:
    """Else a person who is given his seat back is told a revision that is old."""
    store = MemoryStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(GAME)
    game_id, seat = session.head.game_id, session.seat_to_move
    async with sessions._lock(game_id):
        changing = asyncio.create_task(sessions.take_over(game_id, seat, BotSettings("greedy")))
        await asyncio.sleep(0)
        entry = Entry((session.deciding(seat).legal_actions()[0],))
        await store.append(game_id, 1, entry, now=0)  # kept, but not told
        sessions._drop(session)
    changed = await changing
    assert changed.revision == 2
    assert changed.settings(seat) == BotSettings("greedy")


class SlowStore(MemoryStore):
    """A store that reads a whole game at once and tells it when ``told`` is set, and appends and deletes when
    that is set; an append happens though the caller gives up, as in a database.
    """

    def __init__(self, *, shared: bool = False) -> None:
        super().__init__()
        self.shared = shared
        self.told = asyncio.Event()
        self.told.set()
        self._asked: list[asyncio.Task[None]] = []

    async def load(self, game_id: str) -> StoredGame:
        stored = await super().load(game_id)
        await self.told.wait()
        return stored

    async def append(self, game_id: str, revision: int, entry: Entry, **more: Any) -> None:
        async def kept() -> None:
            await self.told.wait()
            await MemoryStore.append(self, game_id, revision, entry, **more)

        self._asked.append(asyncio.create_task(kept()))
        await asyncio.shield(self._asked[-1])

    async def delete(self, game_id: str) -> None:
        await self.told.wait()
        await super().delete(game_id)


async def asked(*calls: Coroutine[Any, Any, T], turns: int = 1) -> list[asyncio.Task[T]]:
    """Calls that have been under way for so many turns of the loop and are not answered."""
    tasks = [asyncio.create_task(call) for call in calls]
    for _ in range(turns):
        await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)
    return tasks


async def begun(*calls: Coroutine[Any, Any, T]) -> list[asyncio.Task[T]]:
    """Calls that have come as far as they can."""
    return await asked(*calls, turns=5)


async def test_what_was_acknowledged_is_not_older_to_who_looks_later_at_another_server() -> None:
    """Two who ask a server that does not hold the game: the first of them read it before the move."""
    store = SlowStore(shared=True)
    here, there = Sessions(store, Limits()), Sessions(store, Limits())
    session = await here.create(GAME)
    game_id = session.head.game_id
    store.told.clear()
    (early,) = await begun(there.get(game_id))
    entry = Entry((session.deciding(session.seat_to_move).legal_actions()[0],))
    await MemoryStore.append(store, game_id, 1, entry, now=0)  # here
    (late,) = await begun(there.get(game_id))
    store.told.set()
    await early
    assert (await late).revision == 2


async def test_a_move_whose_caller_has_gone_is_seen_by_all_when_it_is_kept() -> None:
    store = SlowStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(GAME)
    changes: list[int] = []
    sessions.on_change = lambda changed: changes.append(changed.revision)
    store.told.clear()
    (given_up,) = await begun(sessions.apply(a_move(session)))
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert (await sessions.get(session.head.game_id)).revision == 1
    with session.awaiting() as change:
        store.told.set()
        await asyncio.wait_for(change.wait(), 10)
    assert (await sessions.get(session.head.game_id)).revision == 2
    assert changes == [2]


async def test_a_move_that_fails_when_its_caller_has_gone_is_in_the_log_and_nowhere_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FailingStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(GAME)
    nobody: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: nobody.append(context))
    try:
        store.failures = ["before"]
        (given_up,) = await asked(sessions.apply(a_move(session)))
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        await asyncio.gather(*sessions._working, return_exceptions=True)
        await asyncio.sleep(0)
        gc.collect()
    finally:
        asyncio.get_running_loop().set_exception_handler(None)
    assert not nobody
    assert [record.getMessage() for record in caplog.records] == [
        "a change whose caller had gone failed: ConnectionError"
    ]


async def test_a_game_that_leaves_memory_while_it_is_changed_is_read_again_after_that() -> None:
    store = SlowStore()
    sessions = Sessions(store, Limits(live_games=1))
    first = await sessions.create(GAME)
    game_id = first.head.game_id
    store.told.clear()
    (moving,) = await begun(sessions.apply(a_move(first)))
    await sessions.create(GAME)
    (looking,) = await begun(sessions.get(game_id))
    store.told.set()
    assert (await moving).status.revision == (await looking).revision == 2


async def test_a_game_that_is_deleted_while_it_is_read_does_not_come_back() -> None:
    store = SlowStore()
    sessions = Sessions(store, Limits())
    session = await sessions.create(GAME)
    game_id = session.head.game_id
    sessions._drop(session)
    store.told.clear()
    (reading,) = await begun(sessions.get(game_id))
    (deleting,) = await begun(sessions._delete(game_id, inf))
    store.told.set()
    await asyncio.gather(reading, deleting)
    assert deleting.result()
    with pytest.raises(GameNotFoundError):
        await sessions.get(game_id)


async def test_a_game_whose_deletion_is_given_up_is_deleted_in_memory_as_well() -> None:
    now = 0.0
    store = SlowStore()
    sessions = Sessions(store, Limits(idle_seconds=100.0), clock=lambda: now)
    game_id = (await sessions.create(GAME)).head.game_id
    now = 101.0
    store.told.clear()
    (sweeping,) = await begun(sessions.sweep())
    sweeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sweeping
    (reading,) = await begun(sessions.renew(game_id, 0))
    store.told.set()
    with pytest.raises(GameNotFoundError):
        await reading
    assert sessions.live == 0


async def test_a_game_that_somebody_asks_for_while_others_are_deleted_is_kept() -> None:
    now = 0.0
    store = SlowStore()
    sessions = Sessions(store, Limits(idle_seconds=100.0), clock=lambda: now)
    for _ in range(2):
        await sessions.create(GAME)
    now = 101.0
    store.told.clear()
    (sweeping,) = await begun(sessions.sweep())
    kept = max(store._games)  # of two as old the last one
    await sessions.get(kept)
    store.told.set()
    assert await sweeping == 1
    assert list(store._games) == [kept]


async def test_a_game_whose_creation_was_given_up_is_told_of_when_it_is_asked_for_again() -> None:
    """A bot may be the first to move in it."""
    store = MemoryStore()
    new = replace(GAME, request_id="r", bots={0: BotSettings("random")})
    await Sessions(store, Limits()).create(new)  # kept; that it was is told to nobody
    sessions = Sessions(store, Limits())
    told: list[Session] = []
    sessions.on_change = told.append
    assert told == [await sessions.create(new)]


async def test_games_that_somebody_waits_for_stay_in_memory_and_others_leave_it() -> None:
    """Else who waits is woken by each game that comes in, and bots begin their searches anew for ever."""
    sessions = Sessions(MemoryStore(), Limits(live_games=2))
    game_ids = [(await sessions.create(GAME)).head.game_id for _ in range(3)]
    awaited: list[Session] = []
    changes: list[asyncio.Event] = []
    with ExitStack() as stack:
        for game_id in game_ids:
            awaited.append(await sessions.get(game_id))
            changes.append(stack.enter_context(awaited[-1].awaiting()))
            for _ in range(20):
                await sessions.create(GAME)
                assert not any(change.is_set() for change in changes)
        assert [await sessions.get(game_id) for game_id in game_ids] == awaited
        assert sessions.live <= len(awaited) + 1
    for _ in range(3):
        await sessions.create(GAME)
    assert sessions.live == 2
    assert all(change.is_set() for change in changes)


async def test_no_lock_of_a_game_is_kept_that_nobody_changes() -> None:
    sessions = Sessions(MemoryStore(), Limits())
    session = await sessions.create(GAME)
    await sessions.apply(a_move(session))
    await sessions.renew(session.head.game_id, 0)
    assert not sessions._working
    gc.collect()
    assert not sessions._locks
