"""A Column of Fire: religious conflicts at the end of a half-turn."""

import pytest

from kingsbridge.pyengine import State
from tests.rules.column.cards import COUNTRIES, character, country_of, ring, ship
from tests.rules.column.position import (
    View,
    asked,
    first_half,
    houses,
    imprisoned,
    legal,
    look,
    phase,
    play,
    points,
    position,
    seat,
    seat_of,
    settle,
    stones,
    turn_end,
)


def ended(stones_: dict[str, str], *seats: View, **facts: object) -> State:
    """Seat 0 has ended his half-turn with these stones in the countries."""
    return play(turn_end(*seats, stones=stones_, **facts), "pass()")


def believers(*words: str, country: str = "Spain") -> list[View]:
    """Seats as religion and site: ``"C3"`` is a catholic with a house on site 3, ``"P"`` has none."""
    religion = {"C": "catholic", "P": "protestant"}
    return [
        seat(religion=religion[word[0]], houses=f"{country}{word[1]}" if word[1:] else "") for word in words
    ]


# When


@pytest.mark.parametrize("half", [1, 2])
def test_a_full_country_is_in_conflict_at_the_end_of_a_half_turn_of_either_half(half: int) -> None:
    table = ended({"Spain": "CCCP"}, *believers("C3", "P4", "C", "P"), half=half)
    assert (points(table), stones(table, "Spain")) == ([13, 10, 10, 10], "")


def test_until_the_end_of_the_half_turn_a_full_country_is_only_pending() -> None:
    table = first_half(
        seat(houses="Spain5", row=f"{character('VP:2')}=white3"), seat(), stones={"Spain": "CCP"}
    )
    assert (stones(table, "Spain"), points(table)) == ("CCP", [10, 10])
    table = play(table, "skip()")
    assert stones(table, "Spain") == "CCP"
    assert (stones(play(table, "pass()"), "Spain"), points(play(table, "pass()"))) == ("", [15, 10])


def test_a_country_with_a_free_space_is_not_in_conflict() -> None:
    table = ended({"Spain": "CCC"}, *believers("C3", "P4", "C", "P"))
    assert (stones(table, "Spain"), houses(table, "Spain")) == ("CCC", [3, 4, 0, 0])


@pytest.mark.parametrize(("players", "full"), [(2, "CCP"), (3, "CCPP"), (4, "CCPP")])
def test_four_spaces_are_to_be_filled_and_three_with_two_players(players: int, full: str) -> None:
    seats = [seat() for _ in range(players)]
    assert stones(ended({"Spain": full}, *seats), "Spain") == ""
    assert stones(ended({"Spain": full[1:]}, *seats), "Spain") == full[1:]


def test_a_stone_removed_before_the_end_prevents_the_conflict() -> None:
    card = character("RELIGION")
    table = first_half(
        seat(houses="Spain5", row=f"{card}=white3"), seat(religion="catholic"), stones={"Spain": "CCP"}
    )
    table = play(table, f"use_card(card={card})", "remove(stone=protestant, country=Spain)", "pass()")
    assert (stones(table, "Spain"), points(table)) == ("CC", [10, 10])


def test_the_conflict_comes_after_the_track_action() -> None:
    # With 2 points and no tile no window is shown: the conflict follows the space at once.
    card = character("GOOD", stone="catholic")
    country = country_of(card)
    me = seat(points=2, rolled="purple5", prison=imprisoned("purple", "white"))
    table = position(me, seat(), phase="recruit", face_up={country: card}, stones={country: "CN"})
    table = settle(play(table, f"recruit(die=purple, country={country})", "skip()"))
    assert (phase(table), stones(table, country), points(table)) == ("track", "CCN", [2, 10])
    where = ring("white", ship("England"))[0]
    table = play(table, f"move(space={where})")
    if phase(table) == "use_space":
        assert (stones(table, country), points(table)) == ("CCN", [2, 10])
        table = play(table, "skip()")
    assert (look(table)["turn"], stones(table, country), points(table)) == (1, "", [7, 10])


# Who wins


@pytest.mark.parametrize(
    ("filled", "gains", "left"),
    [
        ("CCCC", [2, 0, 4, 0], [2, 0, 4, 0]),
        ("CCCP", [2, 0, 4, 0], [2, 0, 4, 0]),
        ("CCPN", [2, 0, 4, 0], [2, 0, 4, 0]),
        ("CNNN", [2, 0, 4, 0], [2, 0, 4, 0]),
        ("PPPC", [0, 3, 0, 6], [0, 3, 0, 6]),
        ("PNNN", [0, 3, 0, 6], [0, 3, 0, 6]),
        ("CCPP", [0, 0, 0, 0], [2, 3, 4, 6]),
        ("CPNN", [0, 0, 0, 0], [2, 3, 4, 6]),
        ("NNNN", [0, 0, 0, 0], [2, 3, 4, 6]),
    ],
)
def test_the_majority_gains_its_site_and_the_minority_loses_its_house_and_a_tie_changes_nothing(
    filled: str, gains: list[int], left: list[int]
) -> None:
    table = ended({"Spain": filled}, *believers("C2", "P3", "C4", "P6"))
    assert points(table) == [10 + gain for gain in gains]
    assert houses(table, "Spain") == left
    assert stones(table, "Spain") == ""


