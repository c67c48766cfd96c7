"""A Column of Fire: each option with both values."""

import pytest

from kingsbridge.pyengine import OptionError, State
from tests.rules.column.cards import (
    COUNTRIES,
    GAME,
    character,
    country_of,
    events,
    ship,
)
from tests.rules.column.position import (
    View,
    asked,
    deal,
    first_half,
    flip,
    flipping,
    free,
    houses,
    imprisoned,
    legal,
    look,
    outcomes,
    phase,
    play,
    points,
    position,
    seat,
    seat_of,
    stones,
    turn_end,
)

GAIN = character("VP:2")


def refusal(**options: int) -> OptionError:
    with pytest.raises(OptionError) as caught:
        State.initial(GAME, 2, options)
    return caught.value


# Values


@pytest.mark.parametrize("years", [0, 31])
def test_years_are_one_to_thirty(years: int) -> None:
    assert "max_years" in str(refusal(max_years=years))


def test_flags_are_zero_or_one() -> None:
    for name in State.initial(GAME, 2).options:
        if name != "max_years":
            assert name in str(refusal(**{name: 2}))


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    with pytest.raises(OptionError):
        State.initial(GAME, players)


def test_options_are_seen_by_all() -> None:
    chosen = {"max_years": 7, "exhausted_fee": 1, "free_actions": 0}
    seen = look(State.initial(GAME, 2, chosen))
    assert (seen["max_years"], seen["exhausted_fee"], seen["free_actions"]) == (7, True, False)


# max_years


@pytest.mark.parametrize(("years", "over"), [(3, True), (4, False)])
def test_max_years_ends_the_game_after_that_year(years: int, over: bool) -> None:
    table = turn_end(seat(), seat(), turn=1, year=3, max_years=years)
    assert play(table, "pass()").is_terminal is over


def test_a_game_of_one_year_has_two_halves() -> None:
    table = deal(2, dice="43", max_years=1)
    halves = set()
    while not table.is_terminal:
        halves.add((look(table)["year"], look(table)["half"]))
        actions = [*outcomes(table), *legal(table)]
        table = play(table, "decline()" if "decline()" in actions else actions[0])
    assert halves == {(1, 1), (1, 2)}


# free_actions


def test_without_windows_a_half_turn_passes_to_its_first_question() -> None:
    table = position(
        seat(points=20, tiles="any_good", prison="blue2", row=f"{GAIN}=white3"),
        seat(points=20),
        phase="use_card",
        free_actions=0,
    )
    # No window at the end of this half-turn nor at the start of the next: seat 1's half passes unseen too.
    after = play(table, "skip()")
    assert (phase(after), look(after)["half"], look(after)["turn"]) == ("roll_dice", 2, 0)


def test_without_windows_free_actions_are_offered_at_the_questions() -> None:
    me = seat(tiles="any_good", prison="blue2", row=f"{GAIN}=white3")
    expected = ["play(tile=any_good)", "pay(die=white)", "pay(die=blue)", "pay(die=black)"]
    for windows in (0, 1):
        assert free(position(me, seat(), phase="use_card", free_actions=windows)) == expected
        assert free(position(me, seat(), phase="track", free_actions=windows)) == expected


def test_with_windows_the_end_of_the_half_turn_is_asked() -> None:
    table = position(seat(row=f"{GAIN}=white3"), seat(), phase="use_card")
    assert (phase(play(table, "skip()")), look(play(table, "skip()"))["point"]) == ("window", "end")


# exhausted_fee


@pytest.mark.parametrize(("fee", "before", "after"), [(0, 10, 10), (1, 10, 9), (0, 0, 0), (1, 0, 0)])
def test_the_die_of_an_exhausted_country_may_cost_a_point(fee: int, before: int, after: int) -> None:
    me = seat(points=before, rolled="white2", prison=imprisoned("white"))
    table = position(me, seat(), phase="recruit", face_up={"England": ""}, exhausted_fee=fee)
    table = play(table, "recruit(die=white, country=England)")
    assert (points(table)[0], houses(table, "England")) == (after, [2, 0])


def test_the_fee_is_taken_before_the_question_of_the_house() -> None:
    me = seat(rolled="white5", prison=imprisoned("white"), houses="England2")
    table = position(me, seat(), phase="recruit", face_up={"England": ""}, exhausted_fee=1)
    table = play(table, "recruit(die=white, country=England)")
    assert (phase(table), points(table)[0]) == ("house", 9)


