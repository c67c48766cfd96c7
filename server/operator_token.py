"""The token that opens what only operators may do: kept in a file, not in the configuration."""

from __future__ import annotations

from pathlib import Path
from stat import S_IROTH

from kingsbridge.server.config import Config, ConfigError, Problem

CHARACTERS = 32
"""Least length of the token."""


def operator_token_of(config: Config) -> str | None:
    """The token in the file that a configuration names, without blanks around it.

    Raises:
        ConfigError: the file cannot be read, everybody may read it, or the token is too short.
    """
    path = config.operator_token_file
    if path is None:
        return None
    try:
        token = path.read_text(encoding="utf-8").strip()
        rules = _broken(path, token)
    except (OSError, ValueError):
        rules = ["a file that may be read is expected"]
    if rules:
        raise ConfigError([Problem("", "operator_token_file", path, rule) for rule in rules])
    return token


def _broken(path: Path, token: str) -> list[str]:
    """The rules that a file with a token breaks."""
    rules = []
    if path.stat().st_mode & S_IROTH:
        rules.append("a file that not everybody may read is expected; chmod 600")
    if len(token) < CHARACTERS:
        rules.append(f"a token of at least {CHARACTERS} characters is expected in it")
    return rules
