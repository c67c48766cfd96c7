"""The Pillars of the Earth: building, craftsman by craftsman of the box, and the five cubes that are kept."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.oracle.pillars_cards import CRAFTSMEN, GOODS
from tests.rules.pillars.position import (
    View,
    go_on,
    goods,
    legal,
    look,
    phase,
    play,
    position,
    refused,
    seat,
    seat_of,
)

# What a craftsman takes for one use, what he gives, and how often he works: points unless said otherwise.
RATES: dict[str, tuple[dict[str, int], int, int]] = {
    "S1": ({"sand": 3}, 1, 3),
    "S2": ({"wood": 2}, 1, 4),
    "S3": ({"stone": 2}, 1, 4),
    "1a": ({"sand": 2}, 1, 3),
    "1d": ({"stone": 1}, 1, 2),
    "2a": ({"stone": 1}, 1, 3),
    "2c": ({"sand": 1}, 1, 2),
    "2d": ({"wood": 1}, 1, 2),
    "3a": ({"stone": 1}, 1, 4),
    "3b": ({"sand": 1}, 1, 3),
    "3c": ({"wood": 1}, 1, 3),
    "3d": ({"stone": 1}, 2, 1),
    "4a": ({"stone": 1}, 1, 5),
    "4b": ({"wood": 1}, 1, 4),
    "4c": ({"stone": 1}, 2, 2),
    "4d": ({"sand": 1, "metal": 1}, 3, 1),
    "5a": ({"wood": 1}, 1, 5),
    "5b": ({"stone": 1}, 2, 3),
    "5c": ({"sand": 1, "metal": 1}, 3, 2),
    "5d": ({"gold": 3}, 1, 6),
    "6a": ({"stone": 1}, 2, 4),
    "6b": ({"gold": 3}, 1, 8),
    "6c": ({"wood": 1, "metal": 1}, 6, 1),
    "6d": ({"metal": 1}, 4, 2),
}
NEEDS_MIXER = ("1d", "2a", "3a", "4a")


def building(*seats: View, **facts: object) -> State:
    """The first question of the building in the last round, or in another; nobody pays tax."""
    table = position(*seats, phase="roll", builders={"court1": 1, "court2": 0}, **({"round": 6} | facts))
    return go_on(play(table, "roll(face=2)"), ["boost", "work", "drop"])


def alone(card: str, uses: int, **held: Any) -> View:
    """A seat with one craftsman, a mason with a mortar mixer beside him, and inputs for some uses."""
    inputs, _, _ = RATES[card]
    mixer = "S1 " if card in NEEDS_MIXER else ""
    stock = {"gold": 20} | {name: uses * need for name, need in inputs.items()} | held
    return seat(craftsmen=mixer + card, points=10, **stock)


NOBODY = seat(craftsmen="")


def work(card: str, times: int) -> str:
    return f"work(craftsman={card}, quantity={times})"


# Each craftsman


@pytest.mark.parametrize("card", RATES)
def test_a_craftsman_turns_his_inputs_into_points(card: str) -> None:
    inputs, points, most = RATES[card]
    table = building(alone(card, most + 1), NOBODY)
    held = seat_of(table)
    assert legal(table) == [work(card, times) for times in range(most + 1)]
    for times in range(most + 1):
        after = seat_of(play(table, work(card, times)))
        assert after["points"] == 10 + times * points
        assert after["gold"] == held["gold"] - times * inputs.get("gold", 0)
        for place, good in enumerate(GOODS):
            assert after["goods"][place] == held["goods"][place] - times * inputs.get(good, 0)


@pytest.mark.parametrize("card", RATES)
def test_a_craftsman_works_no_more_often_than_his_inputs_allow(card: str) -> None:
    inputs, _, most = RATES[card]
    for input_, need in inputs.items():
        for times in range(most):
            table = building(alone(card, most, **{input_: (times + 1) * need - 1}), NOBODY)
            allowed = [work(card, number) for number in range(times + 1)] if times else []
            assert (legal(table) if phase(table) == "work" else []) == allowed


def test_all_craftsmen_of_the_box_are_tested_here() -> None:
    assert set(RATES) | {"1b", "1c", "2b"} == set(CRAFTSMEN)


def test_the_woodworker_turns_a_wood_into_four_gold_twice() -> None:
    table = building(seat(craftsmen="1b", gold=3, wood=5), NOBODY)
    assert legal(table) == [work("1b", times) for times in range(3)]
    after = play(table, work("1b", 2))
    assert (seat_of(after)["gold"], goods(after)["wood"], seat_of(after)["points"]) == (3 + 8, 3, 2)


def test_the_toolmaker_makes_two_gold_and_keeps_the_metal() -> None:
    table = building(seat(craftsmen="1c", gold=3, metal=1), NOBODY, round=5)
    assert legal(table) == [work("1c", 0), work("1c", 1)]
    after = play(table, work("1c", 1))
    assert (seat_of(after)["gold"], goods(after)) == (5, goods(table))


def without_court(*seats: View, **facts: object) -> State:
    """As ``building``, but nobody is at court and the tax of 2 is paid."""
    table = position(*seats, phase="roll", **({"round": 6} | facts))
    return go_on(play(table, "roll(face=2)"), ["boost", "work", "drop"])


def test_the_toolmaker_needs_a_metal() -> None:
    assert phase(without_court(seat(craftsmen="1c", sand=3), NOBODY)) == "over"
    assert phase(without_court(seat(craftsmen="1c", metal=1), NOBODY)) == "work"


def test_the_metal_the_toolmaker_used_can_feed_another_craftsman() -> None:
    table = without_court(seat(craftsmen="1c 6d", gold=5, metal=1), NOBODY)
    after = play(table, work("1c", 1), work("6d", 1))
    assert (seat_of(after)["gold"], seat_of(after)["points"], goods(after)) == (5 - 2 + 2, 2 + 4, {})


def test_the_architect_gives_a_point_for_nothing() -> None:
    table = without_court(seat(craftsmen="2b"), NOBODY)
    assert legal(table) == [work("2b", 0), work("2b", 1)]
    assert seat_of(play(table, work("2b", 1)))["points"] == 3


# Masons


@pytest.mark.parametrize("card", NEEDS_MIXER)
def test_a_mason_without_a_mortar_mixer_takes_no_stone_and_makes_no_points(card: str) -> None:
    assert phase(without_court(seat(craftsmen=card, stone=5), NOBODY)) == "over"


@pytest.mark.parametrize("mixer", ["S1", "1a"])
def test_either_mortar_mixer_serves_the_masons(mixer: str) -> None:
    table = without_court(seat(craftsmen=f"{mixer} 2a", stone=5), NOBODY)
    assert legal(table) == [work("2a", times) for times in range(4)]


def test_an_option_lets_only_the_starting_mortar_mixer_serve_the_masons() -> None:
    table = without_court(seat(craftsmen="1a 2a", stone=5), NOBODY, strict_masters=1)
    assert phase(table) == "over"
    starter = without_court(seat(craftsmen="S1 2a", stone=5), NOBODY, strict_masters=1)
    assert phase(starter) == "work"


# One commit


def test_players_build_in_turn_from_the_start_player_on() -> None:
    table = without_court(seat(sand=3), seat(sand=3), seat(sand=3), start_player=2, mover=0)
    movers = []
    while phase(table) == "work":
        movers.append(table.current_player)
        table = play(table, work("S1", 1))
    assert movers == [2, 0, 1]


def test_craftsmen_are_asked_in_card_order_each_for_what_is_left() -> None:
    table = without_court(seat(craftsmen="S3 2a S1 3d", stone=5, sand=3), NOBODY)
    asked = []
    for times in (1, 1, 2, 1):
        asked.append((look(table)["asked"], len(legal(table)) - 1))
        table = play(table, work(look(table)["asked"], times))
    # 3 sand; 5 stone, 3 after the stonecutter, 1 after the mason.
    assert asked == [("S1", 1), ("S3", 2), ("2a", 3), ("3d", 1)]
    assert seat_of(table)["points"] == 2 + 1 + 1 + 2 + 2
    assert goods(table) == {}


def test_who_can_do_nothing_is_not_asked() -> None:
    table = without_court(seat(stone=1), seat(wood=2))
    assert (table.current_player, look(table)["asked"]) == (1, "S2")


def test_gold_made_in_the_building_is_not_there_for_the_goldsmith() -> None:
    # 3 gold: one use, whatever the woodworker makes.
    table = building(seat(craftsmen="1b 5d", gold=3, wood=2), NOBODY)
    table = play(table, work("1b", 2))
    assert look(table)["made"] == 8
    assert seat_of(table)["gold"] == 3
    assert legal(table) == [work("5d", 0), work("5d", 1)]
    assert seat_of(play(table, work("5d", 1)))["gold"] == 3 - 3 + 8


def test_gold_is_paid_before_gold_comes_in_and_the_cap_comes_last() -> None:
    # 28 gold, the goldsmith 6 times (18), the woodworker twice (8): 28 - 18 + 8 = 18.
    table = building(seat(craftsmen="1b 5d", gold=28, wood=2), NOBODY)
    after = play(table, work("1b", 2), work("5d", 6))
    assert seat_of(after)["gold"] == 18
    assert seat_of(after)["points"] == 2 + 6


def test_gold_from_building_stops_at_thirty() -> None:
    table = building(seat(craftsmen="1b 1c", gold=25, wood=2, metal=1), NOBODY)
    assert seat_of(play(table, work("1b", 2), work("1c", 1)))["gold"] == 30


def test_gold_made_by_one_player_is_not_paid_to_the_next() -> None:
    table = building(seat(craftsmen="1b", gold=3, wood=2), seat(craftsmen="S1", gold=9, sand=3))
    after = play(table, work("1b", 2), work("S1", 1))
    assert [one["gold"] for one in look(after)["seats"]] == [3 + 8, 9]


def test_two_goldsmiths_share_the_gold() -> None:
    table = building(seat(craftsmen="5d 6b", gold=23), NOBODY)
    table = play(table, work("5d", 5))
    assert legal(table) == [work("6b", times) for times in range(3)]


# Craftsman by craftsman


def one_by_one(*seats: View, **facts: object) -> State:
    return building(*seats, sequential_building=1, **facts)


def test_an_option_lets_craftsmen_work_in_any_order_and_in_several_goes() -> None:
    table = one_by_one(seat(craftsmen="S2 5d", gold=9, wood=8), NOBODY)
    assert legal(table) == [
        *(work("S2", times) for times in range(1, 5)),
        *(work("5d", times) for times in range(1, 4)),
        "done()",
    ]
    table = play(table, work("5d", 1), work("S2", 3), work("5d", 2))
    assert legal(table) == [work("S2", 1), "done()"]
    assert look(table)["used"] == [{"craftsman": "S2", "times": 3}, {"craftsman": "5d", "times": 3}]
    assert seat_of(table)["points"] == 2 + 3 + 3


def test_with_that_option_fresh_gold_is_there_for_the_goldsmith() -> None:
    table = one_by_one(seat(craftsmen="1b 5d", gold=2, wood=2), NOBODY)
    assert work("5d", 1) not in legal(table)
    table = play(table, work("1b", 1))
    assert seat_of(table)["gold"] == 6
    assert legal(table) == [work("1b", 1), work("5d", 1), work("5d", 2), "done()"]


def test_with_that_option_the_cap_on_gold_comes_after_each_go() -> None:
    # 28 + 8 is cut to 30, less 18: 12.
    table = one_by_one(seat(craftsmen="1b 5d", gold=28, wood=2), NOBODY)
    assert seat_of(play(table, work("1b", 2), work("5d", 6)))["gold"] == 12
    assert seat_of(play(table, work("5d", 6), work("1b", 2)))["gold"] == 18


def test_with_that_option_the_toolmaker_looks_at_the_metal_of_the_moment() -> None:
    table = one_by_one(seat(craftsmen="1c 6d", gold=5, metal=1), NOBODY)
    first = play(table, work("1c", 1), work("6d", 1))
    assert (seat_of(first)["gold"], seat_of(first)["points"]) == (7, 6)
    assert legal(play(table, work("6d", 1))) == ["done()"]


def test_with_that_option_being_done_is_asked_even_of_who_can_do_nothing() -> None:
    table = one_by_one(seat(craftsmen="S1"), seat(craftsmen="S2"))
    assert (legal(table), table.current_player) == (["done()"], 0)
    assert play(table, "done()").current_player == 1


def test_with_that_option_each_player_has_the_whole_capacity_of_his_own_craftsmen() -> None:
    table = one_by_one(seat(sand=9), seat(sand=9))
    after = play(table, work("S1", 3), "done()")
    assert legal(after) == [*(work("S1", times) for times in (1, 2, 3)), "done()"]


# The event of capacity


def boosted(craftsmen: str, **facts: object) -> State:
    """Building in the round of event E9."""
    held: dict[str, Any] = {name: facts.pop(name) for name in (*GOODS, "gold") if name in facts}
    return building(seat(craftsmen=craftsmen, **held), NOBODY, event="E9", **facts)


def test_e9_must_name_a_craftsman_whether_he_can_work_or_not() -> None:
    table = boosted("1b 1c 2b 5d 6c")
    assert phase(table) == "boost"
    assert legal(table) == ["boost(craftsman=1b)", "boost(craftsman=5d)"]


@pytest.mark.parametrize("card", ["1c", "2b", "6c", "6d"])
def test_e9_does_not_help_toolmaker_architect_organ_builder_and_bell_maker(card: str) -> None:
    table = boosted(f"S2 {card}", wood=9, metal=9)
    assert refused(table, f"boost(craftsman={card})")
    assert phase(boosted(card, wood=9, metal=9)) == "work"


@pytest.mark.parametrize("card", [card for card in RATES if card not in ("6c", "6d")])
def test_e9_lets_a_craftsman_work_once_more(card: str) -> None:
    _, points, most = RATES[card]
    table = building(alone(card, most + 1), NOBODY, event="E9")
    table = play(table, f"boost(craftsman={card})")
    assert look(table)["boosted"] == card
    assert legal(table) == [work(card, times) for times in range(most + 2)]
    assert seat_of(play(table, work(card, most + 1)))["points"] == 10 + (most + 1) * points


@pytest.mark.parametrize("card", ["S3", "2c", "5d"])
def test_e9_lets_a_craftsman_work_once_more_and_no_oftener(card: str) -> None:
    _, _, most = RATES[card]
    table = play(building(alone(card, most + 2), NOBODY, event="E9"), f"boost(craftsman={card})")
    assert legal(table)[-1] == work(card, most + 1)


def test_e9_lets_the_woodworker_make_twelve_gold() -> None:
    table = play(boosted("1b", wood=3, gold=0), "boost(craftsman=1b)")
    assert seat_of(play(table, work("1b", 3)))["gold"] == 12


def test_e9_helps_one_craftsman_only() -> None:
    table = play(boosted("S1 S2", sand=12, wood=12), "boost(craftsman=S2)")
    assert legal(table)[-1] == work("S1", 3)
    assert legal(play(table, work("S1", 0)))[-1] == work("S2", 5)


def test_e9_asks_each_player_before_his_own_building() -> None:
    table = building(seat(sand=3), seat(sand=3), event="E9")
    assert (phase(table), table.current_player) == ("boost", 0)
    table = play(table, "boost(craftsman=S1)", work("S1", 0))
    assert (phase(table), table.current_player) == ("boost", 1)


def test_e9_does_not_ask_who_has_nobody_to_name() -> None:
    assert phase(boosted("2b")) == "work"


def test_e9_works_craftsman_by_craftsman_too() -> None:
    table = play(boosted("S3", stone=12, sequential_building=1), "boost(craftsman=S3)")
    assert legal(table)[-2] == work("S3", 5)
    assert legal(play(table, work("S3", 4))) == [work("S3", 1), "done()"]
    assert legal(play(table, work("S3", 5))) == ["done()"]


# Five cubes


def carry(round_: int = 2, craftsmen: str = "", **held: Any) -> State:
    """The carry-over of the first seat, who has no craftsman to build with."""
    options = {name: held.pop(name) for name in list(held) if name not in GOODS}
    table = position(seat(craftsmen=craftsmen, **held), NOBODY, phase="roll", round=round_, **options)
    return play(table, "roll(face=2)")


def drop(good: str, quantity: int) -> str:
    return f"drop(good={good}, quantity={quantity})"


def test_five_cubes_are_kept() -> None:
    after = carry(sand=3, metal=2)
    assert phase(after) == "town"
    assert goods(after) == {"sand": 3, "metal": 2}


def test_of_more_than_five_the_owner_chooses_what_to_give_up_good_by_good() -> None:
    table = carry(sand=2, wood=3, stone=3)
    assert (phase(table), table.current_player) == ("drop", 0)
    assert (look(table)["excess"], look(table)["dropping"]) == (3, "sand")
    assert legal(table) == [drop("sand", number) for number in (0, 1, 2)]
    table = play(table, drop("sand", 0))
    assert (look(table)["excess"], look(table)["dropping"]) == (3, "wood")
    assert legal(table) == [drop("wood", number) for number in (0, 1, 2, 3)]
    after = play(table, drop("wood", 1))
    assert phase(after) == "town"
    assert goods(after) == {"sand": 2, "wood": 2, "stone": 1}


def test_metal_counts_among_the_five() -> None:
    table = carry(sand=3, metal=3)
    assert look(table)["excess"] == 1
    assert goods(play(table, drop("sand", 0))) == {"sand": 3, "metal": 2}
    assert goods(play(table, drop("sand", 1))) == {"sand": 2, "metal": 3}


def test_no_less_may_be_given_up_than_later_goods_cannot_cover() -> None:
    # 9 cubes, 4 too many; stone can cover 1, so at least 3 of the sand go.
    assert legal(carry(sand=8, stone=1)) == [drop("sand", 3), drop("sand", 4)]


def test_no_more_may_be_given_up_than_are_too_many() -> None:
    assert legal(carry(sand=4, wood=3)) == [drop("sand", number) for number in (0, 1, 2)]


def test_where_there_is_no_choice_nothing_is_asked() -> None:
    assert goods(carry(wood=8)) == {"wood": 5}
    assert goods(carry(metal=8)) == {"metal": 5}


def test_cubes_given_up_bring_nothing() -> None:
    table = carry(sand=4, wood=3)
    after = play(table, drop("sand", 1))
    assert seat_of(after)["gold"] == seat_of(table)["gold"]
    assert look(table)["stock"] == [4, 4, 4]


def test_an_option_keeps_all_metal_beside_five_other_cubes() -> None:
    after = carry(sand=3, stone=2, metal=7, metal_is_free=1)
    assert goods(after) == {"sand": 3, "stone": 2, "metal": 7}
    table = carry(sand=3, stone=4, metal=7, metal_is_free=1)
    assert look(table)["excess"] == 2
    assert goods(play(table, drop("sand", 2))) == {"sand": 1, "stone": 4, "metal": 7}


def test_each_player_is_asked_right_after_his_own_building() -> None:
    table = position(seat(sand=6, wood=2), seat(sand=3), phase="roll", round=2)
    table = play(table, "roll(face=2)", work("S1", 0), work("S2", 0))
    assert (phase(table), table.current_player) == ("drop", 0)
    table = play(table, drop("sand", 3))
    assert (phase(table), table.current_player) == ("work", 1)


def test_after_the_last_round_nothing_is_given_up() -> None:
    after = carry(round_=6, sand=9)
    assert after.is_terminal
    assert goods(after) == {"sand": 9}
