"""Bots that do what no good bot does, as programs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("odd.py")


def odd_command(habit: str, at: int = 0, file: Path | None = None) -> list[str]:
    """The program with a bad habit, see ``odd.py``."""
    return [sys.executable, "-S", str(PROGRAM), habit, str(at), *([] if file is None else [str(file)])]


def odd_spec(habit: str, at: int = 0, file: Path | None = None) -> str:
    """The spec of a bot with a bad habit."""
    return f"exec:{shlex.join(odd_command(habit, at, file))}"
