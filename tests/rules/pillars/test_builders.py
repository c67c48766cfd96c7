"""The Pillars of the Earth: the second phase, in which builders are drawn, paid for and placed."""

import pytest

from kingsbridge.pyengine import CHANCE
from tests.rules.pillars.position import (
    all_pass,
    builders,
    deal,
    draw,
    go_on,
    legal,
    look,
    outcomes,
    phase,
    play,
    position,
    refused,
    seat,
    seat_of,
)

COURT = ["court1", "court2", "court3", "court4"]


# The bag


def test_each_builder_in_the_bag_is_equally_likely_to_be_drawn() -> None:
    table = all_pass(deal(3))
    assert outcomes(table) == {f"draw(round=1, seat={number})": 3 for number in range(3)}
    table = builders(table, "1 court1", "1 pass")
    assert outcomes(table) == {
        "draw(round=1, seat=0)": 3,
        "draw(round=1, seat=1)": 1,
        "draw(round=1, seat=2)": 3,
    }
    table = builders(table, "1 pass")
    assert outcomes(table) == {"draw(round=1, seat=0)": 3, "draw(round=1, seat=2)": 3}


@pytest.mark.parametrize(("players", "draws"), [(2, 6), (3, 9), (4, 12)])
def test_all_builders_are_drawn_once(players: int, draws: int) -> None:
    table, count = all_pass(deal(players)), 0
    while phase(table) == "draw":
        table, count = play(table, next(iter(outcomes(table)))), count + 1
        if phase(table) == "refuse":
            table = play(table, "accept()")
        table = play(table, "pass()" if "pass()" in legal(table) else legal(table)[0])
    assert count == draws


# The cost


def test_the_cost_falls_from_seven_to_one_and_the_eighth_builder_and_later_ones_are_free() -> None:
    table = all_pass(deal(4))
    paid, spaces = [], ["bishop1", "priory1", "priory2", *COURT, "castle1", "market1", "market2", "market3"]
    for number, space in enumerate([*spaces, "market4"]):
        owner = number % 4
        before = seat_of(table, owner)["gold"]
        table = builders(table, f"{owner} {space}")
        # After the last builder the event is turned up, which is chance: no gold has moved yet.
        paid.append(before - seat_of(table, owner)["gold"])
    assert paid == [7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0]


def test_the_cost_falls_by_one_for_a_builder_passed_as_for_one_placed() -> None:
    table = builders(all_pass(deal(4)), "0 pass", "1 pass", "2 court1", "3 pass")
    # The fifth builder costs 3.
    assert seat_of(builders(table, "0 bishop1"), 0)["gold"] == 20 - 3
    assert seat_of(table, 2)["gold"] == 22 - 5


def test_passing_is_free_and_puts_the_builder_on_the_dial_at_the_cost() -> None:
    table = builders(all_pass(deal(4)), "3 pass", "1 court1", "0 pass")
    assert look(table)["dial"] == [{"cost": 7, "seat": 3}, {"cost": 5, "seat": 0}]
    assert [one["gold"] for one in look(table)["seats"]] == [20, 21 - 6, 22, 23]


def test_a_player_without_the_gold_must_pass() -> None:
    table = position(seat(gold=6), seat(), phase="builder", drawn=0)
    assert legal(table) == ["pass()"]
    exact = position(seat(gold=7), seat(), phase="builder", drawn=0)
    assert len(legal(exact)) == 1 + 10
    assert seat_of(play(exact, "place(space=start)"))["gold"] == 0


def test_from_the_eighth_builder_on_he_must_be_placed() -> None:
    table = builders(all_pass(deal(3)), *["0 pass", "1 pass", "2 pass", "0 pass", "1 pass", "2 pass"])
    seventh = play(draw(table, 0), "accept()")
    assert "pass()" in legal(seventh)
    eighth = play(draw(play(seventh, "pass()"), 1), "accept()")
    assert "pass()" not in legal(eighth)
    assert len(legal(eighth)) == 10
    penniless = position(
        seat(gold=0),
        seat(),
        seat(),
        phase="builder",
        builders={
            "court1": 0,
            "court2": 0,
            "court3": 1,
            "court4": 1,
            "priory1": 1,
            "priory2": 2,
            "castle1": 2,
        },
        drawn=0,
    )
    assert "pass()" not in legal(penniless)
    assert seat_of(play(penniless, "place(space=bishop1)"))["gold"] == 0


# The refusal


def test_the_start_player_is_asked_before_the_builders_owner_decides() -> None:
    table = draw(all_pass(deal(3, start=2)), 0)
    assert phase(table) == "refuse"
    assert table.current_player == 2
    assert legal(table) == ["accept()", "refuse()"]
    accepted = play(table, "accept()")
    assert (phase(accepted), accepted.current_player) == ("builder", 0)


