"""Who may call what: a table over all calls that the server offers, and what each token opens."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from enum import Enum
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool

from kingsbridge.server.app import SERVICES, App, running
from kingsbridge.server.tokens import Tokens
from kingsbridge.v1 import (
    ai_pb2,
    ai_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    server_pb2,
    server_pb2_grpc,
)

from .client import OPERATOR, Refusal, bearer


@dataclass(frozen=True)
class Table:
    """A game at its start: its id, the seat to move, an action of it, and the tokens by seat."""

    id: str
    mover: int
    action: int
    tokens: dict[int, str]


class Rule(Enum):
    """Who may call."""

    OPEN = "anybody"
    LOOK = "the seat itself, the operator; and any of the game as a spectator"
    ACT = "the seat itself, the operator"


@dataclass(frozen=True)
class Row:
    """A call: who may, and a request of a table from a seat."""

    rule: Rule
    request: Callable[[Table, int], Any]


def session(table: Table, seat: int) -> Any:
    return ai_pb2.SessionPosition(game_id=table.id, seat=seat)


def asked(make: Any) -> Callable[[Table, int], Any]:
    return lambda table, seat: make(session=session(table, seat), bot="greedy")


def placed(make: Any) -> Callable[[Table, int], Any]:
    return lambda table, seat: make(game_id=table.id, seat=seat)


def open_call(request: Any) -> Row:
    return Row(Rule.OPEN, lambda _table, _seat: request)


ROWS: dict[str, Row] = {
    "RulesService.ListGames": open_call(rules_pb2.ListGamesRequest()),
    "RulesService.DescribeGame": open_call(rules_pb2.DescribeGameRequest(game="builders")),
    "RulesService.CreateGame": open_call(rules_pb2.CreateGameRequest(game="builders", players=2)),
    "RulesService.GetView": Row(Rule.LOOK, placed(rules_pb2.GetViewRequest)),
    "RulesService.ListLegalActions": Row(Rule.LOOK, placed(rules_pb2.ListLegalActionsRequest)),
    "RulesService.ApplyAction": Row(
        Rule.ACT,
        lambda table, seat: rules_pb2.ApplyActionRequest(
            game_id=table.id, seat=seat, action_id=table.action, expected_revision=1
        ),
    ),
    "RulesService.GetRecord": Row(Rule.LOOK, placed(rules_pb2.GetRecordRequest)),
    "RulesService.WatchGame": Row(Rule.LOOK, placed(rules_pb2.WatchGameRequest)),
    "RulesService.TakeOverSeat": Row(
        Rule.ACT,
        lambda table, seat: rules_pb2.TakeOverSeatRequest(
            game_id=table.id, bot=rules_pb2.SeatBot(seat=seat, bot="random")
        ),
    ),
    "RulesService.GiveBackSeat": Row(Rule.ACT, placed(rules_pb2.GiveBackSeatRequest)),
    "RulesService.RenewToken": Row(Rule.ACT, placed(rules_pb2.RenewTokenRequest)),
    "AiService.ListBots": open_call(ai_pb2.ListBotsRequest()),
    "AiService.ChooseAction": Row(Rule.ACT, asked(ai_pb2.ChooseActionRequest)),
    "AiService.Analyze": Row(Rule.ACT, asked(ai_pb2.AnalyzeRequest)),
    "AiService.ChooseTurn": Row(Rule.ACT, asked(ai_pb2.ChooseTurnRequest)),
    "ServerService.GetServerStatus": open_call(server_pb2.GetServerStatusRequest()),
}
"""Every call has its row here, or the first test fails."""

every_row = pytest.mark.parametrize("name", ROWS)


def stub(channel: grpc.aio.Channel, service: str) -> Any:
    stubs = {
        "RulesService": rules_pb2_grpc.RulesServiceStub,
        "AiService": ai_pb2_grpc.AiServiceStub,
        "ServerService": server_pb2_grpc.ServerServiceStub,
    }
    return stubs[service](channel)


async def set_up(channel: grpc.aio.Channel, *, bot: bool = False) -> Table:
    """A new game, and the seat to move; with ``bot`` the other one, which a bot plays that never gets a
    turn.
    """
    rules = rules_pb2_grpc.RulesServiceStub(channel)
    created = await rules.CreateGame(rules_pb2.CreateGameRequest(game="builders", players=2, seed=bytes(16)))
    tokens = {**dict(enumerate(created.seat_tokens)), -1: created.spectator_token}
    mover = created.status.seat_to_move
    if bot:
        take = rules_pb2.TakeOverSeatRequest(
            game_id=created.game_id, bot=rules_pb2.SeatBot(seat=1 - mover, bot="greedy")
        )
        await rules.TakeOverSeat(take, metadata=bearer(tokens[1 - mover]))
        return Table(created.game_id, 1 - mover, 0, tokens)
    request = rules_pb2.ListLegalActionsRequest(game_id=created.game_id, seat=mover)
    legal = await rules.ListLegalActions(request, metadata=bearer(tokens[mover]))
    return Table(created.game_id, mover, legal.actions[0].id, tokens)


async def call(
    channel: grpc.aio.Channel, name: str, table: Table, seat: int, token: str | None, **changes: Any
) -> str:
    """What comes of a call: ``OK``, or the status and the reason."""
    service, _, method = name.partition(".")
    request = ROWS[name].request(table, seat)
    for field, value in changes.items():
        setattr(request, field, value)
    metadata = [] if token is None else bearer(token)
    calling = getattr(stub(channel, service), method)(request, metadata=metadata, timeout=20)
    try:
        if hasattr(calling, "read"):
            await calling.read()
            calling.cancel()
        else:
            await calling
    except grpc.aio.AioRpcError as error:
        refusal = Refusal(error)
        return f"{refusal.code.name} {refusal.reason}"
    return "OK"


def needs_bot(name: str) -> bool:
    return name.endswith("GiveBackSeat")


def test_every_call_of_the_server_has_a_row() -> None:
    pool = descriptor_pool.Default()
    services = [pool.FindServiceByName(name) for name in SERVICES]
    calls = {f"{service.name}.{method.name}" for service in services for method in service.methods}
    assert calls == set(ROWS)


@every_row
async def test_who_has_the_seats_own_token_or_the_operators_may_call(
    name: str, channel: grpc.aio.Channel
) -> None:
    for operator in (False, True):
        table = await set_up(channel, bot=needs_bot(name))
        shown = OPERATOR if operator else table.tokens[table.mover]
        assert await call(channel, name, table, table.mover, shown) == "OK"


@every_row
async def test_without_a_token_only_open_calls_are_answered(name: str, channel: grpc.aio.Channel) -> None:
    table = await set_up(channel)
    expected = "OK" if ROWS[name].rule is Rule.OPEN else "UNAUTHENTICATED NO_TOKEN"
    assert await call(channel, name, table, table.mover, None) == expected


@every_row
async def test_a_token_that_is_not_good_opens_nothing(name: str, app: App, channel: grpc.aio.Channel) -> None:
    table = await set_up(channel)
    own = table.tokens[table.mover]
    forged = own[:-4] + ("AAAA" if not own.endswith("AAAA") else "BBBB")
    foreign, _ = Tokens(b"another key " * 4, 1000.0).issue(table.id, table.mover, 0)
    late = copy(app.tokens)
    late._seconds = -1.0
    expired, _ = late.issue(table.id, table.mover, 0)
    for token, reason in (
        ("nonsense", "BAD_TOKEN"),
        (OPERATOR + "x", "BAD_TOKEN"),
        ("kb1..", "BAD_TOKEN"),
        (forged, "BAD_TOKEN"),
        (foreign, "BAD_TOKEN"),
        (expired, "TOKEN_EXPIRED"),
    ):
        expected = "OK" if ROWS[name].rule is Rule.OPEN else f"UNAUTHENTICATED {reason}"
        assert await call(channel, name, table, table.mover, token) == expected, token


@every_row
async def test_a_token_that_was_replaced_is_void_and_the_new_one_is_good(
    name: str, channel: grpc.aio.Channel
) -> None:
    table = await set_up(channel, bot=needs_bot(name))
    old = table.tokens[table.mover]
    renew = rules_pb2.RenewTokenRequest(game_id=table.id, seat=table.mover)
    rules = rules_pb2_grpc.RulesServiceStub(channel)
    new = (await rules.RenewToken(renew, metadata=bearer(old))).token
    expected = "OK" if ROWS[name].rule is Rule.OPEN else "UNAUTHENTICATED TOKEN_VOID"
    assert await call(channel, name, table, table.mover, old) == expected
    assert await call(channel, name, table, table.mover, new) == "OK"
    assert await call(channel, name, table, 1 - table.mover, table.tokens[1 - table.mover]) != expected or (
        ROWS[name].rule is Rule.OPEN
    )


async def renewed(channel: grpc.aio.Channel, table: Table, seat: int, token: str, request_id: str) -> str:
    """The new token of a seat, or why there is none."""
    request = rules_pb2.RenewTokenRequest(game_id=table.id, seat=seat, request_id=request_id)
    rules = rules_pb2_grpc.RulesServiceStub(channel)
    try:
        answer = await rules.RenewToken(request, metadata=bearer(token))
    except grpc.aio.AioRpcError as error:
        return Refusal(error).reason
    return str(answer.token)


async def test_a_renewal_whose_answer_was_lost_is_repeated_with_the_token_that_it_made_void(
    channel: grpc.aio.Channel,
) -> None:
    table = await set_up(channel)
    seat, old, name = table.mover, table.tokens[table.mover], "RulesService.GetView"
    first = await renewed(channel, table, seat, old, "a request of its own")
    again = await renewed(channel, table, seat, old, "a request of its own")
    for token in (first, again):
        assert await call(channel, name, table, seat, token) == "OK"
    assert await call(channel, name, table, seat, old) == "UNAUTHENTICATED TOKEN_VOID"


async def test_a_void_token_is_renewed_by_the_last_renewals_own_request_alone(
    channel: grpc.aio.Channel,
) -> None:
    table = await set_up(channel)
    seat, other, old = table.mover, 1 - table.mover, table.tokens[table.mover]
    second = await renewed(channel, table, seat, old, "the request of the owner")
    for request_id in ("", "a request of a thief", "the request of the owneR"):
        assert await renewed(channel, table, seat, old, request_id) == "TOKEN_VOID"
    assert await renewed(channel, table, other, old, "the request of the owner") == "WRONG_SEAT"
    assert await renewed(channel, table, -1, old, "the request of the owner") == "TOKEN_VOID"
    third = await renewed(channel, table, seat, second, "another of the owner's")
    assert await renewed(channel, table, seat, old, "the request of the owner") == "TOKEN_VOID"
    assert await renewed(channel, table, seat, old, "another of the owner's") == "TOKEN_VOID"
    for token, expected in ((second, "UNAUTHENTICATED TOKEN_VOID"), (third, "OK")):
        assert await call(channel, "RulesService.GetView", table, seat, token) == expected


async def test_a_request_id_that_can_be_guessed_renews_nothing(channel: grpc.aio.Channel) -> None:
    table = await set_up(channel)
    old = table.tokens[table.mover]
    for request_id in ("x" * 15, "x" * 65):
        assert await renewed(channel, table, table.mover, old, request_id) == "INVALID_FIELD"
    assert await call(channel, "RulesService.GetView", table, table.mover, old) == "OK"


@every_row
async def test_a_token_of_another_seat_or_of_spectators_does_not_open_a_seat(
    name: str, channel: grpc.aio.Channel
) -> None:
    table = await set_up(channel, bot=needs_bot(name))
    expected = "OK" if ROWS[name].rule is Rule.OPEN else "PERMISSION_DENIED WRONG_SEAT"
    for seat in (1 - table.mover, -1):
        assert await call(channel, name, table, table.mover, table.tokens[seat]) == expected


@every_row
async def test_a_token_of_another_game_opens_nothing_here(name: str, channel: grpc.aio.Channel) -> None:
    table, other = await set_up(channel), await set_up(channel)
    expected = "OK" if ROWS[name].rule is Rule.OPEN else "PERMISSION_DENIED WRONG_GAME"
    for seat in (table.mover, 1 - table.mover, -1):
        assert await call(channel, name, table, table.mover, other.tokens[seat]) == expected


@every_row
async def test_whoever_has_a_token_of_the_game_may_look_as_a_spectator_and_no_more(
    name: str, channel: grpc.aio.Channel
) -> None:
    table = await set_up(channel)
    rule = ROWS[name].rule
    for seat in (-1, 0, 1):
        answer = await call(channel, name, table, -1, table.tokens[seat])
        if rule in (Rule.OPEN, Rule.LOOK) or (name.endswith("RenewToken") and seat != -1):
            assert answer == "OK"
            table = await set_up(channel)
        else:
            assert answer in ("INVALID_ARGUMENT INVALID_FIELD", "PERMISSION_DENIED WRONG_SEAT")


@every_row
async def test_a_game_that_is_not_there_is_told_to_its_token_holders_and_the_operator_alone(
    name: str, app: App, channel: grpc.aio.Channel
) -> None:
    table = await set_up(channel)
    gone = Table("gone", table.mover, table.action, table.tokens)
    token, _ = app.tokens.issue("gone", table.mover, 0)
    for shown, expected in (
        (token, "NOT_FOUND GAME_NOT_FOUND"),
        (OPERATOR, "NOT_FOUND GAME_NOT_FOUND"),
        (table.tokens[table.mover], "PERMISSION_DENIED WRONG_GAME"),
        (None, "UNAUTHENTICATED NO_TOKEN"),
    ):
        if ROWS[name].rule is not Rule.OPEN:
            assert await call(channel, name, gone, table.mover, shown) == expected


async def test_the_whole_record_of_a_running_game_is_the_operators(channel: grpc.aio.Channel) -> None:
    table = await set_up(channel)
    name = "RulesService.GetRecord"
    for seat in (-1, 0, 1):
        answer = await call(channel, name, table, seat, table.tokens[seat], full=True)
        assert answer == "PERMISSION_DENIED NOT_OPERATOR"
    assert await call(channel, name, table, 0, OPERATOR, full=True) == "OK"
    request = rules_pb2.GetRecordRequest(game_id=table.id, full=True)
    rules = rules_pb2_grpc.RulesServiceStub(channel)
    told = await rules.GetRecord(request, metadata=bearer(OPERATOR))
    assert told.record.complete
    assert not told.record.seed, "not even the operator is told the seed of a running game"


async def test_a_server_without_an_operators_token_has_no_operator() -> None:
    async with running(App(workers=1)) as address, grpc.aio.insecure_channel(address) as channel:
        table = await set_up(channel)
        for token in (OPERATOR, "", "None"):
            answer = await call(channel, "RulesService.GetView", table, 0, token)
            assert answer.startswith("UNAUTHENTICATED")
