"""``kingsbridge serve``: what it is told, what it checks, and that it does not start where it must not."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import pytest

from kingsbridge.server import app, telemetry
from kingsbridge.server.cli.own_server import own_server
from kingsbridge.server.client import Client
from tests.cli.conftest import COMMAND, Runner
from tests.server.certificates import Authority

SOUND = ("serve", "--check", "--store", "memory", "--port", "0")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine's environment tells servers does not concern these tests."""
    for name in ("CONFIG", "PORT", "HOST", "STORE"):
        monkeypatch.delenv(f"KINGSBRIDGE_{name}", raising=False)


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server with its address."""
    with subprocess.Popen(
        [*COMMAND, "serve", "--store", "memory", "--workers", "1", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            line = cast("IO[str]", running.stdout).readline()
            assert line.startswith("kingsbridge listening on "), running.communicate()
            yield running, line.split()[-1]
        finally:
            running.kill()


def test_a_sound_configuration_is_printed_with_the_source_of_each_value(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "k.toml"
    path.write_text("[limits]\ngames = 3\n")
    monkeypatch.setenv("KINGSBRIDGE_LOG_LEVEL", "debug")
    monkeypatch.setenv("KINGSBRIDGE_PROT", "1")
    done = kingsbridge(*SOUND, "--config", str(path), "--host", "[::1]")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert ["key", "value", "source"] in rows
    assert ["limits.games", "3", str(path)] in rows
    assert ["log_level", "debug", "KINGSBRIDGE_LOG_LEVEL"] in rows
    assert ["port", "0", "--port"] in rows
    assert ["host", "[::1]", "--host"] in rows
    assert ["insecure", "false", "default"] in rows
    assert ["workers", "not", "set", "default"] in rows
    assert "KINGSBRIDGE_PROT is set, and no variable of this server" in done.out


def test_a_sound_configuration_is_one_json_object_if_asked_for(kingsbridge: Runner) -> None:
    done = kingsbridge(*SOUND, "--json", "--insecure", "--limit", "margin_seconds=0.5")
    assert done.code == 0
    told = json.loads(done.out)
    assert told["problems"] == []
    assert told["config"]["port"] == {"value": 0, "source": "--port"}
    assert told["config"]["insecure"] == {"value": True, "source": "--insecure"}
    assert told["config"]["limits.margin_seconds"] == {"value": 0.5, "source": "--limit margin_seconds"}
    assert told["config"]["workers"] == {"value": None, "source": "default"}


def test_what_keeps_it_from_starting_is_found_all_at_once(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate, _ = Authority("a").write(tmp_path, "one")
    _, key = Authority("a").write(tmp_path, "two")
    token = tmp_path / "token"
    token.write_text("short\n")
    token.chmod(0o644)
    monkeypatch.setattr(telemetry, "find_spec", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        arguments = ("--tls-certificate", str(certificate), "--tls-key", str(key))
        done = kingsbridge(
            *("serve", "--check", "--store", "memory", "--port", port, "--metrics-port", "0"),
            *("--operator-token-file", str(token), *arguments),
        )
    of_token = f"--operator-token-file: operator_token_file = {token}"
    library = "the library prometheus-client is expected; pip install 'kingsbridge[obs]'"
    assert done.code == 1
    assert done.err.replace("kingsbridge: ", "").splitlines() == [
        f"--tls-certificate: tls_certificate = {certificate}: {key} is not its key",
        f"{of_token}: a file that not everybody may read is expected; chmod 600",
        f"{of_token}: a token of at least 32 characters is expected in it",
        f"--metrics-port: metrics_port = 0: {library}",
        f"--port: port = {port}: a free port of 127.0.0.1 is expected",
    ]


def test_a_good_token_and_good_certificates_pass(kingsbridge: Runner, tmp_path: Path) -> None:
    certificate, key = Authority("a").write(tmp_path, "one")
    token = tmp_path / "token"
    token.write_text("t" * 32 + "\n")
    token.chmod(0o640)
    tls = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    done = kingsbridge(*SOUND, *tls, "--operator-token-file", str(token), "--host", "0.0.0.0")  # noqa: S104
    assert (done.code, done.err) == (0, "")
    assert "t" * 32 not in done.out


@pytest.mark.parametrize("content", [None, b"\xff" * 40], ids=["missing", "no text"])
def test_a_token_that_cannot_be_read_is_found(
    kingsbridge: Runner, tmp_path: Path, content: bytes | None
) -> None:
    token = tmp_path / "token"
    if content is not None:
        token.write_bytes(content)
        token.chmod(0o600)
    done = kingsbridge(*SOUND, "--operator-token-file", str(token))
    assert done.code == 1
    assert f"operator_token_file = {token}: a file that may be read is expected" in done.err


def test_metrics_do_not_share_the_port_of_the_server(kingsbridge: Runner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as once:
        port = str(once.getsockname()[1])
    done = kingsbridge("serve", "--check", "--store", "memory", "--port", port, "--metrics-port", port)
    assert done.code == 1
    assert f"--metrics-port: metrics_port = {port}: a free port of 127.0.0.1 is expected" in done.err
    assert done.err.count("\n") == 1


def test_a_configuration_that_cannot_be_read_is_json_as_well(kingsbridge: Runner) -> None:
    done = kingsbridge("serve", "--check", "--json", "--port", "x")
    assert done.code == 2
    assert json.loads(done.out)["problems"] == [
        {
            "source": "--port",
            "key": "port",
            "value": "x",
            "expected": "a whole number from 0 to 65535 is expected",
        }
    ]


def test_a_password_is_in_neither_table_nor_json_nor_problem(kingsbridge: Runner) -> None:
    url = "postgresql://me:s3cret@192.0.2.1:1/games"
    for more in ((), ("--json",)):
        done = kingsbridge("serve", "--check", "--port", "0", "--store", url, *more)
        assert "me:***@" in done.out
        assert "s3cret" not in done.out + done.err


REFUSED: dict[str, tuple[str, str]] = {
    "several things": ("--port x --log-level loud", "  --port: port = x: a whole number"),
    "plain text beyond this machine": ("--store memory --host 0.0.0.0", "plain text would be spoken"),
    "a limit without a value": ("--limit games", "--limit takes NAME=VALUE, not 'games'"),
    "json without a check": ("--json", "--json goes with --check"),
    "no such file": ("--config /nowhere.toml", "config = /nowhere.toml: a TOML file is expected"),
    "no such certificate": (
        "--store memory --tls-certificate /nowhere --tls-key /nowhere",
        "tls_certificate = /nowhere: a file is expected",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_does_not_start_with(kingsbridge: Runner, name: str) -> None:
    arguments, reason = REFUSED[name]
    done = kingsbridge("serve", *arguments.split())
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("kingsbridge: ")
    assert reason in done.err


def test_a_server_that_breaks_tells_type_and_place_only(
    kingsbridge: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> None:
        raise ValueError("seat 2 holds W42")

    monkeypatch.setattr(app, "serve", broken)
    done = kingsbridge("serve", "--store", "memory")
    assert (done.code, done.out) == (1, "")
    assert "the server broke: ValueError at" in done.err
    assert "W42" not in done.err


def test_a_port_that_is_taken_is_a_failure_and_no_wrong_usage(kingsbridge: Runner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = kingsbridge.apart("serve", "--store", "memory", "--workers", "1", "--port", port)
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1] == f"kingsbridge: cannot listen on 127.0.0.1:{port}"
    assert "Traceback" not in done.err


def test_a_server_says_where_its_metrics_are_logs_json_and_stops_on_sigterm() -> None:
    arguments = ("--port", "0", "--metrics-port", "0", "--log-format", "json", "--log-level", "debug")
    with process(*arguments) as (running, address):
        with Client(address) as client:
            client.describe("builders")
        errors = cast("IO[str]", running.stderr)
        lines: list[dict[str, Any]] = []
        while not lines or lines[-1].get("method") != "/kingsbridge.v1.RulesService/DescribeGame":
            lines.append(json.loads(errors.readline()))
        (url,) = [
            line["message"].removeprefix("metrics at ") for line in lines if "metrics at" in line["message"]
        ]
        with urllib.request.urlopen(url, timeout=10) as page:  # noqa: S310  (our own)
            text = page.read().decode()
        running.send_signal(signal.SIGTERM)
        _, rest = running.communicate(timeout=20)
    method = "/kingsbridge.v1.RulesService/DescribeGame"
    assert f'kingsbridge_requests_total{{code="OK",method="{method}"}} 1.0' in text
    assert running.returncode == 0
    assert json.loads(rest.splitlines()[0])["message"] == "stopping"


def test_the_server_of_one_command_is_not_told_anything_by_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KINGSBRIDGE_TLS_CERTIFICATE", "/nowhere")
    with own_server() as address, Client(address) as client:
        assert client.describe("builders").name == "builders"
