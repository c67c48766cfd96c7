"""A Column of Fire: what free actions and events make of the question under way."""

from typing import Any

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    character,
    characters,
    colour_of,
    country_of,
    events,
    ring,
    ship,
    space,
)
from tests.rules.column.position import (
    View,
    asked,
    country_seen,
    first_half,
    go_on,
    imprisoned,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    prison,
    roll,
    row,
    seat,
    seat_of,
    second_half,
    settle,
    stones,
)

GAIN = character("VP:2")
SALE = character("SELL3")
REMOVE = character("CARD_REMOVE")
VP_SPACE = space("VP")


# The row


def test_a_card_bought_off_at_the_start_window_is_not_used() -> None:
    table = position(seat(row=f"{GAIN}=white4"), seat(), phase="window", point="start", half=1)
    table = play(table, "pay(die=white)", "pass()")
    assert (look(table)["point"], points(table)[0], row(table)) == ("end", 7, "")


def test_a_card_stays_in_question_when_an_earlier_one_leaves() -> None:
    table = first_half(seat(row=f"{SALE}=blue4 {GAIN}=white4"), seat())
    assert look(table)["cursor"] == 1
    table = play(table, "pay(die=blue)")
    assert (look(table)["cursor"], row(table)) == (0, f"{GAIN}=white3")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    used = play(table, f"use_card(card={GAIN})")
    assert (look(used)["point"], points(used)[0], row(used)) == ("end", 9, f"{GAIN}=white3")


def test_the_card_after_one_that_left_still_has_its_turn() -> None:
    later = characters("VP:2")[1]
    table = first_half(seat(row=f"{GAIN}=white4 {later}=blue4"), seat())
    table = play(table, "pay(die=white)")
    assert row(table) == f"{later}=blue3"
    assert asked(table) == [f"use_card(card={later})", "skip()"]


def test_a_die_turned_up_while_its_card_is_in_question_gives_a_use_more() -> None:
    table = first_half(seat(row=f"{GAIN}=white2", tiles="turn_die"), seat())
    table = play(table, "play(tile=turn_die)", "turn_up(die=white)")
    assert row(table) == f"{GAIN}=white2"
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]


def brought(event: str, *others: View, **own: Any) -> State:
    """Seat 0 removes the face-up card of the event's country by a card in his row, and the event comes."""
    country = country_of(event)
    table = position(seat(**own), *(others or (seat(),)), phase="use_card")
    shown = country_seen(table, country)["face_up"]
    return play(table, f"use_card(card={REMOVE})", f"remove_card(card={shown})", f"flip(card={event})")


def test_a_later_card_whose_die_goes_to_loch_leven_is_not_used() -> None:
    event = events("LOCH_LEVEN", "England")[0]
    table = brought(event, houses="England2", row=f"{REMOVE}=white3 {GAIN}=blue3")
    table = settle(play(table, "imprison(die=blue)"))
    assert (look(table)["point"], row(table), prison(table)) == ("end", f"{REMOVE}=white3", "blue3")


def test_a_later_card_is_used_though_the_one_before_it_goes() -> None:
    event = events("LOCH_LEVEN", "England")[0]
    table = brought(event, houses="England2", row=f"{REMOVE}=white3 {GAIN}=blue3")
    table = settle(play(table, "imprison(die=white)"))
    assert (row(table), prison(table)) == (f"{GAIN}=blue2", "white3")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]


def test_a_die_that_another_loses_to_loch_leven_neither_skips_nor_repeats_a_card() -> None:
    event = events("LOCH_LEVEN", "England")[0]
    other = seat(houses="England2", row=f"{characters('VP:2')[1]}=purple4")
    table = brought(event, other, row=f"{REMOVE}=white3 {GAIN}=blue3")
    table = settle(play(table, "imprison(die=purple)"))
    assert (row(table), row(table, 1)) == (f"{REMOVE}=white3 {GAIN}=blue2", "")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]


# Recruiting and moving


def test_who_spends_his_last_points_on_a_die_may_not_decline() -> None:
    me = seat(points=3, rolled="white3", prison=imprisoned("white"))
    table = position(me, seat(), phase="recruit")
    assert "decline()" in asked(table)
    assert asked(play(table, "pay(die=blue)")) == ["recruit(die=white, country=England)"]


