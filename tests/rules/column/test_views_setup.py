"""A Column of Fire: views of the setup and of the first year, one rule broken at a time."""

from collections.abc import Callable
from typing import Final

import pytest

from kingsbridge.pyengine import InformationSet, State
from tests.rules.column.bases import Change, put, put_country, put_seat, refusal
from tests.rules.column.cards import GAME, character, events, ship, space
from tests.rules.column.position import View, deal, flip, look, play

GAIN = character("VP:2", "France")


def start() -> View:
    return look(State.initial(GAME, 3))


def dealing() -> View:
    """Seat 0 has the Loch Leven card of the rulebook."""
    return look(play(State.initial(GAME, 2), "start(seat=1)", "deal(seat=0, loch_leven=L1)"))


def rolling() -> View:
    """Seat 0 has rolled his religion die, seat 1 has not."""
    table = play(State.initial(GAME, 2), "start(seat=0)", "deal(seat=0, loch_leven=L1)")
    return look(play(table, "deal(seat=1, loch_leven=L3)", "roll_religion(year=0, seat=0, face=4)"))


def flipping() -> View:
    """England shows a card, France is turned up next."""
    table = play(State.initial(GAME, 2), "start(seat=0)", "deal(seat=0, loch_leven=L1)")
    table = play(table, "deal(seat=1, loch_leven=L3)", "roll_religion(year=0, seat=0, face=4)")
    table = play(table, "roll_religion(year=0, seat=1, face=3)")
    return look(flip(table, character("VP:2", "England")))


def opening() -> View:
    """The first question of the first year: the window at the end of seat 0's first half."""
    return look(deal(2))


BASES: Final[dict[str, Callable[[], View]]] = {
    "start": start,
    "dealing": dealing,
    "rolling": rolling,
    "flipping": flipping,
    "opening": opening,
}


def without(country: int, card: str) -> Change:
    """Takes a card out of a deck."""
    return lambda table: table["countries"][country]["unseen"].remove(card)


def hold(number: int, card: str, die: str, faces: list[int]) -> Change:
    """Lays a card with a die into a seat's row."""

    def change(table: View) -> None:
        for country in table["countries"]:
            country["unseen"] = [each for each in country["unseen"] if each != card]
        table["seats"][number].update(row=[{"card": card, "die": die}], faces=faces)

    return change


SECOND: Final = {"goods": [1, 0, 0, 0], "protection": 1, "religion": "protestant", "space": ship("Spain")}
"""The other Protestant Loch Leven card."""

