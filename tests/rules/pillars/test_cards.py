"""The Pillars of the Earth: the first phase, in which workers and gold buy cards."""

import pytest

from kingsbridge.pyengine import State
from tests.oracle.pillars_cards import WORKERS
from tests.rules.pillars.position import (
    View,
    all_pass,
    deal,
    legal,
    look,
    phase,
    play,
    position,
    refused,
    seat,
    seat_of,
)

FULL = "S1 S2 S3 1a 1b"
PRICES = dict(
    zip(
        [f"{number}{letter}" for number in range(1, 7) for letter in "abcd"],
        [4, 3, 2, 5, 4, 6, 5, 3, 4, 7, 5, 6, 5, 6, 7, 8, 6, 8, 9, 7, 8, 7, 9, 10],
        strict=True,
    )
)


# Taking and hiring


@pytest.mark.parametrize("card", WORKERS)
def test_a_resource_card_takes_the_workers_printed_on_it(card: str) -> None:
    absent = "sand2 sand3" if card not in ("sand2", "sand3") else "wood2 wood3"
    after = play(deal(absent=absent), f"take(quarry={card})")
    printed = {"sand": (2, 4, 7), "wood": (3, 6, 9), "stone": (5, 8, 10)}[card[:-1]][int(card[-1]) - 2]
    assert seat_of(after)["workers"] == 12 - printed
    assert seat_of(after)["quarries"] == [card]
    assert card not in look(after)["quarries"]


@pytest.mark.parametrize("card", PRICES)
def test_a_craftsman_costs_the_gold_printed_on_him(card: str) -> None:
    others = [f"{card[0]}{letter}" for letter in "abcd" if letter != card[1]]
    first = position(seat(), seat(), phase="cards", round=int(card[0]), shiring=" ".join(others[:2]))
    after = seat_of(play(first, f"hire(craftsman={card})"))
    printed = PRICES[card]
    assert after["gold"] == 20 - printed
    assert after["craftsmen"] == ["S1", "S2", "S3", card]
    exact = position(
        seat(gold=printed), seat(), phase="cards", round=int(card[0]), shiring=" ".join(others[:2])
    )
    assert seat_of(play(exact, f"hire(craftsman={card})"))["gold"] == 0
    short = position(
        seat(gold=printed - 1), seat(), phase="cards", round=int(card[0]), shiring=" ".join(others[:2])
    )
    assert refused(short, f"hire(craftsman={card})")


def test_a_resource_card_needs_enough_free_workers() -> None:
    # 12 - 5 (stone2) - 3 (wood2) leaves 4.
    table = position(seat(quarries="stone2 wood2"), seat(), phase="cards")
    assert [action for action in legal(table) if action.startswith("take")] == [
        "take(quarry=sand2)",
        "take(quarry=sand3)",
    ]


def test_craftsmen_in_shiring_cannot_be_hired() -> None:
    table = deal(shiring="1b 1d")
    assert [action for action in legal(table) if action.startswith("hire")] == [
        "hire(craftsman=1a)",
        "hire(craftsman=1c)",
    ]


def test_black_and_grey_workers_can_be_used_like_any_others() -> None:
    # 12 + 1 + 2 = 10 (stone4) + 5 (stone2).
    row = ["sand2", "sand3", "wood2", "wood3", "stone2", "stone3", "stone4"]
    table = position(seat(workers=15, advantages="A10"), seat(), phase="cards", quarries=row)
    after = play(table, "take(quarry=stone4)", "pass()", "take(quarry=stone2)")
    assert seat_of(after)["workers"] == 0
    assert seat_of(after)["quarries"] == ["stone2", "stone4"]


# Turns and passing


def test_players_take_one_card_in_turn_clockwise_from_the_start_player() -> None:
    table = deal(3, start=1)
    movers = []
    for action in ("take(quarry=sand2)", "hire(craftsman=1c)", "take(quarry=sand3)", "take(quarry=wood2)"):
        movers.append(table.current_player)
        table = play(table, action)
    assert movers == [1, 2, 0, 1]


def test_who_has_passed_is_out_for_the_phase_and_the_others_go_on() -> None:
    table = play(deal(3), "take(quarry=sand2)", "pass()", "take(quarry=sand3)", "take(quarry=wood2)")
    assert table.current_player == 2
    assert [one["passed"] for one in look(table)["seats"]] == [False, True, False]
    assert play(table, "take(quarry=wood3)").current_player == 0


def test_the_last_player_who_has_not_passed_goes_on_alone() -> None:
    table = play(deal(), "take(quarry=sand2)", "pass()", "take(quarry=sand3)", "take(quarry=wood2)")
    assert table.current_player == 0
    # 12 - 2 - 4 - 3 leaves 3 workers, too few for what is left; gold buys both craftsmen.
    table = play(table, "hire(craftsman=1c)", "hire(craftsman=1d)")
    assert legal(table) == ["pass()"] if phase(table) == "cards" else True
    assert seat_of(table)["gold"] == 20 - 2 - 5


