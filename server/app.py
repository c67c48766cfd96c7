"""One server process: what it is made of, how it starts, and how it stops without losing an answer."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from kingsbridge.server import errors, logs, telemetry
from kingsbridge.server.access import Access
from kingsbridge.server.ai_service import AiService
from kingsbridge.server.call_log import CallLog
from kingsbridge.server.config import MEMORY, Config, ConfigError, Problem, conflicts, shown
from kingsbridge.server.health import Health
from kingsbridge.server.interceptors import Shield
from kingsbridge.server.limits import Limits
from kingsbridge.server.observer import Observer, Observers
from kingsbridge.server.operator_token import operator_token_of
from kingsbridge.server.refusals import StoreError
from kingsbridge.server.rules_service import RulesService
from kingsbridge.server.search_pool import SearchPool
from kingsbridge.server.seat_bots import SeatBots
from kingsbridge.server.server_service import ServerService
from kingsbridge.server.server_status import ServerStatus
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.store import MemoryStore, Store
from kingsbridge.server.tokens import KEY_BYTES, Tokens
from kingsbridge.server.transport import Transport, address_of, transport_of
from kingsbridge.server.watching import Watching
from kingsbridge.v1 import ai_pb2, ai_pb2_grpc, rules_pb2, rules_pb2_grpc, server_pb2, server_pb2_grpc

_log = logging.getLogger(__name__)

SERVICES = (
    rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
    ai_pb2.DESCRIPTOR.services_by_name["AiService"].full_name,
    server_pb2.DESCRIPTOR.services_by_name["ServerService"].full_name,
)
"""The services of this project, by full name."""
CLOSING = SERVICES[:2]
"""Those that begin no calls when the server stops; the others say that it does."""
SETTLE_SECONDS = 0.1
"""What an answer that has left its handler is given to reach the wire, and a call that has come to begin."""
QUIET_PAUSES = 5
"""In so many pauses in a row, which together last ``SETTLE_SECONDS``, no call begins before it stops."""
TOKEN_KEY = "token key"  # noqa: S105  # its name, not the key
"""Under which name the store keeps the key that signs tokens."""


class App:
    """A server and all it holds. Starts once, stops once."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        limits: Limits | None = None,
        store: Store | None = None,
        operator: str | None = None,
        transport: Transport | None = None,
        caller_header: str | None = None,
        observers: Sequence[Observer] = (),
    ) -> None:
        """``workers`` search processes, by default one a core; ``store`` keeps games, by default in RAM;
        whoever opened it closes it. Who shows ``operator`` as his token may see every game whole.

        ``transport`` is by default plain text on this machine. ``observers`` look on, the outermost first.
        """
        self.limits = limits or Limits()
        self._store = store or MemoryStore()
        self._operator = operator
        self.sessions = Sessions(self._store, self.limits)
        self.watching = Watching(self.limits.watchers, shared=self._store.shared)
        self._transport = transport or Transport()
        self._observers: list[Observer] = [CallLog(caller_header), *observers]
        count = workers or os.cpu_count() or 1
        self.pool = SearchPool(count, self.limits, observers=Observers(self._observers))
        self.seat_bots = SeatBots(self.sessions, self.pool, self.limits)
        self.sessions.on_change = self.seat_bots.wake
        self._started = int(time.time())
        self._stopping = False
        self._looking_after: asyncio.Task[None] | None = None
        self._health = Health(SERVICES)
        self._shield = Shield(endless=[reflection.SERVICE_NAME], closing=CLOSING)
        self._server: grpc.aio.Server | None = None
        self.address = ""

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Begins to serve and returns the address; port 0 is any free one.

        Raises:
            OSError: the address cannot be bound.
            ConfigError: plain text would leave this machine.
        """
        await self.pool.start()  # first: no process is forked once gRPC is up
        key = await self._store.secret(TOKEN_KEY, lambda: secrets.token_bytes(KEY_BYTES))
        self.tokens = Tokens(key, self.limits.token_seconds)
        self._server = self._build(self.tokens)
        try:
            bound = self._transport.bind(self._server, host, port)
        except (OSError, ConfigError):
            await self.pool.close()
            raise
        await self._server.start()
        self._health.serve()
        self.address = address_of(host, bound)
        self._looking_after = asyncio.create_task(self._look_after())
        return self.address

    async def stop(self) -> None:
        """Lets the calls in flight end, searches at once with the best action so far, and stops."""
        self._stopping = True
        self._health.stop()
        self._shield.close()
        if self._looking_after is not None:
            self._looking_after.cancel()
        await self.seat_bots.close()
        self.pool.finish_early()
        self.watching.close()
        self.sessions.release()
        if self._server is not None:
            await self._refuse()
            await self._drain(self._server)
        await self.pool.close()

    async def status(self) -> ServerStatus:
        """How it is doing."""
        return ServerStatus(
            started=self._started,
            draining=self._stopping,
            games=await self.sessions.count(),
            watchers=self.watching.open,
            pool=self.pool.status(),
        )

    async def _look_after(self) -> None:
        """Plays on where the last server ended, and deletes games that nobody wants any more, now and then.
        Where other servers play as well, it takes up what one of them may have left when it died.
        """
        resumed = False
        while True:
            try:
                if not resumed or self._store.shared:
                    await self.seat_bots.resume()
                    resumed = True
                if count := await self.sessions.sweep():
                    _log.info("%d games that nobody asked for any more are deleted", count)
            except Exception as error:
                _log.error("games could not be looked after: %s", errors.trace(error))
            await asyncio.sleep(self.limits.sweep_seconds)

    def measures(self) -> Mapping[str, float | Mapping[str, float]]:
        """How busy it is: numbers by name, as ``Metrics.follow`` takes them."""
        pool = self.pool.status()
        waiting = {priority.name.lower(): waiting for priority, waiting in pool.waiting.items()}
        return {
            "workers": pool.workers,
            "workers_busy": pool.busy,
            "workers_idle": pool.idle,
            "workers_recycled_total": pool.totals.recycled,
            "queue_waiting": {name: each.count for name, each in waiting.items()},
            "queue_oldest_seconds": {name: each.oldest_seconds for name, each in waiting.items()},
            "searches_refused_total": pool.totals.refused,
            "searches_shed_total": pool.totals.shed,
            "searches_lost_total": pool.totals.lost,
            "games_live": self.sessions.live,
            "games_played_by_bots": self.seat_bots.playing,
            "games_watched": self.watching.open,
        }

    async def _refuse(self) -> None:
        """Begins and refuses calls until none comes any more.

        gRPC would cancel those that have not begun, which callers could not tell from their own doing. Where
        the machine is busy one pause proves nothing: it may have ended before what came in it could begin.
        """
        begun, quiet = -1, 0
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.grace_seconds):
                while quiet < QUIET_PAUSES:
                    quiet = quiet + 1 if begun == self._shield.calls.begun else 0
                    begun = self._shield.calls.begun
                    await asyncio.sleep(SETTLE_SECONDS / QUIET_PAUSES)

    async def _drain(self, server: grpc.aio.Server) -> None:
        stopping = asyncio.create_task(server.stop(self.limits.grace_seconds))
        quiet = asyncio.create_task(self._shield.calls.none())
        await asyncio.wait({stopping, quiet}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({stopping}, timeout=SETTLE_SECONDS)
        quiet.cancel()
        if self._shield.endless_calls:
            await server.stop(None)
        await stopping
        with suppress(TimeoutError):  # gRPC is done with its calls before their handlers have seen the end
            await asyncio.wait_for(self._shield.endless_calls.none(), SETTLE_SECONDS)

    def _build(self, tokens: Tokens) -> grpc.aio.Server:
        interceptors = [*self._observers, self._shield]
        server = grpc.aio.server(interceptors=interceptors, options=_options(self.limits))
        access = Access(self.sessions, tokens, self._operator)
        rules = RulesService(self.sessions, access, tokens, self.watching, self.limits)
        rules_pb2_grpc.add_RulesServiceServicer_to_server(rules, server)
        ai_pb2_grpc.add_AiServiceServicer_to_server(AiService(access, self.pool, self.limits), server)
        server_pb2_grpc.add_ServerServiceServicer_to_server(ServerService(self.status), server)
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


async def serve(config: Config, announce: Callable[[str], None] | None = None) -> None:
    """Serves until SIGTERM or SIGINT.

    When the server is ready, ``announce`` is called once with a line that names its address; by default it
    goes to standard output.

    Raises:
        ConfigError: it cannot be as ``config`` says.
        OSError: an address cannot be bound.
    """
    logs.begin(config.log_format, config.log_level)
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    with logs.contained(loop):
        async with _served(config) as address:
            (announce or _print)(f"kingsbridge listening on {address}")
            await stop.wait()
            _log.info("stopping")


def check_store(config: Config) -> None:
    """Finds out whether the store could be opened, and changes nothing.

    Raises:
        ConfigError: it could not.
    """
    if config.store == MEMORY:
        return
    from kingsbridge.server.database import check_database  # noqa: PLC0415  # as below

    with _refusing_store(config):
        check_database(config.store)


def store_of(config: Config) -> Store:
    """The store that a configuration asks for.

    Raises:
        ConfigError: it cannot be opened.
    """
    if config.store == MEMORY:
        return MemoryStore()
    from kingsbridge.server.sql_store import open_store  # noqa: PLC0415  # takes longer than all the rest

    with _refusing_store(config):
        return open_store(config.store, durability=config.durability)


@contextmanager
def _refusing_store(config: Config) -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise ConfigError([Problem("", "store", config.store, str(error))]) from error


@asynccontextmanager
async def _served(config: Config) -> AsyncIterator[str]:
    """The address of a server that is as ``config`` says, while it serves."""
    if problems := list(conflicts(config)):
        raise ConfigError(problems)
    metrics = telemetry.metrics_of(config)
    async with AsyncExitStack() as stack:
        spans = await stack.enter_async_context(telemetry.tracing(os.environ))
        store = store_of(config)
        stack.push_async_callback(store.close)
        _log.info("games are kept in %s", shown(config.store))
        app = App(
            config.workers,
            limits=config.limits,
            store=store,
            operator=operator_token_of(config),
            transport=transport_of(config),
            caller_header=config.caller_header,
            observers=[observer for observer in (metrics, spans) if observer is not None],
        )
        address = await stack.enter_async_context(running(app, config.host, config.port))
        if metrics is not None:
            metrics.follow(app.measures)
            await stack.enter_async_context(telemetry.shown(metrics, config))
        yield address


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # two servers on one port are a mistake, not a cluster
        ("grpc.max_receive_message_length", limits.message_bytes),
        # Clients may ping through long silent searches without being turned away.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]
