"""Laws of what leaves the process: bytes and choices follow from a seat's view, and from nothing else."""

from __future__ import annotations

import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import given, settings
from hypothesis import strategies as st

from kingsbridge.ai import Budget, bot_infos, make_bot
from kingsbridge.pyengine import InformationSet, Rng, State
from kingsbridge.server.codec import answers
from kingsbridge.server.session import Sight, Status
from tests.conformance.walks import EXAMPLES, Table, at_every_table, law, viewers, walks


def sent(info: InformationSet) -> bytes:
    """The bytes of a view's answer."""
    return answers.view(Status(1, 0, ()), Sight(info)).SerializeToString(deterministic=True)


@at_every_table
@law
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_states_a_seat_cannot_tell_apart_send_it_the_same_bytes(
    table: Table, data: st.DataObject, seed: int
) -> None:
    state = data.draw(walks(table)).end()
    for viewer in viewers(state):
        info = state.information_set(viewer)
        assert sent(info.imagine(Rng(seed)).information_set(viewer)) == sent(info)


@at_every_table
@law
@given(data=st.data())
def test_a_view_survives_the_wire(table: Table, data: st.DataObject) -> None:
    state = data.draw(walks(table)).end()
    for viewer in viewers(state):
        info = state.information_set(viewer)
        message = getattr(answers.view(Status(1, 0, ()), Sight(info)).view, table.game)
        plain = MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        assert plain == info.view()
        assert InformationSet.from_view(table.game, plain) == info


@at_every_table
@pytest.mark.parametrize("bot", [info.name for info in bot_infos()])
@settings(law, max_examples=max(5, EXAMPLES // 10))
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_a_bot_decides_by_what_its_seat_knows(table: Table, bot: str, data: st.DataObject, seed: int) -> None:
    """In a state its seat cannot tell from the true one, and with the same generator, it plays the same."""
    state = data.draw(walks(table)).end()
    while state.is_chance:
        state.apply(state.sample_chance(Rng(seed)))
    if state.is_terminal:
        return
    elsewhere = state.information_set(state.current_player).imagine(Rng(seed))
    assert _decision(bot, state, seed) == _decision(bot, elsewhere, seed)


def _decision(bot: str, state: State, seed: int) -> tuple[object, ...]:
    info = state.information_set(state.current_player)
    decision = make_bot(bot).choose(info, Budget(iterations=30), Rng(seed))
    assert decision.action in state.legal_actions()
    return decision.action, decision.statistics, decision.principal_variation, decision.iterations
