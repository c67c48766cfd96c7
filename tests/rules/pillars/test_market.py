"""The Pillars of the Earth: the market."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.pillars.position import (
    View,
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


def market(*seats: View, **facts: object) -> State:
    """The first turn at the market: the first seat's, in space 1, unless told otherwise."""
    where = facts.pop("builders", {"market1": 0})
    assert isinstance(where, dict)
    return position(*seats, phase="market", builders=where, market_space=min(where), **facts)


def deals(table: State, kind: str) -> list[str]:
    return [action for action in legal(table) if action.startswith(kind)]


# Who trades when


def test_only_players_with_a_builder_at_the_market_trade() -> None:
    table = position(seat(sand=3), seat(gold=20), phase="roll", builders={"market1": 1})
    table = play(table, "roll(face=2)")
    assert (phase(table), table.current_player) == ("market", 1)
    assert play(table, "leave()").current_player == 0
    assert phase(play(table, "leave()")) == "work"


def test_if_nobody_is_at_the_market_there_is_no_trading() -> None:
    table = play(position(seat(sand=3), seat(), phase="roll"), "roll(face=2)")
    assert phase(table) == "work"


def test_turns_go_by_the_number_of_the_space_round_and_round_until_all_have_left() -> None:
    table = market(
        seat(sand=5), seat(sand=5), seat(sand=5), builders={"market1": 2, "market2": 0, "market3": 1}, mover=2
    )
    movers, spaces = [], []
    for action in ("sell", "leave", "sell", "sell", "leave", "sell", "leave"):
        movers.append(table.current_player)
        spaces.append(look(table)["market_space"])
        table = play(table, "leave()" if action == "leave" else "sell(good=sand, quantity=1)")
    assert movers == [2, 0, 1, 2, 1, 2, 2]
    assert spaces == ["market1", "market2", "market3", "market1", "market3", "market1", "market1"]
    assert phase(table) in ("work", "drop")


def test_who_has_left_does_not_come_back() -> None:
    table = market(seat(sand=5), seat(sand=5), builders={"market1": 0, "market2": 1})
    table = play(table, "leave()")
    assert look(table)["builders"] == [{"space": "market2", "seat": 1}]
    assert play(table, "sell(good=sand, quantity=1)").current_player == 1


def test_leaving_is_asked_even_of_a_player_who_can_trade_nothing() -> None:
    assert legal(market(seat(gold=1), seat())) == ["leave()"]


# Buying


def test_sand_wood_and_stone_cost_two_three_and_four_gold() -> None:
    table = market(seat(gold=30), seat())
    for good, price in (("sand", 2), ("wood", 3), ("stone", 4)):
        after = play(table, f"buy(good={good}, quantity=3)")
        assert seat_of(after)["gold"] == 30 - 3 * price
        assert goods(after) == {good: 3}
        assert look(after)["stock"] == [4 - 3 * (good == other) for other in ("sand", "wood", "stone")]


def test_a_player_buys_at_most_what_is_in_stock() -> None:
    table = market(seat(gold=30), seat(), stock=[3, 0, 4])
    assert deals(table, "buy") == [
        *(f"buy(good=sand, quantity={number})" for number in (1, 2, 3)),
        *(f"buy(good=stone, quantity={number})" for number in (1, 2, 3, 4)),
    ]


def test_a_player_buys_at_most_what_he_can_pay() -> None:
    assert deals(market(seat(gold=7), seat()), "buy") == [
        *(f"buy(good=sand, quantity={number})" for number in (1, 2, 3)),
        *(f"buy(good=wood, quantity={number})" for number in (1, 2)),
        "buy(good=stone, quantity=1)",
    ]


def test_what_one_buys_the_next_cannot() -> None:
    table = market(seat(gold=30), seat(gold=30), builders={"market1": 0, "market2": 1})
    table = play(table, "buy(good=stone, quantity=4)")
    assert not [action for action in legal(table) if "buy(good=stone" in action]


def test_metal_cannot_be_bought() -> None:
    table = market(seat(gold=30), seat())
    assert refused(table, "buy(good=metal, quantity=1)")


@pytest.mark.parametrize("woodworker", ["S2", "1b"])
def test_buying_wood_needs_a_woodworker_old_or_new(woodworker: str) -> None:
    table = market(seat(craftsmen=f"S1 S3 {woodworker}"), seat())
    assert [action for action in deals(table, "buy") if "wood" in action]
    without = market(seat(craftsmen="S1 S3 1a 1c 1d"), seat())
    assert not [action for action in deals(without, "buy") if "wood" in action]


def test_other_goods_can_be_bought_without_a_woodworker() -> None:
    table = market(seat(gold=4, craftsmen="S1"), seat())
    assert deals(table, "buy") == [
        "buy(good=sand, quantity=1)",
        "buy(good=sand, quantity=2)",
        "buy(good=stone, quantity=1)",
    ]


def test_a_carpenter_is_no_woodworker() -> None:
    table = market(seat(craftsmen="S1 S3 2d"), seat(), round=3)
    assert not [action for action in deals(table, "buy") if "wood" in action]


def test_an_option_bars_the_master_woodworker_from_buying_wood() -> None:
    master = market(seat(craftsmen="S1 S3 1b"), seat(), strict_masters=1)
    assert not [action for action in deals(master, "buy") if "wood" in action]
    starter = market(seat(craftsmen="S1 S2 S3"), seat(), strict_masters=1)
    assert [action for action in deals(starter, "buy") if "wood" in action]


# Selling


