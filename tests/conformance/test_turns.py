"""The law of the own decision: what it brings about, up to the next chance event, a seat knows beforehand."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import InformationSet, Rng, State
from tests.conformance.walks import Table, at_every_table, law, walks

WORLDS = 4
"""Worlds imagined of each position, beside the true one."""
LAST = 12
"""Decisions looked at, the last ones of a walk."""

Consequence = tuple[int, InformationSet | None, tuple[int, ...]]
"""Who is next; what the seat knows then and may do, if it is that seat."""


def consequence(state: State, action: int) -> Consequence:
    seat, after = state.current_player, state.child(action)
    if after.current_player != seat:
        return after.current_player, None, ()
    return seat, after.information_set(seat), tuple(after.legal_actions())


def decisions(states: list[State]) -> list[State]:
    return list(islice((state for state in reversed(states) if state.current_player >= 0), LAST))


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_what_an_own_decision_brings_is_the_same_in_all_worlds_a_seat_thinks_possible(
    table: Table, data: st.DataObject, seed: int
) -> None:
    """Chance, the end of the game, another seat's decision, or its own next one: then it also knows what it
    will know and may do.
    """
    rng = Rng(seed)
    for state in decisions(list(data.draw(walks(table)).states())):
        info = state.information_set(state.current_player)
        worlds = [info.imagine(rng) for _ in range(WORLDS)]
        for action in state.legal_actions():
            expected = consequence(state, action)
            assert all(consequence(world, action) == expected for world in worlds)
