"""A Column of Fire: the action track: the move, skipping, and the space landed on."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import (
    COUNTRIES,
    DICE,
    character,
    colour_of,
    of,
    ring,
    ship,
    space,
    spaces,
)
from tests.rules.column.position import (
    asked,
    go_on,
    imprisoned,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    refused,
    row,
    seat,
    seat_of,
)

START = ship("Spain")
WHITES = spaces(colour="white")


def moving(*dice: str, start: str = START, points: int = 10, others: tuple[str, ...] = ()) -> State:
    """Seat 0 moves from a space with one of these dice; the other seats' disks lie on ``others``."""
    elsewhere = others or (next(ship(country) for country in COUNTRIES if ship(country) != start),)
    seats = [seat(space=where) for where in elsewhere]
    me = seat(space=start, points=points, prison=imprisoned(*dice))
    return position(me, *seats, phase="track")


def moves(table: State) -> set[str]:
    """The spaces that can be moved to."""
    return {move.removeprefix("move(space=").removesuffix(")") for move in asked(table)}


def cost(table: State, target: str) -> int:
    return points(table)[0] - points(play(table, f"move(space={target})"))[0]


# Which space


@pytest.mark.parametrize("die", DICE[:4])
def test_without_points_the_disk_moves_to_the_next_space_of_the_dies_colour(die: str) -> None:
    assert legal(moving(die, points=0)) == [f"move(space={ring(die, START)[0]})"]


def test_every_free_die_offers_its_colour() -> None:
    table = moving("white", "blue", "brown", points=0)
    assert moves(table) == {ring(die, START)[0] for die in ("white", "blue", "brown")}


def test_moves_go_clockwise_round_the_end_of_the_list() -> None:
    last = of("space")[-1]
    table = moving("white", start=last, points=0)
    assert moves(table) == {WHITES[0]}


def test_an_occupied_space_is_passed_over() -> None:
    first, second, *_ = ring("white", START)
    assert moves(moving("white", points=0, others=(first,))) == {second}


def test_several_occupied_spaces_are_passed_over() -> None:
    first, second, third, *_ = ring("white", START)
    assert moves(moving("white", points=0, others=(first, second))) == {third}


def test_the_disk_lies_on_its_new_space_alone() -> None:
    target = ring("white", START)[0]
    table = play(moving("white"), f"move(space={target})")
    assert [one["space"] for one in look(table)["seats"]] == [target, ship("England")]


# Skipping


def test_one_two_or_three_spaces_are_skipped_for_as_many_points() -> None:
    table = moving("white")
    targets = ring("white", START)[:4]
    assert moves(table) == set(targets)
    assert [cost(table, target) for target in targets] == list(range(len(targets)))


def test_no_fourth_space_is_skipped() -> None:
    table = moving("white", points=40)
    assert moves(table) == set(ring("white", START)[:4])


@pytest.mark.parametrize("held", [0, 1, 2])
def test_only_points_one_has_are_paid(held: int) -> None:
    assert moves(moving("white", points=held)) == set(ring("white", START)[: held + 1])


def test_occupied_spaces_are_skipped_free_and_not_counted() -> None:
    first, second, third, *_ = ring("white", START)
    table = moving("white", others=(first,))
    assert (cost(table, second), cost(table, third)) == (0, 1)
    between = moving("white", others=(second,))
    assert (cost(between, first), cost(between, third)) == (0, 1)


def test_spaces_of_other_colours_do_not_count() -> None:
    table = moving("blue")
    first, second, *_ = ring("blue", START)
    assert (cost(table, first), cost(table, second)) == (0, 1)


def test_skipped_points_are_paid_at_once() -> None:
    second = ring("white", START)[1]
    table = play(moving("white", points=5), f"move(space={second})")
    assert points(table)[0] == 4


# No full lap


def test_the_disk_may_not_land_where_it_started() -> None:
    table = moving("white", start=WHITES[0])
    assert moves(table) == set(WHITES[1:5])
    assert refused(table, f"move(space={WHITES[0]})")


def test_nor_may_it_pass_its_start() -> None:
    start, first, second, *rest = [WHITES[1], *ring("white", WHITES[1])]
    table = moving("white", start=start, others=(first,))
    assert moves(table) == {second, *rest[:3]}
    assert cost(table, second) == 0


def test_the_rulebooks_example_of_white_spaces() -> None:
    """White 1, an occupied space, white 2 with cloth, then home: two points of skipping are forbidden."""
    cloth = space("GOOD_OR_SELL:cloth", "white")
    start = ring("white", cloth)[0]
    one, occupied, two, *rest = ring("white", start)
    assert two == cloth
    assert rest == []
    table = moving("white", start=start, others=(occupied,))
    assert moves(table) == {one, two}
    assert (cost(table, one), cost(table, two)) == (0, 1)


def test_in_the_rulebooks_example_purple_leads_to_the_ship_of_spain() -> None:
    start = ring("white", space("GOOD_OR_SELL:cloth", "white"))[0]
    table = moving("white", "purple", start=start, points=0, others=(ship("England"),))
    assert moves(table) == {ring("white", start)[0], ship("Spain")}


