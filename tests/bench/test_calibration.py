"""Slopes and classes of made-up games, worked by hand, and one small real game of each kind."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from kingsbridge.pyengine import game_names
from tests.bench.calibration import Moment, Plan, Played, by_class, by_round, play, played, show, slope

FIRST, SECOND = (1.0, 0.0), (0.0, 1.0)


def game(told: float, won: tuple[float, float], round_: int = 1) -> Played:
    """One decision of the first seat, which is told a share."""
    moment = Moment(round_, 0, (told, 1 - told))
    return Played([moment], [moment], won)


@pytest.mark.parametrize(
    ("told", "won", "of", "power"),
    [
        (3 / 4, 3, 4, 1),  # right
        (3 / 5, 9, 13, 2),  # odds of 3 to 2, and 9 to 4 came
        (4 / 5, 2, 3, 1 / 2),  # odds of 4 to 1, and 2 to 1 came
        (1 / 4, 1, 28, 3),  # odds of 1 to 3, and 1 to 27 came
    ],
)
def test_the_slope_is_the_power_that_makes_the_odds_those_that_came(
    told: float, won: int, of: int, power: float
) -> None:
    results = [FIRST if number < won else SECOND for number in range(of)]
    found = slope([[(told, 1 - told)]] * of, results)
    assert found.value == pytest.approx(power, abs=1e-4)
    assert found.low < power < found.high


def test_a_tie_is_half_a_win_and_a_game_without_positions_does_not_count() -> None:
    told = [[(0.8, 0.2)], [(0.8, 0.2)], [(0.8, 0.2)], []]
    won = [FIRST, FIRST, (0.5, 0.5), SECOND]
    assert slope(told, won).value == pytest.approx(1.160964, abs=1e-4)  # 5 to 1: log 5 / log 4
    with pytest.raises(ValueError, match="two games"):
        slope(told[2:], won[2:])


def test_three_seats_share_one_win() -> None:
    told = [[(4 / 7, 2 / 7, 1 / 7)]] * 7
    won = [(1.0, 0.0, 0.0)] * 4 + [(0.0, 1.0, 0.0)] * 2 + [(0.0, 0.0, 1.0)]
    assert slope(told, won).value == pytest.approx(1.0, abs=1e-4)


def test_a_share_of_nothing_is_not_beyond_surprise() -> None:
    assert slope([[(1.0, 0.0)]] * 3, [FIRST, FIRST, SECOND]).value == pytest.approx(0.1003, abs=1e-3)


def test_classes_hold_what_the_seat_to_move_was_told() -> None:
    games = [game(0.3, FIRST), game(0.35, SECOND), game(1.0, FIRST)]
    games[0].told.append(Moment(1, 1, (0.64, 0.36)))  # the other seat, which lost
    found = list(by_class(games))
    assert [(low, high, count) for low, high, count, _, _ in found] == [(0.25, 0.4, 2), (0.9, 1.0, 1)]
    assert [told for _, _, _, told, _ in found] == pytest.approx([(0.33 + 0.35) / 2, 1.0])
    assert [won.mean for _, _, _, _, won in found] == pytest.approx([0.25, 1.0])


def test_rounds_are_shown_that_most_games_came_to() -> None:
    games = [game(0.6, FIRST, 1), game(0.6, FIRST, 2), game(0.6, SECOND, 2)]
    found = [(name, count) for name, count, _ in by_round(games, lambda each: each.told)]
    assert found == [("all", 3), ("2", 2)]


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_told_from_its_beginning_to_its_end(name: str) -> None:
    plan = Plan(name, 2, 5, 1)
    games = played(plan, 2, 2)
    assert games == [play(plan, 0), play(plan, 1)]
    for each in games:
        assert sum(each.win_shares) == 1
        rounds = [moment.round for moment in each.expected]
        assert rounds == sorted(set(rounds))
        assert {moment.round for moment in each.told} <= set(rounds)
        for moment in (*each.told, *each.expected):
            assert sum(moment.shares) == pytest.approx(1, abs=1e-3)
    out = StringIO()
    show(plan, games, Console(width=110, file=out))
    assert f"{name}, 2 players, 2 games" in out.getvalue()
