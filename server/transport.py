"""How the server is spoken to: TLS with certificates that may be renewed, or plain text on this machine."""

from __future__ import annotations

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

from kingsbridge.server.config import PLAIN_TEXT, UNIX, Config, ConfigError, Problem, is_loopback

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Transport:
    """Plain text, unless there are ``certificates``; beyond this machine only if it may be ``insecure``."""

    certificates: Certificates | None = None
    insecure: bool = False

    def bind(self, server: grpc.aio.Server, host: str, port: int) -> int:
        """Has a server listen, and returns the port; 0 asks for any free one.

        Raises:
            ConfigError: plain text would leave this machine.
            OSError: the address cannot be bound.
        """
        address = address_of(host, port)
        if self.certificates is None and not self.insecure and not is_loopback(host):
            raise ConfigError([Problem("", "host", host, PLAIN_TEXT)])
        try:
            if self.certificates is None:
                return server.add_insecure_port(address)
            return server.add_secure_port(address, self.certificates.credentials())
        except RuntimeError as error:
            raise OSError(f"cannot listen on {address}") from error


class Certificates:
    """Files in PEM. They are looked at whenever a client connects, so that renewed ones are taken up."""

    def __init__(self, certificate: Path, key: Path, client_ca: Path | None = None) -> None:
        """With ``client_ca``, only clients are let in whose certificate comes from there.

        Raises:
            OSError: a file cannot be read.
            ValueError: a file is no PEM, or the key is of another certificate.
        """
        self._files = [certificate, key, *([] if client_ca is None else [client_ca])]
        self._stamp = self._present_stamp()
        _check(*self._files)

    def credentials(self) -> grpc.ServerCredentials:
        """What a server listens with: a gRPC object, not to be made before the search workers are."""
        return grpc.dynamic_ssl_server_credentials(
            self._read(),
            self.renewed,  # type: ignore[arg-type]  # None is allowed, says gRPC's documentation
            require_client_authentication=len(self._files) == 3,
        )

    def renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """The new configuration if the files have changed since, and fit together. Any thread may ask."""
        try:
            stamp = self._present_stamp()
            if stamp == self._stamp:
                return None
            _check(*self._files)
            configuration = self._read()
        except (OSError, ValueError) as error:
            # Half written perhaps: the old ones serve on, and the next client asks again.
            _log.warning("the renewed certificate cannot be taken up: %s", type(error).__name__)
            return None
        self._stamp = stamp
        _log.info("a renewed certificate is taken up")
        return configuration

    def _present_stamp(self) -> list[tuple[int, int, int]]:
        stats = [path.stat() for path in self._files]
        return [(stat.st_mtime_ns, stat.st_size, stat.st_ino) for stat in stats]

    def _read(self) -> grpc.ServerCertificateConfiguration:
        certificate, key, *roots = self._files
        return grpc.ssl_server_certificate_configuration(
            [(key.read_bytes(), certificate.read_bytes())],
            root_certificates=roots[0].read_bytes() if roots else None,
        )


def transport_of(config: Config) -> Transport:
    """The transport that a configuration asks for.

    Raises:
        ConfigError: its certificates cannot be used.
    """
    if config.tls_certificate is None or config.tls_key is None:
        return Transport(insecure=config.insecure)
    try:
        return Transport(Certificates(config.tls_certificate, config.tls_key, config.tls_client_ca))
    except FileNotFoundError as error:
        raise ConfigError([_problem(config, str(error.filename), "a file is expected")]) from error
    except PermissionError as error:
        raise ConfigError([_problem(config, str(error.filename), "it may not be read")]) from error
    except (OSError, ValueError) as error:
        raise ConfigError([Problem("", "tls_certificate", config.tls_certificate, str(error))]) from error


def address_of(host: str, port: int) -> str:
    """Host and port as gRPC writes them."""
    if host.startswith(UNIX):
        return host
    plain = host.strip("[]")
    return f"[{plain}]:{port}" if ":" in plain else f"{plain}:{port}"


def _problem(config: Config, path: str, expected: str) -> Problem:
    names = ("tls_certificate", "tls_key", "tls_client_ca")
    key = next(name for name in names if str(getattr(config, name)) == path)
    return Problem("", key, path, expected)


def _check(certificate: Path, key: Path, roots: Path | None = None) -> None:
    """Raises ValueError if the files are not what they should be, OSError if they cannot be read."""
    for path in (certificate, key, roots):
        if path is not None:
            path.read_bytes()  # says which file it is about, as ssl does not
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError as error:
        mismatch = error.reason == "KEY_VALUES_MISMATCH"
        rule = (
            f"{key} is not its key"
            if mismatch
            else f"a certificate and in {key} its key, in PEM, are expected"
        )
        raise ValueError(rule) from error
    try:
        if roots is not None:
            context.load_verify_locations(roots)
    except ssl.SSLError as error:
        raise ValueError(f"certificates in PEM are expected in {roots}") from error