def test_cubes_sell_for_two_three_four_and_five_gold() -> None:
    table = market(seat(gold=1, sand=3, wood=3, stone=3, metal=3), seat())
    for good, price in (("sand", 2), ("wood", 3), ("stone", 4), ("metal", 5)):
        after = play(table, f"sell(good={good}, quantity=2)")
        assert seat_of(after)["gold"] == 1 + 2 * price
        assert goods(after)[good] == 1


def test_a_player_sells_as_much_as_he_owns_and_no_more() -> None:
    table = market(seat(gold=0, sand=7, metal=1), seat())
    assert deals(table, "sell") == [
        *(f"sell(good=sand, quantity={number})" for number in range(1, 8)),
        "sell(good=metal, quantity=1)",
    ]


def test_sold_cubes_do_not_enter_the_stock() -> None:
    after = play(market(seat(gold=0, sand=7), seat(), stock=[1, 2, 3]), "sell(good=sand, quantity=5)")
    assert look(after)["stock"] == [1, 2, 3]


def test_selling_stone_needs_a_stonecutter() -> None:
    assert "sell(good=stone, quantity=1)" in legal(market(seat(stone=1), seat()))
    without = market(seat(stone=1, craftsmen="S1 S2 1a 1d"), seat())
    assert not deals(without, "sell")


def test_other_goods_can_be_sold_without_a_stonecutter() -> None:
    table = market(seat(gold=0, sand=1, wood=1, stone=1, metal=1, craftsmen="S1"), seat())
    assert deals(table, "sell") == [f"sell(good={good}, quantity=1)" for good in ("sand", "wood", "metal")]


def test_a_mason_or_a_sculptor_is_no_stonecutter() -> None:
    assert not deals(market(seat(stone=1, craftsmen="S1 S2 2a 3d"), seat(), round=4), "sell")


def test_gold_from_a_sale_stops_at_thirty() -> None:
    assert seat_of(play(market(seat(gold=25, stone=3), seat()), "sell(good=stone, quantity=3)"))["gold"] == 30


def test_selling_at_thirty_gold_is_legal_and_brings_nothing() -> None:
    after = play(market(seat(gold=30, sand=3), seat()), "sell(good=sand, quantity=1)")
    assert (seat_of(after)["gold"], goods(after)) == (30, {"sand": 2})


# One direction


def test_what_was_bought_cannot_be_sold_in_this_round() -> None:
    table = play(market(seat(gold=20, sand=2, stone=1), seat()), "buy(good=sand, quantity=1)")
    assert deals(table, "sell") == ["sell(good=stone, quantity=1)"]
    assert [action for action in deals(table, "buy") if "sand" in action]


def test_what_was_sold_cannot_be_bought_in_this_round() -> None:
    table = play(market(seat(gold=20, sand=2), seat()), "sell(good=sand, quantity=1)")
    assert not [action for action in deals(table, "buy") if "sand" in action]
    assert deals(table, "sell") == ["sell(good=sand, quantity=1)"]
    assert [action for action in deals(table, "buy") if "stone" in action]


def test_the_direction_binds_one_player_and_not_the_others() -> None:
    table = market(seat(sand=2), seat(sand=2), builders={"market1": 0, "market2": 1})
    table = play(table, "buy(good=sand, quantity=1)")
    assert table.current_player == 1
    assert [action for action in deals(table, "sell") if "sand" in action]


def test_a_good_may_be_traded_in_several_transactions() -> None:
    table = market(seat(gold=0, wood=4), seat())
    for left in (3, 2, 1):
        table = play(table, "sell(good=wood, quantity=1)")
        assert goods(table) == {"wood": left}


def test_the_directions_are_free_again_in_the_next_round() -> None:
    table = play(market(seat(sand=2, gold=20), seat()), "buy(good=sand, quantity=1)", "leave()")
    assert seat_of(table)["bought"] == [False] * 3
    assert seat_of(table)["sold"] == [False] * 4


# Two builders of one player

TWO = {"market1": 0, "market2": 1, "market3": 0}


def test_a_player_with_two_builders_takes_part_once_at_his_lowest_space() -> None:
    table = play(position(seat(sand=5), seat(sand=5), phase="roll", builders=TWO), "roll(face=2)")
    assert look(table)["builders"] == [{"space": "market1", "seat": 0}, {"space": "market2", "seat": 1}]
    movers = []
    for action in ("sell(good=sand, quantity=1)", "sell(good=sand, quantity=1)", "leave()", "leave()"):
        movers.append(table.current_player)
        table = play(table, action)
    assert movers == [0, 1, 0, 1]
    assert phase(table) == "work"


def test_an_option_gives_him_a_turn_at_each_of_his_spaces() -> None:
    table = position(seat(sand=6), seat(sand=5), phase="roll", builders=TWO, market_twice=1)
    table = play(table, "roll(face=2)")
    movers, spaces = [], []
    for action in ("sell(good=sand, quantity=1)", "leave()", "sell(good=sand, quantity=1)", "leave()"):
        movers.append(table.current_player)
        spaces.append(look(table)["market_space"])
        table = play(table, action)
    assert movers == [0, 1, 0, 0]
    assert spaces == ["market1", "market2", "market3", "market1"]
    assert (table.current_player, look(table)["market_space"]) == (0, "market3")
    assert phase(play(table, "leave()")) == "work"


def test_with_that_option_too_the_direction_binds_the_player_not_the_builder() -> None:
    table = position(seat(sand=2), seat(), phase="roll", builders=TWO, market_twice=1)
    table = play(table, "roll(face=2)", "buy(good=sand, quantity=1)", "leave()")
    assert (table.current_player, look(table)["market_space"]) == (0, "market3")
    assert not [action for action in deals(table, "sell") if "sand" in action]
