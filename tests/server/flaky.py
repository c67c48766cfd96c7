"""A server that fails as it is told to: it answers nothing right, but records how it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status

from kingsbridge.v1 import (
    ai_pb2,
    ai_pb2_grpc,
    builders_pb2,
    game_pb2,
    rules_pb2,
    rules_pb2_grpc,
)

SHOWN = "the token of a seat"


class Flaky:
    """The servicer of all services. Each answer is the next of ``failures`` as long as one is left; a stream
    first tells the next of ``streams``, and one that tells the end of a game does not fail: its client has
    left, and a failure would be one of those that the test sets for the next call.
    """

    def __init__(self) -> None:
        self.failures: list[status_pb2.Status] = []
        self.streams: list[Sequence[Message]] = []
        self.requests: list[Any] = []
        self.deadlines: list[float | None] = []

    def __getattr__(self, name: str) -> Any:
        """The handler of a call."""
        if name in _ANSWERS:
            return lambda request, context: self._answer(_ANSWERS[name], request, context)
        if name in ("WatchGame", "Analyze"):
            return self._stream
        raise AttributeError(name)

    def _answer(self, answer: Message, request: Any, context: grpc.ServicerContext) -> Message:
        self._note(request, context)
        self._fail(context)
        return answer

    def _stream(self, request: Any, context: grpc.ServicerContext) -> Iterator[Message]:
        self._note(request, context)
        messages = self.streams.pop(0) if self.streams else ()
        yield from messages
        if not any(isinstance(each, rules_pb2.WatchGameResponse) and each.status.over for each in messages):
            self._fail(context)

    def _note(self, request: Any, context: grpc.ServicerContext) -> None:
        self.requests.append(request)
        self.deadlines.append(context.time_remaining())

    def _fail(self, context: grpc.ServicerContext) -> None:
        if self.failures:
            context.abort_with_status(rpc_status.to_status(self.failures.pop(0)))


RUNNING = game_pb2.GameStatus(revision=1)
OVER = game_pb2.GameStatus(revision=9, over=True, seat_to_move=-1)
_CHOICE = ai_pb2.ChooseActionResponse(revision=1)
_ANSWERS: dict[str, Message] = {
    "ListGames": rules_pb2.ListGamesResponse(games=[rules_pb2.GameSummary(name="picnic")]),
    "ListBots": ai_pb2.ListBotsResponse(),
    "DescribeGame": rules_pb2.DescribeGameResponse(),
    "CreateGame": rules_pb2.CreateGameResponse(game_id="g", status=RUNNING, seat_tokens=[SHOWN, "other"]),
    "GetView": rules_pb2.GetViewResponse(status=RUNNING),
    "ListLegalActions": rules_pb2.ListLegalActionsResponse(status=RUNNING),
    "ApplyAction": rules_pb2.ApplyActionResponse(status=RUNNING),
    "GetRecord": rules_pb2.GetRecordResponse(status=RUNNING),
    "TakeOverSeat": rules_pb2.TakeOverSeatResponse(status=RUNNING),
    "GiveBackSeat": rules_pb2.GiveBackSeatResponse(status=RUNNING),
    "RenewToken": rules_pb2.RenewTokenResponse(token=SHOWN),
    "ChooseAction": _CHOICE,
    "ChooseTurn": ai_pb2.ChooseTurnResponse(decisions=[_CHOICE], turn_over=True),
}


def failing(
    code: grpc.StatusCode, retry_seconds: float | None = None, reason: str = "ANY"
) -> status_pb2.Status:
    """A status, with a delay after which to try again if one is given."""
    details = [any_pb2.Any()]
    details[0].Pack(error_details_pb2.ErrorInfo(reason=reason))
    if retry_seconds is not None:
        details.append(any_pb2.Any())
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(retry_seconds * 1000))
        details[-1].Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    number: int = code.value[0]
    return status_pb2.Status(code=number, message="not now", details=details)


def told(first: int, *indexes: int, status: game_pb2.GameStatus = RUNNING) -> Message:
    """A change with events of these numbers, or from ``first`` on nothing new."""
    return rules_pb2.WatchGameResponse(
        status=status,
        events=[game_pb2.Event(seat=0, index=index) for index in indexes],
        next_event=first + len(indexes),
        view=game_pb2.GameView(builders=builders_pb2.BuildersView(round=first + len(indexes))),
    )


@contextmanager
def serving(servicer: Flaky, credentials: grpc.ServerCredentials | None = None) -> Iterator[str]:
    """The address of a server that asks this one."""
    with ThreadPoolExecutor(2) as threads:
        server = grpc.server(threads, options=[("grpc.so_reuseport", 0)])
        handlers: Any = servicer
        rules_pb2_grpc.add_RulesServiceServicer_to_server(handlers, server)
        ai_pb2_grpc.add_AiServiceServicer_to_server(handlers, server)
        if credentials is None:
            port = server.add_insecure_port("127.0.0.1:0")
        else:
            port = server.add_secure_port("127.0.0.1:0", credentials)
        server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.stop(None).wait()


def requests_of(servicer: Flaky, kind: type[Message]) -> Sequence[Any]:
    """The requests of a type that it was asked."""
    return [request for request in servicer.requests if isinstance(request, kind)]
