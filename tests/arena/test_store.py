"""The results file: what was committed is there, once, and nothing else is taken for one."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from kingsbridge.ai.arena import Ending, Fault, FaultKind, GameKey, PlayedGame, Store, StoreError, open_reader
from kingsbridge.ai.arena.formats import Outcome
from kingsbridge.ai.arena.store import GROUP
from tests.ai.toys import FakeClock

GAME = PlayedGame(
    seats=(1, 0, 1),
    ending=Ending.FINISHED,
    scores=(-3, 21, 0),
    ranks=(5, 70_000, 6),
    win_shares=(0.0, 1.0, 0.0),
    faults=(Fault(FaultKind.ILLEGAL, 2, 4, 'bot "ä" in seat 2 answered'),),
    deciders=(1, 0, 2, 1, 2),
    seconds=(0.25, 0.0, 1.5, 0.000001, 3600.0),
    iterations=(1000, 0, 4_000_000_000, 1, 2),
    actions=(0xFF000001, 2, 3),
    digest="0" * 32,
    cpu_seconds=1.25,
    seed=2**128 - 1,
    engine="0.1.0",
    rules="abc",
)
KEY = GameKey("cup", "d1", 0, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


def test_a_game_comes_back_as_it_was(path: Path) -> None:
    with Store(path) as store:
        store.add(KEY, GAME)
    with open_reader(path) as reader:
        assert list(reader.games("cup", "d1")) == [(0, 0, GAME)]
    with Store(path) as store:
        assert list(store.reader().games("cup", "d1")) == [(0, 0, GAME)]
    assert list(path.parent.iterdir()) == [path]  # nothing of SQLite's is left beside it


@pytest.mark.parametrize(
    "other",
    [
        replace(GAME, ending=Ending.VOID),
        replace(GAME, faults=(), actions=None, digest=""),
        replace(GAME, deciders=(), seconds=(), iterations=()),
    ],
)
def test_so_does_an_odd_one(path: Path, other: PlayedGame) -> None:
    with Store(path) as store:
        store.add(KEY, other)
        assert [game for _, _, game in store.reader().games("cup", "d1")] == [other]


def test_more_than_32_bits_of_iterations_are_cut_to_them(path: Path) -> None:
    with Store(path) as store:
        store.add(KEY, replace(GAME, iterations=(2**40, 0, 0, 0, 0)))
        ((_, _, game),) = store.reader().games("cup", "d1")
    assert game.iterations[0] == 2**32 - 1


def test_games_come_in_order_of_block_and_number_whatever_the_order_they_were_added_in(path: Path) -> None:
    with Store(path) as store:
        for block, number in ((2, 0), (0, 1), (10, 0), (0, 0)):
            store.add(GameKey("cup", "d1", block, number), GAME)
        assert [each[:2] for each in store.reader().games("cup", "d1")] == [(0, 0), (0, 1), (2, 0), (10, 0)]
        results = list(store.reader().results("cup", "d1"))
    assert [(each.block, each.game) for each in results] == [(0, 0), (0, 1), (2, 0), (10, 0)]
    assert results[0].outcome == Outcome(GAME.seats, GAME.win_shares)
    assert not results[0].void


def test_contests_and_their_definitions_are_kept_apart(path: Path) -> None:
    with Store(path) as store:
        store.add(KEY, GAME)
        store.add(GameKey("cup", "d2", 0, 0), replace(GAME, seed=2))
        store.add(GameKey("league", "d1", 0, 0), replace(GAME, seed=3))
        seeds = [
            [game.seed for _, _, game in store.reader().games(*which)]
            for which in (("cup", "d1"), ("cup", "d2"), ("league", "d1"), ("league", "d2"))
        ]
    assert seeds == [[GAME.seed], [2], [3], []]


def test_the_first_result_of_a_game_stays(path: Path) -> None:
    with Store(path) as store:
        store.add(KEY, GAME)
        store.add(KEY, replace(GAME, seed=5))
        assert [game.seed for _, _, game in store.reader().games("cup", "d1")] == [GAME.seed]


def count_on_disk(path: Path) -> int:
    """What another process would find."""
    with open_reader(path) as reader:
        return len(list(reader.games("cup", "d1")))


def test_games_are_committed_in_groups_of_at_most_so_many_seconds(path: Path) -> None:
    clock = FakeClock()
    with Store(path, clock) as store:
        store.add(KEY, GAME)
        assert count_on_disk(path) == 0
        store.commit()
        assert count_on_disk(path) == 1
        store.add(GameKey("cup", "d1", 1, 0), GAME)
        clock.now += GROUP * 0.9
        store.add(GameKey("cup", "d1", 2, 0), GAME)
        assert count_on_disk(path) == 1
        clock.now += GROUP * 0.2
        store.add(GameKey("cup", "d1", 3, 0), GAME)
        assert count_on_disk(path) == 4
        store.add(GameKey("cup", "d1", 4, 0), GAME)
    assert count_on_disk(path) == 5


def test_notes_are_kept_once(path: Path) -> None:
    with Store(path) as store:
        store.add(KEY, GAME)
        for text in ("forced", "forced", "another"):
            store.note("cup", "d1", text)
        store.add(GameKey("cup", "d1", 1, 0), GAME)
    with open_reader(path) as reader:
        assert reader.notes("cup", "d1") == ["another", "forced"]
        assert reader.notes("cup", "d2") == []
    assert count_on_disk(path) == 2


def test_single_games_and_blocks_are_found(path: Path) -> None:
    with Store(path) as store:
        for number in (1, 0):
            store.add(GameKey("cup", "d1", 4, number), replace(GAME, seed=number))
        store.add(GameKey("cup", "d1", 5, 0), GAME)
        reader = store.reader()
        assert [game.seed for game in reader.block("cup", "d1", 4)] == [0, 1]
        assert reader.game("cup", "d1", 4, 1) == replace(GAME, seed=1)
        assert reader.game("cup", "d1", 4, 2) is None
        assert reader.block("cup", "d2", 4) == []


def test_only_one_may_write_and_all_may_read(path: Path) -> None:
    with Store(path) as store:
        store.add(KEY, GAME)
        store.commit()
        with pytest.raises(StoreError, match="another process is writing"):
            Store(path)
        assert count_on_disk(path) == 1
        store.add(GameKey("cup", "d1", 1, 0), GAME)  # the failed attempt has not released any lock
    with Store(path):
        pass


def test_where_there_is_no_file_there_are_no_games(path: Path) -> None:
    assert count_on_disk(path) == 0
    with open_reader(path) as reader:
        assert reader.notes("cup", "d1") == []
    assert not path.exists()


def test_other_files_are_refused_and_stay_as_they_are(path: Path) -> None:
    path.write_text("seed = 1\n" * 100)
    with pytest.raises(StoreError, match="holds no results"):
        Store(path)
    with pytest.raises(StoreError, match="holds no results"), open_reader(path):
        pass
    assert path.read_text() == "seed = 1\n" * 100
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(StoreError, match="holds no results"):
        Store(path)
    for kind in (Store, open_reader):
        with pytest.raises(StoreError, match="no regular file"), kind(Path("/dev/null")):
            pass
    with pytest.raises(OSError, match="nowhere"):
        Store(Path("/nowhere/x"))
