"""A Column of Fire: the actions that turn dice, take them off cards, and remove cards."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    DICE,
    character,
    characters,
    country_of,
    deck,
)
from tests.rules.column.position import (
    View,
    asked,
    country_seen,
    first_half,
    flip,
    free,
    imprisoned,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    prison,
    row,
    seat,
    seat_of,
)

RELIGION = character("RELIGION")
NEUTRAL = character("NEUTRAL")
TURN = character("DIE_PM1")
FREE = character("DIE_REMOVE")
REMOVE = character("CARD_REMOVE")
GAIN = character("VP:2")


def used(card: str, *others: View, **own: Any) -> State:
    """Seat 0 uses a character, whose white die shows 3 and lies first in his row."""
    facts = {"stones": own.pop("stones", None)}
    seats = (seat(**{"row": f"{card}=white3"} | own), *(others or (seat(),)))
    return play(position(*seats, phase="use_card", **facts), f"use_card(card={card})")


def on_space(where: str, *others: View, **own: Any) -> State:
    """Seat 0 uses the space he has landed on."""
    facts = {"stones": own.pop("stones", None)}
    seats = (seat(**{"space": where} | own), *(others or (seat(),)))
    return play(position(*seats, phase="use_space", **facts), f"use_space(space={where})")


# Turning a die


def test_a_die_on_an_own_card_this_card_too_is_turned_up_or_down_by_one() -> None:
    others = f"{TURN}=white3 {GAIN}=purple2"
    table = used(TURN, seat(row=f"{characters('VP:2')[1]}=blue4"), row=others, prison="orange2")
    assert phase(table) == "turn_die"
    assert legal(table) == [
        *[f"turn_up(die={die})" for die in ("white", "orange", "purple", "black")],
        *[f"turn_down(die={die})" for die in ("white", "orange", "purple", "black")],
    ]


def test_dice_stay_between_one_and_six() -> None:
    table = used(TURN, row=f"{TURN}=white6 {GAIN}=purple1")
    assert legal(table) == [
        *("turn_up(die=purple)", "turn_up(die=black)"),
        *("turn_down(die=white)", "turn_down(die=black)"),
    ]


def test_a_turned_die_does_not_bring_its_cards_action() -> None:
    table = play(
        position(seat(row=f"{GAIN}=blue2 {TURN}=white3"), seat(), phase="use_card", cursor=1),
        f"use_card(card={TURN})",
        "turn_up(die=blue)",
    )
    assert row(table) == f"{GAIN}=blue3 {TURN}=white3"
    assert (points(table), look(table)["point"]) == ([10, 10], "end")


def test_a_loch_leven_die_may_be_turned() -> None:
    table = used(TURN, prison="blue2")
    assert prison(play(table, "turn_down(die=blue)")) == "blue1"
    assert prison(play(table, "turn_up(die=blue)")) == "blue3"


def test_this_cards_own_die_turned_down_to_one_leaves_next_year() -> None:
    table = play(used(TURN, row=f"{TURN}=white2"), "turn_down(die=white)")
    assert row(table) == f"{TURN}=white1"


# Taking a die off


def test_a_die_is_taken_off_an_own_card_of_any_kind() -> None:
    table = used(FREE, seat(prison="blue2"), row=f"{FREE}=white3 {GAIN}=purple2", prison="orange2")
    assert phase(table) == "free_die"
    assert legal(table) == [f"free(die={die})" for die in ("white", "orange", "purple", "black")]


def test_a_character_whose_die_is_taken_off_leaves_the_game() -> None:
    table = play(used(FREE, row=f"{FREE}=white3 {GAIN}=purple2"), "free(die=purple)")
    assert row(table) == f"{FREE}=white3"
    assert seat_of(table)["faces"] == [3, 0, 0, 0, 0]
    assert GAIN not in country_seen(table, country_of(GAIN))["unseen"]
    assert look(table)["point"] == "end"


def test_the_card_that_takes_dice_off_may_lose_its_own() -> None:
    table = play(used(FREE, row=f"{FREE}=white3 {GAIN}=purple2"), "free(die=white)")
    # The next card follows: its die is turned down and it is asked for.
    assert row(table) == f"{GAIN}=purple1"
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]


def test_a_die_taken_off_loch_leven_is_free() -> None:
    table = play(used(FREE, prison="blue3 brown1"), "free(die=blue)")
    assert prison(table) == "brown1"
    assert seat_of(table)["faces"] == [3, 0, 0, 1, 0]


def test_a_religion_die_taken_off_is_rolled_at_once_and_religion_chosen() -> None:
    table = play(used(FREE, seat(), seat()), "free(die=black)")
    assert phase(table) == "roll_religion"
    table = play(table, "roll_religion(year=3, seat=0, face=4)")
    assert legal(table) == ["keep()", "change()"]
    table = play(table, "change()")
    assert (seat_of(table)["religion"], seat_of(table)["religion_die"]) == ("protestant", 4)
    assert (points(table), look(table)["point"]) == ([11, 10, 10], "end")


def test_a_later_card_whose_die_is_taken_off_is_not_used_this_year() -> None:
    table = first_half(seat(row=f"{FREE}=white3 {GAIN}=purple3"), seat())
    table = play(table, f"use_card(card={FREE})", "free(die=purple)")
    assert (look(table)["point"], row(table)) == ("end", f"{FREE}=white2")


def test_after_an_earlier_card_has_gone_the_next_one_is_still_asked_for() -> None:
    sale = character("SELL3")
    table = first_half(seat(row=f"{sale}=blue3 {FREE}=white3 {GAIN}=purple3"), seat())
    table = play(table, f"use_card(card={FREE})", "free(die=blue)")
    assert row(table) == f"{FREE}=white2 {GAIN}=purple2"
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    assert look(table)["cursor"] == 1


# Removing a card


def test_a_card_of_the_own_row_or_the_face_up_card_of_any_deck_is_removed() -> None:
    theirs = characters("VP:2")[1]
    table = used(REMOVE, seat(row=f"{theirs}=blue4"), row=f"{REMOVE}=white3 {GAIN}=purple2")
    assert phase(table) == "remove_card"
    aims = [REMOVE, GAIN, *[country["face_up"] for country in look(table)["countries"]]]
    order = [card for country in COUNTRIES for card in deck(country)]
    assert legal(table) == [f"remove_card(card={card})" for card in sorted(aims, key=order.index)]


def test_an_own_card_removed_leaves_the_game_and_its_die_is_free() -> None:
    table = play(used(REMOVE, row=f"{REMOVE}=white3 {GAIN}=purple2"), f"remove_card(card={GAIN})")
    assert row(table) == f"{REMOVE}=white3"
    assert seat_of(table)["faces"] == [3, 0, 0, 0, 0]
    assert GAIN not in country_seen(table, country_of(GAIN))["unseen"]


def test_a_card_may_remove_itself() -> None:
    table = play(used(REMOVE), f"remove_card(card={REMOVE})")
    assert (row(table), seat_of(table)["faces"]) == ("", [0] * 5)


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_face_up_card_removed_goes_with_its_stone_and_the_next_is_flipped(country: str) -> None:
    table = used(REMOVE)
    gone, left = country_seen(table, country)["face_up"], country_seen(table, country)["unseen"]
    table = play(table, f"remove_card(card={gone})")
    assert (phase(table), look(table)["flipping"]) == ("flip", country)
    assert country_seen(table, country)["face_up"] == ""
    assert outcomes(table) == {f"flip(card={card})": 1 for card in left}
    after = flip(table, left[3])
    assert country_seen(after, country) == {
        "face_up": left[3],
        "stones": [0, 0, 0],
        "unseen": [card for card in left if card != left[3]],
    }
    assert (row(after), look(after)["point"]) == (f"{REMOVE}=white3", "end")


def test_the_country_just_recruited_from_shows_no_card_that_could_be_removed() -> None:
    country = country_of(REMOVE)
    table = position(
        seat(rolled="purple4", prison=imprisoned("purple")),
        seat(),
        phase="recruit",
        face_up={country: REMOVE},
    )
    table = play(table, f"recruit(die=purple, country={country})", f"use_card(card={REMOVE})")
    shown = [one["face_up"] for one in look(table)["countries"]]
    assert shown[COUNTRIES.index(country)] == ""
    aims = {REMOVE, *[card for card in shown if card]}
    assert set(legal(table)) == {f"remove_card(card={card})" for card in aims}
    table = play(table, f"remove_card(card={REMOVE})")
    assert (phase(table), look(table)["flipping"]) == ("flip", country)
    assert (row(table), seat_of(table)["faces"][DICE.index("purple")]) == ("", 0)


def test_an_exhausted_country_has_no_card_to_remove() -> None:
    row_of = f"{REMOVE}=white3"
    table = position(seat(row=row_of), seat(), phase="use_card", face_up={"France": ""})
    table = play(table, f"use_card(card={REMOVE})")
    shown = [country["face_up"] for country in look(table)["countries"]]
    assert shown[1] == ""
    assert set(legal(table)) == {f"remove_card(card={card})" for card in [REMOVE, *shown] if card}


def test_removing_a_card_is_offered_only_while_there_is_one() -> None:
    bare = dict.fromkeys(COUNTRIES, "")
    facts: dict[str, Any] = {"phase": "window", "point": "end", "half": 2, "face_up": bare}
    assert free(position(seat(tiles="remove_card"), seat(), **facts)) == ["pay(die=black)"]
    table = position(seat(tiles="remove_card", row=f"{GAIN}=white3"), seat(), **facts)
    assert "play(tile=remove_card)" in free(table)
    assert legal(play(table, "play(tile=remove_card)")) == [f"remove_card(card={GAIN})"]


def test_the_face_up_card_removed_by_a_recruit_is_replaced_before_his_own_deck_is_flipped() -> None:
    country = country_of(REMOVE)
    other = next(each for each in COUNTRIES if each != country)
    me = seat(rolled="purple4", prison=imprisoned("purple"))
    table = position(me, seat(), phase="recruit", face_up={country: REMOVE})
    gone = country_seen(table, other)["face_up"]
    table = play(table, f"recruit(die=purple, country={country})", f"use_card(card={REMOVE})")
    table = play(table, f"remove_card(card={gone})")
    assert (phase(table), look(table)["flipping"]) == ("flip", other)
    table = flip(table, country_seen(table, other)["unseen"][0])
    assert (phase(table), look(table)["flipping"]) == ("flip", country)
