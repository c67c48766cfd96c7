"""What this version says of how it plays is so."""

from __future__ import annotations

import pytest

from kingsbridge.ai.bench import run_bench
from kingsbridge.ai.signatures import signatures
from kingsbridge.pyengine import game_names


@pytest.mark.parametrize("game", game_names())
def test_a_game_is_played_as_this_version_says(game: str) -> None:
    """If that is meant to change: ``make signatures``. (Another C library may round another way.)"""
    assert run_bench([game]).signature == signatures()[game]


def test_no_other_game_has_a_signature() -> None:
    assert set(signatures()) == set(game_names())
