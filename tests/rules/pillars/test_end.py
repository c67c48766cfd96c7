"""The Pillars of the Earth: six rounds, the winner, and ties."""

import pytest

from kingsbridge.pyengine import TERMINAL, State
from tests.rules.pillars.position import View, go_on, look, phase, play, position, seat


def finished(*seats: View) -> State:
    """The game in which these are the last holdings: all sit at court, nobody can build."""
    courts = {f"court{number + 1}": number for number in range(len(seats))}
    idle = [one | {"craftsmen": []} for one in seats]
    return play(position(*idle, phase="roll", round=6, builders=courts), "roll(face=3)")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_lasts_six_rounds(players: int) -> None:
    table, rounds = State.initial("pillars", players), []
    while not table.is_terminal:
        table = go_on(table, ["split"])
        if not table.is_terminal:
            rounds.append(look(table)["round"])
            table = play(table, f"split(craftsman={rounds[-1]}a, craftsman2={rounds[-1]}c)")
    assert rounds == [1, 2, 3, 4, 5, 6]
    assert table.current_player == TERMINAL


def test_the_game_is_over_after_the_last_building() -> None:
    table = play(position(seat(sand=3), seat(), phase="roll", round=6), "roll(face=3)")
    assert phase(table) == "work"
    over = play(table, "work(craftsman=S1, quantity=1)")
    assert (over.is_terminal, phase(over)) == (True, "over")
    assert over.scores() == (3, 2)


def test_nothing_of_the_last_round_is_left_on_the_table() -> None:
    over = look(finished(seat(), seat()))
    assert (over["event"], over["event_known"], over["die"], over["stock"]) == ("", False, 0, [0, 0, 0])
    assert over["builders"] == over["town"] == over["shiring"] == over["dial"] == []
    assert len(over["unseen_events"]) == 4


def test_after_the_last_round_nobody_becomes_start_player() -> None:
    assert look(finished(seat(), seat()))["start_player"] == 0
    courts = {"court1": 0, "start": 1}
    idle = seat(craftsmen="")
    over = play(position(idle, idle, phase="roll", round=6, builders=courts), "roll(face=3)")
    assert (over.is_terminal, look(over)["start_player"]) == (True, 0)


def test_after_the_end_nobody_moves() -> None:
    over = finished(seat(), seat())
    assert over.current_player == TERMINAL
    assert over.legal_actions() == []
    assert over.chance_outcomes() == []


def test_the_player_with_the_most_points_wins_and_points_are_the_score() -> None:
    over = finished(seat(points=40, gold=30), seat(points=41, gold=0), seat(points=39, gold=30))
    assert over.scores() == (40, 41, 39)
    assert over.win_shares() == (0.0, 1.0, 0.0)
    ranks = over.ranks()
    assert ranks[1] > ranks[0] > ranks[2]


def test_of_equal_points_the_one_with_more_gold_wins() -> None:
    over = finished(seat(points=40, gold=7), seat(points=40, gold=8))
    assert over.ranks()[1] > over.ranks()[0]
    assert over.win_shares() == (0.0, 1.0)


def test_cubes_left_over_do_not_count() -> None:
    over = finished(seat(points=40, gold=7, metal=5, stone=5), seat(points=40, gold=8))
    assert over.scores() == (40, 40)
    assert over.win_shares() == (0.0, 1.0)


def test_if_gold_is_equal_too_the_win_is_shared() -> None:
    # The first space at court brings a metal, which counts for nothing.
    over = finished(seat(points=40, gold=8), seat(points=12, gold=8), seat(points=40, gold=8))
    ranks = over.ranks()
    assert ranks[0] == ranks[2] > ranks[1]
    assert over.win_shares() == (0.5, 0.0, 0.5)


def test_gold_also_orders_the_lower_places() -> None:
    over = finished(
        seat(points=30, gold=2), seat(points=50, gold=0), seat(points=30, gold=4), seat(points=31, gold=0)
    )
    ranks = over.ranks()
    assert ranks[1] > ranks[3] > ranks[2] > ranks[0]
