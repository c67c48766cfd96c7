"""UCB1 with availability, against numbers computed by hand."""

from __future__ import annotations

from math import log, sqrt

from kingsbridge.ai.selection import Bandit

PLAIN = -1e9
"""So little caution that every action is tried once before any is tried again: UCB1 as published."""


def bandit(*visits: tuple[int, int, int]) -> Bandit:
    """Actions with (action, visits, utility of each visit), all tried, all always offered."""
    actions = [action for action, _, _ in visits]
    made = Bandit(0, actions, list(reversed(range(len(actions)))))
    for slot, (_, count, utility) in enumerate(visits):
        for _ in range(count):
            made.reward(slot, utility)
    for _ in actions:
        made.pick(actions, 0.0, PLAIN)
    made.offers = sum(count for _, count, _ in visits)
    return made


def test_untried_actions_are_taken_from_the_end_of_the_order() -> None:
    made = Bandit(0, [5, 6, 7], [1, 0, 2])
    assert [made.pick([5, 6, 7], 1.0, PLAIN) for _ in range(3)] == [2, 0, 1]


def test_the_bound_is_the_mean_plus_the_width() -> None:
    # 4 visits of mean 10 and 1 visit of mean 8: after 6 offers the bounds are
    # 10 + c * 0.669 and 8 + c * 1.339.
    assert sqrt(log(6) / 4) < 0.67
    tie = 2 / (sqrt(log(6)) - sqrt(log(6) / 4))
    assert bandit((1, 4, 10), (2, 1, 8)).pick([1, 2], tie * 0.999, PLAIN) == 0
    assert bandit((1, 4, 10), (2, 1, 8)).pick([1, 2], tie * 1.001, PLAIN) == 1


def test_equal_bounds_go_to_the_lower_action() -> None:
    assert bandit((3, 2, 10), (4, 2, 10), (9, 2, 10)).pick([3, 4, 9], 1.0, PLAIN) == 0


def test_without_exploration_the_best_mean_is_taken() -> None:
    assert bandit((1, 9, 3), (2, 1, 4)).pick([1, 2], 0.0, PLAIN) == 1


def test_an_untried_action_is_judged_by_the_mean_of_the_node_less_the_caution() -> None:
    # One visit of 10: its bound is 10 + scale, that of an untried action 10 - caution + scale.
    for caution, slot in ((0.001, 0), (0.0, 1), (-0.001, 1)):
        made = Bandit(0, [1, 2, 3], [2, 1, 0])
        made.reward(made.pick([1, 2, 3], 5.0, caution), 10)
        assert made.pick([1, 2, 3], 5.0, caution) == slot
    # After 4 visits of mean 10 (5 offers): 10 + c / 2 * s against 10 - caution + c * s, s = sqrt(ln 5).
    for caution, slot in ((2 * sqrt(log(5)) + 0.001, 0), (2 * sqrt(log(5)) - 0.001, 1)):
        made = Bandit(0, [1, 2], [1, 0])
        for _ in range(4):
            made.reward(made.pick([1, 2], 4.0, 1e9), 10)
        assert made.pick([1, 2], 4.0, caution) == slot


def test_the_caution_holds_where_offers_differ_too() -> None:
    for caution, slot in ((2 * sqrt(log(4)) + 0.001, 0), (-0.001, 2)):
        made = Bandit(0, [1, 2], [1, 0])
        for _ in range(3):
            made.reward(made.pick([1, 2], 4.0, 1e9), 10)
        made.pick([1, 3], 4.0, 1e9)
        # action 1: 10 + 4 * sqrt(ln 5 / 3) = 12.9; action 3, offered twice: 10 - caution + 4 * sqrt(ln 2)
        assert made.pick([1, 3], 4.0, caution) == slot


def test_an_action_seldom_offered_is_judged_by_its_own_offers() -> None:
    made = bandit((1, 50, 10), (2, 50, 10))
    assert made.pick([1, 2, 3], 1.0, PLAIN) == 2  # never seen before, so tried at once
    made.reward(2, 10)
    assert [made.available(slot) for slot in range(3)] == [101, 101, 1]
    # offered twice, tried once: width sqrt(ln 2 / 1) = 0.83; the others sqrt(ln 102 / 50) = 0.30
    assert made.pick([1, 2, 3], 1.0, PLAIN) == 2
    made.reward(2, 0)
    # Now its mean is 5 and the exploration does not reach 10.
    assert made.pick([1, 2, 3], 1.0, PLAIN) == 0
    assert made.pick([2, 3], 1.0, PLAIN) == 1
    assert [made.available(slot) for slot in range(3)] == [103, 104, 4]


def test_the_width_of_an_action_goes_by_its_own_availability() -> None:
    made = bandit((1, 100, 15))
    assert made.pick([1, 3], 10.0, PLAIN) == 1
    made.reward(1, 10)
    made.reward(1, 10)
    # bounds: 15 + 10 * sqrt(ln 102 / 100) = 17.2, and 10 + 10 * sqrt(ln 2 / 2) = 15.9; by the visits of the
    # node, ln 102 in place of ln 2, the second would be 25.2
    assert made.pick([1, 3], 10.0, PLAIN) == 0


def test_only_offered_actions_are_chosen() -> None:
    made = bandit((1, 5, 100), (2, 5, 0))
    assert made.pick([2], 1.0, PLAIN) == 1
    assert made.pick([2, 4], 1.0, PLAIN) == 2


def test_an_untried_action_waits_until_it_is_offered() -> None:
    made = Bandit(0, [1, 2], [1, 0])
    assert made.pick([1, 3], 1.0, PLAIN) == 2
    made.reward(2, 0)
    assert made.pick([1, 3], 1.0, PLAIN) == 0
    made.reward(0, 9)
    assert made.pick([1, 3], 1.0, PLAIN) == 0
    made.reward(0, 9)
    assert made.pick([1, 2, 3], 1.0, PLAIN) == 1


def test_the_offers_of_the_caller_are_not_changed() -> None:
    legal = [1, 2]
    made = Bandit(0, legal, [1, 0])
    made.pick([1, 5], 1.0, PLAIN)
    assert legal == [1, 2]


def test_the_most_visited_is_sought_among_the_offered() -> None:
    made = bandit((1, 5, 1), (2, 3, 9), (3, 3, 9), (4, 0, 0))
    assert made.most_visited([1, 2, 3, 4]) == 1
    assert made.most_visited([2, 3, 4]) == 2
    assert made.most_visited([4]) is None
