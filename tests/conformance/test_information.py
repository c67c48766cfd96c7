"""Laws of information: a determinization is made from what a seat's view tells, and from nothing else."""

from collections import Counter
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import SPECTATOR, InformationSet, Rng, State, UnknownGameError, load_game
from tests.conformance.walks import Table, at_every_table, law, play_out, viewers, walks
from tests.statistics import misfit


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_a_determinization_has_the_view_it_was_made_from(
    table: Table, data: st.DataObject, seed: int
) -> None:
    for state in data.draw(walks(table)).states():
        for viewer in viewers(state):
            info = state.information_set(viewer)
            again = info.imagine(Rng(seed)).information_set(viewer)
            assert again == info
            assert again.view() == info.view()
            assert (again.key, again.text()) == (info.key, info.text())


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_a_determinization_depends_on_the_view_and_not_on_the_truth(
    table: Table, data: st.DataObject, seed: int
) -> None:
    state = data.draw(walks(table)).end()
    for viewer in viewers(state):
        info = state.information_set(viewer)
        elsewhere = info.imagine(Rng(seed ^ 1))
        assert elsewhere.information_set(viewer).imagine(Rng(seed)) == info.imagine(Rng(seed))


@at_every_table
def test_determinizations_are_uniform_over_what_the_view_leaves_open(table: Table) -> None:
    """Where the view leaves nothing open, there is one determinization: the true state. Hidden cards of one
    face make a state as much likelier as there are ways to deal them.
    """
    state, rng = State.initial(table.game, table.players), Rng(4)
    for _ in range(60):
        for viewer in viewers(state):
            info, draws = state.information_set(viewer), Rng(8)
            made = Counter(info.imagine(draws) for _ in range(50))
            if len(made) == 1:
                assert made[state] == 50
            else:
                made += Counter(info.imagine(draws) for _ in range(100 * len(made)))
                assert misfit(made, {state: _ways(state, info) for state in made}) < 4
        if not state.is_terminal:
            state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))


def _ways(state: State, info: InformationSet) -> int:
    """In how many ways the hidden cards can lie so that this is the state."""
    left = info.view().get("unseen_tiles")
    if left is None:  # each hidden card has a face of its own
        return 1
    ways = 1
    for seat in {*range(state.players)} - {info.seat}:
        tiles = state.information_set(seat).view()["seats"][seat]["tiles"]
        ways *= prod(map(comb, left, tiles))
        left = [number - taken for number, taken in zip(left, tiles, strict=True)]
    return ways


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_the_mover_has_the_same_actions_in_every_determinization(
    table: Table, data: st.DataObject, seed: int
) -> None:
    for state in data.draw(walks(table)).states():
        for viewer in viewers(state):
            info = state.information_set(viewer)
            moves = state.legal_actions() if viewer == state.current_player >= 0 else []
            assert info.legal_actions() == moves
            imagined = info.imagine(Rng(seed))
            assert imagined.current_player == state.current_player == info.current_player
            if moves:
                assert imagined.legal_actions() == moves


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_a_determinization_plays_to_its_end(table: Table, data: st.DataObject, seed: int) -> None:
    state = data.draw(walks(table)).end()
    for viewer in viewers(state):
        imagined = state.information_set(viewer).imagine(Rng(seed))
        assert play_out(imagined, Rng(seed), "uniform") <= table.info.max_length


@at_every_table
@law
@given(data=st.data())
def test_a_view_reads_back_as_what_it_was(table: Table, data: st.DataObject) -> None:
    for state in data.draw(walks(table)).states():
        for viewer in viewers(state):
            info = state.information_set(viewer)
            again = InformationSet.from_view(table.game, info.view())
            assert again == info
            assert (again.key, again.view(), again.seat) == (info.key, info.view(), viewer)
            assert again.legal_actions() == info.legal_actions()


@at_every_table
@law
@given(data=st.data())
def test_an_information_set_knows_whose_it_is(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    infos = [state.information_set(viewer) for viewer in viewers(state)]
    assert [info.seat for info in infos] == list(viewers(state))
    assert len(set(infos)) == len({info.key for info in infos}) == len(infos)
    assert all((info.game, info.players) == (table.game, table.players) for info in infos)
    for nobody in (SPECTATOR - 1, table.players, 99):
        with pytest.raises(ValueError, match="seat"):
            state.information_set(nobody)


@at_every_table
@law
@given(data=st.data())
def test_a_view_is_the_readers_own_to_change(table: Table, data: st.DataObject) -> None:
    info = data.draw(walks(table)).end().information_set(0)
    info.view().clear()
    for value in info.view().values():
        if isinstance(value, list):
            value.clear()
    assert InformationSet.from_view(table.game, info.view()) == info


def test_a_view_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGameError, match="chess"):
        InformationSet.from_view("chess", {})


@at_every_table
def test_views_of_finished_and_unstarted_games_exist(table: Table) -> None:
    state = load_game(table.game, table.players)
    assert state.information_set(0).current_player == state.current_player
    play_out(state, Rng(0))
    assert state.information_set(0).legal_actions() == []
