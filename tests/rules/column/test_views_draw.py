"""A Column of Fire: a view whose question would draw a tile, though the others hold all that are unseen."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from kingsbridge.pyengine import InformationSet
from tests.rules.column.bases import refusal
from tests.rules.column.cards import GAME, character, space
from tests.rules.column.position import View, asked, outcomes, play, seat, state, view

CARD = character("ADVANTAGE")
SPACE = space("ADVANTAGE")


def by_card(held: int, **facts: Any) -> View:
    return view(seat(row=f"{CARD}=white3"), seat(held=held), phase="use_card", **facts)


def by_space(held: int, **facts: Any) -> View:
    return view(seat(space=SPACE), seat(held=held), phase="use_space", **facts)


def by_landing(held: int, **facts: Any) -> View:
    where: dict[str, Any] = {"point": "end", "half": 2, "acting": SPACE}
    return view(seat(space=SPACE), seat(held=held), phase="landed", **where, **facts)


QUESTIONS: Final[dict[str, tuple[Callable[..., View], str]]] = {
    "a card": (by_card, "phase"),
    "a space": (by_space, "phase"),
    "a space reached by an action": (by_landing, "acting"),
}


@pytest.mark.parametrize(("question", "field"), QUESTIONS.values(), ids=QUESTIONS.keys())
def test_a_tile_cannot_be_drawn_when_the_others_hold_all(question: Callable[..., View], field: str) -> None:
    assert InformationSet.from_view(GAME, question(27)).view() == question(27)
    assert refusal(question(28)).args[1] == field


@pytest.mark.parametrize(("question", "field"), QUESTIONS.values(), ids=QUESTIONS.keys())
def test_unless_played_tiles_are_shuffled_again(question: Callable[..., View], field: str) -> None:
    assert refusal(question(27, gone_tiles="any_good")).args[1] == field
    table = state(question(27, gone_tiles="any_good", advantage_reshuffle=1))
    table = play(table, asked(table)[0])
    assert outcomes(table) == {"draw(seat=0, tile=any_good)": 1}
    assert refusal(question(28, advantage_reshuffle=1)).args[1] == field