def test_a_refused_builder_goes_back_into_the_bag_and_the_cost_stays() -> None:
    table = builders(all_pass(deal(3)), "1 court1")
    refused_one = play(draw(table, 2), "refuse()")
    assert refused_one.current_player == CHANCE
    assert outcomes(refused_one) == outcomes(table)
    after = draw(refused_one, 0)
    assert (phase(after), after.current_player) == ("builder", 0)
    # The second builder costs 6, refused or not.
    assert seat_of(play(after, "place(space=start)"), 0)["gold"] == 20 - 6


def test_the_same_colour_may_be_drawn_again_after_a_refusal() -> None:
    table = play(draw(all_pass(deal()), 1), "refuse()")
    assert outcomes(table) == {"draw(round=1, seat=0)": 3, "draw(round=1, seat=1)": 3}
    again = draw(table, 1)
    assert (phase(again), again.current_player) == ("builder", 1)
    assert look(again)["bag"] == [3, 2]


def test_the_start_player_may_refuse_once_a_round() -> None:
    table = play(draw(all_pass(deal(3)), 1), "refuse()")
    table = play(draw(table, 2), "pass()")
    assert phase(draw(table, 0)) == "builder"


def test_until_it_is_used_the_refusal_is_offered_at_every_draw_his_own_builders_included() -> None:
    table = builders(all_pass(deal(3)), "1 pass", "2 pass")
    own = draw(table, 0)
    assert (phase(own), own.current_player) == ("refuse", 0)
    later = builders(table, "0 pass", "1 pass", "2 pass", "0 pass", "1 pass")
    free = draw(later, 2)
    assert (phase(free), legal(free)) == ("refuse", ["accept()", "refuse()"])


def test_a_bag_of_one_colour_asks_for_no_refusal() -> None:
    table = builders(all_pass(deal()), "0 pass", "0 pass", "0 pass")
    assert phase(draw(table, 1)) == "builder"


def test_the_last_builder_of_his_colour_can_be_refused_while_others_are_in_the_bag() -> None:
    table = builders(all_pass(deal()), "0 pass", "0 pass", "1 pass", "1 pass")
    assert phase(draw(table, 0)) == "refuse"


def test_nobody_but_the_start_player_is_asked() -> None:
    table = draw(all_pass(deal(4, start=3)), 0)
    assert table.current_player == 3


def test_in_the_next_round_he_may_refuse_again_and_the_cost_is_seven_again() -> None:
    table = play(draw(all_pass(deal()), 1), "refuse()")
    table = all_pass(go_on(draw(table, 1), ["cards"]))
    assert look(table)["round"] == 2
    first = draw(table, 0)
    assert (phase(first), first.current_player) == ("refuse", 1)
    gold = seat_of(first)["gold"]
    assert seat_of(play(first, "accept()", "place(space=start)"))["gold"] == gold - 7


# The dial


def test_passed_builders_are_placed_for_nothing_from_the_highest_number_down() -> None:
    table = builders(all_pass(deal()), "1 pass", "0 court1", "1 pass", "0 pass", "0 court2", "1 court3")
    assert phase(table) == "dial"
    gold = [one["gold"] for one in look(table)["seats"]]
    movers = []
    for space in ("bishop1", "castle1", "start"):
        movers.append(table.current_player)
        assert "pass()" not in legal(table)
        table = play(table, f"place(space={space})")
    assert movers == [1, 1, 0]
    assert [one["gold"] for one in look(table)["seats"]] == gold == [20 - 6 - 3, 21 - 2]
    assert phase(table) == "reveal"


def test_with_two_players_the_passed_builders_follow_the_sixth_draw_at_no_cost() -> None:
    table = builders(all_pass(deal()), *["0 pass", "1 pass"] * 3)
    assert look(table)["dial"] == [{"cost": cost, "seat": cost % 2 ^ 1} for cost in (7, 6, 5, 4, 3, 2)]
    for mover in (0, 1, 0, 1, 0, 1):
        assert table.current_player == mover
        table = play(table, legal(table)[-1])
    assert [one["gold"] for one in look(table)["seats"]] == [20, 21]


# Spaces


def test_each_space_takes_one_builder() -> None:
    table = builders(all_pass(deal()), "0 bishop1", "1 castle1", "0 start")
    table = play(draw(table, 1), "accept()")
    for space in ("bishop1", "castle1", "start"):
        assert refused(table, f"place(space={space})")


def test_priory_and_court_are_filled_from_the_best_space() -> None:
    table = play(draw(all_pass(deal()), 0), "accept()")
    for space in ("priory2", "court2", "court3", "court4"):
        assert refused(table, f"place(space={space})")
    table = play(draw(play(table, "place(space=court1)"), 1), "accept()")
    assert "place(space=court2)" in legal(table)
    table = play(draw(play(table, "place(space=priory1)"), 0), "accept()")
    assert "place(space=priory2)" in legal(table)
    assert "place(space=priory1)" not in legal(table)


