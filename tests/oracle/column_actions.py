"""A Column of Fire for the oracle: the actions of characters, track spaces and tiles (rules 1.8)."""

from collections.abc import Callable
from itertools import combinations
from typing import Final

from tests.oracle.column_cards import (
    BLACK,
    GOODS,
    PAIRS,
    RELIGION_DIE,
    RELIGIONS,
    SELL3_PRICE,
    Action,
    pairs_text,
    tables,
)
from tests.oracle.column_events import flip
from tests.oracle.column_script import Script, decide, draw_lots, say
from tests.oracle.column_table import Seat, Table

STONES_OF: Final = {
    "RELIGION": list(RELIGIONS),
    "RELIGION_P": ["protestant"],
    "RELIGION_C": ["catholic"],
    "NEUTRAL": ["neutral"],
}

# What an action can do now


def possible(table: Table, action: Action) -> bool:
    """Whether an action of the active player would have any effect (rules 7.1)."""
    if action.name in ("GOOD", "VP", "PROTECTION"):
        return True
    if action.name == "ADVANTAGE":
        return any(tiles_to_draw(table).values())
    return bool(choices(table, action))


def choices(table: Table, action: Action) -> list[str]:
    """The parameters an action may be given; none for an action without parameters."""
    name = action.name
    if name in STONES_OF:
        return stone_choices(table, STONES_OF[name])
    listed: dict[str, Callable[[], list[str]]] = {
        "ANY_GOOD": lambda: [say("gain", good=good) for good in GOODS],
        "DIE_PM1": lambda: turn_choices(table.active),
        "DIE_REMOVE": lambda: [say("free", die=die) for die in table.active.dice_on_cards()],
        "CARD_REMOVE": lambda: [say("remove_card", card=card) for card in removable_cards(table)],
        "TRACK_NEXT": lambda: [say("move", space=space) for space in table.next_spaces()[:1]],
        "SELL3": lambda: sell3_choices(table),
        "SHIP": lambda: sell_choices(table, tables().pairs(country=action.country)),
        "GOOD_OR_SELL": lambda: [
            say("gain", good=action.good),
            *sell_choices(table, tables().pairs(good=action.good)),
        ],
    }
    return listed[name]() if name in listed else []


def tiles_to_draw(table: Table) -> dict[str, int]:
    """The tiles of the stacks; when both are empty, by option, the played ones."""
    if any(table.stack.values()) or not table.options.advantage_reshuffle:
        return table.stack
    return table.discards


def stone_choices(table: Table, stones: list[str]) -> list[str]:
    """Neutral stones are only placed; nothing is placed in a full country."""
    countries = table.countries
    places = [
        say("place", stone=stone, country=country)
        for stone in stones
        for country in countries
        if not table.is_full(country)
    ]
    removals = [
        say("remove", stone=stone, country=country)
        for stone in stones
        for country in countries
        if stone != "neutral" and countries[country].stones[stone]
    ]
    return places + removals


def turn_choices(seat: Seat) -> list[str]:
    """Coloured dice show 1 to 6, the black one 1 to 5."""
    faces = {die: seat.religion_die if die == BLACK else seat.faces[die] for die in seat.dice_on_cards()}
    ups = [die for die, face in faces.items() if face < (5 if die == BLACK else 6)]
    downs = [die for die, face in faces.items() if face > 1]
    return [say("turn_up", die=die) for die in ups] + [say("turn_down", die=die) for die in downs]


def removable_cards(table: Table) -> list[str]:
    """The cards of the own row, and the face-up cards of the decks."""
    return list(table.active.row) + [deck.face_up for deck in table.countries.values() if deck.face_up]


# Selling (rules 1.9)


def can_sell(table: Table, pair: str) -> bool:
    sale, seat = tables().market[pair], table.active
    return seat.houses[sale.country] > 0 and seat.goods[sale.good] > 0


def sell_choices(table: Table, pairs: list[str]) -> list[str]:
    """At least one tile; each good once in each country in a half-turn."""
    open_pairs = [pair for pair in pairs if can_sell(table, pair) and pair not in table.sold]
    sets = [some for size in range(1, len(open_pairs) + 1) for some in combinations(open_pairs, size)]
    return [say("sell", pairs=pairs_text(some)) for some in sets if has_goods_for(table.active, some)]


def has_goods_for(seat: Seat, pairs: tuple[str, ...]) -> bool:
    sold = [tables().market[pair].good for pair in pairs]
    return all(sold.count(good) <= seat.goods[good] for good in GOODS)


def sell3_choices(table: Table) -> list[str]:
    """Where the good is sold matters only with the option ``sell3_limited``."""
    open_pairs = [pair for pair in PAIRS if can_sell(table, pair)]
    if table.options.sell3_limited:
        return [say("sell", pairs=pair) for pair in open_pairs if pair not in table.sold]
    goods = {tables().market[pair].good for pair in open_pairs}
    return [say("sell_one", good=good) for good in GOODS if good in goods]


def sell(table: Table, pairs: list[str], price: int | None = None) -> None:
    """Sells at the printed prices, or each tile at a price."""
    for pair in pairs:
        sale = tables().market[pair]
        table.active.goods[sale.good] -= 1
        table.sold.append(pair)
        table.gain(table.active, sale.price if price is None else price)


# Carrying out


