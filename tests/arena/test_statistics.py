"""Intervals against tables and numbers computed by hand."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from kingsbridge.ai.arena import statistics
from kingsbridge.ai.arena.statistics import counted_share_interval, share_interval, t_quantile


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (9, 2.2622),
        (10, 2.2281),
        (39, 2.0227),
        (99, 1.9842),
        (1000, 1.9623),
    ],
)
def test_t_quantiles_are_those_of_the_printed_table(freedom: int, quantile: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(quantile, abs=5e-5)


def test_other_probabilities_of_the_printed_table() -> None:
    assert t_quantile(0.95, 5) == pytest.approx(2.0150, abs=5e-5)
    assert t_quantile(0.995, 12) == pytest.approx(3.0545, abs=5e-5)
    assert t_quantile(0.5, 7) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("probability", "freedom"), [(0.4, 3), (1.0, 3), (0.975, 0)])
def test_a_quantile_that_does_not_exist_is_refused(probability: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="no t quantile"):
        t_quantile(probability, freedom)


@pytest.mark.parametrize("freedom", [200, 201, 1000, 20000])
@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.999])
def test_the_expansion_of_many_degrees_is_right_by_the_closed_form(probability: float, freedom: int) -> None:
    angle = math.atan(t_quantile(probability, freedom) / math.sqrt(freedom))
    assert (1 + statistics._within(angle, freedom)) / 2 == pytest.approx(probability, abs=1e-11)


def test_counted_blocks_have_the_interval_of_the_blocks_written_out_to_the_last_bit() -> None:
    rng = random.Random(7)
    for count in (2, 3, 50, 1000):
        blocks = [rng.choice([0.0, 0.25, 1 / 3, 0.1, 0.7, 1.0]) for _ in range(count)]
        mean = math.fsum(blocks) / count
        variance = math.fsum((share - mean) ** 2 for share in blocks) / (count - 1)
        half = t_quantile(0.975, count - 1) * math.sqrt(variance / count)
        expected = (mean, max(0.0, mean - half), min(1.0, mean + half))
        assert counted_share_interval(Counter(blocks)) == share_interval(blocks) == expected


def test_the_interval_of_three_blocks_is_as_computed_by_hand() -> None:
    # mean 0.6, standard deviation 0.1, standard error 0.1 / sqrt(3), t for 2 degrees of freedom 4.30265
    mean, low, high = share_interval([0.5, 0.6, 0.7])
    assert (mean, low, high) == pytest.approx((0.6, 0.351586, 0.848414), abs=1e-6)


def test_bounds_stay_between_nothing_and_everything() -> None:
    assert share_interval([0.5, 1.0, 0.0, 0.5]) == pytest.approx((0.5, 0.0, 1.0))
    assert share_interval([1.0, 1.0, 0.5]).high == 1.0


def test_one_block_bounds_nothing() -> None:
    assert share_interval([0.7]) == (0.7, 0.0, 1.0)
    assert share_interval([1.0]) == (1.0, 0.0, 1.0)


def test_blocks_without_spread_leave_room_for_others_that_were_not_seen() -> None:
    # 0.025 ** (1 / 8) = exp(-3.688879 / 8) = 0.630583: up to 0.369417 of the blocks may be 0, or 1
    assert share_interval([0.5] * 8) == pytest.approx((0.5, 0.315292, 0.684708), abs=1e-6)
    assert share_interval([0.25] * 8) == pytest.approx((0.25, 0.157646, 0.527063), abs=1e-6)
    # 0.025 ** (1 / 40) = exp(-3.688879 / 40)
    assert share_interval([1.0] * 40) == pytest.approx((1.0, 0.911902, 1.0), abs=1e-6)
    assert share_interval([0.0] * 40) == pytest.approx((0.0, 0.0, 0.088098), abs=1e-6)


def test_no_block_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one block"):
        share_interval([])
    with pytest.raises(ValueError, match="at least one block"):
        counted_share_interval({})
