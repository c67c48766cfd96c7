"""The perft tables, counted by the engine and, where that is quick enough, by the oracles."""

from pathlib import Path

import pytest

from kingsbridge.pyengine import State, action_text, describe
from tests.oracle.perft_table import TABLES, Count, PerftPosition, perft, read_table, write_block
from tests.oracle.subjects import SUBJECTS

POSITIONS = [position for path in sorted(TABLES.glob("*.perft")) for position in read_table(path)]
WITH_ORACLE = [position for position in POSITIONS if position.game in SUBJECTS]
MOST_LEAVES_FOR_THE_ORACLE = 3_000


def name(position: PerftPosition) -> str:
    return f"{position.game}: {position.id}"


def split(position: PerftPosition, count: Count) -> str:
    """The counts below each first event, to find the event that went wrong."""
    state = position.state()
    while state.is_chance and not count.expand_chance:
        state.apply(state.chance_outcomes()[0][0])
    below = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
    lines = []
    for event in below:
        leaves = state.child(event).perft(count.depth - 1, count.expand_chance)
        lines.append(f"{action_text(position.game, event)} {leaves}")
    return "\n".join(lines)


@pytest.mark.parametrize("position", POSITIONS, ids=name)
def test_the_engine_counts_as_the_table_says(position: PerftPosition) -> None:
    state = position.state()
    for count in position.counts:
        leaves = state.perft(count.depth, count.expand_chance)
        assert leaves == count.leaves, f"{count}\n{split(position, count)}"


@pytest.mark.parametrize("position", WITH_ORACLE, ids=name)
def test_the_oracle_counts_as_the_table_says(position: PerftPosition) -> None:
    oracle = SUBJECTS[position.game].initial(position.players, position.options)
    for event in position.play:
        oracle.apply(event)
    small = [count for count in position.counts if count.leaves <= MOST_LEAVES_FOR_THE_ORACLE]
    assert {count.expand_chance for count in small} == {False, True}
    for count in small:
        assert perft(oracle, count.depth, expand_chance=count.expand_chance) == count.leaves, count


@pytest.mark.parametrize("game", SUBJECTS)
def test_a_table_covers_all_numbers_of_players_and_both_ways_of_counting(game: str) -> None:
    positions = [position for position in POSITIONS if position.game == game]
    info = describe(game)
    assert {one.players for one in positions} == set(range(info.min_players, info.max_players + 1))
    assert max(count.leaves for position in positions for count in position.counts) >= 1_000_000
    for position in positions:
        assert {count.expand_chance for count in position.counts} == {False, True}, position.id


def test_a_finished_game_is_one_leaf_at_every_depth() -> None:
    state = State.initial("builders", 2, {"max_rounds": 1})
    while not state.is_terminal:
        events = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
        state.apply(events[-1])
    assert [state.perft(depth, expand) for depth in (0, 1, 5) for expand in (False, True)] == [1] * 6


def test_a_written_block_reads_back(tmp_path: Path) -> None:
    positions = [position for position in POSITIONS if position.game == "builders"]
    path = tmp_path / "builders.perft"
    path.write_text("\n".join(write_block(position) for position in positions), encoding="utf-8")
    assert read_table(path) == positions


@pytest.mark.parametrize("text", ["players 2", "id a\ndepth 1 2", "id a\nfixed 1"])
def test_a_line_that_is_no_row_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "builders.perft"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"not a row|unpack"):
        read_table(path)
