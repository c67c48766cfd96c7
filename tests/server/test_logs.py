"""The log: what a line holds, who a call is, and what no line may tell."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_health.v1 import health_pb2

from kingsbridge.server import logs
from kingsbridge.server.app import App, running
from kingsbridge.server.call import Call, caller_of, request_id_of
from kingsbridge.server.call_log import CallLog, names
from kingsbridge.server.rules_service import RulesService
from kingsbridge.v1 import ai_pb2, rules_pb2, rules_pb2_grpc

from .client import OPERATOR, Client, Refusal, refused

HIDDEN = "seat 2 holds W42 and seed 1234567"
CREATE = "/kingsbridge.v1.RulesService/CreateGame"
CHECK = "/grpc.health.v1.Health/Check"


@contextmanager
def written(log_format: str) -> Iterator[io.StringIO]:
    """All that is logged meanwhile, at any level, as the server would write it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.formatter_of(log_format))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield stream
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def entries(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def check(client: Client, *metadata: tuple[str, str]) -> tuple[dict[str, Any], str]:
    """The line of a call with this metadata, and the name that the client is told."""
    with written("json") as stream:
        call = client.health.Check(health_pb2.HealthCheckRequest(), metadata=metadata)
        await call
        trailing = dict(await call.trailing_metadata())
    (line,) = [entry for entry in entries(stream) if entry.get("method") == CHECK]
    return line, trailing["x-request-id"]


async def test_a_call_is_one_json_object_with_time_level_method_code_milliseconds_and_caller(
    client: Client,
) -> None:
    line, _ = await check(client)
    assert set(line) == {
        *("time", "level", "logger", "message", "request_id", "method", "code", "milliseconds", "caller")
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])
    assert (line["level"], line["logger"]) == ("DEBUG", "kingsbridge.server.call_log")
    assert (line["method"], line["code"], line["caller"]) == (CHECK, "OK", "127.0.0.1")
    assert 0 <= line["milliseconds"] < 10_000


async def test_a_call_keeps_the_name_its_client_gave_it(client: Client) -> None:
    line, told = await check(client, ("x-request-id", "Frontend-7.a_b"))
    assert line["request_id"] == told == "Frontend-7.a_b"


@pytest.mark.parametrize("name", ["", "x" * 65, "two words", 'a"b', "seat/2"])
async def test_a_name_that_is_long_or_not_plain_is_replaced(client: Client, name: str) -> None:
    line, told = await check(client, ("x-request-id", name))
    assert line["request_id"] == told
    assert re.fullmatch(r"[0-9a-f]{16}", told)


async def test_a_refused_call_tells_its_name_beside_the_details_of_the_refusal(
    channel: grpc.aio.Channel,
) -> None:
    rules = rules_pb2_grpc.RulesServiceStub(channel)
    request = rules_pb2.DescribeGameRequest(game="chess")
    with written("json") as stream:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await rules.DescribeGame(request, metadata=(("x-request-id", "mine"),))
        await _line_of(stream, "/kingsbridge.v1.RulesService/DescribeGame")
    assert ("x-request-id", "mine") in tuple(caught.value.trailing_metadata())
    assert Refusal(caught.value).reason == "UNKNOWN_GAME"
    (line,) = [entry for entry in entries(stream) if "code" in entry]
    assert (line["level"], line["code"], line["request_id"]) == ("INFO", "NOT_FOUND", "mine")


async def test_an_incident_is_logged_and_told_under_the_name_of_its_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(*_: Any) -> Any:
        raise ValueError(HIDDEN)

    monkeypatch.setattr(RulesService, "ListGames", broken)
    with written("json") as stream:  # a call's line may come after its answer
        async with running(App(workers=1)) as address, grpc.aio.insecure_channel(address) as channel:
            rules = rules_pb2_grpc.RulesServiceStub(channel)
            metadata = (("x-request-id", "mine"),)
            refusal = await refused(rules.ListGames(rules_pb2.ListGamesRequest(), metadata=metadata))
    told = refusal.detail(error_details_pb2.ErrorInfo).metadata
    assert told["request_id"] == "mine"
    lines = [entry for entry in entries(stream) if entry.get("request_id") == "mine"]
    assert [line["level"] for line in lines] == ["ERROR", "INFO"]
    assert told["incident"] in lines[0]["message"]
    assert lines[1]["code"] == "INTERNAL"


