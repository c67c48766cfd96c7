"""The Builders: the actions of a turn, but for sending workers."""

from tests.rules.builders.position import legal, look, pass_turn, play, position, refused, seat, settle


def coins(actions: int) -> str:
    return f"coins(actions={actions})"


# Opening a site


def test_opening_a_site_costs_one_action_and_no_coins() -> None:
    after = look(play(position(seat(), seat(), buildings="B31"), "open(site=B31)"))
    assert after["actions"] == 2
    assert after["seats"][0]["coins"] == 10
    assert after["seats"][0]["sites"] == [{"site": "B31", "workers": [], "sent": 0, "missing": [3, 2, 2, 3]}]


def test_the_visible_top_card_fills_the_gap_in_the_row_at_once() -> None:
    before = position(seat(), seat(), buildings="B01 B02 B03 B04 B31", building_top="B34")
    after = look(play(before, "open(site=B31)"))
    assert after["building_row"] == ["B01", "B02", "B03", "B04", "B34"]


def test_the_next_card_of_the_deck_then_shows_by_chance() -> None:
    before = position(seat(), seat(), buildings="B01 B02 B03 B04 B31", building_top="B34")
    opened = play(before, "open(site=B31)")
    assert opened.is_chance
    after = look(play(opened, "reveal_site(site=M05)"))
    assert after["building_top"] == "M05"
    assert after["building_row"] == ["B01", "B02", "B03", "B04", "B34"]


def test_the_card_that_filled_the_gap_can_be_opened_in_the_same_turn() -> None:
    before = position(seat(), seat(), buildings="B01 B02 B03 B04 B31", building_top="B34")
    assert refused(before, "open(site=B34)")
    after = play(before, "open(site=B31)", "reveal_site(site=M05)", "open(site=B34)")
    assert [site["site"] for site in look(after)["seats"][0]["sites"]] == ["B31", "B34"]


def test_any_number_of_sites_may_lie_open() -> None:
    many = {f"B{number:02}": "" for number in range(1, 21)}
    before = position(seat(sites=many), seat(), buildings="B31 B32 B33 B34 M01")
    after = before
    for site in ("B31", "B32", "B33"):
        after = settle(play(after, f"open(site={site})"))
    assert len(look(after)["seats"][0]["sites"]) == 23


def test_a_machine_is_opened_like_any_building() -> None:
    after = look(play(position(seat(), seat(), buildings="M05"), "open(site=M05)"))
    assert after["seats"][0]["sites"] == [{"site": "M05", "workers": [], "sent": 0, "missing": [0, 2, 1, 0]}]


# Recruiting


def test_recruiting_costs_one_action_and_no_coins() -> None:
    after = look(play(position(seat(idle="W01"), seat(), workers="W21"), "recruit(worker=W21)"))
    assert after["actions"] == 2
    assert after["seats"][0]["coins"] == 10
    assert after["seats"][0]["idle"] == ["W01", "W21"]


def test_the_visible_top_worker_fills_the_gap_and_the_next_shows_by_chance() -> None:
    before = position(seat(), seat(), workers="W11 W12 W13 W14 W21", worker_top="W42")
    recruited = play(before, "recruit(worker=W21)")
    assert look(recruited)["worker_row"] == ["W11", "W12", "W13", "W14", "W42"]
    assert recruited.is_chance
    assert look(play(recruited, "reveal_worker(worker=W20)"))["worker_top"] == "W20"


def test_any_number_of_workers_may_be_recruited() -> None:
    many = " ".join(f"W{number:02}" for number in range(7, 27))
    after = position(seat(idle=f"W01 {many}"), seat(idle="W02"), workers="W31 W32 W33 W34 W35")
    for worker in ("W31", "W32", "W33"):
        after = settle(play(after, f"recruit(worker={worker})"))
    assert len(look(after)["seats"][0]["idle"]) == 24


