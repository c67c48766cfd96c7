"""Tournaments: which game is next, what is played again, and what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai import make_bot, play_game
from kingsbridge.ai.arena import (
    Contest,
    DealError,
    Ending,
    Entrant,
    FaultPolicy,
    GameKey,
    Hypotheses,
    PlayedGame,
    Store,
    TimeControl,
    counted_blocks,
    open_reader,
    play_tournament,
    resumed,
)
from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.formats import AHEAD, Seats
from kingsbridge.ai.arena.schedule import block_seed
from kingsbridge.ai.arena.tournament import Answer, NoWatcher, Player, Run, Task
from kingsbridge.ai.levels import levels
from kingsbridge.ai.signatures import signatures
from kingsbridge.pyengine import ENGINE_VERSION, GameRecord, describe, game_names

GAME = game_names()[0]


def bots(*specs: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"{number} {spec}", spec) for number, spec in enumerate(specs))


MATCH = Contest("a", "match", GAME, 2, bots("greedy", "random"), 2, line_up=(0, 1))
CONTESTS = (MATCH, replace(MATCH, id="b", seed=2, blocks=1))


def here(
    work: Callable[[Any], Any], next_task: Callable[[], Any], workers: int, pause: float
) -> Iterator[tuple[Any, Any]]:
    """A crew of this process, so that tests see every task."""
    while (task := next_task()) is not None:
        yield task, work(task)


def play(path: Path, contests: Sequence[Contest] = CONTESTS, **more: Any) -> list[tuple[str, int, int]]:
    """Plays, and returns the games that were played: contest, block, number, in the order they ended."""
    watcher = Noting()
    with Store(path) as store:
        arguments: dict[str, Any] = {"crew": here, "watcher": watcher} | more
        play_tournament(contests, store, **arguments)
    return watcher.played


class Noting(NoWatcher):
    """Writes down what was played."""

    def __init__(self) -> None:
        self.played: list[tuple[str, int, int]] = []

    def game(self, run: Run, key: GameKey, game: PlayedGame) -> None:
        self.played.append((key.contest, key.block, key.game))


def kept(path: Path, contests: Sequence[Contest] = CONTESTS) -> list[tuple[str, int, list[PlayedGame]]]:
    """All that counts, times aside."""
    with open_reader(path) as reader:
        return [
            (run.contest.id, block, [replace(game, cpu_seconds=0.0, seconds=()) for game in games])
            for run in resumed(contests, reader)
            for block, games in counted_blocks(run, reader)
        ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results"


def test_next_is_the_contest_with_the_least_part_of_its_games_begun_and_the_first_of_equals(
    path: Path,
) -> None:
    # Begun of a and b before each: 0 0, 1/4 0, 1/4 1/2, 2/4 1/2, 3/4 1/2, 3/4 1.
    assert play(path) == [("a", 0, 0), ("b", 0, 0), ("a", 0, 1), ("a", 1, 0), ("b", 0, 1), ("a", 1, 1)]


def test_only_missing_games_are_played(path: Path) -> None:
    first = play(path, seconds=4, clock=count().__next__)  # after three games the time is up
    assert len(first) == 3
    assert sorted(first + play(path)) == [(c, b, g) for c, b, g in sorted(play(path.with_name("whole")))]
    assert play(path) == []


def test_a_game_is_kept_whole_with_all_that_made_it(path: Path) -> None:
    play(path, [MATCH])
    for _, block, games in kept(path, [MATCH]):
        for number, game in enumerate(games):
            seated = [make_bot(MATCH.entrants[entrant].spec) for entrant in game.seats]
            again = play_game(GAME, 2, {}, seated, block_seed(1, block), number=number)
            assert game.seed == block_seed(1, block)
            assert (game.scores, game.ranks, game.win_shares) == (again.scores, again.ranks, again.win_shares)
            assert (game.deciders, game.iterations, game.actions) == (
                again.deciders,
                again.iterations,
                again.actions,
            )
            assert GameRecord(GAME, 2, {}, game.actions or ()).result == game.scores
            assert (game.engine, game.rules) == (ENGINE_VERSION, describe(GAME).rules_hash)
            assert (game.ending, game.faults) == (Ending.FINISHED, ())


def test_all_games_of_a_block_are_dealt_alike_whoever_plays_and_blocks_differently(path: Path) -> None:
    contest = Contest("r", "round_robin", GAME, 2, bots("greedy", "random", "flat_mc:iterations=1"), 2)
    deals: dict[str, set[int]] = {}
    player = Player([contest])
    for block in range(6):
        for number, seats in enumerate(Run(contest).schedule.games(block)):
            deals.setdefault(player(Task(0, block, number, seats)).deal, set()).add(block)
    assert sorted(map(len, deals.values())) == [1] * 6  # each deal belongs to one block, each block has one
    other = Player([replace(contest, entrants=bots("random", "greedy", "greedy"))])
    assert other(Task(0, 3, 0, (2, 1))).deal == player(Task(0, 3, 0, (2, 1))).deal


@pytest.mark.parametrize("format_", ["round_robin", "swiss", "sprt"])
def test_what_counts_depends_neither_on_workers_nor_on_interruptions(tmp_path: Path, format_: str) -> None:
    contest = Contest(
        "c",
        format_,
        GAME,
        2,
        bots("greedy", "random") if format_ == "sprt" else bots("greedy", "random", "ismcts:iterations=5"),
        {"sprt": 60, "swiss": 2, "round_robin": 3}[format_],
        rounds=2,
        hypotheses=Hypotheses(0.5, 0.6),
    )
    contests = (contest, MATCH)
    play(tmp_path / "one", contests)
    play(tmp_path / "two", contests, workers=2, crew=share_out)
    for seconds in (2, 3, 7):
        play(tmp_path / "parts", contests, seconds=seconds, clock=count().__next__)
    play(tmp_path / "parts", contests, crew=backwards)
    whole = kept(tmp_path / "one", contests)
    assert len(whole) > 4
    assert kept(tmp_path / "two", contests) == whole
    assert kept(tmp_path / "parts", contests) == whole


def backwards(
    work: Callable[[Any], Any], next_task: Callable[[], Any], workers: int, pause: float
) -> Iterator[tuple[Any, Any] | None]:
    """Takes up to five tasks at once and answers the last first."""
    while tasks := [task for task in (next_task() for _ in range(5)) if task is not None]:
        for task in reversed(tasks):
            yield task, work(task)
        yield None


def test_blocks_beyond_the_decision_of_a_test_are_kept_and_count_for_nothing(path: Path) -> None:
    test = Contest("t", "sprt", GAME, 2, bots("greedy", "random"), 100, hypotheses=Hypotheses(0.5, 0.6))
    played = play(path, [test], crew=backwards)
    with open_reader(path) as reader:
        (run,) = resumed([test], reader)
        counted = [block for block, _ in counted_blocks(run, reader)]
        assert counted == list(range(run.schedule.known))
        assert run.games_total == 2 * len(counted)
        assert len(list(reader.games("t", run.definition))) == len(played) >= run.games_total


CHANGES: dict[str, dict[str, Any]] = {
    "bots": {"entrants": bots("greedy", "flat_mc:iterations=1")},
    "seed": {"seed": 9},
    "budget": {"time_control": TimeControl(iterations=1)},
    "clock": {"clock": "cpu"},
    "policy": {"on_fault": FaultPolicy.VOID},
    "arrangements": {"arrangements": "all"},
    "line-up": {"line_up": (1, 0)},
    "players": {"players": 3, "line_up": (0, 1, 1)},
    "options": {"options": {"max_rounds": 5}},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_contest_is_played_anew_and_its_old_games_stay(path: Path, change: str) -> None:
    play(path, [MATCH])
    before = kept(path, [MATCH])
    new = replace(MATCH, **CHANGES[change])
    assert len(play(path, [new])) == 2 * len(Run(new).schedule.games(0))
    assert kept(path, [MATCH]) == before
    assert play(path, [MATCH]) == []


def test_a_bot_that_changes_by_default_is_another_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    searching = replace(MATCH, entrants=bots("ismcts:level=3", "greedy"))
    before = Run(searching).definition
    assert Run(replace(searching, entrants=bots("ismcts:level=4", "greedy"))).definition != before
    changed = replace(levels(), iterations={GAME: {2: (7,) * 10}})
    monkeypatch.setattr("kingsbridge.ai.ismcts.levels", lambda: changed)
    assert Run(searching).definition != before


def test_bots_of_an_engine_that_plays_otherwise_are_others_and_those_from_outside_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outside = replace(MATCH, entrants=bots("exec:./one", "exec:./other"))
    other_game = replace(MATCH, game=game_names()[1])
    before = [Run(each).definition for each in (MATCH, outside, other_game)]
    changed = {**signatures(), GAME: "0123456789abcdef"}
    monkeypatch.setattr("kingsbridge.ai.arena.identity.signatures", lambda: changed)
    after = [Run(each).definition for each in (MATCH, outside, other_game)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, True, True]


@pytest.mark.parametrize(
    "more",
    [
        {"id": "z"},
        {"anchor": 1},
        {"at_least": 0.9},
        {"entrants": (Entrant("x", "greedy"), Entrant("y", "random"))},
    ],
)
def test_what_is_made_of_results_leaves_games_as_they_are(more: dict[str, Any]) -> None:
    assert Run(replace(MATCH, **more)).definition == Run(MATCH).definition


def test_more_blocks_leave_the_played_ones_valid(path: Path) -> None:
    play(path, [MATCH])
    assert play(path, [replace(MATCH, blocks=3)]) == [("a", 2, 0), ("a", 2, 1)]
    assert len(kept(path, [replace(MATCH, blocks=1)])) == 1


def test_half_a_block_does_not_count(path: Path) -> None:
    assert len(play(path, [MATCH], seconds=4, clock=count().__next__)) == 3
    assert [(block, len(games)) for _, block, games in kept(path, [MATCH])] == [(0, 2)]


def test_what_was_there_before_it_was_to_be_played_counts_when_it_is(path: Path) -> None:
    swiss = Contest("s", "swiss", GAME, 2, bots("greedy", "random", "greedy", "random"), 1, rounds=2)
    play(path, [swiss])
    with open_reader(path) as reader:
        whole = list(reader.results("s", Run(swiss).definition))
    run = Run(swiss)
    for result in reversed(whole):  # the second round before the first
        run.tell(result.block, result.game, result.outcome)
    assert (run.games_done, run.games_left, run.has_next()) == (8, 0, False)


def test_a_test_is_not_played_far_ahead_of_what_is_decided(path: Path) -> None:
    run = Run(Contest("t", "sprt", GAME, 2, bots("greedy", "random"), 1000, hypotheses=Hypotheses(0.5, 0.6)))
    begun = 0
    while run.has_next():
        run.next()
        begun += 1
    assert begun == 2 * AHEAD  # two games a block
    assert run.games_total == 2000


def test_without_time_nothing_is_played(path: Path) -> None:
    assert play(path, seconds=0, clock=lambda: 5.0) == []


def test_a_tournament_needs_a_worker(path: Path) -> None:
    with pytest.raises(ValueError, match="a worker at least"):
        play(path, workers=0)


def test_a_block_that_is_dealt_in_two_ways_is_an_error(path: Path) -> None:
    def tampering(work: Any, next_task: Any, workers: int, pause: float) -> Iterator[Any]:
        for number, (task, answer) in enumerate(here(work, next_task, workers, pause)):
            yield task, Answer(answer.game, f"{number}")

    with pytest.raises(DealError, match='contest "a": the games of block 0 were dealt differently'):
        play(path, [MATCH], crew=tampering)


def test_a_void_game_makes_its_block_void(path: Path) -> None:
    def spoiling(work: Any, next_task: Any, workers: int, pause: float) -> Iterator[Any]:
        for task, answer in here(work, next_task, workers, pause):
            void = (task.block, task.game) == (1, 1)
            yield task, answer._replace(game=replace(answer.game, ending=Ending.VOID)) if void else answer

    test = Contest("t", "sprt", GAME, 2, bots("greedy", "random"), 100, hypotheses=Hypotheses(0.5, 0.6))
    play(path, [test], crew=spoiling)
    play(path.with_name("clean"), [test])
    clean = len(kept(path.with_name("clean"), [test]))
    assert len(kept(path, [test])) == clean + 1  # the test needs one more


def test_seats_are_those_of_the_schedule(path: Path) -> None:
    gauntlet = Contest("g", "gauntlet", GAME, 3, bots("greedy", "random", "random"), 1)
    play(path, [gauntlet])
    seats: list[list[Seats]] = [[game.seats for game in games] for _, _, games in kept(path, [gauntlet])]
    assert seats == [[(0, 1, 1), (1, 1, 0), (1, 0, 1)], [(0, 2, 2), (2, 2, 0), (2, 0, 2)]]
