"""The Builders: sending workers and machines."""

from tests.rules.builders.position import legal, look, pass_turn, play, position, refused, seat


def send(worker: str, site: str) -> str:
    return f"send(worker={worker}, site={site})"


def sends(actions: set[str]) -> set[str]:
    return {action for action in actions if action.startswith("send")}


def test_sending_a_worker_costs_one_action_and_his_wage() -> None:
    wages = {"W01": 2, "W07": 3, "W21": 4, "W42": 5}
    for worker, wage in wages.items():
        before = position(seat(coins=9, idle=worker, sites={"B34": ""}), seat())
        after = look(play(before, send(worker, "B34")))
        assert after["actions"] == 2
        assert after["seats"][0]["coins"] == 9 - wage


def test_the_worker_leaves_the_hand_and_lies_at_the_site() -> None:
    after = look(play(position(seat(idle="W01 W21", sites={"B34": ""}), seat()), send("W21", "B34")))
    assert after["seats"][0]["idle"] == ["W01"]
    # The Cathedral needs 5/4/4/4; the craftsman supplies 0/0/1/3.
    assert after["seats"][0]["sites"] == [
        {"site": "B34", "workers": ["W21"], "sent": 1, "missing": [5, 4, 3, 1]}
    ]


def test_only_an_idle_worker_of_ones_own_can_be_sent() -> None:
    mine = seat(coins=50, idle="W01", sites={"B34": "W07"})
    yours = seat(idle="W02", sites={"B33": "W08"})
    before = position(mine, yours, workers="W09")
    assert sends(legal(before)) == {send("W01", "B34")}
    for worker in ("W02", "W07", "W08", "W09"):
        assert refused(before, send(worker, "B34"))


def test_only_an_open_site_of_ones_own_takes_workers() -> None:
    mine = seat(idle="W01", sites={"B34": ""}, completed="B01")
    before = position(mine, seat(sites={"B33": ""}), buildings="B02", building_top="B03")
    for site in ("B33", "B01", "B02", "B03", "B30"):
        assert refused(before, send("W01", site))


def test_the_wage_must_be_in_hand_before_the_worker_is_sent() -> None:
    assert refused(position(seat(coins=3, idle="W01 W21", sites={"B34": ""}), seat()), send("W21", "B34"))
    assert send("W21", "B34") in legal(position(seat(coins=4, idle="W01 W21", sites={"B34": ""}), seat()))


def test_the_wage_must_be_in_hand_even_if_the_worker_completes_the_site() -> None:
    mine = seat(coins=3, idle="W01 W21", sites={"B31": "W38 W27"})
    assert refused(position(mine, seat()), send("W21", "B31"))


def test_a_second_worker_to_one_site_in_a_turn_costs_two_actions() -> None:
    before = position(seat(coins=50, idle="W01 W02", sites={"B34": ""}), seat(idle="W03"))
    assert look(play(before, send("W01", "B34"), send("W02", "B34")))["actions"] == 0


def test_three_workers_to_one_site_in_a_turn_cost_six_actions() -> None:
    before = position(seat(coins=50, idle="W01 W02 W04", sites={"B34": ""}), seat(idle="W03"), actions=6)
    after = play(before, send("W01", "B34"), send("W02", "B34"), send("W04", "B34"))
    assert look(after)["actions"] == 0
    assert look(after)["seats"][0]["sites"][0]["sent"] == 3


def test_four_workers_to_one_site_in_a_turn_cost_ten_actions() -> None:
    before = position(seat(coins=50, idle="W01 W02 W04 W07", sites={"B34": ""}), seat(idle="W03"), actions=10)
    three = play(before, send("W01", "B34"), send("W02", "B34"), send("W04", "B34"))
    assert look(three)["actions"] == 4
    after = look(play(three, send("W07", "B34")))
    assert after["actions"] == 0
    assert after["seats"][0]["sites"][0]["sent"] == 4


def test_a_fifth_worker_to_one_site_in_a_turn_costs_five_actions() -> None:
    mine = seat(coins=50, idle="W21", sites={"B34": "W01 W02 W04 W05"}, sent={"B34": 4})
    assert refused(position(mine, seat(), actions=4), send("W21", "B34"))
    assert look(play(position(mine, seat(), actions=6), send("W21", "B34")))["actions"] == 1


def test_a_worker_cannot_be_sent_with_too_few_actions_left() -> None:
    mine = seat(coins=50, idle="W01 W02 W04", sites={"B34": ""})
    before = position(mine, seat(idle="W03"), actions=2)
    once = play(before, send("W01", "B34"))
    assert sends(legal(once)) == set()
    assert refused(once, send("W02", "B34"))
    assert sends(legal(play(once, "buy()"))) == {send("W02", "B34"), send("W04", "B34")}


def test_workers_of_earlier_turns_do_not_count() -> None:
    mine = seat(coins=50, idle="W21", sites={"B34": "W01 W02 W04"})
    assert look(play(position(mine, seat()), send("W21", "B34")))["actions"] == 2


def test_the_count_of_workers_sent_begins_anew_each_turn() -> None:
    before = position(seat(coins=50, idle="W01 W02", sites={"B34": ""}), seat(), actions=1)
    sent = play(before, send("W01", "B34"))
    assert look(sent)["seats"][0]["sites"][0]["sent"] == 1
    ended = play(sent, "end()")
    assert look(ended)["seats"][0]["sites"][0]["sent"] == 0
    again = pass_turn(ended)
    assert look(play(again, send("W02", "B34")))["actions"] == 2


