"""A Column of Fire: selling goods at ships, good spaces and through captains."""

from typing import Any, Final

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    GOODS,
    PAIRS,
    character,
    characters,
    price,
    ring,
    ship,
    space,
)
from tests.rules.column.position import (
    View,
    asked,
    first_half,
    go_on,
    goods,
    imprisoned,
    legal,
    look,
    phase,
    play,
    points,
    position,
    seat,
    stones,
)


def sale(*pairs: str) -> str:
    return f"sell(pairs={'-'.join(pairs)})"


def pairs_of(country: str) -> list[str]:
    return [pair for pair in PAIRS if pair.endswith(country)]


def buyers(good: str) -> list[str]:
    """The pairs of a good, in the order of countries."""
    return [pair for pair in PAIRS if pair.startswith(good)]


EVERYTHING: Final[dict[str, Any]] = dict.fromkeys(GOODS, 1)


def some(good: str, count: int) -> dict[str, Any]:
    return {good: count}


def at(where: str, *others: View, players: int = 4, sold: tuple[str, ...] = (), **own: Any) -> State:
    """Seat 0 has landed on a space and has been asked whether he uses it."""
    me = seat(space=where, **own)
    more = others or [seat() for _ in range(players - 1)]
    return position(me, *more, phase="use_space", sold=[pair in sold for pair in PAIRS])


def used(where: str, *others: View, **own: Any) -> State:
    return play(at(where, *others, **own), f"use_space(space={where})")


# Ships


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_ship_sells_up_to_one_tile_of_each_good_of_its_country_at_the_printed_price(country: str) -> None:
    dear, cheap = pairs_of(country)
    tiles = {pair.partition("_")[0]: 2 for pair in (dear, cheap)}
    table = used(ship(country), houses=f"{country}1", **tiles)
    assert (phase(table), look(table)["acting"]) == ("ship", ship(country))
    assert legal(table) == [sale(dear), sale(cheap), sale(dear, cheap)]
    for pairs, gain in (((dear,), 4), ((cheap,), 2), ((dear, cheap), 6)):
        after = play(table, sale(*pairs))
        sold = [pair.partition("_")[0] for pair in pairs]
        assert points(after)[0] == 10 + gain
        assert goods(after) == {good: 2 - (good in sold) for good in sorted(tiles, key=GOODS.index)}


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_ship_sells_only_where_one_owns_a_house(country: str) -> None:
    others = " ".join(f"{each}6" for each in COUNTRIES if each != country)
    me = seat(space=ring("", ship(country))[-1], houses=others, prison=imprisoned("purple"), **EVERYTHING)
    rest = [seat(space=where) for where in ring("", ship(country))[:3]]
    table = position(me, *rest, phase="track")
    assert look(play(table, f"move(space={ship(country)})"))["point"] == "end"


@pytest.mark.parametrize("site", range(1, 7))
def test_the_site_does_not_matter_for_selling(site: int) -> None:
    table = used(ship("England"), houses=f"England{site}", cloth=1)
    assert points(play(table, sale("cloth_England")))[0] == 14


def test_only_goods_one_has_are_sold() -> None:
    table = used(ship("England"), houses="England3", wine=1, book=3, ore=3)
    assert legal(table) == [sale("wine_England")]


def test_goods_without_a_buyer_there_make_no_sale() -> None:
    me = seat(space=ring("", ship("England"))[-1], houses="England3", book=2, prison=imprisoned("purple"))
    rest = [seat(space=where) for where in ring("", ship("England"))[:3]]
    table = position(me, *rest, phase="track")
    assert look(play(table, f"move(space={ship('England')})"))["point"] == "end"


def test_a_ship_need_not_be_used() -> None:
    table = at(ship("England"), houses="England3", cloth=1)
    assert asked(table) == [f"use_space(space={ship('England')})", "skip()"]
    after = play(table, "skip()")
    assert (goods(after), points(after)[0]) == ({"cloth": 1}, 10)


# The ship's stone


@pytest.mark.parametrize("players", [2, 3])
def test_with_two_or_three_players_a_ship_may_also_place_a_neutral_stone_in_its_country(players: int) -> None:
    table = used(ship("England"), players=players, houses="England3", cloth=1)
    table = play(table, sale("cloth_England"))
    assert (phase(table), look(table)["acting"]) == ("ship_stone", ship("England"))
    assert legal(table) == ["skip()", "place(stone=neutral, country=England)"]
    assert stones(play(table, "place(stone=neutral, country=England)"), "England") == "N"
    assert stones(play(table, "skip()"), "England") == ""
    assert points(table)[0] == 14


