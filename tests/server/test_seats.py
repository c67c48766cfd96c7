"""Seats: people, bots, and one in the place of the other."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from kingsbridge.pyengine import GameRecord, Rng, describe
from kingsbridge.server.app import App, running
from kingsbridge.server.bot_settings import BotSettings
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import QueueFullError, SearchLostError, StaleRevisionError, StoreError
from kingsbridge.server.search_pool import SearchPool
from kingsbridge.server.seat_bots import HUMAN_SECONDS, SeatBots
from kingsbridge.server.session import Move, NewGame, Session
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.store import FOREVER, MemoryStore
from kingsbridge.v1 import rules_pb2

from .client import ENDLESS, Client, refused, until
from .test_watch import watch


async def create(client: Client, bots: dict[int, str], players: int = 2, **options: int) -> Any:
    seats = [rules_pb2.SeatBot(seat=seat, bot=bot) for seat, bot in bots.items()]
    return await client.rules.CreateGame(
        rules_pb2.CreateGameRequest(
            game="builders", players=players, seed=bytes(16), options=options, bots=seats
        )
    )


async def take_over(client: Client, game_id: str, seat: int, bot: str) -> Any:
    request = rules_pb2.TakeOverSeatRequest(game_id=game_id, bot=rules_pb2.SeatBot(seat=seat, bot=bot))
    return await client.rules.TakeOverSeat(request)


async def give_back(client: Client, game_id: str, seat: int) -> Any:
    return await client.rules.GiveBackSeat(rules_pb2.GiveBackSeatRequest(game_id=game_id, seat=seat))


async def final(client: Client, game_id: str) -> Any:
    """The last message of a game that plays itself."""
    stream, message = watch(client, game_id, -1), None
    while (read := await asyncio.wait_for(stream.read(), 60)) != grpc.aio.EOF:
        message = read
    return message


async def test_a_game_of_bots_alone_plays_itself_to_the_end(client: Client) -> None:
    game = await create(client, {0: "greedy", 1: "random", 2: "ismcts:iterations=20"}, 3, max_rounds=5)
    assert list(game.status.bots) == ["greedy", "random", "ismcts:iterations=20"]
    message = await final(client, game.game_id)
    assert message.status.over
    record = GameRecord.parse((await client.record(game.game_id)).record.text)
    assert record.result == tuple(message.status.result.scores)


async def test_bots_answer_until_a_person_is_to_move(client: Client) -> None:
    game = await create(client, {1: "greedy"})
    rng, status = Rng(1), game.status
    stream = watch(client, game.game_id, 0)
    while not status.over and status.revision < 40:
        status = (await asyncio.wait_for(stream.read(), 10)).status
        if status.seat_to_move == 0:
            actions = await client.legal(game.game_id, 0)
            if actions and (await client.view(game.game_id, 0)).status == status:
                await client.apply(game.game_id, status, actions[rng.below(len(actions))])
    stream.cancel()
    assert status.revision >= 40 or status.over


async def test_a_person_cannot_play_a_seat_that_a_bot_has(client: Client) -> None:
    game = await create(client, {0: ENDLESS, 1: ENDLESS})
    seat = game.status.seat_to_move
    (action, *_) = await client.legal(game.game_id, seat)
    refusal = await refused(client.apply(game.game_id, game.status, action))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SEAT_HELD_BY_BOT")
    for each in (0, 1):
        await give_back(client, game.game_id, each)


async def test_a_seat_is_taken_over_and_given_back_in_the_middle_of_a_search(
    app: App, client: Client
) -> None:
    game = await create(client, {})
    seat, (action, *_) = game.status.seat_to_move, await client.legal(game.game_id, game.status.seat_to_move)
    taken = await take_over(client, game.game_id, seat, ENDLESS)
    assert taken.status.bots[seat] == ENDLESS
    await until(lambda: app.pool.status().busy > 0)
    back = await give_back(client, game.game_id, seat)
    assert list(back.status.bots) == ["", ""]
    assert back.status.revision == 1, "the search that was stopped has played nothing"
    await until(lambda: app.seat_bots.playing == 0)
    await until(lambda: app.pool.status().busy == 0)
    applied = await client.apply(game.game_id, game.status, action)
    assert applied.status.revision == 2


async def test_a_bot_takes_the_place_of_another_one(app: App, client: Client) -> None:
    game = await create(client, {})
    seat = game.status.seat_to_move
    await take_over(client, game.game_id, seat, ENDLESS)
    await until(lambda: app.pool.status().busy > 0)
    await take_over(client, game.game_id, seat, "greedy")
    stream = watch(client, game.game_id, -1)
    message = await stream.read()
    while message.status.seat_to_move == seat:
        message = await asyncio.wait_for(stream.read(), 10)
    stream.cancel()
    assert message.status.revision > 1


async def test_a_seat_that_no_bot_plays_cannot_be_given_back(client: Client) -> None:
    game = await create(client, {})
    refusal = await refused(give_back(client, game.game_id, 0))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_BOT")


async def test_a_seat_of_a_finished_game_cannot_be_taken_over(client: Client) -> None:
    game = await create(client, {0: "random", 1: "random"}, max_rounds=2)
    await final(client, game.game_id)
    refusal = await refused(take_over(client, game.game_id, 0, "greedy"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER")


@pytest.mark.parametrize(
    ("bot", "reason", "field"),
    [
        ("", "INVALID_FIELD", "bot.bot"),
        ("deep_blue", "UNKNOWN_BOT", "bot.bot"),
        ("ismcts:z=1", "INVALID_BOT_OPTION", "bot.bot"),
    ],
)
async def test_a_bot_that_does_not_exist_is_refused_at_once(
    client: Client, bot: str, reason: str, field: str
) -> None:
    game = await create(client, {})
    refusal = await refused(take_over(client, game.game_id, 0, bot))
    assert (refusal.code, refusal.reason, refusal.field) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        reason,
        field,
    )


async def test_a_server_that_starts_again_goes_on_with_its_bots() -> None:
    """Both servers have one store: the first is stopped in the middle of a search."""
    store = MemoryStore()
    first = App(workers=1, store=store)
    async with running(first) as address, grpc.aio.insecure_channel(address) as channel:
        client = Client(channel)
        game = await create(client, {0: "greedy", 1: ENDLESS}, max_rounds=3)
        await until(lambda: first.pool.status().busy > 0)
    seats = (await store.load(game.game_id)).seats
    (held,) = [seat for seat in seats if seat.number == 1]
    quick = BotSettings("random").text()
    await store.seat(game.game_id, type(held)(1, held.epoch, quick), held, now=0)
    async with running(App(workers=1, store=store)) as address, grpc.aio.insecure_channel(address) as channel:
        assert (await final(Client(channel), game.game_id)).status.over


class SharedStore(MemoryStore):
    """A store that another server writes to as well."""

    shared = True


async def test_what_a_server_that_died_left_to_its_bots_is_taken_up_by_another_one() -> None:
    store = SharedStore()
    quick = BotSettings("random")
    async with running(App(workers=1, store=store, limits=Limits(sweep_seconds=0.05))) as address:
        dead = Sessions(store, Limits())  # it creates the game, and plays no bot
        created = await dead.create(NewGame("builders", 2, {"max_rounds": 3}, 1, bots={0: quick, 1: quick}))
        game_id = created.head.game_id
        store_game = store._games[game_id]
        await until(lambda: store_game.over, 30.0)
    assert address


class NotedStore(SharedStore):
    """Notes from when to when running games were asked for, and fails when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[int, int]] = []
        self.fails = False

    async def running(self, since: int = 0, before: int = FOREVER) -> list[str]:
        self.asked.append((since, before))
        if self.fails:
            raise StoreError("not now")
        return await super().running(since, before)


