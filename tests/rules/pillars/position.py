"""Positions of The Pillars of the Earth for tests, said in few words.

A test names only what it is about. ``position`` builds any phase from a view: what is not named lies as it
would in a quiet round. ``deal`` and ``builders`` play a round from the opened box, with chosen outcomes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from kingsbridge.pyengine import (
    SPECTATOR,
    IllegalActionError,
    InformationSet,
    Rng,
    State,
    action_text,
    parse_action,
)
from tests.oracle.pillars_cards import CRAFTSMEN, DECK, EVENTS, GOODS, WORKERS, in_order
from tests.oracle.pillars_table import Options

GAME: Final = "pillars"
View = dict[str, Any]

PHASES: Final = (
    *("start", "town", "split", "absent", "look", "cards", "discard_hire"),
    *("draw", "refuse", "builder", "dial"),
    *("reveal", "bishop", "protection", "roof"),
    *("tax_card", "roll", "discard_shiring", "market", "boost", "work", "drop", "over"),
)


def before(phase: str, other: str) -> bool:
    """Whether a phase comes earlier in the round than another."""
    return PHASES.index(phase) < PHASES.index(other)


# Views


def seat(
    *,
    points: int = 2,
    gold: int = 20,
    craftsmen: str = "S1 S2 S3",
    advantages: str = "",
    quarries: str = "",
    workers: int | None = None,
    mill: int | None = None,
    **facts: Any,
) -> View:
    """What one player has; cards are words, cubes go by their names: ``seat(sand=3, craftsmen="S1 2c")``.

    Workers not named, and not on a quarry, are free in the first phase and later in the mill.
    """
    goods = [int(facts.pop(good, 0)) for good in GOODS]
    return {
        "points": points,
        "gold": gold,
        "goods": goods,
        "workers": workers,
        "passed": False,
        "craftsmen": in_order(craftsmen.split()),
        "advantages": in_order(advantages.split()),
        "quarries": in_order(quarries.split()),
        "protected": False,
        "two_builders": False,
        "mill": mill,
        "grey": 0,
        "bought": [False] * 3,
        "sold": [False] * 4,
    } | facts


def view(
    *seats: View,
    phase: str,
    round: int = 2,  # noqa: A002  the field's name
    town: str | None = None,
    shiring: str | None = None,
    builders: dict[str, int] | None = None,
    event: str = "",
    **facts: Any,
) -> View:
    """A spectator's view of a phase: the first seat begins and decides unless ``facts`` say otherwise.

    ``builders`` names spaces and, in town and Shiring, cards: ``{"court1": 0, "A5": 1, "2b": 0}``. Cards not
    named are drawn in order; of those that nobody has, the highest have been seen and are gone. Builders not
    named are in the bag or, once all have been placed, at the market and other quiet places.
    """
    position = _options(facts) | {
        "players": len(seats),
        "viewer": SPECTATOR,
        "phase": phase,
        "round": round,
        "start_player": 0,
        "mover": 0,
        "stock": [4, 4, 4],
        "event": event,
        "event_known": not before(phase, "bishop"),
        "looked": -1,
        "bag": [0] * len(seats),
        "drawn": -1,
        "dealt": 0,
        "free": False,
        "refused": False,
        "dial": [],
        "die": 0 if before(phase, "discard_shiring") else 3,
        "exempt": -1,
        "market_space": "",
        "asked": "",
        "made": 0,
        "boosted": "",
        "used": [],
        "dropping": "",
        "excess": 0,
        "seats": [dict(one) for one in seats],
    }
    if position["event_known"] and not event:
        position["event"] = "E3"
    placed = dict(builders or {})
    if phase in ("reveal", "bishop", "protection", "roof"):
        _place_the_rest(position, placed)
    _lay_town(position, town, placed)
    _lay_shiring(position, shiring, placed)
    position["quarries"] = []
    if phase in ("look", "cards", "discard_hire"):
        taken = [card for one in seats for card in one["quarries"]]
        left = [card for card in WORKERS if card not in taken]
        position["quarries"] = left[: 7 - len(taken)]
    position["builders"] = [
        {"space": space, "seat": placed[space]} for space in _spaces(position) if space in placed
    ]
    position |= facts
    _send_workers(position)
    _fill_bag(position)
    _hide(position)
    return position


def _place_the_rest(position: View, placed: dict[str, int]) -> None:
    """Before the locations are dealt with all builders are out: the rest stand where little comes of it."""
    round_ = position["round"]
    craftsmen = [
        f"{round_}{letter}" for letter in "abcd" if not _owned(position, "craftsmen")[f"{round_}{letter}"]
    ]
    quiet = [*(f"market{n}" for n in range(1, 5)), "start", *craftsmen[:2], "castle1"]
    quiet += [*(f"court{n}" for n in range(1, 5)), "priory1", "priory2"]
    free = [space for space in quiet if space not in placed]
    for number in range(position["players"]):
        while list(placed.values()).count(number) < 3:
            placed[free.pop(0)] = number


def _options(facts: dict[str, Any]) -> View:
    chosen = {option.name: facts.pop(option.name, option.default) for option in fields(Options)}
    return {name: type(getattr(Options(), name))(value) for name, value in chosen.items()}


def _spaces(position: View) -> list[str]:
    options = Options(**{option.name: position[option.name] for option in fields(Options)})
    return [space for spaces in options.locations().values() for space in spaces]


def _owned(position: View, kind: str) -> Counter[str]:
    return Counter(card for one in position["seats"] for card in one[kind])


def _lay_town(position: View, named: str | None, placed: dict[str, int]) -> None:
    """Two cards on display until the town is dealt with: those named or with builders, else the lowest."""
    on_display = not before(position["phase"], "split") and before(position["phase"], "tax_card")
    cards = (named or "").split()
    if named is None and on_display:
        deck = ("A15", "A16") if position["round"] == 6 else DECK
        free = [card for card in deck if card not in _owned(position, "advantages")]
        cards = [card for card in placed if card in free]
        cards += [card for card in free if card not in cards][: 2 - len(cards)]
    position["town"] = in_order(cards)
    position["town_builders"] = [placed.get(card, -1) for card in position["town"]]


def _lay_shiring(position: View, named: str | None, placed: dict[str, int]) -> None:
    """Two craftsmen of the round in Shiring and, in the first phase, the others in the row."""
    phase, owned = position["phase"], _owned(position, "craftsmen")
    four = [card for card, one in CRAFTSMEN.items() if one.round == position["round"] and not owned[card]]
    pair = (named or "").split()
    if named is None:
        pair = [card for card in placed if card in four]
        pair += [card for card in four if card not in pair][: 2 - len(pair)]
    if before(phase, "absent") or before("discard_shiring", phase):
        pair = []
    in_row = not before(phase, "absent") and before(phase, "draw")
    position["shiring"] = in_order(pair)
    position["shiring_builders"] = [placed.get(card, -1) for card in position["shiring"]]
    position["craftsmen"] = [card for card in four if card not in pair] if in_row else []


def _send_workers(position: View) -> None:
    for one in position["seats"]:
        left = 12 + ("A10" in one["advantages"]) - sum(WORKERS[card] for card in one["quarries"])
        first, unpaid = before(position["phase"], "draw"), before(position["phase"], "tax_card")
        if one["workers"] is None:
            one["workers"] = left if first and not one["passed"] else 0
        if one["mill"] is None:
            one["mill"] = left if unpaid and (one["passed"] or not first) else 0


def _fill_bag(position: View) -> None:
    """In the second phase: who is not on the board, the dial or in the hand is in the bag."""
    if position["phase"] not in ("draw", "refuse", "builder"):
        return
    out = Counter(one["seat"] for one in [*position["builders"], *position["dial"]])
    out.update(number for number in position["town_builders"] + position["shiring_builders"] if number != -1)
    position["dealt"] = out.total()
    if position["drawn"] != -1:
        out[position["drawn"]] += 1
    if not any(position["bag"]):
        position["bag"] = [3 - out[number] for number in range(position["players"])]


def _hide(position: View) -> None:
    """The decks: of what nobody has, the highest cards have been seen and are gone."""
    rounds = position["round"] if not before(position["phase"], "split") else position["round"] - 1
    seen = {*_owned(position, "advantages"), *position["town"]}
    unseen = [card for card in DECK if card not in seen]
    position.setdefault("unseen_advantages", unseen[: 14 - 2 * min(5, rounds)])
    rounds = position["round"] if position["event_known"] else position["round"] - 1
    shown = position["event"] if position["event_known"] else ""
    others = [card for card in EVENTS if card not in (shown, position["event"])]
    kept = others[: 10 - rounds - (position["event"] != shown)]
    position.setdefault(
        "unseen_events", in_order([*kept, *([position["event"]] if position["event"] != shown else [])])
    )


def state(position: View) -> State:
    """The position of a view."""
    return InformationSet.from_view(GAME, position).imagine(Rng(1))


def position(*seats: View, **facts: Any) -> State:
    """``state(view(...))``."""
    return state(view(*seats, **facts))


def reveal(event: str, *seats: View, **facts: Any) -> State:
    """The position after the third phase of a round has begun with this event."""
    gone = facts.get("round", 2) - 1
    others = [card for card in EVENTS if card != event]
    table = position(*seats, phase="reveal", unseen_events=in_order([event, *others[gone:]]), **facts)
    return play(table, f"reveal(event={event})")


# Looking and playing


def look(position: State, viewer: int = SPECTATOR) -> View:
    """What a viewer sees."""
    return position.information_set(viewer).view()


def seat_of(position: State, number: int = 0) -> View:
    """What everyone sees of a seat."""
    found: View = look(position)["seats"][number]
    return found


def phase(position: State) -> str:
    return str(look(position)["phase"])


def legal(position: State) -> list[str]:
    """Legal actions as texts."""
    return [action_text(GAME, action) for action in position.legal_actions()]


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


def goods(position: State, number: int = 0) -> dict[str, int]:
    """A seat's cubes, those he has any of."""
    held = dict(zip(GOODS, seat_of(position, number)["goods"], strict=True))
    return {good: count for good, count in held.items() if count}


