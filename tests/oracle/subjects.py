"""The games that have an oracle, and what random games of each must have met."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from kingsbridge.pyengine import describe
from tests.oracle import pillars_cards
from tests.oracle.builders import Builders
from tests.oracle.column import Column
from tests.oracle.column_corners import COLUMN_CORNERS, column_notes
from tests.oracle.lockstep import Options, Subject
from tests.oracle.pillars import Pillars
from tests.oracle.pillars_cards import CRAFTSMEN

# The Builders


def holding(facts: dict[str, bool]) -> list[str]:
    """The facts that are so."""
    return [fact for fact, holds in facts.items() if holds]


def builders_notes(oracle: Builders, _: str) -> list[str]:
    seats, settled = oracle.seats, oracle.dealt and not oracle.pending
    at_work = [card for seat in seats for workers in seat.sites.values() for card in workers]
    return holding(
        {
            "the end by points": oracle.over and oracle.triggered,
            "the end by the cap on rounds": oracle.over and not oracle.triggered,
            "last turns": oracle.triggered and not oracle.over,
            "a short row of workers": settled and oracle.worker_row.total() < 5,
            "a short row of buildings": settled and oracle.building_row.total() < 5,
            "twins in the row": oracle.worker_row["W19"] == 2,
            "twins in one hand": any(seat.idle["W19"] == 2 for seat in seats),
            "twins at work": at_work.count("W19") == 2,
            "a second worker to one site": any(2 in seat.sent.values() for seat in seats),
            "a machine at work": any(card[0] == "M" for card in at_work),
            "five actions": oracle.actions >= 5,
            "a sale that goes on": oracle.coins_sold > 0,
        }
    )


def fixed(**options: int) -> Callable[[Random], Options]:
    """Options that are always the same."""
    return lambda _: dict(options)


BUILDERS: Final = Subject[Builders](
    game="builders",
    initial=Builders.initial,
    knows_all=lambda oracle, viewer: True,
    variants={
        "printed": fixed(),
        "hidden tops": fixed(visible_tops=0),
        "cumulative coins": fixed(cumulative_coins=1, max_rounds=12),
        "two rounds": fixed(visible_tops=0, cumulative_coins=1, max_rounds=2),
    },
    notes=builders_notes,
    corners=frozenset(
        {
            "the end by points",
            "the end by the cap on rounds",
            "last turns",
            "a short row of workers",
            "a short row of buildings",
            "twins in the row",
            "twins in one hand",
            "twins at work",
            "a second worker to one site",
            "a machine at work",
            "five actions",
            "a sale that goes on",
            "actions that commute",
        }
    ),
    corner_games=((4, fixed()), (2, fixed(visible_tops=0, cumulative_coins=1))),
    corner_seeds=12,
)

# The Pillars of the Earth


def mixed(game: str) -> Callable[[Random], Options]:
    """Each option at its default or, as often, at any value it may have."""
    return lambda random: {
        option.name: random.randint(option.min, option.max)
        for option in describe(game).options
        if random.random() < 0.5
    }


def pillars_notes(oracle: Pillars, event: str) -> list[str]:
    """The phase, the event with its first argument, and what is rare."""
    notes = [f"phase {oracle.node.phase}", event.partition(",")[0].rstrip(")")]
    if oracle.over:
        return notes
    mover = oracle.current_player()
    rare = _rare_decisions(oracle, event, mover) if isinstance(mover, int) else _rare_chances(oracle)
    return notes + holding(rare)


def _rare_chances(oracle: Pillars) -> dict[str, bool]:
    table, phase = oracle.table, oracle.node.phase
    traders = table.at("market").values()
    two_trade = len(set(traders)) < len(traders) and not table.options.market_twice
    return {
        "a shortfall at the tax": phase == "roll" and any(seat.gold <= 1 for seat in table.seats),
        "two builders of one seat trade as one": phase == "roll" and two_trade,
        "a bag of fewer builders": phase == "draw" and max(table.bag) == 2 and table.dealt == 0,
    }


def _rare_decisions(oracle: Pillars, event: str, mover: int) -> dict[str, bool]:
    table, phase, seat = oracle.table, oracle.node.phase, oracle.table.seats[mover]
    options, here = table.options, list(table.at("market").values()).count(mover)
    return {
        "work craftsman by craftsman": phase == "work" and options.sequential_building,
        "work at once": phase == "work" and not options.sequential_building,
        "work of the boosted one": table.boosted != ""
        and event.startswith(f"work(craftsman={table.boosted}"),
        "gold lost in building": phase == "work" and seat.gold + table.made > 30,
        "metal kept beside five cubes": phase == "drop" and options.metal_is_free and seat.goods["metal"] > 0,
        "two builders of one seat trade": phase == "market" and here > 1 and options.market_twice,
        "gold lost at the market": phase == "market" and seat.gold == 30 and event.startswith("sell"),
        "a builder who must be placed": phase == "builder" and table.dealt >= 7,
        "two on the dial": phase == "dial" and len(table.dial) > 1,
        "a card after a pass": phase == "cards" and any(one.passed for one in table.seats),
        "the seventh craftsman": len(seat.craftsmen) == 7,
        "more than twelve workers": seat.workers > 12,
        "a free builder": table.free,
        "an event known to one seat": table.looked != -1,
        "no choice but to pass": oracle.legal_actions() == ["pass()"],
    }


PILLARS_PHASES: Final = (
    *(
        "start",
        "town",
        "split",
        "absent",
        "look",
        "cards",
        "discard_hire",
        "draw",
        "refuse",
        "builder",
        "dial",
    ),
    *("reveal", "bishop", "protection", "roof", "tax_card", "roll", "discard_shiring", "market", "boost"),
    *("work", "drop", "over"),
)
HIRED: Final = [card for card in CRAFTSMEN if card[0] != "S"]

PILLARS: Final = Subject[Pillars](
    game="pillars",
    initial=Pillars.initial,
    knows_all=Pillars.knows_all,
    variants={"printed": fixed(), "all options": mixed("pillars")},
    notes=pillars_notes,
    corners=frozenset(
        {f"phase {phase}" for phase in PILLARS_PHASES}
        | {f"work(craftsman={card}" for card in CRAFTSMEN}
        | {f"boost(craftsman={card}" for card in ("S1", "S2", "S3", "1a", "1b", "1d")}
        | {f"{kind}(craftsman={card}" for kind in ("hire", "place_shiring") for card in HIRED}
        | {f"take(quarry={card}" for card in pillars_cards.WORKERS}
        | {f"reveal(event={card}" for card in pillars_cards.EVENTS}
        | {f"place_town(advantage={card}" for card in pillars_cards.ADVANTAGES}
        | {f"use(advantage={card}" for card in ("A8", "A11", "A12")}
        | {f"{kind}(good={good}" for kind in ("receive", "buy") for good in pillars_cards.MARKET_GOODS}
        | {f"sell(good={good}" for good in pillars_cards.GOODS}
        | {f"drop(good={good}" for good in pillars_cards.MARKET_GOODS}
        | {"accept(", "refuse(", "protect(", "decline(", "leave(", "done("}
        | {
            "a shortfall at the tax",
            "a bag of fewer builders",
            "work craftsman by craftsman",
            "work at once",
            "work of the boosted one",
            "gold lost in building",
            "metal kept beside five cubes",
            "two builders of one seat trade",
            "two builders of one seat trade as one",
            "gold lost at the market",
            "a builder who must be placed",
            "two on the dial",
            "a card after a pass",
            "the seventh craftsman",
            "more than twelve workers",
            "a free builder",
            "an event known to one seat",
            "no choice but to pass",
            "actions that commute",
        }
    ),
    corner_games=(
        (4, fixed()),
        (3, mixed("pillars")),
        (2, fixed(bishop_spaces=2, market_twice=1, lowest_space=0)),
    ),
    corner_seeds=12,
)

# A Column of Fire

COLUMN: Final = Subject[Column](
    game="column",
    initial=Column.initial,
    knows_all=Column.knows_all,
    variants={
        "printed": fixed(),
        "points on all tiles": fixed(seed_tiles=1, free_actions=0),
        "all options": mixed("column"),
    },
    notes=column_notes,
    corners=COLUMN_CORNERS,
    corner_games=(
        (4, fixed()),
        (3, mixed("column")),
        (2, fixed(sell3_limited=1, events_from_start=1, exhausted_fee=1, full_recruit=0, turned_minority=0)),
    ),
    corner_seeds=24,
)

SUBJECTS: Final[dict[str, Subject[Any]]] = {subject.game: subject for subject in (BUILDERS, PILLARS, COLUMN)}