# Forced


def test_with_a_free_die_one_must_move() -> None:
    assert all(action.startswith("move(") for action in asked(moving("white", "blue")))


def test_without_a_free_die_one_may_not_move() -> None:
    me = seat(rolled="purple2", prison=imprisoned("purple"))
    table = position(me, seat(), phase="recruit", face_up={"Spain": character("GOOD:ore", "Spain")})
    before = seat_of(table)["space"]
    table = go_on(play(table, "recruit(die=purple, country=Spain)", "skip()"), "window", "track")
    assert (phase(table), look(table)["point"]) == ("window", "end")
    assert seat_of(table)["space"] == before


def test_a_die_all_of_whose_spaces_are_occupied_cannot_move() -> None:
    ships = spaces(colour="purple")
    if len(ships) != 4:
        pytest.skip("more ship spaces than disks")
    table = position(
        *[seat(space=ship(country), prison=imprisoned("purple", "white")) for country in COUNTRIES],
        phase="track",
    )
    assert {colour_of(target) for target in moves(table)} == {"white"}


def test_if_no_die_can_move_there_is_no_move() -> None:
    ships = spaces(colour="purple")
    if len(ships) != 4:
        pytest.skip("more ship spaces than disks")
    seats = [seat(space=ship(country), prison=imprisoned("purple")) for country in COUNTRIES]
    table = position(*seats, phase="recruit")
    after = play(table, "decline()")
    assert (phase(after), look(after)["point"], points(after)[0]) == ("window", "end", 9)


def test_the_die_that_moved_stays_free_and_is_rolled_next_year() -> None:
    table = play(moving("white"), f"move(space={ring('white', START)[0]})")
    while (look(table)["year"], look(table)["turn"], phase(table)) != (4, 0, "roll_dice"):
        table = go_on(table, "roll_dice")
    assert next(iter(outcomes(table))) == "roll_die(year=4, seat_die=white0, face=1)"


# The space


def test_the_spaces_action_may_be_used_or_not() -> None:
    target = space("VP")
    before = ring(colour_of(target), target)[-1]
    table = play(moving(colour_of(target), start=before), f"move(space={target})")
    assert (phase(table), look(table)["point"], look(table)["space"]) == ("use_space", "space", target)
    assert asked(table) == [f"use_space(space={target})", "skip()"]
    assert points(play(table, f"use_space(space={target})"))[0] == 12
    assert points(play(table, "skip()"))[0] == 10


def test_an_action_without_effect_is_passed_over() -> None:
    # A ship of a country without an own house, in a game of four, where it brings no stone.
    around = ring("", START)
    me = seat(space=around[-1], prison=imprisoned("purple"), cloth=2, wine=2, ore=2, book=2)
    table = position(me, *[seat(space=where) for where in around[:3]], phase="track")
    assert look(play(table, f"move(space={START})"))["point"] == "end"


def test_after_the_space_the_half_turn_ends() -> None:
    table = play(moving("white"), f"move(space={ring('white', START)[0]})")
    if phase(table) == "use_space":
        table = play(table, "skip()")
    assert (phase(table), look(table)["point"], look(table)["space"]) == ("window", "end", "")


# TRACK_NEXT


def next_used(start: str, *others: str) -> State:
    """A character of seat 0 moves his disk, in the first half."""
    card = character("TRACK_NEXT")
    seats = [seat(space=where) for where in others] or [seat(space=ring("", start)[-1])]
    table = position(seat(space=start, row=f"{card}=white3"), *seats, phase="use_card")
    return play(table, f"use_card(card={card})")


def test_track_next_moves_to_the_next_space_of_any_colour() -> None:
    for start in of("space"):
        assert seat_of(next_used(start))["space"] == ring("", start)[0]


def test_track_next_passes_occupied_spaces() -> None:
    one, two, three, *_ = ring("", START)
    assert seat_of(next_used(START, one, two))["space"] == three


def test_track_next_costs_nothing() -> None:
    one = ring("", START)[0]
    assert points(next_used(START, one))[0] == 10


def test_the_space_reached_by_track_next_may_be_used_or_not() -> None:
    target = space("VP")
    table = next_used(ring("", target)[-1], ring("", target)[3])
    assert (phase(table), look(table)["acting"]) == ("landed", target)
    assert legal(table) == [f"use_space(space={target})", "skip()"]
    used = play(table, f"use_space(space={target})")
    assert (points(used)[0], look(used)["point"]) == (12, "end")
    assert points(play(table, "skip()"))[0] == 10


def test_track_next_uses_no_die() -> None:
    table = next_used(START)
    assert row(table) == f"{character('TRACK_NEXT')}=white3"
    assert seat_of(table)["faces"] == [3, 0, 0, 0, 0]


def test_the_track_move_follows_from_where_track_next_led() -> None:
    me = seat(space=START, tiles="next_space", prison=imprisoned("white"))
    table = position(me, seat(space=ship("France")), phase="track")
    table = play(table, "play(tile=next_space)")
    if phase(table) == "landed":
        table = play(table, "skip()")
    reached = ring("", START)[0]
    assert moves(table) == set(ring("white", reached)[:4])
