"""Engine and oracle play the same games and must agree at every step.

``KINGSBRIDGE_GAMES`` sets the number of games for each variant (15 unless given), ``KINGSBRIDGE_SEED`` the
first of their seeds.
"""

import os
from collections import Counter
from random import Random

import pytest

from kingsbridge.pyengine import describe
from tests.oracle.lockstep import Twins, play
from tests.oracle.subjects import SUBJECTS

GAMES = int(os.environ.get("KINGSBRIDGE_GAMES", "15"))
FIRST_SEED = int(os.environ.get("KINGSBRIDGE_SEED", "0"))

CASES = [
    pytest.param(game, players, variant, id=f"{game}, {players} seats, {variant}")
    for game, subject in SUBJECTS.items()
    for players in range(describe(game).min_players, describe(game).max_players + 1)
    for variant in subject.variants
]


@pytest.mark.parametrize(("game", "players", "variant"), CASES)
def test_engine_and_oracle_agree_at_every_step(game: str, players: int, variant: str) -> None:
    subject, twins = SUBJECTS[game], Twins()
    for seed in range(FIRST_SEED, FIRST_SEED + GAMES):
        if seed % 50 == 0:
            twins = Twins()
        play(subject, seed, players, subject.variants[variant](Random(seed)), twins)


@pytest.mark.parametrize("game", SUBJECTS)
def test_random_games_reach_all_corners(game: str) -> None:
    """What lockstep never meets, it does not check: a fixed set of games must meet all of this."""
    subject, seen = SUBJECTS[game], Counter[str]()
    for seed in range(subject.corner_seeds):
        for players, choose in subject.corner_games:
            seen += play(subject, seed, players, choose(Random(seed)), Twins()).seen
    assert not subject.corners - set(seen)
