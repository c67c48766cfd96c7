"""UCB1 with availability, against numbers computed by hand."""

from __future__ import annotations

from math import log, sqrt

import pytest

from kingsbridge.ai.selection import Bandit, Rate, Weighing

PLAIN = -1e9
"""So little caution that every action is tried once before any is tried again: UCB1 as published."""
TRUST = 4.0
NEVER = 1e9
"""So much caution that no second action is ever tried."""


def weighing(
    exploration: float,
    caution: float = PLAIN,
    *,
    puct: bool = False,
    temperature: float = 1.0,
    widening: float = 0.0,
) -> Weighing:
    """With as many scales as any test needs."""
    by = Weighing(puct, exploration, caution, TRUST, temperature, widening)
    for _ in range(300):
        by.extend()
    return by


def fresh(
    legal: list[int], order: list[int], prior: dict[int, float] | None = None, by: Weighing | None = None
) -> Bandit:
    """A node with nothing tried; without a prior all actions are thought the same of."""
    return Bandit(0, legal, order, prior or dict.fromkeys(legal, 0.0), by or weighing(0.0))


def alike(*actions: int) -> Rate:
    """A rate that thinks the same of these actions."""
    return lambda: dict.fromkeys(actions, 0.0)


def bandit(*visits: tuple[int, int, int]) -> Bandit:
    """Actions with (action, visits, utility of each visit), all offered in every visit so far."""
    actions = [action for action, _, _ in visits]
    made = fresh(sorted(actions), actions)
    for slot, (_, count, utility) in enumerate(visits):
        for _ in range(count):
            made.reward(slot, utility)
    made.offers = sum(count for _, count, _ in visits)
    return made


def pick(made: Bandit, legal: list[int], exploration: float, caution: float = PLAIN) -> int:
    """The action picked; it is not rewarded."""
    made.by = weighing(exploration, caution)
    return made.actions[made.pick(legal, alike(*legal))]


def visit(made: Bandit, legal: list[int], utility: int, caution: float = PLAIN) -> int:
    """The action picked without exploration and rewarded."""
    made.by = weighing(0.0, caution)
    slot = made.pick(legal, alike(*legal))
    made.reward(slot, utility)
    return made.actions[slot]


def test_scales_are_the_exploration_by_the_root_of_the_logarithm_of_the_offers() -> None:
    scales = weighing(2.0).scales
    assert scales[:2] == [0.0, 0.0]
    assert [scales[offers] for offers in (2, 7, 100)] == [2 * sqrt(log(o)) for o in (2, 7, 100)]


def test_untried_actions_are_taken_in_their_order() -> None:
    made = fresh([5, 6, 7], [7, 5, 6])
    assert [visit(made, [5, 6, 7], 10) for _ in range(3)] == [7, 5, 6]


@pytest.mark.parametrize(("exploration", "picked"), [(0.999, 1), (1.001, 2)])
def test_the_bound_is_the_mean_plus_the_width(exploration: float, picked: int) -> None:
    # 4 visits of mean 10 and 1 visit of mean 8: at the 6th offer the bounds are equal if
    # 10 + c * sqrt(ln 6 / 4) = 8 + c * sqrt(ln 6)
    tie = 2 / (sqrt(log(6)) - sqrt(log(6) / 4))
    assert pick(bandit((1, 4, 10), (2, 1, 8)), [1, 2], tie * exploration) == picked


def test_equal_bounds_go_to_the_lower_action() -> None:
    assert pick(bandit((9, 2, 10), (3, 2, 10), (4, 2, 10)), [3, 4, 9], 1.0) == 3
    made = bandit((9, 2, 10), (3, 2, 10), (4, 2, 10))
    made.pick([1, 3, 4, 9], alike(1, 3, 4, 9))
    made.reward(3, 0)
    assert pick(made, [3, 4, 9], 0.0) == 3  # where offers differ, too


def test_without_exploration_the_best_mean_is_taken() -> None:
    assert pick(bandit((1, 9, 3), (2, 1, 4)), [1, 2], 0.0) == 2


@pytest.mark.parametrize(("caution", "picked"), [(0.001, 1), (0.0, 2), (-0.001, 2)])
def test_an_untried_action_passes_for_the_mean_of_the_node_less_the_caution(
    caution: float, picked: int
) -> None:
    # One visit of 10: its bound is 10 + scale, that of an untried action 10 - caution + scale.
    made = fresh([1, 2, 3], [1, 2, 3])
    visit(made, [1, 2, 3], 10)
    assert pick(made, [1, 2, 3], 5.0, caution) == picked


