"""Every bot in every game of the engine: legal moves, decisions from the view alone, equal trees."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kingsbridge.ai import Bot, Budget, bot_infos, make_bot
from kingsbridge.ai.ismcts import IsmctsParams, fresh_worlds
from kingsbridge.ai.mcts import fixed_world
from kingsbridge.ai.search import Tree
from kingsbridge.pyengine import Dealer, InformationSet, Rng, State, describe, game_names, load_game

BOTS = [info.name for info in bot_infos()]
TABLES = [
    (game, players)
    for game in game_names()
    for players in range(describe(game).min_players, describe(game).max_players + 1)
]
OPEN_GAME = "builders"
REPOSITORY = Path(__file__).parents[2]
every_bot = pytest.mark.parametrize("name", BOTS)
every_table = pytest.mark.parametrize(("game", "players"), TABLES)


def positions(game: str, players: int, seed: int, stride: int) -> Iterator[State]:
    """Every so many decisions of a game by native rollout policy."""
    state, dealer, rng = load_game(game, players), Dealer(seed), Rng(seed)
    dealer.settle(state)
    turn = 0
    while not state.is_terminal:
        if turn % stride == 0:
            yield state.copy()
        state.apply(state.sample_action(rng))
        dealer.settle(state)
        turn += 1


def knowledge(state: State) -> InformationSet:
    return state.information_set(state.current_player)


def grow(info: InformationSet, iterations: int, fresh: bool = True) -> Tree:
    tree = Tree(info, fresh_worlds if fresh else fixed_world, IsmctsParams(), 5)
    for _ in range(iterations):
        tree.iterate()
    return tree


@every_bot
@every_table
def test_a_bot_plays_a_whole_game_legally(game: str, players: int, name: str) -> None:
    bot = make_bot(name)
    state, dealer, rng = load_game(game, players), Dealer(3), Rng(3)
    dealer.settle(state)
    turn = 0
    while not state.is_terminal:
        info = knowledge(state)
        # random play runs into the cap on rounds, so it is made to end by the rollout policy
        decision = bot.choose(info, Budget(iterations=turn % 4), rng)
        assert decision.action in info.legal_actions()
        state.apply(decision.action if turn < 60 else state.sample_action(rng))
        dealer.settle(state)
        turn += 1
    assert turn > players


def test_the_principal_variation_can_be_played_and_stops_at_chance() -> None:
    longest = 0
    for state in positions(OPEN_GAME, 2, 11, stride=5):
        line = make_bot("mcts").choose(knowledge(state), Budget(300), Rng(1)).principal_variation
        for action in line:
            assert action in state.legal_actions()
            state.apply(action)
        longest = max(longest, len(line))
    assert longest > 2


@every_bot
@every_table
def test_a_decision_comes_from_the_view_alone(game: str, players: int, name: str) -> None:
    bot: Bot = make_bot(name)
    for state in positions(game, players, 12, stride=15):
        info = knowledge(state)
        sent = InformationSet.from_view(game, info.view())
        one, other = (bot.choose(each, Budget(60), Rng(4)) for each in (info, sent))
        assert (one.action, one.statistics) == (other.action, other.statistics)


@every_table
def test_no_byte_of_the_tree_depends_on_the_hidden_truth(game: str, players: int) -> None:
    for state in positions(game, players, 13, stride=15):
        info = knowledge(state)
        truth = list(grow(info, 150).trace())
        for seed in range(3):
            other = info.imagine(Rng(seed))  # may hold other hidden cards
            assert list(grow(knowledge(other), 150).trace()) == truth


def test_in_an_open_game_both_tree_searches_visit_the_same_actions_equally_often() -> None:
    for players in (2, 3, 4):
        for state in positions(OPEN_GAME, players, 14, stride=12):
            info = knowledge(state)
            one, other = (make_bot(name).choose(info, Budget(200), Rng(9)) for name in ("mcts", "ismcts"))
            assert one.statistics == other.statistics
            assert one.principal_variation == other.principal_variation
            assert list(grow(info, 100).trace()) == list(grow(info, 100, fresh=False).trace())


def fingerprint() -> str:
    """All trees of a game, as text."""
    return repr(
        [
            list(grow(knowledge(state), 120).trace())
            for game in game_names()
            for state in positions(game, describe(game).min_players, 15, stride=10)
        ]
    )


def test_the_same_seed_grows_the_same_trees_in_any_process() -> None:
    script = "from tests.ai.test_games import fingerprint\nprint(fingerprint())"
    outputs = set()
    for hash_seed in ("0", "4711"):
        command = [sys.executable, "-c", script]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            command, cwd=REPOSITORY, env=environment, check=True, capture_output=True, text=True
        )
        outputs.add(run.stdout.strip())
    assert outputs == {fingerprint()}
