"""The Builders: views from outside. Each broken rule is refused, with the field that breaks it."""

from collections.abc import Callable

import pytest

from kingsbridge.pyengine import InformationSet, Rng, State, ViewError
from tests.oracle.builders import in_order
from tests.rules.builders.position import View, look, seat, settle, view

Change = Callable[[View], object]


def table() -> View:
    """A position in which every field matters: seat 1 is in its turn, seat 0 has triggered the end."""
    return view(
        seat(coins=7, idle="W01 M05", completed="B34 B33 M05"),
        seat(coins=9, idle="W02 W19", sites={"B31": "W05 W38", "B32": ""}, sent={"B31": 1}, completed="B01"),
        seat(coins=4, idle="W03", sites={"B30": "W41"}),
        buildings="B02 B03 B04 M01 M02",
        workers="W07 W08 W09 W10 W19",
        building_top="B05",
        worker_top="W11",
        mover=1,
        actions=2,
        final_round=1,
        round=6,
    )


def changed(change: Change, base: View | None = None) -> View:
    position = base or table()
    change(position)
    return position


def put(**fields: object) -> Change:
    return lambda position: position.update(fields)


def put_seat(number: int, **fields: object) -> Change:
    return lambda position: position["seats"][number].update(fields)


def put_site(number: int, site: int, **fields: object) -> Change:
    return lambda position: position["seats"][number]["sites"][site].update(fields)


def drop(field: str) -> Change:
    return lambda position: position.pop(field)


def refusal(position: View) -> ViewError:
    with pytest.raises(ViewError) as caught:
        InformationSet.from_view("builders", position)
    return caught.value


def test_the_table_of_these_tests_is_accepted() -> None:
    assert InformationSet.from_view("builders", table()).view() == table()


def hide_tops(position: View) -> None:
    """Puts both tops back under their decks, as if both had just filled a row."""
    position["phase"] = "reveal"
    for top, deck in (("building_top", "unseen_buildings"), ("worker_top", "unseen_workers")):
        position[deck] = in_order([*position[deck], position[top]])
        position[top] = ""


def take_castle(position: View) -> None:
    """Leaves the first seat with 10 points, the rest of the table as it was."""
    position["seats"][0].update(completed=["B34", "M05"], points=10)
    position["unseen_buildings"] = in_order([*position["unseen_buildings"], "B33"])


def lay_sixth(position: View) -> None:
    position["unseen_buildings"].remove("B06")
    position["building_row"] = ["B02", "B03", "B04", "B06", "M01", "M02"]


def put_back(position: View) -> None:
    position["building_row"].remove("M02")
    position["unseen_buildings"] = in_order([*position["unseen_buildings"], "M02"])


def give_machine(position: View) -> None:
    position["seats"][0]["idle"] = ["W01"]
    position["seats"][2]["idle"] = ["W03", "M05"]


def finish(position: View) -> None:
    """Lays the craftsman who completes the Chapel beside it."""
    position["unseen_workers"].remove("W21")
    position["seats"][1]["sites"][0].update(workers=["W05", "W21", "W38"], missing=[0, 0, 0, 0])


