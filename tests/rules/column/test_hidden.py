"""A Column of Fire: what is hidden: face-down tiles from the others, the order of decks from all."""

from collections import Counter

import pytest

from kingsbridge.pyengine import SPECTATOR, Rng, State
from tests.rules.column.cards import BOX, TILES, character, deck, ring, space
from tests.rules.column.position import (
    deal,
    finished,
    first_half,
    flipping,
    free,
    legal,
    look,
    outcomes,
    phase,
    play,
    position,
    quiet,
    seat,
    tiles,
    turn_end,
)
from tests.statistics import misfit

OWNER = 0
OTHERS = (1, 2, SPECTATOR)
COPIES = dict(zip(TILES, (BOX[tile].copies for tile in TILES), strict=True))


def to_draw(tiles: str = "") -> State:
    """Seat 0 of three draws an advantage tile in his first half."""
    card = character("ADVANTAGE")
    table = position(seat(row=f"{card}=white3", tiles=tiles), seat(), seat(), phase="use_card")
    return play(table, f"use_card(card={card})")


def drawn(tile: str) -> State:
    return play(to_draw(), f"draw(seat=0, tile={tile})")


def known(table: State, viewer: int, number: int = OWNER) -> dict[str, int]:
    """What a viewer sees of a seat's tiles."""
    held = zip(TILES, look(table, viewer)["seats"][number]["tiles"], strict=True)
    return {tile: count for tile, count in held if count}


# Face-down tiles


def test_the_owner_alone_sees_what_he_has_drawn() -> None:
    table = drawn("place_neutral")
    assert known(table, OWNER) == {"place_neutral": 1}
    assert [known(table, viewer) for viewer in OTHERS] == [{}, {}, {}]


def test_the_number_of_tiles_is_public() -> None:
    table = drawn("place_neutral")
    assert [look(table, viewer)["seats"][OWNER]["held"] for viewer in (OWNER, *OTHERS)] == [1, 1, 1, 1]


def test_the_others_still_count_the_tile_among_the_unseen_and_the_owner_does_not() -> None:
    table = drawn("place_neutral")
    assert look(table, OWNER)["unseen_tiles"] == [5, 5, 2, 2, 2, 2, 2, 2, 2, 2, 1]
    for viewer in OTHERS:
        assert look(table, viewer)["unseen_tiles"] == list(COPIES.values())


def test_the_views_of_the_others_are_equal_whatever_was_drawn() -> None:
    tables = [drawn(tile) for tile in TILES]
    for viewer in OTHERS:
        sets = {table.information_set(viewer) for table in tables}
        assert len(sets) == 1
        assert len({one.key for one in sets}) == 1
    assert len({table.information_set(OWNER) for table in tables}) == len(TILES)


def test_the_views_of_the_others_stay_equal_on_the_same_line_of_play() -> None:
    tables = [drawn(tile) for tile in TILES]
    while look(tables[0])["year"] == 3:
        for viewer in OTHERS:
            assert len({table.information_set(viewer) for table in tables}) == 1
        event = quiet(tables[0])
        tables = [play(table, event) for table in tables]


def test_of_a_draw_the_others_observe_that_it_happens_and_the_owner_the_tile() -> None:
    table = to_draw()
    draws = [outcome for outcome, _ in table.chance_outcomes()]
    assert len(draws) == len(TILES)
    for viewer in OTHERS:
        assert len({table.observed(outcome, viewer) for outcome in draws}) == 1
    assert [table.observed(outcome, OWNER) for outcome in draws] == draws


def test_a_window_is_shown_whatever_the_tile_is() -> None:
    for tile in TILES:
        table = turn_end(seat(), seat(points=1, tiles=tile), seat())
        table = play(table, "pass()")
        assert (phase(table), look(table)["turn"], look(table)["point"]) == ("window", 1, "start")


def test_a_played_tile_is_seen_by_all() -> None:
    table = play(turn_end(seat(tiles="place_neutral vp1"), seat(), seat()), "play(tile=place_neutral)")
    for viewer in OTHERS:
        assert look(table, viewer)["unseen_tiles"] == [5, 5, 2, 2, 2, 2, 2, 2, 2, 2, 1]
        assert look(table, viewer)["seats"][OWNER]["held"] == 1
    assert look(table, OWNER)["unseen_tiles"] == [4, 5, 2, 2, 2, 2, 2, 2, 2, 2, 1]


# Imagining


@pytest.mark.parametrize("viewer", OTHERS)
def test_the_others_imagine_a_tile_as_often_as_there_are_copies_unseen(viewer: int) -> None:
    information = drawn("vp3").information_set(viewer)
    states = [information.imagine(Rng(seed)) for seed in range(3_000)]
    found = Counter(next(iter(known(state, OWNER))) for state in states)
    assert misfit(found, {tile: float(count) for tile, count in COPIES.items()}) < 4


def test_what_the_viewer_holds_himself_is_not_imagined_with_others() -> None:
    table = position(seat(held=3), seat(tiles="vp3 vp3 sell3 sell3"), phase="window", point="end")
    information = table.information_set(1)
    for seed in range(200):
        state = information.imagine(Rng(seed))
        assert known(state, 1, 1) == {"vp3": 2, "sell3": 2}
        assert not {"vp3", "sell3"} & known(state, OWNER, OWNER).keys()
        assert sum(known(state, OWNER, OWNER).values()) == 3


