"""The real handlers behind the real shield in this process: no network and no workers, so many a second."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Mapping
from random import Random
from typing import Any

import grpc

from kingsbridge.ai import Decision, GreedyBot, RandomBot, StopReason, make_bot
from kingsbridge.pyengine import Rng
from kingsbridge.server.access import Access
from kingsbridge.server.ai_service import AiService
from kingsbridge.server.interceptors import Shield
from kingsbridge.server.limits import Limits
from kingsbridge.server.rules_service import RulesService
from kingsbridge.server.search import Search, unsearched
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.store import MemoryStore
from kingsbridge.server.tokens import Tokens
from kingsbridge.server.watching import Watching
from kingsbridge.v1 import ai_pb2_grpc, rules_pb2_grpc
from tests.fuzz.calls import MOST_SECONDS, Metadata, Outcome, Shot

NOON = 1_800_000_000.0
"""The time that it always is."""


class Handlers:
    """Takes what a service offers a server: handlers by path."""

    def __init__(self) -> None:
        self.by_path: dict[str, Any] = {}

    def add_generic_rpc_handlers(self, _: Any) -> None:
        """As a server's; ``add_registered_method_handlers`` brings the same."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """As a server's."""
        self.by_path.update({f"/{service}/{name}": handler for name, handler in handlers.items()})


class Pool:
    """Answers at once: bots that do not search choose, all others are not asked."""

    async def search(self, search: Search) -> Decision:
        """As ``SearchPool.search``."""
        bot = make_bot(search.bot)
        if isinstance(bot, (RandomBot, GreedyBot)):
            return bot.choose(search.info, search.budget, Rng(search.seed), among=search.among)
        return unsearched(search, StopReason.TIME)

    async def stream(self, search: Search) -> AsyncIterator[Decision]:
        """As ``SearchPool.stream``."""
        yield unsearched(search, StopReason.RUNNING)
        yield await self.search(search)


class Context:
    """What a handler needs of gRPC's."""

    def __init__(self, metadata: Metadata, remaining: float | None) -> None:
        self._metadata = metadata
        self._remaining = remaining
        self.refusal: tuple[str, str, bytes | None] | None = None

    def invocation_metadata(self) -> Metadata:
        """As in gRPC."""
        return self._metadata

    def time_remaining(self) -> float | None:
        """As in gRPC."""
        return self._remaining

    def peer(self) -> str:
        """As in gRPC."""
        return "ipv4:127.0.0.1:1"

    def trailing_metadata(self) -> Metadata:
        """As in gRPC."""
        return ()

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing_metadata: Any = ()) -> None:
        """As in gRPC."""
        trailers = dict(trailing_metadata)
        self.refusal = (code.name, details, trailers.get("grpc-status-details-bin"))
        raise grpc.aio.AbortError


class Traces(logging.Handler):
    """Keeps what the shield logs of the last fault."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        """As in logging."""
        self.last = record.getMessage().partition(": ")[2]


class Inside:
    """A ``Driver`` whose games, ids and tokens are the same for the same seed."""

    operator = "the operator of this fuzzer, whose token is long enough"

    def __init__(self, seed: int) -> None:
        rng = Random(f"ids {seed}")
        limits = Limits()
        self._store = MemoryStore()
        self.sessions = Sessions(
            self._store,
            limits,
            seed=lambda: rng.getrandbits(128),
            clock=lambda: NOON,
            name=lambda: f"{rng.getrandbits(128):032x}",
        )
        tokens = Tokens(rng.randbytes(32), limits.token_seconds, clock=lambda: NOON)
        access = Access(self.sessions, tokens, self.operator)
        self._handlers = Handlers()
        self._traces = Traces()
        watching = Watching(limits.watchers, shared=False)
        rules = RulesService(self.sessions, access, tokens, watching, limits)
        pool: Any = Pool()
        server: Any = self._handlers
        rules_pb2_grpc.add_RulesServiceServicer_to_server(rules, server)
        ai_pb2_grpc.add_AiServiceServicer_to_server(AiService(access, pool, limits), server)

    async def __aenter__(self) -> Inside:
        """Puts the shield around each handler."""
        shield, found = Shield(), dict(self._handlers.by_path)
        for path, handler in found.items():
            details: Any = _Details(path)
            self._handlers.by_path[path] = await shield.intercept_service(_giving(handler), details)
        logging.getLogger("kingsbridge.server.interceptors").addHandler(self._traces)
        return self

    async def __aexit__(self, *_: object) -> None:
        logging.getLogger("kingsbridge.server.interceptors").removeHandler(self._traces)

    async def call(self, shot: Shot) -> Outcome:
        """As ``Driver.call``."""
        context = Context(shot.metadata, shot.remaining)
        started = time.monotonic()
        code, answers = "OK", ()
        try:
            async with asyncio.timeout(MOST_SECONDS):
                answers = await self._answers(shot, context)
        except grpc.aio.AbortError:
            pass
        except TimeoutError:
            code = "HANG"
        except Exception as error:  # the shield let it through
            return Outcome("UNKNOWN", trace=f"{type(error).__name__}: {error}")
        seconds = time.monotonic() - started
        if context.refusal is None:
            return Outcome(code, answers, seconds=seconds)
        code, text, status = context.refusal
        return Outcome(code, (), status, text, seconds, self._traces.last if code == "INTERNAL" else "")

    async def prints(self, game_ids: Iterable[str]) -> Mapping[str, Hashable]:
        """As ``Driver.prints``; of all games that are asked about and of how many there are."""
        found: dict[str, Hashable] = {"": await self.sessions.count()}
        for game_id in game_ids:
            stored, session = await self._store.load(game_id), await self.sessions.get(game_id)
            position = session._record.state().key
            found[game_id] = (len(stored.entries), stored.seats, session.revision, session.length, position)
        return found

    async def _answers(self, shot: Shot, context: Context) -> tuple[Any, ...]:
        handler = self._handlers.by_path[shot.method.path]
        if not shot.method.streams:
            return (self._sent(handler, await handler.unary_unary(shot.data, context)),)
        stream = handler.unary_stream(shot.data, context)
        try:
            return (self._sent(handler, await anext(stream)),)
        finally:
            await stream.aclose()

    def _sent(self, handler: Any, answer: Any) -> Any:
        """The answer, once it went through its serializer."""
        handler.response_serializer(answer)
        return answer


class _Details:
    """What an interceptor is told of a call."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.invocation_metadata = ()


def _giving(handler: Any) -> Callable[[Any], Any]:
    async def continuation(_: Any) -> Any:
        return handler

    return continuation
