"""The Pillars of the Earth: views from outside. A broken rule is refused, with the field that breaks it."""

from collections.abc import Callable
from typing import Any

import pytest

from kingsbridge.pyengine import SPECTATOR, InformationSet, Rng, State, ViewError
from tests.rules.pillars.position import View, all_pass, deal, look, play, position, seat, view

Change = Callable[[View], object]


def cards() -> View:
    """The first phase of the third round: seat 1 has passed, seat 2 decides."""
    return view(
        seat(gold=12, quarries="sand2 wood2", advantages="A4 A10"),
        seat(gold=3, advantages="A1", craftsmen="S1 S3 1b 2a", passed=True, quarries="stone2"),
        seat(points=9, metal=2, craftsmen="S1 S2 S3 1a", two_builders=True),
        phase="cards",
        round=3,
        mover=2,
        looked=0,
        shiring="3a 3d",
        town="A5 A12",
    )


def builder() -> View:
    """The second phase of the second round: seat 1 decides about his second builder."""
    return view(
        seat(gold=13),
        seat(gold=9, advantages="A8", quarries="sand3"),
        phase="builder",
        mover=1,
        drawn=1,
        builders={"court1": 0, "A2": 1},
        dial=[{"cost": 5, "seat": 0}],
        refused=True,
    )


def market() -> View:
    """The market of the fourth round: seat 1 trades in space 2 and has bought sand."""
    return view(
        seat(sand=3),
        seat(sand=2, stone=4, bought=[True, False, False], sold=[False, False, True, False]),
        phase="market",
        round=4,
        mover=1,
        market_space="market2",
        stock=[1, 4, 4],
        builders={"market1": 0, "market2": 1, "start": 0},
        event="E5",
        die=4,
    )


def work() -> View:
    """The building of the fifth round, E9 helps the mason of seat 0, the woodworker has made 8 gold."""
    return view(
        seat(stone=5, craftsmen="S1 S3 1b 2a 5b"),
        seat(sand=6),
        phase="work",
        round=5,
        event="E9",
        boosted="2a",
        asked="2a",
        made=8,
    )


def drop() -> View:
    return view(seat(sand=4, wood=3, metal=2), seat(), phase="drop", round=3, dropping="sand", excess=4)


BASES: dict[str, Callable[[], View]] = {
    "cards": cards,
    "builder": builder,
    "market": market,
    "work": work,
    "drop": drop,
}


def put(**fields: object) -> Change:
    return lambda table: table.update(fields)


def put_seat(number: int, **fields: object) -> Change:
    return lambda table: table["seats"][number].update(fields)


def refusal(table: View) -> ViewError:
    with pytest.raises(ViewError) as caught:
        InformationSet.from_view("pillars", table)
    return caught.value


@pytest.mark.parametrize("base", BASES)
def test_the_tables_of_these_tests_are_accepted(base: str) -> None:
    assert InformationSet.from_view("pillars", BASES[base]()).view() == BASES[base]()


