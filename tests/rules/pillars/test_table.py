"""The Pillars of the Earth: what lies on the table at which time, over whole games with all options."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from kingsbridge.pyengine import State, describe
from tests.rules.pillars.position import PHASES, View, look

NOTHING: dict[str, Any] = {
    "drawn": -1,
    "looked": -1,
    "exempt": -1,
    "dealt": 0,
    "die": 0,
    "made": 0,
    "excess": 0,
}
"""What a field is when it is empty, where that is not the empty list, text or False."""


def phases(first: str, last: str) -> tuple[str, ...]:
    """The phases of a round from one to another."""
    return PHASES[PHASES.index(first) : PHASES.index(last) + 1]


# The phases in which a field may say something; in all others it is empty.
ON_THE_TABLE: dict[str, tuple[str, ...]] = {
    "town": phases("town", "roof"),
    "shiring": phases("absent", "discard_shiring"),
    "craftsmen": phases("absent", "discard_hire"),
    "quarries": phases("look", "discard_hire"),
    "looked": phases("cards", "reveal"),
    "event": phases("bishop", "drop"),
    "event_known": phases("bishop", "drop"),
    "builders": phases("draw", "drop"),
    "drawn": ("refuse", "builder"),
    "free": ("builder",),
    "dealt": phases("draw", "dial"),
    "refused": phases("draw", "dial"),
    "dial": phases("draw", "dial"),
    # The die lies open from its roll on; a card may still be used against it.
    "die": phases("tax_card", "drop"),
    "exempt": ("roll",),
    "market_space": ("market",),
    "asked": ("work",),
    "made": ("work",),
    "boosted": ("work",),
    "used": ("work",),
    "dropping": ("drop",),
    "excess": ("drop",),
}
BEFORE_A_SEAT: dict[str, tuple[str, ...]] = {
    "workers": phases("town", "discard_hire"),
    "passed": phases("cards", "discard_hire"),
    "quarries": phases("cards", "roof"),
    "mill": phases("cards", "roof"),
    "protected": phases("bishop", "drop"),
    "two_builders": (*phases("protection", "drop"), *phases("town", "discard_hire")),
}
SPACES: dict[str, tuple[str, ...]] = {
    "bishop": phases("draw", "bishop"),
    "priory": phases("draw", "roof"),
    "court": phases("draw", "roll"),
    "castle": phases("draw", "discard_shiring"),
    "market": phases("draw", "market"),
    "start": phases("draw", "drop"),
}


def games(players: int) -> Iterator[View]:
    """The views of all nodes of some games, each with its own options."""
    for seed in range(6):
        random = Random(seed)
        options = {
            option.name: random.randint(option.min, option.max) for option in describe("pillars").options
        }
        state = State.initial("pillars", players, options)
        yield look(state)
        while not state.is_terminal:
            outcomes = state.chance_outcomes()
            if outcomes:
                event, _ = random.choices(outcomes, [weight for _, weight in outcomes])[0]
            else:
                event = random.choice(state.legal_actions())
            state.apply(event)
            yield look(state)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_resolved_is_gone_from_the_table(players: int) -> None:
    for seen in games(players):
        phase = seen["phase"]
        for field, where in ON_THE_TABLE.items():
            empty = NOTHING.get(field)
            assert phase in where or (seen[field] == empty if empty is not None else not seen[field]), (
                phase,
                field,
            )
        assert phase in ("draw", "refuse", "builder") or not any(seen["bag"])
        for builder in seen["builders"]:
            assert phase in SPACES[builder["space"].rstrip("1234")], (phase, builder)
        for one in seen["seats"]:
            for field, where in BEFORE_A_SEAT.items():
                assert phase in where or not one[field], (phase, field)
            assert phase == "market" or not any(one["bought"] + one["sold"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bounds_hold_at_every_step(players: int) -> None:
    for seen in games(players):
        for one in seen["seats"]:
            assert 0 <= one["gold"] <= 30
            assert one["points"] >= 0
            assert min(one["goods"]) >= 0
            assert len(one["craftsmen"]) <= 5 + ("A7" in one["advantages"]) + seen["phase"].startswith(
                "discard"
            )
        assert all(0 <= left <= 4 for left in seen["stock"])
        assert 0 <= seen["round"] <= 6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_builders_are_somewhere_while_they_are_placed(players: int) -> None:
    hit = False
    for seen in games(players):
        if seen["phase"] not in ("draw", "refuse", "builder", "dial"):
            continue
        held = list(seen["bag"])
        for number in [builder["seat"] for builder in seen["builders"] + seen["dial"]]:
            held[number] += 1
        for number in [*seen["town_builders"], *seen["shiring_builders"], seen["drawn"]]:
            if number != -1:
                held[number] += 1
        assert set(held) <= {2, 3}
        hit |= 2 in held
    assert hit


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_card_is_ever_in_two_places(players: int) -> None:
    for seen in games(players):
        advantages = [*seen["town"], *seen["unseen_advantages"]]
        neutral = [*seen["craftsmen"], *seen["shiring"]]
        quarries = list(seen["quarries"])
        for one in seen["seats"]:
            advantages += one["advantages"]
            neutral += [card for card in one["craftsmen"] if card[0] != "S"]
            quarries += one["quarries"]
        for cards in (advantages, neutral, quarries):
            assert len(cards) == len(set(cards))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_advantage_cards_and_one_event_are_used_up_a_round(players: int) -> None:
    for seen in games(players):
        if seen["round"] and seen["phase"] not in ("town", "over"):
            assert len(seen["unseen_advantages"]) == 14 - 2 * min(5, seen["round"])
            assert len(seen["unseen_events"]) == 10 - seen["round"] + (not seen["event_known"])
