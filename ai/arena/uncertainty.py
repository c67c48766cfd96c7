"""How sure fitted strengths are: the bootstrap over blocks, and the profile likelihood.

Games of one block share their deal, so neither treats them as independent.

The bootstrap draws as many blocks as were played, with replacement, and fits again. Its bounds are expanded
percentiles (Hesterberg 2015), as far out as Student's t for that number of blocks. For few blocks that is
still too narrow, and it is wrong where some resamples hold no defeat of a bot: these do not say how strong it
is. There the profile likelihood is used: all values that the best fit with that value makes not much less
likely than the best fit. "Not much" is by Student's t for the number of blocks, and by how much more blocks
differ than if their games were independent: the deviance is divided by the ratio of the robust variance to
the plain one (Chandler and Bate 2007) where that is above 1. Below 1 it is not used, being uncertain itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import shake_128

import numpy as np

from kingsbridge.ai.arena.comparisons import closure, edges
from kingsbridge.ai.arena.crosstable import Crosstable, Floats, Integers
from kingsbridge.ai.arena.plackett_luce import Counts, Model, Peak, maximise
from kingsbridge.ai.arena.statistics import CONFIDENCE, t_quantile

_NEAR = 1e-4  # in units of log strength: 0.02 Elo


@dataclass(frozen=True, slots=True)
class Resamples:
    """``thetas``: a row for each resample's fit. ``broken``: share of them with bots that do not compare.

    ``tail``: the part of the resamples that lies beyond either bound.
    """

    thetas: Floats
    broken: float
    tail: float

    def bounds(self, direction: Floats) -> tuple[float, float]:
        """Percentiles of ``direction @ theta``."""
        low, high = np.quantile(self.thetas @ direction, [self.tail, 1 - self.tail], method="weibull")
        return float(low), float(high)

    def superiority(self, direction: Floats) -> float:
        """Share of resamples where ``direction @ theta`` is above 0; a zero counts half."""
        return float((1 + np.sign(self.thetas @ direction).mean()) / 2)


def resample(table: Crosstable, model: Model, peak: Peak, count: int, seed: int) -> Resamples:
    """Fits ``count`` resamples of the blocks."""
    pairs = np.array([*edges(table.games)], dtype=np.intp).reshape(-1, 3)
    played = np.repeat(np.arange(len(table.times)), table.times)
    thetas = np.empty((count, len(peak.theta)))
    broken = 0
    for row in range(count):
        weights = table.weights(_redraw(played, len(table.times), f"{seed} resample {row}"))
        broken += not _connected(pairs[weights[pairs[:, 0]] > 0], len(model.ratings))
        thetas[row] = maximise(model, model.counts(weights), peak.theta).theta
    return Resamples(thetas, broken / count, _tail(table.blocks))


def _redraw(played: Integers, kinds: int, name: str) -> Integers:
    """How often each kind comes up in as many draws, with replacement, as there are blocks.

    The draws are a hash of ``name``, so they are the same everywhere. 32 bits favour no block by more than
    their number in 2**32.
    """
    lots = np.frombuffer(shake_128(name.encode()).digest(4 * len(played)), "<u4").astype(np.uint64)
    chosen = (lots * np.uint64(len(played)) >> np.uint64(32)).astype(np.intp)
    return np.bincount(played[chosen], minlength=kinds)


def _tail(blocks: int) -> float:
    """What a normal variable leaves beyond t, if its variance is short by the factor of n to n - 1."""
    deviation = t_quantile((1 + CONFIDENCE) / 2, blocks - 1) * math.sqrt(blocks / (blocks - 1))
    return math.erfc(deviation / math.sqrt(2)) / 2


class Profile:
    """The profile likelihood about a fit."""

    def __init__(self, table: Crosstable, model: Model, counts: Counts, peak: Peak) -> None:
        self._model = model
        self._counts = counts
        self._peak = peak
        self._variance = np.linalg.inv(peak.curvature)
        self._robust = self._variance @ _block_spread(table, model, peak) @ self._variance
        self._cut = t_quantile((1 + CONFIDENCE) / 2, max(1, table.blocks - 1)) ** 2

    def bounds(self, direction: Floats) -> tuple[float, float]:
        """Between which values of ``direction @ theta`` the scaled deviance is below the square of t."""
        fall = self._cut * self._scale(direction) / 2
        return self._bound(direction, fall, -1), self._bound(direction, fall, 1)

    def superiority(self, direction: Floats) -> float:
        """Chance that ``direction @ theta`` is above 0: the signed root of the scaled deviance is normal."""
        value = float(direction @ self._peak.theta)
        fall = self._peak.height - self._at(direction, 0.0).height
        root = math.copysign(math.sqrt(max(0.0, 2 * fall) / self._scale(direction)), value)
        return (1 + math.erf(root / math.sqrt(2))) / 2

    def _scale(self, direction: Floats) -> float:
        plain, robust = (float(direction @ each @ direction) for each in (self._variance, self._robust))
        return max(1.0, robust / plain)

    def _bound(self, direction: Floats, fall: float, sign: int) -> float:
        """Newton's method; the profile is concave, so from its second step it comes from outside."""
        error = math.sqrt(float(direction @ self._variance @ direction))
        value = float(direction @ self._peak.theta) + sign * error * math.sqrt(2 * fall)
        for _ in range(100):
            there = self._at(direction, value)
            slope = float(direction @ there.slope) / float(direction @ direction)
            move = (there.height - (self._peak.height - fall)) / slope
            value -= move
            if abs(move) < _NEAR:
                break
        return value

    def _at(self, direction: Floats, value: float) -> Peak:
        """The maximum over all theta with ``direction @ theta`` equal to ``value``."""
        along = self._variance @ direction
        start = self._peak.theta + along * (value - direction @ self._peak.theta) / (direction @ along)
        return maximise(self._model, self._counts, start, direction)


def _block_spread(table: Crosstable, model: Model, peak: Peak) -> Floats:
    """Sum over blocks of the squared slopes, as a matrix, for a sample's mean; none of a single block."""
    slopes = np.zeros((len(table.times), len(peak.theta)))
    games = model.game_slopes(peak.theta)
    np.add.at(slopes, table.block, table.repeats[:, None] * games[table.game])
    return np.asarray(slopes.T @ (table.times[:, None] * slopes) * (table.blocks / max(1, table.blocks - 1)))


def _connected(pairs: np.ndarray[tuple[int, ...], np.dtype[np.intp]], entrants: int) -> bool:
    ahead = np.zeros((entrants, entrants), dtype=np.bool_)
    ahead[pairs[:, 1], pairs[:, 2]] = True
    return bool(closure(ahead).all())
