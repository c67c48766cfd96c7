"""How long a search takes and waits, as far as it can be told before: examples reckoned by hand."""

from __future__ import annotations

from typing import Any

import pytest

from kingsbridge.ai import Budget
from kingsbridge.pyengine import Dealer, InformationSet, load_game
from kingsbridge.server.admission import FIRST_GUESS_SECONDS, KINDS, Durations, estimated_wait, need
from kingsbridge.server.quarantine import QUARANTINE_SECONDS, QUESTIONS, Quarantine
from kingsbridge.server.search import Search


def start(seed: int = 1) -> InformationSet:
    state = load_game("builders")
    Dealer(seed).settle(state)
    return state.information_set(state.current_player)


def search(**more: Any) -> Search:
    return Search(
        **{"info": start(), "bot": "ismcts", "seed": 1, "budget": Budget(), "max_seconds": 30.0, **more}
    )


def test_with_nothing_ahead_a_search_waits_for_the_first_worker_that_is_free() -> None:
    assert estimated_wait([4.0, 1.5, 3.0], []) == 1.5


def test_with_searches_ahead_each_takes_the_worker_that_is_free_first() -> None:
    # Free at 1 and 2. The first takes 1..5, the second 2..3, the third 3..9; the newcomer begins at 5.
    assert estimated_wait([2.0, 1.0], [4.0, 1.0, 6.0]) == 5.0


def test_one_worker_does_all_that_is_ahead() -> None:
    assert estimated_wait([0.5], [1.0, 2.0]) == 3.5


def test_a_tenth_of_its_time_is_the_least_a_search_needs() -> None:
    assert need(5.0) == 0.5


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"budget": Budget(seconds=5.0)}, 5.0),
        ({"budget": Budget(seconds=50.0)}, 30.0),
        ({"budget": Budget(seconds=5.0), "stop_by": 102.0}, 2.0),
        ({"budget": Budget(seconds=5.0), "stop_by": 99.0}, 0.0),
        ({"budget": Budget(iterations=10)}, FIRST_GUESS_SECONDS),
        (
            {"budget": Budget(iterations=10), "stop_by": 100.0 + FIRST_GUESS_SECONDS / 2},
            FIRST_GUESS_SECONDS / 2,
        ),
        ({"budget": Budget(iterations=10, seconds=5.0)}, FIRST_GUESS_SECONDS),
        ({}, FIRST_GUESS_SECONDS),
    ],
)
def test_a_search_is_expected_to_take_its_seconds_or_until_its_deadline_or_what_is_guessed(
    fields: dict[str, Any], seconds: float
) -> None:
    assert Durations().expected(search(**fields), now=100.0) == pytest.approx(seconds)


def test_a_search_like_one_that_was_measured_is_expected_to_take_as_long() -> None:
    durations = Durations()
    durations.learn(search(), 4.0, whole=True)
    assert durations.expected(search(seed=2), 0.0) == 4.0
    assert durations.expected(search(bot="mcts"), 0.0) == FIRST_GUESS_SECONDS
    assert durations.expected(search(budget=Budget(iterations=1)), 0.0) == FIRST_GUESS_SECONDS


def test_of_several_measurements_the_newest_counts_a_quarter() -> None:
    durations = Durations()
    for seconds in (4.0, 8.0, 1.0):
        durations.learn(search(), seconds, whole=True)
    # 4, then 4 + (8 - 4) / 4 = 5, then 5 + (1 - 5) / 4 = 4.
    assert durations.expected(search(), 0.0) == 4.0


def test_a_search_that_was_cut_short_makes_no_other_seem_shorter() -> None:
    durations = Durations()
    durations.learn(search(), 4.0, whole=True)
    durations.learn(search(), 0.01, whole=False)
    assert durations.expected(search(), 0.0) == 4.0
    durations.learn(search(), 8.0, whole=False)
    assert durations.expected(search(), 0.0) == 5.0
    fresh = Durations()
    fresh.learn(search(), 0.001, whole=False)
    assert fresh.expected(search(), 0.0) == FIRST_GUESS_SECONDS


def test_only_so_many_kinds_of_searches_are_remembered() -> None:
    durations = Durations()
    info = start()
    for number in range(KINDS + 1):
        durations.learn(search(info=info, bot=f"ismcts:c={number}"), 4.0, whole=True)
    assert durations.expected(search(bot="ismcts:c=0"), 0.0) == FIRST_GUESS_SECONDS
    assert durations.expected(search(bot="ismcts:c=1"), 0.0) == 4.0


def test_a_question_is_refused_for_a_minute_whatever_its_seed_and_budget() -> None:
    now = [1000.0]
    quarantine = Quarantine(lambda: now[0])
    assert not quarantine.holds(search())
    quarantine.add(search())
    assert quarantine.holds(search(seed=2, budget=Budget(iterations=5)))
    now[0] += QUARANTINE_SECONDS
    assert not quarantine.holds(search())


@pytest.mark.parametrize("other", [{"caller": "b"}, {"bot": "mcts"}, {"info": start(2)}])
def test_questions_of_another_caller_bot_or_position_are_not_refused(other: dict[str, Any]) -> None:
    quarantine = Quarantine(lambda: 0.0)
    quarantine.add(search(caller="a"))
    assert not quarantine.holds(search(**{"caller": "a", **other}))


def test_only_so_many_questions_are_remembered() -> None:
    quarantine, info = Quarantine(lambda: 0.0), start()
    for number in range(QUESTIONS + 1):
        quarantine.add(search(info=info, caller=str(number)))
    assert not quarantine.holds(search(caller="0"))
    assert quarantine.holds(search(caller="1"))
