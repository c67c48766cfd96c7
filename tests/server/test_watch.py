"""Following a game."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from kingsbridge.pyengine import GameRecord, Rng, action_text
from kingsbridge.server.app import App, running
from kingsbridge.server.codec import requests
from kingsbridge.server.limits import Limits
from kingsbridge.server.session import Move, NewGame, Session
from kingsbridge.v1 import rules_pb2

from .client import OPERATOR, Client, Refusal, bearer, token_of, until


def watch(client: Client, game_id: str, seat: int, first: int = 0, heartbeat: int = 60) -> Any:
    request = rules_pb2.WatchGameRequest(game_id=game_id, seat=seat, from_event=first)
    request.heartbeat.seconds = heartbeat
    return client.rules.WatchGame(request)


async def to_the_end(stream: Any) -> None:
    while await stream.read() != grpc.aio.EOF:
        pass


async def test_each_seat_is_told_each_step_and_what_it_sees(client: Client) -> None:
    game, rng = await client.create(3, max_rounds=4), Rng(1)
    seats = (-1, 0, 1, 2)
    streams = {seat: watch(client, game.game_id, seat) for seat in seats}
    firsts = {seat: await stream.read() for seat, stream in streams.items()}
    status = game.status
    heard: dict[int, list[Any]] = {seat: list(firsts[seat].events) for seat in seats}
    while not status.over:
        status = (await client.step(game.game_id, rng)).status
        for seat, stream in streams.items():
            message = await stream.read()
            assert message.status == status
            assert message.view == (await client.view(game.game_id, seat)).view
            heard[seat] += message.events
    for stream in streams.values():
        assert await stream.read() == grpc.aio.EOF
    record = GameRecord.parse((await client.record(game.game_id)).record.text)
    for seat in seats:
        assert [event.index for event in heard[seat]] == list(range(len(record.actions)))
        told = [event.action.text for event in heard[seat] if event.HasField("action")]
        assert told == [action_text("builders", action) for action in record.actions]


async def test_a_watcher_that_was_cut_off_goes_on_where_he_was(client: Client) -> None:
    game, rng = await client.create(), Rng(2)
    whole = watch(client, game.game_id, 0)
    events = list((await whole.read()).events)
    for _ in range(5):
        await client.step(game.game_id, rng)
        events += (await whole.read()).events
    whole.cancel()
    for first in (0, 3, len(events) - 1):
        stream = watch(client, game.game_id, 0, first)
        message = await stream.read()
        assert list(message.events) == events[first:]
        assert message.next_event == len(events)
        stream.cancel()
    stream = watch(client, game.game_id, 0, len(events))
    message = await stream.read()
    assert not message.events, "nothing is new, and yet it is told where the game stands"
    assert message.HasField("view")
    await client.step(game.game_id, rng)
    assert (await stream.read()).events[0].index == len(events)
    stream.cancel()


async def test_an_event_that_is_yet_to_come_cannot_be_the_first(client: Client) -> None:
    game = await client.create()
    length = (await watch(client, game.game_id, 0).read()).next_event
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch(client, game.game_id, 0, length + 1).read()
    refusal = Refusal(caught.value)
    assert (refusal.code, refusal.field) == (grpc.StatusCode.INVALID_ARGUMENT, "from_event")


async def test_of_what_a_seat_cannot_tell_it_is_told_that_it_happened(client: Client) -> None:
    request = rules_pb2.CreateGameRequest(game="column", players=2, seed=bytes(16))
    game, rng = await client.rules.CreateGame(request), Rng(3)
    while "draw" not in (await client.record(game.game_id, 0)).record.text:  # a tile that goes under a screen
        await client.step(game.game_id, rng)
    message = await watch(client, game.game_id, -1).read()
    told = (await client.record(game.game_id, -1)).record
    hidden = [event for event in message.events if not event.HasField("action")]
    assert len(hidden) == told.text.count("does not see") > 0
    assert not told.complete


async def test_who_reads_slowly_is_told_all_at_once(client: Client) -> None:
    game, rng = await client.create(), Rng(4)
    stream = watch(client, game.game_id, 0)
    first = await stream.read()
    messages: list[Any] = []
    last = first
    for _ in range(60):
        last = await client.step(game.game_id, rng)
    while not messages or messages[-1].status.revision < last.status.revision:
        messages.append(await stream.read())
    stream.cancel()
    indices = [event.index for message in messages for event in message.events]
    assert indices == list(range(first.next_event, messages[-1].next_event))


async def test_the_last_message_says_that_the_game_is_over_however_slowly_it_is_read(app: App) -> None:
    """The game ends while a message about the time before is being read."""
    session = await app.sessions.create(NewGame("builders", 2, {"max_rounds": 2}, 1))
    sessions, rng = app.sessions, Rng(1)

    async def look() -> Session:
        return session

    told = []
    async for change in app.watching.follow(look, 0, 0, 60.0):
        told.append(change.status)
        while not session.over:
            actions = session.deciding(session.seat_to_move).legal_actions()
            action = actions[rng.below(len(actions))]
            await sessions.apply(Move(session.head.game_id, session.seat_to_move, action, session.revision))
    assert len(told) == 2
    assert told[-1].scores is not None


async def test_a_silent_game_gives_a_sign_of_life(client: Client) -> None:
    game = await client.create()
    stream = watch(client, game.game_id, 0, heartbeat=1)
    first = await stream.read()
    started = asyncio.get_running_loop().time()
    beat = await stream.read()
    assert 0.9 < asyncio.get_running_loop().time() - started < 5.0
    assert (beat.status, beat.next_event) == (first.status, first.next_event)
    assert not beat.events
    assert not beat.HasField("view")
    stream.cancel()


@pytest.mark.parametrize("seconds", [0, 61])
async def test_a_heartbeat_out_of_bounds_is_refused(client: Client, seconds: int) -> None:
    game = await client.create()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch(client, game.game_id, 0, heartbeat=seconds).read()
    assert Refusal(caught.value).field == "heartbeat"


async def test_a_stream_ends_when_its_token_is_replaced(client: Client) -> None:
    """Otherwise who has lost his seat would go on seeing its hand."""
    game = await client.create()
    stream, other = watch(client, game.game_id, 0), watch(client, game.game_id, 1)
    await stream.read()
    await other.read()
    await client.rules.RenewToken(rules_pb2.RenewTokenRequest(game_id=game.game_id, seat=0))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(stream.read(), 5)
    refusal = Refusal(caught.value)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_VOID")
    other.cancel()


async def test_a_stream_ends_when_its_token_runs_out() -> None:
    app = App(workers=1, limits=Limits(token_seconds=2.0))
    async with running(app) as address, grpc.aio.insecure_channel(address) as channel:
        client = Client(channel)
        game = await client.create()
        stream = watch(client, game.game_id, 0, heartbeat=1)
        assert (await stream.read()).HasField("view")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await to_the_end(stream)
        assert Refusal(caught.value).reason == "TOKEN_EXPIRED"


async def test_a_game_built_anew_is_followed_on(app: App, client: Client) -> None:
    game, rng = await client.create(), Rng(5)
    stream = watch(client, game.game_id, 0)
    first = (await stream.read()).next_event
    for _ in range(3):
        app.sessions._drop(app.sessions._live[game.game_id])
        await client.step(game.game_id, rng)
        message = await stream.read()
        assert message.events[0].index == first
        first = message.next_event
    stream.cancel()


async def test_a_deleted_game_ends_its_streams(app: App, client: Client) -> None:
    game = await client.create()
    stream = watch(client, game.game_id, 0)
    await stream.read()
    await app.sessions._delete(game.game_id, float("inf"))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(stream.read(), 5)
    assert Refusal(caught.value).code is grpc.StatusCode.NOT_FOUND


async def test_a_finished_game_is_told_whole_and_the_stream_ends(client: Client) -> None:
    game, rng = await client.create(2, visible_tops=0, max_rounds=3), Rng(6)
    status = game.status
    while not status.over:
        status = (await client.step(game.game_id, rng)).status
    stream = watch(client, game.game_id, -1)
    message = await stream.read()
    assert all(event.HasField("action") for event in message.events)
    assert message.status.over
    assert await stream.read() == grpc.aio.EOF


async def test_more_watchers_than_may_be_are_refused_and_a_place_becomes_free_again() -> None:
    app = App(workers=1, limits=Limits(watchers=2))
    async with running(app) as address, grpc.aio.insecure_channel(address) as channel:
        client = Client(channel)
        game = await client.create()
        streams = [watch(client, game.game_id, seat) for seat in (0, 1)]
        for stream in streams:
            await stream.read()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await watch(client, game.game_id, 0).read()
        refusal = Refusal(caught.value)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS")
        streams[0].cancel()
        await until(lambda: app.watching.open == 1)
        await watch(client, game.game_id, 0).read()


async def test_watchers_of_a_stopping_server_are_told_to_go_on_with_the_next_one() -> None:
    app = App(workers=1, operator=OPERATOR)
    address = await app.start()
    async with grpc.aio.insecure_channel(address) as channel:
        client = Client(channel)
        game = await client.create()
        streams = [watch(client, game.game_id, seat) for seat in (-1, 0, 1)]
        for stream in streams:
            await stream.read()
        stopping = asyncio.create_task(app.stop())
        for stream in streams:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await asyncio.wait_for(stream.read(), 5)
            refusal = Refusal(caught.value)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
        await stopping


async def test_what_a_watcher_sees_reads_as_a_view_that_a_bot_can_be_asked_about(client: Client) -> None:
    game = await client.create()
    message = await watch(client, game.game_id, game.status.seat_to_move).read()
    plain = requests.plain(message.view.builders)
    assert plain["viewer"] == game.status.seat_to_move


def test_the_tokens_of_these_tests_are_seats_own() -> None:
    assert token_of("unknown", 0) == OPERATOR
    assert bearer("x") == [("authorization", "Bearer x")]