# Rounds from the opened box


def deal(
    players: int = 2,
    *,
    start: int = 0,
    town: str = "A1 A2",
    shiring: str = "1a 1b",
    absent: str = "wood4 stone4",
    **options: int,
) -> State:
    """The first decision of a game."""
    box = State.initial(GAME, players, options)
    return lay_out(play(box, f"start(seat={start})"), town, shiring, absent)


def lay_out(position: State, town: str, shiring: str, absent: str = "wood4 stone4") -> State:
    """The first decision of a round, with these cards; ``town`` is empty in the sixth."""
    one, other = shiring.split()
    out, also = absent.split()
    return play(
        position,
        *[f"town(advantage={card})" for card in town.split()],
        f"split(craftsman={one}, craftsman2={other})",
        f"absent(quarry={out}, quarry2={also})",
    )


def all_pass(position: State) -> State:
    """The position after the first phase, in which all pass that have not."""
    while phase(position) == "cards":
        position = play(position, "pass()")
    return position


def draw(position: State, number: int) -> State:
    """Draws a builder of a seat; a refusal, where it is asked, is not yet answered."""
    return play(position, f"draw(round={look(position)['round']}, seat={number})")


def builders(position: State, *orders: str) -> State:
    """Deals builders: ``"0 court1"`` is seat 0's, who places it there; ``"1 pass"`` goes to the dial.

    The start player refuses none. Cards name the spaces of town and Shiring.
    """
    for order in orders:
        number, where = order.split()
        position = draw(position, int(number))
        if phase(position) == "refuse":
            position = play(position, "accept()")
        position = play(position, place(where))
    return position


def place(where: str) -> str:
    """The action that puts a builder on a space, or on the dial."""
    if where == "pass":
        return "pass()"
    if where in CRAFTSMEN:
        return f"place_shiring(craftsman={where})"
    return f"place_town(advantage={where})" if where[0] == "A" else f"place(space={where})"


def go_on(position: State, until: Sequence[str], **answers: str) -> State:
    """Plays the lowest event of each node until one of these phases, or an answer given for its phase.

    At the market all leave.
    """
    answers = {"market": "leave()"} | answers
    while phase(position) not in until and not position.is_terminal:
        events = list(outcomes(position)) or legal(position)
        position = play(position, answers.get(phase(position), events[0]))
    return position
