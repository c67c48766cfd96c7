"""A Column of Fire: views whose question, or what it needs, contradicts the rest of the table."""

import pytest

from tests.rules.column.bases import AT, BASES, FRANCE, GAIN, Change, put, put_country, put_seat, refusal
from tests.rules.column.cards import DICE, character, characters, country_of, event, ship, space
from tests.rules.column.position import View

SALE = character("SELL3")
SHIP = ship("Spain")
SHIELD = space("PROTECTION")
ELSEWHERE = next(card for card in characters("VP:2") if country_of(card) != country_of(GAIN))


def lay(number: int, place: int, card: str) -> Change:
    """Lays a card in a row in place of another; nobody has seen it elsewhere."""

    def change(table: View) -> None:
        for country in table["countries"]:
            country["unseen"] = [each for each in country["unseen"] if each != card]
        table["seats"][number]["row"][place]["card"] = card

    return change


def lay_brown(table: View) -> None:
    """Puts the brown die of seat 0 on a card nobody has seen."""
    card = table["countries"][1]["unseen"].pop(0)
    table["seats"][0]["row"] = [{"card": card, "die": "brown"}]


BROKEN: dict[str, tuple[str, Change, str]] = {
    # The scratch of procedures
    "a card is asked for that the cursor is past": ("card", put(cursor=2), "cursor"),
    "a cursor is left from another point": ("track", put(cursor=1), "cursor"),
    "the space asked for does not exist": ("landed", put(space="T99"), "space"),
    "a space is left from another point": ("track", put(space=AT), "space"),
    "a space acts that nothing has been asked of": ("track", put(acting=AT), "acting"),
    "a deck is flipped that shows a card": (
        "flip",
        put_country(1, face_up=FRANCE[0], unseen=FRANCE[1:]),
        "countries[1].face_up",
    ),
    "a deck is flipped in the middle of a question": ("track", put(flipping="France"), "flipping"),
    "an event is left from another point": ("window", put(event=event("LOSE_GOOD", "Spain")), "event"),
    "no event runs that seats are asked about": ("struck", put(event=""), "event"),
    "the event of no deck runs": ("struck", put(flipping=""), "flipping"),
    "an event of another country runs": ("struck", put(event=event("LOSE_GOOD", "Spain")), "event"),
    "a character runs as an event": ("struck", put(event=FRANCE[0]), "event"),
    "a character that lies nowhere else runs as an event": (
        "struck",
        lambda table: (
            table.update(event=FRANCE[0]),
            table["countries"][1].update(unseen=table["countries"][1]["unseen"][1:]),
        ),
        "event",
    ),
    "a running event is not counted": ("struck", put(event_done=False), "event_done"),
    "a running event is unseen": (
        "struck",
        lambda table: table["countries"][1]["unseen"].append(table["event"]),
        "event",
    ),
    "an event asks who is not concerned": ("struck", put(mover=0), "mover"),
    "a single conflict is to be ordered": ("conflict", put_country(0, stones=[1, 0, 0]), "phase"),
    "no stone may be placed or removed": ("religion", put(stones=[]), "stones"),
    "stones are named outside the question": ("window", put(stones=["catholic"]), "stones"),
    "stones are neutral or not": ("religion", put(stones=["catholic", "neutral"]), "stones"),
    "a space of one colour brings another stone": ("stone space", put(stones=["catholic"]), "stones"),
    "a stone is named twice": ("religion", put(stones=["catholic", "catholic"]), "stones"),
    "a die is chosen outside recruiting": ("track", put(die="blue"), "die"),
    "a recruited country is named outside recruiting": ("track", put(country="France"), "country"),
    "the chosen die recruits in another country": ("stone", put(country="France"), "die"),
    "the chosen die lies on a card": ("stone", lay_brown, "die"),
    "a die is chosen at another point": (
        "stone",
        lambda table: (table.update(point="track"), table["seats"][0].update(faces=[0] * 5)),
        "point",
    ),
    "dice are rolled at another point": (
        "dice",
        lambda table: (table.update(point="track"), table["seats"][0].update(faces=[0] * 5)),
        "point",
    ),
    "the recruited country is flipped by an action": (
        "removed",
        lambda table: (
            table.update(flipping="England"),
            table["countries"][1].update(face_up=FRANCE[0], unseen=FRANCE[1:]),
        ),
        "flipping",
    ),
    "who is asked about the stone has no protection": (
        "stone",
        put_seat(0, protection=0),
        "phase",
    ),
    "an exhausted country does not end the game": ("sold out", put(ending=False), "ending"),
    "an event of no deck lies in a row": ("card", lay(0, 0, event("LOSE_GOOD", "Spain")), "seats[0].row"),
    # Questions that would have no answer
    "nobody can move": ("track", put_seat(0, row=[], faces=[3] * 5, prison=[*DICE]), "phase"),
    "a card is asked for that does nothing": ("card", lay(0, 1, SALE), "phase"),
    "a card is asked for at the track": ("card", put(half=2, point="track", cursor=0), "point"),
    "nothing was rolled to recruit with": ("recruit", put_seat(0, faces=[3, 0, 0, 0, 0]), "phase"),
    "a space is asked for that does nothing": (
        "landed",
        lambda table: (table.update(space=SHIP), table["seats"][0].update(space=SHIP)),
        "phase",
    ),
    "windows are shown without their option": ("window", put(free_actions=False), "phase"),
    "a religion is chosen before the roll": ("convert", put_seat(0, religion_die=0), "seats[0].religion_die"),
    "a religion die is rolled that lies there": (
        "rolling",
        put_seat(0, religion_die=3),
        "seats[0].religion_die",
    ),
    "two religion dice are rolled at once": ("rolling", put_seat(1, religion_die=0), "seats[1].religion_die"),
    "dice are rolled out of order": ("dice", put_seat(0, faces=[0, 0, 0, 0, 2]), "seats"),
    "all dice are rolled already": ("dice", put_seat(0, faces=[1, 2, 3, 4, 5]), "phase"),
    "another seat's free dice show faces": ("recruit", put_seat(1, faces=[1, 0, 0, 0, 0]), "seats[1].faces"),
    "an empty deck is flipped": ("flip", put_country(1, unseen=[]), "countries[1].unseen"),
    "a stone of a full country is asked for": ("stone", put_country(3, stones=[1, 1, 1]), "phase"),
    "a house is moved up that is not there": ("house", put_seat(0, houses=[0, 0, 0, 0]), "phase"),
    "a house is moved up that stands higher": ("house", put_seat(0, houses=[0, 0, 0, 5]), "phase"),
    "a space that sells nothing is sold at": ("ship", put(acting=AT), "acting"),
    "a ship sells that nobody has come to": ("ship", put(acting=""), "acting"),
    "a ship has nothing to sell": ("ship", put_seat(0, goods=[0, 0, 0, 0]), "acting"),
    "a ship sells without a house": ("ship", put_seat(0, houses=[0, 0, 0, 0]), "acting"),
    "a ship has sold it all": ("ship", put(sold=[True] * 8), "acting"),
    "a ship brings a stone to a full country": ("ship stone", put_country(3, stones=[1, 2, 0]), "acting"),
    "a space brings a stone that is no ship": ("ship stone", put(acting=AT), "acting"),
    "a captain has nothing to sell": ("captain", put_seat(0, goods=[0, 0, 0, 0]), "phase"),
    "a captain sells without a house": ("captain", put_seat(0, houses=[0, 0, 0, 0]), "phase"),
    "a space was reached where the disk is not": ("reached", put(acting=SHIP), "acting"),
    "another space was reached that does something": ("reached", put(acting=SHIELD), "acting"),
    "a space was reached that does nothing": (
        "reached",
        lambda table: (table.update(acting=SHIP), table["seats"][0].update(space=SHIP)),
        "acting",
    ),
    "the conflicts are another's": ("conflict", put(mover=1), "mover"),
    "chance has a mover": ("flip", put(mover=1), "mover"),
    "a new card is of another country": ("new card", lay(0, 0, ELSEWHERE), "country"),
    # The end
    "the game is over without a cause": ("over", put(year=29), "ending"),
    "the game is over in a half": ("over", put(half=2), "half"),
    "the game is over in somebody's turn": ("over", put(turn=1), "turn"),
    "the game is over at a point of a half-turn": ("over", put(point="end"), "point"),
    "something is sold when the game is over": ("over", put(sold=[True] + [False] * 7), "sold"),
    "an event has come when the game is over": ("over", put(event_done=True), "event_done"),
    "tiles are hidden at the end": ("over", put_seat(0, held=2), "seats[0].tiles"),
    "action tiles are shown at the end": (
        "over",
        put_seat(0, held=1, tiles=[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        "seats[0].tiles",
    ),
}


@pytest.mark.parametrize(("base", "change", "field"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_view_is_refused_with_its_field(base: str, change: Change, field: str) -> None:
    table = BASES[base]()
    change(table)
    error = refusal(table)
    assert error.args[1] == field, error
    assert error.args[2]