@pytest.mark.parametrize(("caution", "picked"), [(0.001, 1), (-0.001, 2)])
def test_caution_fades_as_the_rival_narrows(caution: float, picked: int) -> None:
    # 4 visits of 10, 5th offer: 10 + c * s / 2 against 10 - caution + c * s, s = sqrt(ln 5)
    made = fresh([1, 2], [1, 2])
    for _ in range(4):
        visit(made, [1, 2], 10, NEVER)
    assert pick(made, [1, 2], 4.0, caution + 4.0 * sqrt(log(5)) / 2) == picked


@pytest.mark.parametrize(("caution", "picked"), [(0.001, 1), (-0.001, 3)])
def test_caution_holds_where_offers_differ_too(caution: float, picked: int) -> None:
    made = fresh([1, 2], [1, 2])
    for _ in range(3):
        visit(made, [1, 2], 10, NEVER)
    visit(made, [1, 3], 10, NEVER)
    # action 1, 4 visits in 5 offers: 10 + 4 * sqrt(ln 5 / 4)
    # action 3, offered twice: 10 - caution + 4 * sqrt(ln 2)
    tie = 4 * sqrt(log(2)) - 4 * sqrt(log(5) / 4)
    assert pick(made, [1, 3], 4.0, tie + caution) == picked


def test_an_action_first_offered_now_is_the_next_to_be_tried() -> None:
    made = fresh([1, 2], [1, 2])
    visit(made, [1, 2], 10)
    assert visit(made, [1, 2, 7, 8], 10) == 7
    assert visit(made, [1, 2, 7, 8], 10) == 8
    assert visit(made, [1, 2, 7, 8], 10) == 2


def test_availability_counts_the_offers_of_each_action() -> None:
    made = bandit((1, 50, 10), (2, 50, 10))
    for legal in ([1, 2, 3], [1, 3], [2, 3], [1, 2]):
        visit(made, legal, 10)
    assert [made.available(action) for action in (1, 2, 3)] == [103, 103, 3]


def test_the_width_of_an_action_goes_by_its_own_availability() -> None:
    made = bandit((1, 100, 15))
    assert visit(made, [1, 3], 10) == 3
    made.reward(1, 10)
    # bounds: 15 + 10 * sqrt(ln 102 / 100) = 17.2, and 10 + 10 * sqrt(ln 2 / 2) = 15.9; by the visits of the
    # node, ln 102 in place of ln 2, the second would be 25.2
    assert pick(made, [1, 3], 10.0) == 1


def test_only_offered_actions_are_chosen() -> None:
    made = bandit((1, 5, 100), (2, 5, 0))
    assert visit(made, [2], 0) == 2
    assert visit(made, [2, 4], 0) == 4
    assert visit(made, [2], 0) == 2


def test_an_untried_action_waits_until_it_is_offered() -> None:
    made = fresh([1, 2], [2, 1])
    assert [visit(made, [1, 3], 9) for _ in range(3)] == [3, 1, 1]
    assert visit(made, [1, 2, 3], 9) == 2


def test_the_offers_of_the_caller_are_not_changed() -> None:
    legal, order = [1, 2], [2, 1]
    made = fresh(legal, order)
    visit(made, [1, 5], 0)
    assert legal == [1, 2]


@pytest.mark.parametrize(("behind", "picked"), [(2.999, 2), (3.001, 1)])
def test_what_was_thought_of_an_action_counts_the_less_the_more_is_known(behind: float, picked: int) -> None:
    # 2 visits of each: action 2 is better by 2, and thought worse by behind * 4 / (4 + 2)
    made = fresh([1, 2], [1, 2], {1: 0.0, 2: -behind})
    for slot, utility in ((0, 8), (0, 8), (1, 10), (1, 10)):
        made.reward(slot, utility)
    made.offers = 4
    assert pick(made, [1, 2], 0.0) == picked
    assert pick(made, [1, 2, 3], 0.0, NEVER) == picked  # where offers differ, too


@pytest.mark.parametrize(("behind", "picked"), [(0.999, 2), (1.001, 1)])
def test_an_untried_action_is_judged_by_all_that_was_thought_of_it(behind: float, picked: int) -> None:
    # One visit of 10, no caution beyond -1: 10 against 10 + 1 - behind
    made = fresh([1, 2], [1, 2], {1: 0.0, 2: -behind})
    visit(made, [1, 2], 10)
    assert pick(made, [1, 2], 0.0, -1.0) == picked


