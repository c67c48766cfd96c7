"""Why a call failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status


class ServerError(Exception):
    """A server refuses a call or cannot be reached; the text is for people.

    ``code`` is the name of gRPC's status code, ``reason`` that of the refusal in capitals, empty if the
    server gives none. ``field`` of the request breaks ``rule``; of a position that forbids the call, ``rule``
    is the name in capitals. ``retry_seconds``: when to try again, as the server says. ``metadata``: what else
    it says.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        reason: str = "",
        field: str = "",
        rule: str = "",
        retry_seconds: float | None = None,
        metadata: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.field = field
        self.rule = rule
        self.retry_seconds = retry_seconds
        self.metadata = metadata


class InvalidError(ServerError):
    """The request is wrong whatever the game: INVALID_ARGUMENT, see ``field``."""


class RefusedError(ServerError):
    """The position forbids it: FAILED_PRECONDITION, see ``rule``."""


class StaleError(ServerError):
    """The game has changed since: ABORTED. Look again and decide anew."""

    @property
    def revision(self) -> int | None:
        """What the game is at now, if the server says so."""
        told = self.metadata.get("revision")
        return None if told is None else int(told)


class UnknownError(ServerError):
    """There is no such game: NOT_FOUND."""


class TokenError(ServerError):
    """The token is none, no longer good, or of another seat: UNAUTHENTICATED, PERMISSION_DENIED."""


class BusyError(ServerError):
    """The server has no room: RESOURCE_EXHAUSTED. Its delay was waited for as often as patience allows."""


class UnavailableError(ServerError):
    """No server answers, or it is shutting down: UNAVAILABLE. It was tried again as patience allows."""


class CommitmentError(Exception):
    """The seed that the server shows is not the one it committed to when the game began."""


_KINDS: dict[str, type[ServerError]] = {
    "INVALID_ARGUMENT": InvalidError,
    "FAILED_PRECONDITION": RefusedError,
    "ABORTED": StaleError,
    "NOT_FOUND": UnknownError,
    "UNAUTHENTICATED": TokenError,
    "PERMISSION_DENIED": TokenError,
    "RESOURCE_EXHAUSTED": BusyError,
    "UNAVAILABLE": UnavailableError,
}


def failure(error: grpc.RpcError) -> ServerError:
    """What a failed call says, with its details."""
    call = cast("Any", error)
    code: str = call.code().name
    told: dict[str, Any] = {}
    for detail in _details(call):
        match detail:
            case error_details_pb2.ErrorInfo():
                told |= {"reason": detail.reason, "metadata": dict(detail.metadata)}
            case error_details_pb2.BadRequest():
                for violation in detail.field_violations[:1]:
                    told |= {"field": violation.field, "rule": violation.description}
            case error_details_pb2.PreconditionFailure():
                for violation in detail.violations[:1]:
                    told |= {"rule": violation.type}
            case error_details_pb2.RetryInfo():
                told |= {"retry_seconds": detail.retry_delay.ToNanoseconds() / 1e9}
    return _KINDS.get(code, ServerError)(code, call.details() or "no details", **told)


_DETAILS = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.PreconditionFailure,
    error_details_pb2.RetryInfo,
)


def _details(call: Any) -> Iterator[Message]:
    """The details of a status that are understood here."""
    try:
        status = rpc_status.from_call(call)
    except ValueError:  # somebody between has put another status in the place of the server's
        status = None
    for packed in () if status is None else status.details:
        for kind in _DETAILS:
            if packed.Is(kind.DESCRIPTOR):
                detail = kind()
                packed.Unpack(detail)
                yield detail
