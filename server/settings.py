"""Where a configuration comes from: a file, the environment and flags, each stronger than the one before."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kingsbridge.server.config import Config, ConfigError, Problem, conflicts
from kingsbridge.server.knobs import Knob, knobs_of
from kingsbridge.server.limits import Limits

PREFIX = "KINGSBRIDGE_"
"""How the variables of the environment begin."""
FILE = f"{PREFIX}CONFIG"
"""The variable that names the file."""
DEFAULT = "default"
"""The source of what nobody has set."""

_LIMITS = "limits."
_TOGETHER = frozenset({"host", "insecure", "tls_certificate", "tls_key", "tls_client_ca"})
KNOBS: dict[str, Knob] = {knob.key: knob for knob in knobs_of(Config)}
"""Everything that can be set, by its key, as "limits.games"."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A configuration, and for each key, as "limits.games", the name of its source."""

    config: Config
    sources: Mapping[str, str]

    def value(self, key: str) -> object:
        """What a key is set to."""
        name = key.removeprefix(_LIMITS)
        return getattr(self.config if name == key else self.config.limits, name)

    def source(self, key: str) -> str:
        """Who has set a key; empty if nobody has."""
        return "" if self.sources[key] == DEFAULT else self.sources[key]


@dataclass(frozen=True, slots=True)
class _Given:
    """A value as it stands in a source. ``read`` makes of it what the knob takes, or raises ValueError."""

    source: str
    key: str
    value: Any
    read: Callable[[Knob, Any], object]


def read(environment: Mapping[str, str], flags: Mapping[str, str], file: Path | None = None) -> Settings:
    """The configuration of a server. ``flags`` are texts by key; the environment may name the TOML ``file``.

    Raises:
        ConfigError: every value that is not as expected, every key that does not exist, all that does not
            go together; or the file cannot be read.
    """
    path = file or (Path(environment[FILE]) if environment.get(FILE) else None)
    problems: list[Problem] = []
    given = [*_of_file(path, problems), *_of_environment(environment), *_of_flags(flags)]
    values: dict[str, object] = {key: knob.default for key, knob in KNOBS.items()}
    values["store"] = default_store(environment)
    sources = dict.fromkeys(KNOBS, DEFAULT)
    for each in given:
        try:
            values[each.key] = _value(each)
            sources[each.key] = each.source
        except ValueError as error:
            problems.append(Problem(each.source, each.key, each.value, str(error)))
    settings = Settings(_config(values), sources)
    if _TOGETHER.isdisjoint(each.key for each in problems):
        problems += (replace(each, source=settings.source(each.key)) for each in conflicts(settings.config))
    if problems:
        raise ConfigError(problems)
    return settings


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that look like ours and set nothing: perhaps misspelt."""
    ours = {FILE, *map(variable, KNOBS)}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in ours)


def variable(key: str) -> str:
    """The environment variable of a key: "limits.games" is KINGSBRIDGE_LIMITS_GAMES."""
    return PREFIX + key.replace(".", "_").upper()


def flag(key: str) -> str:
    """How a key is written on the command line."""
    name = key.removeprefix(_LIMITS)
    return f"--{key.replace('_', '-')}" if name == key else f"--limit {name}"


def default_store(environment: Mapping[str, str]) -> str:
    """The URL of a file in ``default_folder``."""
    return f"sqlite:///{default_folder(environment) / 'games.db'}"


def default_folder(environment: Mapping[str, str]) -> Path:
    """The user's own folder for what this program keeps."""
    home = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "kingsbridge"


def _of_file(path: Path | None, problems: list[Problem]) -> Iterator[_Given]:
    """What stands in a file; if it cannot be read, nothing, and why not is added to ``problems``."""
    if path is None:
        return
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problems.append(Problem("", "config", path, f"a TOML file is expected: {reason}"))
        return
    limits = table.pop("limits", {})
    if not isinstance(limits, dict):
        limits = {"": limits}
    for key, value in [*table.items(), *((_LIMITS + name, value) for name, value in limits.items())]:
        yield _Given(str(path), key, value, Knob.from_toml)


def _of_environment(environment: Mapping[str, str]) -> Iterator[_Given]:
    for key in KNOBS:
        if text := environment.get(variable(key)):  # set to nothing is not set, as in a file of a container
            yield _Given(variable(key), key, text, Knob.from_text)
    for name in unknown_variables(environment):
        if name.startswith(variable(_LIMITS)):
            key = _LIMITS + name.removeprefix(variable(_LIMITS)).lower()
            yield _Given(name, key, environment[name], Knob.from_text)


def _of_flags(flags: Mapping[str, str]) -> Iterator[_Given]:
    for key, text in flags.items():
        yield _Given(flag(key), key, text, Knob.from_text)


def _value(given: _Given) -> object:
    knob = KNOBS.get(given.key)
    if knob is None:
        near = difflib.get_close_matches(given.key, KNOBS, 1)
        raise ValueError("there is no such key" + (f"; perhaps {near[0]}" if near else ""))
    try:
        return given.read(knob, given.value)
    except ValueError:
        raise ValueError(f"{knob.expected} is expected") from None


def _config(values: Mapping[str, Any]) -> Config:
    limits = {key.removeprefix(_LIMITS): value for key, value in values.items() if key.startswith(_LIMITS)}
    rest = {key: value for key, value in values.items() if not key.startswith(_LIMITS)}
    return Config(**rest, limits=Limits(**limits))
