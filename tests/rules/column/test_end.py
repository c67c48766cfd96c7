"""A Column of Fire: fifty points, the last year, final scoring, ties."""

import pytest

from kingsbridge.pyengine import TERMINAL
from tests.rules.column.cards import character, country_of, event, space
from tests.rules.column.position import (
    View,
    finished,
    first_half,
    flip,
    flipping,
    go_on,
    look,
    phase,
    play,
    points,
    position,
    quiet,
    seat,
    turn_end,
)

GAIN = character("VP:2")


# Fifty points


@pytest.mark.parametrize(("before", "ends"), [(47, False), (48, True), (49, True)])
def test_fifty_points_end_the_game_after_the_year(before: int, ends: bool) -> None:
    table = first_half(seat(points=before, row=f"{GAIN}=white3"), seat())
    assert not look(table)["ending"]
    table = play(table, f"use_card(card={GAIN})")
    assert look(table)["ending"] is ends


def test_the_year_is_completed_by_all() -> None:
    table = play(first_half(seat(points=48, row=f"{GAIN}=white3"), seat(), seat()), f"use_card(card={GAIN})")
    halves = []
    while not table.is_terminal:
        seen = look(table)
        if (seen["half"], seen["turn"]) not in halves:
            halves.append((seen["half"], seen["turn"]))
        assert seen["year"] == 3
        table = play(table, quiet(table))
    assert halves == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    assert look(table)["year"] == 3


def test_spending_points_again_does_not_cancel_the_end() -> None:
    table = play(first_half(seat(points=48, row=f"{GAIN}=white3"), seat()), f"use_card(card={GAIN})")
    table = play(table, "pay(die=white)")
    assert (points(table)[0], look(table)["ending"]) == (47, True)
    while not table.is_terminal:
        assert look(table)["year"] == 3
        table = play(table, quiet(table))


def test_below_fifty_another_year_follows() -> None:
    table = play(turn_end(seat(points=49), seat(points=49), turn=1), "pass()")
    assert (look(table)["year"], look(table)["half"], look(table)["turn"]) == (4, 1, 0)


def test_point_tiles_do_not_count_towards_fifty() -> None:
    table = turn_end(seat(points=49, tiles="vp3 vp3 vp2"), seat(), start_player=1)
    assert not look(table)["ending"]
    assert not play(table, "pass()").is_terminal


def test_a_conflict_may_bring_the_fiftieth_point() -> None:
    last = turn_end(seat(points=45, houses="Spain5"), seat(), turn=1, stones={"Spain": "CCP"})
    table = play(last, "pass()")
    assert (table.is_terminal, points(table)) == (True, [50, 10])


def test_the_point_of_the_minority_may_be_the_fiftieth() -> None:
    table = first_half(seat(points=49), seat(religion="protestant"))
    assert (points(table)[0], look(table)["ending"]) == (50, True)


def test_another_player_may_reach_fifty_points_by_an_event() -> None:
    card = event("PROTECTION_FOR_VP")
    table = flip(flipping(country_of(card), seat(), seat(points=48, protection=1)), card)
    assert not look(table)["ending"]
    table = play(table, "redeem()")
    assert (points(table)[1], look(table)["ending"]) == (51, True)


def test_after_fifty_points_goes_on_without_a_ceiling() -> None:
    table = first_half(seat(points=99, row=f"{GAIN}=white3"), seat())
    assert points(play(table, f"use_card(card={GAIN})"))[0] == 101


# Other ends


def test_the_option_of_years_ends_the_game() -> None:
    table = turn_end(seat(), seat(), turn=1, year=5, max_years=5)
    assert play(table, "pass()").is_terminal
    table = turn_end(seat(), seat(), turn=1, year=4, max_years=5)
    assert not play(table, "pass()").is_terminal


def test_thirty_years_are_the_most() -> None:
    assert play(turn_end(seat(), seat(), turn=1, year=30), "pass()").is_terminal


def test_a_deck_without_a_further_character_ends_the_game_after_the_year() -> None:
    table = flipping("France", seat(), seat(), unseen={"France": event("PROTECTION_FOR_VP", "France")})
    table = flip(table, event("PROTECTION_FOR_VP", "France"))
    assert look(table)["ending"]
    years = set()
    while not table.is_terminal:
        years.add(look(table)["year"])
        table = play(table, quiet(table))
    assert years == {3}


def test_a_deck_emptied_by_a_removed_card_ends_the_game_too() -> None:
    remove = character("CARD_REMOVE")
    table = position(seat(row=f"{remove}=white3"), seat(), phase="use_card", unseen={"France": ""})
    shown = look(table)["countries"][1]["face_up"]
    table = play(table, f"use_card(card={remove})", f"remove_card(card={shown})")
    assert (look(table)["ending"], look(table)["countries"][1]["face_up"]) == (True, "")
    assert look(table)["half"] == 1


# Final scoring


def test_the_rulebooks_example_of_final_scoring_adds_eleven() -> None:
    """Three houses 6, one protection tile 1, three goods 1, point tiles 1 and 2: 3."""
    one = seat(points=20, houses="England1 France6 Spain3", protection=1, ore=2, wine=1, tiles="vp1 vp2")
    assert finished(one, seat()).scores() == (31, 10)


