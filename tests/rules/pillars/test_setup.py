"""The Pillars of the Earth: the opened box, and what is laid out at the start of each round."""

from itertools import combinations

import pytest

from kingsbridge.pyengine import CHANCE, State
from tests.rules.pillars.position import (
    all_pass,
    deal,
    go_on,
    legal,
    look,
    outcomes,
    phase,
    play,
    position,
    seat,
)

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
QUARRIES = ["sand2", "sand3", "sand4", "wood2", "wood3", "wood4", "stone2", "stone3", "stone4"]


def opened_box(players: int = 2, **options: int) -> State:
    return State.initial("pillars", players, options)


# The box


@PLAYERS
def test_every_seat_is_equally_likely_to_begin(players: int) -> None:
    assert outcomes(opened_box(players)) == {f"start(seat={number})": 1 for number in range(players)}


@PLAYERS
def test_the_start_player_has_20_gold_and_each_next_one_clockwise_one_more(players: int) -> None:
    for start in range(players):
        after = play(opened_box(players), f"start(seat={start})")
        gold = [one["gold"] for one in look(after)["seats"]]
        assert gold == [20 + (number - start) % players for number in range(players)]


@PLAYERS
def test_every_player_has_two_points_three_starters_and_no_cubes(players: int) -> None:
    for one in look(play(opened_box(players), "start(seat=1)"))["seats"]:
        assert one["points"] == 2
        assert one["craftsmen"] == ["S1", "S2", "S3"]
        assert one["goods"] == [0, 0, 0, 0]
        assert one["advantages"] == []


@PLAYERS
def test_every_player_has_twelve_workers(players: int) -> None:
    assert [one["workers"] for one in look(deal(players))["seats"]] == [12] * players


@PLAYERS
def test_every_player_has_three_builders(players: int) -> None:
    assert look(all_pass(deal(players)))["bag"] == [3] * players


@PLAYERS
def test_the_number_of_players_changes_neither_cards_nor_spaces(players: int) -> None:
    """Seventeen spaces: bishop, 2 town, 2 priory, 4 court, 2 Shiring, castle, 4 market, start."""
    dealt = deal(players)
    assert len(look(dealt)["quarries"]) == 7
    assert (len(look(dealt)["craftsmen"]), len(look(dealt)["shiring"]), len(look(dealt)["town"])) == (2, 2, 2)
    first = play(all_pass(dealt), "draw(round=1, seat=0)", "accept()")
    placings = [action for action in legal(first) if action.startswith("place")]
    assert placings == [
        "place(space=bishop1)",
        "place(space=priory1)",
        "place(space=court1)",
        "place(space=castle1)",
        "place(space=market1)",
        "place(space=start)",
        "place_town(advantage=A1)",
        "place_town(advantage=A2)",
        "place_shiring(craftsman=1a)",
        "place_shiring(craftsman=1b)",
    ]


def test_before_the_start_player_is_known_nothing_is_handed_out() -> None:
    box = look(opened_box(3))
    assert (box["phase"], box["round"], box["stock"], box["bag"]) == ("start", 0, [0, 0, 0], [0, 0, 0])
    assert all(one["gold"] == one["workers"] == 0 for one in box["seats"])


# The start of a round


def test_a_round_shows_town_then_craftsmen_then_resource_cards() -> None:
    after = play(opened_box(), "start(seat=0)")
    assert phase(after) == "town"
    after = play(after, "town(advantage=A14)")
    assert phase(after) == "town"
    after = play(after, "town(advantage=A3)")
    assert look(after)["town"] == ["A3", "A14"]
    assert phase(after) == "split"
    after = play(after, "split(craftsman=1b, craftsman2=1d)")
    assert phase(after) == "absent"
    after = play(after, "absent(quarry=sand2, quarry2=wood3)")
    assert phase(after) == "cards"
    assert after.current_player == 0


