"""A Column of Fire: the game laid out, for two, three and four players."""

import pytest

from kingsbridge.pyengine import CHANCE, State
from tests.rules.column.cards import (
    COUNTRIES,
    GAME,
    GOODS,
    STONES,
    attributes,
    characters,
    deck,
    domain,
    events,
    of,
    ship,
)
from tests.rules.column.position import (
    deal,
    flip,
    go_on,
    look,
    outcomes,
    phase,
    play,
    points,
    quiet,
    seat_of,
)

CARDS = of("loch_leven")


def religion(card: str) -> str:
    return STONES[attributes(card)["religion"]]


def good(card: str) -> str:
    return GOODS[attributes(card)["good"]]


def start_space(card: str) -> str:
    return ship(COUNTRIES[attributes(card)["ship"]])


def dealt(players: int = 2, *cards: str) -> State:
    """The game after its first player is known and these Loch Leven cards are dealt."""
    after = play(State.initial(GAME, players), "start(seat=0)")
    return play(after, *[f"deal(seat={number}, loch_leven={card})" for number, card in enumerate(cards)])


def rolled(players: int = 2) -> State:
    """The game before the first card is flipped."""
    cards = ["L1", "L3", "L2", "L4"][:players]
    rolls = [f"roll_religion(year=0, seat={number}, face=3)" for number in range(players)]
    return play(dealt(players, *cards), *rolls)


# Start player and Loch Leven cards


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_player_may_begin_with_equal_chance(players: int) -> None:
    box = State.initial(GAME, players)
    assert box.current_player == CHANCE
    assert outcomes(box) == {f"start(seat={number})": 1 for number in range(players)}


@pytest.mark.parametrize("players", [3, 4])
def test_each_player_is_dealt_one_of_the_cards_left(players: int) -> None:
    table = dealt(players)
    assert outcomes(table) == {f"deal(seat=0, loch_leven={card})": 1 for card in CARDS}
    left = [card for card in CARDS if card != "L2"]
    assert outcomes(dealt(players, "L2")) == {f"deal(seat=1, loch_leven={card})": 1 for card in left}


def test_three_players_may_all_be_dealt_what_is_left_whatever_the_religions() -> None:
    table = dealt(3, "L1", "L2")
    assert outcomes(table) == {f"deal(seat=2, loch_leven={card})": 1 for card in ("L3", "L4")}


@pytest.mark.parametrize("first", CARDS)
def test_two_players_are_dealt_different_religions(first: str) -> None:
    others = [card for card in CARDS if religion(card) != religion(first)]
    assert len(others) == 2
    assert outcomes(dealt(2, first)) == {f"deal(seat=1, loch_leven={card})": 1 for card in others}


@pytest.mark.parametrize("card", CARDS)
def test_the_card_gives_religion_one_good_one_protection_tile_and_the_start_space(card: str) -> None:
    one = seat_of(dealt(4, card))
    assert one["religion"] == religion(card)
    assert one["goods"] == [int(each == good(card)) for each in GOODS]
    assert one["protection"] == 1
    assert one["space"] == start_space(card)


def test_the_rulebooks_card_is_protestant_with_ore_and_the_white_ship() -> None:
    assert "L1" in [card for card in CARDS if (religion(card), good(card)) == ("protestant", "ore")]
    assert start_space("L1") == ship("England")


def test_players_begin_with_two_points_and_no_house_card_or_tile() -> None:
    for one in look(deal(4))["seats"]:
        assert one["houses"] == [0, 0, 0, 0]
        assert (one["row"], one["prison"], one["held"]) == ([], [], 0)
    assert points(rolled(4)) == [2, 2, 2, 2]


# Religion dice


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_player_rolls_the_religion_die_with_two_threes_and_no_six(players: int) -> None:
    table = dealt(players, *["L1", "L3", "L2", "L4"][:players])
    for number in range(players):
        faces = [1, 1, 2, 1, 1]
        assert outcomes(table) == {
            f"roll_religion(year=0, seat={number}, face={face})": weight
            for face, weight in enumerate(faces, 1)
        }
        table = play(table, f"roll_religion(year=0, seat={number}, face={number + 1})")
    assert [one["religion_die"] for one in look(table)["seats"]] == [1, 2, 3, 4][:players]


def test_the_first_religion_roll_brings_no_choice_and_no_point() -> None:
    table = rolled()
    assert (phase(table), points(table)) == ("first_flip", [2, 2])


def test_the_other_five_dice_are_free() -> None:
    assert [one["faces"] for one in look(rolled(3))["seats"]] == [[0, 0, 0, 0, 0]] * 3


# Decks and tiles


def test_the_decks_are_flipped_in_the_order_of_the_countries() -> None:
    table = rolled()
    for country in COUNTRIES:
        assert look(table)["flipping"] == country
        assert outcomes(table) == {f"flip(card={card})": 1 for card in deck(country)}
        table = flip(table, characters(country=country)[0])
    assert look(table)["flipping"] == ""


