"""A bot on another machine, or in another language, that answers over gRPC: ``BotService``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import grpc

from kingsbridge.ai import BotOptionError
from kingsbridge.ai.arena.faults import BotFaultError, FaultKind
from kingsbridge.ai.arena.outside_bot import Identity, OutsideBot
from kingsbridge.ai.arena.question import PROTOCOL, Answer, Question
from kingsbridge.server.codec import bot_service
from kingsbridge.v1 import bot_pb2_grpc

ANSWER_BYTES = 1 << 20
"""A longer answer is a fault of the bot."""
INTRODUCTION_SECONDS = 30.0
"""How long a bot may take to say who it is, the connection included."""

_OPTIONS = (
    ("grpc.max_receive_message_length", ANSWER_BYTES),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2000),
)
_FAULTS = {
    grpc.StatusCode.DEADLINE_EXCEEDED: FaultKind.TIMEOUT,
    grpc.StatusCode.UNAVAILABLE: FaultKind.DISCONNECT,
}
_ADDRESS = re.compile(r"//(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+):(\d{1,5})")
_SHOWN = 500

Message = TypeVar("Message")


def plain_bot(rest: str, timeout: float) -> RemoteBot:
    """The bot ``grpc://HOST:PORT``, spoken to in plain text.

    Raises:
        BotOptionError: that is not how it is written.
    """
    return _remote_bot("grpc", rest, timeout, grpc.insecure_channel)


def tls_bot(rest: str, timeout: float) -> RemoteBot:
    """The bot ``grpcs://HOST:PORT``, spoken to over TLS. Its certificate is checked against the roots that
    gRPC comes with, or those in the file that GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names.

    Raises:
        BotOptionError: that is not how it is written.
    """
    return _remote_bot("grpcs", rest, timeout, _tls_channel)


class RemoteBot(OutsideBot):
    """A bot that is called over gRPC. The first call connects."""

    def __init__(self, name: str, timeout: float, connect: Callable[[], grpc.Channel]) -> None:
        """``connect`` opens a channel to it."""
        super().__init__(name, timeout)
        self._connect = connect
        self._channel: grpc.Channel | None = None

    def identity(self) -> Identity:
        """What it says of itself."""
        stub, request = self._stub(), bot_service.introduction(PROTOCOL)
        identity = bot_service.read_identity(
            self._called(lambda: stub.DescribeBot(request, timeout=INTRODUCTION_SECONDS))
        )
        if not identity.name:
            raise BotFaultError(FaultKind.ILLEGAL, f'bot "{self.name}" does not say its name')
        return identity

    def close(self) -> None:
        """Hangs up."""
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def _ask(self, question: Question) -> Answer:
        stub, request = self._stub(), bot_service.asked(question)
        answer = bot_service.read_answer(
            self._called(lambda: stub.DecideAction(request, timeout=self.timeout))
        )
        if answer is None:
            raise BotFaultError(FaultKind.ILLEGAL, f'bot "{self.name}" answered without an action')
        return answer

    def _stub(self) -> bot_pb2_grpc.BotServiceStub:
        if self._channel is None:
            self._channel = self._connect()
        return bot_pb2_grpc.BotServiceStub(self._channel)

    def _called(self, call: Callable[[], Message]) -> Message:
        try:
            return call()
        except grpc.RpcError as error:
            raise self._fault(error) from None

    def _fault(self, error: grpc.RpcError) -> BotFaultError:
        code, details = error.code(), str(error.details())[:_SHOWN]
        kind = _FAULTS.get(code, FaultKind.CRASH)
        return BotFaultError(kind, f'bot "{self.name}" answered with {code.name}: {details}')


def _remote_bot(
    scheme: str,
    rest: str,
    timeout: float,
    connect: Callable[[str, tuple[tuple[str, int], ...]], grpc.Channel],
) -> RemoteBot:
    match = _ADDRESS.fullmatch(rest)
    if match is None or not 0 < int(match[1]) < 1 << 16:
        raise BotOptionError(f'bot "{scheme}:{rest}": {scheme}://HOST:PORT is expected')
    address = rest.removeprefix("//")
    return RemoteBot(f"{scheme}:{rest}", timeout, lambda: connect(address, _OPTIONS))


def _tls_channel(address: str, options: tuple[tuple[str, int], ...]) -> grpc.Channel:
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(), options)
