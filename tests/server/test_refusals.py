"""Every refusal: its status, its reason, and the field or rule it names."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2  # type: ignore[import-untyped]

from kingsbridge.ai.levels import Levels
from kingsbridge.pyengine import Rng
from kingsbridge.server import errors
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import StoreError
from kingsbridge.v1 import ai_pb2, rules_pb2

from .client import ENDLESS, Client, Refusal, refused, until

INVALID = grpc.StatusCode.INVALID_ARGUMENT


def check(refusal: Refusal, code: grpc.StatusCode, reason: str, field: str | None = None) -> None:
    assert (refusal.code, refusal.reason) == (code, reason)
    assert refusal.detail(error_details_pb2.ErrorInfo).domain == errors.DOMAIN
    if field is not None:
        assert refusal.field == field


async def apply(client: Client, game: rules_pb2.CreateGameResponse, **changes: Any) -> Refusal:
    """The refusal of a legal action after some fields were changed; ``None`` leaves one out."""
    fields = {
        "game_id": game.game_id,
        "seat": game.status.seat_to_move,
        "action_text": "coins(actions=1)",
        "expected_revision": game.status.revision,
        **changes,
    }
    given = {name: value for name, value in fields.items() if value is not None}
    return await refused(client.rules.ApplyAction(rules_pb2.ApplyActionRequest(**given)))


async def choose(client: Client, **fields: Any) -> Refusal:
    return await refused(client.ai.ChooseAction(ai_pb2.ChooseActionRequest(**{"bot": "random", **fields})))


async def test_an_unknown_game_is_not_found(client: Client) -> None:
    described = client.rules.DescribeGame(rules_pb2.DescribeGameRequest(game="chess"))
    check(await refused(described), grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME")
    created = client.rules.CreateGame(rules_pb2.CreateGameRequest(game="chess", players=2))
    check(await refused(created), grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME")


async def test_an_unknown_game_id_is_not_found_by_any_call(client: Client) -> None:
    place: dict[str, Any] = {"game_id": "nowhere", "seat": 0}
    calls = [
        client.rules.GetView(rules_pb2.GetViewRequest(**place)),
        client.rules.ListLegalActions(rules_pb2.ListLegalActionsRequest(**place)),
        client.rules.GetRecord(rules_pb2.GetRecordRequest(**place)),
        client.rules.ApplyAction(rules_pb2.ApplyActionRequest(**place, action_id=1, expected_revision=1)),
        client.ai.ChooseAction(
            ai_pb2.ChooseActionRequest(session=ai_pb2.SessionPosition(**place), bot="random")
        ),
    ]
    for call in calls:
        check(await refused(call), grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"players": 2}, "game"),
        ({"game": "x" * 65, "players": 2}, "game"),
        ({"game": "builders"}, "players"),
        ({"game": "builders", "players": 5}, "players"),
        ({"game": "builders", "players": 2, "options": {"max_rounds": 0}}, "options"),
        ({"game": "builders", "players": 2, "options": {"no_such_option": 1}}, "options"),
        ({"game": "builders", "players": 2, "options": {"x" * 65: 1}}, "options"),
        ({"game": "builders", "players": 2, "seed": b"short"}, "seed"),
        ({"game": "builders", "players": 2, "seed": b""}, "seed"),
        ({"game": "builders", "players": 2, "request_id": "x" * 65}, "request_id"),
        ({"game": "builders", "players": 2, "request_id": "x" * 15}, "request_id"),
        ({"game": "builders", "players": 2, "bots": [rules_pb2.SeatBot(seat=0)]}, "bots.bot"),
        ({"game": "builders", "players": 2, "bots": [rules_pb2.SeatBot(seat=2, bot="greedy")]}, "bots.seat"),
        ({"game": "builders", "players": 2, "bots": 2 * [rules_pb2.SeatBot(bot="greedy")]}, "bots.seat"),
        ({"game": "builders", "players": 2, "bots": [rules_pb2.SeatBot(bot="greedy", pace=9)]}, "bots.pace"),  # type: ignore[arg-type]
    ],
)
async def test_a_bad_field_of_a_new_game_is_named(client: Client, fields: dict[str, Any], field: str) -> None:
    refusal = await refused(client.rules.CreateGame(rules_pb2.CreateGameRequest(**fields)))
    assert (refusal.code, refusal.field) == (INVALID, field)
    assert refusal.reason in ("INVALID_FIELD", "INVALID_OPTION")


@pytest.mark.parametrize("seat", [-2, 2, 2**31 - 1])
async def test_a_seat_that_does_not_exist_is_named(client: Client, seat: int) -> None:
    game = await client.create()
    place: dict[str, Any] = {"game_id": game.game_id, "seat": seat}
    for call in (
        client.rules.GetView(rules_pb2.GetViewRequest(**place)),
        client.rules.ListLegalActions(rules_pb2.ListLegalActionsRequest(**place)),
        client.rules.GetRecord(rules_pb2.GetRecordRequest(**place)),
    ):
        check(await refused(call), INVALID, "INVALID_FIELD", "seat")
    check(await apply(client, game, seat=seat), INVALID, "INVALID_FIELD", "seat")


async def test_a_spectator_neither_plays_nor_asks_a_bot(client: Client) -> None:
    game = await client.create()
    check(await apply(client, game, seat=-1), INVALID, "INVALID_FIELD", "seat")
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=-1)
    check(await choose(client, session=session), INVALID, "INVALID_FIELD", "session.seat")


async def test_a_bad_field_of_an_action_is_named(client: Client) -> None:
    game = await client.create()
    check(await apply(client, game, game_id=""), INVALID, "INVALID_FIELD", "game_id")
    check(await apply(client, game, action_text=None), INVALID, "INVALID_FIELD", "action")
    check(await apply(client, game, action_text="pass()"), INVALID, "INVALID_FIELD", "action_text")
    check(await apply(client, game, action_text="x" * 65), INVALID, "INVALID_FIELD", "action_text")
    no_action = {"action_text": None, "action_id": 2**32 - 1}
    check(await apply(client, game, **no_action), INVALID, "INVALID_FIELD", "action_id")
    check(await apply(client, game, expected_revision=0), INVALID, "INVALID_FIELD", "expected_revision")
    check(await apply(client, game, request_id="x" * 65), INVALID, "INVALID_FIELD", "request_id")


async def test_a_stale_revision_is_aborted_and_told_the_present_one(client: Client) -> None:
    game = await client.create()
    await client.step(game.game_id, Rng(1))
    refusal = await apply(client, game)
    check(refusal, grpc.StatusCode.ABORTED, "STALE_REVISION")
    assert refusal.detail(error_details_pb2.ErrorInfo).metadata["revision"] == "2"
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=game.status.seat_to_move, expected_revision=1)
    check(await choose(client, session=session), grpc.StatusCode.ABORTED, "STALE_REVISION")


async def test_a_revision_of_the_future_is_aborted_too(client: Client) -> None:
    game = await client.create()
    check(await apply(client, game, expected_revision=99), grpc.StatusCode.ABORTED, "STALE_REVISION")


async def test_of_two_actions_decided_on_one_revision_one_is_played(client: Client) -> None:
    game = await client.create()
    action = (await client.legal(game.game_id, game.status.seat_to_move))[-1]
    await client.apply(game.game_id, game.status, action)
    again = await refused(client.apply(game.game_id, game.status, action))
    check(again, grpc.StatusCode.ABORTED, "STALE_REVISION")


async def test_an_illegal_action_is_refused_with_the_rule_and_changes_nothing(client: Client) -> None:
    game = await client.create()
    before = await client.view(game.game_id)
    for text in ("end()", "send(worker=W01, site=B31)", "start(seat=0)"):
        refusal = await apply(client, game, action_text=text)
        check(refusal, grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION")
        (violation,) = refusal.detail(error_details_pb2.PreconditionFailure).violations
        assert (violation.type, violation.subject) == ("ILLEGAL_ACTION", text)
    assert await client.view(game.game_id) == before


async def test_a_seat_that_is_not_to_move_is_refused(client: Client) -> None:
    game = await client.create()
    other = 1 - game.status.seat_to_move
    refusal = await apply(client, game, seat=other)
    check(refusal, grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    assert refusal.detail(error_details_pb2.PreconditionFailure).violations[0].subject == f"seat {other}"
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=other)
    check(await choose(client, session=session), grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    view = (await client.view(game.game_id, other)).view
    check(await choose(client, view=view), grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    spectator = (await client.view(game.game_id, -1)).view
    check(await choose(client, view=spectator), grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")


async def test_a_finished_game_takes_no_action(client: Client) -> None:
    game, rng = await client.create(max_rounds=1), Rng(1)
    status = game.status
    while not status.over:
        status = (await client.step(game.game_id, rng)).status
    late = await apply(client, game, expected_revision=status.revision)
    check(late, grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER")
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=0)
    check(await choose(client, session=session), grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER")
    record = (await client.record(game.game_id)).record.text
    check(await choose(client, record=record), grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER")


async def test_a_request_id_is_not_taken_for_another_request(client: Client) -> None:
    first = rules_pb2.CreateGameRequest(game="builders", players=2, request_id="reused-0123456789")
    await client.rules.CreateGame(first)
    other = rules_pb2.CreateGameRequest(game="builders", players=3, request_id="reused-0123456789")
    check(await refused(client.rules.CreateGame(other)), INVALID, "REQUEST_ID_REUSED", "request_id")
    game = await client.create()
    actions = await client.legal(game.game_id, game.status.seat_to_move)
    await client.apply(game.game_id, game.status, actions[0], request_id="reused")
    again = await refused(client.apply(game.game_id, game.status, actions[1], request_id="reused"))
    check(again, INVALID, "REQUEST_ID_REUSED", "request_id")


async def test_a_bad_field_of_a_question_is_named(client: Client) -> None:
    game = await client.create()
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=game.status.seat_to_move)
    check(await choose(client), INVALID, "INVALID_FIELD", "position")
    check(await choose(client, session=session, bot=""), INVALID, "INVALID_FIELD", "bot")
    check(await choose(client, session=session, bot="x" * 201), INVALID, "INVALID_FIELD", "bot")
    check(await choose(client, session=session, bot="deep_blue"), INVALID, "UNKNOWN_BOT", "bot")
    check(await choose(client, session=session, bot="ismcts:z=1"), INVALID, "INVALID_BOT_OPTION", "bot")
    check(await choose(client, session=session, bot="ismcts:c=x"), INVALID, "INVALID_BOT_OPTION", "bot")
    for spec in ("ismcts:memory=4097", "mcts:threads=17,memory=1", "ismcts:memory=2049,threads=2"):
        check(await choose(client, session=session, bot=spec), INVALID, "INVALID_FIELD", "bot")
    for seconds, nanos in ((-1, 0), (0, -1), (0, 1_000_000_000)):
        budget = ai_pb2.Budget(duration=duration_pb2.Duration(seconds=seconds, nanos=nanos))
        check(
            await choose(client, session=session, budget=budget), INVALID, "INVALID_FIELD", "budget.duration"
        )
    budget = ai_pb2.Budget(iterations=Limits().iterations + 1)
    check(await choose(client, session=session, budget=budget), INVALID, "INVALID_FIELD", "budget.iterations")
    legal = [action.id for action in await client.legal(game.game_id, game.status.seat_to_move)]
    wishes: list[dict[str, list[int]]] = [{"allow": [legal[0], 1]}, {"avoid": [1]}, {"avoid": legal}]
    for wish in wishes:
        (field,) = wish
        check(await choose(client, session=session, **wish), INVALID, "INVALID_FIELD", field)
    both = {"allow": legal[:1], "avoid": legal[:1]}
    check(await choose(client, session=session, **both), INVALID, "INVALID_FIELD", "avoid")
    nowhere = ai_pb2.SessionPosition(seat=0)
    check(await choose(client, session=nowhere), INVALID, "INVALID_FIELD", "session.game_id")


async def test_a_view_that_breaks_a_rule_is_refused_by_field_and_rule(client: Client) -> None:
    game = await client.create()
    seat = game.status.seat_to_move
    view = (await client.view(game.game_id, seat)).view
    view.builders.seats[0].coins = 4_000_000_000
    refusal = await choose(client, view=view)
    check(refusal, INVALID, "INVALID_FIELD", "view.builders.seats[0].coins")
    view.builders.unseen_workers.extend(["W01"] * 10_000)
    check(await choose(client, view=view), INVALID, "INVALID_FIELD", "view")
    empty = ai_pb2.ChooseActionRequest(bot="random")
    empty.view.SetInParent()
    check(await refused(client.ai.ChooseAction(empty)), INVALID, "INVALID_FIELD", "view")


async def test_a_record_that_does_not_replay_is_refused_with_the_line(client: Client) -> None:
    game = await client.create()
    text = (await client.record(game.game_id)).record.text
    broken = text + "0: pass()\n"
    refusal = await choose(client, record=broken)
    check(refusal, INVALID, "INVALID_RECORD", "record")
    assert "line" in refusal.message
    check(await choose(client, record="not a record"), INVALID, "INVALID_RECORD", "record")
    halfway = "".join(text.splitlines(keepends=True)[:8])
    check(await choose(client, record=halfway), INVALID, "INVALID_FIELD", "record")
    check(await choose(client, record="#" * (1 << 19) + "#"), INVALID, "INVALID_FIELD", "record")


@pytest.mark.parametrize(
    "name", ["x" * 39 + "\u00e9", "x" * 38 + "\u20ac", "\U0001f3f0" * 11, "a\0b", "\x1b[31m"]
)
async def test_a_name_that_cannot_be_cut_or_shown_as_it_is_is_quoted_all_the_same(
    client: Client, name: str
) -> None:
    described = await refused(client.rules.DescribeGame(rules_pb2.DescribeGameRequest(game=name)))
    check(described, grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME")
    assert "known: builders" in described.message
    new = rules_pb2.CreateGameRequest(game="builders", players=2, options={name: 1})
    created = await refused(client.rules.CreateGame(new))
    check(created, INVALID, "INVALID_OPTION", "options")
    assert "known: max_rounds" in created.message
    game = await client.create()
    view = (await client.view(game.game_id, game.status.seat_to_move)).view
    view.builders.worker_row[0] = name
    forged = await choose(client, view=view)
    check(forged, INVALID, "INVALID_FIELD", "view.builders.worker_row")
    assert forged.message.isprintable()


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("deep_blue", "UNKNOWN_BOT"),
        ("ismcts:c=x", "INVALID_BOT_OPTION"),
        ("ismcts:memory=2049,threads=2", "INVALID_FIELD"),
    ],
)
async def test_a_bot_that_cannot_be_had_is_refused_where_the_request_names_it(
    client: Client, spec: str, reason: str
) -> None:
    bot, game = rules_pb2.SeatBot(seat=0, bot=spec), await client.create()
    new = rules_pb2.CreateGameRequest(game="builders", players=2, bots=[bot])
    check(await refused(client.rules.CreateGame(new)), INVALID, reason, "bots.bot")
    taken = client.rules.TakeOverSeat(rules_pb2.TakeOverSeatRequest(game_id=game.game_id, bot=bot))
    check(await refused(taken), INVALID, reason, "bot.bot")


async def test_a_seat_within_a_message_of_the_request_is_named_by_its_path(client: Client) -> None:
    game = await client.create()
    bot = rules_pb2.SeatBot(seat=2, bot="random")
    taken = client.rules.TakeOverSeat(rules_pb2.TakeOverSeatRequest(game_id=game.game_id, bot=bot))
    check(await refused(taken), INVALID, "INVALID_FIELD", "bot.seat")
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=2)
    check(await choose(client, session=session), INVALID, "INVALID_FIELD", "session.seat")


async def test_a_request_that_is_too_large_is_refused(client: Client) -> None:
    refusal = await choose(client, record="#" * (1 << 20))
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_bytes_that_are_no_message_are_refused_as_such(channel: grpc.aio.Channel) -> None:
    call: Any = channel.unary_unary("/kingsbridge.v1.RulesService/CreateGame")
    check(await refused(call(b"\xff\xff\xff")), INVALID, "INVALID_FIELD", "request")


async def test_a_method_that_does_not_exist_is_unimplemented(channel: grpc.aio.Channel) -> None:
    call: Any = channel.unary_unary("/kingsbridge.v1.RulesService/Resign")
    assert (await refused(call(b""))).code is grpc.StatusCode.UNIMPLEMENTED


async def test_a_server_full_of_running_games_refuses_another_until_one_ends(small_client: Client) -> None:
    games = [await small_client.create(max_rounds=1) for _ in range(3)]
    refusal = await refused(small_client.create())
    check(refusal, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_GAMES")
    assert "3 games" in refusal.detail(error_details_pb2.QuotaFailure).violations[0].description
    assert refusal.detail(error_details_pb2.RetryInfo).retry_delay.seconds == errors.RETRY_SECONDS
    status, rng = games[1].status, Rng(1)
    while not status.over:
        status = (await small_client.step(games[1].game_id, rng)).status
    await small_client.create(max_rounds=1)
    gone = await refused(small_client.view(games[1].game_id))
    check(gone, grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")
    await small_client.view(games[0].game_id)


async def test_a_full_queue_refuses_another_search(
    client: Client, small_client: Client, small_app: Any
) -> None:
    game = await client.create()
    view = (await client.view(game.game_id, game.status.seat_to_move)).view
    running = small_client.ai.ChooseAction(_lasting(view, seconds=15))
    await until(lambda: small_app.pool.busy == 1)
    waiting = small_client.ai.ChooseAction(_lasting(view, seconds=5))
    await until(lambda: small_app.pool.waiting == 1)
    refusal = await refused(small_client.ai.ChooseAction(_lasting(view, seconds=1)))
    check(refusal, grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL")
    (violation,) = refusal.detail(error_details_pb2.QuotaFailure).violations
    assert "1 interactive searches wait" in violation.description
    metadata = refusal.detail(error_details_pb2.ErrorInfo).metadata
    assert dict(metadata) == {"queue": "interactive", "queue_position": "2"}
    retry = refusal.detail(error_details_pb2.RetryInfo).retry_delay.ToMilliseconds()
    assert 12_000 < retry <= 20_000
    assert retry % 10 == 0
    running.cancel()
    waiting.cancel()
    await until(lambda: small_app.pool.idle == 1)


async def test_a_search_whose_deadline_is_before_its_turn_is_refused_at_once(
    client: Client, small_client: Client, small_app: Any
) -> None:
    game = await client.create()
    view = (await client.view(game.game_id, game.status.seat_to_move)).view
    running = small_client.ai.ChooseAction(_lasting(view, seconds=15))
    await until(lambda: small_app.pool.busy == 1)
    refusal = await refused(small_client.ai.ChooseAction(_lasting(view, seconds=1), timeout=5))
    check(refusal, grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL")
    assert refusal.detail(error_details_pb2.ErrorInfo).metadata["queue_position"] == "1"
    assert 10_000 < refusal.detail(error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() <= 15_000
    assert small_app.pool.waiting == 0
    running.cancel()
    await until(lambda: small_app.pool.idle == 1)


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [(0.0, 50), (0.05, 50), (0.0511, 60), (1.234, 1240), (31.0, 30_000), (1e30, 30_000)],
)
def test_an_estimated_wait_is_told_rounded_up_and_within_bounds(seconds: float, milliseconds: int) -> None:
    assert errors.retry_milliseconds(seconds) == milliseconds


async def test_too_large_a_tree_is_refused_with_its_size_and_what_is_allowed(client: Client) -> None:
    game = await client.create()
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=game.status.seat_to_move)
    refusal = await choose(client, session=session, bot="ismcts:threads=9,memory=500")
    check(refusal, INVALID, "INVALID_FIELD", "bot")
    assert "4500 MiB" in refusal.message  # 9 trees of 500
    assert f"{Limits().tree_mebibytes} MiB" in refusal.message


async def test_a_level_that_a_game_does_not_have_is_refused_before_it_reaches_a_worker(
    client: Client, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await client.create()
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=game.status.seat_to_move)
    monkeypatch.setattr("kingsbridge.ai.ismcts.levels", lambda: Levels({"chess": {2: (1,) * 10}}, {}))
    before = app.pool.status().totals
    refusal = await choose(client, session=session, bot="ismcts:level=3")
    check(refusal, INVALID, "INVALID_FIELD", "bot")
    assert 'no levels for game "builders"' in refusal.message
    assert app.pool.status().totals == before


def _lasting(view: Any, seconds: int) -> ai_pb2.ChooseActionRequest:
    budget = ai_pb2.Budget(duration=duration_pb2.Duration(seconds=seconds))
    return ai_pb2.ChooseActionRequest(view=view, bot=ENDLESS, budget=budget)


def test_a_store_that_fails_is_unavailable_and_says_when_to_try_again() -> None:
    status = errors.refusal(StoreError("later"))
    assert status is not None
    assert (status.code, status.message) == (grpc.StatusCode.UNAVAILABLE.value[0], "later")
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    assert status.details[0].Unpack(info)
    assert info.reason == "STORE_UNAVAILABLE"
    assert status.details[1].Unpack(retry)
    assert retry.retry_delay.seconds == errors.RETRY_SECONDS


def test_the_table_lists_a_subclass_above_its_base() -> None:
    kinds = [row.exception for row in errors.TABLE]
    for number, kind in enumerate(kinds):
        assert not any(issubclass(kind, earlier) for earlier in kinds[:number]), kind
