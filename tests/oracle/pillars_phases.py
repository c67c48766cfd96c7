"""The Pillars of the Earth for the oracle: a round up to the last builder placed."""

from itertools import combinations
from typing import Final

from tests.oracle.pillars_cards import CRAFTSMEN, LAST_ROUND, MARKET_GOODS, WORKERS, in_order
from tests.oracle.pillars_table import NOBODY, ROUNDS, Seat, Table
from tests.oracle.script import Answer, Script, ask, say, throw

FIRST_COST: Final = 7

# The start of a round


def give_out_workers(table: Table) -> None:
    for seat in table.seats:
        seat.workers = 12 + ("A10" in seat.advantages) + seat.grey
        seat.grey = 0


def lay_out_cards(table: Table) -> Script:
    table.stock = dict.fromkeys(MARKET_GOODS, 4)
    if table.round == ROUNDS:
        table.town = dict.fromkeys(LAST_ROUND, NOBODY)
    else:
        for _ in range(2):
            cards = in_order(table.unseen_advantages)
            answer = yield from throw("town", {say("town", advantage=card): 1 for card in cards})
            table.unseen_advantages.remove(answer["advantage"])
            table.town[answer["advantage"]] = NOBODY

    four = [card for card, craftsman in CRAFTSMEN.items() if craftsman.round == table.round]
    pairs = {say("split", craftsman=a, craftsman2=b): 1 for a, b in combinations(four, 2)}
    answer = yield from throw("split", pairs)
    pair = [answer["craftsman"], answer["craftsman2"]]
    table.shiring = dict.fromkeys(pair, NOBODY)
    table.craftsmen = [card for card in four if card not in pair]

    pairs = {say("absent", quarry=a, quarry2=b): 1 for a, b in combinations(WORKERS, 2)}
    answer = yield from throw("absent", pairs)
    table.quarries = [card for card in WORKERS if card not in (answer["quarry"], answer["quarry2"])]


def look(table: Table) -> Script:
    owner = table.owner("A4")
    if owner != NOBODY:
        cards = in_order(table.unseen_events)
        answer = yield from throw("look", {say("look", seat=owner, event=card): 1 for card in cards})
        table.event = answer["event"]
        table.looked = owner


# Phase 1: cards


def take_cards(table: Table, turn: int) -> Script:
    while (table.quarries or table.craftsmen) and not all(seat.passed for seat in table.seats):
        if not table.seats[turn].passed:
            yield from take_a_card(table, turn)
        turn = (turn + 1) % table.players
    for seat in table.seats:
        send_to_the_mill(seat)
        seat.passed = False
    table.quarries, table.craftsmen = [], []


def take_a_card(table: Table, number: int) -> Script:
    seat = table.seats[number]
    takes = [say("take", quarry=card) for card in in_order(table.quarries) if WORKERS[card] <= seat.workers]
    hires = [
        say("hire", craftsman=card) for card in in_order(table.craftsmen) if CRAFTSMEN[card].cost <= seat.gold
    ]
    answer = yield from ask("cards", number, [*takes, *hires, "pass()"])
    if answer[""] == "take":
        seat.workers -= WORKERS[answer["quarry"]]
        seat.quarries.append(answer["quarry"])
        table.quarries.remove(answer["quarry"])
    elif answer[""] == "hire":
        seat.gold -= CRAFTSMEN[answer["craftsman"]].cost
        table.craftsmen.remove(answer["craftsman"])
        yield from employ(table, number, answer["craftsman"], "discard_hire")
    else:
        seat.passed = True
        send_to_the_mill(seat)


def employ(table: Table, number: int, craftsman: str, phase: str) -> Script:
    """Gives a player a craftsman; over the limit, he discards one, the new one if he likes."""
    seat = table.seats[number]
    seat.craftsmen.append(craftsman)
    if len(seat.craftsmen) > seat.limit():
        yield from discard(table, number, phase)


def discard(table: Table, number: int, phase: str) -> Script:
    seat = table.seats[number]
    cards = in_order(seat.craftsmen)
    answer = yield from ask(phase, number, [say("discard", craftsman=card) for card in cards])
    seat.craftsmen.remove(answer["craftsman"])


def send_to_the_mill(seat: Seat) -> None:
    seat.mill += seat.workers
    seat.workers = 0


# Phase 2: builders


def fill_bag(table: Table) -> None:
    table.bag = [2 if seat.two_builders else 3 for seat in table.seats]
    for seat in table.seats:
        seat.two_builders = False


def deal_builders(table: Table) -> Script:
    while any(table.bag):
        yield from draw(table)
        if not table.refused and refusal_matters(table):
            answer = yield from ask("refuse", table.start_player, ["accept()", "refuse()"])
            if answer[""] == "refuse":
                table.refused = True
                table.bag[table.drawn] += 1
                table.drawn = NOBODY
                yield from draw(table)
        yield from deal_with_builder(table)


def deal_with_builder(table: Table) -> Script:
    yield from place_or_pass(table, table.drawn)
    table.drawn, table.free = NOBODY, False
    table.dealt += 1


def draw(table: Table) -> Script:
    bag = table.bag
    outcomes = {say("draw", round=table.round, seat=seat): left for seat, left in enumerate(bag) if left}
    answer = yield from throw("draw", outcomes)
    table.drawn = int(answer["seat"])
    bag[table.drawn] -= 1


def refusal_matters(table: Table) -> bool:
    """Whether another colour could come instead."""
    return any(count for seat, count in enumerate(table.bag) if seat != table.drawn)


def place_or_pass(table: Table, number: int) -> Script:
    seat = table.seats[number]
    cost = max(0, FIRST_COST - table.dealt)
    places = possible_places(table)
    if cost == 0:
        yield from place(table, number, "builder")
        return
    card = ["use(advantage=A8)"] if "A8" in seat.advantages else []
    answer = yield from ask("builder", number, ["pass()", *card, *(places if seat.gold >= cost else [])])
    if answer[""] == "pass":
        table.dial[cost] = number
    elif answer[""] == "use":
        seat.advantages.remove("A8")
        table.free = True
        yield from place(table, number, "builder")
    else:
        seat.gold -= cost
        put(table, number, answer)


def possible_places(table: Table) -> list[str]:
    spaces = [say("place", space=space) for space in table.free_spaces()]
    town = [say("place_town", advantage=c) for c in in_order(table.town) if table.town[c] == NOBODY]
    shiring = [
        say("place_shiring", craftsman=c) for c in in_order(table.shiring) if table.shiring[c] == NOBODY
    ]
    return spaces + town + shiring


def place(table: Table, number: int, phase: str) -> Script:
    """A builder who must be placed, for nothing."""
    answer = yield from ask(phase, number, possible_places(table))
    put(table, number, answer)


def put(table: Table, number: int, answer: Answer) -> None:
    if answer[""] == "place":
        table.builders[answer["space"]] = number
    elif answer[""] == "place_town":
        table.town[answer["advantage"]] = number
    else:
        table.shiring[answer["craftsman"]] = number


def place_passed_builders(table: Table) -> Script:
    while table.dial:
        cost = max(table.dial)
        yield from place(table, table.dial[cost], "dial")
        del table.dial[cost]
    table.dealt, table.refused = 0, False
