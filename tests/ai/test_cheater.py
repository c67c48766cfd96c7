"""The search that cheats does cheat, so that what it wins more than a fair one means something.

That a fair bot does not: ``test_no_byte_of_the_tree_depends_on_the_hidden_truth`` and its like.
"""

from __future__ import annotations

import pytest

from kingsbridge.ai import Budget, IsmctsBot, IsmctsParams, UnknownBotError, bot_infos, make_bot
from kingsbridge.ai.bot import Decision, never
from kingsbridge.ai.search import SearchParams, search
from kingsbridge.ai.world import Sampler
from kingsbridge.pyengine import Dealer, Rng, State, game_names
from tests.ai.cheater import Cheater, Foreseen, foreseeing, fork, seeing, win_share
from tests.ai.test_games import knowledge, positions
from tests.ai.toys import FakeClock, HiddenCoin, Lotteries, Toy

FAIR = IsmctsBot(IsmctsParams(kernel="python"))
BUDGET = Budget(200)
WIDE = SearchParams(c=1.0)


class Told:
    """A fate that was told beforehand: by the action just played, the outcome."""

    def __init__(self, outcomes: dict[int, int]) -> None:
        self.outcomes = outcomes

    def outcome(self, state: Toy) -> int:
        return self.outcomes[state.history[-1]]


def decide(state: Toy, sampler: Sampler) -> Decision:
    info = state.information_set(state.current_player)
    return search(info, sampler, WIDE, Budget(400), Rng(7), clock=FakeClock(0), should_stop=never)


def cheats(state: State, dealer: Dealer, foresees: bool) -> Decision:
    return Cheater(foresees).choose(state, dealer, BUDGET, Rng(4))


def fair(state: State) -> Decision:
    return FAIR.choose(knowledge(state), BUDGET, Rng(4))


@pytest.mark.parametrize("side", [HiddenCoin.HEADS, HiddenCoin.TAILS])
def test_one_who_sees_guesses_the_hidden_coin_and_a_fair_one_takes_what_is_sure(side: int) -> None:
    state = HiddenCoin().after(HiddenCoin.COIN + side)
    assert decide(state, seeing(state)).action == side
    assert FAIR.choose(state.information_set(0), Budget(400), Rng(7)).action == HiddenCoin.SURE


@pytest.mark.parametrize(
    ("poor", "good", "best"),
    [
        (Lotteries.LOST, Lotteries.LOST, Lotteries.SURE),
        (Lotteries.WON, Lotteries.LOST, Lotteries.POOR),
        (Lotteries.LOST, Lotteries.WON, Lotteries.GOOD),
    ],
)
def test_one_who_foresees_takes_the_lottery_that_will_win_and_one_who_sees_the_better_one(
    poor: int, good: int, best: int
) -> None:
    fate = Told({Lotteries.POOR: poor, Lotteries.GOOD: good})
    assert decide(Lotteries(), foreseeing(Lotteries(), fate)).action == best
    assert decide(Lotteries(), seeing(Lotteries())).action == Lotteries.GOOD


def test_seeing_changes_choices_where_something_is_hidden() -> None:
    """Worlds that look the same to the mover: a fair one plays alike in all, one who sees does not."""
    changed = dict.fromkeys(game_names(), 0)
    for game in game_names():
        for info in map(knowledge, positions(game, 2, 1, stride=4)):
            worlds = [info.imagine(Rng(seed)) for seed in range(8)]
            if len(set(worlds)) > 1:
                assert len({repr(fair(world).statistics) for world in worlds[:3]}) == 1
                changed[game] += len({cheats(world, Dealer(1), False).action for world in worlds}) > 1
    assert changed.pop("builders") == 0  # a deck has no order before it is drawn: nothing is hidden
    assert all(count > 0 for count in changed.values()), changed


def test_where_nothing_is_hidden_one_who_sees_is_the_fair_one() -> None:
    """So what is measured is seeing and nothing else of the cheater."""
    decided = [
        (cheats(state, Dealer(1), False).statistics, fair(state).statistics)
        for state in positions("builders", 2, 5, stride=6)
        if len(state.legal_actions()) > 1
    ]
    assert len(decided) > 1
    assert all(seeing == blind for seeing, blind in decided)


@pytest.mark.parametrize("game", game_names())
def test_foreseeing_changes_choices_and_a_fair_one_has_no_dealer_to_ask(game: str) -> None:
    changed = 0
    for state in positions(game, 2, 12, stride=20):
        changed += len({cheats(state, Dealer(seed), True).action for seed in range(3)}) > 1
    assert changed > 0


@pytest.mark.parametrize("game", game_names())
def test_what_is_foreseen_comes_true(game: str) -> None:
    for start in positions(game, 2, 12, stride=15):
        dealer = Dealer(5)
        state, foreseen = start.copy(), Foreseen(start.copy(), fork(dealer))
        rng, same = Rng(2), Rng(2)
        while not state.is_terminal:
            if state.is_chance:
                state.apply(dealer.outcome(state))
                foreseen.apply(foreseen.sample_chance(same))
            else:
                action = state.sample_action(rng)
                state.apply(action)
                foreseen.apply(action)
            assert foreseen.key == state.key


@pytest.mark.parametrize("length", [None, 0, 25])
@pytest.mark.parametrize("game", game_names())
def test_a_rollout_meets_the_luck_of_the_dealer(game: str, length: int | None) -> None:
    start = next(positions(game, 2, 12, stride=1))
    state, dealer, rng = start.copy(), Dealer(5), Rng(2)
    for _ in range(10**6 if length is None else length):
        if state.is_terminal:
            break
        state.apply(state.sample_action(rng))
        dealer.settle(state)
    outcome = state.rollout(Rng(0), "light", 0)
    assert Foreseen(start.copy(), Dealer(5)).rollout(Rng(2), "light", length) == outcome


def test_a_fork_of_a_dealer_does_not_count_for_it() -> None:
    for state in positions("pillars", 2, 12, stride=15):
        used, fresh = Dealer(5), Dealer(5)
        Foreseen(state.copy(), fork(used)).rollout(Rng(1))
        Foreseen(state.copy(), used).copy().rollout(Rng(1))
        paths = [Foreseen(state.copy(), each).rollout(Rng(2)) for each in (used, fresh)]
        assert paths[0] == paths[1]
        assert used._seen == fresh._seen


def test_a_block_is_one_deal_from_either_seat() -> None:
    shares = [win_share("builders", Cheater(False), FAIR, Budget(0), seed) for seed in range(6)]
    assert all(2 * share in (0, 0.5, 1, 1.5, 2) for share in shares)
    # Without iterations the heuristic decides for both: who sits where makes no difference.
    assert shares == [0.5] * 6


def test_there_is_no_bot_that_cheats() -> None:
    assert not any("cheat" in info.name for info in bot_infos())
    with pytest.raises(UnknownBotError):
        make_bot("cheater")