def test_one_player_may_hold_several_spaces_of_a_location() -> None:
    table = builders(all_pass(deal()), "0 A1", "0 A2", "1 1a", "1 1b", "1 priory1", "0 court1")
    assert look(table)["town_builders"] == [0, 0]
    assert look(table)["shiring_builders"] == [1, 1]


def test_there_are_four_spaces_at_court_and_at_the_market_two_at_the_priory() -> None:
    table = builders(all_pass(deal(4)), "0 priory1", "1 priory2", *[f"{n} pass" for n in (2, 3, 0, 1, 2)])
    table = builders(table, "0 court1", "1 court2", "2 court3", "3 court4")
    table = draw(table, 3)
    assert {action for action in legal(table) if "court" in action or "priory" in action} == set()


def test_the_lowest_free_space_of_the_market_is_taken() -> None:
    table = play(draw(all_pass(deal()), 0), "accept()")
    assert [action for action in legal(table) if "market" in action] == ["place(space=market1)"]
    table = play(draw(play(table, "place(space=market1)"), 1), "accept()")
    assert [action for action in legal(table) if "market" in action] == ["place(space=market2)"]


def test_an_option_lets_players_choose_among_the_spaces_of_the_market() -> None:
    table = play(draw(all_pass(deal(lowest_space=0)), 0), "accept()")
    assert [action for action in legal(table) if "market" in action] == [
        f"place(space=market{number})" for number in (1, 2, 3, 4)
    ]
    table = play(draw(play(table, "place(space=market3)"), 1), "accept()")
    assert [action for action in legal(table) if "market" in action] == [
        f"place(space=market{number})" for number in (1, 2, 4)
    ]


def test_options_open_a_second_space_at_the_bishops_and_at_the_castle() -> None:
    table = all_pass(deal(bishop_spaces=2, castle_spaces=2))
    table = builders(table, "0 bishop1", "0 castle1", "1 bishop2", "1 castle2")
    assert look(table)["builders"] == [
        {"space": "bishop1", "seat": 0},
        {"space": "bishop2", "seat": 1},
        {"space": "castle1", "seat": 0},
        {"space": "castle2", "seat": 1},
    ]


@pytest.mark.parametrize("spaces", [1, 2, 3, 4])
def test_an_option_sets_the_number_of_spaces_at_the_market(spaces: int) -> None:
    table = play(draw(all_pass(deal(market_spaces=spaces, lowest_space=0)), 0), "accept()")
    assert [action for action in legal(table) if "market" in action] == [
        f"place(space=market{number})" for number in range(1, spaces + 1)
    ]


# The card for a free builder


def test_the_card_for_a_free_builder_places_him_at_no_cost_and_is_discarded() -> None:
    table = position(seat(gold=6, advantages="A8"), seat(), phase="builder", drawn=0)
    assert legal(table) == ["pass()", "use(advantage=A8)"]
    used = play(table, "use(advantage=A8)")
    assert used.current_player == 0
    assert seat_of(used)["advantages"] == []
    assert look(used)["free"]
    assert "pass()" not in legal(used)
    assert len(legal(used)) == 10
    after = play(used, "place(space=start)")
    assert seat_of(after)["gold"] == 6
    # The next builder costs 6 all the same.
    assert "place(space=court1)" in legal(play(draw(after, 1), "accept()"))
    assert seat_of(play(draw(after, 1), "accept()", "place(space=court1)"), 1)["gold"] == 20 - 6


def test_the_card_is_offered_to_a_player_with_enough_gold_too() -> None:
    table = position(seat(gold=7, advantages="A8"), seat(), phase="builder", drawn=0)
    assert legal(table)[:2] == ["pass()", "use(advantage=A8)"]
    assert seat_of(play(table, "place(space=start)"))["advantages"] == ["A8"]


def test_the_card_is_not_offered_once_builders_are_free() -> None:
    placed = {"court1": 1, "court2": 1, "court3": 1, "court4": 2, "priory1": 2, "priory2": 2, "castle1": 0}
    table = position(seat(advantages="A8"), seat(), seat(), phase="builder", builders=placed, drawn=0)
    assert look(table)["dealt"] == 7
    assert "use(advantage=A8)" not in legal(table)


def test_only_its_owner_may_use_the_card() -> None:
    table = position(seat(), seat(advantages="A8"), phase="builder", drawn=0)
    assert refused(table, "use(advantage=A8)")


# Two builders


def test_players_hit_by_the_event_have_two_builders_and_the_others_three() -> None:
    table = position(seat(two_builders=True), seat(), phase="cards")
    table = all_pass(table)
    assert look(table)["bag"] == [2, 3]
    assert not any(one["two_builders"] for one in look(table)["seats"])


def test_with_two_builders_each_of_two_players_four_are_drawn() -> None:
    table = all_pass(position(seat(two_builders=True), seat(two_builders=True), phase="cards"))
    table = builders(table, "0 pass", "1 pass", "0 pass", "1 pass")
    assert phase(table) == "dial"
    assert [one["cost"] for one in look(table)["dial"]] == [7, 6, 5, 4]
