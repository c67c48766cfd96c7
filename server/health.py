"""The standard health service, whose watches end by themselves when the server stops.

The servicer of grpc_health leaves its watches to be cancelled. When the event loop ends in the same moment,
gRPC's own task of such a call is cancelled as well, and gRPC then writes a traceback.
"""

# ruff: noqa: N802  (names and signatures are gRPC's)

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_Response = health_pb2.HealthCheckResponse


class Health(health_pb2_grpc.HealthServicer):
    """How some services are, and the server as a whole under the empty name."""

    def __init__(self, services: Iterable[str]) -> None:
        """None of the services serves as yet."""
        self._statuses: dict[str, Any] = dict.fromkeys(["", *services], _Response.NOT_SERVING)
        self._changed = asyncio.Event()
        self._stopping = False

    def serve(self) -> None:
        """All services serve from now on."""
        self._set_all(_Response.SERVING)

    def stop(self) -> None:
        """No service serves any more; watches tell so and end."""
        self._stopping = True
        self._set_all(_Response.NOT_SERVING)

    async def Check(
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> health_pb2.HealthCheckResponse:
        """How a service is. NOT_FOUND: there is none of that name."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND)
        return _Response(status=status)

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Any) -> None:
        """How a service is, at once and after each change."""
        told = None
        while True:
            changed = self._changed
            status = self._statuses.get(request.service, _Response.SERVICE_UNKNOWN)
            if status != told:
                await context.write(_Response(status=status))
                told = status
            elif self._stopping:
                return
            else:
                await changed.wait()

    def _set_all(self, status: Any) -> None:
        self._statuses = dict.fromkeys(self._statuses, status)
        self._changed.set()
        self._changed = asyncio.Event()
