"""The sequential test: blocks are played until it is clear enough which of two mean scores is the truer.

The generalised sequential probability ratio test of M. Van den Bergh, as fishtest and fastchess use it on
pairs of games: a block's score is one draw of an unknown distribution over finitely many values, and the log
likelihood ratio (LLR) is that of the most likely such distribution with mean ``high`` to the one with mean
``low``. Both are found exactly, not by a normal approximation: the one with mean s gives to the value a, seen
in a part p of the blocks, the chance (www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1)

    p / (1 + x * (a - s)),   where x solves   sum of p * (a - s) / (1 + x * (a - s)) = 0.

Since a block is one draw, games of a block may depend on each other in any way. For two players the mean over
both seats is 0, 1/4, 1/2, 3/4 or 1: the pentanomial. Means over three or four seats have more values; nothing
else changes.

A value of ``support`` that was not seen counts ``UNSEEN`` blocks, as in both programs; at least 0 and 1 are
such values, so a distribution with either mean exists from the first block on. Bounds are Wald's: ``high`` is
accepted when the LLR reaches log((1 - beta) / alpha), ``low`` when it falls to log(beta / (1 - alpha)). These
hold the error rates approximately, and the better the more blocks a test takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from kingsbridge.ai.arena.contest import Hypotheses

UNSEEN = 1e-3
"""Blocks that a value of the support counts which was not seen."""

PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean scores of two games of two players, whose wins, ties and losses score 1, 1/2 and 0."""

_DIGITS = 12  # scores that are equal but for rounding are one value
_STEPS = 200
_NEAR = 1e-9


class Ruling(Enum):
    """What a sequential test says."""

    RUNNING = "running"
    """Nothing yet."""
    LOW = "low accepted"
    HIGH = "high accepted"


class Bounds(NamedTuple):
    """Log likelihood ratios at which a test ends."""

    low: float
    high: float


class Sprt:
    """A sequential test that takes block scores one by one, and ends at the first that crosses a bound.

    ``support``: values that scores are known to take. Others are added as they come.

    Raises:
        ValueError: means are not 0 < low < high < 1, an error rate is not above 0, both sum to 1 or more,
            or a value of the support lies outside 0 and 1.
    """

    def __init__(self, hypotheses: Hypotheses, support: Sequence[float] = (0.0, 1.0)) -> None:
        low, high, alpha, beta = hypotheses.low, hypotheses.high, hypotheses.alpha, hypotheses.beta
        if not 0 < low < high < 1:
            raise ValueError(f"a test is between means 0 < low < high < 1, not {low} and {high}")
        if not (alpha > 0 and beta > 0 and alpha + beta < 1):
            raise ValueError(f"no test has error rates {alpha} and {beta}")
        self.bounds = Bounds(math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha))
        self._means = (low, high)
        self._roots = [0.0, 0.0]
        self._counts = {_value(score): 0 for score in (0.0, *support, 1.0)}
        self._llr = 0.0
        self._ruling = Ruling.RUNNING

    @property
    def llr(self) -> float:
        """The log likelihood ratio of ``high`` to ``low``, as of the last block that was used."""
        return self._llr

    @property
    def verdict(self) -> Ruling:
        """What the test says by now; once it has ended that stays."""
        return self._ruling

    @property
    def blocks(self) -> int:
        """Those the test has used."""
        return sum(self._counts.values())

    def add(self, score: float) -> Ruling:
        """Takes the score of a block, unless the test has ended, and tells the verdict.

        Raises:
            ValueError: the score lies outside 0 and 1.
        """
        value = _value(score)
        if self._ruling is Ruling.RUNNING:
            self._counts[value] = self._counts.get(value, 0) + 1
            self._llr = self._ratio()
            self._ruling = self._rule()
        return self._ruling

    def _rule(self) -> Ruling:
        if self._llr >= self.bounds.high:
            return Ruling.HIGH
        return Ruling.LOW if self._llr <= self.bounds.low else Ruling.RUNNING

    def _ratio(self) -> float:
        """How much more log likelihood the mean ``low`` costs than ``high``, each at its best."""
        weights = [count or UNSEEN for count in self._counts.values()]
        falls = []
        for index, mean in enumerate(self._means):
            gaps = [value - mean for value in self._counts]
            root = self._roots[index] = _secular_root(gaps, weights, self._roots[index])
            falls.append(
                math.fsum(weight * math.log1p(root * gap) for gap, weight in zip(gaps, weights, strict=True))
            )
        return falls[0] - falls[1]


def sprt_path(
    scores: Iterable[float], hypotheses: Hypotheses, support: Sequence[float] = (0.0, 1.0)
) -> list[float]:
    """The log likelihood ratio after each block, up to the one that ends the test.

    Raises:
        ValueError: as of ``Sprt``.
    """
    test = Sprt(hypotheses, support)
    path: list[float] = []
    for score in scores:
        test.add(score)
        path.append(test.llr)
        if test.verdict is not Ruling.RUNNING:
            break
    return path


def _value(score: float) -> float:
    if not 0 <= score <= 1:
        raise ValueError(f"a block score lies between 0 and 1: {score} does not")
    return round(score, _DIGITS)


def _secular_root(gaps: Sequence[float], weights: Sequence[float], guess: float) -> float:
    """The x that makes the sum of ``weight * gap / (1 + x * gap)`` 0 and all these divisors positive.

    The sum falls from infinity to minus infinity between the poles beside 0. Newton's method from ``guess``,
    or the middle of what is left where it leads outside.
    """
    low, high = -1 / max(gaps), -1 / min(gaps)
    width = high - low
    root = guess if low < guess < high else 0.0
    for _ in range(_STEPS):
        total = slope = 0.0
        for gap, weight in zip(gaps, weights, strict=True):
            part = gap / (1 + root * gap)
            total += weight * part
            slope += weight * part * part
        step = total / slope
        if abs(step) < _NEAR * width:
            break
        low, high = (root, high) if step > 0 else (low, root)
        root = root + step if low < root + step < high else (low + high) / 2
    return root
