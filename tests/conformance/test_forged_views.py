"""Laws of views from outside: refused with field and rule, or as good as a view of a real game."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingsbridge.pyengine import InformationSet, Rng, State, ViewError
from tests.conformance.walks import EXAMPLES, Table, at_every_table, law, play_out, viewers, walks

Path = tuple[str | int, ...]

JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 7, 40, 255, 256, 65_536, 2**31, 2**32 - 1, 2**63, -(2**63), 2**64,
    10**30, 1.5, float("nan"), "", "?", "W01", "\x00", "\ud800", "x" * 10_000, b"", [], [0], [""], ["?"] *
    300, {}, {"": 0}, {"coins": 1}, [[]], [{}], (), object(),
]  # fmt: skip


@at_every_table
@settings(law, max_examples=4 * EXAMPLES)
@given(data=st.data())
def test_a_forged_view_is_refused_by_field_and_rule_or_as_good_as_a_real_one(
    table: Table, data: st.DataObject
) -> None:
    state = data.draw(walks(table)).end()
    viewer = data.draw(st.sampled_from(viewers(state)))
    view = state.information_set(viewer).view()
    for _ in range(data.draw(st.integers(1, 3))):
        _forge(view, data)
    try:
        info = InformationSet.from_view(table.game, view)
    except ViewError as error:
        _must_explain(error)
    else:
        _must_hold(info, table)


@at_every_table
@law
@given(data=st.data())
def test_a_view_with_a_field_missing_or_too_many_is_refused_and_named(
    table: Table, data: st.DataObject
) -> None:
    view = data.draw(walks(table)).end().information_set(0).view()
    for name in view:
        with pytest.raises(ViewError) as refusal:
            InformationSet.from_view(table.game, {key: value for key, value in view.items() if key != name})
        assert name in refusal.value.args[1]
    with pytest.raises(ViewError) as refusal:
        InformationSet.from_view(table.game, {**view, "no_such_field": 1})
    assert "no_such_field" in refusal.value.args[1]


@at_every_table
def test_a_field_whose_name_is_too_long_is_named_by_whole_characters_of_its_beginning(table: Table) -> None:
    view = State.initial(table.game, table.players).information_set(0).view()
    for name, shown in (("x" * 39 + "\u00e9", "x" * 39), ("\U0001f3f0" * 11, "\U0001f3f0" * 10)):
        with pytest.raises(ViewError) as refusal:
            InformationSet.from_view(table.game, {**view, name: 1})
        assert refusal.value.args[1] == f"{shown}..."


@at_every_table
def test_a_viewer_who_sits_nowhere_is_refused(table: Table) -> None:
    view = State.initial(table.game, table.players).information_set(0).view()
    for viewer in (table.players, -2, 200):
        with pytest.raises(ViewError, match="viewer"):
            InformationSet.from_view(table.game, {**view, "viewer": viewer})


@at_every_table
@law
@given(
    data=st.data(),
    junk=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=12,
    ),
)
def test_no_junk_in_place_of_a_field_does_more_than_be_refused(
    table: Table, data: st.DataObject, junk: object
) -> None:
    view = State.initial(table.game, table.players).information_set(0).view()
    name = data.draw(st.sampled_from(sorted(view)))
    try:
        info = InformationSet.from_view(table.game, {**view, name: junk})
    except ViewError as error:
        _must_explain(error)
    else:
        _must_hold(info, table)


@at_every_table
@law
@given(data=st.data())
def test_an_entry_listed_twice_is_refused_or_comes_back_as_it_was_sent(
    table: Table, data: st.DataObject
) -> None:
    state = data.draw(walks(table)).end()
    view = state.information_set(data.draw(st.sampled_from(viewers(state)))).view()
    for path in _paths(view):
        if not isinstance(names := _at(view, path), list) or not names or not isinstance(names[0], str):
            continue
        forged = copy.deepcopy(view)
        _at(forged, path).append(names[-1])
        try:
            info = InformationSet.from_view(table.game, forged)
        except ViewError as error:
            _must_explain(error)
        else:
            assert info.view() == forged


def _forge(view: dict[str, Any], data: st.DataObject) -> None:
    """Changes one place of a view: another value, one more or less, another order, one from elsewhere."""
    path = data.draw(st.sampled_from(list(_paths(view))))
    *way, last = path
    holder: Any = _at(view, tuple(way))
    value = holder[last]
    match data.draw(st.sampled_from(["near", "junk", "swap", "list", "list", "drop"])):
        case "near" if isinstance(value, int):
            holder[last] = value + data.draw(st.sampled_from([-2, -1, 1, 2, 5]))
        case "swap":
            other = data.draw(st.sampled_from(list(_paths(view))))
            holder[last] = copy.deepcopy(_at(view, other))
        case "list" if isinstance(value, list) and value:
            holder[last] = data.draw(
                st.sampled_from([value[1:], [*value, value[-1]], value[::-1], value * 2, []])
            )
        case "drop":
            del holder[last]
        case _:
            holder[last] = copy.copy(data.draw(st.sampled_from(JUNK)))


def _paths(value: Any, path: Path = ()) -> list[Path]:
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    below = [deeper for step, child in inner for deeper in _paths(child, (*path, step))]
    return ([path] if path else []) + below


def _at(view: Any, path: Path) -> Any:
    for step in path:
        view = view[step]
    return view


def _must_explain(error: ViewError) -> None:
    message, field, rule = error.args
    assert message
    assert rule
    assert isinstance(field, str)


def _must_hold(info: InformationSet, table: Table) -> None:
    """The laws of a real information set, on one that came from outside."""
    assert InformationSet.from_view(table.game, info.view()) == info
    state = info.imagine(Rng(1))
    assert state.information_set(info.seat) == info
    if info.seat == state.current_player:
        assert state.legal_actions() == info.legal_actions() != []
    assert play_out(state.copy(), Rng(2), "uniform") <= table.info.max_length
    assert play_out(state, Rng(3), "light") <= table.info.max_length