def test_the_two_workers_with_one_face_are_recruited_one_after_the_other() -> None:
    before = position(seat(idle="W01"), seat(), workers="W19 W19 W31 W32 W33")
    assert legal(before) >= {"recruit(worker=W19)"}
    once = settle(play(before, "recruit(worker=W19)"))
    assert look(once)["worker_row"].count("W19") == 1
    twice = settle(play(once, "recruit(worker=W19)"))
    assert look(twice)["seats"][0]["idle"] == ["W01", "W19", "W19"]
    assert refused(twice, "recruit(worker=W19)")


# Earning coins


def test_one_two_and_three_actions_earn_one_three_and_six_coins() -> None:
    before = position(seat(coins=0), seat())
    earned = [look(play(before, coins(actions)))["seats"][0]["coins"] for actions in (1, 2, 3)]
    left = [look(play(before, coins(actions)))["actions"] for actions in (1, 2, 3)]
    assert earned == [1, 3, 6]
    assert left == [2, 1, 0]


def test_no_more_actions_can_be_sold_than_are_left() -> None:
    before = position(seat(), seat(), actions=2)
    assert refused(before, coins(3))
    assert legal(before) >= {coins(1), coins(2)}
    assert not any(action.startswith("coins") for action in legal(position(seat(), seat(), actions=0)))


def test_one_exchange_takes_three_actions_at_most() -> None:
    before = position(seat(coins=5), seat())
    four = play(before, "buy()")
    assert look(four)["actions"] == 4
    assert {action for action in legal(four) if action.startswith("coins")} == {coins(1), coins(2), coins(3)}


def test_each_exchange_stands_alone() -> None:
    before = position(seat(coins=0), seat())
    assert look(play(before, coins(1), coins(1)))["seats"][0]["coins"] == 2
    assert look(play(before, coins(1), coins(2)))["seats"][0]["coins"] == 4
    assert look(play(before, coins(2), coins(1)))["seats"][0]["coins"] == 4
    assert look(play(before, coins(1), coins(1), coins(1)))["seats"][0]["coins"] == 3


def test_where_coins_are_cumulative_all_actions_sold_in_a_turn_count_together() -> None:
    before = position(seat(coins=0), seat(), cumulative_coins=1)
    assert look(play(before, coins(1), coins(1)))["seats"][0]["coins"] == 3
    assert look(play(before, coins(1), coins(2)))["seats"][0]["coins"] == 6
    assert look(play(before, coins(2), coins(1)))["seats"][0]["coins"] == 6
    assert look(play(before, coins(1), coins(1), coins(1)))["seats"][0]["coins"] == 6


def test_where_coins_are_cumulative_the_fourth_action_sold_pays_one_again() -> None:
    sold = play(position(seat(coins=5), seat(), cumulative_coins=1), "buy()", coins(3))
    assert look(sold)["seats"][0]["coins"] == 6
    assert look(play(sold, coins(1)))["seats"][0]["coins"] == 7
    apart = play(position(seat(coins=5), seat(), cumulative_coins=1), "buy()", coins(2), coins(2))
    assert look(apart)["seats"][0]["coins"] == 3 + 3 + 1


def test_where_coins_are_cumulative_the_count_begins_anew_each_turn() -> None:
    before = position(seat(coins=0), seat(coins=0), actions=2, cumulative_coins=1)
    other = play(before, coins(2), "end()")
    assert look(other)["coins_sold"] == 0
    assert look(play(other, coins(1)))["seats"][1]["coins"] == 1


def test_where_coins_are_cumulative_the_count_outlasts_what_is_done_between() -> None:
    before = position(seat(coins=0), seat(), cumulative_coins=1, buildings="B31")
    between = settle(play(before, coins(1), "open(site=B31)"))
    assert look(between)["coins_sold"] == 1
    assert look(play(between, coins(1)))["seats"][0]["coins"] == 1 + 2


# Buying actions


