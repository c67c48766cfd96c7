"""The Pillars of the Earth: Shiring, its castle, and who begins the next round."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.pillars.position import (
    View,
    all_pass,
    draw,
    go_on,
    legal,
    look,
    phase,
    play,
    position,
    seat,
    seat_of,
)

FULL = "S1 S2 S3 1a 1b"


def after_the_tax(*seats: View, **facts: object) -> State:
    return play(position(*seats, phase="roll", **facts), "roll(face=2)")


# Shiring


def test_the_builders_owner_gets_the_craftsman_for_nothing() -> None:
    after = after_the_tax(seat(gold=20), seat(gold=20), shiring="2b 2d", builders={"2b": 1})
    assert seat_of(after, 1)["craftsmen"] == ["S1", "S2", "S3", "2b"]
    assert [one["gold"] for one in look(after)["seats"]] == [18, 18]


def test_craftsmen_nobody_stands_at_leave_the_game() -> None:
    after = after_the_tax(seat(), seat(), shiring="2b 2d", builders={"2b": 1})
    assert look(after)["shiring"] == []
    assert all("2d" not in one["craftsmen"] for one in look(after)["seats"])


def test_over_the_limit_one_is_discarded_at_once_the_new_one_allowed() -> None:
    table = after_the_tax(seat(craftsmen=FULL), seat(), shiring="2b 2d", builders={"2d": 0})
    assert (phase(table), table.current_player) == ("discard_shiring", 0)
    assert legal(table) == [f"discard(craftsman={card})" for card in (*FULL.split(), "2d")]
    assert seat_of(play(table, "discard(craftsman=2d)"))["craftsmen"] == FULL.split()
    assert seat_of(play(table, "discard(craftsman=1b)"))["craftsmen"] == ["S1", "S2", "S3", "1a", "2d"]


def test_both_craftsmen_taken_by_one_player_come_in_card_order_with_the_limit_after_each() -> None:
    table = after_the_tax(seat(craftsmen=FULL), seat(), shiring="2b 2d", builders={"2b": 0, "2d": 0})
    assert legal(table) == [f"discard(craftsman={card})" for card in (*FULL.split(), "2b")]
    assert look(table)["shiring"] == ["2d"]
    table = play(table, "discard(craftsman=2b)")
    assert phase(table) == "discard_shiring"
    assert legal(table) == [f"discard(craftsman={card})" for card in (*FULL.split(), "2d")]
    assert seat_of(play(table, "discard(craftsman=S1)"))["craftsmen"] == ["S2", "S3", "1a", "1b", "2d"]


def test_with_four_craftsmen_two_new_ones_ask_for_one_discard() -> None:
    table = after_the_tax(seat(craftsmen="S1 S2 S3 1a"), seat(), builders={"2a": 0, "2b": 0})
    assert legal(table) == [f"discard(craftsman={card})" for card in ("S1", "S2", "S3", "1a", "2a", "2b")]


def test_a7_allows_a_sixth_craftsman_from_shiring() -> None:
    after = after_the_tax(seat(craftsmen=FULL, advantages="A7"), seat(), builders={"2a": 0})
    assert phase(after) != "discard_shiring"
    assert len(seat_of(after)["craftsmen"]) == 6


def test_a7_works_in_the_round_it_is_taken() -> None:
    table = position(seat(craftsmen=FULL), seat(), phase="reveal", builders={"A7": 0, "2a": 0})
    after = go_on(play(table, "reveal(event=E3)", "roll(face=2)"), ["work", "cards"])
    assert seat_of(after)["craftsmen"] == [*FULL.split(), "2a"]


def test_each_seat_may_take_one() -> None:
    after = after_the_tax(seat(), seat(), shiring="2b 2d", builders={"2b": 1, "2d": 0})
    assert [one["craftsmen"][-1] for one in look(after)["seats"]] == ["2d", "2b"]


# The castle


def test_the_castle_gives_two_more_workers_for_the_next_round_only() -> None:
    table = go_on(after_the_tax(seat(), seat(), builders={"castle1": 1}), ["cards"])
    assert [one["workers"] for one in look(table)["seats"]] == [12, 14]
    table = go_on(table, ["absent"])
    assert [one["workers"] for one in look(table)["seats"]] == [12, 12]


def test_both_spaces_of_the_castle_give_four_workers() -> None:
    table = after_the_tax(
        seat(), seat(advantages="A10"), builders={"castle1": 1, "castle2": 1}, castle_spaces=2
    )
    assert [one["workers"] for one in look(go_on(table, ["cards"]))["seats"]] == [12, 12 + 1 + 4]


def test_in_the_last_round_the_castle_gives_nothing() -> None:
    after = after_the_tax(seat(sand=3), seat(), round=6, builders={"castle1": 0})
    assert phase(after) == "work"
    assert seat_of(after)["grey"] == 0
    assert look(after)["builders"] == []


# The next start player


@pytest.mark.parametrize("owner", [0, 1, 2])
def test_the_builder_at_the_building_site_makes_his_owner_the_next_start_player(owner: int) -> None:
    table = after_the_tax(seat(sand=3), seat(), seat(), start_player=1, builders={"start": owner})
    assert look(table)["start_player"] == 1
    after = go_on(table, ["cards"])
    assert look(after)["start_player"] == owner
    assert after.current_player == owner


@pytest.mark.parametrize(("start", "following"), [(0, 1), (1, 2), (2, 0)])
def test_without_one_the_next_player_clockwise_begins(start: int, following: int) -> None:
    after = go_on(after_the_tax(seat(), seat(), seat(), start_player=start), ["cards"])
    assert look(after)["start_player"] == following
    assert after.current_player == following


def test_the_old_start_player_builds_first_even_if_another_takes_over() -> None:
    table = after_the_tax(seat(sand=3), seat(sand=3), start_player=1, builders={"start": 0})
    assert (phase(table), table.current_player) == ("work", 1)
    assert play(table, "work(craftsman=S1, quantity=0)").current_player == 0


def test_all_spaces_are_free_again_in_the_next_round() -> None:
    table = after_the_tax(seat(), seat(), builders={"castle1": 0, "market1": 1, "start": 1})
    table = all_pass(go_on(table, ["cards"]))
    assert look(table)["builders"] == []
    first = play(draw(table, 0), "accept()")
    for space in ("bishop1", "priory1", "court1", "castle1", "market1", "start"):
        assert f"place(space={space})" in legal(first)
