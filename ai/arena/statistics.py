"""How sure a mean over blocks is.

The interval is Student's t over block means: blocks are independent and alike, games of one block are not.
The t quantile is computed from the closed form of the distribution for whole degrees of freedom (Abramowitz
and Stegun 26.7.3 and 26.7.4), which is exact and needs no random numbers, unlike a bootstrap, and is wide
enough for few blocks, where a bootstrap is too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean with its confidence bounds."""

    mean: float
    low: float
    high: float


def share_interval(blocks: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Mean of shares in 0..1, one a block, with bounds clipped to 0..1.

    Two cases that t does not cover: one block bounds nothing (0 to 1), and blocks that are all 0 or all 1
    have no spread; then the far bound is that of a proportion (Clopper and Pearson 1934), since a share is at
    least the chance of a perfect block.

    Raises:
        ValueError: no block.
    """
    if not blocks:
        raise ValueError("an interval needs at least one block")
    count = len(blocks)
    mean = math.fsum(blocks) / count
    if count == 1:
        return Interval(mean, 0.0, 1.0)
    if all(share in (0.0, 1.0) and share == blocks[0] for share in blocks):
        far = ((1 - confidence) / 2) ** (1 / count)
        return Interval(mean, far, 1.0) if mean else Interval(mean, 0.0, 1 - far)
    variance = math.fsum((share - mean) ** 2 for share in blocks) / (count - 1)
    half = t_quantile((1 + confidence) / 2, count - 1) * math.sqrt(variance / count)
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


def t_quantile(probability: float, freedom: int) -> float:
    """What Student's t with ``freedom`` degrees stays below with this probability (from 0.5, below 1).

    Raises:
        ValueError: an argument is out of range.
    """
    if freedom < 1 or not 0.5 <= probability < 1:
        raise ValueError(f"no t quantile for probability {probability} and {freedom} degrees of freedom")
    low, high = 0.0, math.pi / 2  # bounds of the angle whose tangent is t / sqrt(freedom)
    for _ in range(80):
        middle = (low + high) / 2
        if (1 + _within(middle, freedom)) / 2 < probability:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


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
