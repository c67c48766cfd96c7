"""A Column of Fire: the oracle's turns in situations worked out by hand from the rules."""

from random import Random

import pytest

from kingsbridge.pyengine import describe
from tests.oracle.column import Column
from tests.oracle.column_cards import COLOURS, COUNTRIES, place_of, tables
from tests.oracle.column_positions import (
    a_table,
    employ,
    play,
    recruited,
    roll,
    sites,
    stones,
    to_track,
)
from tests.oracle.column_table import Table

# Setting up (rules 1.3)


def test_a_player_starts_with_what_the_back_of_his_loch_leven_card_shows() -> None:
    game = Column.initial(3)
    play(game, "start(seat=1)", "deal(seat=0, loch_leven=L1)", "deal(seat=1, loch_leven=L4)")
    first, second, third = game.table.seats
    assert (first.points, first.protection, first.religion, first.space) == (2, 1, "protestant", "T00")
    assert first.goods["ore"] == second.goods["cloth"] == 1
    assert (second.religion, second.space, third.space) == ("catholic", "T10", None)


def test_two_players_start_with_different_religions() -> None:
    game = Column.initial(2)
    play(game, "start(seat=0)", "deal(seat=0, loch_leven=L3)")
    assert game.events() == ["deal(seat=1, loch_leven=L1)", "deal(seat=1, loch_leven=L2)"]


def test_an_event_turned_up_while_setting_up_leaves_the_game_without_effect() -> None:
    game = Column.initial(2)
    play(game, "start(seat=0)", "deal(seat=0, loch_leven=L3)", "deal(seat=1, loch_leven=L1)")
    play(game, "roll_religion(year=0, seat=0, face=2)", "roll_religion(year=0, seat=1, face=5)")
    play(game, "flip(card=E2)")
    assert game.node.phase == "first_flip"
    assert "flip(card=E2)" not in game.events()
    play(game, "flip(card=CE01)", "flip(card=CF01)", "flip(card=CN01)", "flip(card=CS01)")
    assert [country.face_up for country in game.table.countries.values()] == ["CE01", "CF01", "CN01", "CS01"]


def test_in_the_first_half_of_the_first_year_only_religion_dice_are_turned() -> None:
    game = Column.initial(2, {"free_actions": 0})
    play(game, "start(seat=0)", "deal(seat=0, loch_leven=L3)", "deal(seat=1, loch_leven=L1)")
    play(game, "roll_religion(year=0, seat=0, face=2)", "roll_religion(year=0, seat=1, face=5)")
    play(game, "flip(card=CE01)", "flip(card=CF01)", "flip(card=CN01)", "flip(card=CS01)")
    assert [seat.religion_die for seat in game.table.seats] == [1, 4]
    assert [seat.points for seat in game.table.seats] == [3, 3], "each is the only one of his religion"
    assert (game.table.half, game.table.turn, game.node.phase) == (2, 0, "roll_dice")


# The first half of a year (rules 1.5)


def test_a_religion_die_of_1_is_rolled_before_the_religion_is_chosen_and_not_turned() -> None:
    table = a_table(half=1)
    table.seats[0].religion_die = 1
    game = Column(table)
    play(game, "roll_religion(year=2, seat=0, face=4)")
    assert game.legal_actions() == ["keep()", "change()"]
    play(game, "change()")
    seat = game.table.seats[0]
    assert (seat.religion, seat.religion_die, seat.points) == ("catholic", 4, 10)


def test_the_only_player_of_a_religion_gains_a_point_when_he_turns_his_die() -> None:
    game = Column(a_table(half=1))
    assert [seat.points for seat in game.table.seats] == [10, 11, 10]


def test_a_die_on_a_character_gives_as_many_uses_as_it_shows() -> None:
    """One on recruiting, and one in each first half until it shows 1 there."""
    game = recruited(a_table(2), "white", "England", 3)
    uses = 0
    while "CE06" in game.table.seats[0].row or game.node.phase == "use_card":
        if "use_card(card=CE06)" in game.events():
            play(game, "use_card(card=CE06)")
            uses += 1
        else:
            quiet = ("skip()", "decline()", "keep()", "protect()")
            game.apply(next((event for event in quiet if event in game.events()), game.events()[-1]))
    assert (uses, game.table.year) == (3, 2 + 3)
    assert "white" in game.table.seats[0].free_dice()


def test_a_card_whose_die_shows_1_leaves_and_frees_it_for_the_same_years_second_half() -> None:
    table = a_table(half=1)
    employ(table.seats[0], CE06=("white", 1), CF06=("blue", 2))
    game = Column(table)
    assert list(table.seats[0].row) == ["CF06"]
    assert game.legal_actions()[-2:] == ["use_card(card=CF06)", "skip()"]
    assert "white" in table.seats[0].free_dice()


