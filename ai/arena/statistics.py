"""How sure a mean over blocks is.

The interval is Student's t over block means: blocks are independent and alike, games of one block are not.
The t quantile is computed from the closed form of the distribution for whole degrees of freedom (Abramowitz
and Stegun 26.7.3 and 26.7.4), which is exact and needs no random numbers, unlike a bootstrap, and is wide
enough for few blocks, where a bootstrap is too narrow. Of many degrees, where the closed form is slow, their
expansion (26.7.5) is right to nine digits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
_MANY = 200
"""Degrees of freedom from which t is taken from its expansion."""


class Interval(NamedTuple):
    """A mean with its confidence bounds."""

    mean: float
    low: float
    high: float


def share_interval(blocks: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Mean of shares in 0..1, one a block, with bounds clipped to 0..1.

    Two cases that t does not cover: one block bounds nothing (0 to 1), and blocks that are all alike have no
    spread. Then the chance of a block that is not like them is at most that of a proportion that was never
    seen (Clopper and Pearson 1934), and such a block is 0 at worst and 1 at best.

    Raises:
        ValueError: no block.
    """
    return counted_share_interval(Counter(blocks), confidence)


def counted_share_interval(blocks: Mapping[float, int], confidence: float = CONFIDENCE) -> Interval:
    """As ``share_interval``, from the number of blocks with each share: the same to the last bit.

    Blocks have few different shares, so this takes as long for a hundred thousand of them as for ten.

    Raises:
        ValueError: no block.
    """
    count = sum(blocks.values())
    if not count:
        raise ValueError("an interval needs at least one block")
    mean = _sum(blocks) / count
    if count == 1:
        return Interval(mean, 0.0, 1.0)
    if len(blocks) == 1:
        alike = ((1 - confidence) / 2) ** (1 / count)
        return Interval(mean, mean * alike, 1 - (1 - mean) * alike)
    squares: Counter[float] = Counter()
    for share, times in blocks.items():
        squares[(share - mean) ** 2] += times
    variance = _sum(squares) / (count - 1)
    half = t_quantile((1 + confidence) / 2, count - 1) * math.sqrt(variance / count)
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


def _sum(counts: Mapping[float, int]) -> float:
    """The exact sum, rounded once: what ``math.fsum`` gives of the values written out."""
    return float(sum(Fraction(value) * times for value, times in counts.items()))


def t_quantile(probability: float, freedom: int) -> float:
    """What Student's t with ``freedom`` degrees stays below with this probability (from 0.5, below 1).

    Raises:
        ValueError: an argument is out of range.
    """
    if freedom < 1 or not 0.5 <= probability < 1:
        raise ValueError(f"no t quantile for probability {probability} and {freedom} degrees of freedom")
    if freedom >= _MANY:
        return _expanded(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, math.pi / 2  # bounds of the angle whose tangent is t / sqrt(freedom)
    for _ in range(80):
        middle = (low + high) / 2
        if (1 + _within(middle, freedom)) / 2 < probability:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _expanded(normal: float, freedom: int) -> float:
    """The t quantile from that of the normal distribution."""
    square = normal * normal
    terms = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return normal * (1 + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1)))


def _within(angle: float, freedom: int) -> float:
    """Probability that t lies within plus or minus ``tan(angle) * sqrt(freedom)``."""
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for step in range(1, freedom // 2 + 1):
        total += term
        ratio = 2 * step / (2 * step + 1) if odd else (2 * step - 1) / (2 * step)
        term *= ratio * cosine * cosine
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total
