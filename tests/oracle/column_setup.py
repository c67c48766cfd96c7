"""A Column of Fire for the oracle: setting up (rules 1.3), and the end (rules 5)."""

from tests.oracle.column_cards import RELIGION_DIE, tables
from tests.oracle.column_events import flip_one
from tests.oracle.column_script import Script, draw_lots, say
from tests.oracle.column_table import Table, is_vp


def set_up(table: Table) -> Script:
    starts = {say("start", seat=seat): 1 for seat in range(table.players)}
    answer = yield from draw_lots("start", starts)
    table.start_player = int(answer["seat"])
    dealt: list[str] = []
    for number in range(table.players):
        yield from deal_loch_leven(table, number, dealt)
    for number, seat in enumerate(table.seats):
        rolls = {say("roll_religion", year=0, seat=number, face=f): n for f, n in RELIGION_DIE.items()}
        answer = yield from draw_lots("first_roll", rolls)
        seat.religion_die = int(answer["face"])
    for name in table.countries:
        yield from turn_up_first_card(table, name)
    table.year, table.half, table.turn = 1, 1, table.start_player


def deal_loch_leven(table: Table, number: int, dealt: list[str]) -> Script:
    """Two players draw again until their religions differ: the second has one of the other religion."""
    backs, seat = tables().loch_leven, table.seats[number]
    left = [card for card in backs if card not in dealt]
    if table.players == 2 and dealt:
        left = [card for card in left if backs[card].religion != backs[dealt[0]].religion]
    deals = {say("deal", seat=number, loch_leven=card): 1 for card in left}
    answer = yield from draw_lots("deal", deals)
    dealt.append(answer["loch_leven"])
    back = backs[answer["loch_leven"]]
    seat.religion, seat.space = back.religion, tables().ship_space(back.ship)
    seat.goods[back.good] += 1
    seat.protection += 1


def turn_up_first_card(table: Table, name: str) -> Script:
    """Events turned up now leave the game without effect."""
    country = table.countries[name]
    table.flipping = name
    while country.face_up is None:
        card = yield from flip_one(table, name, "first_flip")
        if card in tables().characters:
            country.face_up = card
        else:
            table.happened.append("an event while setting up")
    table.flipping = None


def finish(table: Table) -> None:
    """Points on tiles are revealed; other tiles go back into the stacks face down."""
    table.over, table.point, table.half, table.turn = True, "none", 0, 0
    for seat in table.seats:
        for tile in seat.tiles:
            if not is_vp(tile):
                table.stack[tile] += seat.tiles[tile]
                seat.tiles[tile] = 0
