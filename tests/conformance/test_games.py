"""Laws of whole games: they end, results are within bounds, and native algorithms agree with play."""

from collections import Counter
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import (
    CHANCE,
    TERMINAL,
    UTILITY_ONE,
    OptionError,
    Rng,
    State,
    UnknownGameError,
    describe,
    game_names,
    load_game,
)
from tests.conformance.walks import Table, Walk, at_every_table, law, options_of, play_out, walks
from tests.statistics import misfit


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), policy=st.sampled_from(["light", "uniform"]))
def test_every_game_ends_within_its_bound(table: Table, data: st.DataObject, seed: int, policy: str) -> None:
    state = State.initial(table.game, table.players, data.draw(options_of(table.info)))
    assert 0 < play_out(state, Rng(seed), policy) <= table.info.max_length
    assert state.current_player == TERMINAL
    assert state.legal_actions() == []
    assert state.chance_outcomes() == []


@at_every_table
@law
@given(data=st.data())
def test_results_are_within_their_bounds_at_every_node(table: Table, data: st.DataObject) -> None:
    for state in data.draw(walks(table)).states():
        for values in (state.scores(), state.ranks(), state.utilities(), state.win_shares()):
            assert len(values) == table.players
        assert all(score <= table.info.max_score for score in state.scores())
        assert all(0 <= utility <= UTILITY_ONE for utility in state.utilities())
        best = [
            share
            for share, rank in zip(state.win_shares(), state.ranks(), strict=True)
            if rank == max(state.ranks())
        ]
        assert all(isclose(share, 1 / len(best)) for share in best)
        assert isclose(sum(state.win_shares()), 1)


@at_every_table
@law
@given(data=st.data())
def test_a_better_rank_never_has_less_utility(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    for rank, utility in zip(state.ranks(), state.utilities(), strict=True):
        for other, less in zip(state.ranks(), state.utilities(), strict=True):
            assert other >= rank or less <= utility


@at_every_table
@law
@given(data=st.data())
def test_a_state_knows_its_game_seats_and_options(table: Table, data: st.DataObject) -> None:
    walk = data.draw(walks(table))
    defaults = {option.name: option.default for option in table.info.options}
    for state in walk.states():
        assert (state.game, state.players) == (table.game, table.players)
        assert state.options == defaults | dict(walk.options)
        assert state.is_chance == (state.current_player == CHANCE)
        assert state.is_terminal == (state.current_player == TERMINAL)
        assert state.current_player in {CHANCE, TERMINAL, *range(table.players)}
        assert table.game in repr(state)


@at_every_table
@law
@given(data=st.data())
def test_rollouts_leave_the_state_and_stay_within_bounds(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    before = state.copy()
    results = state.rollouts(3, 5)
    assert results.shape == (5, table.players, 2)
    assert ((results[:, :, 1] >= 0) & (results[:, :, 1] <= UTILITY_ONE)).all()
    assert (results[:, :, 0] <= table.info.max_score).all()
    assert all(0 <= utility <= UTILITY_ONE for utility in state.rollout(Rng(1))[0])
    if state.is_terminal:
        assert state.rollout(Rng(1))[0] == state.utilities()
        assert results[0].tolist() == [
            list(pair) for pair in zip(state.scores(), state.utilities(), strict=True)
        ]
    assert state == before


@at_every_table
@law
@given(data=st.data())
def test_a_game_cut_off_is_shared_by_the_odds_of_its_outlook(table: Table, data: st.DataObject) -> None:
    def wins(lead: int) -> list[float]:
        odds = [4 ** ((score - max(scores)) / lead) for score in scores]
        return [each / sum(odds) for each in odds]

    for state in (each for each in data.draw(walks(table)).states() if each.current_player >= 0):
        of_utility, of_share = state.outlook_leads()
        utilities, shares, scores = state.rollout(Rng(1), length=0, margin=0)
        assert scores == state.outlook()
        assert [share / UTILITY_ONE for share in shares] == pytest.approx(wins(of_share), abs=1e-4)
        assert [each / UTILITY_ONE for each in utilities] == pytest.approx(wins(of_utility), abs=1e-4)


@at_every_table
@law
@given(data=st.data())
def test_rollouts_repeat_from_their_seed_and_differ_from_another(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).states().__next__()
    assert (state.rollouts(3, 20) == state.rollouts(3, 20)).all()
    assert not (state.rollouts(3, 20) == state.rollouts(4, 20)).all()
    assert (state.rollouts(3, 20)[:5] == state.rollouts(3, 5)).all()


@pytest.mark.parametrize("game", game_names())
def test_a_rollout_refuses_an_unknown_policy_and_a_negative_count(game: str) -> None:
    state = load_game(game)
    for call in (
        lambda: state.rollout(Rng(1), "heavy"),
        lambda: state.rollouts(1, 1, "heavy"),
        lambda: state.rollouts(1, -1),
        lambda: state.rollout_nodes(1, 1, "heavy"),
        lambda: load_game(game).sample_action(Rng(1), "heavy"),
    ):
        with pytest.raises(ValueError, match=r"heavy|count"):
            call()
    assert state.rollouts(1, 0).shape == (0, state.players, 2)


@at_every_table
@law
@given(data=st.data())
def test_policies_and_heuristics_speak_of_legal_actions(table: Table, data: st.DataObject) -> None:
    for state in data.draw(walks(table)).states():
        legal = state.legal_actions()
        assert len(state.heuristic()) == len(legal)
        if legal:
            assert state.sample_action(Rng(5), "light") in legal
            assert state.sample_action(Rng(5), "uniform") in legal


@at_every_table
def test_the_uniform_policy_is_uniform(table: Table) -> None:
    walk = Walk(table, (), seed=1, skip=60, policy="light", picks=())
    for state in [state for state in walk.states() if len(state.legal_actions()) > 1][:5]:
        rng = Rng(17)
        chosen = Counter(state.sample_action(rng, "uniform") for _ in range(3000))
        assert misfit(chosen, dict.fromkeys(state.legal_actions(), 1)) < 4


@at_every_table
@law
@given(data=st.data())
def test_perft_counts_what_play_reaches(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    for depth in range(3):
        assert state.perft(depth) == _leaves(state, depth)
        if depth < 2:
            assert state.perft(depth, expand_chance=True) == _all_leaves(state, depth)


@pytest.mark.parametrize("game", game_names())
def test_options_out_of_range_or_unknown_are_refused_by_name(game: str) -> None:
    info = describe(game)
    for players in (info.min_players - 1, info.max_players + 1, -1, 0, 99):
        with pytest.raises(OptionError, match="players"):
            load_game(game, players)
    for option in info.options:
        for value in (option.min - 1, option.max + 1, 2**31 - 1):
            with pytest.raises(OptionError, match=option.name):
                load_game(game, info.min_players, **{option.name: value})
    with pytest.raises(OptionError, match="no_such_option"):
        load_game(game, info.min_players, no_such_option=1)


def test_an_unknown_game_is_refused_by_name() -> None:
    for call in (load_game, describe):
        with pytest.raises(UnknownGameError, match="chess"):
            call("chess")


def _leaves(state: State, depth: int) -> int:
    """Leaves with chance fixed to its lowest outcome, which costs no depth."""
    while state.is_chance:
        state = state.child(state.chance_outcomes()[0][0])
    if depth == 0 or state.is_terminal:
        return 1
    return sum(_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def _all_leaves(state: State, depth: int) -> int:
    if depth == 0 or state.is_terminal:
        return 1
    events = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
    return sum(_all_leaves(state.child(event), depth - 1) for event in events)