def struck(phase: str, *dice: str, **own: Any) -> State:
    """Seat 0 removes the face-up card of England by a tile, and an event puts a die on Loch Leven."""
    event = events("LOCH_LEVEN", "England")[0]
    rolled = " ".join(f"{die}4" for die in dice) if phase == "recruit" else ""
    me = seat(rolled=rolled, prison=imprisoned(*dice), houses="England2", tiles="remove_card", **own)
    table = position(me, seat(), phase=phase)
    shown = country_seen(table, "England")["face_up"]
    return play(table, "play(tile=remove_card)", f"remove_card(card={shown})", f"flip(card={event})")


def test_a_rolled_die_lost_to_loch_leven_does_not_recruit() -> None:
    table = settle(play(struck("recruit", "white", "brown"), "imprison(die=white)"))
    assert asked(table) == ["recruit(die=brown, country=Spain)", "decline()"]
    assert prison(table).split()[0] == "white3"


def test_who_loses_his_last_rolled_die_is_unable_to_recruit() -> None:
    table = settle(play(struck("recruit", "white"), "imprison(die=white)"))
    assert (points(table)[0], look(table)["point"]) == (9, "end")


def test_who_loses_his_last_free_die_at_the_track_question_does_not_move() -> None:
    table = struck("track", "white")
    before = seat_of(table)["space"]
    table = settle(play(table, "imprison(die=white)"))
    assert (look(table)["point"], seat_of(table)["space"]) == ("end", before)


def test_after_an_event_of_a_free_action_the_recruits_card_brings_none() -> None:
    table = settle(play(struck("recruit", "white", "brown"), "imprison(die=white)"))
    table = play(table, "recruit(die=brown, country=Spain)", "skip()")
    table = play(table, f"flip(card={events('LOCH_LEVEN', 'Spain')[0]})")
    assert phase(table) == "flip"


def struck_at_the_new_card(*dice: str) -> State:
    """Seat 0 is asked about the card he has recruited in Spain when a tile brings an event of England."""
    card, event = character("VP:2", "Spain"), events("LOCH_LEVEN", "England")[0]
    away = imprisoned("purple", *dice)
    me = seat(rolled="purple4", prison=away, houses="England2", tiles="remove_card")
    table = position(me, seat(), phase="recruit", face_up={"Spain": card})
    shown = country_seen(table, "England")["face_up"]
    table = play(table, "recruit(die=purple, country=Spain)", "play(tile=remove_card)")
    return play(table, f"remove_card(card={shown})", f"flip(card={event})")


def test_a_new_card_whose_die_goes_to_loch_leven_loses_its_use() -> None:
    table = settle(play(struck_at_the_new_card(), "imprison(die=purple)"))
    assert (row(table), points(table)[0], look(table)["point"]) == ("", 10, "end")
    assert country_seen(table, "Spain")["face_up"]


def test_a_new_card_is_still_asked_about_after_an_event() -> None:
    card = character("VP:2", "Spain")
    table = settle(play(struck_at_the_new_card("white"), "imprison(die=white)"))
    assert (row(table), asked(table)) == (f"{card}=purple4", [f"use_card(card={card})", "skip()"])


def test_a_tile_that_fills_a_country_sends_the_recruits_stone_back() -> None:
    me = seat(tiles="place_neutral", rolled="brown4", prison=imprisoned("brown"), protection=1)
    table = position(me, seat(), phase="recruit", stones={"Spain": "CP"})
    table = play(table, "play(tile=place_neutral)", "place(stone=neutral, country=Spain)")
    table = play(table, "recruit(die=brown, country=Spain)")
    assert (phase(table), stones(table, "Spain"), seat_of(table)["protection"]) == ("use_card", "CPN", 1)


# In the second half


def test_dice_on_cards_and_on_loch_leven_are_not_turned_in_the_second_half() -> None:
    table = second_half(seat(row=f"{GAIN}=white2", prison="blue1", religion_die=2), seat())
    assert (row(table), prison(table), seat_of(table)["religion_die"]) == (f"{GAIN}=white2", "blue1", 2)


# What was offered before