BROKEN: dict[str, tuple[str, Change, str]] = {
    # Form
    "a field is missing": ("cards", lambda table: table.pop("round"), "round"),
    "a seat lacks a field": ("cards", lambda table: table["seats"][0].pop("gold"), "seats[0].gold"),
    "a builder lacks a field": (
        "builder",
        lambda table: table["builders"][0].pop("seat"),
        "builders[0].seat",
    ),
    "a field is unknown": ("cards", put(colour="red"), "colour"),
    "a seat has an unknown field": ("cards", put_seat(2, colour="red"), "seats[2].colour"),
    "a number is a text": ("cards", put(round="3"), "round"),
    "a number is vast": ("cards", put(round=1 << 80), "round"),
    "a flag is a text": ("cards", put(refused="yes"), "refused"),
    "a list is a text": ("cards", put(quarries="sand2"), "quarries"),
    "goods are too few": ("cards", put_seat(0, goods=[0, 0, 0]), "seats[0].goods"),
    "the phase is unknown": ("cards", put(phase="night"), "phase"),
    # Options and seats
    "there are five players": ("cards", put(players=5), "players"),
    "there are fewer seats than players": ("cards", put(players=4, bag=[0] * 4), "seats"),
    "an option is out of its bounds": ("cards", put(bishop_spaces=3), "bishop_spaces"),
    "the market has no space": ("cards", put(market_spaces=0), "market_spaces"),
    "the viewer has no seat": ("cards", put(viewer=3), "viewer"),
    # The round
    "the round is past the sixth": ("cards", put(round=7), "round"),
    "the start player has no seat": ("cards", put(start_player=3), "start_player"),
    "the mover has no seat": ("cards", put(mover=3), "mover"),
    "who has passed is to take a card": ("cards", put(mover=1), "mover"),
    # Cards
    "a craftsman is unknown": ("cards", put_seat(0, craftsmen=["S1", "7a"]), "seats[0].craftsmen"),
    "a craftsman exists twice": ("cards", put_seat(0, craftsmen=["S1", "1a"]), "seats[2].craftsmen"),
    "a craftsman of a later round is employed": (
        "cards",
        put_seat(0, craftsmen=["S1", "4a"]),
        "seats[0].craftsmen",
    ),
    "a player has too many craftsmen": (
        "cards",
        put_seat(0, craftsmen=["S1", "S2", "S3", "1c", "1d", "2b"]),
        "seats[0].craftsmen",
    ),
    "a craftsman of another round is in the row": ("cards", put(craftsmen=["2b", "3c"]), "craftsmen"),
    "a craftsman is in the row and in Shiring": ("cards", put(craftsmen=["3a", "3c"]), "shiring"),
    "an advantage card exists twice": ("cards", put_seat(2, advantages=["A4"]), "seats[2].advantages"),
    "an unseen advantage card is owned": ("cards", put_seat(2, advantages=["A3"]), "seats[2].advantages"),
    "an advantage card that acts at once is kept": (
        "cards",
        put_seat(2, advantages=["A9"]),
        "seats[2].advantages",
    ),
    "too many advantage cards are unseen": (
        "cards",
        lambda table: table["unseen_advantages"].append("A14"),
        "unseen_advantages",
    ),
    "the cards of the last round are shown before": ("cards", put(town=["A5", "A15"]), "town"),
    "an event is lost": ("cards", lambda table: table["unseen_events"].pop(), "unseen_events"),
    "a resource card exists twice": ("cards", put_seat(2, quarries=["sand2"]), "seats[2].quarries"),
    "too many resource cards are out": (
        "cards",
        put(quarries=["sand3", "sand4", "wood3", "wood4", "stone3", "stone4"]),
        "quarries",
    ),
    # Seats
    "gold is past thirty": ("cards", put_seat(0, gold=31), "seats[0].gold"),
    "gold is negative": ("cards", put_seat(0, gold=-1), "seats[0].gold"),
    "points are negative": ("cards", put_seat(0, points=-1), "seats[0].points"),
    "cubes are negative": ("cards", put_seat(0, goods=[0, -1, 0, 0]), "seats[0].goods"),
    "more workers are free than there are": ("cards", put_seat(2, workers=18), "seats[2].workers"),
    "grey workers come in odd numbers": ("cards", put_seat(0, grey=1), "seats[0].grey"),
    "who has passed keeps free workers": ("cards", put_seat(1, workers=3), "seats[1].workers"),
    "protection is given before the event": ("cards", put_seat(0, protected=True), "seats[0].protected"),
    # The event
    "a known event is told as unknown": ("market", put(event_known=False), "event_known"),
    "an event is known in the first phase": ("cards", put(event_known=True), "event_known"),
    "a spectator has seen the event": ("cards", put(event="E10"), "event"),
    "who does not own the card has looked": ("cards", put(looked=1), "looked"),
    "the owner has not looked": ("cards", put(looked=-1), "looked"),
    "the event of the round is unseen": (
        "market",
        lambda t: t.update(event=t["unseen_events"][0]),
        "event",
    ),
    # Builders
    "a space is taken twice": (
        "builder",
        put(builders=[{"space": "court1", "seat": 0}, {"space": "court1", "seat": 1}]),
        "builders",
    ),
    "a space does not exist": (
        "builder",
        put(builders=[{"space": "bishop2", "seat": 0}]),
        "builders",
    ),
    "a builder is nobody's": ("builder", put(builders=[{"space": "court1", "seat": 2}]), "builders"),
    "the second space at court is taken before the first": (
        "builder",
        put(builders=[{"space": "court2", "seat": 0}]),
        "builders",
    ),
    "the second space of the priory is taken before the first": (
        "builder",
        put(builders=[{"space": "priory2", "seat": 0}]),
        "builders",
    ),
    "there are more builders than three": ("builder", put(bag=[2, 1]), "bag"),
    "there are fewer builders dealt with than on the board": ("builder", put(dealt=2), "dealt"),
    "the drawn builder is another's": ("builder", put(drawn=0, bag=[0, 2]), "mover"),
    "the dial shows a cost not yet reached": ("builder", put(dial=[{"cost": 4, "seat": 0}]), "dial"),
    "the dial shows two builders at one cost": (
        "builder",
        put(dial=[{"cost": 5, "seat": 0}, {"cost": 5, "seat": 0}]),
        "dial",
    ),
    "a builder stands at a card that is not there": ("builder", put(town_builders=[0]), "town_builders"),
    "a builder is free whose owner has the card": ("builder", put(free=True), "free"),
    # The market
    "the stock is past four": ("market", put(stock=[5, 4, 4]), "stock"),
    "a trader's space is empty": ("market", put(market_space="market3"), "market_space"),
    "the trader is another's builder": ("market", put(market_space="market1"), "market_space"),
    "a good was bought and sold": (
        "market",
        put_seat(1, sold=[True, False, False, False]),
        "seats[1].sold",
    ),
    "metal was traded by one who is not at the market": (
        "cards",
        put_seat(1, sold=[False, False, False, True]),
        "seats[1].sold",
    ),
    # Building
    "the craftsman asked is not employed": ("work", put(asked="2c"), "asked"),
    "the craftsman asked can do nothing": ("work", put(asked="S1"), "asked"),
    "the craftsman with the hammer is not employed": ("work", put(boosted="2c"), "boosted"),
    "the hammer is out without its event": ("work", put(event="E6"), "boosted"),
    "gold is made by nobody": ("work", put_seat(0, craftsmen=["S1", "S3", "2a", "5b"]), "made"),
    "uses are counted in one commit": ("work", put(used=[{"craftsman": "1b", "times": 2}]), "used"),
    "more is dropped than is too much": ("drop", put(excess=5), "excess"),
    "a good is dropped that he has not": ("drop", put(dropping="stone"), "dropping"),
    "scratch is left from another phase": ("cards", put(made=3), "made"),
    "a die lies about in the first phase": ("cards", put(die=3), "die"),
    "the die has no such face": ("market", put(die=6), "die"),
    "who is exempt has not used the card first": ("market", put(exempt=1), "exempt"),
}


