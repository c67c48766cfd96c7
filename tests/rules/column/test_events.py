"""A Column of Fire: all sixteen events, protection from them, who is asked, and one event a half-turn."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    GOODS,
    KINDS,
    attributes,
    character,
    characters,
    country_of,
    events,
    of,
)
from tests.rules.column.position import (
    View,
    country_seen,
    flip,
    flipping,
    goods,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    seat,
    seat_of,
)

GAIN = character("VP:2")
LOCH_LEVEN = events("LOCH_LEVEN", condition="house")
LOSE_VP = [card for card in events("LOSE_VP") if attributes(card)["condition"] in (1, 2)]
LOSE_GOOD = events("LOSE_GOOD", condition="house")
REWARD = events("PROTECTION_FOR_VP", condition="all")


def came(event: str, *seats: View, **facts: Any) -> State:
    """Seat 0 has recruited in a country and flipped its event."""
    return flip(flipping(country_of(event), *seats, **facts), event)


def hit(event: str) -> str:
    """The religion that an event strikes."""
    return ("catholic", "protestant")[attributes(event)["condition"] - 1]


def other(religion: str) -> str:
    return "protestant" if religion == "catholic" else "catholic"


def house(event: str, site: int = 3) -> str:
    return f"{country_of(event)}{site}"


def asked_seats(table: State, answer: str) -> list[int]:
    """Who decides about an event, if all give this answer."""
    movers = []
    while phase(table) == "event":
        movers.append(table.current_player)
        table = play(table, answer)
    return movers


# All sixteen


def test_the_sixteen_events_are_of_four_kinds() -> None:
    assert sorted(LOCH_LEVEN + LOSE_VP + LOSE_GOOD + REWARD) == sorted(of("event"))
    assert {KINDS[attributes(card)["kind"]] for card in of("event")} == set(KINDS)


@pytest.mark.parametrize("event", of("event"))
def test_an_event_that_concerns_nobody_leaves_the_game_and_the_next_card_is_flipped(event: str) -> None:
    # No house, nothing to lose and no protection; the religions are not those it strikes.
    calm = seat(points=0, religion=other(hit(event)) if event in LOSE_VP else "catholic")
    table = came(event, calm, calm)
    country = country_of(event)
    assert (phase(table), look(table)["flipping"], look(table)["event_done"]) == ("flip", country, True)
    assert event not in country_seen(table, country)["unseen"]
    assert f"flip(card={event})" not in outcomes(table)
    assert look(table)["event"] == ""


# Lost points


@pytest.mark.parametrize("event", LOSE_VP)
def test_players_of_the_religion_struck_lose_two_points_wherever_their_houses_are(event: str) -> None:
    struck, spared = seat(religion=hit(event)), seat(religion=other(hit(event)), houses=house(event))
    table = came(event, struck, spared, struck)
    assert (points(table), phase(table)) == ([8, 10, 8], "flip")


@pytest.mark.parametrize(("before", "after"), [(3, 1), (2, 0), (1, 0), (0, 0)])
def test_points_never_fall_below_zero(before: int, after: int) -> None:
    event = LOSE_VP[0]
    assert points(
        came(event, seat(religion=hit(event), points=before), seat(religion=other(hit(event))))
    ) == [
        after,
        10,
    ]


@pytest.mark.parametrize("event", LOSE_VP)
def test_who_has_protection_is_asked_whether_he_loses_the_points(event: str) -> None:
    table = came(
        event, seat(religion=hit(event), protection=1), seat(religion=other(hit(event)), protection=1)
    )
    assert (phase(table), table.current_player) == ("event", 0)
    assert legal(table) == ["accept()", "protect()"]
    guarded, lost = play(table, "protect()"), play(table, "accept()")
    assert (points(guarded), seat_of(guarded)["protection"]) == ([10, 10], 0)
    assert (points(lost), seat_of(lost)["protection"]) == ([8, 10], 1)
    assert phase(guarded) == phase(lost) == "flip"


def test_who_has_protection_but_no_point_is_asked_too() -> None:
    event = LOSE_VP[0]
    table = came(event, seat(religion=hit(event), points=0, protection=1), seat(religion=other(hit(event))))
    assert legal(table) == ["accept()", "protect()"]


def test_the_others_are_not_helped_by_a_protection_tile() -> None:
    event = LOSE_VP[0]
    table = came(event, *[seat(religion=hit(event), protection=1)] * 3)
    table = play(table, "protect()", "accept()", "protect()")
    assert points(table) == [10, 8, 10]


# Lost goods


@pytest.mark.parametrize("event", LOSE_GOOD)
def test_each_player_with_a_house_there_loses_a_goods_tile_of_his_choice(event: str) -> None:
    table = came(event, seat(houses=house(event), ore=1, wine=3), seat(houses=house(event, 4), book=1))
    assert (phase(table), legal(table)) == ("event", ["lose(good=ore)", "lose(good=wine)"])
    table = play(table, "lose(good=wine)")
    assert goods(table) == {"ore": 1, "wine": 2}
    assert (table.current_player, legal(table)) == (1, ["lose(good=book)"])
    assert goods(play(table, "lose(good=book)"), 1) == {}


@pytest.mark.parametrize("good", GOODS)
def test_one_tile_of_any_good_is_enough_to_be_asked(good: str) -> None:
    own: dict[str, Any] = {good: 1}
    event = LOSE_GOOD[0]
    table = came(event, seat(houses=house(event), **own), seat())
    assert (phase(table), legal(table)) == ("event", [f"lose(good={good})"])


@pytest.mark.parametrize("event", LOSE_GOOD)
def test_who_has_no_house_there_loses_no_good(event: str) -> None:
    elsewhere = " ".join(f"{country}2" for country in COUNTRIES if country != country_of(event))
    assert phase(came(event, seat(houses=elsewhere, ore=2, protection=1), seat(ore=2))) == "flip"


def test_who_has_no_good_is_not_asked_and_cannot_spend_protection() -> None:
    event = LOSE_GOOD[0]
    assert phase(came(event, seat(houses=house(event), protection=1), seat())) == "flip"


def test_a_protection_tile_keeps_the_goods() -> None:
    event = LOSE_GOOD[0]
    table = came(event, seat(houses=house(event), ore=1, protection=1), seat())
    assert legal(table) == ["protect()", "lose(good=ore)"]
    table = play(table, "protect()")
    assert (goods(table), seat_of(table)["protection"]) == ({"ore": 1}, 0)


# Points for protection


@pytest.mark.parametrize("event", REWARD)
@pytest.mark.parametrize("face", range(1, 6))
def test_each_player_may_return_a_protection_tile_for_the_points_of_his_religion_die(
    event: str, face: int
) -> None:
    table = came(event, seat(religion_die=face, protection=2), seat(protection=1))
    assert (phase(table), legal(table)) == ("event", ["skip()", "redeem()"])
    table = play(table, "redeem()")
    assert (points(table), seat_of(table)["protection"]) == ([10 + face, 10], 1)
    assert (table.current_player, legal(table)) == (1, ["skip()", "redeem()"])
    table = play(table, "skip()")
    assert (points(table)[1], seat_of(table, 1)["protection"], phase(table)) == (10, 1, "flip")


def test_a_tile_is_worth_the_religion_die_of_who_returns_it() -> None:
    table = came(REWARD[0], seat(religion_die=5), seat(religion_die=2, protection=1))
    assert points(play(table, "redeem()")) == [10, 12]


def test_one_tile_only_is_redeemed() -> None:
    table = play(came(REWARD[0], seat(protection=3), seat()), "redeem()")
    assert (phase(table), seat_of(table)["protection"]) == ("flip", 2)


def test_who_has_no_protection_tile_is_not_asked() -> None:
    assert asked_seats(came(REWARD[0], seat(), seat(protection=1), seat()), "skip()") == [1]


# Order


@pytest.mark.parametrize("turn", range(4))
def test_the_seats_decide_clockwise_from_the_one_whose_turn_it_is(turn: int) -> None:
    table = came(REWARD[0], *[seat(protection=1)] * 4, turn=turn, start_player=1)
    assert asked_seats(table, "skip()") == [(turn + number) % 4 for number in range(4)]


def test_each_sees_the_answers_before_his_own() -> None:
    table = play(came(REWARD[0], seat(protection=1), seat(protection=1)), "redeem()")
    assert look(table, 1)["seats"][0]["points"] == 13


# One event a half-turn


def test_a_second_event_of_the_half_turn_is_discarded_without_effect() -> None:
    country = country_of(LOSE_VP[0])
    sites = [house(LOSE_VP[0], site) for site in (2, 3)]
    table = came(LOSE_VP[0], *[seat(religion=hit(LOSE_VP[0]), houses=site, ore=1) for site in sites])
    assert points(table) == [8, 8]
    for event in events(country=country):
        if event != LOSE_VP[0]:
            table = flip(table, event)
            assert (phase(table), points(table)) == ("flip", [8, 8])
            assert event not in country_seen(table, country)["unseen"]
    card = characters(country=country)[3]
    assert country_seen(flip(table, card), country)["face_up"] == card


def test_an_event_already_done_counts_for_every_deck_of_the_half_turn() -> None:
    remove = character("CARD_REMOVE")
    me = seat(row=f"{remove}=white3", protection=1)
    table = position(me, seat(), phase="use_card", event_done=True)
    shown = country_seen(table, "England")["face_up"]
    table = play(table, f"use_card(card={remove})", f"remove_card(card={shown})")
    assert phase(flip(table, events("PROTECTION_FOR_VP", "England")[0])) == "flip"


def test_a_card_removed_from_a_deck_may_bring_an_event() -> None:
    remove = character("CARD_REMOVE")
    table = position(seat(row=f"{remove}=white3", protection=1), seat(), phase="use_card")
    shown = country_seen(table, "England")["face_up"]
    table = play(table, f"use_card(card={remove})", f"remove_card(card={shown})")
    table = flip(table, events("PROTECTION_FOR_VP", "England")[0])
    assert (phase(table), look(table)["event_done"]) == ("event", True)
    assert look(play(table, "redeem()"))["event_done"]


def test_the_next_half_turn_may_have_an_event_again() -> None:
    table = position(seat(), seat(), phase="window", point="end", half=2, event_done=True)
    assert not look(play(table, "pass()"))["event_done"]


def test_while_an_event_runs_its_country_shows_no_card() -> None:
    table = came(REWARD[0], seat(protection=1), seat())
    country = country_of(REWARD[0])
    assert look(table)["flipping"] == country
    assert country_seen(table, country)["face_up"] == ""
