"""What a turn may cost, and turns played with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from kingsbridge.ai import Bank, Budget, Decision, StopReason, make_bot, play_turn
from kingsbridge.ai.bot import Limits, never
from kingsbridge.pyengine import Dealer, IllegalActionError, InformationSet, Rng, State, game_names, load_game
from tests.ai.toys import FakeClock

every_game = pytest.mark.parametrize("game", game_names())


def spent(iterations: int = 0, elapsed: float = 0.0, reason: StopReason = StopReason.TIME) -> Decision:
    return Decision(1, (), (1,), iterations, elapsed, reason)


@dataclass
class Spender:
    """A bot that reports a cost for each budget and plays the first legal action."""

    cost: Callable[[Budget], tuple[int, float]]
    name: str = "spender"
    budgets: list[Budget] = field(default_factory=list)

    def choose(self, info: InformationSet, budget: Budget, rng: Rng, **_: Any) -> Decision:
        self.budgets.append(budget)
        iterations, elapsed = self.cost(budget)
        action = info.legal_actions()[0]
        return Decision(action, (), (action,), iterations, elapsed, StopReason.ITERATIONS)


def all_of_it(budget: Budget) -> tuple[int, float]:
    return budget.iterations or 0, budget.seconds or 0.0


def start(game: str, seed: int = 1) -> tuple[State, Dealer]:
    state, dealer = load_game(game, 2), Dealer(seed)
    dealer.settle(state)
    return state, dealer


def test_each_decision_may_take_a_third_of_what_is_left() -> None:
    bank = Bank(iterations=10, seconds=9.0)
    found = []
    for _ in range(7):
        budget = bank.budget()
        found.append((budget.iterations, budget.seconds))
        bank.charge(spent(budget.iterations or 0, budget.seconds or 0.0))
    iterations, seconds = zip(*found, strict=True)
    assert iterations == (4, 2, 2, 1, 1, 0, 0)  # of 10, 6, 4, 2, 1, 0, 0
    assert seconds == pytest.approx([3, 2, 4 / 3, 8 / 9, 16 / 27, 32 / 81, 64 / 243])


def test_the_number_of_parts_is_the_callers() -> None:
    assert Bank(iterations=10, parts=1).budget() == Budget(iterations=10)
    assert Bank(iterations=10, seconds=2.0, parts=4).budget() == Budget(iterations=3, seconds=0.5)


def test_what_is_not_limited_is_in_no_budget() -> None:
    assert Bank(seconds=3.0).budget() == Budget(seconds=1.0)
    bank = Bank(iterations=3)
    bank.charge(spent(1, 100.0))
    assert (bank.iterations, bank.seconds) == (2, None)


def test_an_overdrawn_bank_is_empty_and_gives_budgets_of_nothing() -> None:
    bank = Bank(iterations=10, seconds=1.0)
    bank.charge(spent(12, 1.5))
    assert (bank.iterations, bank.seconds) == (0, 0.0)
    assert bank.budget() == Budget(iterations=0, seconds=0.0)


def test_a_forced_decision_costs_nothing() -> None:
    bank = Bank(iterations=10, seconds=1.0)
    bank.charge(spent(0, 0.25, StopReason.FORCED))
    assert (bank.iterations, bank.seconds) == (10, 1.0)


def test_a_bank_without_limits_or_with_bad_ones_is_refused() -> None:
    with pytest.raises(ValueError, match="a bank of nothing"):
        Bank()
    with pytest.raises(ValueError, match="-1 iterations"):
        Bank(iterations=-1)
    with pytest.raises(ValueError, match="seconds"):
        Bank(seconds=float("nan"))
    with pytest.raises(ValueError, match="parts: 0"):
        Bank(iterations=1, parts=0)


@every_game
def test_a_turn_goes_on_until_another_seat_is_to_move_and_never_overdraws(game: str) -> None:
    state, dealer = start(game)
    turns: list[int] = []
    while not state.is_terminal:
        seat, bank, bot = state.current_player, Bank(iterations=50, seconds=3.0), Spender(all_of_it)
        decisions = play_turn(bot, state, seat, bank, Rng(1), settle=dealer.settle)
        turns.append(len(decisions))
        assert decisions
        assert state.current_player != seat
        assert sum(each.iterations for each in decisions) == 50 - (bank.iterations or 0) <= 50
        assert sum(each.elapsed for each in decisions) == pytest.approx(3.0 * (1 - (2 / 3) ** len(decisions)))
        if len(turns) > 200:  # the first legal action does not bring every game to its end
            break
    assert max(turns) > 1


@every_game
def test_a_turn_ends_with_the_game(game: str) -> None:
    state, dealer = start(game)
    bot, bank, turns = make_bot("greedy"), Bank(iterations=5), 0
    while not state.is_terminal:
        assert play_turn(bot, state, state.current_player, bank, Rng(1), settle=dealer.settle)
        turns += 1
    assert turns > 4
    with pytest.raises(ValueError, match="seat 0 is not to move"):
        play_turn(make_bot("greedy"), state, 0, bank, Rng(1), settle=dealer.settle)


@every_game
@pytest.mark.parametrize("kernel", ["native", "python"])
def test_the_iterations_of_a_searched_turn_never_exceed_the_bank(game: str, kernel: str) -> None:
    state, dealer = start(game)
    bot = make_bot(f"ismcts:kernel={kernel}")
    for _ in range(12):
        bank = Bank(iterations=40)
        decisions = play_turn(bot, state, state.current_player, bank, Rng(1), settle=dealer.settle)
        assert sum(each.iterations for each in decisions) == 40 - (bank.iterations or 0) <= 40


def test_by_the_clock_a_turn_takes_the_bank_and_a_look_a_decision_at_most() -> None:
    state, dealer = start("column")
    bot = make_bot("flat_mc")
    step = 0.001
    for _ in range(12):
        clock, bank = FakeClock(step), Bank(seconds=0.5)
        decisions = play_turn(
            bot, state, state.current_player, bank, Rng(1), settle=dealer.settle, clock=clock
        )
        total = sum(each.elapsed for each in decisions)
        assert total <= 0.5 + 3 * step * len(decisions)
        assert total > 0.1


def test_an_empty_bank_still_brings_a_legal_turn() -> None:
    for name in ("random", "greedy", "flat_mc", "mcts", "ismcts"):
        state, dealer = start("builders")
        seat = state.current_player
        bank = Bank(iterations=0, seconds=0.0)
        assert play_turn(make_bot(name), state, seat, bank, Rng(1), settle=dealer.settle)
        assert state.current_player == 1 - seat


def test_a_turn_with_an_illegal_answer_is_refused() -> None:
    class Wrong(Spender):
        def choose(self, info: InformationSet, budget: Budget, rng: Rng, **_: Any) -> Decision:
            return spent()

    state, dealer = start("builders")
    before = state.copy()
    with pytest.raises(IllegalActionError):
        play_turn(
            Wrong(all_of_it), state, state.current_player, Bank(iterations=1), Rng(1), settle=dealer.settle
        )
    assert state == before


def test_of_seconds_and_deadline_the_earlier_ends_a_search() -> None:
    def time_left(budget: Budget) -> float | None:
        clock = FakeClock(0.0)  # it stands at 100
        return Limits(budget, clock, never).seconds_left()

    assert time_left(Budget(deadline=107.0)) == 7.0
    assert time_left(Budget(deadline=107.0, seconds=3.0)) == 3.0
    assert time_left(Budget(deadline=102.0, seconds=3.0)) == 2.0
    assert time_left(Budget(deadline=99.0)) == 0.0
    assert time_left(Budget(iterations=5)) is None


@pytest.mark.parametrize(
    "bot", ["flat_mc", "ismcts:kernel=python", "mcts:kernel=python", "ismcts", "ismcts:threads=2"]
)
def test_a_deadline_ends_a_search_for_want_of_time(bot: str) -> None:
    state, _ = start("builders")
    info = state.information_set(state.current_player)

    def reason(budget: Budget) -> tuple[StopReason, bool]:
        decision = make_bot(bot).choose(info, budget, Rng(1), clock=FakeClock(0.01))
        return decision.stop_reason, decision.iterations > 0

    assert reason(Budget(deadline=101.0)) == (StopReason.TIME, True)
    assert reason(Budget(deadline=101.0, iterations=10**9)) == (StopReason.TIME, True)
    assert reason(Budget(deadline=99.0)) == (StopReason.TIME, False)
    assert reason(Budget(deadline=1e9, iterations=3)) == (StopReason.ITERATIONS, True)
    assert reason(Budget(deadline=1e9, seconds=0.0)) == (StopReason.TIME, False)


def test_a_deadline_is_a_number_and_a_limit() -> None:
    with pytest.raises(ValueError, match="deadline"):
        Budget(deadline=float("nan"))
    assert not Budget(deadline=-5.0).is_empty
    assert Budget().over(Budget(deadline=5.0)) == Budget(deadline=5.0)
    assert Budget(deadline=4.0).over(Budget(1, 2.0, 5.0)) == Budget(1, 2.0, 4.0)