def test_different_sites_count_separately() -> None:
    before = position(seat(coins=50, idle="W01 W02 W04", sites={"B33": "", "B34": ""}), seat(idle="W03"))
    two = play(before, send("W01", "B33"), send("W02", "B34"))
    assert look(two)["actions"] == 1
    assert [site["sent"] for site in look(two)["seats"][0]["sites"]] == [1, 1]
    assert refused(two, send("W04", "B33"))


def test_a_worker_on_an_unfinished_site_cannot_be_moved_or_taken_back() -> None:
    before = position(seat(coins=50, idle="", sites={"B33": "W01", "B34": ""}), seat())
    assert sends(legal(before)) == set()
    assert refused(before, send("W01", "B34"))


def test_a_worker_may_be_sent_twice_in_a_turn_if_his_site_is_completed_between() -> None:
    # The Bower needs stone 1 and tile 1, which is the apprentice.
    before = position(seat(coins=2, idle="W03", sites={"B01": "", "B34": ""}), seat())
    completed = play(before, send("W03", "B01"))
    assert look(completed)["seats"][0]["coins"] == 2 - 2 + 8
    again = look(play(completed, send("W03", "B34")))
    assert again["seats"][0]["coins"] == 8 - 2
    assert again["actions"] == 1
    assert again["seats"][0]["sites"] == [
        {"site": "B34", "workers": ["W03"], "sent": 1, "missing": [4, 4, 4, 3]}
    ]


def test_a_machine_is_sent_without_wage() -> None:
    before = position(seat(coins=0, idle="W01 M05", sites={"B34": ""}, completed="M05"), seat())
    assert sends(legal(before)) == {send("M05", "B34")}
    after = look(play(before, send("M05", "B34")))
    assert after["seats"][0]["coins"] == 0
    assert after["seats"][0]["sites"][0]["missing"] == [2, 4, 4, 4]


def test_a_machine_costs_as_many_actions_as_a_worker_and_counts_as_one() -> None:
    mine = seat(coins=50, idle="W01 M05 M06", sites={"B34": ""}, completed="M05 M06")
    before = position(mine, seat(), actions=6)
    first = play(before, send("M05", "B34"))
    assert look(first)["actions"] == 5
    second = play(first, send("M06", "B34"))
    assert look(second)["actions"] == 3
    third = play(second, send("W01", "B34"))
    assert look(third)["actions"] == 0


def test_a_worker_who_adds_nothing_may_be_sent() -> None:
    # The Wooden Shack lacks only knowledge; the labourer brings wood 2 and tile 1.
    before = position(seat(idle="W07", sites={"B02": "W04"}), seat())
    after = look(play(before, send("W07", "B02")))
    assert after["seats"][0]["sites"] == [
        {"site": "B02", "workers": ["W04", "W07"], "sent": 1, "missing": [0, 0, 1, 0]}
    ]


def test_workers_with_one_face_are_sent_one_after_the_other() -> None:
    mine = seat(coins=50, idle="W01 W19 W19", sites={"B33": "", "B34": ""})
    once = play(position(mine, seat()), send("W19", "B34"))
    assert look(once)["seats"][0]["idle"] == ["W01", "W19"]
    twice = play(once, send("W19", "B33"))
    assert look(twice)["seats"][0]["idle"] == ["W01"]
    assert [site["workers"] for site in look(twice)["seats"][0]["sites"]] == [["W19"], ["W19"]]


def test_workers_with_one_face_work_on_the_sites_of_two_players() -> None:
    before = position(
        seat(idle="W01", sites={"B34": "W19"}), seat(idle="W02 W19", sites={"B33": ""}), mover=1, actions=1
    )
    sent = look(play(before, send("W19", "B33")))
    # Cathedral 5/4/4/4 and Castle 5/3/5/3, each with a craftsman of 1/1/1/1 on it.
    assert sent["seats"][0]["sites"] == [
        {"site": "B34", "workers": ["W19"], "sent": 0, "missing": [4, 3, 3, 3]}
    ]
    assert sent["seats"][1]["sites"] == [
        {"site": "B33", "workers": ["W19"], "sent": 1, "missing": [4, 2, 4, 2]}
    ]


def test_workers_with_one_face_may_both_work_on_one_site() -> None:
    before = position(seat(coins=20, idle="W01 W19 W19", sites={"B34": ""}), seat())
    after = look(play(before, send("W19", "B34"), send("W19", "B34")))
    assert after["actions"] == 0
    assert after["seats"][0]["sites"] == [
        {"site": "B34", "workers": ["W19", "W19"], "sent": 2, "missing": [3, 2, 2, 2]}
    ]


def test_of_two_workers_with_one_face_only_those_on_the_completed_site_come_back() -> None:
    # The Bower needs stone 1 and tile 1.
    mine = seat(idle="W01 W19", sites={"B01": "", "B34": "W19"})
    after = look(play(position(mine, seat()), send("W19", "B01")))["seats"][0]
    assert after["completed"] == ["B01"]
    assert after["idle"] == ["W01", "W19"]
    assert after["sites"] == [{"site": "B34", "workers": ["W19"], "sent": 0, "missing": [4, 3, 3, 3]}]
