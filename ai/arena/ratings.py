"""Ratings of bots from the whole rankings of their games, in Elo, with how sure they are.

The model is ``plackett_luce``'s, fitted to all games at once, so the order of play does not matter. A rating
is what a bot brings to a game whatever its seat; what the seat brings is a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from kingsbridge.ai.arena.comparisons import Comparisons, compare
from kingsbridge.ai.arena.crosstable import Floats, RankedGame, tabulate
from kingsbridge.ai.arena.elo import ELO_PER_UNIT
from kingsbridge.ai.arena.plackett_luce import Model, maximise, win_shares
from kingsbridge.ai.arena.uncertainty import Profile, Resamples, resample

FEW_BLOCKS = 50
"""With fewer blocks bounds are of the profile likelihood."""

MANY_BROKEN = 0.01
"""So they are where more than this share of the resamples leaves bots that do not compare."""


class Method(Enum):
    """Where bounds and the chances of superiority are from."""

    BOOTSTRAP = "bootstrap over blocks"
    PROFILE = "profile likelihood"


class Estimate(NamedTuple):
    """A strength in Elo with its 95 % bounds."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """Strengths fitted to games.

    ``entrants``: ratings by entrant; the anchor's is 0, with no bounds of its own, so those of the others are
    of the difference. ``seats``: effects, which sum to 0. ``ties``: delta of ties of 2, 3, .. seats, 0 where
    none was seen. ``superiority[i][j]``: the likelihood that entrant i is stronger than j. Where
    ``comparisons`` are not connected, some differences have a bound that is the prior's.
    """

    entrants: tuple[Estimate, ...]
    seats: tuple[Estimate, ...]
    ties: tuple[float, ...]
    superiority: tuple[tuple[float, ...], ...]
    comparisons: Comparisons
    anchor: int
    blocks: int
    games: int
    method: Method

    def warnings(self, names: Sequence[str] | None = None) -> tuple[str, ...]:
        """What the games cannot tell, a sentence each; none where all is well."""
        return self.comparisons.warnings(names or [f"entrant {bot}" for bot in range(len(self.entrants))])

    def expected_shares(self, seats: Sequence[int]) -> tuple[float, ...]:
        """By seat, the expected share of the win where these entrants, by index, sit there.

        Raises:
            ValueError: it is not one entrant a seat.
        """
        if len(seats) != len(self.seats):
            raise ValueError(f"the games had {len(self.seats)} seats, not {len(seats)}")
        points = [self.entrants[bot].elo + seat.elo for bot, seat in zip(seats, self.seats, strict=True)]
        return win_shares([each / ELO_PER_UNIT for each in points], self.ties)

    def to_json(self) -> dict[str, Any]:
        """All of it as values of JSON."""
        fields = asdict(self) | {"method": self.method.value, "warnings": self.warnings()}
        fields["entrants"] = [each._asdict() for each in self.entrants]
        fields["seats"] = [each._asdict() for each in self.seats]
        return fields


def rate(
    blocks: Iterable[Sequence[RankedGame]],
    entrants: int,
    *,
    anchor: int = 0,
    resamples: int = 1000,
    seed: int = 1,
) -> Ratings:
    """Rates entrants 0 to ``entrants - 1`` by blocks of games that all have the same number of seats.

    Bounds are of ``resamples`` resamples of the blocks, drawn by ``seed``, unless there are fewer than
    ``FEW_BLOCKS``, or bots do not compare, be it in all games or in more than ``MANY_BROKEN`` of the
    resamples; then they are of the profile likelihood, which is wider. ``Ratings.method`` says which.

    Raises:
        ValueError: the anchor is no entrant, there is no resample, or ``tabulate`` refuses the blocks.
    """
    if not 0 <= anchor < entrants or resamples < 1:
        raise ValueError(f"no ratings of {entrants} entrants by entrant {anchor} with {resamples} resamples")
    table = tabulate(blocks, entrants)
    model = Model(table.games, entrants, anchor)
    weights = table.weights(table.times)
    counts = model.counts(weights)
    peak = maximise(model, counts, np.zeros(model.seats.shape[1]))
    sureness: Profile | Resamples = Profile(table, model, counts, peak)
    method = Method.PROFILE
    comparisons = compare(table.games, entrants)
    if comparisons.connected and table.blocks >= FEW_BLOCKS:
        drawn = resample(table, model, peak, resamples, seed)
        if drawn.broken <= MANY_BROKEN:
            sureness, method = drawn, Method.BOOTSTRAP
    return Ratings(
        tuple(_estimate(row, peak.theta, sureness) for row in model.ratings),
        tuple(_estimate(row, peak.theta, sureness) for row in model.seats),
        _deltas(model, peak.theta),
        _superiority(model.ratings, sureness),
        comparisons,
        anchor,
        table.blocks,
        round(weights.sum()),
        method,
    )


def _estimate(direction: Floats, theta: Floats, sureness: Profile | Resamples) -> Estimate:
    if not direction.any():  # the anchor
        return Estimate(0.0, 0.0, 0.0)
    low, high = sureness.bounds(direction)
    return Estimate(
        float(direction @ theta) * ELO_PER_UNIT, float(low) * ELO_PER_UNIT, float(high) * ELO_PER_UNIT
    )


def _superiority(ratings: Floats, sureness: Profile | Resamples) -> tuple[tuple[float, ...], ...]:
    chances = np.full((len(ratings), len(ratings)), 0.5)
    for i, j in zip(*np.triu_indices(len(ratings), 1), strict=True):
        chances[i, j] = sureness.superiority(ratings[i] - ratings[j])
        chances[j, i] = 1 - chances[i, j]
    return tuple(tuple(float(chance) for chance in row) for row in chances)


def _deltas(model: Model, theta: Floats) -> tuple[float, ...]:
    logs = dict(zip(model.tie_sizes, model.ties @ theta, strict=True))
    sizes = range(2, len(model.seats) + 1)
    return tuple(float(np.exp(logs[size])) if size in logs else 0.0 for size in sizes)
