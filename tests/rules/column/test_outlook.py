"""A Column of Fire: what an evaluation of a position must agree to, whatever its weights are."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import character, characters
from tests.rules.column.position import View, position, seat

GAIN = character("VP:2")
CAPTAIN = character("SELL3")
POINT = 16
"""Of ``State.outlook()``."""


def begin(*seats: View, **facts: Any) -> State:
    """The start of seat 0's half-turn."""
    return position(*seats, **{"phase": "window", "point": "start", "half": 1} | facts)


def lead(table: State) -> int:
    """How far seat 0 is ahead of seat 1."""
    outlook = table.outlook()
    return outlook[0] - outlook[1]


@pytest.mark.parametrize("half", [1, 2])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_seats_have_equal_outlooks_before_the_first_acts(half: int, players: int) -> None:
    rows = (f"{card}=white3" for card in characters("VP:2"))
    seats = (
        seat(row=row, prison="purple2", ore=1, protection=2)
        for row, _ in zip(rows, range(players), strict=False)
    )
    outlook = begin(*seats, half=half).outlook()
    assert len(set(outlook)) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"points": 11},
        {"protection": 1},
        {"ore": 1, "houses": "France2"},
        {"tiles": "vp2"},
        {"tiles": "sell3"},
        {"row": f"{GAIN}=white3"},
    ],
)
def test_what_is_of_use_raises_the_outlook(more: dict[str, Any]) -> None:
    assert lead(begin(seat(**more), seat())) > 0
    assert lead(begin(seat(), seat(**more))) < 0


def test_a_point_is_a_point_or_little_less() -> None:
    assert lead(begin(seat(points=20), seat(points=10))) == pytest.approx(10 * POINT, abs=POINT)


@pytest.mark.parametrize("half", [1, 2])
def test_the_seat_that_has_still_to_act_is_ahead_of_an_equal_one_that_has_acted(half: int) -> None:
    assert lead(begin(seat(), seat(), half=half, turn=1)) < 0
    assert lead(begin(seat(), seat(), half=half, turn=1, start_player=1)) == 0


def test_the_second_half_to_come_is_worth_more_than_the_first() -> None:
    first, second = (lead(begin(seat(), seat(), half=half, turn=1)) for half in (1, 2))
    assert second < first


def test_uses_beyond_the_end_of_the_game_are_worth_nothing() -> None:
    last = [begin(seat(row=f"{GAIN}=white{face}"), seat(), half=2, ending=True) for face in (2, 6)]
    assert lead(last[0]) == lead(last[1])
    more = [begin(seat(row=f"{GAIN}=white{face}"), seat()) for face in (2, 6)]
    assert lead(more[0]) < lead(more[1])


def test_sales_by_a_card_are_worth_more_with_goods_to_sell() -> None:
    goods = [lead(begin(seat(ore=2), seat())), lead(begin(seat(row=f"{CAPTAIN}=white4", ore=2), seat()))]
    none = [lead(begin(seat(), seat())), lead(begin(seat(row=f"{CAPTAIN}=white4"), seat()))]
    assert goods[1] - goods[0] > none[1] - none[0]


@pytest.mark.parametrize(("stones", "sign"), [("CC", 1), ("PP", -1), ("CP", 0)])
def test_a_house_is_worth_more_where_the_own_religion_leads(stones: str, sign: int) -> None:
    seats = seat(houses="Spain5"), seat(religion="protestant")
    change = lead(begin(*seats, stones={"Spain": stones})) - lead(begin(*seats))
    assert (change > 0) - (change < 0) == sign


def told(*seats: View, **facts: Any) -> int:
    """The lead that makes the odds 4 to 1 in shares that are told."""
    return begin(*seats, **facts).outlook_leads()[1]


def test_the_same_lead_tells_the_more_the_nearer_the_end_is() -> None:
    leads = [told(seat(points=most), seat()) for most in (3, 8, 20, 29, 36, 43, 49)]
    assert leads[0] == leads[1]  # beyond six years nothing changes
    assert leads[1:] == sorted(set(leads[1:]), reverse=True)
    assert leads[-1] > told(seat(points=49), seat(), ending=True) == 5 * POINT // 2


def test_the_same_lead_tells_the_less_the_more_players_there_are() -> None:
    assert [told(*[seat()] * players, ending=True) for players in (2, 3, 4)] == [40, 48, 56]


def test_what_a_lead_is_worth_to_a_search_never_changes() -> None:
    tables = begin(seat(points=3), seat()), begin(*[seat(points=49)] * 3, ending=True)
    assert [table.outlook_leads()[0] for table in tables] == [12 * POINT, 12 * POINT]