def test_several_hands_are_imagined_without_more_copies_than_there_are() -> None:
    gone = (
        "any_good any_good turn_die turn_die free_die free_die religion religion place_neutral place_neutral"
    )
    hands = [seat(held=6), seat(held=5), seat(held=7)]
    information = turn_end(*hands, gone_tiles=gone).information_set(SPECTATOR)
    for seed in range(100):
        state = information.imagine(Rng(seed))
        total: Counter[str] = Counter()
        for number, count in enumerate((6, 5, 7)):
            hand = known(state, number, number)
            assert sum(hand.values()) == count
            total.update(hand)
        assert all(total[tile] <= COPIES[tile] for tile in total)
        assert not total.keys() & set(gone.split())


def test_two_hands_are_imagined_with_equal_chances() -> None:
    """Of two tiles left, a 1 and a 3, each of two players has one."""
    gone = " ".join(f"{tile} {tile}" for tile in TILES[3:])
    four_hidden = seat(tiles="vp1 vp1 vp1 vp1 vp2 vp2 vp2 vp2 vp2 vp3")
    table = position(four_hidden, seat(held=1), seat(held=1), phase="window", point="end", gone_tiles=gone)
    information = table.information_set(0)
    found = Counter(next(iter(known(information.imagine(Rng(seed)), 1, 1))) for seed in range(1_000))
    assert misfit(found, {"vp1": 1.0, "vp3": 1.0}) < 4


def test_the_owner_imagines_the_tiles_he_has() -> None:
    table = drawn("religion")
    for seed in range(50):
        assert table.information_set(OWNER).imagine(Rng(seed)) == table


def test_all_imagine_states_with_their_own_view() -> None:
    table = play(to_draw("vp1 sell3"), "draw(seat=0, tile=religion)")
    for viewer in (OWNER, *OTHERS):
        information = table.information_set(viewer)
        for seed in range(20):
            assert information.imagine(Rng(seed)).information_set(viewer) == information


def test_only_who_is_to_move_has_actions_in_his_view() -> None:
    table = turn_end(seat(tiles="any_good"), seat(), seat())
    assert table.information_set(OWNER).legal_actions() == table.legal_actions()
    assert all(table.information_set(viewer).legal_actions() == [] for viewer in OTHERS)


def test_in_an_imagined_state_another_seat_may_play_what_it_is_imagined_to_hold() -> None:
    table = turn_end(seat(points=2, tiles="any_good"), seat(), seat())
    for seed in range(40):
        state = table.information_set(1).imagine(Rng(seed))
        own = set(tiles(state)) & {
            "any_good",
            "turn_die",
            "free_die",
            "remove_card",
            "religion",
            "place_neutral",
        }
        assert set(free(state)) - {"play(tile=next_space)"} == {f"play(tile={tile})" for tile in own}


# Decks


def test_every_unseen_card_of_a_deck_may_come_next_with_equal_chance() -> None:
    gone = " ".join([*deck("England")[:4], deck("England")[-1]])
    table = flipping("England", seat(), seat(), gone=gone)
    left = deck("England")[4:-1]
    assert outcomes(table) == {f"flip(card={card})": 1 for card in left}
    assert len(left) == 12


def test_no_viewer_knows_the_order_of_a_deck() -> None:
    table = deal()
    for viewer in (0, 1, SPECTATOR):
        assert all(table.information_set(viewer).imagine(Rng(seed)) == table for seed in range(20))


def test_all_see_the_card_that_was_flipped() -> None:
    table = flipping("England", seat(), seat())
    for card in (deck("England")[3], deck("England")[8]):
        for viewer in (0, 1, SPECTATOR):
            assert look(play(table, f"flip(card={card})"), viewer)["countries"][0]["face_up"] == card


def test_all_observe_rolls() -> None:
    table = first_half(seat(religion_die=1), seat())
    rolls = [outcome for outcome, _ in table.chance_outcomes()]
    for viewer in (0, 1, SPECTATOR):
        assert [table.observed(outcome, viewer) for outcome in rolls] == rolls


def test_everything_but_tiles_is_seen_alike_by_all() -> None:
    table = play(to_draw("vp1 sell3"), "draw(seat=0, tile=religion)")
    seen = [look(table, viewer) for viewer in (OWNER, *OTHERS)]
    for view in seen:
        view.pop("viewer")
        view.pop("unseen_tiles")
        for one in view["seats"]:
            one.pop("tiles")
    assert seen[1:] == seen[:-1]


# The end


def test_at_the_end_all_see_the_same() -> None:
    over = finished(seat(tiles="vp1 vp3 sell3 place_neutral"), seat(), seat())
    seen = [look(over, viewer) | {"viewer": 0} for viewer in (OWNER, *OTHERS)]
    assert seen[1:] == seen[:-1]


def test_unused_action_tiles_of_the_end_stay_hidden() -> None:
    one = finished(seat(tiles="vp1 sell3"), seat(), seat())
    other = finished(seat(tiles="vp1 place_neutral"), seat(), seat())
    assert one == other


def test_a_tile_that_moved_the_disk_is_seen_by_the_space_reached() -> None:
    where = space("VP")
    before = ring("", where)[-1]
    table = turn_end(seat(space=before, tiles="next_space vp1"), seat(space=ring("", where)[2]), seat())
    table = play(table, "play(tile=next_space)")
    assert look(table, 1)["seats"][0]["space"] == where
    assert legal(table)[0] == f"use_space(space={where})"
