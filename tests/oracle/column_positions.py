"""Positions of A Column of Fire for the oracle's own tests, said in few words."""

from tests.oracle.column import Column
from tests.oracle.column_cards import COLOURS, STONES
from tests.oracle.column_table import Options, Seat, Table

SHIPS = ("T00", "T05", "T10", "T15")
QUIET = ("CE06", "CF06", "CN09", "CS06")
"""Four cards with VP:2."""


def a_seat(number: int) -> Seat:
    """Ten points, a religion die of 3, alternating religions, all dice free, no house."""
    religion = ("protestant", "catholic")[number % 2]
    return Seat(points=10, religion=religion, religion_die=3, space=SHIPS[number])


def a_table(players: int = 3, half: int = 2, year: int = 2, **options: int) -> Table:
    """The first seat is about to have its half of a year; no windows, cards of VP:2 on the decks."""
    chosen = Options.of({"free_actions": 0} | options)
    table = Table(players, chosen, [a_seat(number) for number in range(players)], year=year, half=half)
    for country, card in zip(table.countries.values(), QUIET, strict=True):
        country.unseen.remove(card)
        country.face_up = card
    return table


def play(game: Column, *events: str) -> None:
    """Plays events, each of which must be possible."""
    for event in events:
        assert event in game.events(), (event, game.node)
        game.apply(event)


def roll(game: Column, **faces: int) -> None:
    """Rolls the free dice of the first seat: 1 unless said."""
    for colour in COLOURS:
        event = f"roll_die(year={game.table.year}, seat_die={colour}0, face={faces.get(colour, 1)})"
        if event in game.events():
            game.apply(event)
    assert game.node.phase != "roll_dice"


def recruited(table: Table, die: str, country: str, face: int) -> Column:
    """A game in which the first seat has just named a die of a face and a country."""
    game = Column(table)
    roll(game, **{die: face})
    play(game, f"recruit(die={die}, country={country})")
    return game


def employ(seat: Seat, **cards: tuple[str, int]) -> None:
    """Puts character cards into a row, each with a die and its face: ``CE06=("white", 3)``."""
    for card, (die, face) in cards.items():
        seat.row[card] = die
        seat.faces[die] = face


def sites(game: Column, country: str) -> list[int]:
    return [seat.houses[country] for seat in game.table.seats]


def stones(table: Table, country: str, *, c: int = 0, p: int = 0, n: int = 0) -> None:
    table.countries[country].stones = dict(zip(STONES, (c, p, n), strict=True))


def to_track(table: Table) -> Column:
    """A game in which the first seat has recruited nobody and is about to move."""
    game = Column(table)
    roll(game)
    play(game, "decline()")
    assert game.node.phase == "track"
    return game
