"""What every bot promises: a legal move at any budget, the right reason, the same answer again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import pytest

from kingsbridge.ai import (
    DEFAULT_ITERATIONS,
    Budget,
    Decision,
    FlatMcBot,
    FlatMcParams,
    GreedyBot,
    IsmctsBot,
    IsmctsParams,
    MctsBot,
    MctsParams,
    RandomBot,
    StopReason,
)
from kingsbridge.ai.world import SearchInformation
from kingsbridge.pyengine import Rng
from tests.ai.toys import Alone, Countdown, FakeClock, HiddenCoin, Kuhn, Lotteries, Reveal, SecretWeapon, Toy


class ToyBot(Protocol):
    """A bot that plays toys too."""

    @property
    def name(self) -> str: ...
    def choose(
        self, info: SearchInformation, budget: Budget, rng: Rng, *, clock: Any = ..., should_stop: Any = ...
    ) -> Decision: ...


SEARCHERS: tuple[ToyBot, ...] = (
    FlatMcBot(),
    MctsBot(MctsParams(kernel="python")),
    IsmctsBot(IsmctsParams(kernel="python")),
)
BOTS: tuple[ToyBot, ...] = (RandomBot(), GreedyBot(), *SEARCHERS)
every_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
every_searcher = pytest.mark.parametrize("bot", SEARCHERS, ids=lambda bot: bot.name)
REPOSITORY = Path(__file__).parents[2]


def positions() -> Iterator[Toy]:
    yield from (
        Countdown(),
        Countdown().after(3, 3),
        Lotteries(),
        Reveal(),
        Reveal().after(1, Reveal.CARD + 7),
    )
    yield Kuhn().after(101, 203)
    yield HiddenCoin().after(HiddenCoin.COIN + 2)
    yield SecretWeapon().after(SecretWeapon.DULL)


def raised_after(looks: int) -> Any:
    counter = count(1)
    return lambda: next(counter) > looks


@every_bot
@pytest.mark.parametrize(
    "budget",
    [Budget(0), Budget(1), Budget(2), Budget(seconds=0.0), Budget(seconds=1e-9), Budget(3, 0.002)],
    ids=str,
)
def test_a_legal_move_comes_at_any_budget(bot: ToyBot, budget: Budget) -> None:
    for state in positions():
        info = state.information_set(state.current_player)
        decision = bot.choose(info, budget, Rng(3), clock=FakeClock(0.001))
        assert decision.action in info.legal_actions()
        assert decision.principal_variation[0] == decision.action
        assert decision.iterations == sum(row.visits for row in decision.statistics)
        assert all(len(row.values) == state.players for row in decision.statistics)


@pytest.mark.parametrize("bot", [GreedyBot(), *SEARCHERS], ids=lambda bot: bot.name)
def test_without_iterations_the_native_heuristic_decides(bot: ToyBot) -> None:
    assert bot.choose(Countdown().information_set(0), Budget(0), Rng(3)).action == 3  # heuristic 7, 3, 9
    coin = HiddenCoin().after(HiddenCoin.COIN + 3)
    assert (
        bot.choose(coin.information_set(0), Budget(0), Rng(3)).action == 2
    )  # 1, 5, 5: the lower of two equal ones


@every_bot
def test_one_legal_action_is_forced_and_not_searched(bot: ToyBot) -> None:
    decision = bot.choose(Alone().information_set(0), Budget(1000), Rng(3))
    assert decision.stop_reason is StopReason.FORCED
    assert (decision.action, decision.iterations, decision.principal_variation) == (1, 0, (1,))


@every_bot
def test_a_seat_that_is_not_to_move_is_refused(bot: ToyBot) -> None:
    for state, seat in ((Countdown(), 1), (Alone(), 1), (Lotteries().after(1), 0)):
        with pytest.raises(ValueError, match=f"seat {seat} is not to move"):
            bot.choose(state.information_set(seat), Budget(5), Rng(3))


@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()], ids=lambda bot: bot.name)
def test_a_bot_that_does_not_search_says_so(bot: ToyBot) -> None:
    decision = bot.choose(Countdown().information_set(0), Budget(1000), Rng(3))
    assert (decision.stop_reason, decision.iterations, decision.statistics) == (StopReason.POLICY, 0, ())


def test_random_plays_every_legal_action_about_equally_often() -> None:
    info, rng = Countdown().information_set(0), Rng(5)
    played = [RandomBot().choose(info, Budget(), rng).action for _ in range(3000)]
    assert {action: played.count(action) / 3000 for action in (1, 2, 3)} == pytest.approx(
        dict.fromkeys((1, 2, 3), 1 / 3), abs=0.04
    )


@every_searcher
def test_the_budget_reached_first_ends_the_search(bot: ToyBot) -> None:
    info = Countdown().information_set(0)

    def stopped(budget: Budget, step: float = 0.001, looks: int = 10**9) -> tuple[StopReason, int]:
        decision = bot.choose(info, budget, Rng(3), clock=FakeClock(step), should_stop=raised_after(looks))
        return decision.stop_reason, decision.iterations

    assert stopped(Budget(40, 10.0)) == (StopReason.ITERATIONS, 40)
    assert stopped(Budget(4000, 0.0505)) == (StopReason.TIME, 50)
    assert stopped(Budget(seconds=0.0505)) == (StopReason.TIME, 50)
    assert stopped(Budget(seconds=0.0)) == (StopReason.TIME, 0)
    assert stopped(Budget(0)) == (StopReason.ITERATIONS, 0)
    assert stopped(Budget(4000, 10.0), looks=25) == (StopReason.STOPPED, 25)
    assert stopped(Budget(4000), looks=0) == (StopReason.STOPPED, 0)
    assert stopped(Budget()) == (StopReason.ITERATIONS, DEFAULT_ITERATIONS)


@every_searcher
def test_elapsed_is_what_the_clock_says(bot: ToyBot) -> None:
    clock = FakeClock(0.5)
    decision = bot.choose(Countdown().information_set(0), Budget(5), Rng(3), clock=clock)
    assert decision.elapsed == pytest.approx(0.5 * (clock.looks - 1))


@pytest.mark.parametrize("bot", [FlatMcBot, MctsBot, IsmctsBot])
def test_the_callers_limits_win_over_the_bots_own(bot: Any) -> None:
    params: Any = {
        FlatMcBot: FlatMcParams,
        MctsBot: partial(MctsParams, kernel="python"),
        IsmctsBot: partial(IsmctsParams, kernel="python"),
    }[bot]
    info = Countdown().information_set(0)
    own = bot(params(iterations=30, seconds=10.0))

    def spent(made: Any, budget: Budget) -> tuple[StopReason, int]:
        decision = made.choose(info, budget, Rng(3), clock=FakeClock(0.001))
        return decision.stop_reason, decision.iterations

    assert spent(own, Budget()) == (StopReason.ITERATIONS, 30)
    assert spent(own, Budget(iterations=70)) == (StopReason.ITERATIONS, 70)
    assert spent(own, Budget(seconds=0.0105)) == (StopReason.TIME, 10)
    assert spent(bot(params(seconds=0.0205)), Budget()) == (StopReason.TIME, 20)
    assert spent(bot(params(seconds=0.0205)), Budget(iterations=5)) == (StopReason.ITERATIONS, 5)


def test_a_bad_budget_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 iterations"):
        Budget(-1)
    for seconds in (-0.1, float("nan")):
        with pytest.raises(ValueError, match="seconds"):
            Budget(seconds=seconds)


def test_flat_monte_carlo_shares_its_iterations_equally_and_takes_the_best_mean() -> None:
    decision = FlatMcBot().choose(Lotteries().information_set(0), Budget(3000), Rng(3))
    assert [row.visits for row in decision.statistics] == [1000, 1000, 1000]
    assert decision.action == Lotteries.GOOD
    for row in decision.statistics:
        assert row.values[0] == pytest.approx(Lotteries.EXPECTED[row.action], abs=0.05)
    rest = FlatMcBot().choose(Lotteries().information_set(0), Budget(3001), Rng(3)).statistics
    assert (rest[0].action, rest[0].visits) == (1, 1001)


def test_flat_monte_carlo_prefers_the_mean_to_one_visit_more() -> None:
    info = Lotteries().information_set(0)
    for iterations in range(1, 60):
        decision = FlatMcBot().choose(info, Budget(iterations), Rng(5))
        means = {row.action: row.values[0] for row in decision.statistics}
        assert means[decision.action] == max(means.values())


def test_flat_monte_carlo_tries_all_actions_in_the_same_worlds() -> None:
    info = HiddenCoin().after(HiddenCoin.COIN + 2).information_set(0)
    for seed in range(10):
        rows = FlatMcBot().choose(info, Budget(30), Rng(seed)).statistics
        won = {row.action: round(row.values[0] * row.visits) for row in rows}
        assert won[HiddenCoin.HEADS] + won[HiddenCoin.TAILS] == 10  # each of ten coins falls one way


def test_the_same_seed_gives_the_same_answer_in_any_process() -> None:
    script = "from tests.ai.test_bots import answers\nprint(answers())"
    outputs = set()
    for hash_seed in ("0", "1", "random"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        outputs.add(
            subprocess.run(
                [sys.executable, "-c", script],
                cwd=REPOSITORY,
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            ).stdout.strip()
        )
    assert outputs == {answers()}


def answers() -> str:
    """Every decision of every bot on the toys, as text."""
    decisions = []
    for bot in BOTS:
        rng = Rng(99)
        for state in positions():
            info = state.information_set(state.current_player)
            decision = bot.choose(info, Budget(300), rng)
            decisions.append((bot.name, decision.action, decision.statistics, decision.principal_variation))
    return repr(decisions)
