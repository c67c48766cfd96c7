"""A Column of Fire: recruiting in the second half of the year: dice, stone, card and its first use."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    DICE,
    STONES,
    character,
    characters,
    colour_of,
    country_of,
    events,
)
from tests.rules.column.position import (
    View,
    asked,
    country_seen,
    flip,
    houses,
    imprisoned,
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
    second_half,
    settle,
    stones,
)

GAIN = character("VP:2")
HOME = country_of(GAIN)


def recruiting(*others: View, rolled: str = "purple4", row: str = "", **facts: Any) -> State:
    """Seat 0 has rolled one die only, purple, and a card with 2 points lies in its country."""
    keys = ("points", "protection", "houses", "tiles", "cloth")
    own = {key: facts.pop(key) for key in keys if key in facts}
    away = imprisoned(*[word.split("=")[-1][:-1] for word in (rolled + " " + row).split()])
    me = seat(rolled=rolled, row=row, prison=away, **own)
    return position(me, *(others or (seat(),)), phase="recruit", **{"face_up": {HOME: GAIN}} | facts)


RECRUIT = f"recruit(die=purple, country={HOME})"


# Rolling


def test_all_free_dice_are_rolled_and_no_others() -> None:
    table = second_half(seat(row=f"{GAIN}=blue3", prison="brown2"), seat())
    for die in ("white", "orange", "purple"):
        rolls = {f"roll_die(year=3, seat_die={die}0, face={face})": 1 for face in range(1, 7)}
        assert (phase(table), outcomes(table)) == ("roll_dice", rolls)
        table = play(table, f"roll_die(year=3, seat_die={die}0, face=5)")
    assert phase(table) == "recruit"
    assert seat_of(table)["faces"] == [5, 3, 5, 2, 5]


def test_a_seats_own_dice_are_rolled() -> None:
    table = second_half(seat(), seat(), seat(), turn=2, start_player=1)
    assert list(outcomes(table))[5] == "roll_die(year=3, seat_die=white2, face=6)"


# The choice


def test_any_rolled_die_recruits_in_its_country_and_purple_in_any() -> None:
    table = position(seat(rolled="white3 blue1 orange6 brown2 purple4"), seat(), phase="recruit")
    own = [f"recruit(die={die}, country={country})" for die, country in zip(DICE[:4], COUNTRIES, strict=True)]
    wild = [f"recruit(die=purple, country={country})" for country in COUNTRIES]
    assert asked(table) == [*own, *wild, "decline()"]


def test_a_die_on_a_card_does_not_recruit() -> None:
    table = recruiting(rolled="orange2")
    assert asked(table) == ["recruit(die=orange, country=Netherlands)", "decline()"]


def test_who_declines_pays_a_point_and_nothing_else_happens() -> None:
    table = recruiting(points=2, rolled="purple4 blue2")
    after = play(table, "decline()")
    assert points(after) == [1, 10]
    assert look(after)["countries"] == look(table)["countries"]
    assert row(after) == ""
    assert phase(after) == "track"


def test_who_declines_moves_with_any_of_his_free_dice() -> None:
    after = play(recruiting(points=1, rolled="white4 blue2"), "decline()")
    assert points(after) == [0, 10]
    assert sorted(colour_of(move[11:-1]) for move in legal(after)) == ["blue", "white"]


def test_without_a_point_nobody_may_decline() -> None:
    assert legal(recruiting(points=0, rolled="white4")) == ["recruit(die=white, country=England)"]


@pytest.mark.parametrize(("before", "after"), [(10, 9), (3, 2)])
def test_who_has_no_free_die_loses_a_point_and_does_not_move(before: int, after: int) -> None:
    table = second_half(seat(points=before, prison=imprisoned()), seat())
    assert points(table) == [after, 10]
    assert look(table)["seats"][0]["space"] == look(second_half(seat(), seat()))["seats"][0]["space"]
    assert look(table)["point"] in ("end", "start")


def test_who_has_no_free_die_and_no_point_loses_nothing() -> None:
    table = second_half(seat(points=0, held=1, prison=imprisoned()), seat())
    assert points(table) == [0, 10]
    assert (phase(table), look(table)["point"], look(table)["turn"]) == ("window", "end", 0)


# The stone


@pytest.mark.parametrize("stone", STONES)
def test_the_stone_of_the_card_moves_to_a_religion_space_of_the_country(stone: str) -> None:
    card = character(stone=stone)
    country = country_of(card)
    table = recruiting(face_up={country: card}, stones={country: "P"})
    table = play(table, f"recruit(die=purple, country={country})")
    expected = {"catholic": "CP", "protestant": "PP", "neutral": "PN"}[stone]
    assert stones(table, country) == expected
    assert row(table) == f"{card}=purple4"


def test_a_protection_tile_may_put_the_stone_back_into_the_supply() -> None:
    table = play(recruiting(protection=2), RECRUIT)
    assert (phase(table), legal(table)) == ("stone", ["accept()", "protect()"])
    guarded = play(table, "protect()")
    assert (stones(guarded, HOME), seat_of(guarded)["protection"]) == ("", 1)
    placed = play(table, "accept()")
    assert (len(stones(placed, HOME)), seat_of(placed)["protection"]) == (1, 2)
    assert row(placed) == row(guarded) == f"{GAIN}=purple4"


@pytest.mark.parametrize("stone", STONES)
def test_protection_is_asked_for_whatever_the_stone_is(stone: str) -> None:
    card = character(stone=stone)
    country = country_of(card)
    table = recruiting(protection=1, face_up={country: card})
    table = play(table, f"recruit(die=purple, country={country})")
    assert legal(table) == ["accept()", "protect()"]
    assert stones(play(table, "protect()"), country) == ""


def test_only_the_active_player_may_put_the_stone_back() -> None:
    table = play(recruiting(seat(protection=3)), RECRUIT)
    assert phase(table) == "use_card"
    assert len(stones(table, HOME)) == 1


def test_the_stone_comes_before_the_house_and_the_house_before_the_card() -> None:
    table = play(recruiting(protection=1, houses=f"{HOME}2"), RECRUIT)
    assert (phase(table), row(table), houses(table, HOME)) == ("stone", "", [2, 0])
    table = play(table, "accept()")
    assert (phase(table), row(table), len(stones(table, HOME))) == ("house", "", 1)
    assert (look(table)["die"], look(table)["country"]) == ("purple", HOME)
    table = play(table, "upgrade()")
    assert (phase(table), row(table), houses(table, HOME)) == ("use_card", f"{GAIN}=purple4", [4, 0])
    assert look(table)["die"] == ""


def test_in_a_full_country_the_stone_goes_back_and_no_protection_is_asked_for() -> None:
    table = play(recruiting(protection=1, stones={HOME: "CPN"}), RECRUIT)
    assert phase(table) == "use_card"
    assert (stones(table, HOME), seat_of(table)["protection"]) == ("CPN", 1)
    assert (row(table), houses(table, HOME)) == (f"{GAIN}=purple4", [4, 0])


# The card


def test_the_card_comes_to_the_right_end_of_the_row_with_the_die() -> None:
    other = characters("VP:2")[1]
    table = play(recruiting(rolled="purple5", row=f"{other}=blue2"), RECRUIT)
    assert row(table) == f"{other}=blue2 {GAIN}=purple5"


def test_its_action_may_be_used_at_once() -> None:
    table = play(recruiting(), RECRUIT)
    assert (phase(table), look(table)["point"]) == ("use_card", "new_card")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    assert points(play(table, f"use_card(card={GAIN})")) == [12, 10]
    assert points(play(table, "skip()")) == [10, 10]


def test_an_action_without_effect_is_passed_over() -> None:
    card = character("SELL3")
    country = country_of(card)
    table = play(recruiting(face_up={country: card}), f"recruit(die=purple, country={country})")
    assert phase(table) == "flip"


def test_the_house_just_built_already_sells() -> None:
    card = character("SELL3", "England")
    table = play(
        recruiting(rolled="white2", cloth=1, face_up={"England": card}), "recruit(die=white, country=England)"
    )
    assert asked(table) == [f"use_card(card={card})", "skip()"]


def test_the_next_card_of_the_deck_is_flipped() -> None:
    table = play(recruiting(), RECRUIT)
    left = country_seen(table, HOME)["unseen"]
    assert country_seen(table, HOME)["face_up"] == ""
    table = play(table, "skip()")
    assert outcomes(table) == {f"flip(card={card})": 1 for card in left}
    shown = flip(table, left[2])
    assert country_seen(shown, HOME)["face_up"] == left[2]
    assert country_seen(shown, HOME)["unseen"] == [card for card in left if card != left[2]]


def test_the_stone_of_the_next_card_stays_on_it() -> None:
    table = settle(play(recruiting(protection=1), RECRUIT, "protect()", "skip()"))
    assert stones(table, HOME) == ""


def test_the_die_on_the_new_card_is_no_longer_free() -> None:
    table = settle(play(recruiting(rolled="purple4 blue2", points=0), RECRUIT, "skip()"))
    assert phase(table) == "track"
    assert [colour_of(move[11:-1]) for move in legal(table)] == ["blue"]


def test_faces_count_no_more_after_the_choice() -> None:
    table = play(recruiting(rolled="purple4 blue2 white6"), RECRUIT)
    assert seat_of(table)["faces"] == [0, 0, 3, 3, 4]
    assert seat_of(play(recruiting(rolled="purple4 blue2"), "decline()"))["faces"] == [3, 0, 3, 3, 0]


# Exhausted countries


def exhausted(*others: View, die: str = "white2", own: str = "", **facts: Any) -> State:
    """England has no more character."""
    me = seat(rolled=die, prison=imprisoned(die[:-1]), houses=own, protection=1)
    return position(me, *(others or (seat(),)), phase="recruit", face_up={"England": ""}, **facts)


@pytest.mark.parametrize("die", ["white2", "purple2"])
def test_the_die_of_an_exhausted_country_builds_a_house_and_nothing_else(die: str) -> None:
    table = exhausted(die=die)
    after = play(table, f"recruit(die={die[:-1]}, country=England)")
    assert (houses(after, "England"), stones(after, "England"), row(after)) == ([2, 0], "", "")
    assert (points(after), seat_of(after)["protection"], phase(after)) == ([10, 10], 1, "track")


def test_the_die_that_built_in_an_exhausted_country_stays_free() -> None:
    after = play(exhausted(), "recruit(die=white, country=England)")
    assert seat_of(after)["faces"][0] == 0
    assert {colour_of(move[11:-1]) for move in asked(after)} == {"white"}


def test_a_house_in_an_exhausted_country_may_be_raised() -> None:
    table = play(exhausted(die="white5", own="England2"), "recruit(die=white, country=England)")
    assert (phase(table), asked(table)) == ("house", ["skip()", "upgrade()"])
    assert houses(play(table, "upgrade()"), "England") == [5, 0]
    assert houses(play(table, "skip()"), "England") == [2, 0]


def test_a_house_in_an_exhausted_country_pushes_others() -> None:
    table = play(exhausted(seat(houses="England2")), "recruit(die=white, country=England)")
    assert houses(table, "England") == [2, 1]


def test_purple_may_name_an_exhausted_country() -> None:
    wild = [f"recruit(die=purple, country={country})" for country in COUNTRIES]
    assert asked(exhausted(die="purple2")) == [*wild, "decline()"]


def test_a_deck_that_is_empty_at_the_flip_is_exhausted() -> None:
    table = play(recruiting(unseen={HOME: ""}), RECRUIT)
    assert not look(table)["ending"]
    table = play(table, "skip()")
    assert (phase(table), look(table)["ending"]) == ("window", True)
    assert country_seen(table, HOME)["face_up"] == ""


def test_a_deck_of_events_only_still_flips_them_and_is_then_exhausted() -> None:
    cards = sorted(events("LOSE_VP", HOME) + events("LOSE_GOOD", HOME))
    table = play(recruiting(unseen={HOME: " ".join(cards)}), RECRUIT, "skip()")
    assert outcomes(table) == {f"flip(card={card})": 1 for card in cards}
    assert not look(table)["ending"]
    table = flip(table, cards[0])
    assert (outcomes(table), look(table)["event_done"]) == ({f"flip(card={cards[1]})": 1}, True)
    table = flip(table, cards[1])
    assert (look(table)["ending"], country_seen(table, HOME)["face_up"]) == (True, "")


def test_in_an_exhausted_country_a_house_as_high_stays() -> None:
    table = play(exhausted(die="white2", own="England4"), "recruit(die=white, country=England)")
    assert (phase(table), houses(table, "England")) == ("track", [4, 0])
