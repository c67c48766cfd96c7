"""A Column of Fire for the oracle: one player's half of a year (rules 1.4 to 1.7)."""

from tests.oracle.column_actions import (
    finish_space,
    perform,
    possible,
    roll_religion,
    take_die_off,
)
from tests.oracle.column_cards import COLOURS, COUNTRIES, FREE_DIE_PRICE, MOST_SKIPS, TILES, WILD, tables
from tests.oracle.column_events import flip, settle_conflicts
from tests.oracle.column_script import Answer, Script, decide, draw_lots, say
from tests.oracle.column_table import Seat, Table, is_vp


def play_half_turn(table: Table) -> Script:
    table.point = "start"
    yield from open_window(table)
    if table.half == 1:
        yield from play_first_half(table)
    else:
        yield from play_second_half(table)
    table.point = "end"
    yield from open_window(table)
    table.point = "conflicts"
    yield from settle_conflicts(table)
    table.sold, table.event_done = [], False


def next_half_turn(table: Table) -> bool:
    """All players have their first half, then all their second; false after the last year."""
    following = (table.turn + 1) % table.players
    if following == table.start_player:
        if table.half == 2:
            if table.ending or table.year == table.options.max_years:
                return False
            table.year += 1
        table.half = 3 - table.half
    table.turn = following
    return True


# Free actions (rules 1.7, 7.1)


def open_window(table: Table) -> Script:
    """Free actions before and after everything else, if public facts tell that there may be any."""
    while table.options.free_actions and (table.active.held() or table.active.points >= FREE_DIE_PRICE):
        answer = yield from decide("window", table.turn, ["pass()", *free_actions(table)])
        if answer[""] == "pass":
            return
        yield from act_freely(table, answer)


def free_actions(table: Table) -> list[str]:
    seat = table.active
    own = [tile for tile in TILES if seat.tiles[tile] and not is_vp(tile)]
    plays = [say("play", tile=tile) for tile in own if possible(table, tables().tiles[tile].action)]
    purchases = [say("pay", die=die) for die in seat.dice_on_cards()]
    return plays + (purchases if seat.points >= FREE_DIE_PRICE else [])


def act_freely(table: Table, answer: Answer) -> Script:
    seat = table.active
    if answer[""] == "pay":
        table.lose(seat, FREE_DIE_PRICE)
        yield from take_die_off(table, answer["die"])
        return
    seat.tiles[answer["tile"]] -= 1
    table.discards[answer["tile"]] += 1
    yield from perform(table, tables().tiles[answer["tile"]].action)


# The first half (rules 1.5)


def play_first_half(table: Table) -> Script:
    seat = table.active
    table.point = "cards"
    turn_prison_dice(table, seat)
    if seat.religion_die == 1:
        yield from roll_religion(table)
    else:
        seat.religion_die -= 1
        table.check_minority(seat)
    while table.cursor < len(seat.row):
        card = list(seat.row)[table.cursor]
        die = seat.row[card]
        if seat.faces[die] == 1:
            table.take_off(seat, die)
        else:
            seat.faces[die] -= 1
            table.point = "card"
            yield from offer_card(table, card)
    table.cursor = 0


def turn_prison_dice(table: Table, seat: Seat) -> None:
    for die in list(seat.prison):
        if seat.faces[die] == 1:
            table.take_off(seat, die)
        else:
            seat.faces[die] -= 1


def offer_card(table: Table, card: str) -> Script:
    """The use of a card, which is lost if the card goes before it is decided about."""
    asked_at, action = table.point, tables().characters[card].action
    use = False
    while table.point == asked_at and possible(table, action):
        actions = [say("use_card", card=card), "skip()", *free_actions(table)]
        answer = yield from decide("use_card", table.turn, actions)
        if answer[""] in ("use_card", "skip"):
            use = answer[""] == "use_card"
            break
        yield from act_freely(table, answer)
    if table.point != asked_at:
        return
    if asked_at == "card":
        table.cursor += 1
        table.point = "cards"
    else:
        table.point = "flip"
    if use:
        yield from perform(table, action)


# The second half, part 1: recruiting (rules 1.6)


def play_second_half(table: Table) -> Script:
    table.point = "recruit"
    yield from roll_free_dice(table)
    yield from recruit(table)
    table.point = "track"
    yield from move(table)


def roll_free_dice(table: Table) -> Script:
    seat = table.active
    for die in seat.free_dice():
        rolls = {
            say("roll_die", year=table.year, seat_die=f"{die}{table.turn}", face=face): 1
            for face in range(1, 7)
        }
        answer = yield from draw_lots("roll_dice", rolls)
        seat.faces[die] = int(answer["face"])


