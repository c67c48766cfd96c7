"""The exceptions of the engine: those of the native core, and the refusal of a record."""

from kingsbridge.pyengine._core import (
    IllegalActionError,
    OptionError,
    ParseError,
    SearchRunningError,
    UnknownGameError,
    ViewError,
)

__all__ = [
    "IllegalActionError",
    "OptionError",
    "ParseError",
    "RecordError",
    "SearchRunningError",
    "UnknownGameError",
    "ViewError",
]


class RecordError(ValueError):
    """A game record is refused.

    ``line`` says where, from 1, or is ``None`` for the record as a whole; ``reason`` says why.
    """

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"
