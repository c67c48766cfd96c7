"""The Builders: what an evaluation of a position must agree to, whatever its weights are."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.builders.position import position, seat

POINT = 16
"""Of ``State.outlook()``."""
INN, STABLES, COTTAGE = "B13", "B17", "B09"
CASTLE_AND_MORE = "B33 B32 B31"
"""Seven, six and five points: the game ends with the round."""


def lead(table: State) -> int:
    """How far seat 0 is ahead of seat 1."""
    outlook = table.outlook()
    return outlook[0] - outlook[1]


def gain(more: dict[str, Any], less: dict[str, Any] | None = None, **facts: Any) -> int:
    """What ``more`` before seat 0, instead of ``less``, adds to its lead; both seats have an apprentice."""
    other = seat(idle="W02")
    with_it, without = (
        lead(position(seat(**({"idle": "W01"} | one)), other, **facts)) for one in (more, less or {})
    )
    return with_it - without


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_seats_have_equal_outlooks_before_the_first_acts(players: int) -> None:
    apprentices = ("W01", "W02", "W03", "W04")[:players]
    outlook = position(*(seat(idle=worker) for worker in apprentices)).outlook()
    assert len(set(outlook)) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"coins": 15},
        {"completed": INN},
        {"idle": "W01 W20"},
        {"idle": "W01 M05", "completed": "M05"},
    ],
)
def test_what_is_of_use_raises_the_outlook(more: dict[str, Any]) -> None:
    assert gain(more) > 0


def test_a_point_is_a_point() -> None:
    # The gap of the leader, seat 1, stays as it is.
    ahead = seat(idle="W02", completed="B33")
    made = lead(position(seat(idle="W01", completed=INN), ahead)) - lead(position(seat(idle="W01"), ahead))
    assert made == pytest.approx(3 * POINT, abs=1)


def test_a_site_that_a_worker_can_complete_is_worth_more_than_one_that_none_can() -> None:
    # The bower takes a stone and a tile: W03 makes both, W02 neither.
    able = gain({"idle": "W03", "sites": {"B01": ""}}, {"idle": "W03"})
    unable = lead(position(seat(idle="W02", sites={"B01": ""}), seat(idle="W01"))) - lead(
        position(seat(idle="W02"), seat(idle="W01"))
    )
    assert able > max(unable, 0)


def test_what_is_built_of_a_site_is_worth_something() -> None:
    begun = gain({"sites": {STABLES: "W22"}}, {"sites": {STABLES: ""}})
    assert begun > 0


def test_a_site_that_two_workers_complete_is_worth_more_than_the_same_site_with_a_crew_that_cannot() -> None:
    # The stables take three wood, one knowledge and three tiles.
    crew = {"idle": "W01 W22 W21"}
    assert gain(crew | {"sites": {STABLES: "W34"}}, crew) > gain(
        {"idle": "W01 W35 W38", "sites": {STABLES: "W34"}}, {"idle": "W01 W35 W38"}
    )


def test_the_seat_that_has_still_to_act_is_ahead_of_an_equal_one_that_has_acted() -> None:
    seats = seat(idle="W01"), seat(idle="W02")
    assert lead(position(*seats, mover=1)) < 0
    assert lead(position(*seats, mover=1, start_player=1)) == 0
    assert lead(position(*seats, actions=1)) < 0


@pytest.mark.parametrize("coins", [19, 20])
def test_who_has_no_turn_left_is_worth_his_score(coins: int) -> None:
    done = seat(coins=coins, idle="W03", sites={"B01": ""}, completed=CASTLE_AND_MORE)
    outlook = position(done, seat(idle="W02"), mover=1, final_round=True).outlook()
    assert outlook[0] == (7 + 6 + 5 + coins // 10) * POINT


def test_in_the_last_round_only_what_can_be_completed_counts() -> None:
    end: dict[str, Any] = {"round": 40}
    assert gain({"idle": "W03", "sites": {"B01": ""}}, {"idle": "W03"}, **end) > 0
    assert gain({"sites": {COTTAGE: ""}}, **end) == 0
    assert gain({"idle": "W01 W20"}, **end) == 0


def test_a_lead_is_worth_as_much_at_any_time() -> None:
    rounds = [position(seat(), seat(), round=number) for number in (1, 12)]
    assert [each.outlook_leads() for each in rounds] == [(12 * POINT, 7 * POINT // 2)] * 2
