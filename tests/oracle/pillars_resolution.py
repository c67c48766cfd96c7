"""The Pillars of the Earth for the oracle: the third phase, in the order of the board."""

from typing import Final

from tests.oracle.pillars_cards import (
    CRAFTSMEN,
    DIE,
    GONE_AT_ONCE,
    GOODS,
    MARKET_GOODS,
    MORTAR_MIXERS,
    NEGATIVE,
    NEVER_BOOSTED,
    PRICE,
    STONECUTTER,
    TOOLMAKER,
    WOODWORKERS,
    good_of,
    in_order,
    yield_of,
)
from tests.oracle.pillars_phases import discard, employ
from tests.oracle.pillars_table import NOBODY, ROUNDS, Seat, Table
from tests.oracle.script import Script, ask, say, throw

MOST_CUBES_KEPT: Final = 5

# The event


def reveal_event(table: Table) -> Script:
    cards = [table.event] if table.event else in_order(table.unseen_events)
    answer = yield from throw("reveal", {say("reveal", event=card): 1 for card in cards})
    table.event, table.event_known, table.looked = answer["event"], True, NOBODY
    table.unseen_events.remove(table.event)


def visit_bishop(table: Table) -> Script:
    for space, number in table.at("bishop").items():
        seat = table.seats[number]
        protect = ["protect()"] if table.event in NEGATIVE and not seat.protected else []
        goods = [say("receive", good=good) for good in MARKET_GOODS if table.stock[good]]
        answer = yield from ask("bishop", number, protect + goods)
        if answer[""] == "protect":
            seat.protected = True
        else:
            table.stock[answer["good"]] -= 1
            seat.goods[answer["good"]] += 1
        del table.builders[space]


def use_event_protection(table: Table) -> Script:
    owner = table.owner("A11")
    if owner == NOBODY or table.event not in NEGATIVE or table.seats[owner].protected:
        return
    answer = yield from ask("protection", owner, ["use(advantage=A11)", "decline()"])
    if answer[""] == "use":
        table.seats[owner].advantages.remove("A11")
        table.seats[owner].protected = True


def suffer_event(table: Table) -> Script:
    """What acts at once; E1, E2, E8 and E9 wait for their place in the round."""
    for number in table.clockwise():
        seat = table.seats[number]
        if seat.protected:
            continue
        if table.event == "E3":
            seat.goods["metal"] += 1
        elif table.event == "E4":
            seat.earn(5)
        elif table.event == "E5":
            seat.lose_points(2)
        elif table.event == "E6":
            seat.lose(4, penalty=table.options.event_shortfall)
        elif table.event == "E7" and seat.craftsmen:
            yield from discard(table, number, "roof")
        elif table.event == "E10" and table.round < ROUNDS:
            seat.two_builders = True


# The locations


def pay_in_the_mill(table: Table) -> None:
    for seat in table.seats:
        seat.earn(seat.mill + (min(5, seat.mill) if table.event == "E8" else 0))
        seat.mill = 0


def visit_town(table: Table) -> None:
    for card in in_order(table.town):
        if table.town[card] != NOBODY:
            get_advantage(table.seats[table.town[card]], card)
    table.town = {}


def get_advantage(seat: Seat, card: str) -> None:
    if card not in GONE_AT_ONCE:
        seat.advantages.append(card)
    elif card == "A9":
        seat.points += 3
    elif card == "A13":
        seat.earn(8)
    elif card == "A14":
        seat.goods["metal"] += 2
    elif card == "A15":
        seat.goods["stone"] += 1
        seat.goods["wood"] += 1
    else:
        seat.goods["metal"] += 1


def visit_priory(table: Table) -> None:
    for space, number in table.at("priory").items():
        seat = table.seats[number]
        seat.points += {"priory1": 2, "priory2": 1}[space] + ("A5" in seat.advantages)
        del table.builders[space]


def produce(table: Table) -> None:
    change = {"E1": -1, "E2": 1}.get(table.event, 0)
    for seat in table.seats:
        for card in seat.quarries:
            seat.goods[good_of(card)] += yield_of(card) + (0 if seat.protected else change)
        seat.quarries = []
        for card, good in (("A1", "sand"), ("A2", "wood"), ("A3", "stone")):
            seat.goods[good] += card in seat.advantages


def visit_court(table: Table) -> Script:
    if "court1" in table.builders:
        table.seats[table.builders["court1"]].goods["metal"] += 1
    if table.options.tax_card_first:
        yield from offer_tax_card(table)
    yield from levy_tax(table)


def levy_tax(table: Table) -> Script:
    court = table.at("court")
    answer = yield from throw("roll", {say("roll", face=face): count for face, count in DIE.items()})
    table.die = int(answer["face"])
    if not table.options.tax_card_first:
        yield from offer_tax_card(table)
    for number, seat in enumerate(table.seats):
        if number not in court.values() and number != table.exempt:
            seat.lose(2 if "A6" in seat.advantages else table.die, penalty=True)
    table.exempt = NOBODY
    for space in court:
        del table.builders[space]


def offer_tax_card(table: Table) -> Script:
    owner = table.owner("A12")
    if owner == NOBODY or owner in table.at("court").values():
        return
    answer = yield from ask("tax_card", owner, ["use(advantage=A12)", "decline()"])
    if answer[""] == "use":
        table.seats[owner].advantages.remove("A12")
        table.exempt = owner


def visit_shiring(table: Table) -> Script:
    for card in in_order(table.shiring):
        owner = table.shiring.pop(card)
        if owner != NOBODY:
            yield from employ(table, owner, card, "discard_shiring")


def visit_castle(table: Table) -> None:
    for space, number in table.at("castle").items():
        if table.round < ROUNDS:
            table.seats[number].grey += 2
        del table.builders[space]


