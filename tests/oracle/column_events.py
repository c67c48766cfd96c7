"""A Column of Fire for the oracle: cards flipped, events, and religious conflicts."""

from collections.abc import Generator

from tests.oracle.column_cards import GOODS, LOCH_LEVEN_FACE, LOST_POINTS, STONES, tables
from tests.oracle.column_script import Answer, Node, Script, decide, draw_lots, say
from tests.oracle.column_table import Seat, Table

# Flipping a deck (rules 1.6 step 7, 3.3)


def flip(table: Table, name: str) -> Script:
    """Turns up cards until a character shows; one event in a half-turn is carried out."""
    country = table.countries[name]
    country.face_up, table.flipping = None, name
    while country.face_up is None:
        if not country.unseen:
            table.ending = True
            table.happened.append("an exhausted deck")
            break
        card = yield from flip_one(table, name, "flip")
        if card in tables().characters:
            country.face_up = card
        elif table.event_done:
            table.happened.append("a second event in a half-turn")
        else:
            yield from carry_out(table, card)
    table.flipping = None


def flip_one(table: Table, name: str, phase: str) -> Generator[Node, Answer, str]:
    unseen = table.countries[name].unseen
    answer = yield from draw_lots(phase, {say("flip", card=card): 1 for card in unseen})
    unseen.remove(answer["card"])
    return answer["card"]


# Events (rules 3.3)


def carry_out(table: Table, card: str) -> Script:
    table.event, table.event_done = card, True
    kind = tables().events[card].kind
    first = table.start_player if table.options.events_from_start else table.turn
    for number in table.clockwise(first):
        if not is_hit(table, number, card):
            continue
        if kind == "LOCH_LEVEN":
            yield from go_to_prison(table, number)
        elif kind == "LOSE_VP":
            yield from lose_points(table, number)
        elif kind == "LOSE_GOOD":
            yield from lose_a_good(table, number)
        else:
            yield from sell_protection(table, number)
    table.event = None


def is_hit(table: Table, number: int, card: str) -> bool:
    """Whether the condition of an event holds for a seat."""
    event, seat = tables().events[card], table.seats[number]
    if event.condition == "house":
        return seat.houses[event.country] > 0
    return event.condition in ("all", seat.religion)


def shield(seat: Seat) -> list[str]:
    """Being exempt from a negative event costs a protection tile."""
    return ["protect()"] if seat.protection else []


def go_to_prison(table: Table, number: int) -> Script:
    """One die, free or on a character card, goes to Loch Leven."""
    seat = table.seats[number]
    eligible = seat.free_dice() + list(seat.row.values())
    if not eligible:
        table.happened.append("all dice on Loch Leven")
        return
    choices = [say("imprison", die=die) for die in eligible]
    answer = yield from decide("event", number, choices + shield(seat))
    if answer[""] == "protect":
        seat.protection -= 1
        return
    if answer["die"] in seat.row.values():
        table.take_off(seat, answer["die"])
    seat.prison.append(answer["die"])
    seat.faces[answer["die"]] = LOCH_LEVEN_FACE


def lose_points(table: Table, number: int) -> Script:
    """The loss stops at 0; without protection there is nothing to ask."""
    seat = table.seats[number]
    if seat.protection:
        answer = yield from decide("event", number, ["accept()", "protect()"])
        if answer[""] == "protect":
            seat.protection -= 1
            return
    else:
        table.happened.append("points lost unasked")
    if seat.points < LOST_POINTS:
        table.happened.append("a loss that stops at 0")
    table.lose(seat, LOST_POINTS)


def lose_a_good(table: Table, number: int) -> Script:
    seat = table.seats[number]
    goods = [good for good in GOODS if seat.goods[good]]
    if not goods:
        table.happened.append("no good to lose")
        return
    answer = yield from decide("event", number, [say("lose", good=good) for good in goods] + shield(seat))
    if answer[""] == "protect":
        seat.protection -= 1
    else:
        seat.goods[answer["good"]] -= 1


def sell_protection(table: Table, number: int) -> Script:
    """A protection tile for as many points as the religion die shows."""
    seat = table.seats[number]
    if not seat.protection:
        return
    answer = yield from decide("event", number, ["skip()", "redeem()"])
    if answer[""] == "redeem":
        seat.protection -= 1
        table.gain(seat, seat.religion_die)


# Religious conflicts (rules 4)


def settle_conflicts(table: Table) -> Script:
    """In the order the active player likes, one country after another."""
    while full := [name for name in table.countries if table.is_full(name)]:
        chosen = full[0]
        if len(full) > 1:
            resolves = [say("resolve", country=name) for name in full]
            answer = yield from decide("conflict", table.turn, resolves)
            chosen = answer["country"]
        settle_conflict(table, chosen)


def settle_conflict(table: Table, name: str) -> None:
    stones = table.countries[name].stones
    if stones["catholic"] == stones["protestant"]:
        table.happened.append("a conflict avoided")
    else:
        majority = "catholic" if stones["catholic"] > stones["protestant"] else "protestant"
        for seat in table.seats:
            decide_for_house(table, seat, name, seat.religion == majority)
    table.countries[name].stones = dict.fromkeys(STONES, 0)


def decide_for_house(table: Table, seat: Seat, name: str, won: bool) -> None:
    """The site's number in points for the majority; the minority loses the house."""
    site = seat.houses[name]
    if site and won:
        table.gain(seat, site)
        table.happened.append("a conflict won")
    elif site:
        seat.houses[name] = 0
        table.happened.append("a house lost in a conflict")
