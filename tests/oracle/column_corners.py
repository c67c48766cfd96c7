"""What is special about a step of A Column of Fire, and what of it random games must have met."""

from typing import Final

from tests.oracle.column import Column
from tests.oracle.column_cards import COLOURS, COUNTRIES, DICE, GOAL, GOODS, STONES, tables
from tests.oracle.column_turn import track_moves
from tests.oracle.script import Answer, read

PHASES: Final = (
    *("start", "deal", "first_roll", "first_flip", "window", "roll_religion", "convert", "use_card"),
    *("roll_dice", "recruit", "stone", "house", "track", "use_space", "landed", "good", "religion", "sell3"),
    *("turn_die", "free_die", "remove_card", "trade", "ship", "ship_stone", "draw", "flip", "event"),
    *("conflict", "over"),
)
QUESTIONS: Final = ("window", "use_card", "recruit", "track", "use_space")
"""The phases at which there are free actions."""


def column_notes(oracle: Column, event: str) -> list[str]:
    """The phase, the event with its first argument, what it does, and what was rare about the last one."""
    notes = [f"phase {oracle.node.phase}", *oracle.table.happened]
    if oracle.over:
        return notes + _the_end(oracle)
    notes.append(event.partition(",")[0].rstrip(")"))
    mover = oracle.current_player()
    return notes + (_decision(oracle, read(event), mover) if isinstance(mover, int) else [])


def _the_end(oracle: Column) -> list[str]:
    table = oracle.table
    if any(seat.points >= GOAL for seat in table.seats):
        return ["the end by 50 points"]
    exhausted = any(country.face_up is None for country in table.countries.values())
    if table.ending:
        return ["the end by an exhausted deck"] if exhausted else ["the end by 50 points since spent"]
    return ["the end by the cap on years"]


def _decision(oracle: Column, answer: Answer, mover: int) -> list[str]:
    table, phase, name = oracle.table, oracle.node.phase, answer[""]
    notes = []
    if name == "use_card":
        notes.append(f"a character's {tables().characters[answer['card']].action.name}")
    if name == "use_space":
        notes.append(f"{phase} {tables().spaces[answer['space']].action.name}")
    if name in ("play", "pay"):
        notes.append(f"{name} at {phase}")
    if phase == "event":
        notes.append(f"{tables().events[str(table.event)].kind} {name}")
    return notes + [fact for fact, holds in _rare(oracle, answer, mover).items() if holds]


def _rare(oracle: Column, answer: Answer, mover: int) -> dict[str, bool]:
    table, phase, name, seat = oracle.table, oracle.node.phase, answer[""], oracle.table.seats[mover]
    moves = track_moves(table) if phase == "track" else {}
    return {
        "an event in a first half": phase == "event" and table.half == 1,
        "an event asks another seat": phase == "event" and mover != table.turn,
        "an event while a card is in question": phase == "event" and table.point == "card",
        "an event while the new card is in question": phase == "event" and table.point == "new_card",
        "an event brought by a space": phase == "event" and table.acting is not None,
        "no choice but to pass": oracle.legal_actions() == ["pass()"],
        "a recruit that cannot be declined": phase == "recruit" and seat.points == 0,
        "a space used after leaving it": name == "use_space"
        and phase == "use_space"
        and seat.space != table.space,
        "three spaces skipped": name == "move" and moves[answer["space"]] == 3,
        "a sale of two goods": name == "sell" and "-" in answer["pairs"],
        "a captain's sale by good and country": name == "sell" and phase == "sell3",
        "a die bought off loch leven": name == "pay" and answer["die"] in seat.prison,
        "a die turned on loch leven": name.startswith("turn_") and answer["die"] in seat.prison,
        "a die freed off loch leven": name == "free" and answer["die"] in seat.prison,
        "an own card removed": name == "remove_card" and answer["card"] in seat.row,
        "a stone of a ship": name == "place" and phase == "ship_stone",
        "a stone that fills a country": name == "place" and table.free_spaces(answer["country"]) == 1,
    }


_KINDS: Final = (
    *("pass(", "keep(", "change(", "skip(", "decline(", "accept(", "protect(", "upgrade(", "redeem("),
)
_CHARACTER_ACTIONS: Final = (
    *("GOOD", "ANY_GOOD", "ADVANTAGE", "PROTECTION", "VP", "RELIGION", "NEUTRAL", "DIE_PM1"),
    *("DIE_REMOVE", "CARD_REMOVE", "TRACK_NEXT", "SELL3"),
)
_SPACE_ACTIONS: Final = (
    *("SHIP", "PROTECTION", "RELIGION_P", "ADVANTAGE", "GOOD_OR_SELL", "VP", "CARD_REMOVE", "RELIGION_C"),
    *("DIE_PM1", "DIE_REMOVE", "NEUTRAL"),
)
_ACTION_TILES: Final = (
    *("sell3", "any_good", "turn_die", "free_die", "remove_card", "next_space", "religion", "place_neutral"),
)
_EVENT_ANSWERS: Final = (
    *("LOCH_LEVEN imprison", "LOCH_LEVEN protect", "LOSE_VP accept", "LOSE_VP protect"),
    *("LOSE_GOOD lose", "LOSE_GOOD protect", "PROTECTION_FOR_VP redeem", "PROTECTION_FOR_VP skip"),
)

COLUMN_CORNERS: Final = frozenset(
    {f"phase {phase}" for phase in PHASES}
    | set(_KINDS)
    | {f"a character's {action}" for action in _CHARACTER_ACTIONS}
    | {f"use_space {action}" for action in _SPACE_ACTIONS}
    | {f"landed {action}" for action in _SPACE_ACTIONS}
    | {f"play(tile={tile}" for tile in _ACTION_TILES}
    | {f"{kind} at {phase}" for kind in ("play", "pay") for phase in QUESTIONS}
    | set(_EVENT_ANSWERS)
    | {f"recruit(die={die}" for die in COLOURS}
    | {f"{kind}(die={die}" for kind in ("turn_up", "turn_down", "free", "pay") for die in DICE}
    | {f"imprison(die={die}" for die in COLOURS}
    | {f"{kind}(good={good}" for kind in ("gain", "sell_one", "lose") for good in GOODS}
    | {f"place(stone={stone}" for stone in STONES}
    | {f"remove(stone={stone}" for stone in STONES[:2]}
    | {f"resolve(country={country}" for country in COUNTRIES}
    | {
        "the end by 50 points",
        "the end by an exhausted deck",
        "the end by the cap on years",
        "an event while setting up",
        "a second event in a half-turn",
        "an event in a first half",
        "an event asks another seat",
        "an event brought by a space",
        "points lost unasked",
        "a loss that stops at 0",
        "no good to lose",
        "a minority point",
        "a religion die rolled again out of turn",
        "a card gone before its use",
        "a card gone left of the one in question",
        "the new card gone before its use",
        "an exhausted deck",
        "a house in an exhausted country",
        "a recruit that cannot be declined",
        "unable to recruit",
        "no free die to move with",
        "no choice but to pass",
        "an upgrade",
        "a house that stays",
        "a house pushed off the board",
        "houses pushed: 1",
        "houses pushed: 2",
        "three spaces skipped",
        "a sale of two goods",
        "a captain's sale by good and country",
        "a die bought off loch leven",
        "a die turned on loch leven",
        "a die freed off loch leven",
        "an own card removed",
        "a stone of a ship",
        "a stone that fills a country",
        "a conflict won",
        "a house lost in a conflict",
        "a conflict avoided",
        "actions that commute",
    }
)
