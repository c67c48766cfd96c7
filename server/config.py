"""What a server is told before it starts, and which of it does not go together."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from kingsbridge.server.knobs import Bounds
from kingsbridge.server.limits import Limits

MEMORY = "memory"
"""The store that forgets all games when the server stops."""
UNIX = "unix:"
"""How the host of a Unix socket begins; its path follows, and it has no port."""

_KEY = re.compile(r"(?!.*-bin$)[0-9A-Za-z_.-]+")
_PASSWORD = re.compile(r"(://[^/@:]*:).*@|(password=)[^&]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The knobs, one a line. ``None`` leaves a thing out, or to the machine."""

    store: str
    """Where games are kept: a database URL, or "memory"."""
    durability: Literal["full", "normal"] = "full"
    """What a commit survives: a loss of power, or the death of the process only."""
    host: str = "127.0.0.1"
    """Address or name to listen on, or "unix:" and the path of a socket."""
    port: Annotated[int, Bounds(0, 65_535)] = 50_051
    """Port to listen on; 0 for any free one."""
    workers: Annotated[int, Bounds(1, 4096)] | None = None
    """Processes that search; one a core if not set."""
    tls_certificate: Path | None = None
    """The server's certificate and those between it and the root (PEM); with it, only TLS is spoken."""
    tls_key: Path | None = None
    """The key of the certificate (PEM, not encrypted)."""
    tls_client_ca: Path | None = None
    """Roots (PEM) of the certificates that clients must show; without it, they need none."""
    insecure: bool = False
    """Whether plain text may be spoken beyond this machine."""
    operator_token_file: Path | None = None
    """A file with the token, of at least 32 characters, that opens what only operators may do."""
    metrics_host: str = "127.0.0.1"
    """Address to show metrics on, in plain text."""
    metrics_port: Annotated[int, Bounds(0, 65_535)] | None = None
    """Port to show metrics on; 0 for any free one, none if not set."""
    log_format: Literal["text", "json"] = "text"
    """How a line of the log is written."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What is worth a line; a call that succeeds is at debug."""
    caller_header: str | None = None
    """Metadata key under which a trusted proxy says who calls; the peer's address if not set."""
    limits: Limits = field(default_factory=Limits)
    """What callers may use up."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that cannot be: where it comes from, its key, what it is and what is expected instead.

    The source is empty where it is not known; passwords show in no text.
    """

    source: str
    key: str
    value: object
    expected: str

    def __str__(self) -> str:
        named = "" if self.source in ("", self.key) else f"{self.source}: "
        return f"{named}{self.key} = {shown(self.value)}: {self.expected}"


class ConfigError(ValueError):
    """A server cannot be as it is told to be. Names every problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def is_loopback(host: str) -> bool:
    """Whether what is sent to that address cannot leave this machine."""
    if host == "localhost" or host.startswith(UNIX):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def conflicts(config: Config) -> Iterator[Problem]:
    """The values that do not go together, by themselves sound."""
    if config.tls_certificate is not None and config.tls_key is None:
        yield Problem("", "tls_key", None, "the key of tls_certificate is expected")
    if config.tls_key is not None and config.tls_certificate is None:
        yield Problem("", "tls_certificate", None, "the certificate of tls_key is expected")
    if config.tls_client_ca is not None and config.tls_certificate is None:
        yield Problem(
            "", "tls_client_ca", config.tls_client_ca, "tls_certificate and tls_key are expected too"
        )
    if config.caller_header is not None and not _KEY.fullmatch(config.caller_header):
        yield Problem("", "caller_header", config.caller_header, "a metadata key of plain text is expected")
    if config.tls_certificate is None and not config.insecure and not is_loopback(config.host):
        yield Problem("", "host", config.host, PLAIN_TEXT)


PLAIN_TEXT = (
    "plain text would be spoken beyond this machine; give tls_certificate and tls_key, "
    "or insecure if a proxy or a private network protects it"
)
"""Why a server does not listen."""


def shown(value: object) -> str:
    """A value for people; without the password, if it is a URL with one."""
    if value is None:
        return "not set"
    return str(value).lower() if isinstance(value, bool) else _PASSWORD.sub(_hidden, str(value))


def _hidden(match: re.Match[str]) -> str:
    return f"{match[1]}***@" if match[1] else f"{match[2]}***"
