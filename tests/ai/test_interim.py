"""Interim decisions: told while a search runs, and of no effect on it."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise

import pytest

from kingsbridge.ai import Budget, Decision, FlatMcBot, IsmctsBot, IsmctsParams, Report, StopReason, make_bot
from kingsbridge.pyengine import InformationSet, Rng, game_names
from tests.ai.test_native_search import first_decision, knowledge, positions
from tests.ai.toys import Alone, Countdown, FakeClock
from tests.conformance.walks import Table

SEARCHERS = (
    "ismcts",
    "ismcts:pace=quick",
    "ismcts:threads=3",
    "ismcts:threads=2,pace=quick",
    "ismcts:kernel=python,threads=2",
    "ismcts:reuse=on",
    "mcts",
    "mcts:kernel=python",
    "flat_mc",
    "flat_mc:halving=on",
)
every_searcher = pytest.mark.parametrize("spec", SEARCHERS)
ITERATIONS = {"native": 12_000, "plain": 300}
"""Enough for several slices."""


def iterations_of(spec: str) -> int:
    return ITERATIONS["plain" if "python" in spec or "flat" in spec else "native"]


def told(spec: str, info: InformationSet, seconds: float = 0.0) -> tuple[Decision, list[Decision]]:
    """The final decision, and the interim ones."""
    heard: list[Decision] = []
    report = Report(heard.append, seconds)
    return make_bot(spec).choose(info, Budget(iterations_of(spec)), Rng(5), report=report), heard


@every_searcher
@pytest.mark.parametrize("game", game_names())
def test_a_search_that_reports_decides_what_it_would_have_decided(spec: str, game: str) -> None:
    info = knowledge(positions(Table(game, 3), 4)[1])
    silent = make_bot(spec).choose(info, Budget(iterations_of(spec)), Rng(5))
    final, heard = told(spec, info)
    assert len(heard) > 1
    assert replace(final, elapsed=0.0) == replace(silent, elapsed=0.0)
    assert final not in heard


@every_searcher
def test_an_interim_decision_is_what_the_search_would_answer_now(spec: str) -> None:
    info = first_decision("pillars", 3)
    final, heard = told(spec, info)
    for each, later in pairwise([*heard, final]):
        assert each.stop_reason is StopReason.RUNNING
        assert each.iterations <= later.iterations
        assert each.elapsed <= later.elapsed
    for each in (each for each in heard if each.iterations > 0):
        assert sum(row.visits for row in each.statistics) == each.iterations
        assert each.principal_variation[0] == each.action
        assert each.action in info.legal_actions()
    assert max(each.iterations for each in heard) > 0


@pytest.mark.parametrize("spec", ["ismcts:kernel=python", "mcts:kernel=python", "ismcts"])
def test_the_interim_decision_after_n_iterations_is_the_final_one_of_n(spec: str) -> None:
    info = first_decision("column")
    _, heard = told(spec, info)
    for each in heard[1:3]:
        short = make_bot(spec).choose(info, Budget(each.iterations), Rng(5))
        same = replace(each, elapsed=0.0, stop_reason=StopReason.ITERATIONS)
        assert same == replace(short, elapsed=0.0)


@pytest.mark.parametrize("bot", [FlatMcBot(), IsmctsBot(IsmctsParams(kernel="python"))], ids=lambda b: b.name)
def test_reports_come_by_the_clock_the_bot_is_given(bot: FlatMcBot | IsmctsBot) -> None:
    """Each look costs 1 ms: one before each 16 iterations, and one more for each report, whose end it is."""
    heard: list[Decision] = []
    report = Report(heard.append, 0.0025)
    bot.choose(Countdown().information_set(0), Budget(140), Rng(1), clock=FakeClock(0.001), report=report)
    assert [each.iterations for each in heard] == [32, 80, 128]
    assert [each.elapsed for each in heard] == pytest.approx([0.004, 0.008, 0.012])


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_a_bot_that_does_not_search_tells_nothing(spec: str) -> None:
    _, heard = told(spec, first_decision())
    assert heard == []


@pytest.mark.parametrize("spec", ["ismcts:kernel=python", "flat_mc", "random", "greedy"])
def test_a_forced_move_tells_nothing(spec: str) -> None:
    heard: list[Decision] = []
    info = Alone().information_set(0)
    decision = make_bot(spec).choose(info, Budget(50), Rng(1), report=Report(heard.append, 0.0))  # type: ignore[arg-type]
    assert (decision.stop_reason, heard) == (StopReason.FORCED, [])


@every_searcher
def test_what_goes_wrong_in_a_listener_ends_the_search(spec: str) -> None:
    class DeafError(Exception):
        pass

    def refuse(decision: Decision) -> None:
        raise DeafError

    before = threading.active_count()
    with pytest.raises(DeafError):
        make_bot(spec).choose(first_decision(), Budget(10**9), Rng(1), report=Report(refuse, 0.0))
    assert threading.active_count() == before


def test_a_report_is_asked_for_at_a_time_that_can_be_kept() -> None:
    for seconds in (-0.1, float("nan")):
        with pytest.raises(ValueError, match="a report every"):
            Report(lambda decision: None, seconds)
    assert Report(lambda decision: None).seconds == 0.25
