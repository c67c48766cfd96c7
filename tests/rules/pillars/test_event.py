"""The Pillars of the Earth: the event of the round, the bishop, and all ten events."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.pillars.position import (
    all_pass,
    go_on,
    goods,
    legal,
    look,
    outcomes,
    phase,
    play,
    position,
    refused,
    reveal,
    seat,
    seat_of,
)

NEGATIVE = ["E1", "E5", "E6", "E7", "E10"]
POSITIVE = ["E2", "E3", "E4", "E8", "E9"]
RECEIVE = ["receive(good=sand)", "receive(good=wood)", "receive(good=stone)"]
BISHOP = {"bishop1": 0}


# The card


def test_each_event_not_yet_seen_is_equally_likely() -> None:
    table = position(
        seat(), seat(), phase="reveal", round=3, unseen_events=["E1", "E2", *POSITIVE[1:], "E7", "E10"]
    )
    assert outcomes(table) == {f"reveal(event={card})": 1 for card in look(table)["unseen_events"]}


def test_the_first_event_is_any_of_ten_and_a_revealed_one_does_not_come_again() -> None:
    table = position(seat(), seat(), phase="reveal", round=1)
    assert list(outcomes(table)) == [f"reveal(event=E{number})" for number in range(1, 11)]
    after = go_on(play(table, "reveal(event=E5)"), ["reveal"])
    assert list(outcomes(after)) == [f"reveal(event=E{number})" for number in range(1, 11) if number != 5]


def test_the_event_is_turned_up_before_the_bishop_and_acts_after_him() -> None:
    table = reveal("E5", seat(points=7), seat(points=5), builders=BISHOP)
    assert phase(table) == "bishop"
    assert look(table)["event"] == "E5"
    assert [one["points"] for one in look(table)["seats"]] == [7, 5]
    assert [one["points"] for one in look(play(table, RECEIVE[0]))["seats"]] == [5, 3]


# The bishop


@pytest.mark.parametrize("event", NEGATIVE)
def test_at_a_negative_event_the_bishops_guest_chooses_protection_or_one_cube(event: str) -> None:
    assert legal(reveal(event, seat(), seat(), builders=BISHOP)) == ["protect()", *RECEIVE]


@pytest.mark.parametrize("event", POSITIVE)
def test_at_a_positive_event_he_takes_a_cube(event: str) -> None:
    assert legal(reveal(event, seat(), seat(), builders=BISHOP)) == RECEIVE


def test_at_a_positive_event_he_also_has_its_effect() -> None:
    after = play(reveal("E3", seat(), seat(), builders=BISHOP), "receive(good=wood)")
    assert goods(after, 0) == {"wood": 1, "metal": 1}
    assert goods(after, 1) == {"metal": 1}


@pytest.mark.parametrize(("good", "stock"), [("sand", [3, 4, 4]), ("wood", [4, 3, 4]), ("stone", [4, 4, 3])])
def test_the_bishops_cube_comes_out_of_the_market(good: str, stock: list[int]) -> None:
    after = play(reveal("E4", seat(), seat(), builders=BISHOP), f"receive(good={good})")
    assert goods(after) == {good: 1}
    assert look(after)["stock"] == stock


def test_who_takes_the_cube_suffers_the_event() -> None:
    after = play(reveal("E5", seat(points=9), seat(), builders=BISHOP), "receive(good=stone)")
    assert seat_of(after)["points"] == 7


def test_protection_is_for_the_bishops_guest_alone() -> None:
    after = play(reveal("E5", seat(points=9), seat(points=9), builders={"bishop1": 1}), "protect()")
    assert [one["points"] for one in look(after)["seats"]] == [7, 9]


def test_nobody_is_asked_when_nobody_is_at_the_bishops() -> None:
    assert phase(reveal("E5", seat(), seat())) == "roll"


def test_two_guests_decide_in_the_order_of_the_spaces() -> None:
    table = reveal("E5", seat(), seat(), builders={"bishop1": 1, "bishop2": 0}, bishop_spaces=2)
    assert table.current_player == 1
    table = play(table, "protect()")
    assert table.current_player == 0
    assert legal(table) == ["protect()", *RECEIVE]


def test_a_guest_on_both_spaces_may_take_protection_and_a_cube() -> None:
    both = {"bishop1": 0, "bishop2": 0}
    table = play(reveal("E5", seat(points=5), seat(), builders=both, bishop_spaces=2), "protect()")
    assert (table.current_player, legal(table)) == (0, RECEIVE)
    after = play(table, "receive(good=wood)")
    assert (seat_of(after)["points"], goods(after)) == (5, {"wood": 1})
    other_way = reveal("E5", seat(points=5), seat(), builders=both, bishop_spaces=2)
    assert play(other_way, "receive(good=wood)", "protect()") == after


def test_a_guest_on_both_spaces_may_take_two_cubes() -> None:
    both = {"bishop1": 0, "bishop2": 0}
    table = play(reveal("E3", seat(), seat(), builders=both, bishop_spaces=2), "receive(good=sand)")
    after = play(table, "receive(good=sand)")
    assert goods(after) == {"sand": 2, "metal": 1}
    assert look(after)["stock"] == [2, 4, 4]


# The card that protects once


@pytest.mark.parametrize("event", NEGATIVE)
def test_the_card_may_be_used_against_a_negative_event(event: str) -> None:
    table = reveal(event, seat(), seat(advantages="A11"))
    assert (phase(table), table.current_player) == ("protection", 1)
    assert legal(table) == ["use(advantage=A11)", "decline()"]
    used = play(table, "use(advantage=A11)")
    assert seat_of(used, 1)["advantages"] == []
    assert seat_of(used, 1)["protected"]
    kept = play(table, "decline()")
    assert seat_of(kept, 1)["advantages"] == ["A11"]
    assert not seat_of(kept, 1)["protected"]


@pytest.mark.parametrize("event", POSITIVE)
def test_the_card_is_not_asked_for_at_a_positive_event(event: str) -> None:
    assert phase(reveal(event, seat(advantages="A11"), seat())) == "roll"


def test_the_card_is_not_asked_for_under_the_bishops_protection() -> None:
    table = reveal("E5", seat(points=5, advantages="A11"), seat(), builders=BISHOP)
    after = play(table, "protect()")
    assert phase(after) == "roll"
    assert seat_of(after)["advantages"] == ["A11"]


def test_the_card_goes_together_with_the_bishops_cube() -> None:
    table = play(
        reveal("E5", seat(points=5, advantages="A11"), seat(), builders=BISHOP), "receive(good=sand)"
    )
    assert phase(table) == "protection"
    after = play(table, "use(advantage=A11)")
    assert (seat_of(after)["points"], goods(after)) == (5, {"sand": 1})


def test_the_card_is_asked_for_after_all_the_bishops_decisions() -> None:
    table = reveal("E5", seat(advantages="A11"), seat(), builders={"bishop1": 1})
    assert (phase(table), table.current_player) == ("bishop", 1)
    assert phase(play(table, "protect()")) == "protection"


def test_the_card_taken_in_this_round_does_not_undo_its_event() -> None:
    after = reveal("E5", seat(points=5), seat(), builders={"A11": 0})
    assert phase(after) == "roll"
    assert (seat_of(after)["points"], seat_of(after)["advantages"]) == (3, ["A11"])


# The ten events


def test_e1_each_resource_card_yields_one_less() -> None:
    after = reveal("E1", seat(quarries="sand2 wood3"), seat(quarries="stone4"))
    assert goods(after, 0) == {"sand": 1, "wood": 2}
    assert goods(after, 1) == {"stone": 3}


def test_e1_touches_cards_only_not_the_cubes_of_advantages() -> None:
    after = reveal("E1", seat(quarries="sand2", advantages="A1 A2"), seat(advantages="A3"), round=3)
    assert goods(after, 0) == {"sand": 1 + 1, "wood": 1}
    assert goods(after, 1) == {"stone": 1}


def test_e1_does_not_touch_a_protected_player() -> None:
    table = reveal("E1", seat(quarries="sand2 wood3"), seat(quarries="stone3"), builders=BISHOP)
    after = play(table, "protect()")
    assert goods(after, 0) == {"sand": 2, "wood": 3}
    assert goods(after, 1) == {"stone": 2}


def test_e2_each_resource_card_yields_one_more() -> None:
    after = reveal("E2", seat(quarries="sand2 wood3", advantages="A3"), seat(quarries="stone4"))
    assert goods(after, 0) == {"sand": 3, "wood": 4, "stone": 1}
    assert goods(after, 1) == {"stone": 5}


def test_e3_every_player_receives_one_metal() -> None:
    after = reveal("E3", seat(metal=2), seat())
    assert [goods(after, number)["metal"] for number in range(2)] == [3, 1]


def test_e4_every_player_receives_five_gold_up_to_thirty() -> None:
    # All twelve workers are on cards, so that the mill pays nothing: 2 + 10, and 7 + 5.
    after = reveal("E4", seat(gold=20, quarries="sand2 stone4"), seat(gold=27, quarries="sand4 stone2"))
    assert [one["gold"] for one in look(after)["seats"]] == [25, 30]


def test_e5_every_player_loses_two_points_but_never_falls_below_zero() -> None:
    after = reveal("E5", seat(points=7), seat(points=1), seat(points=0))
    assert [one["points"] for one in look(after)["seats"]] == [5, 0, 0]


IN_NO_MILL = "sand2 stone4"


def test_e6_every_player_loses_four_gold_and_what_is_missing_costs_nothing() -> None:
    after = reveal("E6", seat(gold=9, quarries=IN_NO_MILL), seat(gold=1, points=5, quarries="sand4 stone2"))
    assert [one["gold"] for one in look(after)["seats"]] == [5, 0]
    assert [one["points"] for one in look(after)["seats"]] == [2, 5]


def test_e6_acts_before_the_mill() -> None:
    # 3 gold, lose 4, then twelve workers earn 12.
    after = reveal("E6", seat(gold=3), seat())
    assert seat_of(after)["gold"] == 12


@pytest.mark.parametrize(("gold", "lost"), [(5, 0), (4, 0), (3, 0), (2, 1), (1, 1), (0, 2)])
def test_an_option_lets_e6_cost_a_point_for_every_full_two_gold_missing(gold: int, lost: int) -> None:
    hit = seat(gold=gold, points=5, quarries=IN_NO_MILL)
    after = reveal("E6", hit, seat(), event_shortfall=1)
    assert seat_of(after)["points"] == 5 - lost
    assert seat_of(reveal("E6", hit, seat()))["points"] == 5


def test_e7_each_player_from_the_start_player_on_gives_up_a_craftsman_of_his_choice() -> None:
    table = reveal("E7", seat(craftsmen="S1 1a"), seat(), seat(craftsmen="1c"), start_player=1)
    movers = []
    for card in ("S3", "1c", "S1"):
        movers.append(table.current_player)
        assert phase(table) == "roof"
        table = play(table, f"discard(craftsman={card})")
    assert movers == [1, 2, 0]
    assert [one["craftsmen"] for one in look(table)["seats"]] == [["1a"], ["S1", "S2"], []]


def test_e7_offers_all_craftsmen_of_the_player() -> None:
    table = reveal("E7", seat(craftsmen="S2 1a 1c"), seat())
    assert legal(table) == [f"discard(craftsman={card})" for card in ("S2", "1a", "1c")]


def test_e7_passes_over_who_is_protected_and_who_has_no_craftsman() -> None:
    table = reveal("E7", seat(), seat(craftsmen=""), seat(), builders=BISHOP)
    table = play(table, "protect()")
    assert table.current_player == 2
    assert phase(play(table, "discard(craftsman=S1)")) == "roll"


def test_e8_up_to_five_workers_in_the_mill_earn_double() -> None:
    # 3 workers: 6; 5 workers: 10; 12 workers: 17.
    table = reveal(
        "E8",
        seat(gold=0, quarries="wood2 wood3"),
        seat(gold=0, quarries="sand4"),
        seat(gold=0),
    )
    assert [one["gold"] for one in look(table)["seats"]] == [6, 10, 17]


def test_e8_pays_up_to_thirty() -> None:
    assert seat_of(reveal("E8", seat(gold=20), seat()))["gold"] == 30


def test_e9_adds_one_to_the_capacity_of_one_craftsman_in_the_building_of_this_round() -> None:
    # 5 stone and 4 from the quarry, and one more with A3.
    table = go_on(reveal("E9", seat(stone=5, quarries="stone4"), seat()), ["boost"])
    assert (phase(table), table.current_player) == ("boost", 0)
    table = play(table, "boost(craftsman=S3)")
    assert legal(table)[-1] == "work(craftsman=S3, quantity=4)"
    ten = go_on(reveal("E9", seat(stone=5, quarries="stone4", advantages="A3"), seat()), ["boost"])
    assert legal(play(ten, "boost(craftsman=S3)"))[-1] == "work(craftsman=S3, quantity=5)"


def second_round(*, protected: bool) -> State:
    """The second phase of the round after event E10, at which the first seat sat at the bishop's."""
    table = reveal("E10", seat(), seat(), builders=BISHOP)
    table = play(table, "protect()" if protected else "receive(good=sand)")
    return all_pass(go_on(table, ["cards"]))