BROKEN: dict[str, tuple[str, Change, str]] = {
    # Before the first year
    "the year has begun": ("start", put(year=1), "year"),
    "a half has begun": ("start", put(half=1), "half"),
    "it is somebody's turn": ("start", put(turn=1), "turn"),
    "a half-turn stands somewhere": ("start", put(point="start"), "point"),
    "the start player is known before he is drawn": ("start", put(start_player=1), "start_player"),
    "a deck is turned up before the deal": ("dealing", put(flipping="England"), "flipping"),
    "no deck is turned up at the end of the setup": ("flipping", put(flipping=""), "flipping"),
    "the end has come": ("start", put(ending=True), "ending"),
    "an event has been carried out": ("start", put(event_done=True), "event_done"),
    "something has been sold": ("start", put(sold=[True] + [False] * 7), "sold"),
    "a tile has been played": ("start", put(unseen_tiles=[5, 5, 2, 1, *[2] * 7]), "unseen_tiles"),
    # The deal
    "a card is dealt before the start player is drawn": (
        "dealing",
        put(phase="start", start_player=0),
        "phase",
    ),
    "a card is to be dealt and all have theirs": ("rolling", put(phase="deal"), "phase"),
    "dice are rolled before all have a card": ("dealing", put(phase="first_roll"), "phase"),
    "a later seat has a card and an earlier one has none": (
        "dealing",
        lambda table: table["seats"].reverse(),
        "seats[1]",
    ),
    "a seat starts on a space without a ship": (
        "dealing",
        put_seat(0, space=space("PROTECTION")),
        "seats[0].space",
    ),
    "a seat starts on another ship than its card says": (
        "dealing",
        put_seat(0, space=ship("Spain")),
        "seats[0].space",
    ),
    "a seat starts with another good": ("dealing", put_seat(0, goods=[1, 0, 0, 0]), "seats[0].space"),
    "a seat starts with a second good": ("dealing", put_seat(0, goods=[1, 1, 0, 0]), "seats[0]"),
    "a seat starts with another religion": ("dealing", put_seat(0, religion="catholic"), "seats[0].space"),
    "a seat starts without protection": ("dealing", put_seat(0, protection=0), "seats[0].protection"),
    "a seat starts with two protection tiles": ("dealing", put_seat(0, protection=2), "seats[0].protection"),
    "a seat starts with three points": ("dealing", put_seat(0, points=3), "seats[0]"),
    "a seat starts with a house": ("dealing", put_seat(1, houses=[0, 0, 0, 4]), "seats[1]"),
    "two players start with one religion": ("rolling", put_seat(1, **SECOND), "seats[1].religion"),
    # The first religion dice
    "a die is rolled before the deal is over": ("dealing", put_seat(0, religion_die=3), "phase"),
    "a later seat has rolled and an earlier one has not": (
        "rolling",
        lambda table: (table["seats"][0].update(religion_die=0), table["seats"][1].update(religion_die=4)),
        "seats[1].religion_die",
    ),
    "a die is to be rolled and all lie there": ("rolling", put_seat(1, religion_die=3), "phase"),
    "decks are turned up before all have rolled": (
        "rolling",
        put(phase="first_flip", flipping="England"),
        "phase",
    ),
    # The first cards
    "a deck before the one turned up shows no card": (
        "flipping",
        put(flipping="Netherlands"),
        "countries[1].face_up",
    ),
    "a deck after the one turned up shows a card": (
        "flipping",
        put(flipping="England"),
        "countries[0].face_up",
    ),
    "a character has left a deck": ("flipping", without(1, GAIN), "countries[1].unseen"),
    "an event has left a deck that is not turned up yet": (
        "flipping",
        without(3, events(country="Spain")[0]),
        "countries[3].unseen",
    ),
    "an event has left a deck before the first is turned up": (
        "start",
        without(0, events(country="England")[0]),
        "countries[0].unseen",
    ),
    "stones lie in a country": ("flipping", put_country(2, stones=[1, 0, 0]), "countries[2].stones"),
    # The first half of the first year
    "a card lies in a row": ("opening", hold(1, GAIN, "blue", [0, 3, 0, 0, 0]), "seats[1].row"),
    "a die lies on Loch Leven": (
        "opening",
        put_seat(1, prison=["white"], faces=[3, 0, 0, 0, 0]),
        "seats[1].prison",
    ),
    "a house stands": ("opening", put_seat(1, houses=[0, 2, 0, 0]), "seats[1].houses"),
    "a tile is held": ("opening", put_seat(1, held=1), "seats[1].held"),
}


@pytest.mark.parametrize("base", BASES)
def test_the_tables_of_these_tests_are_accepted(base: str) -> None:
    assert InformationSet.from_view(GAME, BASES[base]()).view() == BASES[base]()


@pytest.mark.parametrize(("base", "change", "field"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_view_of_the_start_is_refused_with_its_field(base: str, change: Change, field: str) -> None:
    table = BASES[base]()
    change(table)
    error = refusal(table)
    assert error.args[1] == field, error
    assert error.args[2]


def test_an_event_turned_up_in_the_setup_may_have_left_the_deck_that_is_turned_up() -> None:
    table = flipping()
    table["countries"][1]["unseen"].remove(events(country="France")[0])
    assert InformationSet.from_view(GAME, table).view() == table
