"""A turn that is planned out of what a seat knows, against the same turn played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from kingsbridge.ai import Bank, Budget, Decision, make_bot, plan_turn, play_turn
from kingsbridge.pyengine import Dealer, IllegalActionError, InformationSet, Rng, State, game_names, load_game
from tests.ai.test_native_search import knowledge
from tests.ai.toys import FakeClock
from tests.conformance.walks import Table, at_every_table


def turns(table: Table, seed: int) -> Iterator[tuple[State, Dealer]]:
    """The beginnings of the turns of a game by rollout policy."""
    state, dealer, rng = load_game(table.game, table.players), Dealer(seed), Rng(seed)
    dealer.settle(state)
    seat = None
    while not state.is_terminal:
        if state.current_player != seat:
            seat = state.current_player
            yield state.copy(), dealer
        state.apply(state.sample_action(rng))
        dealer.settle(state)


def timeless(decisions: list[Decision]) -> list[Decision]:
    return [replace(each, elapsed=0.0) for each in decisions]


@at_every_table
@pytest.mark.parametrize("spec", ["greedy", "random"])
def test_each_planned_action_is_legal_when_its_time_comes(table: Table, spec: str) -> None:
    planned = 0
    for number, (state, _) in enumerate(turns(table, 3)):
        seat = state.current_player
        decisions = plan_turn(make_bot(spec), knowledge(state), Bank(iterations=0), Rng(number))
        for decision in decisions:
            assert state.current_player == seat
            state.apply(decision.action)
        assert state.current_player != seat
        planned = max(planned, len(decisions))
    assert planned > 1


@at_every_table
@pytest.mark.parametrize("spec", ["greedy", "random", "ismcts", "flat_mc"])
def test_a_plan_is_the_turn_that_would_be_played_up_to_the_next_chance_event(table: Table, spec: str) -> None:
    for number, (state, dealer) in enumerate(turns(table, 4)):
        if number >= 40:
            break
        planned = plan_turn(make_bot(spec), knowledge(state), Bank(iterations=40), Rng(number))
        settled: list[int] = []

        def settle(state: State, dealer: Dealer = dealer, settled: list[int] = settled) -> None:
            settled.append(state.is_chance)
            dealer.settle(state)

        played = play_turn(
            make_bot(spec),
            state,
            state.current_player,
            Bank(iterations=40),
            Rng(number),
            settle=settle,
        )
        assert timeless(planned) == timeless(played[: len(planned)])
        assert settled[: len(planned) - 1] == [False] * (len(planned) - 1)
        assert len(planned) == len(played) or settled[len(planned) - 1]


@pytest.mark.parametrize("game", ["column", "pillars"])
def test_a_plan_stops_where_chance_comes_though_the_turn_goes_on(game: str) -> None:
    found = 0
    for number, (state, dealer) in enumerate(turns(Table(game, 2), 5)):
        seat = state.current_player
        plan = plan_turn(make_bot("random"), knowledge(state), Bank(iterations=0), Rng(number))
        for decision in plan:
            state.apply(decision.action)
        if state.is_chance:
            dealer.settle(state)
            found += state.current_player == seat
    assert found > 0


def first(game: str) -> InformationSet:
    return knowledge(next(turns(Table(game, 2), 1))[0])


def test_a_plan_spends_the_bank_by_the_clock_it_is_given() -> None:
    info, bank = first("builders"), Bank(seconds=0.5)
    decisions = plan_turn(make_bot("flat_mc"), info, bank, Rng(1), clock=FakeClock(0.001))
    assert sum(each.elapsed for each in decisions) == pytest.approx(0.5 - (bank.seconds or 0.0))
    assert decisions[0].elapsed == pytest.approx(0.5 / 3, abs=0.003)
    stopped = plan_turn(make_bot("flat_mc"), info, Bank(seconds=0.5), Rng(1), should_stop=lambda: True)
    assert [each.iterations for each in stopped] == [0] * len(stopped)


@pytest.mark.parametrize("game", game_names())
def test_only_the_seat_to_move_can_plan(game: str) -> None:
    state, _ = next(turns(Table(game, 2), 1))
    for other in (1 - state.current_player, -1):
        with pytest.raises(ValueError, match=f"seat {other} is not to move"):
            plan_turn(make_bot("greedy"), state.information_set(other), Bank(iterations=1), Rng(1))


def test_a_plan_with_an_illegal_answer_is_refused() -> None:
    class Wrong:
        name = "wrong"

        def choose(self, info: InformationSet, budget: Budget, rng: Rng, **_: object) -> Decision:
            return replace(make_bot("greedy").choose(info, budget, rng), action=1)

    with pytest.raises(IllegalActionError):
        plan_turn(Wrong(), first("builders"), Bank(iterations=1), Rng(1))
