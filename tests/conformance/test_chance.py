"""Laws of chance: the outcomes of a node, and the sampler that draws them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import IllegalActionError, Rng, State, game_names, kind_of, load_game
from tests.conformance.walks import TABLES, Table, at_every_table, law, walks
from tests.statistics import misfit


@at_every_table
@law
@given(data=st.data())
def test_outcomes_are_sorted_unique_and_of_positive_weight(table: Table, data: st.DataObject) -> None:
    for state in data.draw(walks(table)).states():
        outcomes = [outcome for outcome, _ in state.chance_outcomes()]
        assert outcomes == sorted(set(outcomes))
        assert bool(outcomes) == state.is_chance
        assert all(weight > 0 for _, weight in state.chance_outcomes())
        assert all(state.is_legal(outcome) for outcome in outcomes)
        assert all(table.info.kinds[kind_of(outcome)].chance for outcome in outcomes)


@at_every_table
@law
@given(data=st.data())
def test_the_sampler_draws_outcomes_of_the_node_and_nothing_elsewhere(
    table: Table, data: st.DataObject
) -> None:
    for state in data.draw(walks(table)).states():
        if state.is_chance:
            assert state.sample_chance(Rng(7)) in dict(state.chance_outcomes())
            with pytest.raises(IllegalActionError):
                state.sample_action(Rng(7))
        else:
            with pytest.raises(IllegalActionError):
                state.sample_chance(Rng(7))


@at_every_table
def test_the_sampler_has_the_distribution_of_the_weights(table: Table) -> None:
    rng = Rng(20260101)
    for state in _chance_nodes(table, games=3, step=7):
        drawn = Counter(state.sample_chance(rng) for _ in range(4000))
        assert misfit(drawn, dict(state.chance_outcomes())) < 4


def test_some_node_has_outcomes_of_unequal_weight_so_that_the_law_above_can_fail() -> None:
    nodes = [state for table in TABLES for state in _chance_nodes(table, games=1, step=1)]
    uneven = next(state for state in nodes if len({weight for _, weight in state.chance_outcomes()}) > 1)
    outcomes = [outcome for outcome, _ in uneven.chance_outcomes()]
    rng = Rng(3)
    uniform = Counter(outcomes[rng.below(len(outcomes))] for _ in range(100_000))
    assert misfit(uniform, dict(uneven.chance_outcomes())) > 4


@pytest.mark.parametrize("game", game_names())
def test_a_fresh_game_is_the_same_state_every_time(game: str) -> None:
    assert load_game(game) == load_game(game)


def _chance_nodes(table: Table, *, games: int, step: int) -> list[State]:
    """Every ``step``-th chance node of a few games."""
    nodes = []
    for seed in range(games):
        state, rng = State.initial(table.game, table.players), Rng(seed)
        while not state.is_terminal:
            if state.is_chance:
                nodes.append(state.copy())
                state.apply(state.sample_chance(rng))
            else:
                state.apply(state.sample_action(rng))
    return nodes[::step]
