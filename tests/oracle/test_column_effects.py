"""A Column of Fire: what the oracle makes of actions, events, conflicts and the end, worked out by hand."""

from typing import Any

import pytest

from tests.oracle.column import Column
from tests.oracle.column_cards import COLOURS, COUNTRIES, STONES, TILES, tables
from tests.oracle.column_positions import (
    a_table,
    employ,
    play,
    recruited,
    stones,
    to_track,
)
from tests.oracle.column_table import Seat, Table

# Selling (rules 1.9)


def a_trader(half: int = 1, **options: int) -> Table:
    """A player with houses in England and Spain, two of each good, and a ship ahead."""
    table = a_table(half=half, **options)
    table.seats[0].houses |= {"England": 1, "Spain": 6}
    table.seats[0].goods = dict.fromkeys(table.seats[0].goods, 2)
    return table


def test_the_space_of_a_good_sells_one_tile_in_each_country_with_an_own_house() -> None:
    table = a_trader(half=2)
    game = to_track(table)
    play(game, "move(space=T06)", "use_space(space=T06)")
    sales = ["cloth_England", "cloth_Spain", "cloth_England-cloth_Spain"]
    assert game.events() == ["gain(good=cloth)", *(f"sell(pairs={pairs})" for pairs in sales)]
    play(game, "sell(pairs=cloth_England-cloth_Spain)")
    assert (table.seats[0].goods["cloth"], table.seats[0].points) == (0, 10 - 1 - 1 + 4 + 2)


def test_a_good_is_sold_once_in_a_country_in_a_half_turn_but_for_the_captain() -> None:
    table = a_trader(half=2)
    table.seats[0].space, table.seats[2].space = "T14", "T19"
    table.seats[0].tiles |= {"next_space": 1, "sell3": 1}
    table.sold = ["ore_Spain"]
    game = to_track(table)
    play(game, "play(tile=next_space)", "use_space(space=T15)")
    assert game.events() == ["sell(pairs=cloth_Spain)"]
    play(game, "sell(pairs=cloth_Spain)", "skip()", "play(tile=sell3)")
    assert game.events() == ["sell_one(good=ore)", "sell_one(good=cloth)", "sell_one(good=wine)"]


def test_by_option_the_captain_too_sells_a_good_once_in_a_country() -> None:
    table = a_trader(sell3_limited=1)
    employ(table.seats[0], CE05=("white", 2), CF05=("blue", 2))
    game = Column(table)
    play(game, "use_card(card=CE05)", "sell(pairs=cloth_England)", "use_card(card=CF05)")
    assert game.events() == [f"sell(pairs={pair})" for pair in ("wine_England", "ore_Spain", "cloth_Spain")]
    play(game, "sell(pairs=cloth_Spain)")
    assert table.seats[0].points == 10 + 3 + 3


def test_a_captain_without_a_market_has_nothing_to_do() -> None:
    table = a_table(half=1)
    table.seats[0].goods["book"] = 1
    table.seats[0].houses["England"] = 6
    employ(table.seats[0], CE05=("white", 2))
    Column(table)
    assert table.half == 2, "nobody is asked for anything in the first half"


@pytest.mark.parametrize(("players", "asked"), [(2, True), (3, True), (4, False)])
def test_a_ship_brings_a_stone_with_two_or_three_players(players: int, asked: bool) -> None:
    table = a_table(players)
    for seat, space in zip(table.seats, ("T16", "T06", "T07", "T08"), strict=False):
        seat.space = space
    game = to_track(table)
    play(game, "move(space=T00)")
    assert (game.node.phase == "ship_stone") == asked
    if asked:
        play(game, "place(stone=neutral, country=England)")
        assert table.countries["England"].stones["neutral"] == 1


# Actions (rules 1.8)


def acting(card: str, **facts: Any) -> Column:
    """A game in which the first seat is about to use a card of its row."""
    table = a_table(half=1)
    for name, value in facts.items():
        setattr(table.seats[0], name, value)
    employ(table.seats[0], **{card: ("white", 4)})
    game = Column(table)
    play(game, f"use_card(card={card})")
    return game


