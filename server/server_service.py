"""ServerService: how the server is doing."""

# ruff: noqa: N802, ARG002  (names and signatures are gRPC's)

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from kingsbridge.server.codec import answers
from kingsbridge.server.server_status import ServerStatus
from kingsbridge.v1 import server_pb2, server_pb2_grpc


class ServerService(server_pb2_grpc.ServerServiceServicer):
    """The calls are described in ``server.proto``."""

    def __init__(self, status: Callable[[], Awaitable[ServerStatus]]) -> None:
        """``status`` looks how the server is doing."""
        self._status = status

    async def GetServerStatus(
        self, request: server_pb2.GetServerStatusRequest, context: Any
    ) -> server_pb2.GetServerStatusResponse:
        """As in the proto."""
        return answers.server_status(await self._status())
