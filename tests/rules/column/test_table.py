"""A Column of Fire: what holds at every step of whole games, with all options."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from kingsbridge.pyengine import CHANCE, State, describe
from tests.rules.column.cards import BOX, COUNTRIES, DICE, GAME, TILES, deck
from tests.rules.column.position import View, look

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
EMPTY = {"flipping": "", "event": "", "die": "", "country": "", "space": "", "acting": "", "stones": []}
"""Fields that say something only while a procedure runs, and what they are when none does."""


def games(players: int, count: int = 5) -> Iterator[tuple[State, View]]:
    """All nodes of some random games, each with its own options."""
    for seed in range(count):
        random = Random(seed * 10 + players)
        options = {one.name: random.randint(one.min, one.max) for one in describe(GAME).options}
        options["max_years"] = random.randint(4, 16)
        state = State.initial(GAME, players, options)
        yield state, look(state)
        while not state.is_terminal:
            outcomes = state.chance_outcomes()
            if outcomes:
                event, _ = random.choices(outcomes, [weight for _, weight in outcomes])[0]
            else:
                event = random.choice(state.legal_actions())
            state.apply(event)
            yield state, look(state)


@PLAYERS
def test_counts_stay_within_their_bounds(players: int) -> None:
    for _, seen in games(players):
        assert 0 <= seen["year"] <= seen["max_years"]
        for country in seen["countries"]:
            assert min(country["stones"]) >= 0
            assert sum(country["stones"]) <= (3 if players == 2 else 4)
        for one in seen["seats"]:
            assert min(one["points"], one["protection"], one["held"], *one["goods"]) >= 0
            assert 0 <= one["religion_die"] <= 5
            assert all(0 <= site <= 6 for site in one["houses"])
            assert all(0 <= face <= 6 for face in one["faces"])


@PLAYERS
def test_no_site_and_no_space_holds_two(players: int) -> None:
    for _, seen in games(players):
        for number in range(len(COUNTRIES)):
            sites = [one["houses"][number] for one in seen["seats"] if one["houses"][number]]
            assert len(sites) == len(set(sites))
        disks = [one["space"] for one in seen["seats"] if one["space"]]
        assert len(disks) == len(set(disks))


@PLAYERS
def test_every_die_is_in_one_place_and_shows_a_face_on_every_card(players: int) -> None:
    for _, seen in games(players):
        for number, one in enumerate(seen["seats"]):
            dice = [place["die"] for place in one["row"]] + one["prison"]
            assert len(dice) == len(set(dice))
            faces = dict(zip(DICE, one["faces"], strict=True))
            assert all(faces[die] for die in dice)
            rolled = {die for die, face in faces.items() if face} - set(dice)
            assert not rolled or (seen["point"] == "recruit" and seen["turn"] == number)


@PLAYERS
def test_no_card_is_in_two_places_and_none_comes_back(players: int) -> None:
    gone: set[str] = set()
    for state, seen in games(players):
        if seen["phase"] == "start":
            gone = set()
        cards = [card for country in seen["countries"] for card in country["unseen"]]
        cards += [country["face_up"] for country in seen["countries"] if country["face_up"]]
        cards += [place["card"] for one in seen["seats"] for place in one["row"]]
        cards += [seen["event"]] * bool(seen["event"])
        assert len(cards) == len(set(cards))
        assert not gone & set(cards)
        gone |= {card for country in COUNTRIES for card in deck(country)} - set(cards)
        assert state.is_terminal or seen["phase"] != "over"


@PLAYERS
def test_tiles_are_hidden_or_played_and_those_of_points_stay(players: int) -> None:
    for _, seen in games(players):
        box = Counter({tile: BOX[tile].copies for tile in TILES})
        if seen["seed_tiles"]:
            box = Counter({"vp1": 12, "vp2": 11, "vp3": 5})
        unseen = Counter(dict(zip(TILES, seen["unseen_tiles"], strict=True)))
        if seen["phase"] == "over":
            for one in seen["seats"]:
                unseen.update(dict(zip(TILES, one["tiles"], strict=True)))
        assert all(unseen[tile] == box[tile] for tile in ("vp1", "vp2", "vp3"))
        assert all(unseen[tile] <= box[tile] for tile in TILES)
        assert sum(one["held"] for one in seen["seats"]) <= sum(box.values())


@PLAYERS
def test_the_end_once_come_is_never_taken_back(players: int) -> None:
    ending, year = False, 0
    for _, seen in games(players):
        if seen["phase"] == "start":
            ending = False
        assert seen["ending"] or not ending
        assert not ending or seen["year"] == year
        ending, year = seen["ending"], seen["year"]
        assert ending or all(one["points"] < 50 for one in seen["seats"])


@PLAYERS
def test_nothing_of_a_procedure_is_left_at_a_window_or_at_a_question_of_the_half_turn(players: int) -> None:
    for _, seen in games(players):
        if seen["phase"] in ("window", "recruit", "track", "conflict", "over"):
            assert {field: seen[field] for field in EMPTY} == EMPTY
            assert seen["cursor"] == 0
        if seen["phase"] == "over":
            assert not seen["event_done"]
            assert seen["sold"] == [False] * 8


@PLAYERS
def test_only_the_seat_whose_turn_it_is_decides_but_at_events(players: int) -> None:
    for state, seen in games(players):
        if state.current_player >= 0:
            assert seen["mover"] == state.current_player
            assert seen["phase"] == "event" or seen["mover"] == seen["turn"]
        else:
            assert seen["mover"] == 0
        assert state.is_chance == (state.current_player == CHANCE)


@PLAYERS
def test_full_countries_are_resolved_before_the_next_half_turn(players: int) -> None:
    capacity, last = (3 if players == 2 else 4), (0, 0, 0)
    for _, seen in games(players):
        here = (seen["year"], seen["half"], seen["turn"])
        if here != last and seen["phase"] in ("window", "roll_dice", "use_card", "roll_religion"):
            assert all(sum(country["stones"]) < capacity for country in seen["countries"])
        last = here