@pytest.mark.parametrize(
    ("words", "bonus"),
    [("", 0), ("Spain1", 2), ("Spain6 France1", 4), ("England1 France2 Netherlands3 Spain4", 8)],
)
def test_each_house_on_the_board_is_worth_two_points(words: str, bonus: int) -> None:
    assert finished(seat(houses=words), seat()).scores() == (10 + bonus, 10)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_each_unused_protection_tile_is_worth_a_point(count: int) -> None:
    assert finished(seat(protection=count), seat()).scores() == (10 + count, 10)


@pytest.mark.parametrize(
    ("goods", "bonus"), [((1, 0, 0, 0), 0), ((1, 1, 0, 0), 1), ((1, 1, 1, 0), 1), ((2, 1, 3, 1), 3)]
)
def test_two_unsold_goods_of_any_kind_are_worth_a_point(goods: tuple[int, ...], bonus: int) -> None:
    book, ore, cloth, wine = goods
    table = finished(seat(book=book, ore=ore, cloth=cloth, wine=wine), seat())
    assert table.scores() == (10 + bonus, 10)


def test_point_tiles_count_their_points_and_action_tiles_nothing() -> None:
    assert finished(seat(tiles="vp1 vp1 vp2 vp3 sell3 place_neutral"), seat()).scores() == (17, 10)


def test_cards_stones_and_dice_are_worth_nothing() -> None:
    table = finished(seat(row=f"{GAIN}=white3", prison="blue2"), seat(), stones={"Spain": "CC"})
    assert table.scores() == (10, 10)


def test_point_tiles_are_revealed_and_action_tiles_stay_hidden() -> None:
    over = finished(seat(tiles="vp1 vp3 sell3 place_neutral"), seat())
    for viewer in (-1, 0, 1):
        shown = look(over, viewer)["seats"][0]
        assert (shown["tiles"], shown["held"]) == ([1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 2)
        assert look(over, viewer)["unseen_tiles"] == [4, 5, 1, 2, 2, 2, 2, 2, 2, 2, 2]


def test_the_standing_during_the_game_counts_in_the_same_way() -> None:
    one = seat(points=20, houses="England1 France6 Spain3", protection=1, ore=2, wine=1, tiles="vp1 vp2")
    assert turn_end(one, seat()).scores() == (31, 10)


# The winner


def test_the_most_points_win() -> None:
    over = finished(seat(points=30), seat(points=31), seat(points=29, houses=""))
    assert over.win_shares() == (0.0, 1.0, 0.0)
    ranks = over.ranks()
    assert ranks[1] > ranks[0] > ranks[2]


def test_final_scoring_may_turn_the_game() -> None:
    over = finished(seat(points=33), seat(points=30, houses="England1 Spain1"))
    assert (over.scores(), over.win_shares()) == ((33, 34), (0.0, 1.0))


def test_of_equal_scores_more_unsold_goods_win() -> None:
    # 29 and two goods are 30, as are 30 and one: the goods decide, though the religion die is lower.
    over = finished(seat(points=30, ore=1, religion_die=5), seat(points=29, ore=1, wine=1, religion_die=1))
    assert (over.scores(), over.win_shares()) == ((30, 30), (0.0, 1.0))


def test_of_equal_goods_the_higher_religion_die_wins() -> None:
    over = finished(seat(religion_die=2, ore=1), seat(religion_die=3, wine=1))
    assert (over.scores(), over.win_shares()) == ((10, 10), (0.0, 1.0))


def test_if_the_religion_dice_are_equal_too_the_win_is_shared() -> None:
    over = finished(seat(religion_die=3, ore=1), seat(points=2), seat(religion_die=3, wine=1))
    assert over.win_shares() == (0.5, 0.0, 0.5)
    ranks = over.ranks()
    assert ranks[0] == ranks[2] > ranks[1]


# Afterwards


def test_after_the_end_nobody_moves() -> None:
    over = finished(seat(), seat())
    assert (over.is_terminal, over.current_player, phase(over)) == (True, TERMINAL, "over")
    assert over.legal_actions() == []
    assert over.chance_outcomes() == []


def test_after_the_end_the_view_keeps_year_and_start_player_and_no_half() -> None:
    seen = look(finished(seat(), seat(), year=30))
    assert (seen["point"], seen["half"], seen["turn"], seen["mover"]) == ("none", 0, 0, 0)
    assert (seen["year"], seen["start_player"]) == (30, 0)


def test_the_last_half_turn_is_the_last_players_second_half() -> None:
    seats: list[View] = [seat(points=50), seat(), seat()]
    for turn in (0, 1):
        assert not play(turn_end(*seats, turn=turn), "pass()").is_terminal
    assert play(turn_end(*seats, turn=2), "pass()").is_terminal


def test_the_first_halves_of_all_do_not_end_the_game() -> None:
    table = play(position(seat(points=50), seat(), phase="window", point="end", half=1, turn=1), "pass()")
    assert (look(table)["half"], look(table)["year"]) == (2, 3)


def test_a_track_space_may_bring_the_fiftieth_point() -> None:
    where = space("VP:2")
    table = position(seat(points=48, space=where), seat(), phase="use_space", turn=0)
    assert look(play(table, f"use_space(space={where})"))["ending"]


def test_a_whole_game_ends_by_the_option_of_years() -> None:
    over = go_on(turn_end(seat(), seat(), turn=1, max_years=6), "over")
    assert (over.is_terminal, look(over)["year"]) == (True, 6)
