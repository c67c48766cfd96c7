"""A Column of Fire: the options about advantage tiles and captains, with both values."""

from typing import Any

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    GAME,
    PAIRS,
    TILES,
    character,
    country_of,
)
from tests.rules.column.position import (
    asked,
    first_half,
    free,
    imprisoned,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    seat,
    tiles,
    turn_end,
)

GAIN = character("VP:2")


# advantage_reshuffle


def stacks_empty(reshuffle: int) -> State:
    """All tiles are out: two that bring any good have been played, seat 0 has the rest."""
    own = "vp1 " * 5 + "vp2 " * 5 + "vp3 vp3"
    row = f"{character('ADVANTAGE')}=white3"
    others = "sell3 turn_die free_die remove_card next_space religion place_neutral"
    me = seat(row=row, tiles=f"{own} {others} {others}")
    return first_half(me, seat(), gone_tiles="any_good any_good", advantage_reshuffle=reshuffle)


def test_with_empty_stacks_a_tile_is_not_drawn() -> None:
    assert look(stacks_empty(0))["point"] == "end"


def test_with_empty_stacks_the_played_tiles_may_be_shuffled_again() -> None:
    card = character("ADVANTAGE")
    table = stacks_empty(1)
    assert asked(table) == [f"use_card(card={card})", "skip()"]
    table = play(table, f"use_card(card={card})")
    assert outcomes(table) == {"draw(seat=0, tile=any_good)": 2}
    table = play(table, "draw(seat=0, tile=any_good)")
    assert tiles(table)["any_good"] == 1
    assert look(table, 0)["unseen_tiles"][TILES.index("any_good")] == 1


def test_while_the_stacks_have_tiles_the_played_ones_stay_out() -> None:
    card = character("ADVANTAGE")
    me = seat(row=f"{card}=white3")
    table = position(me, seat(), phase="use_card", gone_tiles="any_good any_good", advantage_reshuffle=1)
    assert "draw(seat=0, tile=any_good)" not in outcomes(play(table, f"use_card(card={card})"))


# seed_tiles


@pytest.mark.parametrize(
    ("seed", "counts"),
    [(0, [5, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2]), (1, [12, 11, 5, 0, 0, 0, 0, 0, 0, 0, 0])],
)
def test_the_tiles_may_all_be_points(seed: int, counts: list[int]) -> None:
    assert look(State.initial(GAME, 2, {"seed_tiles": seed}))["unseen_tiles"] == counts


def test_of_tiles_that_are_all_points_one_is_drawn_by_their_number() -> None:
    card = character("ADVANTAGE")
    table = position(seat(row=f"{card}=white3", tiles="vp1"), seat(), phase="use_card", seed_tiles=1)
    table = play(table, f"use_card(card={card})")
    assert outcomes(table) == {
        "draw(seat=0, tile=vp1)": 11,
        "draw(seat=0, tile=vp2)": 11,
        "draw(seat=0, tile=vp3)": 5,
    }


def test_of_tiles_that_are_all_points_none_has_been_played_that_could_be_shuffled_again() -> None:
    all_of_them = "vp1 " * 12 + "vp2 " * 11 + "vp3 " * 5
    me = seat(row=f"{character('ADVANTAGE')}=white3", tiles=all_of_them)
    table = first_half(me, seat(), seed_tiles=1, advantage_reshuffle=1)
    assert look(table)["point"] == "end"


# sell3_limited


def captain(*sold: str, limited: int, **own: Any) -> State:
    """Seat 0 is asked about his captain, in the second half, when some pairs are sold already."""
    card = character("SELL3")
    country = country_of(card)
    me = seat(rolled="purple1", prison=imprisoned("purple"), **own)
    table = position(
        me,
        seat(),
        phase="recruit",
        face_up={country: card},
        sold=[pair in sold for pair in PAIRS],
        sell3_limited=limited,
    )
    return play(table, f"recruit(die=purple, country={country})")


def tile_sale(*sold: str, limited: int, **own: Any) -> State:
    """Seat 0 may play a tile that sells, when some pairs are sold already."""
    return turn_end(
        seat(tiles="sell3", **own),
        seat(),
        sold=[pair in sold for pair in PAIRS],
        sell3_limited=limited,
    )


def test_a_captains_sale_may_be_bound_to_the_limit_of_country_and_good() -> None:
    table = tile_sale("cloth_England", limited=1, cloth=2, wine=1, houses="England1 Spain2")
    table = play(table, "play(tile=sell3)")
    assert (phase(table), legal(table)) == ("sell3", ["sell(pairs=wine_England)", "sell(pairs=cloth_Spain)"])
    after = play(table, "sell(pairs=cloth_Spain)")
    assert points(after)[0] == 13
    assert [pair for pair, done in zip(PAIRS, look(after)["sold"], strict=True) if done] == [
        "cloth_England",
        "cloth_Spain",
    ]


def test_a_bound_captain_has_no_effect_when_all_is_sold() -> None:
    sold, own = ("cloth_England",), {"cloth": 2, "houses": "England1"}
    assert free(tile_sale(*sold, limited=1, **own)) == ["pay(die=black)"]
    assert free(tile_sale(*sold, limited=0, **own)) == ["play(tile=sell3)", "pay(die=black)"]


def test_a_bound_captain_needs_a_house_that_buys() -> None:
    assert free(tile_sale(limited=1, cloth=2, houses="France1")) == ["pay(die=black)"]


def test_a_captain_bound_or_not_sells_when_recruited() -> None:
    card = character("SELL3")
    pair = next(pair for pair in PAIRS if pair.endswith(country_of(card)))
    good = pair.partition("_")[0]
    own: dict[str, Any] = {good: 1}
    for limited, sale in ((0, f"sell_one(good={good})"), (1, f"sell(pairs={pair})")):
        table = play(captain(limited=limited, **own), f"use_card(card={card})")
        assert legal(table) == [sale]
        assert points(play(table, sale))[0] == 13
    assert phase(captain(pair, limited=1, **own)) == "flip"
    assert phase(captain(pair, limited=0, **own)) == "use_card"