async def test_a_server_looks_at_all_games_first_and_then_at_those_that_have_gone_quiet_since() -> None:
    """From a minute before it looked last, as the clock of another server may be behind, to a minute ago."""
    now = 10_000.0
    store, limits = NotedStore(), Limits(sweep_seconds=60.0)
    bots = SeatBots(Sessions(store, limits), FaultyPool([]), limits, clock=lambda: now)
    await bots.resume()
    now = 10_060.0
    await bots.resume()
    now, store.fails = 10_130.0, True
    with pytest.raises(StoreError):
        await bots.resume()
    now, store.fails = 10_200.0, False
    await bots.resume()
    now = 10_260.0
    await bots.resume()
    assert store.asked == [(0, FOREVER), (9_940, 10_000), (9_940, 10_070), (9_940, 10_140), (10_080, 10_200)]


class FaultyPool(SearchPool):
    """A pool whose searches fail in turn."""

    def __init__(self, failures: list[Exception]) -> None:
        super().__init__(1, Limits())
        self.failures = failures

    async def search(self, search: Any) -> Any:
        if self.failures:
            raise self.failures.pop()
        raise SearchLostError("the search crashed twice")


async def test_a_game_goes_on_whatever_happens_to_its_searches(caplog: pytest.LogCaptureFixture) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    full = QueueFullError("full", "interactive", 3, 0.25)
    failures: list[Exception] = [ValueError("W42"), ValueError("W42"), full]
    sessions = Sessions(MemoryStore(), Limits())
    bots = SeatBots(sessions, FaultyPool(failures), Limits(), sleep=sleep, draw=lambda: 7)
    sessions.on_change = bots.wake
    random = BotSettings("random")
    session = await sessions.create(NewGame("builders", 2, {"max_rounds": 3}, 1, bots={0: random, 1: random}))
    await until(lambda: session.over)
    assert slept == [0.25, 1.0, 2.0], "as long as the queue says; then the pauses after faults, growing"
    assert "W42" not in caplog.text
    await bots.close()