def test_loch_leven_dice_are_turned_before_all_others() -> None:
    table = a_table(half=1)
    table.seats[0].prison = ["brown", "purple"]
    table.seats[0].faces |= {"brown": 3, "purple": 1}
    game = Column(table)
    seat = game.table.seats[0]
    assert (seat.prison, seat.faces["brown"], seat.faces["purple"]) == (["brown"], 2, 0)


def test_a_die_turned_up_on_an_earlier_card_leaves_the_row_as_it_is() -> None:
    """Cards are dealt with one by one: an effect of the left one saves the right one."""
    table = a_table(half=1)
    employ(table.seats[0], CF12=("blue", 2), CE06=("white", 1))
    game = Column(table)
    play(game, "use_card(card=CF12)", "turn_up(die=white)")
    assert game.table.seats[0].faces["white"] == 1
    assert "use_card(card=CE06)" in game.legal_actions()


def test_a_card_whose_die_is_bought_free_loses_the_use_in_question() -> None:
    table = a_table(half=1)
    employ(table.seats[0], CE06=("white", 4), CF06=("blue", 3))
    game = Column(table)
    play(game, "pay(die=white)")
    assert "use_card(card=CF06)" in game.legal_actions()
    assert (table.cursor, list(table.seats[0].row), table.seats[0].points) == (0, ["CF06"], 7)


def test_freeing_a_die_left_of_the_card_in_question_skips_no_card() -> None:
    table = a_table(half=1)
    employ(table.seats[0], CE06=("white", 4), CF06=("blue", 3), CN09=("orange", 3))
    game = Column(table)
    play(game, "use_card(card=CE06)", "pay(die=white)", "use_card(card=CF06)", "skip()")
    assert game.table.seats[0].points == 10 + 2 - 3 + 2
    assert list(game.table.seats[0].row) == ["CF06", "CN09"]
    assert game.table.half == 2


# Recruiting (rules 1.6, part 1)


def test_a_purple_die_recruits_anywhere_and_others_in_their_country() -> None:
    table = a_table()
    table.seats[0].prison = ["white", "blue", "orange"]
    table.seats[0].faces |= dict.fromkeys(("white", "blue", "orange"), 3)
    game = Column(table)
    roll(game)
    assert game.legal_actions()[-6:] == [
        "recruit(die=brown, country=Spain)",
        *(f"recruit(die=purple, country={country})" for country in COUNTRIES),
        "decline()",
    ]


def test_a_house_moves_those_below_it_down_until_a_gap() -> None:
    table = a_table(4)
    for seat, site in zip(table.seats, (0, 5, 4, 2), strict=True):
        seat.houses["England"] = site
    game = recruited(table, "white", "England", 5)
    assert sites(game, "England") == [5, 4, 3, 2]


def test_a_house_moved_below_the_first_site_returns_to_its_owner() -> None:
    table = a_table(4)
    for seat, site in zip(table.seats, (0, 3, 2, 1), strict=True):
        seat.houses["France"] = site
    game = recruited(table, "blue", "France", 3)
    assert sites(game, "France") == [3, 2, 1, 0]


def test_a_house_moved_up_leaves_a_gap_where_the_moving_stops() -> None:
    table = a_table(4)
    for seat, site in zip(table.seats, (2, 4, 3, 1), strict=True):
        seat.houses["Spain"] = site
    game = recruited(table, "brown", "Spain", 4)
    play(game, "upgrade()")
    assert sites(game, "Spain") == [4, 3, 2, 1]


@pytest.mark.parametrize("site", [3, 5])
def test_a_house_at_or_above_the_number_stays_and_pushes_nobody(site: int) -> None:
    table = a_table()
    table.seats[0].houses["England"], table.seats[1].houses["England"] = site, 4
    game = recruited(table, "white", "England", 3)
    assert sites(game, "England") == [site, 4, 0]
    assert game.node.phase == "use_card"


def test_the_stone_comes_to_the_country_unless_a_protection_tile_is_returned() -> None:
    for answer, stone, tiles in (("accept()", 1, 1), ("protect()", 0, 0)):
        table = a_table()
        table.seats[0].protection = 1
        game = recruited(table, "white", "England", 3)
        play(game, answer)
        assert table.countries["England"].stones["protestant"] == stone
        assert table.seats[0].protection == tiles


def test_recruiting_nobody_costs_a_point_and_needs_one() -> None:
    table = a_table()
    game = Column(table)
    roll(game, white=6)
    play(game, "decline()")
    assert (table.seats[0].points, set(table.seats[0].faces.values())) == (9, {0})
    table = a_table()
    table.seats[0].points = 0
    game = Column(table)
    roll(game)
    assert "decline()" not in game.events()


