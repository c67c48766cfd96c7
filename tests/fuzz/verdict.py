"""What a server may answer to bad input: the one place that judges it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from tests.fuzz.calls import MOST_SECONDS, Outcome, Shot

FAULTS = {"INTERNAL", "UNKNOWN", "DATA_LOSS", "UNIMPLEMENTED", "HANG", "CANCELLED"}
"""Codes that are never an answer to bad input."""
MOST_STATUS_BYTES = 4096
"""Statuses travel in trailers, and clients bound those to 8 KiB."""

_STEP = re.compile(r"([a-z][a-z0-9_]*)(?:\[(\d+)\])?")
_REASON = re.compile(r"[A-Z][A-Z0-9_]*")
_WHOLE_RECORD = ("too long for a record", "must have at most", "it ends where chance is to move")
_VIOLATIONS = {
    "INVALID_ARGUMENT": (error_details_pb2.BadRequest, "field_violations"),
    "FAILED_PRECONDITION": (error_details_pb2.PreconditionFailure, "violations"),
    "RESOURCE_EXHAUSTED": (error_details_pb2.QuotaFailure, "violations"),
}
"""By code the detail that says more, and the name of its list."""


def complaint(shot: Shot, outcome: Outcome, secrets: Iterable[str]) -> str:
    """What is wrong with an outcome, or nothing."""
    if outcome.seconds > MOST_SECONDS or outcome.code in FAULTS:
        return f"{outcome.code} after {outcome.seconds:.1f} s" if outcome.code == "HANG" else outcome.code
    if outcome.code == "OK":
        return _about_answers(shot, outcome)
    try:
        status, details = _status(outcome)
    except DecodeError:
        return "the status is no google.rpc.Status"
    return (
        _about_status(outcome, status, details)
        or _about_field(shot, outcome, details)
        or _leak(outcome, secrets)
    )


def reason(outcome: Outcome) -> str:
    """The reason in the ErrorInfo of a refusal; empty without one."""
    _, details = _status(outcome)
    infos = [each for each in details if isinstance(each, error_details_pb2.ErrorInfo)]
    return str(infos[0].reason) if infos else ""


def _about_answers(shot: Shot, outcome: Outcome) -> str:
    if len(outcome.answers) != 1:
        return f"{len(outcome.answers)} answers"
    return "" if isinstance(outcome.answers[0], shot.method.response) else "an answer of another type"


def _about_status(outcome: Outcome, status: Any, details: list[Any]) -> str:
    if outcome.status is None:
        return "a refusal without a status"
    if (_name(status.code), status.message) != (outcome.code, outcome.text):
        return "the status says something else than the call"
    infos = [each for each in details if isinstance(each, error_details_pb2.ErrorInfo)]
    if len(infos) != 1 or not _REASON.fullmatch(infos[0].reason) or infos[0].domain != "kingsbridge":
        return "a refusal without one good ErrorInfo"
    if not status.message.strip() or len(outcome.status) > MOST_STATUS_BYTES:
        return f"a refusal in {len(outcome.status)} bytes that says '{status.message[:80]}'"
    if outcome.code not in _VIOLATIONS:
        return ""
    kind, name = _VIOLATIONS[outcome.code]
    found = [each for detail in details if isinstance(detail, kind) for each in getattr(detail, name)]
    return "" if found and all(each.description for each in found) else "a refusal without its violation"


def _about_field(shot: Shot, outcome: Outcome, details: list[Any]) -> str:
    """A bad request names a field that the request has; bytes that are none, the whole."""
    if outcome.code != "INVALID_ARGUMENT":
        return ""
    message = shot.message()
    for detail in details:
        for violation in getattr(detail, "field_violations", ()):
            if message is None:
                return "" if violation.field == "request" else f"field '{violation.field}' of no message"
            if not _has(shot.method.request.DESCRIPTOR, message, violation.field):
                return f"there is no field '{re.sub(r'[0-9]+', 'N', violation.field)}'"
    if message is not None and reason(outcome) == "INVALID_RECORD":
        return _about_line(getattr(message, "record", ""), outcome.text)
    return ""


def _about_line(record: str, text: str) -> str:
    """The refusal of a record names one of its lines, or the one that is missing."""
    if any(word in text for word in _WHOLE_RECORD):
        return ""
    said = re.search(r"\bline (\d+)", text)
    if said is None:
        return "a record is refused without a line"
    return "" if 1 <= int(said[1]) <= record.count("\n") + 2 else "a line that is none of the record"


def _has(descriptor: Any, message: Message | None, path: str) -> bool:
    """Whether a path such as ``view.builders.seats[1].coins`` leads to a field, or to a oneof at its end."""
    step, _, rest = path.partition(".")
    parsed = _STEP.fullmatch(step)
    if parsed is None:
        return False
    name, index = parsed[1], parsed[2]
    field = descriptor.fields_by_name.get(name)
    if field is None:
        return name in descriptor.oneofs_by_name and not rest
    value: Any = None if message is None else getattr(message, name)
    if index is not None:
        if not field.is_repeated or value is None or int(index) >= len(value):
            return False
        value = value[int(index)]
    if not rest:
        return True
    inner = value if isinstance(value, Message) else None
    return field.message_type is not None and _has(field.message_type, inner, rest)


def _leak(outcome: Outcome, secrets: Iterable[str]) -> str:
    said = outcome.text + (outcome.status or b"").decode("latin-1")
    return "a secret in a refusal" if any(secret in said for secret in secrets) else ""


def _status(outcome: Outcome) -> tuple[Any, list[Any]]:
    """The status of an outcome and its details; empty without one."""
    status = status_pb2.Status.FromString(outcome.status or b"")
    details = []
    for packed in status.details:
        detail = getattr(error_details_pb2, packed.type_url.rpartition(".")[2])()
        packed.Unpack(detail)
        details.append(detail)
    return status, details


def _name(number: int) -> str:
    return next((code.name for code in grpc.StatusCode if code.value[0] == number), str(number))
