"""The knobs of a bot: a frozen dataclass with one knob a line, each with its effect and unit, read from text
and checked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, ClassVar, Protocol, cast

Value = int | float | str

SWITCH = ("off", "on")
"""What a knob is set to that turns something on."""


class BotOptionError(ValueError):
    """An option is unknown, repeated or has a bad value; the message names bot, option and what exists."""


@dataclass(frozen=True, slots=True)
class Knob:
    """What is known of one knob.

    ``kind`` is the type of its value, ``minimum`` and ``maximum`` bound a number (a maximum only with a
    minimum), ``choices`` are the texts allowed, and ``text`` says what it does and in which unit.
    """

    kind: type[int] | type[float] | type[str]
    text: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """The values allowed, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        noun = {int: "an integer", float: "a number", str: "a text"}[self.kind]
        if self.minimum is None:
            return noun
        if self.maximum is None:
            return f"{noun} of at least {self.minimum:g}"
        return f"{noun} from {self.minimum:g} to {self.maximum:g}"

    @property
    def described(self) -> str:
        """What it does, with the texts to choose from."""
        return f"{self.text}: {' or '.join(self.choices)}" if self.choices else self.text

    def parse(self, text: str) -> Value:
        """The value a text stands for.

        Raises:
            ValueError: the text is no value of this kind.
        """
        return self.kind(text)

    def allows(self, value: object) -> bool:
        """Whether a value has the right type and lies within the bounds."""
        if self.kind is str:
            return value in self.choices if self.choices else isinstance(value, str)
        kinds = (int,) if self.kind is int else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool) or not math.isfinite(value):
            return False
        if self.minimum is not None and value < self.minimum:
            return False
        return self.maximum is None or value <= self.maximum


def knob(
    kind: type[int] | type[float] | type[str],
    default: Value | None,
    text: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field that is a knob. A default of ``None`` means "not set"."""
    return field(default=default, metadata={"knob": Knob(kind, text, minimum, maximum, choices)})


def shared(params: type[Params], name: str) -> Any:
    """A dataclass field that is the knob ``name`` of another bot's parameters."""
    return field(default=params.defaults()[name], metadata={"knob": params.knobs()[name]})


@dataclass(frozen=True)
class Params:
    """Base of every bot's parameters; a subclass lists its knobs and nothing else."""

    bot: ClassVar[str] = "bot"
    """Name of the bot, for messages."""

    def __post_init__(self) -> None:
        for name, each in self.knobs().items():
            value = getattr(self, name)
            unset = value is None and self.defaults()[name] is None
            if not unset and not each.allows(value):
                raise BotOptionError(
                    f'bot "{self.bot}": option "{name}" must be {each.expected}, not {value!r}'
                )

    @classmethod
    def knobs(cls) -> dict[str, Knob]:
        """The knobs by name, in the order they are written."""
        return {each.name: each.metadata["knob"] for each in fields(cls)}

    @classmethod
    def defaults(cls) -> dict[str, Value | None]:
        """The default of each knob."""
        return {each.name: cast("Value | None", each.default) for each in fields(cls)}

    @classmethod
    def read(cls, text: str) -> dict[str, Value]:
        """The options in ``"iterations=2000,c=0.7"``; an empty text has none.

        Raises:
            BotOptionError: an option is unknown, given twice, without a value, or has a bad one.
        """
        values: dict[str, Value] = {}
        for part in text.split(",") if text else ():
            name, equals, value = (piece.strip() for piece in part.partition("="))
            each = cls._knob(name)
            if name in values:
                raise BotOptionError(f'bot "{cls.bot}": option "{name}" is given twice')
            try:
                values[name] = each.parse(value)
            except ValueError:
                shown = f'"{value}"' if equals else "left without a value"
                raise BotOptionError(
                    f'bot "{cls.bot}": option "{name}" must be {each.expected}, not {shown}'
                ) from None
        return values

    @classmethod
    def _knob(cls, name: str) -> Knob:
        knobs = cls.knobs()
        if name in knobs:
            return knobs[name]
        options = ", ".join(knobs) or "none"
        raise BotOptionError(
            f'bot "{cls.bot}" has no option "{name}"{suggestion(name, knobs)}; options: {options}'
        )


class Bounded(Protocol):
    """Parameters that bound a rollout; the knobs are described in ``SearchParams``."""

    @property
    def length(self) -> int | None:
        """Most decisions."""

    @property
    def rounds(self) -> int | None:
        """Most ends of rounds."""


def suggestion(word: str, known: Any) -> str:
    """``; did you mean "x"?`` if a known word is close, else nothing."""
    close = get_close_matches(word, list(known), n=1)
    return f'; did you mean "{close[0]}"?' if close else ""
