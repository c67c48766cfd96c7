"""Who looks on at a server, as far as the libraries for it are there: metrics if asked for, and spans."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kingsbridge.pyengine import ENGINE_VERSION
from kingsbridge.server.config import Config, ConfigError, Problem

if TYPE_CHECKING:
    from kingsbridge.server.metrics import Metrics
    from kingsbridge.server.tracing import Tracing

_log = logging.getLogger(__name__)

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""Variables of OpenTelemetry: if one is set, spans are sent there."""
NAME = "kingsbridge"


def metrics_of(config: Config) -> Metrics | None:
    """The metrics, if a configuration asks for them.

    Raises:
        ConfigError: it does, and their library is missing.
    """
    if config.metrics_port is None:
        return None
    check_library(config)
    metrics: Metrics = _module("metrics").Metrics()
    return metrics


def check_library(config: Config) -> None:
    """Raises ConfigError if metrics are asked for and cannot be had."""
    if config.metrics_port is not None and not _is_there("prometheus_client"):
        rule = "the library prometheus-client is expected; pip install 'kingsbridge[obs]'"
        raise ConfigError([Problem("", "metrics_port", config.metrics_port, rule)])


@asynccontextmanager
async def shown(metrics: Metrics, config: Config) -> AsyncIterator[None]:
    """Within, metrics can be read where a configuration says.

    Raises:
        OSError: the address cannot be bound.
    """
    exposed = _module("exposition").exposed(metrics.registry, config.metrics_host, config.metrics_port)
    async with exposed as url:
        _log.info("metrics at %s", url)
        yield


@asynccontextmanager
async def tracing(environment: Mapping[str, str]) -> AsyncIterator[Tracing | None]:
    """Spans, or ``None`` without OpenTelemetry's API; those not sent yet are sent at the end.

    They go where OpenTelemetry's variables say, if its SDK is there; else to the provider of this process.
    """
    if not _is_there("opentelemetry.trace"):
        yield None
        return
    provider = _exporting(environment)
    trace = importlib.import_module("opentelemetry.trace")
    spans: Tracing = _module("tracing").Tracing(
        trace.get_tracer(NAME, ENGINE_VERSION)
        if provider is None
        else provider.get_tracer(NAME, ENGINE_VERSION)
    )
    try:
        yield spans
    finally:
        if provider is not None:
            await asyncio.to_thread(provider.shutdown)


def _exporting(environment: Mapping[str, str]) -> Any:
    """A provider whose spans are sent over HTTP by a thread, or ``None`` if nothing says where to."""
    if not any(environment.get(name) for name in ENDPOINTS):
        return None
    exporter = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
    if not _is_there(exporter):
        _log.warning("spans cannot be sent: pip install 'kingsbridge[obs]'")
        return None
    sdk = importlib.import_module("opentelemetry.sdk.trace")
    export = importlib.import_module("opentelemetry.sdk.trace.export")
    resources = importlib.import_module("opentelemetry.sdk.resources")
    otlp = importlib.import_module(exporter)
    named = resources.Resource.create({"service.name": environment.get("OTEL_SERVICE_NAME", NAME)})
    provider = sdk.TracerProvider(resource=named)
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    return provider


def _is_there(module: str) -> bool:
    """Whether a module can be imported; the packages above it are."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _module(name: str) -> Any:
    """A module of ours that needs a library which may be missing."""
    return importlib.import_module(f"kingsbridge.server.{name}")
