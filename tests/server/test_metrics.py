"""Metrics: what is counted, under which labels, and where it is shown."""

from __future__ import annotations

import asyncio
import logging
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.empty_pb2 import Empty
from grpc_health.v1 import health_pb2
from prometheus_client.parser import text_string_to_metric_families

from kingsbridge.ai import Decision, StopReason
from kingsbridge.pyengine import ENGINE_VERSION
from kingsbridge.server import telemetry
from kingsbridge.server.app import App, running
from kingsbridge.server.config import Config, ConfigError
from kingsbridge.server.exposition import exposed
from kingsbridge.server.interceptors import Shield
from kingsbridge.server.metrics import Metrics
from kingsbridge.server.observer import Observers
from kingsbridge.v1 import ai_pb2, rules_pb2

from .client import Client, refused, until

CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
CHOOSE = "/kingsbridge.v1.AiService/ChooseAction"
DESCRIBE = "/kingsbridge.v1.RulesService/DescribeGame"


@asynccontextmanager
async def observed() -> AsyncIterator[tuple[App, Metrics, Client]]:
    metrics = Metrics()
    app = App(workers=1, observers=[metrics])
    async with running(app) as address, grpc.aio.insecure_channel(address) as channel:
        yield app, metrics, Client(channel)


def value(metrics: Metrics, name: str, **labels: str) -> float:
    """A sample; 0 if there is none yet."""
    return metrics.registry.get_sample_value(f"kingsbridge_{name}", labels) or 0.0


async def test_calls_are_counted_by_method_and_code_and_timed() -> None:
    async with observed() as (_, metrics, client):
        for _ in range(3):
            await client.health.Check(health_pb2.HealthCheckRequest())
        await refused(client.health.Check(health_pb2.HealthCheckRequest(service="none")))
        await refused(client.rules.DescribeGame(rules_pb2.DescribeGameRequest(game="chess")))
    assert value(metrics, "requests_total", method=CHECK, code="OK") == 3
    assert value(metrics, "requests_total", method=CHECK, code="NOT_FOUND") == 1
    assert value(metrics, "requests_total", method=DESCRIBE, code="NOT_FOUND") == 1
    assert value(metrics, "request_seconds_count", method=CHECK) == 4
    assert value(metrics, "request_seconds_bucket", method=CHECK, le="60.0") == 4
    assert value(metrics, "requests_in_flight") == 0


async def test_the_duration_of_a_call_is_by_the_clock() -> None:
    ticks = iter([10.0, 10.3])
    metrics = Metrics(clock=lambda: next(ticks))
    app = App(workers=1, observers=[metrics])
    async with running(app) as address, grpc.aio.insecure_channel(address) as channel:
        await Client(channel).health.Check(health_pb2.HealthCheckRequest())
    assert value(metrics, "request_seconds_sum", method=CHECK) == pytest.approx(0.3)
    assert value(metrics, "request_seconds_bucket", method=CHECK, le="0.25") == 0
    assert value(metrics, "request_seconds_bucket", method=CHECK, le="0.5") == 1


async def test_methods_that_are_not_offered_share_one_label() -> None:
    async with observed() as (app, metrics, _):
        async with grpc.aio.insecure_channel(app.address) as channel:
            anything: Any = channel
            for name in ("/made.Up/One", "/made.Up/Two"):
                with pytest.raises(grpc.aio.AioRpcError):
                    await anything.unary_unary(name)(b"")
        assert value(metrics, "requests_total", method="other", code="UNIMPLEMENTED") == 2
        assert not any("made.Up" in str(family) for family in metrics.registry.collect())


async def test_a_search_counts_as_in_flight_until_its_client_goes_away() -> None:
    async with observed() as (_, metrics, client):
        search = client.choose(await client.create())
        await until(lambda: value(metrics, "requests_in_flight") == 1)
        assert value(metrics, "streams_open") == 0
        search.cancel()
        await until(lambda: value(metrics, "requests_in_flight") == 0)
        assert value(metrics, "requests_total", method=CHOOSE, code="CANCELLED") == 1
        assert value(metrics, "searches_total", bot="ismcts", stop_reason="none") == 1


