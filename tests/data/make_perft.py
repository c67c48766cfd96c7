"""Writes the perft tables: ``python -m tests.data.make_perft [GAME ...]`` at the root of the repository.

The tables are golden data: read the diff. The script itself refuses to write counts of the engine that the
oracle, which counts in plain Python, does not confirm as far as it can count in reasonable time.
"""

import sys
from dataclasses import dataclass, field
from typing import Any

from kingsbridge.pyengine import Rng, State, action_text, describe
from tests.oracle.perft_table import TABLES, Count, PerftPosition, perft, write_block
from tests.oracle.subjects import SUBJECTS

MOST_LEAVES = 2_000_000
MOST_LEAVES_FOR_THE_ORACLE = {"builders": 60_000, "pillars": 20_000, "column": 20_000}

HEADER = """\
# Perft of {title}. Made by tests/data/make_perft.py; the format is told in
# tests/oracle/perft_table.py.
"""


@dataclass(frozen=True)
class Plan:
    """Where a position comes from: a game by the light policy, up to a turn."""

    id: str
    players: int
    options: dict[str, int] = field(default_factory=dict)
    seed: int = 1
    rounds: int = 1
    """The position is the first decision of this round (year); 0 is the opened box."""
    decisions: int = 0
    """Decisions after that."""
    phase: str = ""
    """If given, only decisions in this phase count."""


BUILDERS = [
    Plan("two seats, opened box", 2, rounds=0),
    Plan("four seats, opened box", 4, rounds=0, seed=2),
    Plan("two seats, first turn", 2, seed=3),
    Plan("three seats, first turn", 3, seed=4),
    Plan("four seats, first turn", 4, seed=5),
    Plan("two seats, first turn, hidden tops", 2, {"visible_tops": 0}, seed=6),
    Plan("two seats, sites open", 2, seed=7, rounds=4),
    Plan(
        "three seats, within a turn, cumulative coins",
        3,
        {"cumulative_coins": 1},
        seed=8,
        rounds=5,
        decisions=1,
    ),
    Plan(
        "four seats, hidden tops and cumulative coins",
        4,
        {"visible_tops": 0, "cumulative_coins": 1},
        seed=9,
        rounds=6,
    ),
    Plan("two seats, late", 2, seed=10, rounds=9),
    Plan("two seats, last turn of the last round", 2, {"max_rounds": 3}, seed=11, rounds=3, decisions=4),
    Plan("three seats, one round", 3, {"max_rounds": 1}, seed=12, rounds=1, decisions=8),
    Plan("four seats, decks nearly empty", 4, {"max_rounds": 60}, seed=13, rounds=14),
]

PILLARS = [
    Plan("two seats, opened box", 2, rounds=0),
    Plan("four seats, opened box", 4, rounds=0),
    Plan("two seats, first cards", 2, seed=1),
    Plan("four seats, first cards", 4, seed=2),
    Plan("three seats, cards of the third round", 3, seed=3, rounds=3),
    Plan("two seats, first builder", 2, seed=4, phase="refuse"),
    Plan("three seats, placing", 3, seed=5, rounds=2, phase="builder", decisions=2),
    Plan("four seats, free builders", 4, seed=6, rounds=4, phase="builder", decisions=8),
    Plan("four seats, the dial", 4, {"bishop_spaces": 2, "castle_spaces": 2}, seed=7, rounds=5, phase="dial"),
    Plan("two seats, the bishop", 2, {"bishop_spaces": 2}, seed=8, rounds=2, phase="bishop"),
    Plan("three seats, the market", 3, seed=9, rounds=3, phase="market"),
    Plan(
        "four seats, the market twice",
        4,
        {"market_twice": 1, "lowest_space": 0},
        seed=10,
        rounds=4,
        phase="market",
    ),
    Plan("two seats, building at once", 2, seed=11, rounds=5, phase="work"),
    Plan("three seats, building one by one", 3, {"sequential_building": 1}, seed=12, rounds=4, phase="work"),
    Plan("four seats, carry-over", 4, seed=13, rounds=2, phase="drop"),
    Plan("two seats, last building", 2, seed=14, rounds=6, phase="work", decisions=3),
]

