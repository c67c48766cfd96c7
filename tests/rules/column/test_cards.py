"""A Column of Fire: what each action of the legend does, on cards and on spaces."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    GOODS,
    attributes,
    character,
    characters,
    space,
    spaces,
)
from tests.rules.column.position import (
    View,
    asked,
    first_half,
    goods,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    row,
    seat,
    seat_of,
    stones,
    tiles,
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


# Goods


@pytest.mark.parametrize("card", characters("GOOD"))
def test_a_trader_brings_one_tile_of_his_good(card: str) -> None:
    good = GOODS[attributes(card)["value"]]
    assert goods(used(card)) == {good: 1}
    assert goods(used(card, **{good: 4})) == {good: 5}


@pytest.mark.parametrize("good", GOODS)
def test_any_good_brings_one_tile_of_ones_choice(good: str) -> None:
    table = used(character("ANY_GOOD"))
    assert phase(table) == "good"
    assert legal(table) == [f"gain(good={each})" for each in GOODS]
    assert goods(play(table, f"gain(good={good})")) == {good: 1}


# Advantage, protection, points


def test_advantage_draws_a_tile_weighted_by_those_in_the_stacks() -> None:
    card = character("ADVANTAGE")
    seats = (seat(row=f"{card}=white3", tiles="vp3 vp1 sell3"), seat())
    table = position(*seats, phase="use_card", gone_tiles="sell3 place_neutral")
    table = play(table, f"use_card(card={card})")
    assert phase(table) == "draw"
    rest = {"any_good": 2, "turn_die": 2, "free_die": 2, "remove_card": 2, "next_space": 2, "religion": 2}
    counts = {"vp1": 4, "vp2": 5, "vp3": 1} | rest | {"place_neutral": 1}
    assert outcomes(table) == {f"draw(seat=0, tile={tile})": count for tile, count in counts.items()}
    drawn = play(table, "draw(seat=0, tile=place_neutral)")
    assert tiles(drawn) == {"vp1": 1, "vp3": 1, "sell3": 1, "place_neutral": 1}
    assert seat_of(drawn)["held"] == 4


def test_tiles_that_others_hold_are_not_drawn() -> None:
    card = character("ADVANTAGE")
    table = position(seat(row=f"{card}=white3"), seat(tiles="vp3 vp3 sell3"), phase="use_card")
    drawn = outcomes(play(table, f"use_card(card={card})"))
    assert "draw(seat=0, tile=vp3)" not in drawn
    assert drawn["draw(seat=0, tile=sell3)"] == 1
    assert sum(drawn.values()) == 25


def test_advantage_is_not_offered_when_the_stacks_are_empty() -> None:
    held = "vp1 " * 5 + "vp2 " * 5 + "vp3 " * 2
    gone = "sell3 any_good turn_die free_die remove_card next_space religion place_neutral " * 2
    me = seat(row=f"{character('ADVANTAGE')}=white3", tiles=held)
    table = first_half(me, seat(), gone_tiles=gone)
    assert look(table)["point"] == "end"


def test_protection_brings_one_protection_tile() -> None:
    assert seat_of(used(character("PROTECTION"), protection=2))["protection"] == 3


@pytest.mark.parametrize("card", characters("VP"))
def test_points_on_a_card_are_gained_now(card: str) -> None:
    assert points(used(card)) == [10 + attributes(card)["value"], 10]


@pytest.mark.parametrize("where", spaces("VP"))
def test_points_on_a_space_are_gained_now(where: str) -> None:
    assert points(on_space(where)) == [10 + attributes(where)["value"], 10]


# Religion


def test_religion_places_or_removes_one_catholic_or_protestant_stone_in_any_country() -> None:
    table = used(RELIGION, stones={"England": "CP", "France": "N", "Spain": "P"})
    assert phase(table) == "religion"
    assert look(table)["stones"] == ["catholic", "protestant"]
    places = [f"place(stone={s}, country={c})" for s in ("catholic", "protestant") for c in COUNTRIES]
    assert legal(table) == [
        *places,
        "remove(stone=catholic, country=England)",
        "remove(stone=protestant, country=England)",
        "remove(stone=protestant, country=Spain)",
    ]


def test_one_stone_is_placed_and_the_action_is_over() -> None:
    table = play(used(RELIGION, stones={"France": "N"}), "place(stone=protestant, country=France)")
    assert (stones(table, "France"), look(table)["point"]) == ("PN", "end")


def test_one_stone_is_removed_and_the_action_is_over() -> None:
    table = play(used(RELIGION, stones={"Spain": "CP"}), "remove(stone=catholic, country=Spain)")
    assert (stones(table, "Spain"), look(table)["point"]) == ("P", "end")


def test_in_a_full_country_no_stone_is_placed_but_one_may_be_removed() -> None:
    table = used(RELIGION, stones={"England": "CPN"})
    assert not any("place" in action and "England" in action for action in legal(table))
    assert [action for action in legal(table) if "remove" in action] == [
        "remove(stone=catholic, country=England)",
        "remove(stone=protestant, country=England)",
    ]


def test_religion_with_nothing_to_place_or_remove_is_not_offered() -> None:
    full = dict.fromkeys(COUNTRIES, "NNN")
    table = first_half(seat(row=f"{RELIGION}=white3"), seat(), stones=full)
    assert look(table)["point"] == "end"
    table = first_half(seat(row=f"{RELIGION}=white3"), seat(), stones=full | {"Spain": "NNP"})
    assert asked(table) == [f"use_card(card={RELIGION})", "skip()"]
    assert legal(play(table, f"use_card(card={RELIGION})")) == ["remove(stone=protestant, country=Spain)"]


@pytest.mark.parametrize(("action", "stone"), [("RELIGION_P", "protestant"), ("RELIGION_C", "catholic")])
def test_a_space_of_one_colour_places_or_removes_only_such_a_stone(action: str, stone: str) -> None:
    if not spaces(action):
        pytest.skip("no such space")
    table = on_space(space(action), seat(), seat(), seat(), stones={"England": "CCPN", "Spain": "CP"})
    assert look(table)["stones"] == [stone]
    assert legal(table) == [
        *[f"place(stone={stone}, country={country})" for country in ("France", "Netherlands", "Spain")],
        *[f"remove(stone={stone}, country={country})" for country in ("England", "Spain")],
    ]


def test_neutral_places_one_neutral_stone_in_any_country_and_removes_none() -> None:
    table = used(NEUTRAL, stones={"England": "NP", "France": "CNN"})
    assert legal(table) == [
        f"place(stone=neutral, country={country})" for country in ("England", "Netherlands", "Spain")
    ]
    assert stones(play(table, "place(stone=neutral, country=England)"), "England") == "PNN"


def test_neutral_is_not_offered_when_all_countries_are_full() -> None:
    full = dict.fromkeys(COUNTRIES, "CPN")
    table = first_half(seat(row=f"{NEUTRAL}=white3"), seat(), stones=full)
    assert look(table)["point"] == "end"


# Spaces that do as cards do


@pytest.mark.parametrize("where", spaces("PROTECTION"))
def test_a_space_may_bring_protection(where: str) -> None:
    assert seat_of(on_space(where))["protection"] == 1


@pytest.mark.parametrize("where", spaces("ADVANTAGE"))
def test_a_space_may_bring_an_advantage_tile(where: str) -> None:
    assert phase(on_space(where)) == "draw"


@pytest.mark.parametrize("where", spaces("NEUTRAL"))
def test_a_space_may_place_a_neutral_stone(where: str) -> None:
    assert legal(on_space(where)) == [f"place(stone=neutral, country={country})" for country in COUNTRIES]


@pytest.mark.parametrize("where", spaces("DIE_PM1"))
def test_a_space_may_turn_a_die(where: str) -> None:
    assert legal(on_space(where)) == ["turn_up(die=black)", "turn_down(die=black)"]


@pytest.mark.parametrize("where", spaces("DIE_REMOVE"))
def test_a_space_may_take_a_die_off(where: str) -> None:
    table = on_space(where, row=f"{GAIN}=white3")
    assert legal(table) == ["free(die=white)", "free(die=black)"]
    assert row(play(table, "free(die=white)")) == ""


@pytest.mark.parametrize("where", spaces("CARD_REMOVE"))
def test_a_space_may_remove_a_card(where: str) -> None:
    table = on_space(where)
    shown = [country["face_up"] for country in look(table)["countries"]]
    assert legal(table) == [f"remove_card(card={card})" for card in shown]