BROKEN: dict[str, tuple[Change, str]] = {
    # Form
    "a field is missing": (drop("round"), "round"),
    "a seat lacks a field": (lambda position: position["seats"][0].pop("coins"), "seats[0].coins"),
    "a site lacks a field": (
        lambda position: position["seats"][1]["sites"][0].pop("sent"),
        "seats[1].sites[0].sent",
    ),
    "a field is unknown": (put(colour="red"), "colour"),
    "a seat has an unknown field": (put_seat(2, colour="red"), "seats[2].colour"),
    "a number is a text": (put(round="6"), "round"),
    "a number is a fraction": (put(round=6.5), "round"),
    "a number is nothing": (put(round=None), "round"),
    "a number is vast": (put(round=1 << 80), "round"),
    "a flag is a text": (put(final_round="yes"), "final_round"),
    "a text is a number": (put(phase=3), "phase"),
    "a list is a text": (put(building_row="B02"), "building_row"),
    "a list holds numbers": (put(building_row=[2, 3, 4, 5, 6]), "building_row"),
    "seats are no list": (put(seats={}), "seats"),
    "a seat is no record": (put(seats=[1, 2, 3]), "seats[0]"),
    "the phase is unknown": (put(phase="night"), "phase"),
    # Options and seats
    "there is one player": (
        lambda position: position.update(players=1, seats=position["seats"][:1]),
        "players",
    ),
    "there are five players": (lambda position: position.update(players=5, seats=[seat()] * 5), "seats"),
    "there are fewer seats than players": (put(players=4), "seats"),
    "there are more seats than players": (put(players=2), "seats"),
    "no round may be played": (put(max_rounds=0), "max_rounds"),
    "too many rounds may be played": (put(max_rounds=256), "max_rounds"),
    "the viewer has no seat": (put(viewer=3), "viewer"),
    "the viewer is less than a spectator": (put(viewer=-2), "viewer"),
    # The turn
    "the round is past the last": (put(round=41), "round"),
    "the start player has no seat": (put(start_player=3), "start_player"),
    "the mover has no seat": (put(mover=3), "mover"),
    "actions are negative": (put(actions=-1), "actions"),
    "sold actions are counted where each sale stands alone": (put(coins_sold=1), "coins_sold"),
    "three sold actions are counted as none": (put(cumulative_coins=True, coins_sold=3), "coins_sold"),
    "the last turns were not triggered": (take_castle, "final_round"),
    "seventeen points do not bring the last turns": (put(final_round=False), "final_round"),
    # Cards
    "a card is unknown": (put(building_top="B35"), "building_top"),
    "the second card of a face goes by its own name": (put(worker_top="W30"), "worker_top"),
    "a worker lies among the buildings": (put(building_top="W11"), "building_top"),
    "a building lies among the workers": (put(worker_top="B05"), "worker_top"),
    "a machine lies among the workers of the row": (
        put(worker_row=["W07", "W08", "W09", "W10", "M03"]),
        "worker_row",
    ),
    "a building exists twice": (put(building_top="B02"), "building_top"),
    "a worker exists twice": (put(worker_top="W07"), "unseen_workers"),
    "a face exists three times": (put(worker_top="W19"), "unseen_workers"),
    "a row has six cards": (lay_sixth, "building_row"),
    "a row is short though its deck is not": (put_back, "building_top"),
    "a top shows where tops are hidden": (put(visible_tops=False), "building_top"),
    "a card is lost": (lambda position: position["unseen_buildings"].pop(), "unseen_buildings"),
    "a worker is lost": (lambda position: position["unseen_workers"].pop(), "unseen_workers"),
    "both next cards wait to be shown": (hide_tops, "phase"),
    # What lies before a seat
    "coins are negative": (put_seat(0, coins=-1), "seats[0].coins"),
    "points are not those of the completed cards": (put_seat(0, points=18), "seats[0].points"),
    "a machine works that is not completed": (put_seat(2, idle=["W03", "M03"]), "seats[2].idle"),
    "a machine works for another seat": (give_machine, "seats[0].idle"),
    "a machine is idle twice": (put_seat(0, idle=["W01", "M05", "M05"]), "seats[0].idle"),
    "a completed machine is nowhere": (put_seat(0, idle=["W01"]), "seats[0].idle"),
    "what a site lacks is told wrongly": (put_site(1, 0, missing=[0, 0, 1, 1]), "seats[1].sites[0].missing"),
    "what a site lacks is told short": (put_site(1, 0, missing=[0, 0, 1]), "seats[1].sites[0].missing"),
    "more workers were sent than lie at a site": (put_site(1, 0, sent=3), "seats[1].sites"),
    "workers were sent out of turn": (put_site(2, 0, sent=1), "seats[2].sites"),
    "a finished site still lies open": (finish, "seats[1].sites"),
}


@pytest.mark.parametrize(("change", "field"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_view_is_refused_with_its_field(change: Change, field: str) -> None:
    error = refusal(changed(change))
    assert error.args[1] == field, error
    assert error.args[2]


# The phases


def opened_box() -> View:
    return look(State.initial("builders", 3, {}))


def finished() -> View:
    state = State.initial("builders", 2, {"max_rounds": 1})
    while not state.is_terminal:
        state.apply(([outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions())[-1])
    return look(state)


OUT_OF_PHASE: dict[str, tuple[View, Change, str]] = {
    "no round is played before the deal": (opened_box(), put(round=1), "round"),
    "nobody moves before the deal": (opened_box(), put(mover=1), "mover"),
    "nobody begins before it is drawn": (opened_box(), put(start_player=1), "start_player"),
    "there are no actions before the deal": (opened_box(), put(actions=3), "actions"),
    "there are ten coins before the deal": (opened_box(), put_seat(0, coins=11), "seats[0].coins"),
    "the last round is not before the first": (opened_box(), put(final_round=True), "final_round"),
    "the first turn is played in round 1": (view(seat(), seat()), put(round=0), "round"),
    "nobody moves after the end": (finished(), put(mover=1), "mover"),
    "there are no actions after the end": (finished(), put(actions=3), "actions"),
    "the game is over only after its last round": (finished(), put(max_rounds=2), "phase"),
}


@pytest.mark.parametrize(("base", "change", "field"), OUT_OF_PHASE.values(), ids=OUT_OF_PHASE.keys())
def test_a_view_that_does_not_fit_its_phase_is_refused(base: View, change: Change, field: str) -> None:
    assert InformationSet.from_view("builders", base).view() == base
    assert refusal(changed(change, base)).args[1] == field


# What is accepted


@pytest.mark.parametrize("viewer", [-1, 0, 1, 2])
def test_a_view_comes_back_as_it_was_sent(viewer: int) -> None:
    sent = table() | {"viewer": viewer}
    information = InformationSet.from_view("builders", sent)
    assert information.seat == viewer
    assert information.view() == sent
    assert information.imagine(Rng(3)).information_set(viewer).view() == sent


def test_each_step_of_the_deal_can_be_sent_as_a_view() -> None:
    state = State.initial("builders", 3, {})
    while state.is_chance:
        assert InformationSet.from_view("builders", look(state)).imagine(Rng(1)) == state
        state.apply(state.chance_outcomes()[-1][0])
    assert InformationSet.from_view("builders", look(state)).imagine(Rng(1)) == state


def test_a_view_sent_between_an_action_and_its_chance_event_waits_for_it() -> None:
    state = settle(State.initial("builders", 2, {}))
    state.apply(state.legal_actions()[0])
    assert state.is_chance
    assert InformationSet.from_view("builders", look(state)).imagine(Rng(1)) == state
