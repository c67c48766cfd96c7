"""The sequential test: ratios that others published, ratios by hand, and how often it errs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from math import log, sqrt

import numpy as np
import pytest

from kingsbridge.ai.arena.contest import Hypotheses
from kingsbridge.ai.arena.elo import elo_to_share
from kingsbridge.ai.arena.sprt import PENTANOMIAL, Ruling, Sprt, sprt_path

TESTS = int(os.environ.get("KINGSBRIDGE_GAMES", "2000"))
MOST_BLOCKS = 800
ENDLESS = 1e-12  # error rates with which no test of this file ends


def ratio(counts: Sequence[int], low: float, high: float, support: Sequence[float]) -> float:
    """After blocks that scored the values of the support so many times, added in turns."""
    test = Sprt(Hypotheses(low, high, ENDLESS, ENDLESS), support)
    for value, count in zip(support, counts, strict=True):
        for _ in range(count):
            test.add(value)
    return test.llr


@pytest.mark.parametrize(
    ("counts", "elo", "published"),
    [
        ((21184, 40708, 21404), (0.5, 2.5), -1.57),
        ((57030, 106593, 57433), (0, 2), -2.59),
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.07),
        ((871, 26175, 55983, 26678, 821), (0, 2), -4.98),
    ],
)
def test_ratios_are_those_that_fastchess_tests(
    counts: Sequence[int], elo: tuple[float, float], published: float
) -> None:
    """Frequencies and ratios from app/tests/sprt_test.cpp of Disservin/fastchess (MIT), logistic Elo."""
    support = [index / (len(counts) - 1) for index in range(len(counts))]
    test = Sprt(Hypotheses(elo_to_share(elo[0]), elo_to_share(elo[1]), ENDLESS, ENDLESS), support)
    test._counts.update(zip(support, counts, strict=True))
    test._counts[1.0] -= 1
    test.add(1.0)
    assert test.llr == pytest.approx(published, rel=0.01)


def test_wins_and_losses_alone_give_the_ratio_of_the_classical_test() -> None:
    # means are then chances: 7 ln(0.6 / 0.5) + 3 ln(0.4 / 0.5)
    assert ratio((3, 7), 0.5, 0.6, (0, 1)) == pytest.approx(7 * log(1.2) + 3 * log(0.8), abs=1e-9)
    assert ratio((6, 2), 0.25, 0.4, (0, 1)) == pytest.approx(2 * log(1.6) + 6 * log(0.8), abs=1e-9)


def test_the_ratio_of_three_values_is_as_computed_by_hand() -> None:
    # parts 1/4, 1/2, 1/4 of 0, 1/2, 1 have the mean 1/2 themselves, so theirs is the best distribution.
    # With mean 3/5: -0.15 / (1 - 0.6 x) - 0.05 / (1 - 0.1 x) + 0.1 / (1 + 0.4 x) = 0, which is
    # 0.024 x^2 - 0.105 x - 0.1 = 0, and of its roots the one between -2.5 and 5 / 3
    x = (0.105 - sqrt(0.020625)) / 0.048
    by_hand = -25 * log(1 - 0.6 * x) - 50 * log(1 - 0.1 * x) - 25 * log(1 + 0.4 * x)
    assert ratio((25, 50, 25), 0.5, 0.6, (0, 0.5, 1)) == pytest.approx(by_hand, abs=1e-9)


def test_scores_that_mirror_the_hypotheses_mirror_the_ratio() -> None:
    counts = (4, 9, 11, 3, 6)
    assert ratio(counts, 0.45, 0.55, PENTANOMIAL) == pytest.approx(
        -ratio(counts[::-1], 0.45, 0.55, PENTANOMIAL)
    )


def test_a_value_that_was_not_seen_counts_a_thousandth_of_a_block() -> None:
    # one win, and 1 / 1000 of a loss: ln(0.6 / 0.5) + ln(0.4 / 0.5) / 1000
    assert ratio((0, 1), 0.5, 0.6, (0, 1)) == pytest.approx(log(1.2) + log(0.8) / 1000, abs=1e-9)


def test_bounds_are_walds() -> None:
    bounds = Sprt(Hypotheses(0.5, 0.6, alpha=0.05, beta=0.1)).bounds
    assert bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


def test_the_first_block_that_crosses_a_bound_decides() -> None:
    # a win adds ln 1.2 = 0.1823: 17 pass ln 19 = 2.944, 16 do not
    test = Sprt(Hypotheses(0.5, 0.6))
    rulings = [test.add(1.0) for _ in range(17)]
    assert rulings == [Ruling.RUNNING] * 16 + [Ruling.HIGH]
    ended = test.llr
    for _ in range(500):
        assert test.add(0.0) is Ruling.HIGH
    assert (test.llr, test.blocks, test.verdict) == (ended, 17, Ruling.HIGH)


def test_losses_accept_low() -> None:
    # a loss adds ln 0.8 = -0.2231: 14 pass -2.944, 13 do not
    test = Sprt(Hypotheses(0.5, 0.6))
    assert [test.add(0.0) for _ in range(14)] == [Ruling.RUNNING] * 13 + [Ruling.LOW]


def test_the_ratio_does_not_depend_on_the_order_of_blocks_nor_on_what_was_asked_between() -> None:
    random = np.random.default_rng(3)
    scores = [float(score) for score in random.choice(PENTANOMIAL, 200)]
    hypotheses = Hypotheses(0.5, 0.51, ENDLESS, ENDLESS)
    forward, backward = (
        sprt_path(scores, hypotheses, PENTANOMIAL),
        sprt_path(scores[::-1], hypotheses, PENTANOMIAL),
    )
    assert forward[-1] == pytest.approx(backward[-1], abs=1e-9)


def test_a_path_ends_with_the_test_and_depends_on_what_came_before_alone() -> None:
    scores = [
        float(score) for score in np.random.default_rng(4).choice(PENTANOMIAL, 400, p=[0, 0.1, 0.4, 0.3, 0.2])
    ]
    path = sprt_path(scores, Hypotheses(0.5, 0.6))
    test = Sprt(Hypotheses(0.5, 0.6))
    for score in scores:
        test.add(score)
    assert (path[-1], len(path)) == (test.llr, test.blocks)
    assert len(path) < 400
    assert sprt_path([*scores[: len(path)], 0.0, 0.0], Hypotheses(0.5, 0.6)) == path
    assert sprt_path([*scores[:10], 1.0], Hypotheses(0.5, 0.6))[:10] == path[:10]


def test_scores_that_are_equal_but_for_rounding_are_one_value() -> None:
    third = Sprt(Hypotheses(0.3, 0.4))
    for score in (1 / 3, 0.1 + 0.7 / 3, 1 - 2 / 3):
        third.add(score)
    assert len(third._counts) == 3


def test_a_ratio_is_finite_where_all_blocks_score_alike() -> None:
    # 1/2 each time: with mean 0.5 all weight lies there, with mean 0.6 four fifths do and the rest on 1
    assert ratio((0, 100, 0), 0.5, 0.6, (0, 0.5, 1)) == pytest.approx(100 * log(0.8), abs=0.05)


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        (Hypotheses(0.6, 0.5), "low < high"),
        (Hypotheses(0.0, 0.5), "low < high"),
        (Hypotheses(0.5, 1.0), "low < high"),
        (Hypotheses(0.5, 0.6, alpha=0), "error rates"),
        (Hypotheses(0.5, 0.6, 0.5, 0.5), "error rates"),
    ],
)
def test_a_test_that_decides_nothing_is_refused(hypotheses: Hypotheses, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(hypotheses)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_score_from_outside_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Sprt(Hypotheses(0.5, 0.6)).add(score)


# ------------------------------------------------------------ error rates

Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Source = Callable[[np.random.Generator, float, tuple[int, ...]], Scores]


def pairs(ties: float, alike: float) -> Source:
    """Two games of two players; a part ``alike`` of the pairs end both in the same way for the first bot."""

    def draw(random: np.random.Generator, mean: float, shape: tuple[int, ...]) -> Scores:
        def games() -> Scores:
            lot = random.random(shape)
            return np.where(lot < mean - ties / 2, 1.0, np.where(lot < mean + ties / 2, 0.5, 0.0))

        first, second = games(), games()
        return (first + np.where(random.random(shape) < alike, first, second)) / 2

    return draw


def tables(players: int, ties: float, spread: float) -> Source:
    """A game in each seat against equal others; chances differ by seat and, by ``spread``, by block."""

    def draw(random: np.random.Generator, mean: float, shape: tuple[int, ...]) -> Scores:
        luck = random.choice([-spread, spread], shape)
        total = np.zeros(shape)
        for seat in range(players):
            chance = mean + luck + 0.02 * (seat - (players - 1) / 2)
            lot = random.random(shape)
            total += np.where(lot < chance - ties / 2, 1.0, np.where(lot < chance + ties / 2, 0.5, 0.0))
        return total / players

    return draw


@pytest.mark.parametrize(
    ("source", "hypotheses"),
    [
        (pairs(0, 0), Hypotheses(0.5, 0.6)),
        (pairs(0.6, 0), Hypotheses(0.5, 0.56)),
        (pairs(0.3, 0.5), Hypotheses(0.45, 0.55)),
        (pairs(0.1, 0.9), Hypotheses(0.45, 0.57)),
        (tables(3, 0.1, 0.1), Hypotheses(1 / 3, 0.43)),
        (tables(4, 0, 0), Hypotheses(0.25, 0.33)),
        (tables(4, 0.1, 0.15), Hypotheses(0.25, 0.33)),
    ],
    ids=[
        "no ties",
        "many ties",
        "dependent pairs",
        "nearly equal pairs",
        "3 players",
        "4 players",
        "4 players, luck",
    ],
)
def test_errors_are_as_rare_as_asked_for(source: Source, hypotheses: Hypotheses) -> None:
    """Three standard deviations of that many tests are allowed above an error rate of 5 %."""
    allowed = 0.05 + 3 * sqrt(0.05 * 0.95 / TESTS)
    for mean, wrong in ((hypotheses.low, Ruling.HIGH), (hypotheses.high, Ruling.LOW)):
        random = np.random.default_rng(1)
        errors = running = 0
        for _ in range(TESTS):
            test = Sprt(hypotheses)
            for score in source(random, mean, (MOST_BLOCKS,)).tolist():
                if test.add(score) is not Ruling.RUNNING:
                    break
            errors += test.verdict is wrong
            running += test.verdict is Ruling.RUNNING
        print(f"mean {mean:.3f}: {errors / TESTS:.4f} wrong, {running} not ended")
        assert errors / TESTS <= allowed
        assert running <= TESTS / 100