def test_the_first_advantage_card_is_any_of_fourteen_and_the_second_any_of_the_rest() -> None:
    first = play(opened_box(), "start(seat=0)")
    assert outcomes(first) == {f"town(advantage=A{number})": 1 for number in range(1, 15)}
    second = play(first, "town(advantage=A9)")
    assert outcomes(second) == {f"town(advantage=A{number})": 1 for number in range(1, 15) if number != 9}


def test_cards_shown_in_earlier_rounds_do_not_come_again() -> None:
    later = position(seat(advantages="A1 A2"), seat(advantages="A3 A4"), phase="town", round=3)
    assert outcomes(later) == {f"town(advantage=A{number})": 1 for number in range(5, 15)}


def test_two_of_the_rounds_four_craftsmen_go_to_shiring_at_random_and_the_others_to_the_row() -> None:
    for number in range(1, 7):
        four = [f"{number}{letter}" for letter in "abcd"]
        split = position(seat(), seat(), phase="split", round=number)
        pairs = list(combinations(four, 2))
        assert outcomes(split) == {f"split(craftsman={a}, craftsman2={b})": 1 for a, b in pairs}
        for one, other in pairs:
            shown = look(play(split, f"split(craftsman={one}, craftsman2={other})"))
            assert shown["shiring"] == [one, other]
            assert shown["craftsmen"] == [card for card in four if card not in (one, other)]
            assert shown["shiring_builders"] == [-1, -1]


def test_seven_of_the_nine_resource_cards_lie_out_and_every_pair_is_equally_likely_to_be_absent() -> None:
    absent = position(seat(), seat(), phase="absent")
    pairs = list(combinations(QUARRIES, 2))
    assert len(pairs) == 36
    assert outcomes(absent) == {f"absent(quarry={a}, quarry2={b})": 1 for a, b in pairs}
    shown = look(play(absent, "absent(quarry=sand4, quarry2=stone2)"))
    assert shown["quarries"] == ["sand2", "sand3", "wood2", "wood3", "wood4", "stone3", "stone4"]


def test_all_nine_resource_cards_are_shuffled_again_each_round() -> None:
    second = go_on(play(deal(absent="sand2 sand3"), "take(quarry=wood2)"), ["absent"])
    assert look(second)["round"] == 2
    assert len(outcomes(second)) == 36


def test_the_market_holds_four_of_each_but_metal_at_the_start_of_every_round() -> None:
    assert look(deal())["stock"] == [4, 4, 4]
    spent = position(
        seat(gold=20),
        seat(),
        phase="market",
        stock=[3, 4, 4],
        builders={"market1": 0},
        market_space="market1",
    )
    spent = play(spent, "buy(good=sand, quantity=3)", "buy(good=stone, quantity=2)")
    assert look(spent)["stock"] == [0, 4, 2]
    assert look(go_on(spent, ["cards"], market="leave()"))["stock"] == [4, 4, 4]


def test_the_black_worker_is_a_thirteenth_from_the_next_round_on() -> None:
    after = go_on(position(seat(), seat(), phase="reveal", round=2, builders={"A10": 1}), ["cards"])
    assert look(after)["round"] == 3
    assert [one["workers"] for one in look(after)["seats"]] == [12, 13]


def test_the_owner_of_the_event_card_looks_after_all_else_is_laid_out() -> None:
    after = position(seat(), seat(advantages="A4"), phase="absent", round=3)
    after = play(after, "absent(quarry=sand2, quarry2=sand3)")
    assert phase(after) == "look"
    assert after.current_player == CHANCE


def test_nobody_looks_where_nobody_owns_the_card() -> None:
    after = position(seat(), seat(advantages="A5"), phase="absent", round=3)
    assert phase(play(after, "absent(quarry=sand2, quarry2=sand3)")) == "cards"


def test_the_sixth_round_shows_stone_with_wood_and_metal_without_a_draw() -> None:
    after = go_on(position(seat(), seat(), phase="reveal", round=5), ["split"])
    assert look(after)["round"] == 6
    assert look(after)["town"] == ["A15", "A16"]
    assert len(look(after)["unseen_advantages"]) == 4
