"""A Column of Fire: the first half of the year, from the Loch Leven dice to the end of the row."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import DICE, attributes, character, characters, country_of, deck, space
from tests.rules.column.position import (
    asked,
    country_seen,
    first_half,
    flipping,
    go_on,
    goods,
    houses,
    imprisoned,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    prison,
    quiet,
    row,
    seat,
    seat_of,
    settle,
)

GAIN = character("VP:2")
OTHER = characters("VP:2")[1]
TURN = character("DIE_PM1")
SALE = character("SELL3")


# Loch Leven


@pytest.mark.parametrize("die", DICE)
def test_a_loch_leven_die_showing_one_becomes_free(die: str) -> None:
    one = seat_of(first_half(seat(prison=f"{die}1"), seat()))
    assert one["prison"] == []
    assert one["faces"] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("face", range(2, 7))
def test_a_loch_leven_die_showing_more_is_turned_down_by_one(face: int) -> None:
    assert prison(first_half(seat(prison=f"blue{face}"), seat())) == f"blue{face - 1}"


def test_all_dice_on_loch_leven_are_turned() -> None:
    table = first_half(seat(prison="white3 blue1 brown2 purple1"), seat())
    assert prison(table) == "white2 brown1"


def test_the_loch_leven_dice_of_the_others_stay() -> None:
    assert prison(first_half(seat(), seat(prison="white3")), 1) == "white3"


def test_loch_leven_dice_come_before_the_religion_die() -> None:
    table = first_half(seat(prison="white1 blue3", religion_die=1), seat())
    assert phase(table) == "roll_religion"
    assert prison(table) == "blue2"


def test_a_die_put_on_loch_leven_misses_two_second_halves_after_that_year() -> None:
    # Set to 3 in a second half: 2 in the next year, 1, then free in the third first half.
    table, seen = first_half(seat(points=30, prison="white3"), seat(points=30)), []
    for _ in range(3):
        seen.append(prison(table))
        table = go_on(go_on(table, "roll_dice"), "track")
        seen.append("white" if any(action in legal(table) for action in whites(table)) else "")
        while look(table)["half"] == 2 or look(table)["turn"] == 1:
            table = play(table, quiet(table))
        table = play(table, "pass()")
    assert seen == ["white2", "", "white1", "", "", "white"]


def whites(table: State) -> list[str]:
    """Moves to the white spaces."""
    return [action for action in legal(table) if action.startswith("move") and _is_white(action)]


def _is_white(action: str) -> bool:
    return attributes(action.removeprefix("move(space=").removesuffix(")"))["colour"] == 0


# The row


def test_the_cards_come_after_the_religion_die() -> None:
    table = first_half(seat(religion_die=1, row=f"{GAIN}=white1"), seat())
    assert phase(table) == "roll_religion"
    assert row(table) == f"{GAIN}=white1"
    table = play(table, "roll_religion(year=3, seat=0, face=3)")
    assert row(table) == f"{GAIN}=white1"
    assert row(play(table, "keep()")) == ""


def test_a_card_whose_die_shows_one_leaves_the_game_without_action_and_its_die_is_free() -> None:
    table = first_half(seat(row=f"{GAIN}=white1"), seat())
    assert (phase(table), look(table)["point"]) == ("window", "end")
    one = seat_of(table)
    assert (one["row"], one["faces"], one["points"]) == ([], [0] * 5, 10)
    assert GAIN not in country_seen(table, country_of(GAIN))["unseen"]
    assert country_seen(table, country_of(GAIN))["face_up"] != GAIN


@pytest.mark.parametrize("face", range(2, 7))
def test_a_die_showing_more_is_turned_down_and_the_action_may_be_used_once(face: int) -> None:
    table = first_half(seat(row=f"{GAIN}=white{face}"), seat())
    assert row(table) == f"{GAIN}=white{face - 1}"
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    used = play(table, f"use_card(card={GAIN})")
    assert (points(used), look(used)["point"]) == ([12, 10], "end")
    assert row(used) == f"{GAIN}=white{face - 1}"


def test_the_action_need_not_be_used() -> None:
    table = play(first_half(seat(row=f"{GAIN}=white3"), seat()), "skip()")
    assert (points(table), row(table)) == ([10, 10], f"{GAIN}=white2")
    assert look(table)["point"] == "end"


def test_cards_are_gone_through_from_left_to_right() -> None:
    table = first_half(seat(row=f"{OTHER}=purple2 {SALE}=blue1 {GAIN}=white4"), seat())
    assert asked(table) == [f"use_card(card={OTHER})", "skip()"]
    assert row(table) == f"{OTHER}=purple1 {SALE}=blue1 {GAIN}=white4"
    table = play(table, "skip()")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    assert row(table) == f"{OTHER}=purple1 {GAIN}=white3"


def test_a_question_of_a_card_stands_where_the_cursor_points() -> None:
    table = first_half(seat(row=f"{OTHER}=purple2 {GAIN}=white4"), seat())
    assert (look(table)["point"], look(table)["cursor"]) == ("card", 0)
    table = play(table, "skip()")
    assert (look(table)["point"], look(table)["cursor"]) == ("card", 1)
    assert look(play(table, "skip()"))["cursor"] == 0


def test_an_action_without_effect_is_not_asked_for_but_its_die_is_turned() -> None:
    # No house, so that nothing can be sold.
    table = first_half(seat(ore=1, row=f"{SALE}=white3"), seat())
    assert look(table)["point"] == "end"
    assert row(table) == f"{SALE}=white2"


def test_an_earlier_card_can_rescue_a_later_one() -> None:
    table = first_half(seat(row=f"{TURN}=white3 {GAIN}=blue1"), seat())
    table = play(table, f"use_card(card={TURN})", "turn_up(die=blue)")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    assert row(table) == f"{TURN}=white2 {GAIN}=blue1"


def test_an_earlier_card_can_shorten_a_later_one() -> None:
    table = first_half(seat(row=f"{TURN}=white3 {GAIN}=blue2"), seat())
    table = play(table, f"use_card(card={TURN})", "turn_down(die=blue)")
    assert look(table)["point"] == "end"
    assert row(table) == f"{TURN}=white2"


def test_a_house_stays_when_the_character_who_opened_it_leaves() -> None:
    card = character("GOOD", "Spain")
    table = first_half(seat(row=f"{card}=brown1", houses="Spain4"), seat())
    assert row(table) == ""
    assert houses(table, "Spain") == [4, 0]


def test_the_rows_of_the_others_stay() -> None:
    table = first_half(seat(), seat(row=f"{GAIN}=white1"))
    assert row(table, 1) == f"{GAIN}=white1"


def test_after_the_row_the_next_player_has_his_first_half() -> None:
    table = play(first_half(seat(row=f"{GAIN}=white3"), seat()), "skip()", "pass()")
    seen = look(table)
    assert (seen["half"], seen["turn"], seen["mover"], seen["point"]) == (1, 1, 1, "start")


def test_after_the_last_players_first_half_the_second_half_begins_with_the_start_player() -> None:
    table = position(seat(), seat(), phase="window", point="end", half=1, turn=1)
    seen = look(play(table, "pass()"))
    assert (seen["year"], seen["half"], seen["turn"], seen["point"]) == (3, 2, 0, "start")


# How long a character stays


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_placed_at_v_gives_v_uses_and_is_away_for_v_second_halves(face: int) -> None:
    """2 points a use: one when recruited in year 3, one in each first half until it leaves."""
    country = country_of(GAIN)
    table = position(
        seat(points=30, protection=1, rolled=f"purple{face}"),
        seat(points=30),
        phase="recruit",
        face_up={country: GAIN},
    )
    table = settle(
        play(table, f"recruit(die=purple, country={country})", "protect()", f"use_card(card={GAIN})")
    )
    uses, away = 1, [3]
    for year in range(4, 11):
        while look(table)["year"] < year or phase(table) not in ("use_card", "recruit"):
            table = play(table, quiet(table))
        if phase(table) == "use_card":
            uses += 1
            table = play(table, f"use_card(card={GAIN})")
        table = settle(until_recruit(table))
        if f"recruit(die=purple, country={country})" not in legal(table):
            away.append(year)
    assert uses == face
    assert away == list(range(3, 3 + face))


def until_recruit(table: State) -> State:
    """On to the recruiting of seat 0."""
    while not (phase(table) == "recruit" and look(table)["turn"] == 0):
        table = play(table, quiet(table))
    return table


def test_dice_freed_in_the_first_half_are_rolled_in_the_second_half_of_that_year() -> None:
    kept = imprisoned("white", "blue")
    table = first_half(seat(prison=kept + " white1", row=f"{GAIN}=blue1"), seat())
    table = go_on(table, "roll_dice")
    assert look(table)["year"] == 3
    assert outcomes(table) == {f"roll_die(year=3, seat_die=white0, face={face})": 1 for face in range(1, 7)}
    table = play(table, "roll_die(year=3, seat_die=white0, face=6)")
    assert outcomes(table) == {f"roll_die(year=3, seat_die=blue0, face={face})": 1 for face in range(1, 7)}
    table = play(table, "roll_die(year=3, seat_die=blue0, face=2)")
    assert phase(table) == "recruit"


def test_the_cards_of_a_row_act_once_a_year() -> None:
    table = first_half(seat(row=f"{character('GOOD:ore')}=white5"), seat())
    table = play(table, f"use_card(card={character('GOOD:ore')})")
    assert goods(table) == {"ore": 1}
    assert look(table)["point"] == "end"
    assert phase(go_on(table, "use_card", "roll_dice")) == "roll_dice"


def test_a_card_that_left_is_not_flipped_again() -> None:
    country = country_of(GAIN)
    table = flipping(country, seat(), seat(), gone=GAIN)
    assert outcomes(table) == {f"flip(card={card})": 1 for card in deck(country) if card != GAIN}


def test_the_track_space_a_disk_lies_on_does_nothing_in_the_first_half() -> None:
    table = first_half(seat(space=space("VP")), seat())
    assert look(table)["point"] == "end"
    assert points(table) == [10, 10]