@pytest.mark.parametrize("event", events(country="England"))
def test_an_event_flipped_at_setup_leaves_the_game_without_effect(event: str) -> None:
    table = rolled()
    after = flip(table, event)
    assert look(after)["seats"] == look(table)["seats"]
    assert not look(after)["event_done"]
    assert look(after)["event"] == ""
    assert outcomes(after) == {f"flip(card={card})": 1 for card in deck("England") if card != event}


def test_flipping_at_setup_goes_on_until_a_character_shows() -> None:
    one, two, three, four = events(country="England")
    shown = characters(country="England")[4]
    table = flip(rolled(), two, one, four, three)
    assert list(outcomes(table)) == [f"flip(card={card})" for card in characters(country="England")]
    england = look(flip(table, shown))["countries"][0]
    assert england["face_up"] == shown
    assert england["unseen"] == [card for card in characters(country="England") if card != shown]


def test_each_country_shows_one_character_and_has_no_stone_on_its_spaces() -> None:
    shown = [characters(country=country)[5] for country in COUNTRIES]
    table = look(deal(shown=shown))
    assert [country["face_up"] for country in table["countries"]] == shown
    assert [country["stones"] for country in table["countries"]] == [[0, 0, 0]] * 4
    assert [len(country["unseen"]) for country in table["countries"]] == [16] * 4


def test_all_twenty_eight_advantage_tiles_are_in_the_stacks() -> None:
    unseen = look(deal())["unseen_tiles"]
    assert sum(unseen) == 28
    assert unseen[:3] == [5, 5, 2]


# The first year


def test_the_first_year_begins_with_the_first_half_of_the_start_player() -> None:
    # All show 1, so that the religion die of the start player is rolled.
    table = look(deal(4, start=2, dice="1111"))
    assert (table["year"], table["half"], table["start_player"], table["turn"]) == (1, 1, 2, 2)
    assert table["phase"] == "roll_religion"


def test_in_the_first_half_of_the_first_year_only_religion_dice_are_turned() -> None:
    # Two players of each religion: nobody is alone, and with 2 points no window is shown.
    table = deal(4, cards="L1 L3 L2 L4", dice="2345")
    assert (phase(table), look(table)["half"], look(table)["turn"]) == ("roll_dice", 2, 0)
    assert [one["religion_die"] for one in look(table)["seats"]] == [1, 2, 3, 4]
    assert points(table) == [2, 2, 2, 2]


def test_two_players_of_different_religion_both_earn_a_point_in_the_first_year() -> None:
    # With 3 points the end of the half-turn offers to buy a die.
    table = deal(2, dice="43")
    assert (phase(table), look(table)["point"], look(table)["turn"]) == ("window", "end", 0)
    assert (points(table), [one["religion_die"] for one in look(table)["seats"]]) == ([3, 2], [3, 3])
    table = play(table, "pass()")
    assert (points(table), [one["religion_die"] for one in look(table)["seats"]]) == ([3, 3], [3, 2])


# Years


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("start", [0, 1])
def test_in_each_half_all_play_clockwise_from_the_start_player_who_never_changes(
    players: int, start: int
) -> None:
    table = deal(players, start=start, max_years=3)
    turns: list[tuple[int, int, int]] = []
    while not table.is_terminal:
        seen = look(table)
        if not turns or turns[-1] != (seen["year"], seen["half"], seen["turn"]):
            turns.append((seen["year"], seen["half"], seen["turn"]))
        assert seen["start_player"] == start
        table = play(table, quiet(table))
    order = [(start + number) % players for number in range(players)]
    expected = [(year, half, number) for year in (1, 2, 3) for half in (1, 2) for number in order]
    # Half-turns without a decision or a roll pass unseen; those of the second half have a roll.
    assert [turn for turn in turns if turn[1] == 2] == [turn for turn in expected if turn[1] == 2]
    assert [turn for turn in expected if turn in turns] == turns


def test_a_half_turn_of_one_player_is_complete_before_the_next_begins() -> None:
    table = go_on(deal(3), "roll_dice")
    assert look(table)["turn"] == 0
    table = go_on(table, "track")
    assert look(table)["turn"] == 0
    assert look(go_on(table, "roll_dice"))["turn"] == 1


# The symbols


def test_the_domains_list_countries_goods_and_cards_as_the_box_does() -> None:
    assert domain("country") == COUNTRIES
    assert domain("good") == GOODS
    assert domain("stone") == STONES
    assert domain("card") == tuple(card for country in COUNTRIES for card in deck(country))
    assert domain("space") == tuple(of("space"))
    assert domain("loch_leven") == tuple(of("loch_leven"))
