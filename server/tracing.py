"""Spans of calls and searches, for OpenTelemetry. Needs its API; the extra ``obs`` has what sends them."""

from __future__ import annotations

from typing import Any

import grpc
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from kingsbridge.ai import Decision
from kingsbridge.server.around import Route
from kingsbridge.server.call import current
from kingsbridge.server.observer import CallEnd, Observer, SearchEnd

FAULTS = frozenset(
    {
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    }
)
"""Codes that are the server's fault, as OpenTelemetry's conventions have it."""

_PROPAGATOR = TraceContextTextMapPropagator()


class Tracing(Observer):
    """A span for each call, within the client's trace if it names one, and within it one for each search.

    A span holds names and numbers only: nothing of a game, of a request or of an exception.
    """

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    def begin(self, route: Route, context: Any) -> CallEnd:
        """A call begins."""
        service, _, method = route.method.strip("/").rpartition("/")
        span = self._tracer.start_span(
            f"{service}/{method}", _parent(context), SpanKind.SERVER, _attributes(service, method)
        )
        # Never detached: the context ends with the task that answers the call, and a stream that is cut short
        # may be closed by another one.
        contexts.attach(trace.set_span_in_context(span))

        def end(code: grpc.StatusCode) -> None:
            span.set_attribute("rpc.grpc.status_code", code.value[0])
            if code in FAULTS:
                span.set_status(Status(StatusCode.ERROR))
            span.end()

        return end

    def search(self, bot: str) -> SearchEnd:
        """A search begins."""
        span = self._tracer.start_span("search", attributes={"kingsbridge.bot": bot})

        def end(decision: Decision | None) -> None:
            _tell(span, decision)
            span.end()

        return end


def _parent(context: Any) -> contexts.Context:
    metadata = context.invocation_metadata() or ()
    carrier = {name: value for name, value in metadata if isinstance(value, str)}
    return _PROPAGATOR.extract(carrier, contexts.Context())


def _attributes(service: str, method: str) -> dict[str, str]:
    call = current()
    named = {} if call is None else {"kingsbridge.request_id": call.request_id}
    return {"rpc.system": "grpc", "rpc.service": service, "rpc.method": method} | named


def _tell(span: Span, decision: Decision | None) -> None:
    if decision is not None:
        span.set_attribute("kingsbridge.stop_reason", decision.stop_reason.value)
        span.set_attribute("kingsbridge.iterations", decision.iterations)
