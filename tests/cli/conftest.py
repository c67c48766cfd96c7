"""Commands run in this process or in one of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from kingsbridge.server.cli import run
from kingsbridge.server.cli.own_server import own_server

COMMAND = (sys.executable, "-m", "kingsbridge.server")
SECONDS = 120


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str


class Runner:
    """Runs ``kingsbridge`` with arguments."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Outcome:
        """In this process."""
        self._capsys.readouterr()
        code = run(arguments)
        captured = self._capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    @staticmethod
    def apart(*arguments: str, stdin: str = "") -> Outcome:
        """In a process of its own, which reads ``stdin``."""
        done = subprocess.run(
            [*COMMAND, *arguments], input=stdin, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def kingsbridge(capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(capsys)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Address of a server that all tests of the frontend share."""
    with own_server() as address:
        yield address