async def test_more_games_of_bots_than_memory_holds_go_on_side_by_side() -> None:
    """A game that leaves memory wakes who waits for its changes: bots must not begin anew for that."""

    class SlowPool(FaultyPool):
        async def search(self, search: Any) -> Any:
            for _ in range(50):  # turns of the loop, in which the others ask for their games
                await asyncio.sleep(0)
            return await super().search(search)

    store, limits = MemoryStore(), Limits(live_games=2)
    sessions = Sessions(store, limits)
    bots = SeatBots(sessions, SlowPool([]), limits)
    sessions.on_change = bots.wake
    both = {seat: BotSettings("random") for seat in range(2)}
    for _ in range(4):
        await sessions.create(NewGame("builders", 2, {"max_rounds": 3}, bots=both))
    await until(lambda: all(kept.over for kept in store._games.values()))
    await bots.close()


async def test_a_bot_wakes_though_its_turn_comes_in_the_moment_in_which_it_stopped_looking() -> None:
    class Watched(Sessions):
        async def get(self, game_id: str) -> Session:
            asyncio.get_running_loop().call_soon(bots.wake, its_turn)
            return not_its_turn

    sessions = Sessions(MemoryStore(), Limits())
    random = BotSettings("random")
    its_turn = await sessions.create(NewGame("builders", 2, {}, 1, bots={0: random, 1: random}))
    not_its_turn = await sessions.create(NewGame("builders", 2, {}, 1))
    bots = SeatBots(Watched(MemoryStore(), Limits()), FaultyPool([]), Limits())
    bots.wake(its_turn)
    (first,) = bots._tasks.values()
    await first
    (second,) = bots._tasks.values()
    assert second is not first
    await bots.close()


async def test_a_human_pace_waits_and_does_not_depend_on_the_position() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    sessions = Sessions(MemoryStore(), Limits())
    draws = iter(range(10**6))
    bots = SeatBots(sessions, FaultyPool([]), Limits(), sleep=sleep, draw=lambda: next(draws))
    sessions.on_change = bots.wake
    human = BotSettings("random", human=True)
    session = await sessions.create(NewGame("builders", 2, {"max_rounds": 8}, 1, bots={0: human, 1: human}))
    await until(lambda: session.over)
    assert len(slept) == session.revision - 1
    least, most = HUMAN_SECONDS
    assert least - 0.5 < min(slept) < least + 0.5  # what the search took is taken off
    assert most - 0.5 < max(slept) <= most
    await bots.close()


async def test_a_bots_move_counts_only_while_it_has_the_seat() -> None:
    sessions = Sessions(MemoryStore(), Limits())
    session = await sessions.create(NewGame("builders", 2, {}, 1))
    seat = session.seat_to_move
    action = session.deciding(seat).legal_actions()[0]
    settings = BotSettings("greedy")
    stale = Move(session.head.game_id, seat, action, 1, bot=settings.text())
    with pytest.raises(Exception, match="seat") as caught:
        await sessions.apply(stale)
    assert not isinstance(caught.value, StaleRevisionError)
    await sessions.take_over(session.head.game_id, seat, settings)
    assert (await sessions.apply(stale)).status.revision == 2


def test_settings_are_kept_as_text_and_read_again() -> None:
    settings = BotSettings("ismcts:level=3", 100, 1.5, human=True)
    assert BotSettings.of_text(settings.text()) == settings
    assert BotSettings.of_text("") is None


async def test_games_of_other_rules_are_refused_in_clear_words(app: App, client: Client) -> None:
    game = await client.create()
    kept = app.sessions._store._games[game.game_id]  # type: ignore[attr-defined]
    kept.head = type(kept.head)(
        **{
            **{name: getattr(kept.head, name) for name in kept.head.__slots__},
            "rules_hash": "0" * 16,
        }
    )
    app.sessions._drop(app.sessions._live[game.game_id])
    refusal = await refused(client.rules.GetView(rules_pb2.GetViewRequest(game_id=game.game_id)))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "RULES_CHANGED")
    assert describe("builders").rules_hash in refusal.message


class BusyPool(SearchPool):
    """A pool whose searches end when they are told to."""

    def __init__(self) -> None:
        super().__init__(1, Limits())
        self.asked = 0
        self.go_on = asyncio.Event()

    async def search(self, search: Any) -> Any:
        self.asked += 1
        await self.go_on.wait()
        raise SearchLostError("the search crashed twice")


async def test_the_seats_of_bots_leave_half_of_the_places_in_the_queue_to_callers() -> None:
    limits, pool = Limits(queue=6), BusyPool()
    sessions = Sessions(MemoryStore(), limits)
    bots = SeatBots(sessions, pool, limits)
    sessions.on_change = bots.wake
    game = NewGame("builders", 2, {"max_rounds": 1}, 1, bots=dict.fromkeys((0, 1), BotSettings("random")))
    begun = [await sessions.create(game) for _ in range(5)]
    await until(lambda: bots.playing == 5)
    await until(lambda: pool.asked == 3)
    for _ in range(20):
        await asyncio.sleep(0)
    assert pool.asked == 3
    pool.go_on.set()
    await until(lambda: all(session.over for session in begun))
    await bots.close()