async def test_a_stream_is_open_until_its_client_goes_away() -> None:
    async with observed() as (_, metrics, client):
        watch = client.health.Watch(health_pb2.HealthCheckRequest())
        await watch.read()
        assert value(metrics, "streams_open") == value(metrics, "requests_in_flight") == 1
        watch.cancel()
        await until(lambda: value(metrics, "streams_open") == 0)
        assert value(metrics, "requests_total", method=WATCH, code="CANCELLED") == 1
        assert value(metrics, "request_seconds_count", method=WATCH) == 0


async def test_searches_are_counted_by_the_name_of_the_bot_and_why_they_stopped() -> None:
    async with observed() as (_, metrics, client):
        game = await client.create()
        budget = ai_pb2.Budget(iterations=40)
        for spec in ("ismcts:c=0.7", "ismcts:c=0.8"):
            await client.choose(game, spec, budget=budget)
        await client.choose(game, "random")
        await refused(client.choose(game, "made_up"))
        assert value(metrics, "searches_total", bot="ismcts", stop_reason="iterations") == 2
        assert value(metrics, "searches_total", bot="random", stop_reason="policy") == 1
        assert value(metrics, "search_iterations_total", bot="ismcts") == 80
        assert not any("made_up" in str(family) for family in metrics.registry.collect())


def test_a_bot_that_is_not_registered_shares_one_label() -> None:
    metrics = Metrics()
    decision = Decision(1, (), (1,), 5, 0.0, StopReason.TIME)
    with Observers([metrics]).search("made_up:x=1") as seen:
        assert seen(decision) is decision
    assert value(metrics, "searches_total", bot="other", stop_reason="time") == 1


def test_two_servers_in_one_process_do_not_mix() -> None:
    one, other = Metrics(), Metrics()
    one.unknown()
    assert value(one, "requests_total", method="other", code="UNIMPLEMENTED") == 1
    assert value(other, "requests_total", method="other", code="UNIMPLEMENTED") == 0


def test_measures_of_others_are_shown_as_they_are_when_asked_for() -> None:
    metrics = Metrics()
    measures: dict[str, Any] = {
        "games_live": 2,
        "lost_total": 7,
        "waiting": {"interactive": 3, "analysis": 1},
    }
    metrics.follow(lambda: measures)
    assert value(metrics, "games_live") == 2
    measures["games_live"] = 5
    assert value(metrics, "games_live") == 5
    assert value(metrics, "lost_total") == 7
    assert value(metrics, "waiting", **{"class": "interactive"}) == 3
    assert value(metrics, "waiting", **{"class": "analysis"}) == 1


async def test_a_server_measures_its_workers_its_queue_and_its_games() -> None:
    async with observed() as (app, _, client):
        game = await client.create()
        none = {"interactive": 0, "analysis": 0, "tournament": 0}
        assert app.measures() == {
            "workers": 1,
            "workers_busy": 0,
            "workers_idle": 1,
            "workers_recycled_total": 0,
            "queue_waiting": none,
            "queue_oldest_seconds": none,
            "searches_refused_total": 0,
            "searches_shed_total": 0,
            "searches_lost_total": 0,
            "games_live": 1,
            "games_played_by_bots": 0,
            "games_watched": 0,
        }
        searches = [client.choose(game), client.choose(game)]
        await until(lambda: app.measures()["queue_waiting"] == none | {"interactive": 1})
        assert app.measures()["workers_busy"] == 1
        for search in searches:
            search.cancel()


async def fetch(url: str, **headers: str) -> tuple[str, str]:
    """Content type and text of a page."""

    def get() -> tuple[str, str]:
        request = urllib.request.Request(url, headers=headers)  # noqa: S310  (our own)
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.headers["Content-Type"], answer.read().decode()

    return await asyncio.to_thread(get)


