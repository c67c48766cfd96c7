"""Values at the edges of their types, and the small damage that a text can take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

WIDTHS = (0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 53, 63, 64)
"""Powers of two around which whole numbers break."""
INTEGERS: list[int] = sorted(
    {sign * (2**width) + off for width in WIDTHS for sign in (1, -1) for off in (-1, 0, 1)}
)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-320, 1e308, -1e308, float("inf"), float("-inf"), float("nan"))
NUMERALS = (
    "0", "-1", "-0", "+1", "1", "7", "40", "255", "256", "65536", "4294967295", "4294967296",
    "18446744073709551616", "-9223372036854775809", "9" * 60, "1.5", "1e3", "1e400", "nan", "inf", "-inf",
    "0x10", "1_000", "", " 1", "\u0663", "\u00b2", "on", "true",
)  # fmt: skip
"""What may stand where a number is expected."""
TEXTS = (
    "", " ", "\0", "a\0b", "\n", "\r\n", "\t", "-", "?", "NaN", "null", "None", "%s%n", "../../x", "'", '"',
    "x" * 16, "x" * 40, "x" * 41, "x" * 64, "x" * 65, "x" * 200, "x" * 201, "x" * 5000,
    "\u00e9" * 20, "x" * 39 + "\u00e9", "\u20ac" * 14, "x" * 38 + "\u20ac", "\U0001f3f0" * 11, "\u20ac" * 64,
    "\u202eabc", "\ufeff", "e\u0301" * 32, "\ud7ff\ue000", "\uffff", "\x7f\x1b[31m", "\u0130",
)  # fmt: skip
"""Empty, long, around the limits, and with characters of two, three and four bytes across them."""
CHARACTERS = tuple(map(chr, (0, 9, 10, 35, 40, 61, 127, 160, 0x20AC, 0x1F3F0)))
FILLINGS = ("#", " ", "\t", "")
"""What lines may be made of that have no content."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def integer(low: int, high: int, rng: Random) -> int:
    """A number from ``low`` to ``high``, mostly where types end."""
    if rng.random() < 0.3:
        return min(high, max(low, rng.randrange(-3, 300)))
    return rng.choice(_between(low, high))


@cache
def _between(low: int, high: int) -> tuple[int, ...]:
    return tuple(value for value in INTEGERS if low <= value <= high)


def damaged(text: str, rng: Random) -> str:
    """The same text with one thing wrong."""
    at = rng.randrange(len(text) + 1)
    before, after = text[:at], text[at:]
    numbers = list(_NUMBER.finditer(text))
    if numbers and rng.random() < 0.3:
        found = rng.choice(numbers)
        return text[: found.start()] + rng.choice(NUMERALS) + text[found.end() :]
    return rng.choice(
        (
            before,
            before + after[1:],
            before + rng.choice(CHARACTERS) + after,
            before + rng.choice(TEXTS) + after,
            before + after.swapcase(),
            rng.choice(TEXTS),
        )
    )


def scrambled(lines: Sequence[str], others: Sequence[str], rng: Random) -> list[str]:
    """The lines of a text with one thing wrong; ``others`` are lines of other such texts."""
    at = rng.randrange(len(lines))
    before, line, after = [*lines[:at]], lines[at], [*lines[at + 1 :]]
    elsewhere = rng.randrange(len(others))
    middle: list[str] = rng.choice(
        (
            [],
            [line, line],
            [rng.choice(others), line],
            [rng.choice(others)],
            [rng.choice(FILLINGS) * rng.choice((1, 5_000)), line],
            [damaged(line, rng)],
            [damaged(line, rng)],
            [*after[:1], line],
        )
    )
    match rng.randrange(12):
        case 0:
            return before
        case 1:
            return [*before, *others[elsewhere : elsewhere + 50]]
        case _:
            return [*before, *middle, *after]