@pytest.mark.parametrize(("behind", "picked"), [(1.001, 1), (0.999, 3)])
def test_an_action_never_offered_before_is_rated_in_its_own_state(behind: float, picked: int) -> None:
    made = fresh([1, 2], [1, 2])
    visit(made, [1, 2], 10)
    rated = {1: 0.0, 3: -behind}
    made.by = weighing(0.0, -1.0)
    assert made.actions[made.pick([1, 3], lambda: rated)] == picked


def test_the_most_visited_is_sought_among_the_offered() -> None:
    made = bandit((1, 5, 1), (3, 3, 9), (2, 3, 9), (4, 0, 0))
    assert made.most_visited([1, 2, 3, 4]) == 1
    assert made.most_visited([2, 3, 4]) == 2
    assert made.most_visited([4]) is None


def test_rows_tell_all_there_is_to_an_action() -> None:
    made = bandit((2, 3, 7), (1, 0, 0))
    assert made.rows() == [(1, 0, 3, 0), (2, 3, 3, 21)]


PUCT_PRIOR = {1: 0.0, 2: -log(3.0)}
"""By temperature 1 the odds are 1 : 1/3, the priors 3/4 and 1/4."""


def puct_bandit(visits: int, utility: int, other_visits: int, other: int) -> Bandit:
    made = fresh([1, 2], [1, 2], PUCT_PRIOR, weighing(0.0, puct=True))
    for slot, count, value in ((0, visits, utility), (1, other_visits, other)):
        for _ in range(count):
            made.reward(slot, value)
    made.offers = visits + other_visits
    return made


@pytest.mark.parametrize(("exploration", "picked"), [(0.999, 1), (1.001, 2)])
def test_puct_weighs_the_width_by_the_prior(exploration: float, picked: int) -> None:
    # At the 16th offer, after 14 visits of mean 10 and 1 of mean 9. The prior fades: trust 4 leaves
    # -ln 3 * 4 / (4 + 1) of it as bias. Equal if 10 + c * 4 * 3/4 / 15 = 9 - ln 3 * 4/5 + c * 4 * 1/4 / 2.
    made = puct_bandit(14, 10, 1, 9)
    tie = (1 + log(3.0) * 4 / 5) / (4 * 0.25 / 2 - 4 * 0.75 / 15)
    made.by = weighing(tie * exploration, puct=True)
    assert made.actions[made.pick([1, 2], alike(1, 2))] == picked


@pytest.mark.parametrize(("exploration", "picked"), [(0.999, 1), (1.001, 2)])
def test_puct_judges_an_untried_action_by_its_whole_prior(exploration: float, picked: int) -> None:
    # At the 9th offer, one action with 8 visits of mean 10, the other untried: it passes for the mean, and
    # its bias is whole. Equal if 10 + c * 3 * 3/4 / 9 = 10 - ln 3 + c * 3 * 1/4 / 1.
    made = puct_bandit(8, 10, 0, 0)
    tie = log(3.0) / (0.75 - 0.25)
    made.by = weighing(tie * exploration, 0.0, puct=True)
    assert made.actions[made.pick([1, 2], alike(1, 2))] == picked


@pytest.mark.parametrize(("widening", "tried"), [(0.0, 4), (0.5, 2), (1.0, 3), (2.0, 4)])
def test_widening_considers_more_actions_the_more_visits_there_are(widening: float, tried: int) -> None:
    # n^0.4 passes 1 at n = 1, 2 at 5.7, 3 at 15.6, 4 at 32; the last pick comes after 14 visits.
    for legal in ([1, 2, 3, 4], [1, 2, 3, 4, 5]):
        made = fresh([1, 2, 3, 4], [1, 2, 3, 4], by=weighing(0.0, PLAIN, widening=widening))
        for _ in range(15):
            made.reward(made.pick(legal[:4], alike(*legal)), 1)
        assert len(made.visits) == tried


def test_widening_counts_where_offers_differ_too() -> None:
    made = fresh([1, 2], [1, 2], by=weighing(0.0, PLAIN, widening=1.0))
    for legal in ([1, 2], [1, 2, 3], [1, 2, 4], [1, 2, 3], [1, 2, 3], [1, 2, 3]):
        made.reward(made.pick(legal, alike(*legal)), 1)
    # A second action from 1 < n^0.4, n = 2 on: the one that is new then. A third at 2 < n^0.4, n = 6 only.
    assert dict(zip(made.actions, made.visits, strict=True)) == {1: 5, 4: 1}
