"""What comes into question at the root, as a caller wishes."""

from __future__ import annotations

from typing import Any

import pytest

from kingsbridge.ai import Budget, ChoiceError, Decision, StopReason, among_of, make_bot
from kingsbridge.pyengine import Dealer, InformationSet, Rng, game_names, load_game

SEARCHERS = [
    "flat_mc",
    "mcts",
    "ismcts",
    "ismcts:threads=2",
    "mcts:kernel=python",
    "ismcts:kernel=python",
    "ismcts:kernel=python,threads=2",
]
USUAL = Budget(60)
every_bot = pytest.mark.parametrize("spec", ["random", "greedy", *SEARCHERS])
every_game = pytest.mark.parametrize("game", game_names())


def position(game: str, seed: int = 1) -> InformationSet:
    """An early decision with a real choice."""
    state, dealer, rng = load_game(game, 3), Dealer(seed), Rng(seed)
    dealer.settle(state)
    while len(state.legal_actions()) < 5:
        state.apply(state.sample_action(rng))
        dealer.settle(state)
    return state.information_set(state.current_player)


def choose(spec: str, info: InformationSet, among: Any, budget: Budget = USUAL, seed: int = 1) -> Decision:
    return make_bot(spec).choose(info, budget, Rng(seed), among=among)


@every_bot
@every_game
def test_only_what_is_asked_for_is_considered(spec: str, game: str) -> None:
    info = position(game)
    legal = info.legal_actions()
    assert len(legal) > 3
    for budget in (Budget(0), Budget(1), Budget(60)):
        for among in (legal[:1], legal[-1:], legal[1:3], set(legal[2:]), tuple(reversed(legal[::2]))):
            decision = choose(spec, info, among, budget)
            assert decision.action in among
            assert decision.principal_variation[0] == decision.action
            assert {row.action for row in decision.statistics} <= set(among)


@every_bot
@every_game
def test_all_legal_actions_and_none_given_are_the_same(spec: str, game: str) -> None:
    info = position(game)
    usual, given = choose(spec, info, None), choose(spec, info, info.legal_actions())
    assert (usual.action, usual.statistics, usual.stop_reason) == (
        given.action,
        given.statistics,
        given.stop_reason,
    )


@pytest.mark.parametrize("spec", SEARCHERS)
def test_one_action_among_several_is_searched_for_its_value(spec: str) -> None:
    info = position("builders")
    for action in info.legal_actions()[:3]:
        decision = choose(spec, info, [action])
        assert (decision.action, decision.stop_reason) == (action, StopReason.ITERATIONS)
        (row,) = decision.statistics
        assert (row.action, row.visits, row.availability) == (action, 60, 60)
        assert all(0 < value < 1 for value in row.values)


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_one_action_among_several_is_no_forced_one(spec: str) -> None:
    info = position("builders")
    assert choose(spec, info, info.legal_actions()[1:2]).stop_reason is StopReason.POLICY


@pytest.mark.parametrize("spec", ["greedy", *SEARCHERS])
def test_without_iterations_the_heuristic_decides_among_them(spec: str) -> None:
    info = position("builders")
    values = dict(zip(info.legal_actions(), info.imagine(Rng(3)).heuristic(), strict=True))
    best = max(values, key=lambda action: (values[action], -action))
    rest = [action for action in values if action != best]
    assert choose(spec, info, None, Budget(0)).action == best
    assert choose(spec, info, rest, Budget(0)).action == max(
        rest, key=lambda action: (values[action], -action)
    )


def test_random_plays_each_of_them() -> None:
    info = position("builders")
    among = info.legal_actions()[1:4]
    assert {choose("random", info, among, seed=seed).action for seed in range(60)} == set(among)


@every_bot
def test_none_or_an_illegal_one_is_refused(spec: str) -> None:
    info = position("builders")
    with pytest.raises(ValueError, match="among: at least one action is needed"):
        choose(spec, info, [])
    with pytest.raises(ValueError, match="among: 1 is not legal"):
        choose(spec, info, [info.legal_actions()[0], 1])


def test_what_to_allow_and_to_avoid_makes_what_is_considered() -> None:
    legal = [3, 5, 8]
    assert among_of(legal, [], []) is None
    assert among_of(legal, [8, 3], []) == [3, 8]
    assert among_of(legal, [], [5]) == [3, 8]
    assert among_of(legal, [3, 5], [5, 8]) == [3]


@pytest.mark.parametrize(
    ("allow", "avoid", "message"),
    [
        ([3, 4], [], "allow: 4 is not legal"),
        ([], [9], "avoid: 9 is not legal"),
        ([], [3, 5, 8], "avoid: it leaves no action"),
        ([5], [5], "avoid: it leaves no action"),
    ],
)
def test_what_cannot_be_met_is_refused_by_field(allow: list[int], avoid: list[int], message: str) -> None:
    with pytest.raises(ChoiceError, match=message) as refusal:
        among_of([3, 5, 8], allow, avoid)
    assert refusal.value.field == message.partition(":")[0]