def test_a_player_may_pass_though_he_could_take_a_card() -> None:
    assert "pass()" in legal(deal())


def test_a_player_who_can_afford_nothing_can_only_pass() -> None:
    table = position(seat(gold=2, quarries="stone4 sand2"), seat(), phase="cards")
    assert legal(table) == ["pass()"]


def test_the_phase_ends_when_all_have_passed() -> None:
    table = play(deal(3), "pass()", "take(quarry=sand2)", "pass()")
    assert phase(table) == "cards"
    table = play(table, "pass()")
    assert phase(table) == "draw"
    assert not any(one["passed"] for one in look(table)["seats"])


def nearly_empty(first: View, **row: list[str]) -> State:
    """The first phase with most cards taken: the others have 5, 1 and 5 workers left, and one craftsman."""
    others = seat(quarries="sand3 wood2"), seat(quarries="wood3 stone2")
    last = seat(quarries="sand4", craftsmen="S1 S2 S3 2d" if row["craftsmen"] else "S1 S2 S3 2c 2d")
    return position(first, *others, last, phase="cards", shiring="2a 2b", **row)


def test_the_phase_ends_when_the_last_card_is_taken_and_nobody_is_asked_to_pass() -> None:
    table = nearly_empty(seat(quarries="stone3"), quarries=["sand2"], craftsmen=[])
    after = play(table, "take(quarry=sand2)")
    assert phase(after) == "draw"
    assert [one["mill"] for one in look(after)["seats"]] == [2, 5, 1, 5]


def test_the_phase_goes_on_while_any_card_is_left() -> None:
    table = nearly_empty(seat(quarries="stone3"), quarries=["sand2"], craftsmen=["2c"])
    assert phase(play(table, "take(quarry=sand2)")) == "cards"
    assert phase(play(table, "hire(craftsman=2c)")) == "cards"
    assert phase(play(table, "take(quarry=sand2)", "hire(craftsman=2c)")) == "draw"


def test_unused_workers_go_to_the_wool_mill_when_their_player_passes() -> None:
    table = play(deal(), "take(quarry=stone2)", "pass()")
    assert (seat_of(table, 1)["mill"], seat_of(table, 1)["workers"]) == (12, 0)
    assert (seat_of(table, 0)["mill"], seat_of(table, 0)["workers"]) == (0, 7)
    table = play(table, "pass()")
    assert [one["mill"] for one in look(table)["seats"]] == [7, 12]


def test_black_and_grey_workers_count_in_the_mill_like_others() -> None:
    table = position(seat(workers=15, advantages="A10"), seat(), phase="cards")
    assert seat_of(play(table, "pass()"))["mill"] == 15


def test_cards_nobody_took_leave_the_row() -> None:
    after = look(all_pass(deal()))
    assert after["quarries"] == []
    assert after["craftsmen"] == []
    assert after["shiring"] == ["1a", "1b"]


# The limit of craftsmen


def test_a_fifth_craftsman_is_within_the_limit() -> None:
    table = position(seat(craftsmen="S1 S2 S3 1a"), seat(), phase="cards", round=2, shiring="2a 2b")
    after = play(table, "hire(craftsman=2c)")
    assert phase(after) == "cards"
    assert len(seat_of(after)["craftsmen"]) == 5


def test_with_a_sixth_craftsman_one_of_the_six_is_discarded_at_once_the_new_one_allowed() -> None:
    table = position(seat(craftsmen=FULL), seat(), phase="cards", round=2, shiring="2a 2b")
    hired = play(table, "hire(craftsman=2c)")
    assert phase(hired) == "discard_hire"
    assert hired.current_player == 0
    assert legal(hired) == [f"discard(craftsman={card})" for card in (*FULL.split(), "2c")]
    assert seat_of(play(hired, "discard(craftsman=2c)"))["craftsmen"] == FULL.split()
    after = play(hired, "discard(craftsman=S2)")
    assert seat_of(after)["craftsmen"] == ["S1", "S3", "1a", "1b", "2c"]
    assert seat_of(after)["gold"] == 20 - 5
    assert after.current_player == 1


def test_with_the_card_for_six_craftsmen_only_the_seventh_is_too_many() -> None:
    table = position(seat(craftsmen=FULL, advantages="A7"), seat(), phase="cards", round=2, shiring="2a 2b")
    sixth = play(table, "hire(craftsman=2c)")
    assert phase(sixth) == "cards"
    seventh = play(sixth, "pass()", "hire(craftsman=2d)")
    assert phase(seventh) == "discard_hire"
    assert len(legal(seventh)) == 7


def test_a_discard_at_the_last_card_comes_before_the_end_of_the_phase() -> None:
    table = nearly_empty(seat(quarries="sand2 stone3", craftsmen=FULL), quarries=[], craftsmen=["2c"])
    hired = play(table, "hire(craftsman=2c)")
    assert phase(hired) == "discard_hire"
    after = play(hired, "discard(craftsman=1a)")
    assert phase(after) == "draw"
    assert [one["mill"] for one in look(after)["seats"]] == [2, 5, 1, 5]
