"""One server process: what it is made of, how it starts, and how it stops without losing an answer."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from kingsbridge.server.ai_service import AiService
from kingsbridge.server.interceptors import Shield
from kingsbridge.server.limits import Limits
from kingsbridge.server.rules_service import RulesService
from kingsbridge.server.search_pool import SearchPool
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.store import MemoryStore, Store
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc, rules_pb2, rules_pb2_grpc

_log = logging.getLogger(__name__)

SERVICES = (
    rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
    ai_pb2.DESCRIPTOR.services_by_name["AiService"].full_name,
)
"""The services of this project, by full name."""
SETTLE_SECONDS = 0.1
"""What an answer that has left its handler is given to reach the wire."""


class App:
    """A server and all it holds. Starts once, stops once."""

    def __init__(
        self, workers: int | None = None, *, limits: Limits | None = None, store: Store | None = None
    ) -> None:
        """``workers`` search processes, by default one a core; ``store`` keeps games, by default in RAM."""
        self.limits = limits or Limits()
        self.sessions = Sessions(store or MemoryStore(), self.limits)
        self.pool = SearchPool(workers or os.cpu_count() or 1, self.limits.queue)
        self._health = health.aio.HealthServicer()
        self._shield = Shield()
        self._server: grpc.aio.Server | None = None
        self.address = ""

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Begins to serve and returns the address; port 0 is any free one.

        Raises:
            OSError: the address cannot be bound.
        """
        await self.pool.start()  # first: no process is forked once gRPC is up
        self._server = self._build()
        try:
            bound = self._server.add_insecure_port(_address(host, port))
        except RuntimeError as error:
            await self.pool.close()
            raise OSError(f"cannot listen on {_address(host, port)}") from error
        await self._server.start()
        for service in SERVICES:
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        self.address = _address(host, bound)
        return self.address

    async def stop(self) -> None:
        """Lets the calls in flight end, searches at once with the best action so far, and stops."""
        await self._health.enter_graceful_shutdown()
        self.pool.finish_early()
        if self._server is not None:
            await self._drain(self._server)
        await self.pool.close()

    async def _drain(self, server: grpc.aio.Server) -> None:
        stopping = asyncio.create_task(server.stop(self.limits.grace_seconds))
        quiet = asyncio.create_task(self._shield.quiet())
        await asyncio.wait({stopping, quiet}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({stopping}, timeout=SETTLE_SECONDS)
        quiet.cancel()
        await server.stop(None)  # streams such as a health watch never end by themselves
        await stopping

    def _build(self) -> grpc.aio.Server:
        server = grpc.aio.server(interceptors=[self._shield], options=_options(self.limits))
        rules_pb2_grpc.add_RulesServiceServicer_to_server(RulesService(self.sessions, self.limits), server)
        ai_pb2_grpc.add_AiServiceServicer_to_server(AiService(self.sessions, self.pool, self.limits), server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection([*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME], server)
        return server


@asynccontextmanager
async def running(app: App, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """The address of ``app`` while it serves."""
    address = await app.start(host, port)
    try:
        yield address
    finally:
        await app.stop()


async def serve(
    host: str = "127.0.0.1",
    port: int = 50051,
    workers: int | None = None,
    *,
    limits: Limits | None = None,
    announce: Callable[[str], None] | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT.

    When the server is ready, ``announce`` is called once with a line that names its address; by default it
    goes to standard output.

    Raises:
        OSError: the address cannot be bound.
    """
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with running(App(workers, limits=limits), host, port) as address:
        (announce or _print)(f"kingsbridge listening on {address}")
        await stop.wait()
        _log.info("stopping")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # two servers on one port are a mistake, not a cluster
        ("grpc.max_receive_message_length", limits.message_bytes),
        # Clients may ping through long silent searches without being turned away.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]