def test_a_card_whose_die_is_bought_off_before_its_use_is_decided_loses_that_use() -> None:
    table = first_half(seat(row=f"{GAIN}=white4"), seat())
    table = play(table, "pay(die=white)")
    assert (look(table)["point"], points(table)[0], row(table)) == ("end", 7, "")


def test_a_new_card_whose_die_is_bought_off_loses_its_use() -> None:
    home = country_of(GAIN)
    table = position(seat(), seat(), phase="recruit", face_up={home: GAIN})
    table = play(table, f"recruit(die=purple, country={home})", "pay(die=purple)")
    assert (phase(table), points(table)[0], row(table)) == ("flip", 7, "")


def test_a_new_card_stays_usable_while_an_earlier_ones_die_is_bought_off() -> None:
    home, earlier = country_of(GAIN), characters("VP:2")[1]
    me = seat(row=f"{earlier}=blue2")
    table = position(me, seat(), phase="recruit", face_up={home: GAIN})
    table = play(table, f"recruit(die=purple, country={home})", "pay(die=blue)")
    assert (points(table)[0], row(table)) == (7, f"{GAIN}=purple1")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    assert points(play(table, f"use_card(card={GAIN})"))[0] == 9


def test_a_card_removed_before_its_use_is_decided_loses_that_use() -> None:
    table = first_half(seat(row=f"{GAIN}=white4", tiles="remove_card"), seat())
    table = play(table, "play(tile=remove_card)", f"remove_card(card={GAIN})")
    assert (look(table)["point"], points(table)[0], row(table)) == ("end", 10, "")


def test_a_card_stays_usable_while_another_die_is_bought_off() -> None:
    later = character("GOOD:ore")
    table = first_half(seat(row=f"{GAIN}=white4 {later}=blue4"), seat())
    table = play(table, "pay(die=blue)")
    assert asked(table) == [f"use_card(card={GAIN})", "skip()"]
    assert look(play(table, "skip()"))["point"] == "end"


def test_a_space_landed_on_stays_usable_after_a_tile_has_moved_the_disk() -> None:
    me = seat(space=VP_SPACE, tiles="next_space")
    table = position(me, seat(space=ring("", VP_SPACE)[3]), phase="use_space")
    table = play(table, "play(tile=next_space)")
    if phase(table) == "landed":
        table = play(table, "skip()")
    if phase(table) == "ship_stone":
        table = play(table, "skip()")
    assert seat_of(table)["space"] == ring("", VP_SPACE)[0]
    assert asked(table) == [f"use_space(space={VP_SPACE})", "skip()"]
    assert points(play(table, f"use_space(space={VP_SPACE})"))[0] == 12


def test_a_die_freed_after_the_roll_does_not_recruit_but_moves() -> None:
    table = position(seat(rolled="white3", prison=imprisoned("white")), seat(), phase="recruit")
    after = play(table, "pay(die=blue)")
    assert asked(after) == ["recruit(die=white, country=England)", "decline()"]
    after = play(after, "decline()")
    assert {colour_of(move[11:-1]) for move in asked(after)} == {"white", "blue"}


def test_a_die_freed_before_the_roll_is_rolled() -> None:
    table = position(seat(prison=imprisoned()), seat(), phase="window", point="start", half=2)
    table = roll(play(table, "pay(die=blue)", "pass()"), "blue5")
    assert "recruit(die=blue, country=France)" in asked(table)


def test_who_has_no_die_rolled_cannot_recruit_with_one_freed_later() -> None:
    table = second_half(seat(prison=imprisoned()), seat())
    assert (look(table)["point"], points(table)[0]) == ("end", 9)
    table = play(table, "pay(die=blue)")
    assert (phase(table), look(table)["point"]) == ("window", "end")


def test_a_die_freed_in_the_first_half_is_rolled_in_the_second() -> None:
    table = first_half(seat(prison=imprisoned()), seat())
    table = go_on(play(table, "pay(die=blue)"), "roll_dice")
    assert next(iter(outcomes(table))).startswith("roll_die(year=3, seat_die=blue0")


def test_a_free_action_at_a_track_question_may_bring_another_die() -> None:
    table = position(seat(prison=imprisoned("white"), space=ship("Spain")), seat(), phase="track")
    after = play(table, "pay(die=brown)")
    assert {colour_of(move[11:-1]) for move in asked(after)} == {"white", "brown"}
