"""Arguments: several values after one option, options of games, seeds."""

from __future__ import annotations

import pytest

from kingsbridge.server.cli.arguments import (
    checked_game,
    checked_language,
    checked_seed,
    game_options,
    spread,
)
from kingsbridge.server.cli.errors import WrongUsageError


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("match g --bots A B C", "match g --bots A --bots B --bots C"),
        ("match g --bots A --bots B", "match g --bots A --bots B"),
        ("match g --bots A B --blocks 3", "match g --bots A --bots B --blocks 3"),
        ("--bots A B --players 2 g", "--bots A --bots B --players 2 g"),
        ("g --bots=A B", "g --bots=A --bots B"),
        ("g --bots --blocks 3", "g --bots --blocks 3"),
        ("g --bots", "g --bots"),
        ("g --bots A -h B", "g --bots A -h B"),
        ("g --blocks 3 7", "g --blocks 3 7"),
        ("", ""),
    ],
)
def test_values_after_one_option_are_spread_over_several(given: str, meant: str) -> None:
    assert list(spread(given.split(), "--bots")) == meant.split()


def test_options_of_a_game_are_names_with_whole_numbers() -> None:
    assert game_options(["a=1", " b = -2 "]) == {"a": 1, "b": -2}
    assert game_options([]) == {}


@pytest.mark.parametrize("pairs", [["a"], ["a=b"], ["=1"], ["a=1", "a=2"], ["a=1.5"], ["a="]])
def test_other_options_are_refused(pairs: list[str]) -> None:
    with pytest.raises(WrongUsageError, match="--option"):
        game_options(pairs)


def test_seeds_have_128_bits() -> None:
    assert checked_seed(0) == 0
    assert checked_seed(2**128 - 1) == 2**128 - 1
    for seed in (-1, 2**128):
        with pytest.raises(WrongUsageError, match="--seed"):
            checked_seed(seed)


def test_unknown_games_and_languages_are_refused_with_what_there_is() -> None:
    with pytest.raises(WrongUsageError, match="chess"):
        checked_game("chess")
    with pytest.raises(WrongUsageError, match="en, fr, ja, de"):
        checked_language("xx")
