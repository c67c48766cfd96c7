"""What can be set about a server: each knob by its key, with what it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

_TRUTHS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_NAMES: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text that is not empty",
    Path: "a path",
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Least and greatest value of a number, as an annotation of a field's type."""

    low: float
    high: float


_REACH = {int: Bounds(0, 2**31 - 1), float: Bounds(0, 10**9)}
"""Of numbers whose type says nothing else."""


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing that can be set. ``kind`` is bool, int, float, str or Path; ``choices`` are all there are."""

    key: str
    kind: type
    default: object
    bounds: Bounds | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        reach = "" if self.bounds is None else f" from {self.bounds.low:.0f} to {self.bounds.high:.0f}"
        return _NAMES[self.kind] + reach

    def from_text(self, text: str) -> object:
        """The value a text stands for, as in the environment and on the command line.

        Raises:
            ValueError: it stands for none.
        """
        if self.kind is bool:
            return self._checked(_TRUTHS.get(text.lower()))
        return self._checked(self.kind(text) if self.kind in (int, float) else text)

    def from_toml(self, value: object) -> object:
        """The value a TOML value stands for: numbers and texts are not taken for one another.

        Raises:
            ValueError: it stands for none.
        """
        if self.kind is float and type(value) is int:
            return self._checked(float(str(value)))  # a text, since it may be too large for a float
        return self._checked(value)

    def _checked(self, value: object) -> object:
        wanted = str if self.kind is Path else self.kind
        if type(value) is not wanted or value == "":
            raise ValueError(self.expected)
        if self.choices and value not in self.choices:
            raise ValueError(self.expected)
        if self.bounds is not None and not self.bounds.low <= float(str(value)) <= self.bounds.high:
            raise ValueError(self.expected)
        return Path(str(value)).expanduser() if self.kind is Path else value


def knobs_of(record: type, prefix: str = "") -> Iterator[Knob]:
    """The knobs of a dataclass, those of a field that is itself a dataclass under its name and a dot."""
    hints = get_type_hints(record, include_extras=True)
    for field in fields(record):
        hint = hints[field.name]
        if hasattr(hint, "__dataclass_fields__"):
            yield from knobs_of(hint, f"{prefix}{field.name}.")
        else:
            yield _knob(prefix + field.name, _plain(hint), _default(field))


def _knob(key: str, hint: Any, default: object) -> Knob:
    if get_origin(hint) is Annotated:
        kind, bounds = get_args(hint)
        return Knob(key, kind, default, bounds)
    if get_origin(hint) is Literal:
        return Knob(key, str, default, choices=get_args(hint))
    return Knob(key, hint, default, _REACH.get(hint))


def _plain(hint: Any) -> Any:
    """A type without the ``None`` that stands for a knob that is not set."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    (plain,) = (each for each in get_args(hint) if each is not NoneType)
    return plain


def _default(field: Field[Any]) -> object:
    return None if field.default is MISSING else field.default
