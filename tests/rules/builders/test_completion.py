"""The Builders: completed buildings and machines."""

from tests.rules.builders.position import legal, look, play, position, seat

# The Chapel (18 coins, 5 points) needs 3/2/2/3. A master with 3/2/0/0 and an apprentice with 0/0/1/1 lie on
# it already: it lacks knowledge 1 and tile 2, and the craftsman of the rule book's example brings 0/0/1/3.
CHAPEL = {"B31": "W05 W38"}


def send(worker: str, site: str) -> str:
    return f"send(worker={worker}, site={site})"


def test_the_craftsman_of_the_example_is_paid_four_and_the_chapel_pays_eighteen_coins_and_five_points() -> (
    None
):
    after = look(play(position(seat(coins=4, idle="W21", sites=CHAPEL), seat()), send("W21", "B31")))
    mine = after["seats"][0]
    assert after["actions"] == 2
    assert mine["coins"] == 4 - 4 + 18
    assert mine["points"] == 5
    assert mine["completed"] == ["B31"]
    assert mine["sites"] == []


def test_all_workers_on_a_completed_site_are_idle_again() -> None:
    after = look(play(position(seat(idle="W01 W21", sites=CHAPEL), seat()), send("W21", "B31")))
    assert after["seats"][0]["idle"] == ["W01", "W05", "W21", "W38"]


def test_workers_freed_by_a_completed_site_may_be_sent_in_the_same_turn() -> None:
    mine = seat(idle="W21", sites=CHAPEL | {"B34": ""})
    completed = play(position(mine, seat()), send("W21", "B31"))
    assert {action for action in legal(completed) if action.startswith("send")} == {
        send(worker, "B34") for worker in ("W05", "W21", "W38")
    }


def test_coins_of_a_completed_site_can_be_spent_at_once() -> None:
    before = position(seat(coins=4, idle="W21", sites=CHAPEL), seat())
    assert "buy()" not in legal(before)
    bought = look(play(before, send("W21", "B31"), "buy()", "buy()", "buy()"))
    assert bought["seats"][0]["coins"] == 18 - 15
    assert bought["actions"] == 2 + 3


def test_a_site_short_of_a_single_resource_is_not_completed() -> None:
    # The labourer brings 0/0/2/1: one tile is still lacking.
    after = look(play(position(seat(coins=9, idle="W15", sites=CHAPEL), seat()), send("W15", "B31")))
    mine = after["seats"][0]
    assert mine["completed"] == []
    assert mine["points"] == 0
    assert mine["coins"] == 9 - 3
    assert mine["sites"] == [
        {"site": "B31", "workers": ["W05", "W15", "W38"], "sent": 1, "missing": [0, 0, 0, 1]}
    ]


def test_a_surplus_of_one_resource_does_not_make_up_for_another() -> None:
    # The Bower needs stone 1 and tile 1; a master brings stone 3 and wood 2.
    after = look(play(position(seat(idle="W38", sites={"B01": ""}), seat()), send("W38", "B01")))
    assert after["seats"][0]["sites"][0]["missing"] == [0, 0, 0, 1]


def test_a_site_may_be_given_more_than_it_needs_and_the_rest_is_lost() -> None:
    # The Bower needs stone 1 and tile 1; a master brings stone 3 and tile 2.
    mine = seat(coins=5, idle="W35", sites={"B01": "", "B34": ""})
    after = look(play(position(mine, seat()), send("W35", "B01")))["seats"][0]
    assert after["completed"] == ["B01"]
    assert after["coins"] == 5 - 5 + 8
    assert after["sites"] == [{"site": "B34", "workers": [], "sent": 0, "missing": [5, 4, 4, 4]}]


def test_completion_is_no_action_and_cannot_be_put_off() -> None:
    after = play(position(seat(coins=4, idle="W21", sites=CHAPEL), seat()), send("W21", "B31"))
    assert after.current_player == 0
    assert {action.split("(")[0] for action in legal(after)} == {"open", "recruit", "coins", "buy"}