def test_a_further_action_costs_five_coins() -> None:
    after = look(play(position(seat(coins=12), seat()), "buy()"))
    assert after["actions"] == 4
    assert after["seats"][0]["coins"] == 7


def test_four_coins_buy_no_action() -> None:
    assert refused(position(seat(coins=4), seat()), "buy()")
    assert "buy()" in legal(position(seat(coins=5), seat()))


def test_any_number_of_actions_may_be_bought() -> None:
    after = play(position(seat(coins=103), seat()), *["buy()"] * 20)
    assert look(after)["actions"] == 23
    assert look(after)["seats"][0]["coins"] == 3
    assert refused(after, "buy()")


def test_actions_may_be_bought_before_between_and_after_the_others() -> None:
    turn = ["buy()", "open(site=B31)", "buy()", "coins(actions=3)", "coins(actions=1)"]
    before = position(seat(coins=30), seat(), buildings="B31")
    after = before
    for action in turn:
        after = settle(play(after, action))
    assert look(after)["actions"] == 0
    after = play(after, "buy()")
    assert look(after)["actions"] == 1
    assert look(after)["seats"][0]["coins"] == 30 - 5 - 5 + 6 + 1 - 5


def test_a_bought_action_may_be_sold_again() -> None:
    after = play(position(seat(coins=5), seat(), actions=0), "buy()", coins(1))
    assert look(after)["seats"][0]["coins"] == 1


# The end of a turn


def test_a_turn_ends_only_when_no_action_is_left() -> None:
    for actions in (1, 2, 3):
        assert refused(position(seat(), seat(), actions=actions), "end()")
    assert "end()" in legal(position(seat(), seat(), actions=0))


def test_with_no_action_and_less_than_five_coins_only_the_end_of_the_turn_is_left() -> None:
    poor = position(seat(coins=4, idle="W01", sites={"B01": ""}), seat(), actions=0)
    assert legal(poor) == {"end()"}


def test_with_no_action_and_five_coins_the_turn_ends_or_an_action_is_bought() -> None:
    assert legal(position(seat(coins=5), seat(), actions=0)) == {"buy()", "end()"}


def test_all_kinds_of_actions_stand_open_in_a_turn() -> None:
    before = position(
        seat(idle="W01", sites={"B31": ""}),
        seat(),
        buildings="B01 B02 B03 B04 B05",
        workers="W07 W08 W09 W10 W11",
    )
    opens = {f"open(site=B0{number})" for number in range(1, 6)}
    recruits = {f"recruit(worker=W{number:02})" for number in range(7, 12)}
    rest = {"send(worker=W01, site=B31)", coins(1), coins(2), coins(3), "buy()"}
    assert legal(before) == opens | recruits | rest


def test_actions_come_in_any_order() -> None:
    before = position(seat(idle="W01", sites={"B31": ""}), seat(), buildings="B01", workers="W07")
    turn = ("open(site=B01)", "recruit(worker=W07)", "send(worker=W01, site=B31)")
    ends = []
    for first, second, third in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        after = before
        for action in (turn[first], turn[second], turn[third]):
            after = settle(play(after, action))
        ends.append(after)
    assert ends[0] == ends[1] == ends[2]


def test_the_next_player_clockwise_has_three_actions() -> None:
    after = play(position(seat(), seat(), seat(), actions=0), "end()")
    assert after.current_player == 1
    assert look(after)["actions"] == 3


def test_after_the_last_seat_comes_seat_0() -> None:
    after = play(position(seat(), seat(), seat(), mover=2, start_player=1, actions=0), "end()")
    assert after.current_player == 0
    assert look(after)["round"] == 20


def test_a_round_is_over_when_the_turn_comes_back_to_the_start_player() -> None:
    next_round = pass_turn(pass_turn(position(seat(), seat(), round=2)))
    assert next_round.current_player == 0
    assert look(next_round)["round"] == 3
