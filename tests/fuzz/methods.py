"""The calls under fire, from the descriptors: a new one is fuzzed without a word here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from kingsbridge.v1 import ai_pb2, rules_pb2

SERVICES: tuple[Any, ...] = (
    rules_pb2.DESCRIPTOR.services_by_name["RulesService"],
    ai_pb2.DESCRIPTOR.services_by_name["AiService"],
)
"""Descriptors of the services whose every call is fuzzed."""


@dataclass(frozen=True)
class Method:
    """A call: ``path`` as on the wire, ``streams`` if it has many answers, and its two message types."""

    name: str
    path: str
    streams: bool
    request: type[Message]
    response: type[Message]

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels by its name."""
        return (named, (self.name,))


def _method(service: Any, method: Any) -> Method:
    return Method(
        method.name,
        f"/{service.full_name}/{method.name}",
        bool(method.server_streaming),
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
    )


METHODS = {method.name: _method(service, method) for service in SERVICES for method in service.methods}
"""All of them by name."""


def named(name: str) -> Method:
    """The method of that name."""
    return METHODS[name]