def test_with_four_players_a_ship_places_no_stone() -> None:
    table = play(used(ship("England"), houses="England3", cloth=1), sale("cloth_England"))
    assert (phase(table), look(table)["point"]) == ("window", "end")


def test_the_ships_stone_needs_no_sale() -> None:
    table = play(at(ship("Spain"), players=2, houses="Spain3", ore=1), "skip()")
    assert legal(table) == ["skip()", "place(stone=neutral, country=Spain)"]


def test_the_ships_stone_needs_no_house() -> None:
    me = seat(space=ring("", ship("Spain"))[-1], prison=imprisoned("purple"), ore=1)
    table = position(me, seat(space=ring("", ship("Spain"))[0]), phase="track")
    table = play(table, f"move(space={ship('Spain')})")
    assert (phase(table), legal(table)) == ("ship_stone", ["skip()", "place(stone=neutral, country=Spain)"])


def test_in_a_full_country_a_ship_places_no_stone() -> None:
    me = seat(space=ship("Spain"), houses="Spain3", ore=1)
    table = position(me, seat(), phase="use_space", stones={"Spain": "CCP"})
    after = play(table, f"use_space(space={ship('Spain')})", sale("ore_Spain"))
    assert (phase(after), look(after)["point"]) == ("window", "end")


def test_a_ship_reached_by_track_next_places_its_stone_too() -> None:
    card = character("TRACK_NEXT")
    around = ring("", ship("France"))
    table = position(seat(space=around[-1], row=f"{card}=white3"), seat(space=around[0]), phase="use_card")
    table = play(table, f"use_card(card={card})")
    assert legal(table) == ["skip()", "place(stone=neutral, country=France)"]


def test_a_ship_reached_by_track_next_sells_and_then_places_its_stone() -> None:
    card = character("TRACK_NEXT")
    around = ring("", ship("Spain"))
    me = seat(space=around[-1], row=f"{card}=white3", houses="Spain2", ore=1)
    table = position(me, seat(space=around[0]), phase="use_card")
    table = play(table, f"use_card(card={card})")
    assert (phase(table), legal(table)) == ("landed", [f"use_space(space={ship('Spain')})", "skip()"])
    sold = play(table, f"use_space(space={ship('Spain')})", sale("ore_Spain"))
    assert (phase(sold), points(sold)[0]) == ("ship_stone", 14)
    assert phase(play(table, "skip()")) == "ship_stone"


# Good spaces


@pytest.mark.parametrize("good", GOODS)
def test_a_good_space_brings_a_tile_or_sells_one_in_each_country_that_buys(good: str) -> None:
    where = space(f"GOOD_OR_SELL:{good}")
    one, other = buyers(good)
    sites = " ".join(f"{pair.partition('_')[2]}2" for pair in (one, other))
    table = used(where, houses=sites, **{good: 3})
    assert (phase(table), look(table)["acting"]) == ("trade", where)
    assert legal(table) == [f"gain(good={good})", sale(one), sale(other), sale(one, other)]
    assert goods(play(table, f"gain(good={good})")) == {good: 4}
    for pairs in ((one,), (other,), (one, other)):
        after = play(table, sale(*pairs))
        assert points(after)[0] == 10 + sum(map(price, pairs))
        assert goods(after) == {good: 3 - len(pairs)}


def test_both_sales_of_a_good_space_together_bring_six_points() -> None:
    table = used(space("GOOD_OR_SELL:cloth"), houses="England1 Spain6", cloth=2)
    assert points(play(table, sale("cloth_England", "cloth_Spain")))[0] == 16


def test_with_one_tile_a_good_space_sells_once() -> None:
    table = used(space("GOOD_OR_SELL:wine"), houses="England1 Netherlands6", wine=1)
    assert legal(table) == ["gain(good=wine)", sale("wine_England"), sale("wine_Netherlands")]


def test_a_good_space_sells_where_one_owns_a_house() -> None:
    table = used(space("GOOD_OR_SELL:ore"), houses="France2 England2 Netherlands2", ore=4)
    assert legal(table) == ["gain(good=ore)", sale("ore_France")]


def test_a_good_space_sells_no_other_good() -> None:
    table = used(space("GOOD_OR_SELL:book"), houses="France2 Netherlands2", ore=4, wine=2)
    assert legal(table) == ["gain(good=book)"]


# Once in each country and half-turn