def test_without_a_free_die_a_player_loses_a_point_and_does_not_move() -> None:
    table = a_table()
    table.seats[0].prison = list(COLOURS)
    table.seats[0].faces = dict.fromkeys(COLOURS, 3)
    game = Column(table)
    assert (table.seats[0].points, table.seats[0].space, table.turn) == (9, "T00", 1)
    assert game.node.phase == "roll_dice"


def test_a_die_freed_after_the_roll_moves_on_the_track_only() -> None:
    table = a_table()
    employ(table.seats[0], CE01=("white", 2))
    game = Column(table)
    roll(game)
    play(game, "pay(die=white)")
    assert not any(event.startswith("recruit(die=white") for event in game.events())
    play(game, "decline()")
    assert "move(space=T01)" in game.events()


def test_in_an_exhausted_country_a_house_is_built_and_the_die_stays_free() -> None:
    table = a_table()
    table.countries["England"].face_up, table.countries["England"].unseen = None, []
    game = recruited(table, "white", "England", 4)
    assert sites(game, "England") == [4, 0, 0]
    assert "white" in table.seats[0].free_dice()
    assert (game.node.phase, table.seats[0].points) == ("track", 10)


def test_recruiting_in_a_full_country_sends_the_stone_to_the_supply_and_asks_nothing() -> None:
    table = a_table()
    table.seats[0].protection = 1
    stones(table, "England", n=4)
    game = recruited(table, "white", "England", 4)
    assert (game.node.phase, table.seats[0].protection) == ("use_card", 1)
    assert sum(table.countries["England"].stones.values()) == 4


# The track (rules 1.6 part 2, 2.1)


def moves(game: Column) -> list[str]:
    return [event[-4:-1] for event in game.events() if event.startswith("move")]


def test_the_rulebooks_example_of_a_move() -> None:
    """A white space is taken, so the second ahead costs one point; back home is no move."""
    table = a_table(2)
    table.seats[0].space, table.seats[1].space = "T11", "T01"
    table.seats[0].prison = ["blue", "orange", "brown"]
    table.seats[0].faces |= dict.fromkeys(table.seats[0].prison, 3)
    game = to_track(table)
    assert moves(game) == ["T00", "T05", "T06", "T10", "T15", "T16"]
    play(game, "move(space=T06)")
    assert table.seats[0].points == 10 - 1 - 1


def test_a_player_cannot_skip_more_than_he_can_pay() -> None:
    table = a_table(2)
    table.seats[0].points = 2
    game = to_track(table)
    assert [space for space in moves(game) if tables().spaces[space].colour == "white"] == ["T01", "T06"]


def test_a_die_whose_spaces_are_all_taken_cannot_move() -> None:
    table = a_table(4)
    table.seats[0].prison = list(COLOURS[:4])
    table.seats[0].faces |= dict.fromkeys(COLOURS[:4], 3)
    game = Column(table)
    roll(game)
    play(game, "decline()")
    assert table.turn == 1


def test_a_tile_goes_to_the_next_space_of_any_colour_and_leaves_the_space_landed_on_usable() -> None:
    table = a_table()
    table.seats[0].tiles["next_space"], table.seats[2].space = 1, "T15"
    game = to_track(table)
    play(game, "move(space=T14)", "play(tile=next_space)")
    assert table.seats[0].space == "T16", "another disk lies on T15"
    play(game, "skip()", "use_space(space=T14)")
    assert table.seats[0].points == 10 - 1 - 2 + 2


# Any game


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_lost_or_doubled_in_a_game_and_it_ends(seed: int) -> None:
    random, players = Random(seed), 2 + seed % 3
    options = {option.name: random.randint(option.min, option.max) for option in describe("column").options}
    game = Column.initial(players, options)
    while not game.over:
        check_components(game.table)
        assert game.events() == sorted(set(game.events()), key=place_of) != []
        game.apply(random.choice(game.events()))
    check_components(game.table)


def check_components(table: Table) -> None:
    assert sum(table.stack.values()) + sum(table.discards.values()) == 28 - sum(
        seat.held() for seat in table.seats
    )
    cards = [card for country in table.countries.values() for card in [country.face_up, *country.unseen]]
    cards += [card for seat in table.seats for card in seat.row]
    seen = [card for card in cards if card]
    assert len(seen) == len(set(seen))
    for seat in table.seats:
        dice = [*seat.row.values(), *seat.prison, *seat.free_dice()]
        assert sorted(dice) == sorted(COLOURS)
        assert min(seat.points, seat.protection, *seat.goods.values()) >= 0
    for name in table.countries:
        built = [seat.houses[name] for seat in table.seats if seat.houses[name]]
        assert len(built) == len(set(built))
        assert set(built) <= set(range(1, 7))
        assert table.free_spaces(name) >= 0
    disks = [seat.space for seat in table.seats if seat.space]
    assert len(disks) == len(set(disks))
