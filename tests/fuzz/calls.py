"""What is sent to a server, and what comes of it; whoever carries it is a ``Driver``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message

from tests.fuzz.methods import METHODS, Method

MOST_SECONDS = 10.0
"""Whatever takes longer hangs."""

Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shot:
    """A request as bytes, with the metadata of its call and the seconds until its deadline."""

    method: Method
    data: bytes
    metadata: Metadata = ()
    remaining: float | None = None

    def message(self) -> Message | None:
        """The request, if the bytes are one."""
        try:
            return self.method.request.FromString(self.data)
        except DecodeError:
            return None

    def __str__(self) -> str:
        message = self.message()
        text = "no message" if message is None else text_format.MessageToString(message, as_one_line=True)
        return f"{self.method.name} {self.metadata}\n  hex  {self.data.hex()}\n  text {text[:2000]}"


@dataclass(frozen=True)
class Outcome:
    """How a call ended: the name of its code, its answers (at most one of a stream), and the bytes of the
    ``google.rpc.Status`` of a refusal. ``trace`` is where a fault was raised, if that is known.
    """

    code: str
    answers: tuple[Message, ...] = ()
    status: bytes | None = None
    text: str = ""
    seconds: float = 0.0
    trace: str = ""


class Driver(Protocol):
    """Carries calls to a server."""

    operator: str
    """A token of the operator, or nothing."""

    async def call(self, shot: Shot) -> Outcome:
        """Makes a call and waits for its end, or for the first answer of a stream."""

    async def prints(self, game_ids: Iterable[str]) -> Mapping[str, Hashable]:
        """A fingerprint of each of these games, and of whatever else it can see: equal if nothing changed."""


def bearer(token: str) -> Metadata:
    """The metadata of a call that shows a token."""
    return (("authorization", f"Bearer {token}"),)


async def ask(driver: Driver, name: str, token: str = "", **fields: Any) -> Any:
    """The answer of a call that must succeed."""
    method = METHODS[name]
    outcome = await driver.call(
        Shot(method, method.request(**fields).SerializeToString(), bearer(token) if token else ())
    )
    if not outcome.answers:
        raise AssertionError(f"{name} is refused: {outcome.code} {outcome.text} {outcome.trace}")
    return outcome.answers[0]
