"""Views of A Column of Fire that tests break one rule of at a time."""

from collections.abc import Callable
from typing import Final

import pytest

from kingsbridge.pyengine import InformationSet, ViewError
from tests.rules.column.cards import GAME, character, characters, country_of, deck, event, ship, space
from tests.rules.column.position import View, look, play, position, seat, view

Change = Callable[[View], object]
GAIN = character("VP:2")
OTHER = characters("VP:2")[1]
THIRD = characters("VP:2")[2]
AT = space("VP")
ENGLAND, FRANCE = deck("England"), deck("France")


def window() -> View:
    """The end of seat 1's second half in year 5, with something of everything."""
    return view(
        seat(row=f"{GAIN}=white3 {OTHER}=blue1", houses="England2 Spain5", ore=2, held=2),
        seat(religion="protestant", prison="orange3", protection=2, tiles="sell3 vp1", houses="Spain4"),
        seat(points=0, religion_die=5, row=f"{THIRD}=purple6"),
        phase="window",
        point="end",
        half=2,
        year=5,
        start_player=2,
        turn=1,
        stones={"England": "CP", "Spain": "CCPN"},
        sold=[True, False, False, False, False, False, False, True],
        event_done=True,
    )


def card() -> View:
    """Seat 0 is asked about the second card of his row."""
    return view(seat(row=f"{OTHER}=blue1 {GAIN}=white3"), seat(), phase="use_card", cursor=1)


def recruit() -> View:
    return view(seat(rolled="blue4 brown6", row=f"{GAIN}=white3"), seat(), phase="recruit", year=2)


def track() -> View:
    return view(seat(row=f"{GAIN}=white3"), seat(), phase="track")


def landed() -> View:
    return view(seat(space=AT), seat(), phase="use_space")


def flip() -> View:
    return view(seat(), seat(), phase="flip", point="track", flipping="France")


def struck() -> View:
    """Seat 1 is to lose a good by an event of France."""
    table = position(
        seat(),
        seat(houses="France3", ore=1, wine=2, protection=1),
        phase="flip",
        point="track",
        flipping="France",
    )
    return look(play(table, f"flip(card={event('LOSE_GOOD', 'France')})"))


def pending() -> View:
    """The end of seat 0's second half, with a full country."""
    return view(seat(), seat(), phase="window", point="end", half=2, stones={"Spain": "CCP"})


def conflict() -> View:
    return view(
        seat(),
        seat(houses="Spain3"),
        phase="conflict",
        point="conflicts",
        half=1,
        stones={"England": "CCP", "Spain": "CPN"},
    )


def religion() -> View:
    """Seat 0 places or removes a stone by a tile he has just played."""
    table = position(seat(tiles="religion vp1"), seat(), phase="window", point="end", half=2)
    return look(play(table, "play(tile=religion)"), 0)


def stone() -> View:
    """Seat 0 has recruited in Spain and is asked about the stone."""
    me = seat(rolled="brown4", protection=1)
    return look(play(position(me, seat(), phase="recruit"), "recruit(die=brown, country=Spain)"))


def sold_out() -> View:
    """France has no card any more."""
    return view(seat(), seat(), phase="track", face_up={"France": ""})


def convert() -> View:
    return view(seat(), seat(), phase="convert", point="cards", half=1)


def rolling() -> View:
    return view(seat(religion_die=0), seat(), phase="roll_religion", point="cards", half=1)


def dice() -> View:
    return view(seat(rolled="white3"), seat(), phase="roll_dice", point="recruit", half=2)


def house() -> View:
    """Seat 0 has recruited in Spain and may move his house up."""
    me = seat(rolled="brown4", houses="Spain2")
    return view(me, seat(), phase="house", point="recruit", half=2, die="brown", country="Spain")


def new_card() -> View:
    """Seat 0 is asked about the card he has just recruited."""
    home = country_of(GAIN)
    me = seat(rolled="purple4")
    table = position(me, seat(), phase="recruit", face_up={home: GAIN})
    return look(play(table, f"recruit(die=purple, country={home})"))


def at_ship() -> View:
    me = seat(space=ship("Spain"), houses="Spain1", ore=1)
    return view(me, seat(), phase="ship", point="end", half=2, acting=ship("Spain"))


def ship_stone() -> View:
    me = seat(space=ship("Spain"))
    return view(me, seat(), phase="ship_stone", point="end", half=2, acting=ship("Spain"))


def captain() -> View:
    return view(seat(houses="Spain1", ore=1), seat(), phase="sell3", point="end", half=2)


def reached() -> View:
    """Seat 0 has been moved by an action to a space he may use."""
    return view(seat(space=AT), seat(), phase="landed", point="end", half=2, acting=AT)


def stone_space() -> View:
    """Seat 0 places or removes a stone by a space of one colour."""
    where = space("RELIGION_P")
    return look(play(position(seat(space=where), seat(), phase="use_space"), f"use_space(space={where})"))


def draw() -> View:
    return view(seat(), seat(held=3), phase="draw", point="end", half=2)


def removed() -> View:
    """Seat 0 has recruited in England, and his card has removed the one of France."""
    me = seat(row=f"{character('CARD_REMOVE')}=white3")
    left = {"England": " ".join(ENGLAND[:5])}
    return view(
        me,
        seat(),
        phase="flip",
        point="flip",
        country="England",
        flipping="France",
        face_up={"England": ""},
        unseen=left,
    )


def over() -> View:
    return view(seat(tiles="vp1"), seat(), phase="over", point="none", half=0, year=30, viewer=-1)


BASES: Final[dict[str, Callable[[], View]]] = {
    "window": window,
    "card": card,
    "recruit": recruit,
    "track": track,
    "landed": landed,
    "flip": flip,
    "struck": struck,
    "pending": pending,
    "conflict": conflict,
    "religion": religion,
    "stone": stone,
    "sold out": sold_out,
    "convert": convert,
    "rolling": rolling,
    "dice": dice,
    "house": house,
    "new card": new_card,
    "ship": at_ship,
    "ship stone": ship_stone,
    "captain": captain,
    "reached": reached,
    "stone space": stone_space,
    "draw": draw,
    "removed": removed,
    "over": over,
}


def put(**fields: object) -> Change:
    return lambda table: table.update(fields)


def put_seat(number: int, **fields: object) -> Change:
    return lambda table: table["seats"][number].update(fields)


def put_country(number: int, **fields: object) -> Change:
    return lambda table: table["countries"][number].update(fields)


def refusal(table: View) -> ViewError:
    with pytest.raises(ViewError) as caught:
        InformationSet.from_view(GAME, table)
    return caught.value
