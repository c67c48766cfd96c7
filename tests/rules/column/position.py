"""Positions of A Column of Fire for tests, said in few words.

A test names only what it is about. ``position`` builds a phase from a view: what is not named lies as it
would in a quiet year. Dice and houses are words: ``row=f"{card}=white3"``, ``prison="blue2"``,
``houses="Spain4"``.
"""

from collections.abc import Iterable
from typing import Any

from kingsbridge.pyengine import State
from tests.rules.column.cards import DICE, GAME
from tests.rules.column.play import (
    asked,
    country_seen,
    flip,
    free,
    go_on,
    goods,
    houses,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    prison,
    quiet,
    refused,
    roll,
    row,
    seat_of,
    settle,
    stones,
    tiles,
)
from tests.rules.column.views import View, position, seat, state, view

__all__ = [
    "View",
    "asked",
    "country_seen",
    "deal",
    "finished",
    "first_half",
    "flip",
    "flipping",
    "free",
    "go_on",
    "goods",
    "houses",
    "imprisoned",
    "legal",
    "look",
    "outcomes",
    "phase",
    "play",
    "points",
    "position",
    "prison",
    "quiet",
    "refused",
    "roll",
    "row",
    "seat",
    "seat_of",
    "second_half",
    "settle",
    "state",
    "stones",
    "tiles",
    "turn_end",
    "view",
]

# Places in a half-turn


def first_half(*seats: View, **facts: Any) -> State:
    """Seat 0 has begun its first half: Loch Leven dice and religion die, down to the first question."""
    return play(position(*seats, phase="window", point="start", half=1, **facts), "pass()")


def second_half(*seats: View, **facts: Any) -> State:
    """Seat 0 has begun its second half: its free dice are to be rolled, if it has any."""
    return play(position(*seats, phase="window", point="start", half=2, **facts), "pass()")


def turn_end(*seats: View, **facts: Any) -> State:
    """The window at the end of a second half; ``pass()`` brings the conflicts."""
    return position(*seats, phase="window", point="end", **{"half": 2} | facts)


def finished(*seats: View, **facts: Any) -> State:
    """The game of which this is the end of the last half-turn."""
    last = {"turn": len(seats) - 1, "year": 30} | facts
    return play(turn_end(*seats, **last), "pass()")


def flipping(country: str, *seats: View, **facts: Any) -> State:
    """Seat 0 has recruited in a country, whose next card is to be flipped."""
    return position(*seats, phase="flip", point="track", flipping=country, **facts)


def imprisoned(*but: str) -> str:
    """All dice on Loch Leven but these, so that a test has no other dice about it."""
    return " ".join(f"{die}3" for die in DICE if die not in but)


# Games from the opened box


def deal(
    players: int = 2,
    *,
    start: int = 0,
    cards: str = "L1 L3 L2 L4",
    dice: str = "3333",
    shown: Iterable[str] = (),
    **options: int,
) -> State:
    """The first node of year 1, with these Loch Leven cards and religion dice and face-up characters."""
    after = play(State.initial(GAME, players, options), f"start(seat={start})")
    for number, card in zip(range(players), cards.split(), strict=False):
        after = play(after, f"deal(seat={number}, loch_leven={card})")
    for number, face in zip(range(players), dice, strict=False):
        after = play(after, f"roll_religion(year=0, seat={number}, face={face})")
    after = flip(after, *shown)
    while phase(after) == "first_flip":
        after = play(after, next(iter(outcomes(after))))
    return after
