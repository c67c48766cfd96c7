"""The Builders: the end of the game, scores and ties."""

from kingsbridge.pyengine import TERMINAL, State
from tests.rules.builders.position import look, pass_turn, play, position, seat

SEVENTEEN = "B34 B27 B21"  # Cathedral 8, Church 5, Covered Market 4
SIXTEEN = "B34 B27 B12"  # Cathedral 8, Church 5, Cowshed 3


def end(before: State) -> State:
    return play(before, "end()")


# The trigger


def test_seventeen_points_at_the_end_of_a_turn_bring_the_last_turns() -> None:
    after = end(position(seat(completed=SEVENTEEN), seat(), actions=0))
    assert look(after)["final_round"]
    assert after.current_player == 1
    assert pass_turn(after).current_player == TERMINAL


def test_sixteen_points_do_not_end_the_game() -> None:
    after = end(position(seat(completed=SIXTEEN), seat(), actions=0))
    assert not look(after)["final_round"]
    assert pass_turn(after).current_player == 0


def test_coins_do_not_count_towards_seventeen_points() -> None:
    rich = position(seat(coins=100, completed=SIXTEEN), seat(), actions=0)
    assert rich.scores()[0] == 26
    assert not look(end(rich))["final_round"]


def test_machines_count_towards_seventeen_points() -> None:
    mine = seat(idle="W01 M01", completed=f"{SIXTEEN} M01")
    assert look(end(position(mine, seat(), actions=0)))["final_round"]


def test_seventeen_points_reached_in_a_turn_do_not_end_that_turn() -> None:
    # The Chapel brings the score from 16 to 21.
    before = position(seat(coins=4, idle="W21", sites={"B31": "W05 W38"}, completed=SIXTEEN), seat())
    reached = play(before, "send(worker=W21, site=B31)")
    assert look(reached)["seats"][0]["points"] == 21
    assert not look(reached)["final_round"]
    assert reached.current_player == 0
    assert look(end(play(reached, "coins(actions=2)")))["final_round"]


def test_if_the_start_player_triggers_all_others_have_a_last_turn() -> None:
    after = end(position(seat(completed=SEVENTEEN), seat(), seat(), seat(), actions=0))
    for last in (1, 2, 3):
        assert after.current_player == last
        after = pass_turn(after)
    assert after.is_terminal


def test_if_the_player_before_the_start_player_triggers_the_game_ends_at_once() -> None:
    assert end(position(seat(), seat(completed=SEVENTEEN), mover=1, actions=0)).is_terminal
    middle = position(seat(), seat(completed=SEVENTEEN), seat(), mover=1, start_player=2, actions=0)
    assert end(middle).is_terminal


def test_the_last_turns_go_on_past_seat_0_up_to_the_player_before_the_start_player() -> None:
    after = end(position(seat(), seat(), seat(completed=SEVENTEEN), mover=2, start_player=1, actions=0))
    assert after.current_player == 0
    assert pass_turn(after).is_terminal


def test_a_later_trigger_in_the_same_round_changes_nothing() -> None:
    second = seat(coins=4, idle="W21", sites={"B31": "W05 W38"}, completed="B33 B28")
    before = position(seat(completed=SEVENTEEN), second, seat(), mover=1, final_round=1)
    reached = play(before, "send(worker=W21, site=B31)")
    assert look(reached)["seats"][1]["points"] == 17
    third = pass_turn(reached)
    assert third.current_player == 2
    assert pass_turn(third).is_terminal


def test_every_player_has_had_the_same_number_of_turns() -> None:
    after = position(seat(), seat(), seat(completed=SIXTEEN), mover=1, start_player=1, round=2, max_rounds=4)
    turns = [0, 0, 0]
    while not after.is_terminal:
        turns[after.current_player] += 1
        after = pass_turn(after)
    assert turns == [3, 3, 3]


def test_after_the_end_nobody_moves() -> None:
    over = end(position(seat(), seat(completed=SEVENTEEN), mover=1, actions=0))
    assert over.current_player == TERMINAL
    assert over.legal_actions() == []
    assert over.chance_outcomes() == []
    assert look(over)["phase"] == "over"


# The cap on rounds


def test_the_game_ends_after_the_last_round_allowed() -> None:
    last = position(seat(), seat(), round=7, max_rounds=7)
    assert pass_turn(last).current_player == 1
    assert pass_turn(pass_turn(last)).is_terminal
    assert not pass_turn(pass_turn(position(seat(), seat(), round=6, max_rounds=7))).is_terminal