async def test_a_call_that_outlives_its_deadline_says_so(client: Client) -> None:
    with written("json") as stream:
        watch = client.health.Watch(health_pb2.HealthCheckRequest(), timeout=0.3)
        with pytest.raises(grpc.aio.AioRpcError):
            async for _ in watch:
                pass
        line = await _line_of(stream, "/grpc.health.v1.Health/Watch")
    assert line["code"] == "DEADLINE_EXCEEDED"


async def test_a_method_that_is_not_offered_is_logged_without_its_name(channel: grpc.aio.Channel) -> None:
    anything: Any = channel
    with written("json") as stream:
        with pytest.raises(grpc.aio.AioRpcError, match="Method not found"):
            await anything.unary_unary("/made.Up/Name")(b"")
        assert "a method that is not offered was called" in stream.getvalue()
    assert "made.Up" not in stream.getvalue()


async def test_a_proxy_that_is_trusted_tells_callers_apart() -> None:
    app = App(workers=1, caller_header="X-Real-IP")
    async with running(app) as address, grpc.aio.insecure_channel(address) as channel:
        client = Client(channel)
        assert (await check(client, ("x-real-ip", "192.0.2.7")))[0]["caller"] == "192.0.2.7"
        assert (await check(client, ("x-real-ip", "192.0.2.7 or so")))[0]["caller"] == "127.0.0.1"
        assert (await check(client))[0]["caller"] == "127.0.0.1"


@pytest.mark.parametrize(
    ("peer", "caller"),
    [
        ("ipv4:192.0.2.7:4711", "192.0.2.7"),
        ("ipv6:%5B2001:db8::1%5D:4711", "2001:db8::1"),
        ("ipv6:[::1]:4711", "::1"),
        ("unix:/run/socket", "unix"),
        ("unix:", "unix"),
    ],
)
def test_a_caller_is_an_address_without_the_port_of_the_connection(peer: str, caller: str) -> None:
    assert caller_of((), peer, None) == caller


def test_what_a_client_says_of_itself_counts_only_if_a_header_is_trusted() -> None:
    metadata = (("x-real-ip", "192.0.2.7"),)
    assert caller_of(metadata, "ipv4:127.0.0.1:1", None) == "127.0.0.1"
    assert request_id_of((("x-request-id", b"bytes"),), lambda: "drawn") == "drawn"


def lines_of(log_format: str, name: str, text: str, *args: object, error: BaseException | None = None) -> str:
    info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.LogRecord(name, logging.ERROR, "file", 1, text, args, info)
    return logs.formatter_of(log_format).format(record)


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_library_that_logs_an_exception_tells_its_type_and_place_only(log_format: str) -> None:
    error = raised(ValueError(HIDDEN))
    line = lines_of(log_format, "grpc._cython.cygrpc", "Unexpected [%s]", "ValueError", error=error)
    assert "Unexpected [ValueError]" in line
    assert "ValueError at test_logs.py" in line
    line += lines_of(log_format, "asyncio", "it was %s, %r and %d", error, [HIDDEN], 7)
    assert "it was ValueError, 'list' and 7" in line.replace('\\"', "'")
    assert "W42" not in line
    assert "1234567" not in line


def test_a_line_of_text_stays_one_line() -> None:
    assert "\n" not in lines_of("text", "kingsbridge.x", "one\ntwo")
    assert "\n" not in lines_of("json", "kingsbridge.x", "one\ntwo")


