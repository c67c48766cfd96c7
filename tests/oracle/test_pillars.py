"""The Pillars of the Earth in lockstep where random games do not go."""

from collections import Counter
from random import Random

import pytest

from tests.oracle.lockstep import Lockstep, Options, Twins
from tests.oracle.pillars import Pillars
from tests.oracle.subjects import PILLARS

WIDE = {"bishop_spaces": 2, "castle_spaces": 2}


def crowd(oracle: Pillars, random: Random, where: tuple[str, ...]) -> str:
    """What a player does who wants all builders in one place, works as much as he can and hoards the rest."""
    legal = oracle.legal_actions()
    wanted = [action for action in legal if any(place in action for place in where)]
    if wanted and oracle.node.phase in ("builder", "dial"):
        return wanted[0]
    if oracle.node.phase == "bishop":
        return legal[0]
    if oracle.node.phase in ("work", "boost", "drop"):
        return legal[-1]
    return random.choice(legal)


def crowded_game(seed: int, players: int, options: Options, where: tuple[str, ...]) -> Counter[str]:
    """A game in lockstep of players who crowd; what happened at the places they like."""
    game, random, seen = Lockstep.start(PILLARS, players, options), Random(seed), Counter[str]()
    while not game.oracle.over:
        game.compare()
        game.try_the_view_from_outside(random.randrange(-1, players))
        seen.update(crowding(game.oracle))
        outcomes = game.oracle.chance_outcomes()
        game.apply(
            random.choices(list(outcomes), list(outcomes.values()))[0]
            if outcomes
            else crowd(game.oracle, random, where)
        )
    game.compare()
    return seen


def crowding(oracle: Pillars) -> list[str]:
    table, mover = oracle.table, oracle.current_player()
    found = []
    if oracle.node.phase == "bishop" and isinstance(mover, int):
        if list(table.at("bishop").values()) == [mover, mover]:
            found.append("one guest on both spaces of the bishop's")
        if table.seats[mover].protected:
            found.append("a guest under protection")
    if any(seat.grey == 4 for seat in table.seats):
        found.append("four grey workers")
    if oracle.node.phase == "market" and len(set(table.at("market").values())) == 1:
        found.append("a market of one player")
    return found


@pytest.mark.parametrize(
    "options", [WIDE, WIDE | {"market_twice": 1, "lowest_space": 0}], ids=["wide", "twice"]
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_oracle_agree_on_players_who_crowd(players: int, options: Options) -> None:
    places = [
        ("bishop",),
        ("castle",),
        ("market",),
        ("town", "shiring"),
        ("bishop", "castle"),
        ("priory", "A5"),
    ]
    seen = Counter[str]()
    for seed, where in enumerate(places):
        seen += crowded_game(seed, players, options, where)
    assert set(seen) >= {
        "one guest on both spaces of the bishop's",
        "a guest under protection",
        "four grey workers",
        "a market of one player",
    }


@pytest.mark.parametrize("event", ["E2", "E9"])
def test_all_orders_of_building_lead_to_equal_values_exactly_where_the_oracle_says_so(event: str) -> None:
    """Walks the tree of building craftsman by craftsman, where most positions are reached in many ways."""
    game = to_building(event)
    twins, paths, layer = Twins(), 0, [game]
    while layer:
        following: dict[str, Lockstep[Pillars]] = {}
        for node in layer:
            for action in node.oracle.legal_actions():
                child = node.copy()
                child.apply(action)
                twins.add(child.state, child.oracle)
                paths += 1
                if child.oracle.node.phase == "work" and child.oracle.current_player() == 0:
                    child.compare()
                    following.setdefault(child.oracle.identity(), child)
        layer = list(following.values())[:60]
    assert len(twins.values) < paths
    assert paths > 300


def to_building(event: str) -> Lockstep[Pillars]:
    """The first seat is about to build in the second round, with a woodworker, a potter and many cubes."""
    wishes = (
        *("split(craftsman=1c, craftsman2=1d)", "split(craftsman=2a, craftsman2=2b)"),
        *("absent(quarry=stone3, quarry2=stone4)", "reveal(event=E3)", f"reveal(event={event})"),
        *("hire(craftsman=1b)", "hire(craftsman=2c)", "take(quarry=sand4)", "take(quarry=wood2)"),
        *("boost(craftsman=2c)", "done()"),
    )
    game = Lockstep.start(PILLARS, 2, {"sequential_building": 1})
    while not (game.oracle.table.round == 2 and game.oracle.node.phase == "work"):
        game.apply(choose(game.oracle, wishes))
    while game.oracle.current_player() != 0 or game.oracle.node.phase != "work":
        game.apply(choose(game.oracle, wishes))
    return game


def choose(oracle: Pillars, wishes: tuple[str, ...]) -> str:
    """The first wish that can be had; the second seat wants nothing."""
    events = oracle.events()
    if oracle.current_player() == 1 and "pass()" in events:
        return "pass()"
    return next((wish for wish in wishes if wish in events), events[0])