def test_religion_places_or_removes_a_catholic_or_protestant_stone() -> None:
    table = a_table(half=1)
    stones(table, "France", p=1, n=3)
    employ(table.seats[0], CE07=("white", 2))
    game = Column(table)
    play(game, "use_card(card=CE07)")
    placed = [f"place(stone={s}, country={c})" for s in STONES[:2] for c in COUNTRIES if c != "France"]
    assert game.events() == [*placed, "remove(stone=protestant, country=France)"]


def test_a_die_is_turned_within_its_faces() -> None:
    game = acting("CF12", religion_die=2)
    assert game.events() == ["turn_up(die=white)", "turn_up(die=black)", "turn_down(die=white)"]


def test_a_die_taken_off_the_religion_card_is_rolled_at_once() -> None:
    game = acting("CE13")
    play(game, "free(die=black)", "roll_religion(year=2, seat=0, face=5)", "keep()")
    assert game.table.seats[0].religion_die == 5


def test_removing_an_own_card_frees_its_die_and_a_decks_card_brings_the_next() -> None:
    game = acting("CE11")
    assert game.events() == [f"remove_card(card={card})" for card in ("CE06", "CE11", "CF06", "CN09", "CS06")]
    play(game, "remove_card(card=CS06)")
    assert game.node.phase == "flip"
    assert len(game.events()) == 16
    game = acting("CE11")
    play(game, "remove_card(card=CE11)")
    assert "white" in game.table.seats[0].free_dice()


def test_tiles_drawn_are_seen_by_their_owner_alone() -> None:
    game = acting("CE08")
    play(game, "draw(seat=0, tile=vp3)")
    own, other = game.view(0), game.view(1)
    assert own["seats"][0]["tiles"][2] == 1
    assert not any(other["seats"][0]["tiles"])
    assert (own["unseen_tiles"][2], other["unseen_tiles"][2], other["seats"][0]["held"]) == (1, 2, 1)


def test_by_option_the_played_tiles_are_drawn_when_no_others_are_left() -> None:
    for reshuffle, asked in ((0, False), (1, True)):
        table = a_table(half=1, advantage_reshuffle=reshuffle)
        table.stack, table.discards = dict.fromkeys(TILES, 0), dict.fromkeys(TILES, 0) | {"sell3": 2}
        employ(table.seats[0], CE08=("white", 2))
        game = Column(table)
        assert (table.half == 1) == asked
        if asked:
            play(game, "use_card(card=CE08)", "draw(seat=0, tile=sell3)")


# Events (rules 3.3)


def struck(event: str, **facts: Any) -> Column:
    """An event is turned up by the first seat; facts are those of the second."""
    table = a_table(half=1)
    for name, value in facts.items():
        setattr(table.seats[1], name, value)
    employ(table.seats[0], CE11=("white", 3))
    game = Column(table)
    face_up = str(table.countries[tables().events[event].country].face_up)
    play(game, "use_card(card=CE11)", f"remove_card(card={face_up})", f"flip(card={event})")
    return game


def at_home(country: str, site: int = 2) -> dict[str, int]:
    return dict.fromkeys(COUNTRIES, 0) | {country: site}


def test_loch_leven_takes_a_free_die_or_one_from_a_card() -> None:
    game = struck("F1", houses=at_home("France"), row={"CS01": "brown"}, prison=["blue"])
    dice = ("white", "orange", "brown", "purple")
    assert game.current_player() == 1
    assert game.events() == [f"imprison(die={die})" for die in dice]
    play(game, "imprison(die=brown)")
    seat = game.table.seats[1]
    assert (seat.row, seat.prison, seat.faces["brown"]) == ({}, ["blue", "brown"], 3)
    assert game.node.phase == "flip"


def test_loch_leven_spares_who_has_no_house_or_all_dice_there_already() -> None:
    assert struck("N1", houses=at_home("France")).node.phase == "flip"
    assert struck("N1", houses=at_home("Netherlands"), prison=list(COLOURS)).node.phase == "flip"


