"""Ratings: closed forms, an independent library, and games drawn from the model."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import combinations, permutations, product
from math import exp, log, sqrt
from typing import NamedTuple

import choix
import numpy as np
import pytest

from kingsbridge.ai.arena.elo import ELO_PER_UNIT, elo_to_share, share_to_elo
from kingsbridge.ai.arena.ratings import FEW_BLOCKS, Estimate, Method, Ratings, rate
from kingsbridge.ai.arena.statistics import t_quantile
from kingsbridge.ai.arena.uncertainty import _redraw

TOURNAMENTS = int(os.environ.get("KINGSBRIDGE_GAMES", "40"))
SIGMA = 1000 / ELO_PER_UNIT  # of the prior, in units


class Game(NamedTuple):
    seats: tuple[int, ...]
    ranks: tuple[int, ...]


Blocks = list[list[Game]]


def mirrored(first: int, second: int, rank: int, other: int) -> list[Game]:
    """A block in which both games end alike for the bots, whatever their seats."""
    return [Game((first, second), (rank, other)), Game((second, first), (other, rank))]


def duels(wins: int, ties: int, losses: int) -> Blocks:
    """Blocks of entrant 1 against entrant 0."""
    return [mirrored(1, 0, 1, 0)] * wins + [mirrored(1, 0, 5, 5)] * ties + [mirrored(1, 0, 0, 1)] * losses


# -------------------------------------------------- closed forms


def test_a_rating_is_the_logarithm_of_wins_to_losses_and_delta_the_ties_to_their_root() -> None:
    # Davidson 1970: odds 400 : 100 of win to loss, and 100 / sqrt(400 * 100) of ties
    ratings = rate(duels(4000, 1000, 1000), 2, resamples=10)
    assert ratings.entrants[0] == Estimate(0, 0, 0)
    assert ratings.entrants[1].elo == pytest.approx(400 * log(4) / log(10), abs=0.05)
    assert ratings.ties == pytest.approx((0.5,), abs=1e-3)
    assert ratings.seats[0].elo == pytest.approx(0, abs=1e-6)


def test_a_prior_of_1000_elo_moves_eighty_games_by_a_fifth_of_a_point() -> None:
    # 60 wins of 80: ln 3 units, 190.85 Elo. The prior of two bots pulls by r / (2 sigma^2) = 0.01657, against
    # a curvature of 80 * 3/4 * 1/4 = 15: 0.0011 units, 0.19 Elo
    assert rate(duels(30, 0, 10), 2).entrants[1].elo == pytest.approx(190.85 - 0.19, abs=0.01)


def test_copies_of_one_bot_tell_of_seats_and_nothing_of_ratings() -> None:
    blocks = [[Game((1, 1), (1, 0))]] * 3000 + [[Game((1, 1), (0, 1))]] * 1000
    ratings = rate(blocks, 2, resamples=10)
    # the seats differ by ln 3, half on either side of 0
    assert [seat.elo for seat in ratings.seats] == pytest.approx([95.42, -95.42], abs=0.05)
    assert ratings.entrants[1].elo == pytest.approx(0, abs=1e-6)
    assert ratings.comparisons.components == ((0,), (1,))


def test_a_bot_in_two_seats_of_a_game_has_one_rating() -> None:
    # alpha 1, 1, 2: chances 1/2 * 1/2, 1/4 * 2/3, 1/4 * 1/3 of each of two orders, as counts of 24
    times = {(1, 0, 0): 6, (0, 1, 0): 4, (0, 0, 1): 2}
    blocks: Blocks = []
    for seats, order in product(times, permutations(range(3))):
        ranks = tuple(-order.index(seat) for seat in range(3))
        blocks += [[Game(seats, ranks)]] * 20 * times[seats[order[0]], seats[order[1]], seats[order[2]]]
    ratings = rate(blocks, 2, resamples=10)
    assert ratings.entrants[1].elo == pytest.approx(400 * log(2) / log(10), abs=0.1)


def test_the_whole_ranking_counts_and_not_only_the_winner() -> None:
    blocks = [[Game((0, 1, 2), (2, 1, 0)), Game((0, 1, 2), (2, 0, 1))]] * 100
    ahead = [[Game((0, 1, 2), (2, 1, 0))]] * 40 + blocks
    assert rate(blocks, 3).entrants[1].elo == pytest.approx(rate(blocks, 3).entrants[2].elo)
    assert rate(ahead, 3).entrants[1].elo > rate(ahead, 3).entrants[2].elo


# -------------------------------------------------- an independent library


def test_ratings_without_ties_are_those_of_choix() -> None:
    random = np.random.default_rng(4)
    strengths = np.array([0.0, 0.8, -0.5, 1.5, 0.3])
    orders: list[tuple[int, ...]] = []
    for _ in range(150):
        bots = random.choice(5, 3, replace=False)
        orders.append(tuple(int(bot) for bot in bots[np.argsort(-strengths[bots] - random.gumbel(size=3))]))
    # every order in all seatings, so seats weigh nothing
    blocks = [
        [Game(seats, tuple(-order.index(bot) for bot in seats)) for seats in permutations(order)]
        for order in orders
    ]
    # its penalty is alpha times the sum of squares: 1 / (2 sigma^2), shared by the 6 seatings
    theirs = choix.opt_rankings(5, orders, alpha=1 / (12 * SIGMA**2), tol=1e-12)
    ours = [entrant.elo for entrant in rate(blocks, 5, resamples=1).entrants]
    assert ours == pytest.approx(list((theirs - theirs[0]) * ELO_PER_UNIT), abs=0.01)


# -------------------------------------------------- what must not matter


def drawn_chances(alphas: Sequence[float], deltas: Sequence[float]) -> dict[tuple[int, ...], float]:
    """Chance of each ranking, as ranks by seat, by choosing the first, then of the rest, and so on."""
    found: dict[tuple[int, ...], float] = {}

    def choose(ranks: tuple[int, ...], left: tuple[int, ...], chance: float) -> None:
        if not left:
            found[ranks] = chance
            return
        sets = [each for size in range(1, len(left) + 1) for each in combinations(left, size)]
        odds = [deltas[len(each) - 1] * exp(sum(log(alphas[i]) for i in each) / len(each)) for each in sets]
        for chosen, odd in zip(sets, odds, strict=True):
            given = tuple(len(left) if seat in chosen else rank for seat, rank in enumerate(ranks))
            choose(given, tuple(i for i in left if i not in chosen), chance * odd / sum(odds))

    choose((0,) * len(alphas), tuple(range(len(alphas))), 1.0)
    return found


class Truth:
    """Games of a known model: ``elo`` of bots and of seats, ``deltas`` of ties of 1, 2, .. seats."""

    def __init__(self, elo: Sequence[float], seats: Sequence[float], deltas: Sequence[float]) -> None:
        self.elo, self.seats, self.deltas = elo, seats, deltas
        self._chances: dict[tuple[int, ...], tuple[list[tuple[int, ...]], list[float]]] = {}

    def game(self, seats: tuple[int, ...], random: np.random.Generator) -> Game:
        if seats not in self._chances:
            alphas = [10 ** ((self.elo[bot] + self.seats[i]) / 400) for i, bot in enumerate(seats)]
            chances = drawn_chances(alphas, self.deltas)
            self._chances[seats] = ([*chances], [*chances.values()])
        ranks, weights = self._chances[seats]
        return Game(seats, ranks[random.choice(len(ranks), p=weights)])

    def blocks(self, count: int, random: np.random.Generator, echo: int = 1) -> Blocks:
        """Blocks of all rotations of a random seating; each game is there ``echo`` times."""
        blocks: Blocks = []
        for _ in range(count):
            first = [int(bot) for bot in random.choice(len(self.elo), len(self.seats), replace=False)]
            games = [self.game((*first[i:], *first[:i]), random) for i in range(len(first))]
            blocks.append(games * echo)
        return blocks


DUEL = Truth((0, 60, -120, 150), (25, -25), (1, 0.4))
THREE = Truth((0, 60, -120, 150), (40, 0, -40), (1, 0.3, 0.1))
FOUR = Truth((0, 60, -120, 150), (60, 10, -20, -50), (1, 0.2, 0.05, 0.01))
SAMPLE = THREE.blocks(80, np.random.default_rng(2))


def points(ratings: Ratings) -> list[float]:
    return [each.elo for each in (*ratings.entrants, *ratings.seats)]


def test_the_order_of_games_and_blocks_changes_nothing() -> None:
    turned = [block[::-1] for block in SAMPLE][::-1]
    assert rate(turned, 4, resamples=50) == rate(SAMPLE, 4, resamples=50)


def test_only_the_order_of_ranks_counts() -> None:
    spread = [
        [Game(seats, tuple(7 * rank - 30 for rank in ranks)) for seats, ranks in block] for block in SAMPLE
    ]
    assert rate(spread, 4, resamples=20) == rate(SAMPLE, 4, resamples=20)


def test_new_names_for_the_bots_change_nothing_but_their_order() -> None:
    new = (2, 0, 3, 1)
    renamed = [[Game(tuple(new[bot] for bot in seats), ranks) for seats, ranks in block] for block in SAMPLE]
    plain, other = rate(SAMPLE, 4, resamples=400), rate(renamed, 4, anchor=new[0], resamples=400)
    for bot in range(4):
        assert other.entrants[new[bot]].elo == pytest.approx(plain.entrants[bot].elo, abs=1e-4)
        assert other.entrants[new[bot]] == pytest.approx(
            plain.entrants[bot], abs=12
        )  # noise of the resamples
    assert other.seats[0].elo == pytest.approx(plain.seats[0].elo, abs=1e-4)


def test_another_anchor_shifts_all_ratings_alike() -> None:
    plain, other = rate(SAMPLE, 4, resamples=50), rate(SAMPLE, 4, anchor=3, resamples=50)
    shift = plain.entrants[3].elo
    assert [each.elo + shift for each in other.entrants] == pytest.approx(
        [each.elo for each in plain.entrants], abs=1e-4
    )
    assert other.superiority[0] == pytest.approx(plain.superiority[0])
    assert other.entrants[0].low == pytest.approx(-plain.entrants[3].high, abs=1e-3)


def test_the_same_seed_gives_the_same_bounds_and_another_seed_others() -> None:
    assert rate(SAMPLE, 4, resamples=50) == rate(SAMPLE, 4, resamples=50)
    assert rate(SAMPLE, 4, resamples=50, seed=2) != rate(SAMPLE, 4, resamples=50)


# -------------------------------------------------- how sure it is


def test_every_block_is_drawn_as_often_as_chance_has_it() -> None:
    # 4 blocks of two kinds, 1 and 3: the mean number of the first is 1, its variance 4 * 1/4 * 3/4 = 0.75
    drawn = [_redraw(np.array([0, 1, 1, 1]), 2, str(row)) for row in range(4000)]
    assert all(times.sum() == 4 for times in drawn)
    assert np.mean([times[0] for times in drawn]) == pytest.approx(1, abs=4 * sqrt(0.75 / 4000))
    assert np.var([times[0] for times in drawn]) == pytest.approx(0.75, abs=0.07)


def test_blocks_are_drawn_and_not_games() -> None:
    """Games that are all there twice tell no more; twice the blocks narrow the bounds by the root of two."""
    random = np.random.default_rng(8)
    single = DUEL.blocks(400, random)
    width = {
        name: np.subtract(*rate(blocks, 4).entrants[3][:0:-1])
        for name, blocks in {
            "once": single,
            "echo": [block * 2 for block in single],
            "twice": single * 2,
        }.items()
    }
    assert width["echo"] == pytest.approx(width["once"], rel=0.1)
    assert width["once"] / width["twice"] == pytest.approx(sqrt(2), rel=0.15)


def covered(truth: Truth, ratings: Ratings) -> list[bool]:
    known = [elo - truth.elo[0] for elo in truth.elo[1:]] + list(truth.seats)
    return [
        low <= true <= high
        for true, (_, low, high) in zip(known, (*ratings.entrants[1:], *ratings.seats), strict=True)
    ]


@pytest.mark.parametrize(
    ("truth", "blocks", "echo"),
    [(DUEL, 150, 1), (THREE, 80, 1), (FOUR, 60, 1), (DUEL, 150, 2), (DUEL, 20, 1), (FOUR, 12, 1)],
    ids=["2 seats", "3 seats", "4 seats", "games that depend", "2 seats, few blocks", "4 seats, few blocks"],
)
def test_strengths_come_out_and_95_of_100_bounds_hold_them(truth: Truth, blocks: int, echo: int) -> None:
    """As if all bounds of a tournament were one, four standard deviations of their number are allowed."""
    hits: list[float] = []
    elo: list[list[float]] = []
    for seed in range(TOURNAMENTS):
        played = truth.blocks(blocks, np.random.default_rng(seed), echo)
        ratings = rate(played, 4, resamples=150)
        assert (ratings.method is Method.BOOTSTRAP) == (blocks >= FEW_BLOCKS)
        hits.append(float(np.mean(covered(truth, ratings))))
        elo.append(points(ratings))
    print(f"{np.mean(hits):.3f} of the bounds hold the truth")
    assert np.mean(hits) >= 0.95 - 4 * sqrt(0.95 * 0.05 / TOURNAMENTS)
    error = 4 * np.std(elo, axis=0) / sqrt(TOURNAMENTS) + 0.05 * np.abs([*truth.elo, *truth.seats])
    assert (
        np.abs(np.mean(elo, axis=0) - [*truth.elo, *truth.seats]) <= error + 1e-9
    ).all() or blocks < FEW_BLOCKS


def test_a_bot_that_won_all_has_the_lower_bound_of_its_likelihood() -> None:
    blocks = 10
    ratings = rate(duels(blocks, 0, 0), 2)

    def height(
        r: np.ndarray[tuple[int], np.dtype[np.float64]],
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return -2 * blocks * np.log1p(np.exp(-r)) - r**2 / (4 * SIGMA**2)

    r = np.linspace(-5, 60, 2_000_001)
    within = r[height(r) >= height(r).max() - t_quantile(0.975, blocks - 1) ** 2 / 2]
    assert ratings.method is Method.PROFILE
    assert ratings.entrants[1].low == pytest.approx(within[0] * ELO_PER_UNIT, abs=0.1)
    assert ratings.entrants[1].high == pytest.approx(within[-1] * ELO_PER_UNIT, abs=0.1)
    assert ratings.entrants[1].elo == pytest.approx(r[height(r).argmax()] * ELO_PER_UNIT, abs=0.1)


def test_games_that_are_all_there_twice_do_not_narrow_the_profile() -> None:
    once = [block[:1] for block in (duels(6, 0, 4) + [block[::-1] for block in duels(6, 0, 4)])]
    low, high = rate(once, 2).entrants[1][1:]
    for echo in (2, 3):
        bounds = rate([block * echo for block in once], 2).entrants[1][1:]
        assert bounds == pytest.approx((low, high), abs=0.05 * (high - low))


def test_many_blocks_with_hardly_a_loss_are_not_left_to_the_resamples() -> None:
    assert rate(duels(200, 0, 2), 2, resamples=200).method is Method.PROFILE
    assert rate(duels(180, 0, 22), 2, resamples=200).method is Method.BOOTSTRAP
    assert rate(duels(200, 0, 0), 2, resamples=200).method is Method.PROFILE


def test_one_block_says_next_to_nothing() -> None:
    ratings = rate(duels(1, 0, 0), 2)
    assert ratings.entrants[1].low < -400
    assert ratings.entrants[1].high > 1000


def test_a_chance_of_superiority_is_the_share_of_resamples() -> None:
    # 60 of 100 even blocks: the normal approximation gives Phi(0.1 / sqrt(0.24 / 100)) = Phi(2.04) = 0.979
    ratings = rate(duels(60, 0, 40), 2, resamples=2000)
    assert ratings.superiority[1][0] == pytest.approx(0.979, abs=0.012)
    assert ratings.superiority[0][1] == pytest.approx(1 - ratings.superiority[1][0])
    assert ratings.superiority[0][0] == 0.5


def test_with_few_blocks_superiority_is_of_the_signed_root_of_the_deviance() -> None:
    # 3 blocks of 2 wins: deviance 2 * 6 * ln 2 = 8.318, less the prior; Phi(2.884) = 0.9980
    assert rate(duels(3, 0, 0), 2).superiority[1][0] == pytest.approx(0.998, abs=0.001)
    assert rate(duels(3, 0, 3), 2).superiority[1][0] == pytest.approx(0.5)


# -------------------------------------------------- what games cannot tell


def test_bots_that_never_met_are_warned_of() -> None:
    blocks = [mirrored(0, 1, 1, 0), mirrored(0, 1, 0, 1), mirrored(2, 3, 1, 0), mirrored(2, 3, 0, 1)] * 20
    ratings = rate(blocks, 4)
    assert ratings.comparisons.components == ((0, 1), (2, 3))
    (line,) = ratings.warnings("ABCD")
    assert line.startswith("(A, B) and (C, D) never met")
    assert ratings.entrants[2].low < -500


def test_a_bot_that_never_lost_and_one_that_never_won_are_warned_of() -> None:
    blocks = [mirrored(0, 1, 1, 0), mirrored(0, 1, 0, 1), mirrored(2, 0, 1, 0), mirrored(3, 1, 0, 1)] * 5
    ratings = rate(blocks, 4)
    assert ratings.comparisons.components == ((0, 1), (2,), (3,))
    won, lost = ratings.warnings("ABCD")
    assert won.startswith("C never lost")
    assert lost.startswith("D never won")


def test_a_tie_compares_two_bots_and_bots_that_all_compare_need_no_warning() -> None:
    assert rate(duels(5, 1, 0), 2).warnings() == ()
    assert rate(SAMPLE, 4, resamples=10).warnings() == ()


def test_a_game_of_ties_only_is_rated() -> None:
    ratings = rate(duels(0, 30, 0), 2)
    assert ratings.entrants[1].elo == pytest.approx(0, abs=1e-6)
    assert ratings.ties[0] > 10


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([], "need blocks"),
        ([[]], "need games"),
        ([[Game((0, 2), (1, 0))]], "one of the 2 entrants"),
        ([[Game((0, -1), (1, 0))]], "one of the 2 entrants"),
        ([[Game((0,), (1,))]], "at least 2"),
        ([[Game((0, 1), (1,))]], "a rank for each"),
        ([[Game((0, 1), (1, 0)), Game((0, 1, 1), (2, 1, 0))]], "same number of seats"),
    ],
)
def test_games_that_cannot_be_rated_are_refused(blocks: Blocks, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate(blocks, 2)


@pytest.mark.parametrize(("anchor", "resamples"), [(2, 10), (-1, 10), (0, 0)])
def test_an_anchor_from_outside_and_no_resample_are_refused(anchor: int, resamples: int) -> None:
    with pytest.raises(ValueError, match="no ratings of 2 entrants"):
        rate(duels(1, 1, 1), 2, anchor=anchor, resamples=resamples)


# -------------------------------------------------- what is made of it


def test_expected_shares_follow_from_ratings_seats_and_ties() -> None:
    shares = rate(duels(4000, 1000, 1000), 2, resamples=1).expected_shares((0, 1))
    # win 400, tie 100, loss 100 of 600: 450 / 600
    assert shares == pytest.approx((0.25, 0.75), abs=1e-3)
    with pytest.raises(ValueError, match="2 seats, not 3"):
        rate(duels(1, 1, 1), 2).expected_shares((0, 1, 1))


def test_ratings_are_told_as_json() -> None:
    ratings = rate(duels(3, 0, 0), 2)
    told = json.loads(json.dumps(ratings.to_json()))
    assert told["entrants"][1] == ratings.entrants[1]._asdict()
    assert told["method"] == "profile likelihood"
    assert (told["blocks"], told["games"], told["anchor"]) == (3, 6, 0)
    assert told["comparisons"]["components"] == [[0], [1]]
    assert len(told["warnings"]) == 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_strength_is_an_even_share_and_400_points_are_odds_of_ten_to_one(players: int) -> None:
    assert elo_to_share(0, players) == pytest.approx(1 / players)
    assert elo_to_share(400, players) == pytest.approx(10 / (10 + players - 1))
    assert share_to_elo(10 / (9 + players), players) == pytest.approx(400)
    assert elo_to_share(-1e9, players) == 0


@pytest.mark.parametrize(("share", "players"), [(0, 2), (1, 2), (0.5, 1)])
def test_a_share_that_no_lead_gives_is_refused(share: float, players: int) -> None:
    with pytest.raises(ValueError, match="lead"):
        share_to_elo(share, players)