def test_a_country_with_cards_costs_no_fee() -> None:
    me = seat(rolled="white2", prison=imprisoned("white"))
    table = position(me, seat(), phase="recruit", exhausted_fee=1)
    assert points(play(table, "recruit(die=white, country=England)"))[0] == 10


# turned_minority


@pytest.mark.parametrize(("checks", "after"), [(1, 11), (0, 10)])
def test_an_action_that_turns_the_religion_die_down_may_check_the_minority(checks: int, after: int) -> None:
    card = character("DIE_PM1")
    seats = (seat(row=f"{card}=white3"), seat(religion="protestant"))
    table = position(*seats, phase="use_card", turned_minority=checks)
    table = play(table, f"use_card(card={card})")
    assert points(play(table, "turn_down(die=black)"))[0] == after
    assert points(play(table, "turn_up(die=black)"))[0] == 10


@pytest.mark.parametrize("checks", [0, 1])
def test_the_yearly_turn_and_a_roll_check_the_minority_anyway(checks: int) -> None:
    seats = (seat(), seat(religion="protestant"))
    table = first_half(*seats, turned_minority=checks)
    assert points(table) == [11, 10]
    table = play(table, "pay(die=black)", "roll_religion(year=3, seat=0, face=3)", "keep()")
    assert points(table) == [9, 10]


# events_from_start


@pytest.mark.parametrize(("from_start", "order"), [(0, [1, 2, 0]), (1, [2, 0, 1])])
def test_the_seats_of_an_event_are_asked_from_the_turn_or_from_the_start_player(
    from_start: int, order: list[int]
) -> None:
    card = events("PROTECTION_FOR_VP")[0]
    seats: list[View] = [seat(protection=1)] * 3
    table = flipping(country_of(card), *seats, turn=1, start_player=2, events_from_start=from_start)
    table, movers = flip(table, card), []
    while phase(table) == "event":
        movers.append(table.current_player)
        table = play(table, "skip()")
    assert movers == order


# full_recruit


def full(country: str, *dice: str, recruits: int, held: int = 10) -> State:
    """A country is full in the middle of seat 0's turn."""
    me = seat(points=held, rolled=" ".join(f"{die}4" for die in dice), prison=imprisoned(*dice))
    return position(me, seat(), phase="recruit", stones={country: "CPN"}, full_recruit=recruits)


def test_a_full_country_may_be_named() -> None:
    wild = [f"recruit(die=purple, country={country})" for country in COUNTRIES]
    assert asked(full("France", "purple", recruits=1)) == [*wild, "decline()"]


def test_or_may_not_be_named() -> None:
    wild = [f"recruit(die=purple, country={country})" for country in COUNTRIES if country != "France"]
    assert asked(full("France", "purple", recruits=0)) == [*wild, "decline()"]
    table = full("France", "blue", "brown", recruits=0)
    assert asked(table) == ["recruit(die=brown, country=Spain)", "decline()"]


def test_who_could_recruit_only_in_full_countries_is_then_unable() -> None:
    me = seat(tiles="religion", rolled="blue4 white4", prison=imprisoned("blue", "white"))
    table = position(me, seat(), phase="recruit", stones={"France": "CPN", "England": "CP"}, full_recruit=0)
    table = play(table, "play(tile=religion)", "place(stone=catholic, country=England)")
    # England is full now too: the point is lost, and both free dice may move.
    assert (points(table)[0], phase(table), stones(table, "England")) == (9, "track", "CCP")
    assert seat_of(table)["faces"] == [0, 0, 3, 3, 3]


def test_the_default_recruits_in_a_full_country_without_its_stone() -> None:
    table = play(full("France", "blue", recruits=1), "recruit(die=blue, country=France)")
    assert (stones(table, "France"), houses(table, "France")) == ("CPN", [4, 0])


# Players


@pytest.mark.parametrize(("players", "stone"), [(2, True), (3, True), (4, False)])
def test_the_number_of_players_decides_about_the_ships_stone(players: int, stone: bool) -> None:
    me = seat(space=ship("Spain"), houses="Spain3", ore=1)
    table = position(me, *[seat() for _ in range(players - 1)], phase="use_space")
    table = play(table, f"use_space(space={ship('Spain')})", "sell(pairs=ore_Spain)")
    assert (phase(table) == "ship_stone") is stone