def test_a_loss_of_points_stops_at_0_and_hits_one_religion() -> None:
    game = struck("E2", points=1)
    assert [seat.points for seat in game.table.seats] == [10, 0, 10]
    game = struck("F2")
    assert [seat.points for seat in game.table.seats] == [8, 10, 8]


def test_a_loss_of_a_good_is_of_the_losers_choice() -> None:
    game = struck("S3", houses=at_home("Spain"), goods={"book": 1, "ore": 0, "cloth": 0, "wine": 2})
    assert game.events() == ["lose(good=book)", "lose(good=wine)"]
    assert struck("S3", houses=at_home("Spain"), protection=1).node.phase == "flip"


@pytest.mark.parametrize("event", ["E1", "E2", "E3"])
def test_a_protection_tile_spares_its_owner_a_negative_event(event: str) -> None:
    goods = {"book": 1, "ore": 0, "cloth": 0, "wine": 0}
    game = struck(event, protection=2, houses=at_home("England"), goods=goods)
    play(game, "protect()")
    seat = game.table.seats[1]
    assert (seat.protection, seat.points, seat.goods, seat.prison) == (1, 10, goods, [])


def test_protection_is_sold_for_the_value_of_the_religion_die() -> None:
    game = struck("N4", protection=2, religion_die=5)
    assert game.events() == ["skip()", "redeem()"]
    play(game, "redeem()")
    assert (game.table.seats[1].points, game.table.seats[1].protection) == (15, 1)


def test_a_second_event_in_a_half_turn_is_discarded() -> None:
    game = struck("F2")
    play(game, "flip(card=F1)" if "flip(card=F1)" in game.events() else "flip(card=F3)")
    assert game.node.phase == "flip"
    assert game.table.event is None


def test_seats_decide_about_events_from_the_mover_on_or_by_option_from_the_starting_player() -> None:
    for option, first in ((0, 0), (1, 1)):
        table = a_table(half=1, events_from_start=option)
        table.start_player = 1
        for seat in table.seats:
            seat.protection = 1
        employ(table.seats[0], CE11=("white", 3))
        game = Column(table)
        play(game, "use_card(card=CE11)", "remove_card(card=CE06)", "flip(card=E4)")
        assert game.current_player() == first


def test_an_event_that_takes_the_die_of_the_card_in_question_takes_its_use() -> None:
    table = a_table(half=1)
    table.seats[0].tiles["remove_card"] = 1
    table.seats[0].houses["England"] = 1
    employ(table.seats[0], CE05=("white", 3), CS08=("brown", 3))
    game = Column(table)
    play(game, "play(tile=remove_card)", "remove_card(card=CE06)", "flip(card=E1)")
    play(game, "imprison(die=brown)", "flip(card=CE01)")
    assert list(table.seats[0].row) == ["CE05"]
    assert table.half == 2, "the card that is gone is not asked about"


def test_a_deck_without_characters_ends_the_game_after_the_year() -> None:
    table = a_table(half=1)
    table.countries["England"].unseen = ["E2"]
    employ(table.seats[0], CE11=("white", 3))
    game = Column(table)
    play(game, "use_card(card=CE11)", "remove_card(card=CE06)", "flip(card=E2)")
    assert (table.ending, table.countries["England"].face_up) == (True, None)
    assert not game.over


# Religious conflicts (rules 4)


def after_conflict(players: int, **counts: int) -> Table:
    table = a_table(players, half=1)
    for seat, site in zip(table.seats, (6, 4, 1, 0), strict=False):
        seat.houses["France"] = site
    stones(table, "France", **counts)
    Column(table)
    return table


def test_the_majority_gains_its_sites_and_the_minority_loses_its_houses() -> None:
    table = after_conflict(4, p=2, c=1, n=1)
    assert [seat.points for seat in table.seats] == [10 + 6, 10, 10 + 1, 10]
    assert [seat.houses["France"] for seat in table.seats] == [6, 0, 1, 0]
    assert not any(table.countries["France"].stones.values())


