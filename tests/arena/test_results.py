"""The results file: what is written is read again, whatever happened meanwhile."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai import Budget
from kingsbridge.ai.arena import MatchPlan, ResultsError, ResultsFile, read_results
from kingsbridge.ai.arena.results import BlockKey, PlayedBlock, PlayedGame, blocks_of, definition, to_line
from kingsbridge.pyengine import game_names

PLAN = MatchPlan(game_names()[0], 2, ("greedy", "random"), 1)
BLOCK = PlayedBlock((PlayedGame((3, 4), (0.0, 1.0), 9), PlayedGame((5, 5), (0.5, 0.5), 8)), 1.25, "1.0", "ab")


def key(block: int, match: str = "one") -> BlockKey:
    return BlockKey(match, definition(PLAN), block)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with ResultsFile(tmp_path / "x.results.jsonl") as file:
        file.add(key(0), BLOCK)
        file.add(key(1), BLOCK)
    return tmp_path / "x.results.jsonl"


def test_a_block_is_one_line_with_all_that_is_known_of_it(path: Path) -> None:
    first, _ = path.read_text().splitlines()
    assert json.loads(first) == {
        "match": "one",
        "definition": definition(PLAN),
        "block": 0,
        "games": [
            {"scores": [3, 4], "win_shares": [0.0, 1.0], "decisions": 9},
            {"scores": [5, 5], "win_shares": [0.5, 0.5], "decisions": 8},
        ],
        "cpu_seconds": 1.25,
        "engine": "1.0",
        "rules": "ab",
    }


def test_a_block_is_in_the_file_as_soon_as_it_is_added(tmp_path: Path) -> None:
    with ResultsFile(tmp_path / "new") as file:
        file.add(key(7), BLOCK)
        assert read_results(tmp_path / "new") == file.blocks == {key(7): BLOCK}


def test_each_line_is_forced_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda handle: forced.append(len(read_results(tmp_path / "new"))))
    with ResultsFile(tmp_path / "new") as file:
        file.add(key(0), BLOCK)
        file.add(key(1), BLOCK)
    assert forced == [1, 2]


def test_lines_are_added_to_those_that_are_there(path: Path) -> None:
    before = path.read_bytes()
    with ResultsFile(path) as file:
        assert file.blocks == {key(0): BLOCK, key(1): BLOCK}
        file.add(key(2), BLOCK)
    assert path.read_bytes().startswith(before)
    assert set(read_results(path)) == {key(0), key(1), key(2)}


def test_where_there_is_no_file_there_are_no_results(tmp_path: Path) -> None:
    assert read_results(tmp_path / "none") == {}


@pytest.mark.parametrize("torn", [b"", b"{", b'{"match": "one", "def', b"\0\0\0", b"\xff"])
def test_a_torn_last_line_is_dropped_and_written_over(path: Path, torn: bytes) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert set(read_results(path)) == {key(0), key(1)}
    with ResultsFile(path) as file:
        assert path.read_bytes() == whole
        file.add(key(2), BLOCK)
    assert set(read_results(path)) == {key(0), key(1), key(2)}


def test_a_last_line_without_its_end_counts_as_torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])
    assert set(read_results(path)) == {key(0)}


@pytest.mark.parametrize("line", ["", "{}", "[]", "3", "null", '{"match": "one"}', "\0"])
def test_another_line_that_is_no_block_is_refused_and_left_as_it_is(path: Path, line: str) -> None:
    first, second = path.read_text().splitlines()
    path.write_text(f"{first}\n{line}\n{second}\n")
    before = path.read_bytes()
    with pytest.raises(ResultsError, match="line 2"):
        read_results(path)
    with pytest.raises(ResultsError, match="line 2"):
        ResultsFile(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("games", [(), BLOCK.games[:1], (*BLOCK.games, BLOCK.games[0])])
def test_a_block_that_lacks_a_rotation_or_has_one_too_many_is_refused(
    path: Path, games: tuple[PlayedGame, ...]
) -> None:
    with path.open("a") as file:
        file.write(to_line(key(2), replace(BLOCK, games=games)))
    with pytest.raises(ResultsError, match="line 3"):
        read_results(path)


def test_two_writers_at_once_are_refused(path: Path) -> None:
    with ResultsFile(path), pytest.raises(ResultsError, match="another process is writing"):
        ResultsFile(path)
    with ResultsFile(path) as file:
        assert len(file.blocks) == 2


def test_a_reader_needs_no_lock(path: Path) -> None:
    with ResultsFile(path):
        assert len(read_results(path)) == 2


CHANGES: list[dict[str, Any]] = [
    {"game": "other"},
    {"players": 3},
    {"bots": ("random", "greedy")},
    {"seed": 2},
    {"options": {"x": 1}},
    {"budget": Budget(iterations=1)},
    {"budget": Budget(seconds=1)},
    {"clock": "cpu"},
]


def test_every_part_of_a_plan_changes_its_definition() -> None:
    definitions = {definition(replace(PLAN, **change)) for change in CHANGES} | {definition(PLAN)}
    assert len(definitions) == len(CHANGES) + 1


def test_equal_plans_have_one_definition() -> None:
    one = replace(PLAN, options={"a": 1, "b": 2})
    assert definition(one) == definition(replace(PLAN, options={"b": 2, "a": 1}))


def test_blocks_of_a_match_are_those_of_its_name_and_definition_in_order() -> None:
    blocks = {
        number: replace(BLOCK, cpu_seconds=float(number)) for number in (5, 2, 0, 1)
    }  # as they were finished
    found = {key(number): block for number, block in blocks.items()}
    found[key(3, "two")] = found[BlockKey("one", "0" * 16, 4)] = BLOCK
    assert [block.cpu_seconds for block in blocks_of(found, "one", PLAN, 5)] == [0.0, 1.0, 2.0]
