"""Seats and streams of a match."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from kingsbridge.ai.arena.schedule import block_seed, bot_seed, deal_seed, derive_seed, line_up


def test_the_line_up_repeats_over_the_seats_and_moves_on_by_a_seat_each_rotation() -> None:
    assert [line_up(2, 2, rotation) for rotation in range(2)] == [(0, 1), (1, 0)]
    assert [line_up(3, 3, rotation) for rotation in range(3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert [line_up(2, 3, rotation) for rotation in range(3)] == [(0, 1, 0), (1, 0, 0), (0, 0, 1)]
    assert line_up(2, 4, 0) == (0, 1, 0, 1)
    assert line_up(1, 3, 2) == (0, 0, 0)


@pytest.mark.parametrize(("bots", "seats"), [(b, s) for s in (2, 3, 4) for b in range(1, s + 1)])
def test_over_all_rotations_each_bot_sits_equally_often_in_every_seat(bots: int, seats: int) -> None:
    held = Counter(
        (holder, seat)
        for rotation in range(seats)
        for seat, holder in enumerate(line_up(bots, seats, rotation))
    )
    per_bot = Counter(line_up(bots, seats, 0))
    assert all(held[bot, seat] == per_bot[bot] for bot, seat in product(range(bots), range(seats)))


@pytest.mark.parametrize("bots", [0, 3])
def test_a_line_up_that_does_not_fit_the_seats_is_refused(bots: int) -> None:
    with pytest.raises(ValueError, match=f"{bots} bots for 2 seats"):
        line_up(bots, 2, 0)


def test_every_stream_of_a_match_has_a_seed_of_its_own() -> None:
    seeds = set()
    for match, block in product(range(3), range(50)):
        seed = block_seed(match, block)
        seeds.add(deal_seed(seed))
        seeds.update(bot_seed(seed, rotation, seat) for rotation, seat in product(range(4), range(4)))
    assert len(seeds) == 3 * 50 * 17


def test_seeds_are_the_same_everywhere_and_as_wide_as_asked() -> None:
    assert derive_seed(1, "deal") == derive_seed(1, "deal") != derive_seed(2, "deal")
    assert derive_seed(2**127, "deal").bit_length() > 100
    assert all(derive_seed(seed, "x", 64) < 2**64 for seed in range(50))


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="128 bits"):
        derive_seed(seed, "deal")
