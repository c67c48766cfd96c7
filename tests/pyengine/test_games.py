"""What a game says of itself: its options, kinds, domains and components, and its actions in words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest

from kingsbridge.pyengine import (
    ParseError,
    State,
    UnknownGameError,
    action_at,
    action_text,
    arguments,
    describe,
    game_info,
    game_names,
    kind_of,
    load_game,
    phrase,
)

every_game = pytest.mark.parametrize("game", game_names())


@every_game
def test_a_description_says_what_the_core_says(game: str) -> None:
    info, raw = describe(game), game_info(game)
    for key in (
        "name",
        "min_players",
        "max_players",
        "rules_hash",
        "max_score",
        "max_length",
        "action_count",
    ):
        assert getattr(info, key) == raw[key]
    assert dict(info.title) == raw["title"]
    for name in ("options", "kinds", "domains", "components"):
        assert [part.name if name != "components" else part.id for part in getattr(info, name)] == [
            part["name" if name != "components" else "id"] for part in raw[name]
        ]


@every_game
def test_everything_has_a_name_in_every_language(game: str) -> None:
    info = describe(game)
    for texts in (
        info.title,
        *(kind.phrase for kind in info.kinds),
        *(each.names for each in info.components),
    ):
        assert tuple(texts) == tuple(info.title)
        assert all(text.strip() == text != "" for text in texts.values())


@every_game
def test_every_component_says_where_its_data_comes_from(game: str) -> None:
    for component in describe(game).components:
        assert set(component.provenance) >= {"names", "values"}
        assert tuple(component.provenance["names"]) == tuple(component.names)
        assert component.provenance["values"]


@every_game
def test_every_argument_has_a_domain_and_a_place_in_every_phrase(game: str) -> None:
    info = describe(game)
    for kind in info.kinds:
        names = [argument.name for argument in kind.arguments]
        assert len(set(names)) == len(names)
        assert all(argument.domain in info.domain_by_name for argument in kind.arguments)
        for text in kind.phrase.values():
            assert sorted(re.findall(r"\{(\w*)\}", text)) == sorted(names)


@every_game
def test_decks_are_of_chance_and_decisions_come_first(game: str) -> None:
    kinds = describe(game).kinds
    assert all(kind.chance or (not kind.deck and not kind.pooled) for kind in kinds)
    assert [kind.chance for kind in kinds] == sorted(kind.chance for kind in kinds)


@every_game
def test_an_id_names_one_component(game: str) -> None:
    info = describe(game)
    assert len(info.component_by_id) == len(info.components)


@every_game
def test_copies_of_a_symbol_are_the_components_of_its_face(game: str) -> None:
    info = describe(game)
    faces: Counter[str] = Counter()
    for component in info.components:
        faces[component.face] += component.copies
    assert all(component.face in info.component_by_id for component in info.components)
    for domain in info.domains:
        assert len(domain.symbols) == len(domain.copies) == len(set(domain.symbols))
        for symbol, copies in zip(domain.symbols, domain.copies, strict=True):
            assert symbol not in info.component_by_id or copies == faces[symbol]


@every_game
def test_cards_of_one_face_have_the_same_values(game: str) -> None:
    info = describe(game)
    for component in info.components:
        assert info.component_by_id[component.face].attributes == component.attributes


@every_game
def test_options_have_their_default_within_their_bounds_and_a_text(game: str) -> None:
    for option in describe(game).options:
        assert option.min <= option.default <= option.max
        assert option.text
        assert load_game(game).options[option.name] == option.default


@every_game
def test_a_loaded_game_is_at_its_first_node_with_the_options_given(game: str) -> None:
    info = describe(game)
    for players in range(info.min_players, info.max_players + 1):
        options = {option.name: option.max for option in info.options}
        state = load_game(game, players, **options)
        assert state == State.initial(game, players, options)
        assert (state.players, state.options) == (players, options)


@every_game
def test_arguments_and_phrases_name_what_the_notation_names(game: str) -> None:
    info = describe(game)
    for action in (action_at(game, index) for index in range(info.action_count)):
        values = arguments(info, action)
        kind = info.kinds[kind_of(action)]
        inside = ", ".join(f"{name}={value}" for name, value in values.items())
        assert action_text(game, action) == f"{kind.name}({inside})"
        assert list(values) == [argument.name for argument in kind.arguments]
        for language in info.title:
            words = phrase(info, action, language)
            for value in values.values():
                for part in [value] if value in info.component_by_id else str(value).split("-"):
                    named = info.component_by_id.get(str(part))
                    assert (named.names[language] if named else str(part)) in words
            assert "{" not in words
        assert phrase(info, action) == phrase(info, action, "en")


@every_game
def test_a_caller_says_how_components_are_called(game: str) -> None:
    info = describe(game)
    for action in (action_at(game, index) for index in range(info.action_count)):
        words = phrase(info, action, component_name=lambda component: f"<{component.id}>")
        for value in arguments(info, action).values():
            assert f"<{value}>" in words or isinstance(value, int) or value not in info.component_by_id


@every_game
def test_what_is_no_action_has_no_arguments_and_no_phrase(game: str) -> None:
    info = describe(game)
    for call in (arguments, phrase):
        with pytest.raises(ParseError):
            call(info, 255 << 24)
    with pytest.raises(KeyError):
        phrase(info, action_at(game, 0), "xx")


@every_game
def test_a_description_is_shared_and_cannot_be_changed(game: str) -> None:
    info = describe(game)
    assert describe(game) is info
    with pytest.raises(FrozenInstanceError):
        info.name = "other"  # type: ignore[misc]
    for mapping in (info.title, info.kinds[0].phrase, *(each.attributes for each in info.components)):
        with pytest.raises(TypeError):
            mapping["en"] = ""  # type: ignore[index]


def test_games_are_listed_in_a_fixed_order_without_repeats() -> None:
    assert game_names() == game_names()
    assert len(set(game_names())) == len(game_names()) > 0


def test_an_unknown_game_has_no_description() -> None:
    with pytest.raises(UnknownGameError, match="chess"):
        describe("chess")
