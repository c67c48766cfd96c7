"""Serves a Kingsbridge bot to tournaments elsewhere: ``BotService`` over gRPC."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from kingsbridge.ai import Bot
from kingsbridge.ai.arena.outside_bot import Identity
from kingsbridge.pyengine import Rng, ViewError
from kingsbridge.server.codec import bot_service
from kingsbridge.server.refusals import FieldError
from kingsbridge.v1 import bot_pb2, bot_pb2_grpc

THREADS = 4
"""Questions that are answered at the same time."""
STOP_SECONDS = 1.0
"""How long questions that are being answered may take once the server stops."""

_log = logging.getLogger(__name__)


class BotService(bot_pb2_grpc.BotServiceServicer):
    """A bot that answers each question for itself, so that questions of many games may come mixed."""

    def __init__(self, make: Callable[[], Bot], identity: Identity) -> None:
        """``make`` makes the bot anew for each question."""
        self._make = make
        self._identity = identity

    def DescribeBot(  # noqa: N802 - gRPC's names
        self,
        request: bot_pb2.DescribeBotRequest,  # noqa: ARG002
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> bot_pb2.DescribeBotResponse:
        """Who it is."""
        return bot_service.identity(self._identity)

    def DecideAction(  # noqa: N802
        self, request: bot_pb2.DecideActionRequest, context: grpc.ServicerContext
    ) -> bot_pb2.DecideActionResponse:
        """Its decision. It stops thinking when the caller no longer waits."""
        try:
            asked = bot_service.read_asked(request)
            decision = self._make().choose(
                asked.info,
                asked.budget,
                Rng(asked.seed),
                among=asked.actions or None,
                should_stop=lambda: not context.is_active(),
            )
        except (FieldError, ViewError) as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except Exception as error:  # gRPC would send the text of the exception to the caller
            _log.exception("the bot failed")
            context.abort(grpc.StatusCode.INTERNAL, f"the bot failed: {type(error).__name__}")
        return bot_service.answered(decision)


@contextmanager
def serving(make: Callable[[], Bot], identity: Identity, address: str) -> Iterator[int]:
    """Serves a bot in plain text for as long as the context lasts; the port, where 0 was asked for any.

    Raises:
        OSError: the address cannot be bound.
    """
    server = grpc.server(ThreadPoolExecutor(THREADS), options=(("grpc.so_reuseport", 0),))
    bot_pb2_grpc.add_BotServiceServicer_to_server(BotService(make, identity), server)
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(f"cannot listen on {address}") from error
    server.start()
    try:
        yield port
    finally:
        server.stop(STOP_SECONDS).wait()
