"""How likely the rankings of games are, given the strengths of bots and seats: Plackett-Luce with ties.

The whole ranking counts, not only who won: a game is a row of choices, first of those placed first among all
seats, then of the next among those left, until one or none is left. By the model of Davidson and Luce (Firth,
Kosmidis, Turner 2019, arXiv:1909.07123) the set S of size t is chosen with a chance proportional to

    delta_t * product over i in S of alpha_i ** (1 / t),   delta_1 = 1

among all subsets of the seats left, where log alpha_i is the rating of the bot in seat i plus the effect of
that seat. A bot in several seats of a game has one rating there. The likelihood is that of an exponential
family, so its logarithm is concave and Newton's method finds the one maximum, with exact derivatives.

Conventions: the anchor's rating is 0, seat effects sum to 0, and a tie size that no game shows has delta 0,
which is where its likelihood is greatest. A Gaussian prior keeps all else finite: ratings about their mean
(so that the choice of the anchor changes nothing), seat effects and log delta about 0, with a standard
deviation of ``PRIOR_ELO`` points. It weighs as much as an eighth of one even game between two bots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kingsbridge.ai.arena.crosstable import Floats, Integers, Placing
from kingsbridge.ai.arena.elo import ELO_PER_UNIT

PRIOR_ELO = 1000.0
"""Standard deviation of the prior, in Elo."""

_ENOUGH = 1e-8
"""Newton's method ends when a step promises less than this in log likelihood; that step is still taken."""
_STEPS = 200
_GONE = -1


class Stage(NamedTuple):
    """One choice of a game: by seat, the bot that is left there or ``_GONE``; and the seats chosen."""

    left: tuple[int, ...]
    chosen: tuple[int, ...]


class Counts(NamedTuple):
    """All that the likelihood asks of games (its sufficient statistics).

    ``events``: sum of the features of what was chosen. ``stages``: how often each choice was open.
    """

    events: Floats
    stages: Floats


class Peak(NamedTuple):
    """A maximum: where it is, its height, and there the slope and the negated second derivatives."""

    theta: Floats
    height: float
    slope: Floats
    curvature: Floats


def stages(game: Placing) -> Iterator[Stage]:
    """The choices of a game, in order."""
    seats = range(len(game.places))
    for place in range(max(game.places) + 1):
        left = [seat for seat in seats if game.places[seat] >= place]
        if len(left) > 1:
            entrants = tuple(game.entrants[seat] if seat in left else _GONE for seat in seats)
            yield Stage(entrants, tuple(seat for seat in left if game.places[seat] == place))


