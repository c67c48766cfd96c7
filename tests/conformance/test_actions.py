"""Laws of actions: what is legal, what an illegal one does, and their numbers and notation."""

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import (
    IllegalActionError,
    ParseError,
    State,
    action_at,
    action_index,
    action_text,
    arguments,
    describe,
    game_names,
    kind_of,
    parse_action,
)
from tests.conformance.walks import Table, at_every_table, law, walks


@at_every_table
@law
@given(data=st.data())
def test_legal_actions_are_sorted_unique_and_never_empty_at_a_decision(
    table: Table, data: st.DataObject
) -> None:
    for state in data.draw(walks(table)).states():
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert bool(legal) == (state.current_player >= 0)
        assert all(state.is_legal(action) for action in legal)


@at_every_table
@law
@given(data=st.data())
def test_the_mask_marks_exactly_the_legal_actions(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    mask = state.legal_mask()
    assert mask.shape == (table.info.action_count,)
    assert mask.nonzero()[0].tolist() == [
        action_index(table.game, action) for action in state.legal_actions()
    ]


@at_every_table
@law
@given(data=st.data())
def test_an_illegal_action_raises_and_leaves_the_state_untouched(table: Table, data: st.DataObject) -> None:
    walk = data.draw(walks(table))
    elsewhere = [action for _, action in walk.events()]
    foreign = st.integers(0, 2**32 - 1)
    action = data.draw(st.sampled_from(elsewhere) | foreign if elsewhere else foreign)
    state = walk.end()
    if action in state.legal_actions() or action in [outcome for outcome, _ in state.chance_outcomes()]:
        return
    before = state.copy()
    assert not state.is_legal(action)
    for play in (state.apply, state.child):
        with pytest.raises(IllegalActionError):
            play(action)
    assert state == before
    assert state.key == before.key


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("action", [-1, 2**32, 2**64, -(2**70)])
def test_a_number_that_is_no_action_is_illegal_whatever_its_size(game: str, action: int) -> None:
    state = State.initial(game, describe(game).min_players)
    before = state.copy()
    assert not state.is_legal(action)
    with pytest.raises(IllegalActionError):
        state.apply(action)
    assert state == before


@at_every_table
@law
@given(data=st.data())
def test_every_action_of_a_game_has_a_notation_that_reads_back(table: Table, data: st.DataObject) -> None:
    for _, action in data.draw(walks(table)).events():
        text = action_text(table.game, action)
        assert parse_action(table.game, text) == action
        assert parse_action(table.game, f"  {text.replace('(', ' ( ').replace(',', ' , ')} ") == action


@pytest.mark.parametrize("game", game_names())
def test_decisions_are_numbered_without_gaps_and_read_back_over_the_whole_domain(game: str) -> None:
    actions = [action_at(game, index) for index in range(describe(game).action_count)]
    assert actions == sorted(set(actions))
    for index, action in enumerate(actions):
        assert action_index(game, action) == index
        assert parse_action(game, action_text(game, action)) == action
        assert not describe(game).kinds[kind_of(action)].chance


@pytest.mark.parametrize("game", game_names())
def test_chance_outcomes_of_components_read_back_over_the_whole_domain(game: str) -> None:
    info = describe(game)
    for kind in (kind for kind in info.kinds if kind.chance):
        domains = [info.domain_by_name[argument.domain] for argument in kind.arguments]
        for values in product(*(domain.symbols or (str(domain.first),) for domain in domains)):
            names = [argument.name for argument in kind.arguments]
            text = f"{kind.name}({', '.join(map('='.join, zip(names, values, strict=True)))})"
            action = parse_action(game, text)
            assert action_text(game, action) == text
            assert list(map(str, arguments(info, action).values())) == list(values)


@pytest.mark.parametrize("game", game_names())
def test_an_index_outside_the_mask_is_refused(game: str) -> None:
    for index in (-1, describe(game).action_count):
        with pytest.raises(IndexError):
            action_at(game, index)


@pytest.mark.parametrize("game", game_names())
def test_a_number_that_encodes_nothing_has_no_notation(game: str) -> None:
    for action in (255 << 24, 2**32 - 1):
        with pytest.raises(ParseError):
            action_text(game, action)
        with pytest.raises(ParseError):
            action_index(game, action)


@pytest.mark.parametrize("game", game_names())
@law
@given(text=st.text(max_size=60))
def test_no_text_does_more_than_fail_to_parse(game: str, text: str) -> None:
    with suppress(ParseError):
        action = parse_action(game, text)
        assert parse_action(game, action_text(game, action)) == action


@at_every_table
@law
@given(data=st.data())
def test_observers_see_the_kind_of_every_event_and_all_of_a_public_one(
    table: Table, data: st.DataObject
) -> None:
    for state, action in data.draw(walks(table)).events():
        pooled = table.info.kinds[kind_of(action)].pooled
        for seat in range(table.players):
            seen = state.observed(action, seat)
            assert kind_of(seen) == kind_of(action)
            assert pooled or seen == action or state.current_player != seat