async def test_what_nobody_catches_in_the_loop_a_thread_or_a_finalizer_is_logged_without_its_text(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    class Finalized:
        def __del__(self) -> None:
            raise RuntimeError(HIDDEN)

    async def broken() -> None:
        raise ValueError(HIDDEN)

    def fails(_: str) -> None:
        raise KeyError(HIDDEN)

    loop = asyncio.get_running_loop()
    before = sys.excepthook, threading.excepthook, sys.unraisablehook, loop.get_exception_handler()
    with logs.contained(loop):
        task = loop.create_task(broken())
        loop.call_soon(fails, HIDDEN)
        await asyncio.wait({task})
        del task
        gc.collect()
        thread = threading.Thread(target=fails, args=(HIDDEN,))
        thread.start()
        thread.join()
        Finalized()
        sys.excepthook(ValueError, ValueError(HIDDEN), None)
        loop.call_exception_handler({"message": "Task was destroyed but it is pending!"})
    assert before == (
        *(sys.excepthook, threading.excepthook, sys.unraisablehook),
        loop.get_exception_handler(),
    )
    for words in (
        "nobody caught in the event loop: ValueError at test_logs.py",
        "nobody caught in the event loop: KeyError at",
        "nobody caught in a thread: KeyError at",
        "nobody caught in a finalizer: RuntimeError at test_logs.py",
        "nobody caught in the program: ValueError",
        "the event loop says: Task was destroyed",
    ):
        assert words in caplog.text
    assert "W42" not in caplog.text + capsys.readouterr().err


async def test_what_escapes_every_interceptor_is_logged_by_grpc_without_its_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An exception in the outermost interceptor itself: nothing but the formatter stands before the log."""

    def broken(*_: Any) -> Any:
        raise ValueError(HIDDEN)

    monkeypatch.setattr(CallLog, "begin", broken)
    with written("json") as stream:
        async with running(App(workers=1)) as address, grpc.aio.insecure_channel(address) as channel:
            await refused(Client(channel).health.Check(health_pb2.HealthCheckRequest()))
    (line,) = [entry for entry in entries(stream) if "exception" in entry]
    assert line["logger"] == "grpc._cython.cygrpc"
    assert "ValueError at" in line["exception"]
    assert "W42" not in stream.getvalue()


@pytest.mark.parametrize("log_format", ["text", "json"])
async def test_the_whole_log_of_a_game_names_no_card_no_seed_and_no_game(
    client: Client, log_format: str
) -> None:
    with written(log_format) as stream:
        game = await client.create(seed=0xABCDEF012345)
        for _ in range(10):
            status = (await client.view(game.game_id)).status
            position = ai_pb2.SessionPosition(game_id=game.game_id, seat=status.seat_to_move)
            choice = await client.ai.ChooseAction(ai_pb2.ChooseActionRequest(session=position, bot="greedy"))
            await client.apply(game.game_id, status, choice.action)
        await client.record(game.game_id)
        await refused(client.apply(game.game_id, status, choice.action))
    text = stream.getvalue()
    assert text.count("ApplyAction OK") == 10
    assert not re.search(r"\b[WBM][0-9]{2}\b", text)
    assert game.game_id not in text
    for token in (*game.seat_tokens, game.spectator_token, OPERATOR):
        assert token not in text
    assert str(0xABCDEF012345) not in text
    assert "abcdef012345" not in text.lower()


async def test_a_thing_logged_outside_of_any_call_has_no_name() -> None:
    assert "request_id" not in json.loads(lines_of("json", "kingsbridge.x", "hello"))

    async def inside() -> str:
        Call("mine", CREATE, "192.0.2.7").enter()
        return lines_of("json", "kingsbridge.x", "hello")

    assert json.loads(await asyncio.create_task(inside()))["request_id"] == "mine"
    assert "request_id" not in json.loads(lines_of("json", "kingsbridge.x", "hello"))


async def _line_of(stream: io.StringIO, method: str) -> dict[str, Any]:
    """The line of a call, which the server writes when it has noticed the end."""
    for _ in range(1000):
        for entry in entries(stream):
            if entry.get("method") == method:
                return entry
        await asyncio.sleep(0.01)
    raise AssertionError(stream.getvalue())


def test_calls_without_a_name_get_names_of_their_own() -> None:
    draw, another = names(), names()
    drawn = {draw() for _ in range(1000)} | {another() for _ in range(1000)}
    assert len(drawn) == 2000
    assert {len(name) for name in drawn} == {16}