ALL_RULINGS = {
    "free_actions": 0,
    "exhausted_fee": 1,
    "advantage_reshuffle": 1,
    "turned_minority": 0,
    "sell3_limited": 1,
    "events_from_start": 1,
    "full_recruit": 0,
}
COLUMN = [
    Plan("two seats, opened box", 2, rounds=0),
    Plan("four seats, opened box", 4, rounds=0),
    Plan("two seats, first die", 2, seed=1, phase="recruit"),
    Plan("four seats, first die", 4, seed=2, phase="recruit"),
    Plan("three seats, first move on the track", 3, seed=3, phase="track"),
    Plan("two seats, a window in the third year", 2, seed=4, rounds=3, phase="window"),
    Plan("three seats, characters of the fourth year", 3, seed=5, rounds=4, phase="use_card"),
    Plan("four seats, religion die", 4, seed=6, rounds=3, phase="convert"),
    Plan("two seats, a stone to decide about", 2, seed=7, rounds=3, phase="stone"),
    Plan("three seats, a house to move up", 3, seed=8, rounds=3, phase="house"),
    Plan("four seats, an event", 4, seed=9, rounds=2, phase="event"),
    Plan("two seats, a ship", 2, seed=10, rounds=3, phase="ship"),
    Plan("three seats, a good space", 3, seed=11, rounds=3, phase="trade"),
    Plan("four seats, religion stones", 4, seed=12, rounds=4, phase="religion"),
    Plan("two seats, a card to remove", 2, seed=13, rounds=3, phase="remove_card"),
    Plan("three seats, other rulings", 3, ALL_RULINGS, seed=14, rounds=4, phase="recruit"),
    Plan("four seats, points on all tiles", 4, {"seed_tiles": 1}, seed=15, rounds=4, phase="use_space"),
    Plan("two seats, last year", 2, {"max_years": 2}, seed=16, rounds=2, phase="track", decisions=1),
]

PLANS = {"builders": BUILDERS, "pillars": PILLARS, "column": COLUMN}


def _round(view: dict[str, Any]) -> int:
    """The round by the game's own word."""
    return int(view["year"] if "year" in view else view["round"])


def events_of(game: str, plan: Plan) -> list[str]:
    """The events from the opened box to the position of a plan."""
    state, rng, events = State.initial(game, plan.players, plan.options), Rng(plan.seed), list[str]()
    decisions = 0
    while plan.rounds > 0:
        if state.is_terminal:
            raise SystemExit(f"{plan.id}: the game of seed {plan.seed} never comes there")
        view = state.information_set(0).view()
        if not state.is_chance and _round(view) >= plan.rounds and plan.phase in ("", view["phase"]):
            if decisions == plan.decisions:
                break
            decisions += 1
        event = state.sample_chance(rng) if state.is_chance else state.sample_action(rng, "light")
        events.append(action_text(game, event))
        state.apply(event)
    return events


def count(position: PerftPosition) -> list[Count]:
    """Counts ever deeper until there are too many leaves, confirmed by the oracle where it can follow."""
    counts = []
    for expand_chance in (False, True):
        leaves, depth = 0, 0
        while depth < 8:
            depth += 1
            before, leaves = leaves, position.state().perft(depth, expand_chance)
            # A forced event leaves the count as it is for one step; after the end of the game it stays so.
            over = leaves == before == position.state().perft(depth + 2, expand_chance)
            if leaves > MOST_LEAVES or over:
                break
            counts.append(Count(expand_chance, depth, leaves))
            if leaves <= MOST_LEAVES_FOR_THE_ORACLE[position.game]:
                confirm(position, counts[-1])
    return counts


def confirm(position: PerftPosition, engine: Count) -> None:
    """Raises unless the oracle counts as the engine does."""
    oracle = SUBJECTS[position.game].initial(position.players, position.options)
    for event in position.play:
        oracle.apply(event)
    leaves = perft(oracle, engine.depth, expand_chance=engine.expand_chance)
    if leaves != engine.leaves:
        raise SystemExit(f"{position.id}: the engine has {engine}, the oracle counts {leaves}")


def main(games: list[str]) -> None:
    """Writes the tables of these games, or of all."""
    for game in games or PLANS:
        blocks = [HEADER.format(title=describe(game).title["en"])]
        for plan in PLANS[game]:
            position = PerftPosition(game, plan.id, plan.players, plan.options, events_of(game, plan))
            position.counts = count(position)
            blocks.append(write_block(position))
        (TABLES / f"{game}.perft").write_text("\n".join(blocks), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
