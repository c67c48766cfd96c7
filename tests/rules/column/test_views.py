"""A Column of Fire: views from outside. A broken rule is refused, with the field that breaks it."""

import pytest

from kingsbridge.pyengine import InformationSet, Rng, State
from tests.rules.column.bases import BASES, ENGLAND, FRANCE, GAIN, Change, put, put_country, put_seat, refusal
from tests.rules.column.cards import GAME, events, ship
from tests.rules.column.position import deal, look, play, seat, state, view

BROKEN: dict[str, tuple[str, Change, str]] = {
    # Form
    "a field is missing": ("window", lambda table: table.pop("year"), "year"),
    "a seat lacks a field": ("window", lambda table: table["seats"][0].pop("points"), "seats[0].points"),
    "a country lacks a field": (
        "window",
        lambda table: table["countries"][2].pop("stones"),
        "countries[2].stones",
    ),
    "a card of a row lacks a field": (
        "window",
        lambda table: table["seats"][0]["row"][1].pop("die"),
        "seats[0].row[1].die",
    ),
    "a field is unknown": ("window", put(colour="red"), "colour"),
    "a seat has an unknown field": ("window", put_seat(2, colour="red"), "seats[2].colour"),
    "a number is a text": ("window", put(year="3"), "year"),
    "a number is vast": ("window", put(year=1 << 80), "year"),
    "a flag is a number": ("window", put(ending=3), "ending"),
    "a list is a text": ("window", put(stones="catholic"), "stones"),
    "goods are too few": ("window", put_seat(0, goods=[0, 0, 0]), "seats[0].goods"),
    "there are three countries": ("window", lambda table: table["countries"].pop(), "countries"),
    "the phase is unknown": ("window", put(phase="night"), "phase"),
    "the point is unknown": ("window", put(point="noon"), "point"),
    # Options and seats
    "there are five players": ("window", put(players=5), "players"),
    "there is one player": ("window", put(players=1), "players"),
    "there are fewer seats than players": ("window", put(players=4), "seats"),
    "there are more years than thirty": ("window", put(max_years=31), "max_years"),
    "there is no year": ("window", put(max_years=0), "max_years"),
    "the viewer has no seat": ("window", put(viewer=3), "viewer"),
    # The half-turn
    "the year is past the last": ("window", put(max_years=4), "year"),
    "the year is none": ("window", put(year=0), "year"),
    "the half is a third": ("window", put(half=3), "half"),
    "the half is none": ("window", put(half=0), "half"),
    "the track comes in a first half": ("track", put(half=1), "point"),
    "an action runs between the conflicts": ("captain", put(point="conflicts"), "point"),
    "the start player has no seat": ("window", put(start_player=3), "start_player"),
    "the turn is nobody's": ("window", put(turn=3), "turn"),
    "the mover has no seat": ("window", put(mover=3), "mover"),
    "a window is another's than the turn's": ("window", put(mover=0), "mover"),
    "a window stands in the middle of a half-turn": ("window", put(point="track"), "point"),
    "a recruit stands in the first half": ("recruit", put(half=1), "seats[0].faces"),
    "a card of the row is asked for in the second half": ("card", put(half=2), "point"),
    "a question stands at another point": ("track", put(point="space"), "space"),
    "a window of who has neither tile nor three points": (
        "pending",
        put_seat(0, points=2),
        "phase",
    ),
    # Cards
    "a card is unknown": ("window", put_country(0, face_up="CE14"), "countries[0].face_up"),
    "an event is face up": (
        "track",
        put_country(0, face_up=events(country="England")[0]),
        "countries[0].face_up",
    ),
    "a card of another country is face up": (
        "track",
        put_country(0, face_up=FRANCE[5]),
        "countries[0].face_up",
    ),
    "the face-up card is unseen too": (
        "track",
        lambda table: table["countries"][1]["unseen"].insert(0, table["countries"][1]["face_up"]),
        "countries[1].unseen",
    ),
    "a card of a row is unseen too": ("track", put_country(0, unseen=ENGLAND[1:]), "seats[0].row"),
    "an unseen card is listed twice": (
        "track",
        put_country(1, unseen=[FRANCE[1], FRANCE[1]]),
        "countries[1].unseen",
    ),
    "an unseen card is of another country": (
        "track",
        put_country(1, unseen=[ENGLAND[12]]),
        "countries",
    ),
    "a country shows no card though its deck has some": (
        "sold out",
        put_country(1, unseen=[FRANCE[1]]),
        "countries[1].face_up",
    ),
    "a card lies in two rows": (
        "window",
        lambda table: table["seats"][2]["row"][0].update(card=GAIN),
        "seats[2].row",
    ),
    "an event lies in a row": (
        "window",
        lambda table: table["seats"][2]["row"][0].update(card=events()[0]),
        "seats[2].row",
    ),
    # Dice
    "a die lies on two cards": (
        "window",
        lambda table: table["seats"][0]["row"][1].update(die="white"),
        "seats[0].row",
    ),
    "the religion die lies in a row": (
        "window",
        lambda table: table["seats"][0]["row"][1].update(die="black"),
        "seats[0].row",
    ),
    "a die lies in the row and on Loch Leven": ("window", put_seat(0, prison=["white"]), "seats[0].row"),
    "the religion die lies on Loch Leven": (
        "window",
        put_seat(1, prison=["orange", "black"]),
        "seats[1].prison",
    ),
    "a die on Loch Leven is listed twice": (
        "window",
        put_seat(1, prison=["orange", "orange"]),
        "seats[1].prison",
    ),
    "a die has no such face": ("window", put_seat(0, faces=[7, 1, 0, 0, 0]), "seats[0].faces"),
    "a die on a card shows nothing": ("window", put_seat(0, faces=[0, 1, 0, 0, 0]), "seats[0].faces"),
    "a free die shows a face outside recruiting": (
        "window",
        put_seat(0, faces=[3, 1, 0, 0, 2]),
        "seats[0].faces",
    ),
    "a religion die shows six": ("window", put_seat(0, religion_die=6), "seats[0].religion_die"),
    "a religion die shows nothing": ("window", put_seat(0, religion_die=0), "seats[0].religion_die"),
    # Seats
    "points are negative": ("window", put_seat(0, points=-1), "seats[0].points"),
    "goods are negative": ("window", put_seat(0, goods=[0, -1, 0, 0]), "seats[0].goods"),
    "protection is negative": ("window", put_seat(0, protection=-1), "seats[0].protection"),
    "a religion is unknown": ("window", put_seat(0, religion="neutral"), "seats[0].religion"),
    "a house stands on a seventh site": ("window", put_seat(0, houses=[7, 0, 0, 0]), "seats[0].houses"),
    "two houses stand on one site": ("window", put_seat(1, houses=[0, 0, 0, 5]), "seats[1].houses"),
    "two disks lie on one space": (
        "window",
        lambda table: table["seats"][1].update(space=table["seats"][0]["space"]),
        "seats[1].space",
    ),
    "a disk lies nowhere": ("window", put_seat(0, space=""), "seats[0].space"),
    "fifty points do not end the game": ("window", put_seat(0, points=50), "ending"),
    "there are a thousand points": (
        "window",
        lambda table: (table.update(ending=True), table["seats"][0].update(points=1000)),
        "seats[0].points",
    ),
    "there are 251 tiles of a good": ("window", put_seat(0, goods=[0, 0, 0, 251]), "seats[0].goods"),
    "there are 251 protection tiles": ("window", put_seat(0, protection=251), "seats[0].protection"),
    # Stones
    "a country has five stones": ("window", put_country(1, stones=[3, 2, 0]), "countries[1].stones"),
    "a country has four stones with two players": (
        "track",
        put_country(1, stones=[2, 2, 0]),
        "countries[1].stones",
    ),
    "stones are negative": ("window", put_country(1, stones=[-1, 0, 0]), "countries[1].stones"),
    # Tiles
    "a spectator sees tiles": ("window", put(viewer=-1), "seats[1].tiles"),
    "the tiles of another are seen": ("window", put(viewer=0), "seats[0].tiles"),
    "a seat holds fewer tiles than it knows": ("window", put_seat(1, held=1), "seats[1].tiles"),
    "more tiles are unseen than there are": (
        "window",
        put(unseen_tiles=[5, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2]),
        "unseen_tiles",
    ),
    "there is a third tile of a kind with two": (
        "window",
        put(unseen_tiles=[4, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2]),
        "unseen_tiles",
    ),
    "fewer tiles are unseen than the others hold": (
        "window",
        lambda table: (
            table["seats"][0].update(held=12),
            table.update(unseen_tiles=[4, 5, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
        ),
        "unseen_tiles",
    ),
    "a tile is drawn and the others hold all": ("draw", put_seat(1, held=28), "unseen_tiles"),
    "tiles of points have left the game": (
        "window",
        put(unseen_tiles=[4, 4, 2, 1, 2, 2, 2, 2, 2, 2, 2]),
        "unseen_tiles",
    ),
}


@pytest.mark.parametrize(("base", "change", "field"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_view_is_refused_with_its_field(base: str, change: Change, field: str) -> None:
    table = BASES[base]()
    change(table)
    error = refusal(table)
    assert error.args[1] == field, error
    assert error.args[2]


# What is accepted


@pytest.mark.parametrize("base", BASES)
def test_the_tables_of_these_tests_are_accepted(base: str) -> None:
    assert InformationSet.from_view(GAME, BASES[base]()).view() == BASES[base]()


@pytest.mark.parametrize("base", BASES)
def test_a_view_comes_back_as_it_was_sent(base: str) -> None:
    sent = BASES[base]()
    information = InformationSet.from_view(GAME, sent)
    assert information.seat == sent["viewer"]
    assert information.imagine(Rng(3)).information_set(sent["viewer"]).view() == sent


def every_node(start: State, stride: int) -> list[State]:
    """A game from here to its end, which takes its events round the list so that many phases are visited."""
    nodes = [start]
    while not nodes[-1].is_terminal:
        events = [outcome for outcome, _ in nodes[-1].chance_outcomes()] or nodes[-1].legal_actions()
        nodes.append(nodes[-1].child(events[(stride * len(nodes)) % len(events)]))
    return nodes


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("stride", [0, 1, 3, 5, 7])
def test_each_step_of_a_game_can_be_sent_as_a_view(players: int, stride: int) -> None:
    for node in every_node(State.initial(GAME, players, {"max_years": 6}), stride):
        for viewer in range(-1, players):
            sent = look(node, viewer)
            information = InformationSet.from_view(GAME, sent)
            assert information.view() == sent
            assert information.imagine(Rng(1)).information_set(viewer) == node.information_set(viewer)


def test_a_replayed_position_and_one_from_a_view_are_equal() -> None:
    dealt = play(deal(2, dice="43"), "pass()")
    built = view(
        seat(points=3, religion="protestant", religion_die=3, protection=1, ore=1, space=ship("England")),
        seat(points=3, religion="catholic", religion_die=2, protection=1, wine=1, space=ship("France")),
        phase="window",
        point="end",
        half=1,
        year=1,
        turn=1,
    )
    assert state(built) == dealt
