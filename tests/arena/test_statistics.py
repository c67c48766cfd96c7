"""Intervals against tables and numbers computed by hand."""

from __future__ import annotations

import pytest

from kingsbridge.ai.arena.statistics import share_interval, t_quantile


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


def test_blocks_without_spread_are_certain_only_between_the_ends() -> None:
    assert share_interval([0.5] * 8) == (0.5, 0.5, 0.5)
    # 0.025 ** (1 / 40) = exp(-3.688879 / 40)
    assert share_interval([1.0] * 40) == pytest.approx((1.0, 0.911902, 1.0), abs=1e-6)
    assert share_interval([0.0] * 40) == pytest.approx((0.0, 0.0, 0.088098), abs=1e-6)


def test_no_block_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one block"):
        share_interval([])
