"""What a seat may spend: budgets from banks, worked out by hand."""

from __future__ import annotations

import pytest

from kingsbridge.ai import Budget, Decision, StopReason
from kingsbridge.ai.arena import TimeControl
from kingsbridge.ai.arena.purse import GAME_PARTS, Purse
from tests.ai.toys import FakeClock


class Spending:
    """Spends so much of its clock at each decision, and keeps the budgets it was given."""

    def __init__(self, control: TimeControl, wall: FakeClock | None = None) -> None:
        self.clock = FakeClock()
        self.purse = Purse(control, self.clock, wall or FakeClock())
        self.budgets: list[Budget] = []

    def __call__(self, seconds: float, *, begins_turn: bool = False) -> str:
        """Returns why it was late."""

        def think(budget: Budget) -> Decision:
            self.budgets.append(budget)
            self.clock.now += seconds
            return Decision(1, (), (1,), 0, 99.0, StopReason.TIME)  # what it says of its time does not count

        self.purse.spend(think, begins_turn=begins_turn)
        return self.purse.late


def test_without_banks_every_decision_has_the_same_budget() -> None:
    seat = Spending(TimeControl(iterations=10, seconds=2.0))
    seat(1.0)
    seat(2.0)
    assert seat.budgets == [Budget(10, 2.0)] * 2
    assert Spending(TimeControl())(1000.0) == ""


def test_a_turn_has_a_bank_of_which_each_decision_gets_a_third_and_the_next_turn_a_new_one() -> None:
    seat = Spending(TimeControl(turn_seconds=9.0))
    seat(3.0, begins_turn=True)
    seat(1.0)
    seat(0.5)
    seat(0.0, begins_turn=True)
    assert [budget.seconds for budget in seat.budgets] == pytest.approx([3.0, 2.0, 5 / 3, 3.0])


def test_a_game_has_a_bank_that_turns_do_not_refill() -> None:
    seat = Spending(TimeControl(game_seconds=30.0))
    seat(12.0, begins_turn=True)
    seat(0.0, begins_turn=True)
    assert [budget.seconds for budget in seat.budgets] == pytest.approx([30 / GAME_PARTS, 18 / GAME_PARTS])


def test_of_several_limits_the_tightest_counts() -> None:
    seat = Spending(TimeControl(seconds=0.5, turn_seconds=9.0, game_seconds=3000.0))
    seat(0.5, begins_turn=True)
    seat(8.2)  # leaves 0.3 of the turn, a third of which is 0.1
    seat(0.0)
    assert [budget.seconds for budget in seat.budgets] == pytest.approx([0.5, 0.5, 0.1])


def test_a_decision_may_take_all_that_is_left_of_a_bank_but_no_more() -> None:
    seat = Spending(TimeControl(turn_seconds=9.0, grace=0.0))
    assert seat(9.0, begins_turn=True) == ""
    assert seat(0.1) == "answered after 0.100 s of 0.000 s"
    assert seat.budgets[1] == Budget(seconds=0.0)


def test_who_raises_pays_for_the_time_until_then() -> None:
    clock = FakeClock()
    purse = Purse(TimeControl(game_seconds=10.0), clock, FakeClock())

    def fail(budget: Budget) -> Decision:
        clock.now += 4.0
        raise LookupError

    with pytest.raises(LookupError):
        purse.spend(fail, begins_turn=True)
    assert purse.last == 4.0
    seat = Spending(TimeControl())
    seat.purse, seat.clock = purse, clock
    seat(0.0)
    assert seat.budgets[0].seconds == pytest.approx(6.0 / GAME_PARTS)


def test_after_the_timeout_by_the_wall_an_answer_counts_as_none_whatever_the_clock_says() -> None:
    wall = FakeClock()
    purse = Purse(TimeControl(seconds=1.0, timeout=5.0), FakeClock(), wall)

    def dawdle(budget: Budget) -> Decision:
        wall.now += 5.5
        return Decision(1, (), (1,), 0, 0.0, StopReason.TIME)

    purse.spend(dawdle, begins_turn=True)
    assert purse.late == "answered after 5.500 s, the timeout is 5 s"