def test_e10_leaves_every_player_two_builders_in_the_next_round() -> None:
    assert look(second_round(protected=False))["bag"] == [2, 2]


def test_e10_leaves_a_protected_player_three_builders() -> None:
    assert look(second_round(protected=True))["bag"] == [3, 2]


def test_e10_can_be_warded_off_with_the_card() -> None:
    table = play(reveal("E10", seat(), seat(advantages="A11")), "use(advantage=A11)")
    assert look(all_pass(go_on(table, ["cards"])))["bag"] == [2, 3]


def test_e10_acts_for_one_round() -> None:
    table = go_on(second_round(protected=False), ["cards"])
    assert look(table)["round"] == 4
    assert look(all_pass(table))["bag"] == [3, 3]


def test_in_the_last_round_e10_has_no_effect_but_can_be_warded_off() -> None:
    table = reveal("E10", seat(), seat(), builders=BISHOP, round=6)
    assert legal(table) == ["protect()", *RECEIVE]
    after = play(table, "receive(good=wood)")
    assert not any(one["two_builders"] for one in look(after)["seats"])


def test_a_protection_lasts_for_one_round() -> None:
    table = play(reveal("E5", seat(), seat(), builders=BISHOP), "protect()")
    assert seat_of(table)["protected"]
    assert not seat_of(go_on(table, ["cards"]))["protected"]


def test_there_is_no_protection_to_be_had_elsewhere() -> None:
    table = reveal("E5", seat(), seat())
    assert refused(table, "protect()")
