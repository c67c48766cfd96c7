"""Which moves come at once, and when a search may end early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from kingsbridge.ai import (
    Budget,
    Decision,
    FlatMcBot,
    FlatMcParams,
    IsmctsBot,
    IsmctsParams,
    StopReason,
    make_bot,
    native,
)
from kingsbridge.ai.bot import Limits, never
from kingsbridge.ai.pace import Early, lead
from kingsbridge.ai.search import KERNELS
from kingsbridge.pyengine import SPECTATOR, Dealer, Rng, State, action_text, load_game
from tests.ai.toys import Alone, Bound, Countdown, FakeClock
from tests.conformance.walks import Table, at_every_table

SEARCHERS = (
    "flat_mc",
    "mcts",
    "ismcts",
    "ismcts:threads=2",
    "mcts:kernel=python",
    "ismcts:kernel=python,threads=2",
)
every_searcher = pytest.mark.parametrize("spec", SEARCHERS)


def with_pace(spec: str, pace: str) -> str:
    return f"{spec}{',' if ':' in spec else ':'}pace={pace}"


def walk(game: str, players: int, seed: int) -> Iterator[State]:
    """Every decision of a game by rollout policy."""
    state, dealer, rng = load_game(game, players), Dealer(seed), Rng(seed)
    dealer.settle(state)
    while not state.is_terminal:
        yield state
        state.apply(state.sample_action(rng))
        dealer.settle(state)


def decide(spec: str, state: State, budget: Budget, **more: Any) -> Decision:
    return make_bot(spec).choose(state.information_set(state.current_player), budget, Rng(5), **more)


def a_secretly_forced_move() -> State:
    """In A Column of Fire a seat must pass for the tiles it holds face down; others cannot tell."""
    state = next(each.copy() for number, each in enumerate(walk("column", 4, 1)) if number == 6)
    assert [action_text("column", action) for action in state.legal_actions()] == ["pass()"]
    return state


def choices_in_the_eyes_of_a_spectator(state: State, worlds: int) -> set[int]:
    """How many actions the seat to move might have."""
    public, rng = state.information_set(SPECTATOR), Rng(77)
    return {len(public.imagine(rng).legal_actions()) for _ in range(worlds)}


# Forced moves


@every_searcher
@pytest.mark.parametrize(
    ("budget", "reason"),
    [(Budget(30), StopReason.ITERATIONS), (Budget(seconds=1.0), StopReason.TIME)],
    ids=["iterations", "seconds"],
)
def test_at_an_even_pace_a_secretly_forced_move_takes_the_budget(
    spec: str, budget: Budget, reason: StopReason
) -> None:
    state = a_secretly_forced_move()
    assert max(choices_in_the_eyes_of_a_spectator(state, 200)) > 1
    (only,) = state.legal_actions()
    decision = decide(spec, state, budget, clock=FakeClock(0.01))
    assert (decision.action, decision.stop_reason) == (only, reason)
    assert decision.iterations == (budget.iterations or decision.iterations) > 0
    assert [(row.action, row.visits) for row in decision.statistics] == [(only, decision.iterations)]
    assert decision.principal_variation[0] == only


@every_searcher
def test_at_a_quick_pace_every_forced_move_comes_at_once(spec: str) -> None:
    state = a_secretly_forced_move()
    decision = decide(with_pace(spec, "quick"), state, Budget(30))
    assert (decision.stop_reason, decision.iterations) == (StopReason.FORCED, 0)
    assert [decision.action] == state.legal_actions()


@pytest.mark.parametrize("pace", ["even", "quick"])
def test_a_move_that_all_can_see_is_forced_comes_at_once_at_any_pace(pace: str) -> None:
    bots: list[Any] = [
        FlatMcBot(FlatMcParams(pace=pace)),
        IsmctsBot(IsmctsParams(pace=pace, kernel="python")),
    ]
    for bot in bots:
        decision = bot.choose(Alone().information_set(0), Budget(30), Rng(1))
        assert (decision.stop_reason, decision.iterations) == (StopReason.FORCED, 0)


def test_secret_or_not_is_told_by_what_a_spectator_cannot_rule_out() -> None:
    for pace, reason in (("even", StopReason.ITERATIONS), ("quick", StopReason.FORCED)):
        bot = IsmctsBot(IsmctsParams(pace=pace, kernel="python"))
        bound = bot.choose(Bound().after(Bound.BOUND).information_set(0), Budget(30), Rng(1))
        assert (bound.stop_reason, bound.action) == (reason, 1)
        free = bot.choose(Bound().after(Bound.FREE).information_set(0), Budget(30), Rng(1))
        assert free.stop_reason is StopReason.ITERATIONS


@pytest.mark.parametrize("game", ["builders", "pillars"])
def test_where_no_secret_bears_on_what_is_legal_each_forced_move_comes_at_once(game: str) -> None:
    """In The Builders nothing is hidden; in The Pillars of the Earth the event of the round is, but what may
    be done does not depend on it.
    """
    forced = 0
    for players, seed in ((2, 1), (3, 2), (4, 3)):
        for state in walk(game, players, seed):
            if len(state.legal_actions()) == 1:
                forced += 1
                assert choices_in_the_eyes_of_a_spectator(state, 40) == {1}
                assert decide("ismcts", state, Budget(10)).stop_reason is StopReason.FORCED
    assert forced > 10


def test_in_a_column_of_fire_some_forced_moves_are_secret_and_most_are_not() -> None:
    secret, public = [], 0
    for seed in range(4):
        for state in walk("column", 4, seed):
            if len(state.legal_actions()) == 1:
                if decide("ismcts", state, Budget(2)).stop_reason is StopReason.FORCED:
                    public += 1
                    assert choices_in_the_eyes_of_a_spectator(state, 10) == {1}
                else:
                    secret.append(action_text("column", state.legal_actions()[0]))
                    assert choices_in_the_eyes_of_a_spectator(state, 500) != {1}
    assert public > len(secret) > 0
    assert set(secret) == {"pass()"}


# Decided moves


def early(budget: Budget, pace: str = "quick") -> Early:
    return Early(Limits(budget, FakeClock(0.0), never), pace)


def test_the_lead_is_over_the_next_best() -> None:
    assert lead([3, 9, 4]) == 5
    assert lead([7]) == 7
    assert lead([7, 7]) == 0
    assert lead([]) == 0


def test_a_search_is_decided_when_the_next_could_not_catch_up_with_all_that_is_left() -> None:
    stop = early(Budget(160))
    assert stop.decided(90, lambda: [80, 9, 1])  # 71 ahead, 70 to come
    assert not stop.decided(90, lambda: [80, 10])  # 70 ahead: a tie is possible
    assert not stop.decided(80, lambda: [80])
    assert stop.decided(150, lambda: [70, 59, 21])
    assert not stop.decided(150, lambda: [70, 60, 20])


def test_with_iterations_it_looks_at_sixteenths_of_the_second_half_only() -> None:
    stop = early(Budget(160))
    assert [count for count in range(161) if stop.decided(count, lambda: [1000])] == list(range(80, 160, 10))
    assert [stop.until(count) for count in (0, 79, 80, 85, 149, 150, 159)] == [80, 1, 10, 5, 1, 10, 1]
    assert early(Budget(0)).until(0) == 0
    assert early(Budget(seconds=1.0)).until(5) is None


def test_at_an_even_pace_nothing_is_decided_early() -> None:
    stop = early(Budget(160), "even")
    assert not any(stop.decided(count, lambda: [1000]) for count in range(161))
    assert stop.until(5) == 155
    assert stop.pause() is None


def at(elapsed: float, budget: Budget) -> Early:
    """As it is so many seconds after its start."""
    clock = FakeClock(0.0)
    limits = Limits(budget, clock, never)
    clock.now += elapsed
    return Early(limits, "quick")


def test_against_the_clock_the_rest_goes_at_the_rate_so_far() -> None:
    stop = at(6.0, Budget(seconds=10.0))
    assert stop.decided(60, lambda: [50, 9])  # 4 of 10 seconds: 40 to come
    assert not stop.decided(60, lambda: [50, 10])
    assert not at(5.0, Budget(seconds=10.0)).decided(60, lambda: [1 // 0])  # before half it does not even ask
    assert at(6.0, Budget(iterations=1000, seconds=10.0)).decided(60, lambda: [50, 9])
    assert at(6.0, Budget(deadline=110.0)).decided(60, lambda: [50, 9])


def test_between_looks_against_the_clock_is_half_of_the_time_and_then_a_sixteenth() -> None:
    assert at(0.0, Budget(seconds=16.0)).pause() == 8.0
    assert at(8.0, Budget(seconds=16.0)).pause() == 1.0
    assert at(12.0, Budget(seconds=16.0)).pause() == 1.0
    assert at(12.0, Budget(iterations=16)).pause() is None


@at_every_table
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bot", ["ismcts", "mcts:c=0.05", "ismcts:threads=3"])
def test_an_early_end_changes_no_choice(table: Table, kernel: str, bot: str) -> None:
    decided = 0
    for seed in range(4):
        for number, state in enumerate(walk(table.game, table.players, seed)):
            if (number + 7 * seed) % 30 or len(state.legal_actions()) == 1:
                continue
            for iterations in (1, 37, 160):
                spec = f"{bot}{',' if ':' in bot else ':'}kernel={kernel}"
                even = decide(spec, state, Budget(iterations))
                quick = decide(with_pace(spec, "quick"), state, Budget(iterations))
                assert quick.action == even.action
                assert even.iterations == iterations
                if quick.stop_reason is StopReason.DECIDED:
                    decided += 1
                    assert iterations // 2 <= quick.iterations < iterations
                else:
                    assert replace(quick, elapsed=0.0) == replace(even, elapsed=0.0)
    assert decided > 0


@at_every_table
@pytest.mark.parametrize("bot", ["ismcts:c=0.2", "mcts:threads=3,c=0.2"])
def test_both_kernels_end_early_at_the_same_iteration(table: Table, bot: str) -> None:
    ends = set()
    for number, state in enumerate(walk(table.game, table.players, 4)):
        if number % 6 == 0:
            one, other = (
                decide(f"{bot},pace=quick,kernel={kernel}", state, Budget(200)) for kernel in KERNELS
            )
            assert replace(one, elapsed=0.0) == replace(other, elapsed=0.0)
            if one.stop_reason is StopReason.DECIDED:
                ends.add(one.iterations)
    assert len(ends) > 1


@pytest.mark.parametrize("threads", [1, 2])
def test_neither_slices_nor_clock_move_an_early_end(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = f"ismcts:c=0.05,pace=quick,threads={threads}"
    states = [state.copy() for number, state in enumerate(walk("builders", 2, 6)) if number % 5 == 0]
    found = []
    for seconds in (0.1, 1e-5):
        monkeypatch.setattr(native, "SLICE", seconds)
        found.append([replace(decide(spec, state, Budget(3000)), elapsed=0.0) for state in states])
    assert found[0] == found[1]
    assert StopReason.DECIDED in {each.stop_reason for each in found[0]}


def test_against_the_clock_a_plain_search_ends_when_it_is_decided() -> None:
    info = Countdown().information_set(0)

    def search(pace: str) -> Decision:
        bot = IsmctsBot(IsmctsParams(pace=pace, kernel="python", c=0.05))
        return bot.choose(info, Budget(seconds=1.0), Rng(1), clock=FakeClock(0.001))

    even, quick = search("even"), search("quick")
    assert even.stop_reason is StopReason.TIME
    assert (quick.stop_reason, quick.action) == (StopReason.DECIDED, even.action)
    assert 0.5 < quick.elapsed < 1.0


@pytest.mark.parametrize("threads", [1, 2])
def test_against_the_clock_a_native_search_ends_when_it_is_decided(threads: int) -> None:
    """With one action to consider that is soon after half of the time."""
    state = next(walk("builders", 2, 1))
    among = state.legal_actions()[:1]
    for pace, reason in (("even", StopReason.TIME), ("quick", StopReason.DECIDED)):
        spec = f"ismcts:threads={threads},pace={pace}"
        decision = decide(spec, state, Budget(seconds=10.0), clock=FakeClock(0.05), among=among)
        assert (decision.stop_reason, decision.iterations > 0) == (reason, True)
        assert (decision.elapsed < 7.0) == (pace == "quick")
