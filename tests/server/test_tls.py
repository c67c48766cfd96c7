"""TLS, certificates of clients, renewal, and no plain text beyond this machine."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2

from kingsbridge.server.app import App, running
from kingsbridge.server.config import Config, ConfigError
from kingsbridge.server.transport import Certificates, Transport, transport_of

from .certificates import Authority
from .client import Client

OURS = Authority("ours")
THEIRS = Authority("theirs")


@asynccontextmanager
async def served(transport: Transport, host: str = "127.0.0.1") -> AsyncIterator[str]:
    async with running(App(workers=1, transport=transport), host) as address:
        yield address


async def check(address: str, credentials: grpc.ChannelCredentials | None) -> int:
    """The health of a server, asked for over a channel of its own."""
    channel = (
        grpc.aio.insecure_channel(address)
        if credentials is None
        else grpc.aio.secure_channel(address, credentials)
    )
    async with channel:
        answer = await Client(channel).health.Check(health_pb2.HealthCheckRequest(), timeout=10)
    return int(answer.status)


async def refused(address: str, credentials: grpc.ChannelCredentials | None) -> bool:
    """Whether a client with these credentials does not get through."""
    try:
        await check(address, credentials)
    except grpc.aio.AioRpcError as error:
        return error.code() is grpc.StatusCode.UNAVAILABLE
    return False


async def test_with_a_certificate_only_tls_is_spoken_to_those_who_trust_its_authority(tmp_path: Path) -> None:
    transport = Transport(Certificates(*OURS.write(tmp_path, "server")))
    async with served(transport) as address:
        assert await check(address, grpc.ssl_channel_credentials(OURS.pem)) == 1
        assert await refused(address, grpc.ssl_channel_credentials(THEIRS.pem))
        assert await refused(address, None)


async def test_a_client_without_a_certificate_of_the_right_authority_is_not_let_in(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(OURS.pem)
    transport = Transport(Certificates(*OURS.write(tmp_path, "server"), tmp_path / "ca.pem"))
    certificate, key = OURS.signed("client")
    foreign, foreign_key = THEIRS.signed("client")
    async with served(transport) as address:
        assert await check(address, grpc.ssl_channel_credentials(OURS.pem, key, certificate)) == 1
        assert await refused(address, grpc.ssl_channel_credentials(OURS.pem))
        assert await refused(address, grpc.ssl_channel_credentials(OURS.pem, foreign_key, foreign))


async def test_a_renewed_certificate_is_taken_up_without_a_restart(tmp_path: Path) -> None:
    files = THEIRS.write(tmp_path, "server")
    async with served(Transport(Certificates(*files))) as address:
        assert await refused(address, grpc.ssl_channel_credentials(OURS.pem))
        OURS.write(tmp_path, "server")
        assert await check(address, grpc.ssl_channel_credentials(OURS.pem)) == 1
        assert await refused(address, grpc.ssl_channel_credentials(THEIRS.pem))


async def test_a_half_written_renewal_leaves_the_old_certificate_in_place(tmp_path: Path) -> None:
    certificate, _ = OURS.write(tmp_path, "server")
    whole = certificate.read_bytes()
    async with served(Transport(Certificates(certificate, tmp_path / "server.key"))) as address:
        for broken in (whole[:100], THEIRS.signed("server")[0]):
            certificate.write_bytes(broken)
            assert await check(address, grpc.ssl_channel_credentials(OURS.pem)) == 1
        certificate.unlink()
        assert await check(address, grpc.ssl_channel_credentials(OURS.pem)) == 1


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]", "example.org"])  # noqa: S104  (refused)
async def test_plain_text_is_not_spoken_beyond_this_machine(host: str) -> None:
    with pytest.raises(ConfigError, match=r"plain text would be spoken beyond this machine.* insecure"):
        await App(workers=1).start(host)


async def test_plain_text_is_spoken_beyond_this_machine_if_that_is_asked_for() -> None:
    async with served(transport_of(Config(store="memory", insecure=True)), "0.0.0.0") as address:  # noqa: S104
        assert await check(f"127.0.0.1:{address.rpartition(':')[2]}", None) == 1


async def test_plain_text_may_be_spoken_over_a_unix_socket(tmp_path: Path) -> None:
    host = f"unix:{tmp_path / 'socket'}"
    async with served(Transport(), host) as address:
        assert address == host
        assert await check(address, None) == 1


async def test_plain_text_may_be_spoken_over_ipv6_of_this_machine() -> None:
    async with served(Transport(), "::1") as address:
        assert address.startswith("[::1]:")
        assert await check(address, None) == 1


def config(certificate: Path, key: Path, client_ca: Path | None = None) -> Config:
    return Config(store="memory", tls_certificate=certificate, tls_key=key, tls_client_ca=client_ca)


def test_what_is_wrong_with_certificates_is_said_of_the_file_it_is_about(tmp_path: Path) -> None:
    certificate, key = OURS.write(tmp_path, "server")
    other_key = OURS.write(tmp_path, "other")[1]
    text = tmp_path / "text"
    text.write_text("no certificate")
    nowhere = tmp_path / "nowhere"
    expected = [
        (config(certificate, other_key), f"tls_certificate = {certificate}: {other_key} is not its key"),
        (config(nowhere, key), f"tls_certificate = {nowhere}: a file is expected"),
        (config(certificate, nowhere), f"tls_key = {nowhere}: a file is expected"),
        (config(certificate, key, nowhere), f"tls_client_ca = {nowhere}: a file is expected"),
        (
            config(text, key),
            f"tls_certificate = {text}: a certificate and in {key} its key, in PEM, are expected",
        ),
        (
            config(certificate, key, text),
            f"tls_certificate = {certificate}: certificates in PEM are expected in {text}",
        ),
    ]
    for wrong, message in expected:
        with pytest.raises(ConfigError) as caught:
            transport_of(wrong)
        assert str(caught.value) == message


def test_files_that_do_not_fit_are_not_taken_up_until_they_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    certificate, key = OURS.write(tmp_path, "server")
    certificates = Certificates(certificate, key)
    (tmp_path / "new").mkdir()
    new_certificate, new_key = OURS.write(tmp_path / "new", "server")
    new_certificate.replace(certificate)
    assert certificates.renewed() is None
    assert "the renewed certificate cannot be taken up: ValueError" in caplog.text
    new_key.replace(key)
    assert certificates.renewed() is not None


def test_the_files_are_read_again_only_when_they_have_changed(tmp_path: Path) -> None:
    files = OURS.write(tmp_path, "server")
    certificates = Certificates(*files)
    assert certificates.renewed() is None
    os.utime(files[0], (1, 1))
    assert certificates.renewed() is not None
    assert certificates.renewed() is None
