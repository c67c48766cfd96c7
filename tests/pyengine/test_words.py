"""Phrases of a game nobody has heard of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kingsbridge.pyengine import ComponentInfo, GameInfo, is_numbered, numbered_name, phrase_pieces


def component(symbol: str, english: str, french: str = "") -> ComponentInfo:
    return ComponentInfo(symbol, "dish", {"en": english, "fr": french}, {}, {}, face=symbol)


PIE, CAKE, SALT = component("D1", "Pie", "Tarte"), component("D2", "Cake"), component("salt", "Salt", "Sel")
INFO = GameInfo(
    name="picnic",
    title={"en": "Picnic"},
    min_players=2,
    max_players=2,
    rules_hash="0" * 16,
    max_score=9,
    max_length=9,
    action_count=9,
    options=(),
    kinds=(),
    domains=(),
    components=(PIE, CAKE, SALT),
)


@pytest.mark.parametrize(
    ("phrase", "values", "pieces"),
    [
        ("take a nap", {}, ["take a nap"]),
        ("eat {bites} of {dish}", {"bites": 2, "dish": "D2"}, ["eat ", "2", " of ", CAKE, ""]),
        ("pass {dishes}!", {"dishes": "D1-salt"}, ["pass ", PIE, ", ", SALT, "!"]),
        ("pass {dishes}", {"dishes": "D1-fork"}, ["pass ", "D1-fork", ""]),
        ("ask for {dish}", {}, ["ask for ", "{dish}", ""]),
    ],
)
def test_a_phrase_falls_into_text_and_the_components_it_names(
    phrase: str, values: dict[str, int | str], pieces: list[object]
) -> None:
    assert list(phrase_pieces(INFO, phrase, values)) == pieces


def test_a_number_is_a_number_even_where_a_component_has_that_id() -> None:
    info = replace(INFO, components=(component("2", "Two"),))
    assert list(phrase_pieces(info, "{bites}", {"bites": 2})) == ["", "2", ""]


def test_a_card_with_a_number_is_called_by_its_name_and_number() -> None:
    assert [numbered_name(each, "fr") for each in (PIE, CAKE, SALT)] == ["Tarte D1", "Cake D2", "Sel"]
    assert numbered_name(PIE) == "Pie D1"
    assert [is_numbered(each) for each in (PIE, SALT)] == [True, False]