@pytest.mark.parametrize(("base", "change", "field"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_view_is_refused_with_its_field(base: str, change: Change, field: str) -> None:
    table = BASES[base]()
    change(table)
    error = refusal(table)
    assert error.args[1] == field, error
    assert error.args[2]


# What is accepted


@pytest.mark.parametrize("base", BASES)
def test_a_view_comes_back_as_it_was_sent(base: str) -> None:
    for viewer in range(-1, 2):
        sent = BASES[base]() | {"viewer": viewer}
        if sent["looked"] == viewer != SPECTATOR:
            sent["event"] = sent["unseen_events"][2]
        information = InformationSet.from_view("pillars", sent)
        assert information.seat == viewer
        assert information.view() == sent
        assert information.imagine(Rng(3)).information_set(viewer).view() == sent


def every_node(state: State) -> list[State]:
    """A game from here to its end by the highest events, which visits many phases."""
    nodes = [state]
    while not state.is_terminal:
        events = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
        state = state.child(events[-1])
        nodes.append(state)
    return nodes


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_step_of_a_game_can_be_sent_as_a_view(players: int) -> None:
    for node in every_node(State.initial("pillars", players)):
        sent = look(node)
        information = InformationSet.from_view("pillars", sent)
        assert information.view() == sent
        if sent["looked"] == -1:
            assert information.imagine(Rng(1)) == node


def test_a_replayed_position_and_one_from_a_view_are_equal() -> None:
    dealt = deal(town="A1 A2", shiring="1a 1b", absent="wood4 stone4")
    built: dict[str, Any] = {
        "round": 1,
        "quarries": look(dealt)["quarries"],
        "town": "A1 A2",
        "shiring": "1a 1b",
    }
    assert position(seat(gold=20), seat(gold=21), phase="cards", **built) == dealt
    assert all_pass(dealt) == play(dealt, "pass()", "pass()")
