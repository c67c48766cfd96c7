"""Matches between cheap bots: shared luck, fair seats, honest numbers."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from typing import Any

import pytest

from kingsbridge.ai import (
    Bot,
    BotFaultError,
    BotOptionError,
    Budget,
    DealError,
    Decision,
    GreedyBot,
    RandomBot,
    StopReason,
    UnknownBotError,
    play_game,
    play_match,
)
from kingsbridge.ai.arena.match import MatchResult, summarize
from kingsbridge.pyengine import InformationSet, OptionError, Rng, UnknownGameError, game_names, load_game

GAME = game_names()[0]
SEED = 2026


class Breaker:
    """A bot that answers with a fixed number, or fails."""

    name = "breaker"

    def __init__(self, answer: int | None) -> None:
        self.answer = answer

    def choose(self, info: InformationSet, budget: Budget, rng: Rng, **_: Any) -> Decision:
        if self.answer is None:
            raise RuntimeError("out of ideas")
        return Decision(self.answer, (), (self.answer,), 0, 0.0, StopReason.POLICY)


class Wasteful(RandomBot):
    """Plays like random, but draws more of its generator."""

    def choose(self, info: Any, budget: Budget, rng: Rng, **_: Any) -> Decision:
        rng.next()
        return super().choose(info, budget, rng)


@pytest.fixture(scope="module")
def mirror() -> MatchResult:
    return play_match(GAME, 2, ["random", "random"], 60, SEED)


def test_a_game_replays_from_its_actions() -> None:
    result = play_game(GAME, 3, {}, [RandomBot(), GreedyBot(), RandomBot()], SEED)
    state = load_game(GAME, 3, **result.options)
    for action in result.actions:
        state.apply(action)
    assert state.is_terminal
    assert (state.scores(), state.ranks(), state.win_shares()) == (
        result.scores,
        result.ranks,
        result.win_shares,
    )
    assert result.actions[: len(result.opening)] == result.opening
    assert 0 < result.opening_probability < 1
    assert 0 < result.decisions < len(result.actions)


def test_the_same_seed_plays_the_same_game_and_another_seed_another() -> None:
    bots: list[Bot] = [RandomBot(), GreedyBot()]
    assert play_game(GAME, 2, {}, bots, SEED) == play_game(GAME, 2, {}, bots, SEED)
    assert play_game(GAME, 2, {}, bots, SEED).opening != play_game(GAME, 2, {}, bots, SEED + 1).opening
    assert play_game(GAME, 2, {}, bots, SEED, number=1).actions != play_game(GAME, 2, {}, bots, SEED).actions


def test_what_a_bot_draws_changes_neither_the_deal_nor_the_other_bot() -> None:
    plain = play_game(GAME, 2, {}, [RandomBot(), GreedyBot()], SEED)
    wasteful = play_game(GAME, 2, {}, [Wasteful(), GreedyBot()], SEED)
    assert plain.opening == wasteful.opening
    assert plain.actions != wasteful.actions


class Noted(RandomBot):
    """A bot that writes down the first number it is given in a game."""

    def __init__(self, notes: list[int]) -> None:
        super().__init__()
        object.__setattr__(self, "notes", notes)

    def choose(self, info: Any, budget: Budget, rng: Rng, **_: Any) -> Decision:
        notes: list[int] = self.__dict__["notes"]
        notes.append(rng.next())
        return super().choose(info, budget, rng)


def test_every_seat_of_every_rotation_has_a_stream_of_its_own() -> None:
    first_numbers: set[int] = set()
    for rotation in range(3):
        notes: list[list[int]] = [[], [], []]
        play_game(GAME, 3, {}, [Noted(each) for each in notes], SEED, number=rotation)
        first_numbers.update(each[0] for each in notes)
    assert len(first_numbers) == 9


def test_all_rotations_of_a_block_are_dealt_alike_and_blocks_differently(mirror: MatchResult) -> None:
    openings = [{result.opening for result in block} for block in mirror.played]
    assert all(len(deal) == 1 for deal in openings)
    assert len(set.union(*openings)) == mirror.blocks


def test_equal_bots_share_the_wins_equally(mirror: MatchResult) -> None:
    for bot in mirror.bots:
        low, high = bot.win_share_ci95
        assert low < 0.5 < high
        assert 0.02 < high - low < 0.5
    assert sum(bot.win_share for bot in mirror.bots) == pytest.approx(1.0)


def test_three_seats_for_two_bots_give_equal_bots_a_third_each() -> None:
    result = play_match(GAME, 3, ["random", "random"], 40, SEED)
    assert [bot.games for bot in result.bots] == [40 * 3 * 2, 40 * 3]
    for bot in result.bots:
        low, high = bot.win_share_ci95
        assert low < 1 / 3 < high
    assert 2 * result.bots[0].win_share + result.bots[1].win_share == pytest.approx(1.0)


def test_a_bot_that_does_not_draw_gets_exactly_half_of_itself() -> None:
    result = play_match(GAME, 2, ["greedy", "greedy"], 5, SEED)
    assert [bot.win_share for bot in result.bots] == [0.5, 0.5]
    low, high = result.bots[0].win_share_ci95
    assert low < 0.5 < high  # five blocks alike


def test_the_heuristic_beats_chance() -> None:
    greedy, chance = play_match(GAME, 2, ["greedy", "random"], 30, SEED).bots
    assert greedy.win_share_ci95[0] > 0.8
    assert greedy.mean_score > chance.mean_score


def test_the_numbers_are_those_of_the_games(mirror: MatchResult) -> None:
    first = mirror.bots[0]
    games = [(block[0], 0) for block in mirror.played] + [(block[1], 1) for block in mirror.played]
    assert first.games == len(games) == 120
    assert first.win_share == pytest.approx(sum(game.win_shares[seat] for game, seat in games) / 120)
    assert first.mean_score == pytest.approx(sum(game.scores[seat] for game, seat in games) / 120)
    assert mirror.games == 120
    assert mirror.decisions == sum(game.decisions for block in mirror.played for game in block)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_result_does_not_depend_on_the_number_of_workers(workers: int) -> None:
    bots = ["ismcts:iterations=20", "random"]
    options = {next(iter(load_game(GAME, 2).options)): 5}
    alone = play_match(GAME, 2, bots, 4, SEED, options=options)
    assert play_match(GAME, 2, bots, 4, SEED, options=options, workers=workers) == alone


def test_blocks_are_put_in_order_however_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(work: Any, next_task: Any, workers: int) -> Any:
        return ((number, work(number)) for number in reversed(list(iter(next_task, None))))

    monkeypatch.setattr("kingsbridge.ai.arena.match.share_out", backwards)
    assert play_match(GAME, 2, ["random"], 3, SEED, workers=2) == play_match(GAME, 2, ["random"], 3, SEED)


def test_the_budget_of_the_match_wins_over_the_bots_own() -> None:
    bots = ["flat_mc:iterations=1000000", "greedy"]
    assert play_match(GAME, 2, bots, 1, SEED, budget=Budget(iterations=0)).bots[0].win_share == 0.5


class Timed(RandomBot):
    """A bot that writes down the clock it is given."""

    def __init__(self, clocks: set[object]) -> None:
        super().__init__()
        object.__setattr__(self, "clocks", clocks)

    def choose(self, info: Any, budget: Budget, rng: Rng, **more: Any) -> Decision:
        self.__dict__["clocks"].add(more["clock"])
        return super().choose(info, budget, rng)


@pytest.mark.parametrize(
    ("more", "clock"),
    [({}, time.monotonic), ({"clock": "wall"}, time.monotonic), ({"clock": "cpu"}, time.process_time)],
)
def test_the_match_says_by_which_clock_its_bots_think(
    more: dict[str, str], clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks: set[object] = set()
    monkeypatch.setattr("kingsbridge.ai.arena.match.Bots.seated", lambda *_, **more: Timed(clocks))
    play_match(GAME, 2, ["random"], 1, SEED, **more)  # type: ignore[arg-type]
    assert clocks == {clock}


def test_the_json_object_has_the_agreed_shape(mirror: MatchResult) -> None:
    written = json.loads(json.dumps(mirror.to_json()))
    assert list(written) == ["game", "players", "blocks", "bots"]
    assert (written["game"], written["players"], written["blocks"]) == (GAME, 2, 60)
    for bot in written["bots"]:
        assert list(bot) == ["bot", "games", "win_share", "win_share_ci95", "mean_score"]
        assert bot["bot"] == "random"
        assert bot["games"] == 120
        low, high = bot["win_share_ci95"]
        assert 0 <= low <= bot["win_share"] <= high <= 1


def test_progress_is_told_block_by_block() -> None:
    told: list[tuple[int, int]] = []
    play_match(GAME, 2, ["random"], 3, SEED, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_an_illegal_answer_names_the_bot_and_its_seat() -> None:
    with pytest.raises(BotFaultError, match=r'bot "breaker" in seat 1 answered 4294967295, which is illegal'):
        play_game(GAME, 2, {}, [RandomBot(), Breaker(0xFFFFFFFF)], SEED)


def test_a_bot_that_raises_is_named_and_its_error_is_the_cause() -> None:
    with pytest.raises(BotFaultError, match='bot "breaker" in seat 1 raised RuntimeError: out of') as raised:
        play_game(GAME, 2, {}, [RandomBot(), Breaker(None)], SEED)
    assert isinstance(raised.value.__cause__, RuntimeError)


def test_deals_that_repeat_or_differ_where_they_must_not_are_an_error(mirror: MatchResult) -> None:
    first, second, *_ = mirror.played
    with pytest.raises(DealError, match="blocks 0 and 2 were dealt alike"):
        summarize(["random", "random"], SEED, [first, second, first])
    with pytest.raises(DealError, match="block 0 were dealt differently"):
        summarize(["random", "random"], SEED, [(first[0], second[1])])
    small = tuple(replace(result, opening_probability=1 / 6) for result in first)
    assert (
        summarize(["random", "random"], SEED, [small, small]).blocks == 2
    )  # a small box deals alike by chance


def test_a_match_that_cannot_be_played_is_refused_before_it_starts() -> None:
    def refuse(error: type[Exception], match: str, **changes: Any) -> None:
        told: list[int] = []
        arguments: dict[str, Any] = {"game": GAME, "players": 2, "bots": ["random"], "blocks": 1, "seed": 1}
        with pytest.raises(error, match=match):
            play_match(**{**arguments, **changes}, on_progress=lambda done, total: told.append(done))
        assert told == []

    refuse(UnknownGameError, "no such game", game="no such game")
    refuse(OptionError, "players", players=99)
    refuse(OptionError, "no_such_option", options={"no_such_option": 1})
    refuse(UnknownBotError, "hal", bots=["random", "hal"])
    refuse(BotOptionError, "depth", bots=["mcts:depth=3"])
    refuse(ValueError, "3 bots for 2 seats", bots=["random"] * 3)
    refuse(ValueError, "0 bots for 2 seats", bots=[])
    refuse(ValueError, "needs a block", blocks=0)
    refuse(ValueError, "128 bits", seed=-1)
    refuse(ValueError, "worker", workers=0)
    refuse(ValueError, "clocks: wall, cpu", clock="sun")
    slow = {"bots": [f"exec:{sys.executable}", "greedy"], "budget": Budget(seconds=0.1)}
    refuse(ValueError, "does not measure bots of other processes", clock="cpu", **slow)
    with pytest.raises(ValueError, match="1 bots for 2 seats"):
        play_game(GAME, 2, {}, [RandomBot()], 1)
