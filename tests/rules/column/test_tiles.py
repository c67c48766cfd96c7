"""A Column of Fire: advantage tiles, dice bought off cards for three points, and when either is offered."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    GOODS,
    TILES,
    character,
    country_of,
    ring,
    space,
)
from tests.rules.column.position import (
    View,
    asked,
    country_seen,
    free,
    goods,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    prison,
    refused,
    row,
    seat,
    seat_of,
    stones,
    tiles,
    turn_end,
)

GAIN = character("VP:2")
VP_SPACE = space("VP")


def window(*others: View, tiles: str = "", **facts: Any) -> State:
    """Seat 0 may act freely at the end of his second half; he has 2 points unless ``facts`` say otherwise."""
    keys = (*GOODS, "points", "row", "prison", "houses", "space")
    own: dict[str, Any] = {key: facts.pop(key) for key in keys if key in facts}
    return turn_end(seat(tiles=tiles, **{"points": 2} | own), *(others or (seat(),)), **facts)


# When free actions are offered


@pytest.mark.parametrize("half", [1, 2])
@pytest.mark.parametrize("point", ["start", "end"])
def test_a_window_stands_at_the_start_and_at_the_end_of_each_half_turn(half: int, point: str) -> None:
    table = position(seat(tiles="any_good"), seat(), phase="window", point=point, half=half)
    assert legal(table) == ["pass()", "play(tile=any_good)", "pay(die=black)"]


def test_a_window_is_shown_to_who_has_a_tile_though_it_cannot_be_played() -> None:
    assert legal(window(tiles="vp2")) == ["pass()"]
    assert legal(window(tiles="sell3")) == ["pass()"]


def test_a_window_is_shown_to_who_has_three_points() -> None:
    assert legal(window(points=3)) == ["pass()", "pay(die=black)"]


@pytest.mark.parametrize("held", [0, 2])
def test_without_tile_and_three_points_no_window_is_shown(held: int) -> None:
    table = turn_end(seat(), seat(points=held), seat())
    table = play(table, "pass()")
    assert (look(table)["turn"], phase(table)) == (1, "roll_dice")


def test_a_window_comes_back_after_each_free_action() -> None:
    table = play(window(tiles="any_good any_good vp1"), "play(tile=any_good)", "gain(good=ore)")
    assert legal(table) == ["pass()", "play(tile=any_good)"]
    table = play(table, "play(tile=any_good)", "gain(good=ore)")
    assert (legal(table), goods(table)) == (["pass()"], {"ore": 2})


def test_a_window_that_has_no_more_cause_is_gone() -> None:
    table = play(window(tiles="any_good"), "play(tile=any_good)", "gain(good=ore)")
    assert look(table)["turn"] == 1


def questions() -> dict[str, State]:
    """All questions at which free actions are offered, but the windows."""
    one = seat(tiles="any_good", prison="blue2", row=f"{GAIN}=purple3")
    new = seat(tiles="any_good", prison="blue2 white2 brown2 orange2", rolled="purple3")
    recruited = position(new, seat(), phase="recruit", face_up={country_of(GAIN): GAIN})
    return {
        "card": position(one, seat(), phase="use_card"),
        "new card": play(recruited, f"recruit(die=purple, country={country_of(GAIN)})"),
        "recruit": position(one, seat(), phase="recruit"),
        "track": position(one, seat(), phase="track"),
        "space": position(one | {"space": VP_SPACE}, seat(), phase="use_space"),
    }


@pytest.mark.parametrize("question", ["card", "new card", "recruit", "track", "space"])
def test_free_actions_are_offered_at_every_question_of_ones_own_turn(question: str) -> None:
    table = questions()[question]
    dice = "blue purple black" if question != "new card" else "white blue orange brown purple black"
    assert free(table) == ["play(tile=any_good)", *[f"pay(die={die})" for die in dice.split()]]
    after = play(table, "play(tile=any_good)", "gain(good=wine)")
    assert (asked(after), goods(after)) == (asked(table), {"wine": 1})


@pytest.mark.parametrize("question", ["card", "new card", "recruit", "track", "space"])
def test_a_religion_roll_bought_at_a_question_leads_back_to_it(question: str) -> None:
    table = questions()[question]
    year = look(table)["year"]
    after = play(table, "pay(die=black)", f"roll_religion(year={year}, seat=0, face=5)", "change()")
    assert (phase(after), look(after)["point"]) == (phase(table), look(table)["point"])
    # Alone with the new religion: 10 less 3 and 1 more. Moves that cost up to 3 can still be paid.
    assert (points(after)[0], asked(after)) == (8, asked(table))


def test_free_actions_are_not_offered_within_a_procedure() -> None:
    one = seat(tiles="any_good religion turn_die", protection=1, houses="Spain1", rolled="purple4")
    table = position(one, seat(), phase="recruit")
    table = play(table, "recruit(die=purple, country=Spain)")
    assert (phase(table), free(table)) == ("stone", [])
    table = play(table, "accept()")
    assert (phase(table), free(table)) == ("house", [])
    table = play(table, "upgrade()", "play(tile=religion)")
    assert (phase(table), free(table)) == ("religion", [])


def test_in_the_turn_of_another_nobody_acts_freely() -> None:
    table = turn_end(seat(), seat(tiles="any_good"))
    assert table.current_player == 0
    assert legal(table) == ["pass()", "pay(die=black)"]


# The tiles


def test_every_tile_with_an_action_may_be_played() -> None:
    everything = "sell3 any_good turn_die free_die remove_card next_space religion place_neutral vp1 vp2 vp3"
    table = window(tiles=everything, houses="England2", cloth=1)
    assert free(table) == [f"play(tile={tile})" for tile in TILES[3:]]


@pytest.mark.parametrize("tile", ["vp1", "vp2", "vp3"])
def test_point_tiles_are_not_played(tile: str) -> None:
    assert refused(window(tiles=tile), f"play(tile={tile})")


def test_tiles_of_others_are_not_played() -> None:
    assert refused(window(seat(held=5), tiles="sell3"), "play(tile=any_good)")


def test_a_tile_that_has_no_effect_is_not_offered() -> None:
    full = dict.fromkeys(COUNTRIES, "NNN")
    table = window(tiles="sell3 religion place_neutral any_good", ore=1, stones=full)
    assert free(table) == ["play(tile=any_good)"]


def test_a_played_tile_leaves_the_game() -> None:
    table = play(window(tiles="any_good vp1"), "play(tile=any_good)", "gain(good=ore)")
    assert (tiles(table), seat_of(table)["held"]) == ({"vp1": 1}, 1)
    assert look(table)["unseen_tiles"] == [5, 5, 2, 2, 1, 2, 2, 2, 2, 2, 2]


def test_a_tile_sells_for_three() -> None:
    table = play(window(tiles="sell3", houses="Spain1", ore=2), "play(tile=sell3)")
    assert legal(table) == ["sell_one(good=ore)"]
    assert points(play(table, "sell_one(good=ore)"))[0] == 5


def test_a_tile_brings_any_good() -> None:
    table = play(window(tiles="any_good vp1"), "play(tile=any_good)")
    assert legal(table) == [f"gain(good={good})" for good in GOODS]


def test_a_tile_turns_a_die() -> None:
    table = play(window(tiles="turn_die vp1", prison="blue2"), "play(tile=turn_die)")
    assert legal(table) == [
        f"{turn}(die={die})" for turn in ("turn_up", "turn_down") for die in ("blue", "black")
    ]
    assert prison(play(table, "turn_up(die=blue)")) == "blue3"


def test_a_tile_takes_a_die_off() -> None:
    table = play(window(tiles="free_die vp1", prison="blue2", row=f"{GAIN}=white2"), "play(tile=free_die)")
    assert legal(table) == [f"free(die={die})" for die in ("white", "blue", "black")]
    after = play(table, "free(die=blue)")
    assert (prison(after), points(after)[0]) == ("", 2)


def test_a_tile_removes_a_card() -> None:
    table = play(window(tiles="remove_card vp1"), "play(tile=remove_card)")
    shown = [country["face_up"] for country in look(table)["countries"]]
    assert legal(table) == [f"remove_card(card={card})" for card in shown]
    table = play(table, f"remove_card(card={shown[2]})")
    assert (phase(table), look(table)["flipping"]) == ("flip", "Netherlands")
    table = play(table, next(iter(outcomes(table))))
    assert (phase(table), look(table)["point"]) == ("window", "end")


def test_a_tile_moves_to_the_next_space() -> None:
    before = ring("", VP_SPACE)[-1]
    table = window(seat(space=ring("", VP_SPACE)[2]), tiles="next_space vp1", space=before)
    table = play(table, "play(tile=next_space)")
    assert (phase(table), seat_of(table)["space"]) == ("landed", VP_SPACE)
    assert legal(table) == [f"use_space(space={VP_SPACE})", "skip()"]
    assert points(play(table, f"use_space(space={VP_SPACE})"))[0] == 4


def test_where_a_tile_has_led_no_free_action_comes_in_between() -> None:
    before = ring("", VP_SPACE)[-1]
    table = window(seat(space=ring("", VP_SPACE)[2]), tiles="next_space any_good", space=before, points=9)
    assert free(play(table, "play(tile=next_space)")) == []


def test_a_tile_places_or_removes_a_stone() -> None:
    table = play(window(tiles="religion vp1", stones={"Spain": "P"}), "play(tile=religion)")
    assert "remove(stone=protestant, country=Spain)" in legal(table)
    assert stones(play(table, "place(stone=catholic, country=France)"), "France") == "C"


def test_a_tile_places_a_neutral_stone() -> None:
    table = play(window(tiles="place_neutral vp1"), "play(tile=place_neutral)")
    assert stones(play(table, "place(stone=neutral, country=Spain)"), "Spain") == "N"


def test_a_tile_gained_in_this_turn_may_be_played() -> None:
    where = space("ADVANTAGE")
    table = position(seat(points=2, space=where), seat(), phase="use_space")
    table = play(table, f"use_space(space={where})", "draw(seat=0, tile=any_good)")
    assert (look(table)["point"], legal(table)) == ("end", ["pass()", "play(tile=any_good)"])


def test_a_stone_removed_at_the_end_of_the_turn_prevents_the_conflict() -> None:
    table = window(tiles="religion", houses="Spain5", stones={"Spain": "CCP"})
    after = play(table, "play(tile=religion)", "remove(stone=catholic, country=Spain)")
    assert stones(after, "Spain") == "CP"
    assert points(after) == [2, 10]


def test_a_stone_placed_at_the_end_of_the_turn_brings_the_conflict() -> None:
    table = window(tiles="religion", houses="Spain5", stones={"Spain": "CP"})
    after = play(table, "play(tile=religion)", "place(stone=catholic, country=Spain)")
    assert (stones(after, "Spain"), points(after)) == ("", [7, 10])


def test_before_the_loch_leven_dice_a_die_may_be_turned_to_one_and_becomes_free() -> None:
    me = seat(points=2, tiles="turn_die", prison="blue2")
    table = position(me, seat(), phase="window", point="start", half=1)
    table = play(table, "play(tile=turn_die)", "turn_down(die=blue)")
    # The last tile is gone: no window, the half begins, and the die that shows 1 is free.
    assert prison(table) == ""


# Three points for a die


def test_three_points_take_a_die_off_any_own_card() -> None:
    table = window(points=3, row=f"{GAIN}=white2", prison="brown2 orange5")
    assert free(table) == [f"pay(die={die})" for die in ("white", "orange", "brown", "black")]


def test_a_character_whose_die_is_bought_off_leaves_and_the_die_is_free() -> None:
    table = play(window(points=8, row=f"{GAIN}=white2"), "pay(die=white)")
    assert (points(table)[0], row(table), seat_of(table)["faces"]) == (5, "", [0] * 5)
    assert GAIN not in country_seen(table, country_of(GAIN))["unseen"]


def test_a_die_bought_off_loch_leven_is_free() -> None:
    table = play(window(points=8, prison="brown2 orange5"), "pay(die=brown)")
    assert (points(table)[0], prison(table)) == (5, "orange5")


def test_a_religion_die_bought_off_is_rolled() -> None:
    assert phase(play(window(points=3), "pay(die=black)")) == "roll_religion"


def test_with_two_points_no_die_is_bought_off() -> None:
    table = window(tiles="vp1", prison="brown2")
    assert refused(table, "pay(die=brown)")
    assert legal(table) == ["pass()"]


def test_dice_are_bought_off_as_often_as_one_can_pay() -> None:
    table = window(points=7, row=f"{GAIN}=white2", prison="brown2 orange5")
    table = play(table, "pay(die=brown)", "pay(die=white)")
    assert (points(table)[0], row(table), prison(table)) == (1, "", "orange5")


def test_free_dice_and_dice_of_others_are_not_bought_off() -> None:
    table = window(seat(prison="blue2"), points=9)
    assert refused(table, "pay(die=blue)")
    assert refused(table, "pay(die=white)")