def recruit(table: Table) -> Script:
    seat = table.active
    while choices := recruiting_choices(table):
        decline = ["decline()"] if seat.points else []
        answer = yield from decide("recruit", table.turn, [*choices, *decline, *free_actions(table)])
        if answer[""] == "recruit":
            yield from recruit_from(table, answer["die"], answer["country"])
            return
        if answer[""] == "decline":
            break
        yield from act_freely(table, answer)
    else:
        table.happened.append("unable to recruit" + ("" if seat.points else " without a point"))
    table.lose(seat, 1)
    forget_rolls(seat, None)


def recruiting_choices(table: Table) -> list[str]:
    """Dice rolled in this half, each with the countries it may recruit from."""
    seat = table.active
    return [
        say("recruit", die=die, country=country)
        for die in seat.free_dice()
        for country in countries_of(die)
        if seat.faces[die] and (table.options.full_recruit or not table.is_full(country))
    ]


def countries_of(die: str) -> tuple[str, ...]:
    return COUNTRIES if die == WILD else (COUNTRIES[COLOURS.index(die)],)


def forget_rolls(seat: Seat, chosen: str | None) -> None:
    """From the recruiting choice on only the colours of free dice count."""
    for die in seat.free_dice():
        if die != chosen:
            seat.faces[die] = 0


def recruit_from(table: Table, die: str, name: str) -> Script:
    seat, country = table.active, table.countries[name]
    table.die, table.country = die, name
    forget_rolls(seat, die)
    card = country.face_up
    if card is None:
        yield from recruit_nobody(table, die, name)
        return
    yield from move_stone(table, name, tables().characters[card].stone)
    yield from build_house(table, name, seat.faces[die])
    seat.row[card] = die
    country.face_up, table.die = None, None
    table.point = "new_card"
    yield from offer_card(table, card)
    table.point, table.country = "track", None
    yield from flip(table, name)


def recruit_nobody(table: Table, die: str, name: str) -> Script:
    """An exhausted country leaves the house to be built."""
    seat = table.active
    table.happened.append("a house in an exhausted country")
    if table.options.exhausted_fee:
        table.lose(seat, 1)
    yield from build_house(table, name, seat.faces[die])
    seat.faces[die] = 0
    table.die, table.country = None, None


def move_stone(table: Table, name: str, stone: str) -> Script:
    """The card's stone comes to the country; a protection tile sends it to the supply."""
    seat = table.active
    if table.is_full(name):
        table.happened.append("a recruit from a full country")
        return
    if seat.protection:
        answer = yield from decide("stone", table.turn, ["accept()", "protect()"])
        if answer[""] == "protect":
            seat.protection -= 1
            return
    table.countries[name].stones[stone] += 1


def build_house(table: Table, name: str, site: int) -> Script:
    """A first house must be placed, an own one may move up, never down (rules 1.6 step 4)."""
    own = table.active.houses[name]
    if own >= site:
        table.happened.append("a house that stays")
        return
    if own:
        answer = yield from decide("house", table.turn, ["skip()", "upgrade()"])
        if answer[""] == "skip":
            return
        table.happened.append("an upgrade")
    push_houses(table, name, site)


def push_houses(table: Table, name: str, site: int) -> None:
    """Whoever stands where a house comes moves one site down, and so on; below site 1 is off the board."""
    seat = table.active
    seat.houses[name] = 0
    moving, pushed = seat, -1
    while site:
        occupant = table.occupant(name, site)
        moving.houses[name] = site
        pushed += 1
        if occupant is None:
            break
        moving, site = occupant, site - 1
    else:
        moving.houses[name] = 0
        table.happened.append("a house pushed off the board")
    if pushed:
        table.happened.append(f"houses pushed: {pushed}")


# The second half, part 2: the track (rules 1.6)


def move(table: Table) -> Script:
    seat = table.active
    while moves := track_moves(table):
        actions = [say("move", space=space) for space in moves]
        answer = yield from decide("track", table.turn, actions + free_actions(table))
        if answer[""] == "move":
            table.lose(seat, moves[answer["space"]])
            seat.space = table.space = answer["space"]
            table.point = "space"
            yield from offer_space(table, answer["space"])
            return
        yield from act_freely(table, answer)
    table.happened.append("no move with a free die" if seat.free_dice() else "no free die to move with")


def track_moves(table: Table) -> dict[str, int]:
    """Spaces that a free die leads to, with what skipping others of its colour costs."""
    moves: dict[str, int] = {}
    for colour in table.active.free_dice():
        ahead = [space for space in table.next_spaces() if tables().spaces[space].colour == colour]
        most = min(MOST_SKIPS, table.active.points)
        moves |= {space: skips for skips, space in enumerate(ahead[: most + 1])}
    return moves


def offer_space(table: Table, space: str) -> Script:
    action, use = tables().spaces[space].action, False
    while possible(table, action):
        actions = [say("use_space", space=space), "skip()", *free_actions(table)]
        answer = yield from decide("use_space", table.turn, actions)
        if answer[""] in ("use_space", "skip"):
            use = answer[""] == "use_space"
            break
        yield from act_freely(table, answer)
    table.point, table.space = "end", None
    yield from finish_space(table, space, use)
