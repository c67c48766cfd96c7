"""Games in plain Python as scripts: questions, answers, and the notation of events."""

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Final

CHANCE: Final = "chance"

_ACTION: Final = re.compile(r"(\w+)\((.*)\)")


@dataclass(frozen=True)
class Node:
    """A question: to a seat, or to chance (then events have weights)."""

    phase: str
    mover: int | str
    events: dict[str, int]


Answer = dict[str, str]
"""The arguments of the event that answers a question, and its name under ``""``."""
Script = Generator[Node, Answer, None]
"""A part of the game that puts questions."""


def say(name: str, **arguments: object) -> str:
    """The notation of an event."""
    return f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})"


def read(event: str) -> Answer:
    """The inverse of ``say``."""
    match = _ACTION.fullmatch(event)
    assert match, f"not an event: {event!r}"
    name, arguments = match.groups()
    return dict(part.split("=") for part in arguments.split(", ") if part) | {"": name}


def ask(phase: str, seat: int, events: Iterable[str]) -> Generator[Node, Answer, Answer]:
    """A question to a seat."""
    answer = yield Node(phase, seat, dict.fromkeys(events, 1))
    return answer


def throw(phase: str, outcomes: dict[str, int]) -> Generator[Node, Answer, Answer]:
    """A question to chance."""
    answer = yield Node(phase, CHANCE, outcomes)
    return answer
