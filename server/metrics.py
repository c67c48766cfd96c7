"""What the server counts, for Prometheus. Needs the library prometheus-client: see the extra ``obs``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import grpc
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from kingsbridge.ai import Clock, Decision, bot_infos
from kingsbridge.pyengine import ENGINE_VERSION
from kingsbridge.server.around import Route
from kingsbridge.server.observer import CallEnd, Observer, SearchEnd

OTHER = "other"
"""The label of what callers name and nobody knows: labels must not grow with what is sent."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the buckets of durations."""

Values = Mapping[str, float | Mapping[str, float]]
"""Measures by name; one that has several values has them by class."""


class Metrics(Observer):
    """Counts calls and searches, in a registry of its own, so that servers in one process do not mix."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.registry = CollectorRegistry()
        self._clock = clock
        self._bots = frozenset(info.name for info in bot_infos())
        self._requests = Counter(
            "kingsbridge_requests", "Calls that ended.", ["method", "code"], registry=self.registry
        )
        self._seconds = Histogram(
            "kingsbridge_request_seconds",
            "Duration of calls that do not stream.",
            ["method"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self._in_flight = Gauge(
            "kingsbridge_requests_in_flight",
            "Calls being answered, streams included.",
            registry=self.registry,
        )
        self._streams = Gauge("kingsbridge_streams_open", "Streams being answered.", registry=self.registry)
        self._searches = Counter(
            "kingsbridge_searches",
            "Searches that ended, by bot and why it stopped; none: no decision came.",
            ["bot", "stop_reason"],
            registry=self.registry,
        )
        self._iterations = Counter(
            "kingsbridge_search_iterations", "Iterations of searches.", ["bot"], registry=self.registry
        )
        Info("kingsbridge_build", "What runs.", registry=self.registry).info({"version": ENGINE_VERSION})
        ProcessCollector(registry=self.registry)

    def begin(self, route: Route, context: Any) -> CallEnd:  # noqa: ARG002  (no label comes from it)
        """A call begins."""
        started = self._clock()
        self._in_flight.inc()
        self._streams.inc(route.streams)

        def end(code: grpc.StatusCode) -> None:
            self._in_flight.dec()
            self._streams.dec(route.streams)
            self._requests.labels(route.method, code.name).inc()
            if not route.streams:
                self._seconds.labels(route.method).observe(self._clock() - started)

        return end

    def unknown(self) -> None:
        """A call of a method that nobody offers."""
        self._requests.labels(OTHER, grpc.StatusCode.UNIMPLEMENTED.name).inc()

    def search(self, bot: str) -> SearchEnd:
        """A search begins."""
        label = bot if bot in self._bots else OTHER

        def end(decision: Decision | None) -> None:
            reason = "none" if decision is None else decision.stop_reason.value
            self._searches.labels(label, reason).inc()
            self._iterations.labels(label).inc(0 if decision is None else decision.iterations)

        return end

    def follow(self, read: Callable[[], Values]) -> None:
        """Shows what ``read`` returns, whenever metrics are asked for: counters end in "_total"."""
        self.registry.register(_Followed(read))


class _Followed(Collector):
    """Measures that are somebody else's."""

    def __init__(self, read: Callable[[], Values]) -> None:
        self._read = read

    def describe(self) -> Iterable[Any]:
        """Nothing beforehand: the names are known when they are read."""
        return ()

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """The present values."""
        for name, value in self._read().items():
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            text = f"{name.removesuffix('_total').replace('_', ' ').capitalize()}."
            if isinstance(value, Mapping):
                classes = family(f"kingsbridge_{name}", text, labels=["class"])
                for label, each in value.items():
                    classes.add_metric([label], each)
                yield classes
            else:
                yield family(f"kingsbridge_{name}", text, value=value)
