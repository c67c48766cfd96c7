"""Health as clients watch it: from the first answer to the end of the server."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from kingsbridge.server.app import App

from .client import Client

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


@pytest.mark.parametrize("watches", [1, 50])
async def test_watches_end_by_themselves_when_the_server_stops_and_none_is_cancelled(
    watches: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    app = App(workers=1)
    async with grpc.aio.insecure_channel(await app.start()) as channel:
        calls = [Client(channel).health.Watch(health_pb2.HealthCheckRequest()) for _ in range(watches)]
        for call in calls:
            assert (await call.read()).status == SERVING
        await app.stop()
        for call in calls:
            assert (await call.read()).status == NOT_SERVING
            assert await call.read() is grpc.aio.EOF
            assert await call.code() is grpc.StatusCode.OK
    assert "CANCELLED" not in caplog.text


async def test_a_stream_that_never_ends_by_itself_does_not_keep_a_server_from_stopping() -> None:
    app = App(workers=1)
    async with grpc.aio.insecure_channel(await app.start()) as channel:
        make: Any = reflection_pb2_grpc.ServerReflectionStub
        stub = make(channel)
        open_stream = stub.ServerReflectionInfo()
        await open_stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        await open_stream.read()
        await asyncio.wait_for(app.stop(), timeout=3.0)


async def test_a_service_that_does_not_exist_is_watched_as_unknown(client: Client) -> None:
    watch = client.health.Watch(health_pb2.HealthCheckRequest(service="chess"))
    assert (await watch.read()).status == SERVICE_UNKNOWN
    watch.cancel()
