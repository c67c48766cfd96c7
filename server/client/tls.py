"""How a server is spoken to: plain text on this machine, TLS beyond it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import grpc

_OPTIONS = [
    # A peer that vanished is noticed in a stream that is silent, too.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # Whether and when to try again is decided by ``Patience``.
    ("grpc.enable_retries", 0),
]


@dataclass(frozen=True)
class Tls:
    """TLS with these PEM texts: ``roots`` that the server's certificate comes from, ``None`` for those of the
    system; ``certificate`` and ``key`` of the client, for servers that ask for one.
    """

    roots: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None

    @classmethod
    def of_files(
        cls,
        roots: str | os.PathLike[str] | None = None,
        certificate: str | os.PathLike[str] | None = None,
        key: str | os.PathLike[str] | None = None,
    ) -> Tls:
        """TLS with the PEM texts in these files.

        Raises:
            OSError: one cannot be read.
        """
        return cls(*(None if path is None else Path(path).read_bytes() for path in (roots, certificate, key)))


def channel(address: str, tls: Tls | bool | None) -> grpc.Channel:
    """A channel to HOST:PORT. ``None``: plain text to this machine, TLS to any other; ``False``: plain text
    wherever it is.
    """
    if tls is None:
        tls = not is_loopback(address)
    if tls is False:
        return grpc.insecure_channel(address, options=_OPTIONS)
    used = Tls() if tls is True else tls
    credentials = grpc.ssl_channel_credentials(used.roots, used.key, used.certificate)
    return grpc.secure_channel(address, credentials, options=_OPTIONS)


def is_loopback(address: str) -> bool:
    """Whether HOST:PORT is on this machine."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