def test_a_game_of_one_round_gives_each_player_one_turn() -> None:
    first = position(seat(), seat(), seat(), round=1, max_rounds=1, start_player=2, mover=2)
    after = first
    for mover in (2, 0, 1):
        assert after.current_player == mover
        after = pass_turn(after)
    assert after.is_terminal


def test_a_game_cut_short_is_scored_as_usual() -> None:
    last = position(
        seat(coins=29, completed="B31"),
        seat(coins=40, completed="B01"),
        mover=1,
        round=5,
        max_rounds=5,
        actions=0,
    )
    over = end(last)
    assert over.scores() == (5 + 2, 0 + 4)
    assert over.win_shares() == (1.0, 0.0)


# Scores


def final(*seats: dict[str, object]) -> State:
    """The finished game in which these are the last holdings."""
    last = len(seats) - 1
    return end(position(*seats, mover=last, actions=0, round=40))


def test_ten_coins_are_worth_a_point_and_the_rest_nothing() -> None:
    assert final(seat(coins=29, completed="B31"), seat(coins=9)).scores() == (7, 0)
    assert final(seat(coins=30, completed="B31"), seat(coins=10)).scores() == (8, 1)


def test_the_points_of_buildings_and_machines_are_added() -> None:
    mine = seat(coins=0, idle="W01 M05 M01", completed="B34 B33 M05 M01")
    assert final(mine, seat(coins=0)).scores() == (8 + 7 + 2 + 1, 0)


def test_unfinished_sites_neither_give_nor_cost_points() -> None:
    assert final(seat(coins=0, sites={"B34": "W21 W22", "B33": ""}), seat(coins=0)).scores() == (0, 0)


def test_a_completed_machine_on_an_unfinished_site_counts() -> None:
    assert final(seat(coins=0, sites={"B34": "M05"}, completed="M05"), seat(coins=0)).scores() == (2, 0)


def test_the_highest_score_wins() -> None:
    over = final(seat(coins=0, completed="B31"), seat(coins=0, completed="B34"), seat(coins=60))
    assert over.scores() == (5, 8, 6)
    ranks = over.ranks()
    assert ranks[1] > ranks[2] > ranks[0]
    assert over.win_shares() == (0.0, 1.0, 0.0)


def test_of_equal_scores_the_one_with_more_points_from_buildings_wins() -> None:
    # 8 points each: 5 and 30 coins against 6 and 25 coins.
    over = final(seat(coins=30, completed="B31"), seat(coins=25, completed="B32"))
    assert over.scores() == (8, 8)
    assert over.ranks()[1] > over.ranks()[0]
    assert over.win_shares() == (0.0, 1.0)


def test_machines_count_among_the_buildings_when_scores_are_equal() -> None:
    # 5 points each: a building of 4 and 10 coins against a building of 3, a machine of 2 and no coins.
    over = final(seat(coins=10, completed="B21"), seat(coins=0, idle="W02 M05", completed="B12 M05"))
    assert over.scores() == (5, 5)
    assert over.ranks()[1] > over.ranks()[0]


def test_of_equal_scores_and_equal_building_points_the_one_with_more_coins_wins() -> None:
    over = final(seat(coins=24, completed="B31"), seat(coins=25, completed="B27"))
    assert over.scores() == (7, 7)
    assert over.ranks()[1] > over.ranks()[0]
    assert over.win_shares() == (0.0, 1.0)


def test_if_coins_are_equal_too_the_win_is_shared() -> None:
    over = final(seat(coins=25, completed="B31"), seat(coins=25, completed="B27"), seat(coins=0))
    ranks = over.ranks()
    assert ranks[0] == ranks[1] > ranks[2]
    assert over.win_shares() == (0.5, 0.5, 0.0)


def test_the_tie_breaks_also_order_the_lower_places() -> None:
    over = final(
        seat(coins=24, completed="B31"),
        seat(coins=0, completed="B34 B33"),
        seat(coins=29, completed="B27"),
        seat(coins=30, completed="B21"),
    )
    assert over.scores() == (7, 15, 7, 7)
    ranks = over.ranks()
    assert ranks[1] > ranks[2] > ranks[0] > ranks[3]
