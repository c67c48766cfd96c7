"""Goodness of fit, for tests with fixed seeds."""

from collections.abc import Mapping
from math import cbrt, sqrt
from typing import TypeVar

Category = TypeVar("Category")


def misfit(observed: Mapping[Category, int], weights: Mapping[Category, float]) -> float:
    """How far counts are from what ``weights`` make one expect, in standard deviations of a good fit.

    Pearson's chi-square, made normal by the cube root (Wilson, Hilferty 1931). Values above 4 are a misfit:
    chance alone gives them in 3 of 100,000 cases. What never should be observed makes the misfit infinite.
    """
    if any(count and not weights.get(category) for category, count in observed.items()):
        return float("inf")
    possible = {category: weight for category, weight in weights.items() if weight > 0}
    scale = sum(observed.values()) / sum(possible.values())
    square = sum((observed.get(c, 0) - scale * w) ** 2 / (scale * w) for c, w in possible.items())
    freedom = len(possible) - 1
    if freedom == 0:
        return 0.0
    shrink = 2 / (9 * freedom)
    return (cbrt(square / freedom) - (1 - shrink)) / sqrt(shrink)
