"""Reading and playing a position of A Column of Fire in the words of its actions."""

from typing import Final

from kingsbridge.pyengine import SPECTATOR, IllegalActionError, State, action_text, parse_action
from tests.rules.column.cards import COUNTRIES, DICE, GAME, GOODS, TILES
from tests.rules.column.views import View, split


def look(position: State, viewer: int = SPECTATOR) -> View:
    """What a viewer sees."""
    return position.information_set(viewer).view()


def seat_of(position: State, number: int = 0) -> View:
    """What a seat sees of itself."""
    found: View = look(position, number)["seats"][number]
    return found


def points(position: State) -> list[int]:
    return [one["points"] for one in look(position)["seats"]]


def houses(position: State, country: str) -> list[int]:
    """The site of each seat's house in a country, 0 without one."""
    return [one["houses"][COUNTRIES.index(country)] for one in look(position)["seats"]]


def country_seen(position: State, country: str) -> View:
    found: View = look(position)["countries"][COUNTRIES.index(country)]
    return found


def stones(position: State, country: str) -> str:
    """The stones of a country as letters: ``"CCP"``."""
    counts = country_seen(position, country)["stones"]
    return "".join(letter * count for letter, count in zip("CPN", counts, strict=True))


def goods(position: State, number: int = 0) -> dict[str, int]:
    """A seat's goods tiles, those it has any of."""
    held = dict(zip(GOODS, seat_of(position, number)["goods"], strict=True))
    return {good: count for good, count in held.items() if count}


def tiles(position: State, number: int = 0) -> dict[str, int]:
    """A seat's own face-down tiles, as it knows them."""
    held = dict(zip(TILES, seat_of(position, number)["tiles"], strict=True))
    return {tile: count for tile, count in held.items() if count}


def row(position: State, number: int = 0) -> str:
    """A seat's row, as ``seat`` takes it."""
    one = seat_of(position, number)
    faces = dict(zip(DICE, one["faces"], strict=True))
    return " ".join(f"{place['card']}={place['die']}{faces[place['die']]}" for place in one["row"])


def prison(position: State, number: int = 0) -> str:
    """A seat's dice on Loch Leven, as ``seat`` takes them."""
    one = seat_of(position, number)
    return " ".join(f"{die}{one['faces'][DICE.index(die)]}" for die in one["prison"])


def phase(position: State) -> str:
    return str(look(position)["phase"])


def legal(position: State) -> list[str]:
    """Legal actions as texts."""
    return [action_text(GAME, action) for action in position.legal_actions()]


def asked(position: State) -> list[str]:
    """Legal actions without the free ones."""
    return [action for action in legal(position) if not action.startswith(("play(", "pay("))]


def free(position: State) -> list[str]:
    """The free actions."""
    return [action for action in legal(position) if action.startswith(("play(", "pay("))]


def outcomes(position: State) -> dict[str, int]:
    """Chance outcomes as texts, with their weights."""
    return {action_text(GAME, outcome): weight for outcome, weight in position.chance_outcomes()}


def play(position: State, *events: str) -> State:
    """The position after these actions or outcomes, each of which must be legal."""
    after = position.copy()
    for event in events:
        after.apply(parse_action(GAME, event))
    return after


def refused(position: State, action: str) -> bool:
    """Whether the engine refuses an action and leaves the position as it was."""
    earlier = position.copy()
    try:
        position.apply(parse_action(GAME, action))
    except IllegalActionError:
        return position == earlier and not position.is_legal(parse_action(GAME, action))
    return False


QUIET: Final = ("pass()", "skip()", "decline()", "keep()", "accept()")


def quiet(position: State) -> str:
    """A next event of which little comes: the lowest outcome, or a refusal, or a move that costs nothing."""
    if phase(position) == "track":
        return next(move for move in asked(position) if points(play(position, move)) == points(position))
    answers = list(outcomes(position)) or asked(position)
    return next((answer for answer in QUIET if answer in answers), answers[0])


def go_on(position: State, *until: str) -> State:
    """Plays quietly, at least one event, until one of these phases or the end of the game."""
    after = play(position, quiet(position))
    while phase(after) not in until and not after.is_terminal:
        after = play(after, quiet(after))
    return after


def settle(position: State) -> State:
    """The position after the lowest outcomes of all pending chance events."""
    after = position.copy()
    while after.is_chance:
        after.apply(after.chance_outcomes()[0][0])
    return after


def roll(position: State, words: str = "") -> State:
    """Rolls the free dice of a seat; those not named show 1."""
    faces, after = dict(split(word) for word in words.split()), position.copy()
    while phase(after) == "roll_dice":
        options = list(outcomes(after))
        die = next(die for die in DICE if f"={die}" in options[0])
        after = play(after, options[faces.get(die, 1) - 1])
    return after


def flip(position: State, *cards: str) -> State:
    """Flips these cards."""
    return play(position, *[f"flip(card={card})" for card in cards])
