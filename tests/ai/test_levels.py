"""Strength levels: there for every game, growing, replayable, and in nobody's way."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kingsbridge.ai import (
    BotOptionError,
    Budget,
    IsmctsBot,
    IsmctsParams,
    StopReason,
    UnknownLevelError,
    bot_infos,
    make_bot,
)
from kingsbridge.ai.arena import read_manifest
from kingsbridge.ai.bench import position_at
from kingsbridge.ai.levels import HIGHEST, Levels, levels
from kingsbridge.pyengine import InformationSet, Rng, describe, game_names
from tests.ai.toys import Countdown, FakeClock
from tests.architecture.sources import ROOT

TABLES = [
    (game, players)
    for game in game_names()
    for players in range(describe(game).min_players, describe(game).max_players + 1)
]
STEPS = range(1, HIGHEST + 1)
every_table = pytest.mark.parametrize(("game", "players"), TABLES)


def middle(game: str, players: int = 2) -> InformationSet:
    state = position_at(game, players, "middle").state
    return state.information_set(state.current_player)


def test_every_game_and_number_of_players_has_levels_and_no_other_has() -> None:
    data = levels().iterations
    assert {(game, players) for game in data for players in data[game]} == set(TABLES)


@every_table
def test_levels_are_ten_and_their_iterations_grow_strictly(game: str, players: int) -> None:
    steps = levels().iterations[game][players]
    assert len(steps) == 10
    assert all(isinstance(step, int) for step in steps)
    assert steps[0] > 0
    assert all(lower < higher for lower, higher in pairwise(steps))


def test_a_level_knows_no_less_than_the_one_below() -> None:
    usual = IsmctsParams()
    known = [IsmctsParams(level=level).at_level(*TABLES[0]) for level in STEPS]
    told = [(each.order == usual.order, each.bias, each.trust) for each in known]
    assert told[0] < (True, 0, 0)
    assert all(lower[:2] <= higher[:2] for lower, higher in pairwise(told))
    assert told[-1] == (True, usual.bias, usual.trust)


def test_all_that_a_level_sets_is_a_knob_of_the_bot_with_a_value_it_takes() -> None:
    for level in STEPS:
        knobs = levels().at(level, *TABLES[0])
        IsmctsParams(**knobs)  # refuses what it does not take
        assert set(knobs) == set(levels().set_by(level))
        assert not {"level", "seconds", "pace", "threads", "kernel"} & set(knobs)


@every_table
def test_a_level_is_the_search_with_its_knobs(game: str, players: int) -> None:
    info = middle(game, players)
    for level in (1, 3, 6):
        knobs = ",".join(f"{name}={value}" for name, value in levels().at(level, game, players).items())
        one, other = (
            make_bot(spec).choose(info, Budget(), Rng(5))
            for spec in (f"ismcts:level={level}", f"ismcts:{knobs}")
        )
        assert (one.action, one.statistics) == (other.action, other.statistics)
        assert one.iterations == levels().iterations[game][players][level - 1]


def test_games_and_numbers_of_players_have_levels_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Levels(
        {
            game: {players: tuple(100 * place + step for step in STEPS) for players in (2, 3, 4)}
            for place, game in enumerate(game_names(), 1)
        },
        {},
    )
    monkeypatch.setattr("kingsbridge.ai.ismcts.levels", lambda: data)
    for place, game in enumerate(game_names(), 1):
        assert make_bot("ismcts:level=4").choose(middle(game), Budget(), Rng(1)).iterations == 100 * place + 4


@pytest.mark.parametrize("game", game_names())
def test_a_level_replays_whatever_the_clock_says(game: str) -> None:
    bot, info = make_bot("ismcts:level=6"), middle(game)
    one, other = (bot.choose(info, Budget(), Rng(8), clock=FakeClock(step)) for step in (0.001, 1.0))
    assert (one.action, one.statistics, one.stop_reason) == (
        other.action,
        other.statistics,
        StopReason.ITERATIONS,
    )
    assert bot.choose(info, Budget(), Rng(9)).statistics != one.statistics


def test_the_callers_iterations_win_and_the_callers_time_bounds() -> None:
    bot, info = make_bot("ismcts:level=8"), middle(game_names()[0])

    def spent(budget: Budget) -> tuple[StopReason, int]:
        decision = bot.choose(info, budget, Rng(1), clock=FakeClock(0.001))
        return decision.stop_reason, decision.iterations

    assert spent(Budget(iterations=7)) == (StopReason.ITERATIONS, 7)
    assert spent(Budget(seconds=0.0)) == (StopReason.TIME, 0)
    assert spent(Budget(seconds=1e9)) == (StopReason.ITERATIONS, levels().iterations[game_names()[0]][2][7])


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("ismcts:level=3,iterations=50", ('"iterations" and "level"', "level 3")),
        ("ismcts:bias=0.03,level=1", ('"bias" and "level"', "level 1")),
        ("ismcts:order=random,level=2", ('"order" and "level"', "level 2")),
        ("ismcts:level=0", ('"level"', "from 1 to 10", "not 0")),
        ("ismcts:level=11", ('"level"', "from 1 to 10", "not 11")),
        ("ismcts:level=high", ('"level"', "from 1 to 10", '"high"')),
        ("ismcts:level=99,iterations=50", ('"level"', "from 1 to 10", "not 99")),
        ("mcts:level=3", ('"mcts" has no option "level"',)),
    ],
)
def test_a_level_is_refused_that_is_none_or_beside_a_knob_that_it_sets(
    spec: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(BotOptionError) as refusal:
        make_bot(spec)
    assert all(word in str(refusal.value) for word in words)


def test_params_made_in_code_are_checked_too() -> None:
    with pytest.raises(BotOptionError, match='"iterations" and "level"'):
        IsmctsParams(level=4, iterations=5)


def test_knobs_that_a_level_leaves_alone_may_be_given_with_it() -> None:
    bot = make_bot("ismcts:level=10,pace=quick,threads=2,seconds=1,bias=0.1")
    assert bot == IsmctsBot(IsmctsParams(level=10, pace="quick", threads=2, seconds=1.0, bias=0.1))


def test_a_game_without_levels_is_refused_by_name() -> None:
    bot = IsmctsBot(IsmctsParams(level=3, kernel="python"))
    with pytest.raises(UnknownLevelError) as refusal:
        bot.choose(Countdown().information_set(0), Budget(), Rng(1))
    assert 'no levels for game "Countdown"; games: ' in str(refusal.value)
    with pytest.raises(UnknownLevelError, match="with 7 players; players: 2, 3, 4"):
        levels().at(3, game_names()[0], 7)


def test_the_level_is_listed_among_the_options() -> None:
    (options,) = (info.options for info in bot_infos() if info.name == "ismcts")
    assert options["level"][:2] == ("int", None)
    assert "1 to 10" in options["level"].text


def test_the_manifest_of_the_levels_plays_each_against_the_one_below_in_every_game() -> None:
    matches = read_manifest(ROOT / "ai" / "ladder" / "levels.toml")
    played = {(m.game, m.players, m.specs) for m in matches}
    names = [f"ismcts:level={level},pace=quick" for level in STEPS]
    pairs = [
        (names[0], "greedy"),
        *((higher, lower) for lower, higher in pairwise(names)),
    ]
    assert played == {(*table, pair) for table in TABLES for pair in pairs}
    assert all(m.line_up == (0, *[1] * (m.players - 1)) for m in matches)