def win_shares(strengths: Sequence[float], ties: Sequence[float] = ()) -> tuple[float, ...]:
    """By seat, the expected share of the first place; who ties for it shares evenly.

    ``strengths``: log alpha by seat. ``ties``: delta of ties of 2, 3, .. seats.
    """
    shares = np.zeros(len(strengths))
    values = np.asarray(strengths) - max(strengths)
    for size, delta in enumerate((1.0, *ties), 1):
        for chosen in combinations(range(len(strengths)), size):
            shares[list(chosen)] += delta * np.exp(values[list(chosen)].mean()) / size
    return tuple(float(share) for share in shares / shares.sum())


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which column belongs to which game, and how much of it."""

    game: Integers
    column: Integers
    amount: Floats

    def sums(self, weights: Floats, columns: int) -> Floats:
        sums = np.bincount(self.column, weights[self.game] * self.amount, minlength=columns)
        return sums.astype(np.float64)


class Model:
    """The likelihood of some games as a function of ``theta``, all that is free in it, in units of strength.

    Theta holds ratings but the anchor's, seat effects but the last, and log deltas. ``ratings``, ``seats``
    and ``ties`` are matrices that make all ratings, seat effects and log deltas of theta; ``tie_sizes`` are
    the sizes of the latter. Within, a *feature* is a pair of bot and seat, or a tie size.
    """

    def __init__(self, games: Sequence[Placing], entrants: int, anchor: int) -> None:
        met = [[*stages(game)] for game in games]
        places = len(games[0].places)
        self.tie_sizes = tuple(sorted({len(chosen) for game in met for _, chosen in game} - {1}))
        self._games = len(games)
        self._features = entrants * places + len(self.tie_sizes)
        self._make_basis(entrants, places, anchor)
        self._make_options(places)
        self._make_choices(sorted({left for game in met for left, _ in game}), places)
        self._count(met)

    def counts(self, weights: Floats) -> Counts:
        """Those of games that were played as often as ``weights`` says of each."""
        return Counts(
            self._events.sums(weights, self._features), self._stages.sums(weights, len(self._columns))
        )

    def at(self, theta: Floats, counts: Counts) -> Peak:
        """Height of the log likelihood and prior at ``theta``, with derivatives."""
        logs, chances = self._chances(theta)
        pull = self._prior @ theta
        height = counts.events @ (self._basis @ theta) - counts.stages @ logs - theta @ pull / 2
        means = chances @ self._options
        expected = np.bincount(
            self._columns.ravel(), (counts.stages[:, None] * means).ravel(), self._features
        )
        spread = chances @ self._products - (means[:, :, None] * means[:, None, :]).reshape(len(means), -1)
        second = np.bincount(
            self._crossed, (counts.stages[:, None] * spread).ravel(), self._features**2
        ).reshape(self._features, -1)
        slope = self._basis.T @ (counts.events - expected) - pull
        return Peak(theta, float(height), slope, self._basis.T @ second @ self._basis + self._prior)

    def game_slopes(self, theta: Floats) -> Floats:
        """What one of each game adds to the slope, a row each; the prior adds nothing here."""
        slopes = np.zeros((self._games, self._features))
        np.add.at(slopes, (self._events.game, self._events.column), self._events.amount)
        means = self._chances(theta)[1] @ self._options
        stage = self._stages.column
        np.subtract.at(slopes, (self._stages.game[:, None], self._columns[stage]), means[stage])
        return np.asarray(slopes @ self._basis)

    def _chances(self, theta: Floats) -> tuple[Floats, Floats]:
        """By choice: logarithm of the sum over its options, and the chance of each option."""
        values = (self._basis @ theta)[self._columns] @ self._options.T
        values[self._closed] = -np.inf
        top = values.max(axis=1)
        odds = np.exp(values - top[:, None])
        total = odds.sum(axis=1)
        return top + np.log(total), odds / total[:, None]

    def _make_basis(self, entrants: int, places: int, anchor: int) -> None:
        ties = len(self.tie_sizes)
        bots = entrants - 1
        size = bots + places - 1 + ties
        self.ratings = np.zeros((entrants, size))
        self.ratings[np.arange(entrants) != anchor, :bots] = np.eye(bots)
        self.seats = np.zeros((places, size))
        self.seats[:-1, bots : bots + places - 1] = np.eye(places - 1)
        self.seats[-1, bots : bots + places - 1] = -1
        self.ties = np.eye(size)[size - ties :]
        pairs = (self.ratings[:, None, :] + self.seats[None, :, :]).reshape(-1, size)
        self._basis = np.concatenate([pairs, self.ties])
        centred = self.ratings - self.ratings.mean(axis=0)
        held = np.concatenate([centred, self.seats, self.ties]) * (ELO_PER_UNIT / PRIOR_ELO)
        self._prior = held.T @ held

    def _make_options(self, places: int) -> None:
        """All sets of seats that may be chosen, as rows of what each feature adds to the logarithm."""
        sizes = (1, *self.tie_sizes)
        self._sets = [chosen for size in sizes for chosen in combinations(range(places), size)]
        self._options = np.zeros((len(self._sets), places + len(self.tie_sizes)))
        for row, chosen in zip(self._options, self._sets, strict=True):
            row[list(chosen)] = 1 / len(chosen)
            if len(chosen) > 1:
                row[places + self.tie_sizes.index(len(chosen))] = 1
        self._products = (self._options[:, :, None] * self._options[:, None, :]).reshape(len(self._sets), -1)

    def _make_choices(self, lefts: Sequence[tuple[int, ...]], places: int) -> None:
        """By choice: the features of its seats and of ties, and which options it has not."""
        self._number = {left: index for index, left in enumerate(lefts)}
        bots = np.array(lefts, dtype=np.intp)
        pairs = np.maximum(bots, 0) * places + np.arange(places)
        ties = np.arange(self._features - len(self.tie_sizes), self._features)
        self._columns = np.hstack([pairs, np.broadcast_to(ties, (len(pairs), len(ties)))])
        self._crossed = (self._columns[:, :, None] * self._features + self._columns[:, None, :]).ravel()
        self._closed = (bots == _GONE).astype(np.intp) @ (self._options[:, :places] > 0).T > 0

    def _count(self, met: Sequence[Sequence[Stage]]) -> None:
        """By game: its choices, and the features of what was chosen."""
        rows = {chosen: self._options[index] for index, chosen in enumerate(self._sets)}
        events: list[tuple[int, int, float]] = []
        choices: list[tuple[int, int, float]] = []
        for game, choice in ((game, choice) for game, row in enumerate(met) for choice in row):
            index = self._number[choice.left]
            choices.append((game, index, 1.0))
            amounts = rows[choice.chosen]
            used = np.flatnonzero(amounts)
            events += [(game, int(self._columns[index, each]), float(amounts[each])) for each in used]
        self._events = _pairs(events)
        self._stages = _pairs(choices)


def maximise(model: Model, counts: Counts, start: Floats, fixed: Floats | None = None) -> Peak:
    """The maximum of likelihood and prior: over all theta, or where ``fixed @ theta`` is as at the start.

    Raises:
        ArithmeticError: the maximum was not found, which no input is known to cause.
    """
    here = model.at(start, counts)
    for _ in range(_STEPS):
        step = _newton_step(here, fixed)
        promise = float(here.slope @ step)
        if promise < _ENOUGH:
            return model.at(here.theta + step, counts)
        here = _climb(model, counts, here, step)
    raise ArithmeticError("the most likely ratings were not found")


def _climb(model: Model, counts: Counts, here: Peak, step: Floats) -> Peak:
    """Where the step leads, or the largest half, quarter .. of it that leads up."""
    for halvings in range(60):
        there = model.at(here.theta + step / 2**halvings, counts)
        if there.height > here.height:
            return there
    raise ArithmeticError("no step leads up, though the slope says so")


def _newton_step(here: Peak, fixed: Floats | None) -> Floats:
    if fixed is None:
        return np.asarray(np.linalg.solve(here.curvature, here.slope), dtype=np.float64)
    free, along = np.linalg.solve(here.curvature, np.stack([here.slope, fixed], axis=1)).T
    return np.asarray(free - along * (fixed @ free) / (fixed @ along))


def _pairs(entries: Sequence[tuple[int, int, float]]) -> _Pairs:
    game, column, amount = zip(*entries, strict=True)
    return _Pairs(np.array(game, dtype=np.intp), np.array(column, dtype=np.intp), np.array(amount))
