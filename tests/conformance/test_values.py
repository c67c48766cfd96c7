"""Laws of states as values: copies, equality, hashes, pickles, and pure functions of them."""

import copy
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingsbridge.pyengine import Dealer, InformationSet, Rng, State
from tests.conformance.walks import TABLES, Table, at_every_table, law, viewers, walks


@at_every_table
@law
@given(data=st.data())
def test_apply_is_a_pure_function_of_state_and_action(table: Table, data: st.DataObject) -> None:
    for state, action in data.draw(walks(table)).events():
        before = state.copy()
        child = state.child(action)
        assert state == before
        state.apply(action)
        assert state == child == before.child(action)
        assert state != before


@at_every_table
@law
@given(data=st.data())
def test_copies_equal_their_state_and_live_apart_from_it(table: Table, data: st.DataObject) -> None:
    walk = data.draw(walks(table))
    for state, action in walk.events():
        for clone in (
            state.copy(),
            copy.copy(state),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
        ):
            assert type(clone) is State
            assert clone == state
            assert hash(clone) == hash(state)
            assert clone.key == state.key
            assert clone.legal_actions() == state.legal_actions()
            assert clone.chance_outcomes() == state.chance_outcomes()
            clone.apply(action)
            assert clone != state
        break


@at_every_table
@law
@given(data=st.data())
def test_information_sets_survive_pickling(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    for viewer in viewers(state):
        info = state.information_set(viewer)
        clone = pickle.loads(pickle.dumps(info))
        assert type(clone) is InformationSet
        assert clone == info
        assert hash(clone) == hash(info)
        assert (clone.key, clone.seat, clone.view()) == (info.key, info.seat, info.view())


@at_every_table
@law
@given(data=st.data())
def test_keys_tell_apart_exactly_the_states_that_differ(table: Table, data: st.DataObject) -> None:
    by_key: dict[int, State] = {}
    for walk in data.draw(st.lists(walks(table), min_size=2, max_size=3)):
        for state in walk.states():
            assert by_key.setdefault(state.key, state) == state
    assert len(set(by_key.values())) == len(by_key)


@at_every_table
@law
@given(data=st.data())
def test_a_state_is_not_equal_to_anything_else(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    for other in (None, 1, "state", state.key, state.information_set(0), b""):
        assert state != other
        assert other != state


@at_every_table
@law
@given(data=st.data(), junk=st.binary(max_size=600))
def test_no_bytes_from_outside_become_a_broken_state(table: Table, data: st.DataObject, junk: bytes) -> None:
    state = data.draw(walks(table)).end()
    for value in (state, state.information_set(0)):
        rebuild, arguments, *_ = value.__reduce__()
        for place, argument in enumerate(arguments):
            if isinstance(argument, bytes):
                for forged in (
                    junk,
                    argument[:-1],
                    argument + b"\0",
                    _flipped(argument, data.draw(st.integers(0))),
                ):
                    _must_refuse_or_hold(rebuild, (*arguments[:place], forged, *arguments[place + 1 :]))
            else:
                others: tuple[object, ...] = (None, -1, 2**70, "?", [], {})
                for other in others:
                    _must_refuse_or_hold(rebuild, (*arguments[:place], other, *arguments[place + 1 :]))


@at_every_table
def test_no_single_byte_makes_a_broken_state(table: Table) -> None:
    state, rng = State.initial(table.game, table.players), Rng(4)
    for _ in range(4):
        rebuild, (*names, raw) = state.__reduce__()
        for place in range(len(raw)):
            for byte in (1, 127, 255):
                _must_refuse_or_hold(rebuild, (*names, raw[:place] + bytes([byte]) + raw[place + 1 :]))
        for _ in range(20):
            state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))


@at_every_table
def test_the_same_seed_gives_the_same_rollouts_in_any_process(table: Table) -> None:
    program = (
        "from kingsbridge.pyengine import Dealer, State\n"
        f"state = State.initial({table.game!r}, {table.players})\n"
        "Dealer(5).settle(state)\n"
        "print(state.key, state.rollouts(11, 50).tolist(), state.information_set(0).key)"
    )
    runs = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(runs) == 1
    state = State.initial(table.game, table.players)
    Dealer(5).settle(state)
    assert runs == {f"{state.key} {state.rollouts(11, 50).tolist()} {state.information_set(0).key}\n"}


@pytest.mark.parametrize("stream", [0, 1, 2**64 - 1])
def test_a_generator_repeats_itself_from_its_seed_and_differs_between_streams(stream: int) -> None:
    first, again, other = Rng(9, stream), Rng(9, stream), Rng(9, stream ^ 1)
    numbers = [first.next() for _ in range(20)]
    assert numbers == [again.next() for _ in range(20)]
    assert numbers != [other.next() for _ in range(20)]
    assert all(0 <= number < 2**64 for number in numbers)


def test_all_tables_are_there() -> None:
    assert {table.players for table in TABLES if table.game == TABLES[0].game} == set(
        range(TABLES[0].info.min_players, TABLES[0].info.max_players + 1)
    )


def _flipped(data: bytes, number: int) -> bytes:
    """The bytes with one bit turned over."""
    place = number % (8 * len(data))
    return bytes(byte ^ (1 << place % 8 if index == place // 8 else 0) for index, byte in enumerate(data))


def _must_refuse_or_hold(rebuild: object, arguments: tuple[object, ...]) -> None:
    """Rebuilding from forged arguments raises, or makes something that can be played to its end."""
    assert callable(rebuild)
    try:
        made = rebuild(*arguments)
    except (TypeError, ValueError, LookupError, OverflowError):
        return
    state = made if isinstance(made, State) else made.imagine(Rng(1))
    rng, length = Rng(2), 0
    while not state.is_terminal:
        assert state.legal_actions() or state.chance_outcomes()
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
        length += 1
        assert length < 100_000
    state.scores()