@pytest.mark.parametrize("counts", [{"c": 2, "p": 2}, {"c": 1, "p": 1, "n": 2}, {"n": 4}])
def test_a_tie_takes_the_stones_and_nothing_else(counts: dict[str, int]) -> None:
    table = after_conflict(4, **counts)
    assert [seat.houses["France"] for seat in table.seats] == [6, 4, 1, 0]
    assert not any(table.countries["France"].stones.values())


def test_with_two_players_three_stones_make_a_conflict() -> None:
    assert not any(after_conflict(2, c=2, n=1).countries["France"].stones.values())
    assert any(after_conflict(3, c=2, n=1).countries["France"].stones.values())


def test_several_conflicts_are_settled_in_the_active_players_order() -> None:
    table = a_table(half=1)
    for country in ("England", "Spain", "Netherlands"):
        stones(table, country, n=4)
    game = Column(table)
    assert game.events() == [f"resolve(country={c})" for c in ("England", "Netherlands", "Spain")]
    play(game, "resolve(country=Spain)", "resolve(country=England)")
    assert table.half == 2, "the last one needs no order"


# The end (rules 5)


def test_the_year_is_completed_when_someone_has_reached_50() -> None:
    table = a_table(half=1)
    table.seats[1].points = 49
    game = Column(table)
    assert table.ending
    while not game.over:
        assert game.table.year == 2
        game.apply(game.events()[0])


def test_the_rulebooks_example_of_the_final_score() -> None:
    seat = Seat(points=0, protection=1)
    seat.houses |= {"England": 1, "France": 6, "Spain": 2}
    seat.goods["wine"], seat.goods["ore"] = 2, 1
    seat.tiles["vp1"] = seat.tiles["vp2"] = 1
    assert seat.score() == 6 + 1 + 1 + 3


def test_ties_are_broken_by_goods_then_by_the_religion_die_and_else_shared() -> None:
    table = a_table()
    game = Column(table)
    for seat in table.seats:
        seat.points, seat.religion_die = 20, 3
    table.seats[2].goods["ore"] = 1
    assert game.win_shares() == [0, 0, 1]
    table.seats[1].goods["wine"] = 1
    assert game.win_shares() == [0, 0.5, 0.5]
    table.seats[1].religion_die = 4
    assert game.win_shares() == [0, 1, 0]


def test_at_the_end_points_on_tiles_are_revealed_and_other_tiles_stay_hidden() -> None:
    table = a_table(max_years=2)
    table.seats[2].tiles |= {"vp2": 1, "sell3": 1}
    table.stack |= {"vp2": 4, "sell3": 1}
    game = Column(table)
    while not game.over:
        game.apply(game.events()[-1])
    assert game.view(0)["seats"] == game.view(2)["seats"] == game.view()["seats"]
    assert game.view(0)["seats"][2]["held"] >= 1
    assert game.view(0)["unseen_tiles"] == game.view(2)["unseen_tiles"]


# Windows (rules 7.1)


@pytest.mark.parametrize(
    ("points", "tile", "shown"),
    [(2, 0, False), (3, 0, True), (2, 1, True)],
    ids=["neither", "points", "tile"],
)
def test_a_window_shows_to_who_has_a_tile_or_three_points(points: int, tile: int, shown: bool) -> None:
    table = a_table(half=1, free_actions=1)
    table.seats[0].points, table.seats[0].tiles["vp1"] = points, tile
    game = Column(table)
    assert (game.node.phase == "window" and table.point == "start" and table.turn == 0) == shown


def test_in_the_window_before_the_half_a_die_on_loch_leven_can_be_turned_to_be_freed() -> None:
    table = a_table(half=1, free_actions=1)
    table.seats[0].tiles["turn_die"] = 1
    table.seats[0].prison, table.seats[0].faces["blue"] = ["blue"], 2
    game = Column(table)
    play(game, "play(tile=turn_die)", "turn_down(die=blue)", "pass()")
    assert table.seats[0].prison == []


def test_copies_go_on_alike() -> None:
    game = recruited(a_table(), "white", "England", 4)
    twin = game.copy()
    assert twin.identity() == game.identity()
    play(game, "use_card(card=CE06)")
    assert twin.node.phase == "use_card"
    assert twin.identity() != game.identity()
