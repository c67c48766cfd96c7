"""The one table that says which status an exception becomes.

A refusal's text is sent to the caller. Every other exception is a fault of ours: its text may hold hidden
cards, so neither the caller nor the log ever sees it.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from kingsbridge.pyengine import OptionError, RecordError, UnknownGameError
from kingsbridge.server.refusals import (
    FieldError,
    ForbiddenError,
    GameNotFoundError,
    PoolClosedError,
    QueueFullError,
    RefusedError,
    RulesChangedError,
    SearchLostError,
    ShuttingDownError,
    StaleRevisionError,
    StaleSeatError,
    StoreError,
    TooManyGamesError,
    TooManyWatchersError,
    UnauthenticatedError,
)

DOMAIN = "kingsbridge"
"""The domain of every ``google.rpc.ErrorInfo``."""
RETRY_SECONDS = 1
"""What a caller is told to wait where waiting helps and nobody knows how long."""
LEAST_RETRY_MILLISECONDS = 50
"""Less is not worth telling; nor is a wait known more exactly than to 10 ms."""
MOST_RETRY_MILLISECONDS = 30_000
"""More is not worth telling: much may change meanwhile."""

Details = list[Message]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what an exception becomes, and what is said beside the message."""

    exception: type[Exception]
    code: grpc.StatusCode
    reason: str
    details: Callable[[Exception], Details] = lambda _: []


def field_of(error: Exception) -> str:
    """The request field a refusal is about."""
    match error:
        case FieldError():
            return error.field
        case RecordError():
            return "record"
        case _:
            return "options"


def _bad_request(error: Exception) -> Details:
    rule = error.rule if isinstance(error, FieldError) else str(error)
    violation = error_details_pb2.BadRequest.FieldViolation(field=field_of(error), description=rule)
    return [error_details_pb2.BadRequest(field_violations=[violation])]


def _precondition(error: Exception) -> Details:
    rule, subject = (
        (error.rule, error.subject) if isinstance(error, RefusedError) else ("RULES_CHANGED", "game")
    )
    violation = error_details_pb2.PreconditionFailure.Violation(
        type=rule, subject=subject, description=str(error)
    )
    return [error_details_pb2.PreconditionFailure(violations=[violation])]


def _quota(error: Exception) -> Details:
    violation = error_details_pb2.QuotaFailure.Violation(subject="server", description=str(error))
    return [error_details_pb2.QuotaFailure(violations=[violation]), *_retry(error)]


def _retry(error: Exception) -> Details:
    wait = duration_pb2.Duration(seconds=RETRY_SECONDS)
    if isinstance(error, QueueFullError):
        wait.FromMilliseconds(retry_milliseconds(error.retry_seconds))
    return [error_details_pb2.RetryInfo(retry_delay=wait)]


def retry_milliseconds(seconds: float) -> int:
    """What a caller is told to wait whose wait was estimated: rounded up, within bounds."""
    rounded = math.ceil(min(seconds * 1000, MOST_RETRY_MILLISECONDS) / 10) * 10
    return max(LEAST_RETRY_MILLISECONDS, rounded)


TABLE: tuple[Row, ...] = (
    Row(FieldError, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", _bad_request),
    Row(RecordError, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_RECORD", _bad_request),
    Row(OptionError, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_OPTION", _bad_request),
    Row(UnauthenticatedError, grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"),
    Row(ForbiddenError, grpc.StatusCode.PERMISSION_DENIED, "FORBIDDEN"),
    Row(UnknownGameError, grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME"),
    Row(GameNotFoundError, grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"),
    Row(StaleRevisionError, grpc.StatusCode.ABORTED, "STALE_REVISION"),
    Row(StaleSeatError, grpc.StatusCode.ABORTED, "STALE_SEAT"),
    Row(RulesChangedError, grpc.StatusCode.FAILED_PRECONDITION, "RULES_CHANGED", _precondition),
    Row(RefusedError, grpc.StatusCode.FAILED_PRECONDITION, "REFUSED", _precondition),
    Row(TooManyGamesError, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_GAMES", _quota),
    Row(TooManyWatchersError, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS", _quota),
    Row(QueueFullError, grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL", _quota),
    Row(PoolClosedError, grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", _retry),
    Row(ShuttingDownError, grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", _retry),
    Row(SearchLostError, grpc.StatusCode.UNAVAILABLE, "SEARCH_LOST", _retry),
    Row(StoreError, grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", _retry),
)
"""Exceptions that are refusals. A subclass stands above its base."""


def refusal(error: BaseException) -> status_pb2.Status | None:
    """The status an exception becomes, or ``None`` if it is no refusal but a fault."""
    for row in TABLE:
        if isinstance(error, row.exception):
            return _status(row.code, _reason(row, error), str(error), _metadata(error), row.details(error))
    return None


def _reason(row: Row, error: BaseException) -> str:
    """The most exact name that there is for a refusal."""
    match error:
        case RefusedError():
            return error.rule
        case FieldError() | UnauthenticatedError() | ForbiddenError():
            return error.reason
        case _:
            return row.reason


def fault(incident: str, request_id: str = "") -> status_pb2.Status:
    """The status of everything unexpected: an id under which the log knows more, and the name of the call."""
    message = f"internal error; the server's log knows it as incident {incident}"
    metadata = {"incident": incident} | ({"request_id": request_id} if request_id else {})
    return _status(grpc.StatusCode.INTERNAL, "INTERNAL", message, metadata, [])


def trace(error: BaseException) -> str:
    """Where an exception came from, without what it says: types and places only, for the log."""
    chain: list[str] = []
    current: BaseException | None = error
    while current is not None and len(chain) < 8:
        chain.append(f"{type(current).__name__} at {_places(traceback.extract_tb(current.__traceback__))}")
        current = current.__cause__ or current.__context__
    return "; because of ".join(chain)


def _places(frames: Iterable[traceback.FrameSummary]) -> str:
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)


def _metadata(error: Exception) -> dict[str, str]:
    if isinstance(error, StaleRevisionError):
        return {"revision": str(error.revision)}
    if isinstance(error, RefusedError):
        return {"subject": error.subject}
    if isinstance(error, QueueFullError):
        return {"queue": error.queue, "queue_position": str(error.position)}
    return {}


def _status(
    code: grpc.StatusCode, reason: str, message: str, metadata: dict[str, str], details: Details
) -> status_pb2.Status:
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    packed = []
    for detail in (info, *details):
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    number: int = code.value[0]
    return status_pb2.Status(code=number, message=message, details=packed)