def test_in_a_half_turn_one_tile_of_a_good_is_sold_in_a_country_over_all_spaces() -> None:
    where = space("GOOD_OR_SELL:cloth")
    table = at(where, sold=("cloth_England",), houses="England1 Spain1", cloth=3)
    assert legal(play(table, f"use_space(space={where})")) == ["gain(good=cloth)", sale("cloth_Spain")]


def test_a_sale_at_a_ship_counts_and_other_goods_and_countries_are_not_touched() -> None:
    table = at(
        ship("England"), sold=("cloth_England", "wine_Netherlands"), houses="England1", cloth=3, wine=3
    )
    assert legal(play(table, f"use_space(space={ship('England')})")) == [sale("wine_England")]


def test_what_was_sold_is_remembered_until_the_end_of_the_half_turn() -> None:
    table = play(used(ship("England"), houses="England1", cloth=3), sale("cloth_England"))
    assert [pair for pair, done in zip(PAIRS, look(table)["sold"], strict=True) if done] == ["cloth_England"]
    assert look(play(table, "pass()"))["sold"] == [False] * 8


def test_the_next_space_of_the_same_half_turn_keeps_the_limit() -> None:
    """A ship sells cloth, then the tile that moves the disk leads from space to space."""
    table = used(ship("England"), players=2, houses="England1 Spain1", cloth=4, tiles="next_space next_space")
    table = play(table, sale("cloth_England"), "skip()")
    assert look(table)["point"] == "end"
    assert look(play(table, "play(tile=next_space)"))["sold"][0]


def test_the_limit_does_not_span_the_halves_of_a_year() -> None:
    table = play(used(ship("England"), houses="England1", cloth=3), sale("cloth_England"))
    assert not any(look(go_on(table, "roll_dice"))["sold"])


def test_what_is_sold_in_a_first_half_counts_for_that_half() -> None:
    card, where = character("TRACK_NEXT"), space("GOOD_OR_SELL:ore")
    around = ring("", where)
    me = seat(space=around[-1], row=f"{card}=white3", houses="Spain2", ore=2)
    table = position(me, seat(space=around[0]), phase="use_card")
    table = play(table, f"use_card(card={card})", f"use_space(space={where})", sale("ore_Spain"))
    assert [pair for pair, done in zip(PAIRS, look(table)["sold"], strict=True) if done] == ["ore_Spain"]
    assert look(play(table, "pass()"))["sold"] == [False] * 8


# SELL3


@pytest.mark.parametrize("card", characters("SELL3"))
@pytest.mark.parametrize("pair", PAIRS)
def test_a_captain_sells_one_tile_for_three_in_any_of_the_countries_that_buy_it(card: str, pair: str) -> None:
    good, _, country = pair.partition("_")
    me = seat(row=f"{card}=white3", houses=f"{country}5", **some(good, 2))
    table = play(position(me, seat(), phase="use_card"), f"use_card(card={card})")
    assert (phase(table), legal(table)) == ("sell3", [f"sell_one(good={good})"])
    after = play(table, f"sell_one(good={good})")
    assert (points(after)[0], goods(after)) == (13, {good: 1})


def test_a_captain_offers_all_goods_that_can_be_sold() -> None:
    card = character("SELL3")
    me = seat(row=f"{card}=white3", houses="England5 Netherlands1", **EVERYTHING)
    table = play(position(me, seat(), phase="use_card"), f"use_card(card={card})")
    assert legal(table) == [f"sell_one(good={good})" for good in ("book", "cloth", "wine")]


def test_a_captain_without_a_house_in_a_buying_country_sells_nothing() -> None:
    card = character("SELL3")
    table = first_half(seat(row=f"{card}=white3", houses="France5 Netherlands1", cloth=3), seat())
    assert look(table)["point"] == "end"


def test_a_captain_stands_outside_the_limit_and_does_not_use_it_up() -> None:
    me = seat(space=ship("England"), houses="England1", cloth=3, tiles="sell3")
    table = position(me, seat(), phase="use_space")
    table = play(table, "play(tile=sell3)", "sell_one(good=cloth)")
    assert (points(table)[0], any(look(table)["sold"])) == (13, False)
    table = play(table, f"use_space(space={ship('England')})", sale("cloth_England"))
    assert points(table)[0] == 17
    sold = position(
        seat(houses="England1", cloth=3, tiles="sell3"),
        seat(),
        phase="window",
        point="end",
        sold=[True] + [False] * 7,
    )
    assert "sell_one(good=cloth)" in legal(play(sold, "play(tile=sell3)"))