async def test_metrics_are_shown_over_http_as_prometheus_reads_them() -> None:
    metrics = Metrics()
    metrics.unknown()
    async with exposed(metrics.registry, "127.0.0.1", 0) as url:
        kind, text = await fetch(url)
        assert kind.startswith("text/plain; version=")
        samples = {
            (sample.name, sample.labels.get("method")): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
        assert samples["kingsbridge_requests_total", "other"] == 1
        assert f'kingsbridge_build_info{{version="{ENGINE_VERSION}"}} 1.0' in text
        assert "process_resident_memory_bytes" in text
        kind, text = await fetch(url, Accept="application/openmetrics-text; version=1.0.0")
        assert kind.startswith("application/openmetrics-text")
        assert text.endswith("# EOF\n")


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (b"GET /other HTTP/1.1\r\n\r\n", b"HTTP/1.1 404 Not Found\r\n"),
        (b"POST /metrics HTTP/1.1\r\n\r\n", b"HTTP/1.1 405 Method Not Allowed\r\n"),
        (b"GET /metrics?name=x HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n"),
        (b"\xff\xfe\r\n\r\n", b"HTTP/1.1 405 Method Not Allowed\r\n"),
        (b"GET" + b"x" * 100_000, b""),
    ],
    ids=["another path", "another method", "a query", "no HTTP", "no end"],
)
async def test_anything_else_is_answered_shortly(
    request_: bytes, answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with exposed(Metrics().registry, "127.0.0.1", 0) as url:
        port = int(url.rpartition(":")[2].partition("/")[0])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_)
        try:
            assert (await reader.read()).startswith(answer)
        except ConnectionResetError:
            assert answer == b""
        writer.close()
        await asyncio.sleep(0)
    assert not caplog.records


async def test_metrics_are_shown_while_a_server_runs_and_no_longer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    config = Config(store="memory", metrics_port=0)
    metrics = telemetry.metrics_of(config)
    assert metrics is not None
    async with telemetry.shown(metrics, config):
        url = caplog.messages[-1].removeprefix("metrics at ")
        assert "kingsbridge_requests_in_flight 0.0" in (await fetch(url))[1]
    with pytest.raises(OSError, match="refused"):
        await fetch(url)


def test_without_a_port_there_are_no_metrics() -> None:
    assert telemetry.metrics_of(Config(store="memory")) is None


def test_metrics_that_are_asked_for_without_their_library_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telemetry, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"metrics_port = 0: .*pip install 'kingsbridge\[obs\]'"):
        telemetry.metrics_of(Config(store="memory", metrics_port=0))


class Streams(grpc.GenericRpcHandler):
    """A method of each shape that streams, as a generator or with the writer's calls."""

    def __init__(self) -> None:
        self.closed = 0

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """The handler of a method."""
        name = str(details.method).rpartition("/")[2]
        make = (
            grpc.stream_stream_rpc_method_handler if "both" in name else grpc.unary_stream_rpc_method_handler
        )
        return make(
            self._generator if "generator" in name else self._writer,
            request_deserializer=Empty.FromString,
            response_serializer=Empty.SerializeToString,
        )

    async def _generator(self, _: Any, __: Any) -> AsyncIterator[Empty]:
        try:
            while True:
                yield Empty()
                await asyncio.sleep(0)
        finally:
            self.closed += 1

    async def _writer(self, _: Any, context: Any) -> None:
        try:
            while True:
                await context.write(Empty())
                await asyncio.sleep(0)
        finally:
            self.closed += 1


@pytest.mark.parametrize("name", ["one_generator", "one_writer", "both_generator", "both_writer"])
async def test_streams_of_every_shape_end_for_those_who_look_on_when_the_client_vanishes(
    name: str,
) -> None:
    metrics, streams = Metrics(), Streams()
    server = grpc.aio.server(interceptors=[metrics, Shield()])
    server.add_generic_rpc_handlers((streams,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        anything: Any = channel
        make = anything.stream_stream if "both" in name else anything.unary_stream
        for _ in range(5):
            call = make(f"/test.Streams/{name}")() if "both" in name else make(f"/test.Streams/{name}")(b"")
            await call.read()
            assert value(metrics, "streams_open") == 1
            call.cancel()
            await until(lambda: value(metrics, "streams_open") == 0)
    await server.stop(None)
    assert streams.closed == 5
    assert value(metrics, "requests_total", method=f"/test.Streams/{name}", code="CANCELLED") == 5