def perform(table: Table, action: Action) -> Script:
    """Carries out a possible action of the active player to its end."""
    seat = table.active
    if action.name == "GOOD":
        seat.goods[action.good] += 1
    elif action.name == "VP":
        table.gain(seat, action.value)
    elif action.name == "PROTECTION":
        seat.protection += 1
    elif action.name in STONES_OF:
        yield from place_or_remove(table, action)
    else:
        yield from PROCEDURES[action.name](table, action)


def draw_tile(table: Table, action: Action) -> Script:
    if not any(table.stack.values()):
        table.stack, table.discards = table.discards, table.stack
        table.happened.append("played tiles reshuffled")
    outcomes = {
        say("draw", seat=table.turn, tile=tile): count for tile, count in table.stack.items() if count
    }
    answer = yield from draw_lots("draw", outcomes)
    table.stack[answer["tile"]] -= 1
    table.active.tiles[answer["tile"]] += 1


def gain_any_good(table: Table, action: Action) -> Script:
    answer = yield from decide("good", table.turn, choices(table, action))
    table.active.goods[answer["good"]] += 1


def place_or_remove(table: Table, action: Action) -> Script:
    table.stones = STONES_OF[action.name]
    answer = yield from decide("religion", table.turn, choices(table, action))
    table.stones = []
    step = 1 if answer[""] == "place" else -1
    table.countries[answer["country"]].stones[answer["stone"]] += step


def turn_a_die(table: Table, action: Action) -> Script:
    seat = table.active
    answer = yield from decide("turn_die", table.turn, choices(table, action))
    step = 1 if answer[""] == "turn_up" else -1
    if answer["die"] != BLACK:
        seat.faces[answer["die"]] += step
        return
    seat.religion_die += step
    if step == -1 and table.options.turned_minority:
        table.check_minority(seat)


def free_a_die(table: Table, action: Action) -> Script:
    answer = yield from decide("free_die", table.turn, choices(table, action))
    yield from take_die_off(table, answer["die"])


def take_die_off(table: Table, die: str) -> Script:
    """The black die is rolled again at once (rules 1.7)."""
    if die == BLACK:
        table.happened.append("a religion die rolled again out of turn")
        yield from roll_religion(table)
    else:
        table.take_off(table.active, die)


def roll_religion(table: Table) -> Script:
    """Rolls, then asks for the religion, then looks for the minority (rules 1.5 step 2)."""
    seat = table.active
    seat.religion_die = 0
    outcomes = {
        say("roll_religion", year=table.year, seat=table.turn, face=face): weight
        for face, weight in RELIGION_DIE.items()
    }
    answer = yield from draw_lots("roll_religion", outcomes)
    seat.religion_die = int(answer["face"])
    answer = yield from decide("convert", table.turn, ["keep()", "change()"])
    if answer[""] == "change":
        seat.religion = RELIGIONS[1 - RELIGIONS.index(seat.religion)]
    table.check_minority(seat)


def remove_a_card(table: Table, action: Action) -> Script:
    """An own card frees its die; for the face-up card of a deck the next one is flipped."""
    answer = yield from decide("remove_card", table.turn, choices(table, action))
    card, seat = answer["card"], table.active
    if card in seat.row:
        table.take_off(seat, seat.row[card])
    else:
        yield from flip(table, tables().characters[card].country)


def sell_one(table: Table, action: Action) -> Script:
    answer = yield from decide("sell3", table.turn, choices(table, action))
    if answer[""] == "sell":
        sell(table, [answer["pairs"]], SELL3_PRICE)
    else:
        table.active.goods[answer["good"]] -= 1
        table.gain(table.active, SELL3_PRICE)


def trade(table: Table, action: Action) -> Script:
    """At a ship, or at the space of a good, where it may be gained instead."""
    phase = "ship" if action.name == "SHIP" else "trade"
    answer = yield from decide(phase, table.turn, choices(table, action))
    if answer[""] == "gain":
        table.active.goods[answer["good"]] += 1
    else:
        sell(table, answer["pairs"].split("-"))


# The track


def go_to_next_space(table: Table, action: Action) -> Script:
    space = table.next_spaces()[0]
    table.active.space = table.acting = space
    use = False
    if possible(table, tables().spaces[space].action):
        answer = yield from decide("landed", table.turn, [say("use_space", space=space), "skip()"])
        use = answer[""] == "use_space"
    yield from finish_space(table, space, use)


def finish_space(table: Table, space: str, use: bool) -> Script:
    """The action, if it is used, and the stone that a ship brings with two or three players (rules 1.3)."""
    action = tables().spaces[space].action
    table.acting = space
    if use:
        yield from perform(table, action)
    if action.name == "SHIP" and table.players < 4 and not table.is_full(action.country):
        stone = say("place", stone="neutral", country=action.country)
        answer = yield from decide("ship_stone", table.turn, ["skip()", stone])
        if answer[""] == "place":
            table.countries[action.country].stones["neutral"] += 1
    table.acting = None


PROCEDURES: Final[dict[str, Callable[[Table, Action], Script]]] = {
    "ADVANTAGE": draw_tile,
    "ANY_GOOD": gain_any_good,
    "DIE_PM1": turn_a_die,
    "DIE_REMOVE": free_a_die,
    "CARD_REMOVE": remove_a_card,
    "TRACK_NEXT": go_to_next_space,
    "SELL3": sell_one,
    "SHIP": trade,
    "GOOD_OR_SELL": trade,
}