# The market


def trade(table: Table) -> Script:
    if not table.options.market_twice:
        send_second_traders_away(table)
    while table.at("market"):
        for space, number in table.at("market").items():
            table.market_space = space
            deals = possible_deals(table, table.seats[number])
            answer = yield from ask("market", number, [*deals, "leave()"])
            if answer[""] == "leave":
                del table.builders[space]
            else:
                deal(table, table.seats[number], answer[""], answer["good"], int(answer["quantity"]))
    table.market_space = ""
    for seat in table.seats:
        seat.bought, seat.sold = set(), set()


def send_second_traders_away(table: Table) -> None:
    """A player with several builders at the market takes part once, at his lowest space."""
    traders = set()
    for space, number in table.at("market").items():
        if number in traders:
            del table.builders[space]
        traders.add(number)


def possible_deals(table: Table, seat: Seat) -> list[str]:
    """All a player may buy and sell."""
    deals = []
    for good in MARKET_GOODS:
        most = min(table.stock[good], seat.gold // PRICE[good])
        if good not in seat.sold and (good != "wood" or has_woodworker(table, seat)):
            deals += [say("buy", good=good, quantity=number) for number in range(1, most + 1)]
    for good in GOODS:
        if good not in seat.bought and (good != "stone" or STONECUTTER in seat.craftsmen):
            deals += [say("sell", good=good, quantity=number) for number in range(1, seat.goods[good] + 1)]
    return deals


def has_woodworker(table: Table, seat: Seat) -> bool:
    woodworkers = WOODWORKERS[:1] if table.options.strict_masters else WOODWORKERS
    return any(card in seat.craftsmen for card in woodworkers)


def deal(table: Table, seat: Seat, name: str, good: str, quantity: int) -> None:
    if name == "buy":
        seat.gold -= quantity * PRICE[good]
        seat.goods[good] += quantity
        seat.bought.add(good)
        table.stock[good] -= quantity
    else:
        seat.goods[good] -= quantity
        seat.sold.add(good)
        seat.earn(quantity * PRICE[good])


# Building


def build(table: Table, number: int) -> Script:
    seat = table.seats[number]
    able = [card for card in in_order(seat.craftsmen) if card not in NEVER_BOOSTED]
    if table.event == "E9" and able:
        answer = yield from ask("boost", number, [say("boost", craftsman=card) for card in able])
        table.boosted = answer["craftsman"]
    if table.options.sequential_building:
        yield from build_one_by_one(table, number)
    else:
        yield from build_at_once(table, number)
    table.boosted = ""


def build_at_once(table: Table, number: int) -> Script:
    seat = table.seats[number]
    for card in in_order(seat.craftsmen):
        most = most_work(table, seat, card)
        if most:
            table.asked = card
            works = [say("work", craftsman=card, quantity=times) for times in range(most + 1)]
            answer = yield from ask("work", number, works)
            table.made += work(seat, card, int(answer["quantity"]))
    seat.earn(table.made)
    table.asked, table.made = "", 0


def build_one_by_one(table: Table, number: int) -> Script:
    seat = table.seats[number]
    while True:
        works = [
            say("work", craftsman=card, quantity=times)
            for card in in_order(seat.craftsmen)
            for times in range(1, most_work(table, seat, card) + 1)
        ]
        answer = yield from ask("work", number, [*works, "done()"])
        if answer[""] == "done":
            break
        card, times = answer["craftsman"], int(answer["quantity"])
        seat.earn(work(seat, card, times))
        table.used[card] = table.used.get(card, 0) + times
    table.used = {}


def most_work(table: Table, seat: Seat, card: str) -> int:
    """How often a craftsman can still work."""
    craftsman = CRAFTSMEN[card]
    mixers = MORTAR_MIXERS[:1] if table.options.strict_masters else MORTAR_MIXERS
    if craftsman.profession == "mason" and not any(mixer in seat.craftsmen for mixer in mixers):
        return 0
    if card == TOOLMAKER and seat.goods["metal"] == 0:
        return 0
    limits = [craftsman.capacity + (card == table.boosted) - table.used.get(card, 0)]
    for input_, need in craftsman.inputs.items():
        limits.append((seat.gold if input_ == "gold" else seat.goods[input_]) // need)
    return min(limits)


def work(seat: Seat, card: str, times: int) -> int:
    """Takes the inputs, gives the points, and returns the gold made."""
    craftsman = CRAFTSMEN[card]
    for input_, need in craftsman.inputs.items():
        if input_ == "gold":
            seat.gold -= times * need
        else:
            seat.goods[input_] -= times * need
    seat.points += times * craftsman.points
    return times * craftsman.earns


def keep_five_cubes(table: Table, number: int) -> Script:
    goods = table.seats[number].goods
    counted = MARKET_GOODS if table.options.metal_is_free else GOODS
    if table.round == ROUNDS:
        return
    table.excess = max(0, sum(goods[good] for good in counted) - MOST_CUBES_KEPT)
    for place, good in enumerate(counted):
        later = sum(goods[other] for other in counted[place + 1 :])
        least, most = max(0, table.excess - later), min(goods[good], table.excess)
        dropped = least
        if least < most:
            table.dropping = good
            drops = [say("drop", good=good, quantity=n) for n in range(least, most + 1)]
            answer = yield from ask("drop", number, drops)
            dropped = int(answer["quantity"])
        goods[good] -= dropped
        table.excess -= dropped
    table.dropping = ""


def end_round(table: Table) -> None:
    if table.round < ROUNDS:
        table.start_player = table.builders.get("start", table.clockwise()[1])
    table.builders = {}
    table.stock = dict.fromkeys(MARKET_GOODS, 0)
    table.event, table.event_known, table.die = "", False, 0
    for seat in table.seats:
        seat.protected = False
