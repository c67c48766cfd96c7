"""Spans: one a call within the client's trace, one a search within the call, and nothing hidden in either."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.util import find_spec

import grpc
import pytest
from grpc_health.v1 import health_pb2
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from kingsbridge.server import telemetry
from kingsbridge.server.app import App, running
from kingsbridge.server.rules_service import RulesService
from kingsbridge.server.tracing import Tracing
from kingsbridge.v1 import ai_pb2, rules_pb2

from .client import OPERATOR, Client, refused, until

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
TRACEPARENT = ("traceparent", f"00-{TRACE}-{PARENT}-01")
HIDDEN = "seat 2 holds W42 and seed 1234567"


class Traced:
    """A client, and the spans that have ended so far: that of a refused call ends after the client has been
    answered, but before the server is.
    """

    def __init__(self, client: Client, exporter: InMemorySpanExporter) -> None:
        self.client = client
        self._exporter = exporter

    def spans(self, name: str) -> list[ReadableSpan]:
        return [span for span in self._exporter.get_finished_spans() if span.name == name]

    def text(self) -> str:
        return "".join(span.to_json() for span in self._exporter.get_finished_spans())


@asynccontextmanager
async def traced() -> AsyncIterator[Traced]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    app = App(workers=1, observers=[Tracing(provider.get_tracer("test"))])
    async with running(app) as address, grpc.aio.insecure_channel(address) as channel:
        yield Traced(Client(channel), exporter)
    provider.shutdown()


CHECK = "grpc.health.v1.Health/Check"
CHOOSE = "kingsbridge.v1.AiService/ChooseAction"


async def test_a_call_is_a_span_of_its_method_in_the_trace_of_its_client() -> None:
    async with traced() as it:
        metadata = (TRACEPARENT, ("x-request-id", "mine"))
        await it.client.health.Check(health_pb2.HealthCheckRequest(), metadata=metadata)
    (span,) = it.spans(CHECK)
    assert span.context is not None
    assert span.parent is not None
    assert f"{span.context.trace_id:032x}" == TRACE
    assert f"{span.parent.span_id:016x}" == PARENT
    assert span.kind is SpanKind.SERVER
    assert dict(span.attributes or {}) == {
        "rpc.system": "grpc",
        "rpc.service": "grpc.health.v1.Health",
        "rpc.method": "Check",
        "rpc.grpc.status_code": 0,
        "kingsbridge.request_id": "mine",
    }
    assert span.status.status_code is StatusCode.UNSET


@pytest.mark.parametrize("metadata", [(), (("traceparent", "nonsense"),)], ids=["none", "nonsense"])
async def test_a_call_without_a_trace_begins_one(metadata: tuple[tuple[str, str], ...]) -> None:
    async with traced() as it:
        for _ in range(2):
            await it.client.health.Check(health_pb2.HealthCheckRequest(), metadata=metadata)
    one, other = it.spans(CHECK)
    assert one.parent is None
    assert other.parent is None
    assert one.context is not None
    assert other.context is not None
    assert one.context.trace_id != other.context.trace_id


async def test_a_search_is_a_span_within_its_call() -> None:
    async with traced() as it:
        game = await it.client.create()
        await it.client.choose(game, "ismcts:c=0.7", budget=ai_pb2.Budget(iterations=40))
    (call,) = it.spans(CHOOSE)
    (search,) = it.spans("search")
    assert call.context is not None
    assert search.context is not None
    assert search.parent is not None
    assert search.parent.span_id == call.context.span_id
    assert search.context.trace_id == call.context.trace_id
    assert dict(search.attributes or {}) == {
        "kingsbridge.bot": "ismcts",
        "kingsbridge.stop_reason": "iterations",
        "kingsbridge.iterations": 40,
    }


async def test_the_spans_of_a_search_that_is_cancelled_end_with_it() -> None:
    async with traced() as it:
        search = it.client.choose(await it.client.create())
        await it.client.health.Check(health_pb2.HealthCheckRequest())
        assert not it.spans(CHOOSE)
        search.cancel()
        await until(lambda: bool(it.spans(CHOOSE)))
        (call,) = it.spans(CHOOSE)
        assert call.attributes is not None
        assert call.attributes["rpc.grpc.status_code"] == grpc.StatusCode.CANCELLED.value[0]
        assert len(it.spans("search")) == 1


async def test_the_span_of_a_stream_ends_when_its_client_goes_away() -> None:
    async with traced() as it:
        watch = it.client.health.Watch(health_pb2.HealthCheckRequest())
        await watch.read()
        watch.cancel()
        await until(lambda: bool(it.spans("grpc.health.v1.Health/Watch")))


async def test_a_fault_is_an_error_and_a_refusal_is_none_and_neither_tells_what_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(*_: object) -> None:
        raise ValueError(HIDDEN)

    monkeypatch.setattr(RulesService, "ListGames", broken)
    async with traced() as it:
        await refused(it.client.rules.ListGames(rules_pb2.ListGamesRequest()))
        await refused(it.client.rules.GetView(rules_pb2.GetViewRequest(game_id="W43")))
    (fault,) = it.spans("kingsbridge.v1.RulesService/ListGames")
    (refusal,) = it.spans("kingsbridge.v1.RulesService/GetView")
    text = it.text()
    assert fault.status.status_code is StatusCode.ERROR
    assert refusal.status.status_code is StatusCode.UNSET
    assert not fault.events
    assert not re.search(r"W4[23]|1234567|seat 2", text)


async def test_the_spans_of_a_game_name_no_card_no_seed_and_no_game() -> None:
    async with traced() as it:
        game = await it.client.create(seed=0xABCDEF012345)
        for _ in range(5):
            status = (await it.client.view(game.game_id)).status
            position = ai_pb2.SessionPosition(game_id=game.game_id, seat=status.seat_to_move)
            request = ai_pb2.ChooseActionRequest(session=position, bot="greedy")
            choice = await it.client.ai.ChooseAction(request)
            await it.client.apply(game.game_id, status, choice.action)
    text = it.text()
    assert text.count('"name": "search"') == 5
    assert not re.search(r"\b[WBM][0-9]{2}\b", text)
    assert game.game_id not in text
    for token in (*game.seat_tokens, game.spectator_token, OPERATOR):
        assert token not in text
    assert str(0xABCDEF012345) not in text


async def test_without_the_library_there_are_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry, "find_spec", lambda _: None)
    async with telemetry.tracing({}) as spans:
        assert spans is None


async def test_spans_that_cannot_be_sent_are_a_warning_and_no_reason_not_to_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(telemetry, "find_spec", lambda name: None if "exporter" in name else find_spec(name))
    async with telemetry.tracing({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"}) as spans:
        assert isinstance(spans, Tracing)
    assert "spans cannot be sent: pip install 'kingsbridge[obs]'" in caplog.text


async def test_without_a_place_to_send_spans_to_they_go_to_the_provider_of_the_process() -> None:
    async with telemetry.tracing({}) as spans:
        assert isinstance(spans, Tracing)
    assert not isinstance(trace.get_tracer_provider(), TracerProvider)


@contextmanager
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """The URL of something that takes spans over HTTP, and what it was sent."""
    taken: list[tuple[str, bytes]] = []

    class Taker(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (http.server's name)
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Taker) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", taken
        server.shutdown()
        thread.join()


async def test_spans_are_sent_where_the_variables_of_opentelemetry_say_before_the_server_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with collector() as (url, taken):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
        async with telemetry.tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": url}) as spans:
            assert spans is not None
            spans.search("greedy")(None)
        ((path, body),) = taken
    assert path == "/v1/traces"
    assert b"search" in body
    assert b"kingsbridge" in body