def test_a_building_without_points_pays_its_coins() -> None:
    after = look(play(position(seat(coins=2, idle="W02", sites={"B02": ""}), seat()), send("W02", "B02")))
    assert after["seats"][0]["points"] == 0
    assert after["seats"][0]["coins"] == 8


def test_a_machine_gives_points_and_no_coins() -> None:
    # The large crane needs wood 2 and knowledge 1, which is the labourer.
    after = look(play(position(seat(coins=3, idle="W14", sites={"M05": ""}), seat()), send("W14", "M05")))
    assert after["seats"][0]["coins"] == 0
    assert after["seats"][0]["points"] == 2
    assert after["seats"][0]["completed"] == ["M05"]


def test_a_machine_joins_the_team_in_the_turn_it_is_completed() -> None:
    # The crane then brings the Stone Bridge stone 3 of 2; the apprentice has brought knowledge 1 before.
    mine = seat(coins=3, idle="W14", sites={"M05": "", "B05": "W02"})
    completed = play(position(mine, seat()), send("W14", "M05"))
    assert look(completed)["seats"][0]["idle"] == ["W14", "M05"]
    after = look(play(completed, send("M05", "B05")))
    assert after["actions"] == 1
    assert after["seats"][0]["coins"] == 0 + 6
    assert after["seats"][0]["points"] == 2 + 1
    assert after["seats"][0]["idle"] == ["W02", "W14", "M05"]


def test_a_machine_makes_what_is_printed_on_it() -> None:
    missing = {
        "M01": [3, 4, 4, 4],
        "M02": [5, 2, 4, 4],
        "M03": [5, 4, 2, 4],
        "M04": [5, 4, 4, 2],
        "M05": [2, 4, 4, 4],
        "M06": [5, 1, 4, 4],
        "M07": [5, 4, 1, 4],
        "M08": [5, 4, 4, 1],
    }
    for machine, left in missing.items():
        before = position(seat(idle=f"W01 {machine}", sites={"B34": ""}, completed=machine), seat())
        assert look(play(before, send(machine, "B34")))["seats"][0]["sites"][0]["missing"] == left


def test_a_machine_helps_to_build_a_machine() -> None:
    # The large kiln needs stone 2 and wood 1: the crane brings the stone, the apprentice the wood.
    mine = seat(coins=2, idle="W02 M01", sites={"M08": ""}, completed="M01")
    crane = play(position(mine, seat()), send("M01", "M08"))
    after = look(play(crane, send("W02", "M08")))
    assert after["actions"] == 0
    assert after["seats"][0]["completed"] == ["M01", "M08"]
    assert after["seats"][0]["idle"] == ["W02", "M01", "M08"]
    assert after["seats"][0]["points"] == 1 + 2


def test_a_machine_on_a_completed_site_comes_back_like_a_worker() -> None:
    mine = seat(coins=2, idle="W02 W03", sites={"B05": "M01"}, completed="M01")
    after = look(play(position(mine, seat(idle="W04")), send("W02", "B05")))
    assert after["seats"][0]["idle"] == ["W02", "W03", "M01"]


def test_a_machine_that_stands_on_an_unfinished_site_still_counts_its_points() -> None:
    before = position(seat(idle="W01 M05", sites={"B34": ""}, completed="M05"), seat())
    after = play(before, send("M05", "B34"))
    assert look(after)["seats"][0]["points"] == 2
    assert after.scores() == (2 + 1, 1)


def test_a_site_completed_in_this_turn_frees_its_workers_for_another_at_the_price_of_that_site() -> None:
    # Two workers to the Chapel (1 + 2 actions), then the first to the Cathedral (1 action).
    mine = seat(coins=50, idle="W05 W21", sites={"B31": "W38", "B34": ""})
    before = position(mine, seat(), actions=4)
    after = play(before, send("W05", "B31"), send("W21", "B31"), send("W21", "B34"))
    assert look(after)["actions"] == 0
    assert look(after)["seats"][0]["completed"] == ["B31"]
    assert look(after)["seats"][0]["coins"] == 50 - 2 - 4 + 18 - 4
