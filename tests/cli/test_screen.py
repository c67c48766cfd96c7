"""The screen of a game nobody has heard of: cards, words and tables come from its description alone."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from kingsbridge.pyengine import ArgumentInfo, ComponentInfo, GameInfo, KindInfo, OptionInfo
from kingsbridge.server.cli.cards import Cards
from kingsbridge.server.cli.screen import LONG_PILE, Screen
from kingsbridge.server.cli.words import Words
from kingsbridge.server.client import Candidate, Choice, Proposal, Status


def card(name: str, set_: str, names: str, **attributes: int) -> ComponentInfo:
    return ComponentInfo(
        id=name,
        set=set_,
        names={"en": names, "fr": f"le {names}", "ja": ""},
        provenance={},
        attributes=attributes,
        face=name,
    )


INFO = GameInfo(
    name="picnic",
    title={"en": "Picnic", "fr": "Pique-nique", "ja": ""},
    min_players=2,
    max_players=2,
    rules_hash="0" * 16,
    max_score=9,
    max_length=9,
    action_count=9,
    options=(OptionInfo("rainy", 0, 0, 1, "it rains"),),
    kinds=(
        KindInfo(
            "eat",
            (ArgumentInfo("dish", "dish"), ArgumentInfo("bites", "bites")),
            False,
            "",
            False,
            {"en": "eat {bites} of {dish}", "fr": "manger {bites} de {dish}", "ja": ""},
        ),
        KindInfo("nap", (), False, "", False, {"en": "take a nap", "fr": "faire la sieste", "ja": ""}),
    ),
    domains=(),
    components=(
        card("D1", "dish", "Pie", weight=7, sugar=0, salt=2, vegan=1, want_sugar=0, want_salt=0),
        card("D2", "dish", "Cake", weight=5, sugar=3, salt=0, vegan=0, want_sugar=0, want_salt=0),
        card("G1", "guest", "Aunt", weight=0, sugar=0, salt=0, vegan=1, want_sugar=2, want_salt=4),
    ),
)
EAT = Choice(1, "eat", {"dish": "D2", "bites": 2}, "eat(dish=D2, bites=2)")
NAP = Choice(2, "nap", {}, "nap()")
VIEW: dict[str, Any] = {
    "players": 2,
    "rainy": True,
    "viewer": 0,
    "phase": "lunch",
    "round": 3,
    "last_round": True,
    "cloudy": False,
    "dishes_out": ["D1", "D2"],
    "dishes_next": "D1",
    "guests_out": [],
    "dishes_left": ["D1"] * (LONG_PILE + 1),
    "empty": "",
    "seats": [
        {"crumbs": 4, "plate": ["D2", "D1"], "guests": [{"guest": "G1", "fed": ["D1"], "lacks": [1, 4]}]},
        {"crumbs": 0, "plate": [], "guests": []},
    ],
}


def drawn(draw: str, *arguments: Any, language: str = "en", width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width)
    cards = Cards(INFO, language)
    getattr(Screen(console, cards, Words(cards, language), ["you", "greedy"]), draw)(*arguments)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_card_shows_its_name_id_and_printed_values_by_family() -> None:
    cards = Cards(INFO, "en")
    assert cards.name("D2") == "Cake D2"
    assert cards.features("D2").plain == "weight 5, makes 3 sugar"
    assert cards.features("G1").plain == "want 2 sugar 4 salt"
    assert cards.features("G1", brief=True).plain == ""
    assert "D2" in cards
    assert "D9" not in cards


def test_what_is_only_ever_0_or_1_is_no_value_worth_a_column() -> None:
    assert "vegan" not in Cards(INFO, "en").features("D1").plain


def test_a_name_missing_in_a_language_is_given_in_english() -> None:
    assert Cards(INFO, "fr").name("D1") == "le Pie D1"
    assert Cards(INFO, "ja").name("D1") == "Pie D1"


def test_numbers_are_named_after_the_members_of_a_family_if_their_order_is_known() -> None:
    amounts = Cards(INFO, "en").amounts([1, 4])
    assert amounts is not None
    assert amounts.plain == "1 sugar 4 salt"
    assert Cards(INFO, "en").amounts([1, 4, 5]) is None


def test_numbers_are_named_after_the_set_their_field_is_called_after() -> None:
    cards = Cards(INFO, "en")
    assert [cards.counts(name, [3]) for name in ("crumbs", "guest_list")] == [None, None]
    assert str(cards.counts("invited_guests", [3])) == "3 x Aunt"
    assert str(cards.counts("invited_guests", [0])) == ""
    assert cards.counts("guests", [3, 4]) is None


def test_things_of_a_set_are_told_apart_by_name() -> None:
    guests = {"players": 2, "viewer": 0, "guests": [{"chairs": 2, "left": ["D1"] * (LONG_PILE + 1)}]}
    shown = drawn("table", guests, 0)
    assert re.search(rf"Aunt G1 +2 +{LONG_PILE + 1} cards", shown)


def test_a_set_of_cards_is_written_out_in_words() -> None:
    both = Choice(1, "eat", {"dish": "D1-D2", "bites": 1}, "eat(dish=D1-D2, bites=1)")
    assert Words(Cards(INFO, "en"), "en").of(both).plain == "eat 1 of Pie D1, Cake D2"


def test_a_card_with_words_for_its_codes_is_told_in_words() -> None:
    coded = replace(INFO.components[0], words={"salt": "salty"})
    cards = Cards(replace(INFO, components=(coded,)), "en")
    assert cards.features("D1").plain == "salty"


def test_an_id_that_numbers_nothing_is_not_shown() -> None:
    thing = replace(INFO.components[0], id="pie")
    cards = Cards(replace(INFO, components=(thing,)), "en")
    assert (cards.name("pie"), cards.label("pie").plain) == ("Pie", "Pie")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "eat 2 of Cake D2"), ("fr", "manger 2 de le Cake D2"), ("ja", "eat 2 of Cake D2")],
)
def test_an_action_in_words_names_cards_and_numbers(language: str, words: str) -> None:
    assert Words(Cards(INFO, language), language).of(EAT).plain == words


def test_an_action_of_an_unknown_kind_is_shown_in_notation() -> None:
    dance = Choice(9, "dance", {}, "dance()")
    assert Words(Cards(INFO, "en"), "en").of(dance).plain == "dance()"


def test_the_table_shows_facts_piles_and_seats() -> None:
    shown = drawn("table", VIEW, 1)
    assert "phase lunch · round 3 · last round" in shown
    assert "rainy" not in shown
    assert "cloudy" not in shown
    assert "dishes out" in shown
    assert "next: Pie D1" in shown
    assert f"dishes left: {LONG_PILE + 1} cards" in shown
    assert "seat 0 you" in shown
    assert "seat 1 greedy - to move" in shown
    assert "crumbs 4" in shown
    assert "Aunt G1" in shown
    assert "1 sugar 4 salt" in shown


def test_a_card_beside_what_it_lacks_is_shown_in_brief() -> None:
    assert "want 2 sugar" not in drawn("table", VIEW, 1)


def test_the_table_fits_a_narrow_terminal() -> None:
    assert max(map(len, drawn("table", VIEW, 0, width=60).split("\n"))) <= 60


def test_choices_are_numbered_from_1() -> None:
    shown = drawn("choices", [EAT, NAP])
    assert "1 eat 2 of Cake D2" in shown
    assert "2 take a nap" in shown
    assert drawn("notations", [EAT, NAP]).split("\n")[:2] == ["  1 eat(dish=D2, bites=2)", "  2 nap()"]


def test_a_hint_names_the_number_and_what_was_weighed() -> None:
    weighed = (Candidate(NAP, 30, (0.75, 0.25)), Candidate(EAT, 10, (0.5, 0.5)))
    shown = drawn("hint", 1, Proposal(NAP, weighed, 40, 0.5), [EAT, NAP])
    assert shown.startswith("  2 take a nap")
    assert "25%" in shown
    assert "40 iterations, 0.50 s" in shown
    assert drawn("hint", 1, Proposal(NAP, (), 0, 0.0), [EAT, NAP]) == "  2 take a nap\n"


def test_an_event_that_cannot_be_told_is_said_to_be_hidden() -> None:
    assert "something you cannot see" in drawn("event", None)
    assert "take a nap" in drawn("event", NAP)


def test_the_result_is_sorted_by_place_and_names_the_winner() -> None:
    shown = drawn("result", Status(9, True, -1, (3, 8), (2, 1)))
    assert shown.index("greedy") < shown.index("you")
    assert "seat 1 wins" in shown
    assert "seat 0 and seat 1 share the win" in drawn("result", Status(9, True, -1, (3, 3), (1, 1)))


def test_a_card_is_found_in_any_case_or_said_to_be_missing() -> None:
    assert "Cake D2" in drawn("card", "d2")
    assert "there is no card 'd9'" in drawn("card", "d9")
    assert "there is no card '[bold]'" in drawn("card", "[bold]")


def test_a_list_as_long_as_there_are_seats_is_not_taken_for_the_seats() -> None:
    shown = drawn("table", {**VIEW, "ovens": [{"heat": 180}, {"heat": 220}]}, 1)
    assert shown.count("seat 0 you") == 1
    assert "ovens:" in shown
    assert "220" in shown


def test_numbers_of_the_table_are_shown_and_what_is_not_the_case_is_not() -> None:
    seats = [
        {**VIEW["seats"][0], "tired": False, "spilt": [False, False]},
        {**VIEW["seats"][1], "full": True},
    ]
    shown = drawn("table", {**VIEW, "plates": [7, 8], "leftovers": [], "seats": seats}, 1)
    assert "plates: 7 8" in shown
    assert "full" in shown
    for absent in ("tired", "spilt", "leftovers"):
        assert absent not in shown