@pytest.mark.parametrize(
    ("filled", "gains", "left"),
    [
        ("CCP", [5, 0], [5, 0]),
        ("PPC", [0, 2], [0, 2]),
        ("CNN", [5, 0], [5, 0]),
        ("CPN", [0, 0], [5, 2]),
        ("NNN", [0, 0], [5, 2]),
    ],
)
def test_with_two_players_three_stones_decide(filled: str, gains: list[int], left: list[int]) -> None:
    table = ended({"Spain": filled}, *believers("C5", "P2"))
    assert points(table) == [10 + gain for gain in gains]
    assert (houses(table, "Spain"), stones(table, "Spain")) == (left, "")


def test_neutral_stones_do_not_count() -> None:
    table = ended({"Spain": "NNNP"}, *believers("C5", "P2", "C", "C"))
    assert (points(table), houses(table, "Spain")) == ([10, 12, 10, 10], [0, 2, 0, 0])


def test_players_without_a_house_there_are_not_affected() -> None:
    seats = believers("C", "P4", country="France")
    table = ended({"Spain": "CCP"}, *seats)
    assert (points(table), houses(table, "France")) == ([10, 10], [0, 4])


def test_only_houses_of_the_country_in_conflict_are_lost() -> None:
    seats = [seat(), seat(religion="protestant", houses="England2 France3 Spain4")]
    table = ended({"Spain": "CCP"}, *seats)
    assert seat_of(table, 1)["houses"] == [2, 3, 0, 0]


def test_all_players_of_a_religion_win_together() -> None:
    table = ended({"Spain": "CCCP"}, *believers("C1", "C2", "C6", "P5"))
    assert points(table) == [11, 12, 16, 10]
    assert houses(table, "Spain") == [1, 2, 6, 0]


def test_the_religion_of_the_moment_counts() -> None:
    table = position(
        seat(religion_die=1, houses="Spain6"),
        seat(),
        phase="window",
        point="start",
        half=1,
        stones={"Spain": "PPC"},
    )
    table = play(table, "pass()", "roll_religion(year=3, seat=0, face=3)")
    changed = play(table, "change()", "pass()")
    # One point for being alone, six for the site.
    assert (points(changed), houses(changed, "Spain")) == ([17, 10], [6, 0])
    kept = play(table, "keep()", "pass()")
    assert (points(kept), houses(kept, "Spain")) == ([10, 10], [0, 0])


def test_protection_tiles_do_not_protect_houses() -> None:
    seats = believers("C3", "P4")
    seats[1] = seats[1] | {"protection": 3}
    table = ended({"Spain": "CCP"}, *seats)
    assert (houses(table, "Spain"), seat_of(table, 1)["protection"]) == ([3, 0], 3)


def test_the_stones_of_other_countries_stay() -> None:
    table = ended({"Spain": "CCP", "France": "CP"}, *believers("C3", "P4"))
    assert (stones(table, "Spain"), stones(table, "France")) == ("", "CP")


def test_after_a_conflict_stones_can_be_placed_again() -> None:
    table = ended({"Spain": "NNN"}, seat(), seat(tiles="place_neutral"))
    assert look(table)["turn"] == 1
    table = play(table, "play(tile=place_neutral)")
    assert "place(stone=neutral, country=Spain)" in legal(table)


# Several at once


def test_of_several_conflicts_the_active_player_chooses_the_order() -> None:
    full = {"England": "CCP", "France": "PPC", "Spain": "CPN"}
    table = ended(full, seat(houses="England6"), seat(religion="protestant", houses="France5"))
    assert (phase(table), table.current_player, look(table)["point"]) == ("conflict", 0, "conflicts")
    assert legal(table) == [f"resolve(country={country})" for country in ("England", "France", "Spain")]
    table = play(table, "resolve(country=France)")
    assert (points(table), stones(table, "France")) == ([10, 15], "")
    assert legal(table) == ["resolve(country=England)", "resolve(country=Spain)"]
    # The last one needs no choice.
    table = play(table, "resolve(country=Spain)")
    assert (points(table), look(table)["turn"]) == ([16, 15], 1)
    assert [stones(table, country) for country in COUNTRIES] == ["", "", "", ""]


def test_the_player_whose_turn_it_is_chooses() -> None:
    full = {"England": "CCPP", "France": "PPCC"}
    table = ended(full, seat(), seat(), seat(), turn=1, start_player=2)
    assert table.current_player == 1


def test_no_free_action_comes_between_conflicts() -> None:
    table = ended({"England": "CCP", "France": "PPC"}, seat(tiles="religion any_good"), seat())
    assert legal(table) == asked(table) == ["resolve(country=England)", "resolve(country=France)"]


def test_one_conflict_alone_needs_no_choice() -> None:
    table = ended({"England": "CCP"}, seat(), seat())
    assert (look(table)["turn"], phase(table)) == (1, "window")


# Filled by a recruit


def test_the_stone_that_fills_a_country_may_be_a_recruits() -> None:
    card = character("GOOD", stone="catholic")
    country = country_of(card)
    me = seat(houses=f"{country}6", rolled="purple1", prison=imprisoned("purple"))
    table = position(me, seat(), phase="recruit", face_up={country: card}, stones={country: "CP"})
    table = play(table, f"recruit(die=purple, country={country})", "skip()")
    table = play(table, next(one for one in flips(table)))
    assert (stones(table, country), points(table)) == ("CCP", [10, 10])
    table = play(table, "pass()")
    assert (stones(table, country), points(table)) == ("", [16, 10])


def flips(table: State) -> list[str]:
    """The characters that may be flipped."""
    country = look(table)["flipping"]
    unseen = look(table)["countries"][COUNTRIES.index(country)]["unseen"]
    return [f"flip(card={card})" for card in unseen]
