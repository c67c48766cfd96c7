"""No exception tells a client, or a log, what it says."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from ctypes import c_uint64
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health
from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc

from kingsbridge.ai import Budget
from kingsbridge.pyengine import Dealer, IllegalActionError, load_game
from kingsbridge.server import errors, logs, search_worker
from kingsbridge.server.ai_service import AiService
from kingsbridge.server.app import SERVICES, App, running
from kingsbridge.server.health import Health
from kingsbridge.server.rules_service import RulesService
from kingsbridge.server.search_pool import SearchFaultError
from kingsbridge.server.server_service import ServerService
from kingsbridge.v1 import ai_pb2

from .client import Client, Refusal, refused, until

HIDDEN = "seat 2 holds W42 and seed 1234567"

SERVICERS: dict[str, type] = {
    SERVICES[0]: RulesService,
    SERVICES[1]: AiService,
    SERVICES[2]: ServerService,
    health.SERVICE_NAME: Health,
    reflection.SERVICE_NAME: reflection.aio.ReflectionServicer,
}


def methods() -> Iterator[tuple[str, Any]]:
    """Every method that the server offers, with its service's full name, from the descriptors."""
    for name in SERVICERS:
        service = descriptor_pool.Default().FindServiceByName(name)
        for method in service.methods:
            yield name, method


def chained() -> Exception:
    try:
        try:
            raise KeyError(HIDDEN)
        except KeyError as error:
            raise RuntimeError(f"no hand: {HIDDEN}") from error
    except RuntimeError as error:
        return error


FAULTS: dict[str, Callable[[], BaseException]] = {
    "ValueError": lambda: ValueError(HIDDEN),
    "AssertionError": lambda: AssertionError(HIDDEN),
    "an error of the engine that nobody refused": lambda: IllegalActionError(HIDDEN),
    "a chain": chained,
    "a group": lambda: ExceptionGroup(HIDDEN, [ValueError(HIDDEN)]),
    "a group that is no Exception": lambda: BaseExceptionGroup(HIDDEN, [GeneratorExit(HIDDEN)]),
    "a cancellation that nobody asked for": lambda: asyncio.CancelledError(HIDDEN),
}


async def call(channel: grpc.aio.Channel, service: str, method: Any) -> Any:
    """Calls a method of any shape with an empty request, and reads the first answer."""
    anything: Any = channel
    path = f"/{service}/{method.name}"
    empty = GetMessageClass(method.input_type)().SerializeToString()
    if method.server_streaming:
        if method.client_streaming:
            return await anything.stream_stream(path)(iter([empty]), timeout=5).read()
        return await anything.unary_stream(path)(empty, timeout=5).read()
    return await anything.unary_unary(path)(empty, timeout=5)


async def test_the_server_tells_its_services_by_reflection(channel: grpc.aio.Channel) -> None:
    make: Any = reflection_pb2_grpc.ServerReflectionStub
    stub = make(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    answer = await stub.ServerReflectionInfo(iter([request])).read()
    assert {service.name for service in answer.list_services_response.service} == set(SERVICERS)


async def test_the_server_offers_exactly_the_services_that_are_tested_here() -> None:
    assert {name for name, _ in methods()} == {*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME}
    assert len(list(methods())) >= 19


@pytest.mark.parametrize("fault", FAULTS, ids=lambda name: name)
async def test_whatever_is_raised_in_any_handler_neither_client_nor_log_learns_its_text(
    fault: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def single(*_: Any) -> Any:
        raise FAULTS[fault]()

    async def stream(*_: Any) -> Any:
        if fault:
            raise FAULTS[fault]()
        yield

    for service, method in methods():
        generator = method.server_streaming and service != health.SERVICE_NAME
        monkeypatch.setattr(SERVICERS[service], method.name, stream if generator else single)
    caplog.set_level(logging.DEBUG)
    async with running(App(workers=1)) as address, grpc.aio.insecure_channel(address) as channel:
        for service, method in methods():
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(channel, service, method)
            refusal = Refusal(caught.value)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL"), method.full_name
            assert re.fullmatch(r"internal error; .* incident [0-9a-f]{16}", refusal.message)
            everything = repr((caught.value, caught.value.trailing_metadata(), refusal.details))
            assert not leaks(everything)
            incident = refusal.message.split()[-1]
            ours = [record for record in caplog.records if record.name.startswith("kingsbridge")]
            (line,) = [record for record in ours if incident in record.getMessage()]
            assert method.name in line.getMessage()
    assert not leaks(caplog.text)
    assert not any(leaks(logs.formatter_of("json").format(record)) for record in caplog.records)


def leaks(text: str) -> bool:
    return any(word in text for word in ("W42", "1234567", "seat 2"))


def test_the_test_above_would_notice() -> None:
    assert leaks(HIDDEN)
    assert leaks(repr(ValueError(HIDDEN)))


def test_a_trace_names_types_and_places_only() -> None:
    text = errors.trace(chained())
    assert "RuntimeError at test_shield.py" in text
    assert "KeyError at test_shield.py" in text
    assert not leaks(text)


def test_a_bot_that_raises_in_a_worker_tells_type_and_place_only() -> None:
    class Broken:
        name = "broken"

        def choose(self, *_: Any, **__: Any) -> Any:
            raise ValueError(HIDDEN)

    state = load_game("builders")
    Dealer(1).settle(state)
    info = state.information_set(state.current_player)
    job = search_worker.Job(1, info, "broken", 1, Budget(), float("inf"))
    fault = search_worker.search(job, c_uint64(0), lambda: False, lambda _: Broken(), lambda _: None)
    assert isinstance(fault, search_worker.Fault)
    assert fault.kind == "ValueError"
    assert "test_shield.py" in fault.places
    assert not leaks(repr(fault) + str(SearchFaultError(fault)))


async def test_a_client_that_cancels_is_no_incident(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    game = await client.create()
    search = client.choose(game)
    await asyncio.sleep(0.05)
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search
    await until(lambda: "ChooseAction CANCELLED" in caplog.text)
    assert "incident" not in caplog.text


async def test_the_log_of_a_game_names_no_card_no_seed_and_no_game(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    game = await client.create(seed=0xABCDEF)
    for _ in range(10):
        status = (await client.view(game.game_id)).status
        choice = await client.ai.ChooseAction(_question(game.game_id, status))
        await client.apply(game.game_id, status, choice.action)
    await client.record(game.game_id)
    await refused(client.apply(game.game_id, status, choice.action))
    assert "ApplyAction OK" in caplog.text
    assert not re.search(r"\b[WBM][0-9]{2}\b", caplog.text)
    assert game.game_id not in caplog.text
    assert str(0xABCDEF) not in caplog.text
    assert "abcdef" not in caplog.text.lower()


def _question(game_id: str, status: Any) -> Any:

    session = ai_pb2.SessionPosition(game_id=game_id, seat=status.seat_to_move)
    return ai_pb2.ChooseActionRequest(session=session, bot="greedy")
