"""Whether a server could start as it is told to: looked at one by one, without serving."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

from kingsbridge.server.app import check_store
from kingsbridge.server.config import UNIX, Config, ConfigError, Problem
from kingsbridge.server.operator_token import operator_token_of
from kingsbridge.server.telemetry import check_library
from kingsbridge.server.transport import transport_of


def findings(config: Config) -> list[Problem]:
    """All that would keep a server from starting, or should."""
    return [
        *_raised(transport_of, config),
        *_raised(operator_token_of, config),
        *_raised(check_library, config),
        *_raised(check_store, config),
        *_taken(config),
    ]


def _raised(try_: Callable[[Config], object], config: Config) -> tuple[Problem, ...]:
    try:
        try_(config)
    except ConfigError as error:
        return error.problems
    return ()


def _taken(config: Config) -> Iterator[Problem]:
    if not config.host.startswith(UNIX) and not _is_free(config.host, config.port):
        yield Problem("", "port", config.port, f"a free port of {config.host} is expected")
    if config.metrics_port is None:
        return
    same = config.metrics_port == config.port != 0
    if same or not _is_free(config.metrics_host, config.metrics_port):
        rule = f"a free port of {config.metrics_host} is expected"
        yield Problem("", "metrics_port", config.metrics_port, rule)


def _is_free(host: str, port: int) -> bool:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port just left is free
            probe.bind(address)
            probe.listen(1)
    except OSError:
        return False
    return True
