"""The likelihood of rankings with ties, against the formula written out and finite differences."""

from __future__ import annotations

from itertools import combinations, product
from math import exp, log

import numpy as np
import pytest

from kingsbridge.ai.arena.crosstable import Floats, Placing
from kingsbridge.ai.arena.elo import ELO_PER_UNIT
from kingsbridge.ai.arena.plackett_luce import PRIOR_ELO, Model, maximise, win_shares


def chance(places: tuple[int, ...], alphas: tuple[float, ...], deltas: dict[int, float]) -> float:
    """Chance of a ranking, as Firth, Kosmidis and Turner print it."""
    left = list(range(len(places)))
    total = 1.0
    for place in sorted(set(places)):
        odds = {
            chosen: deltas[size] * float(np.prod([alphas[seat] for seat in chosen])) ** (1 / size)
            for size in range(1, len(left) + 1)
            for chosen in combinations(left, size)
        }
        total *= odds[tuple(seat for seat in left if places[seat] == place)] / sum(odds.values())
        left = [seat for seat in left if places[seat] > place]
        if len(left) == 1:
            break
    return total


def rankings(seats: int) -> list[tuple[int, ...]]:
    every = product(range(seats), repeat=seats)
    return [places for places in every if set(places) == set(range(max(places) + 1))]


GAMES = tuple(
    sorted(
        Placing(entrants, places) for entrants in ((0, 1, 2), (2, 0, 2), (1, 3, 0)) for places in rankings(3)
    )
)
WEIGHTS = np.random.default_rng(5).integers(0, 6, len(GAMES)).astype(np.float64)
MODEL = Model(GAMES, 4, 1)
THETA = np.random.default_rng(6).normal(0, 0.7, MODEL.seats.shape[1])


def deltas(theta: Floats) -> dict[int, float]:
    return {1: 1.0, 2: exp(theta[-2]), 3: exp(theta[-1])}


def test_two_equal_seats_with_delta_one_win_tie_and_lose_alike() -> None:
    assert chance((0, 0), (1, 1), {1: 1, 2: 1}) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("seats", "number"), [(2, 3), (3, 13), (4, 75)])
def test_the_chances_of_all_rankings_sum_to_one(seats: int, number: int) -> None:
    alphas = (0.5, 1.0, 3.0, 0.1)[:seats]
    chances = [chance(places, alphas, {1: 1, 2: 0.4, 3: 0.3, 4: 2}) for places in rankings(seats)]
    assert len(chances) == number
    assert sum(chances) == pytest.approx(1)


def test_the_height_is_the_logarithm_of_the_printed_formula_and_of_the_prior() -> None:
    ratings, seats = MODEL.ratings @ THETA, MODEL.seats @ THETA
    total = 0.0
    for game, weight in zip(GAMES, WEIGHTS, strict=True):
        alphas = tuple(exp(ratings[bot] + seats[seat]) for seat, bot in enumerate(game.entrants))
        total += weight * log(chance(game.places, alphas, deltas(THETA)))
    squares = sum((ratings - ratings.mean()) ** 2) + sum(seats**2) + THETA[-2] ** 2 + THETA[-1] ** 2
    total -= squares / 2 / (PRIOR_ELO / ELO_PER_UNIT) ** 2
    assert MODEL.at(THETA, MODEL.counts(WEIGHTS)).height == pytest.approx(total, rel=1e-12)


def test_the_anchor_is_rated_0_and_seat_effects_sum_to_0() -> None:
    assert not MODEL.ratings[1].any()
    assert (MODEL.seats @ THETA).sum() == pytest.approx(0, abs=1e-12)


def test_slope_and_curvature_are_the_differences_of_the_height() -> None:
    counts = MODEL.counts(WEIGHTS)
    here = MODEL.at(THETA, counts)
    for index, nudge in enumerate(np.eye(len(THETA)) * 1e-5):
        up, down = MODEL.at(THETA + nudge, counts), MODEL.at(THETA - nudge, counts)
        assert (up.height - down.height) / 2e-5 == pytest.approx(here.slope[index], abs=1e-5)
        assert (down.slope - up.slope) / 2e-5 == pytest.approx(here.curvature[index], abs=1e-5)


def test_slopes_of_games_sum_to_the_slope_but_for_the_prior() -> None:
    counts = MODEL.counts(WEIGHTS)
    none = MODEL.at(THETA, MODEL.counts(np.zeros(len(GAMES))))
    assert WEIGHTS @ MODEL.game_slopes(THETA) + none.slope == pytest.approx(MODEL.at(THETA, counts).slope)


def test_at_the_maximum_nothing_pulls() -> None:
    counts = MODEL.counts(WEIGHTS)
    for start in (np.zeros(len(THETA)), THETA, np.full(len(THETA), 9.0)):
        peak = maximise(MODEL, counts, start)
        assert peak.slope == pytest.approx(np.zeros(len(THETA)), abs=1e-6)
        assert peak.height >= MODEL.at(THETA, counts).height


def test_a_maximum_with_a_fixed_difference_keeps_it_and_gives_way_in_all_else() -> None:
    counts = MODEL.counts(WEIGHTS)
    fixed = MODEL.ratings[2] - MODEL.ratings[0]
    peak = maximise(MODEL, counts, THETA, fixed)
    assert fixed @ peak.theta == pytest.approx(fixed @ THETA)
    assert peak.slope == pytest.approx(fixed * (fixed @ peak.slope) / (fixed @ fixed), abs=1e-6)


def test_a_tie_size_that_no_game_shows_is_no_parameter() -> None:
    assert Model([Placing((0, 1, 2), (0, 1, 2))], 3, 0).tie_sizes == ()
    assert Model([Placing((0, 1, 2), (0, 1, 1))], 3, 0).tie_sizes == (2,)
    assert Model([Placing((0, 1, 2), (0, 0, 0))], 3, 0).tie_sizes == (3,)


def test_expected_shares_are_as_computed_by_hand() -> None:
    # alpha 4 and 1, delta 1/2: odds of win, loss and tie 4 : 1 : 1/2 * 2
    assert win_shares([log(4), 0], [0.5]) == pytest.approx((0.75, 0.25))
    # alpha 8, 1, 1 and delta of three 3: odds 8 : 1 : 1 : 3 * 2
    assert win_shares([log(8), 0, 0], [0, 3]) == pytest.approx((10 / 16, 3 / 16, 3 / 16))
    assert win_shares([0, 0, 0, 0]) == pytest.approx((0.25,) * 4)
