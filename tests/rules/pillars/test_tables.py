"""The Pillars of the Earth: the card tables of the engine, against a second typing and the box."""

from collections import Counter
from typing import Any

import pytest

from kingsbridge.pyengine import game_info
from tests.oracle.pillars_cards import ADVANTAGES, CRAFTSMEN, EVENTS, GOODS, WORKERS, Craftsman

Component = dict[str, Any]

INFO = game_info("pillars")
COMPONENTS: dict[str, Component] = {card["id"]: card for card in INFO["components"]}


def of(kind: str) -> list[Component]:
    return [card for card in COMPONENTS.values() if card["set"] == kind]


def value(card: Component, attribute: str) -> int:
    return int(card["attributes"].get(attribute, 0))


# Against the second typing


def test_the_box_holds_the_same_cards_as_the_second_typing() -> None:
    box = {"craftsman": list(CRAFTSMEN), "advantage": list(ADVANTAGES), "event": list(EVENTS)}
    box["quarry"] = list(WORKERS)
    assert {kind: [card["id"] for card in of(kind)] for kind in box} == box
    assert len(COMPONENTS) == 27 + 16 + 10 + 9


@pytest.mark.parametrize("card", CRAFTSMEN.values(), ids=lambda card: card.id)
def test_each_craftsman_agrees_with_the_second_typing(card: Craftsman) -> None:
    engine = COMPONENTS[card.id]
    assert value(engine, "cost") == card.cost
    assert value(engine, "round") == card.round
    assert value(engine, "capacity") == card.capacity
    assert value(engine, "points") == card.points
    assert value(engine, "earns") == card.earns
    inputs = {name: value(engine, name) for name in (*GOODS, "gold") if value(engine, name)}
    assert inputs == card.inputs


@pytest.mark.parametrize("card", CRAFTSMEN.values(), ids=lambda card: card.id)
def test_each_craftsman_is_called_as_on_his_card(card: Craftsman) -> None:
    names = COMPONENTS[card.id]["names"]
    assert names["de"] == card.german
    assert names["en"].lower() in (card.profession, f"master {card.profession}")
    assert names["ja"]


def test_craftsmen_of_one_profession_share_their_japanese_name() -> None:
    names: dict[str, set[str]] = {}
    for card in CRAFTSMEN.values():
        names.setdefault(card.profession, set()).add(COMPONENTS[card.id]["names"]["ja"])
    assert {profession: len(found) for profession, found in names.items()} == dict.fromkeys(names, 1)
    assert len(set.union(*names.values())) == len(names) == 13


@pytest.mark.parametrize("card", [*ADVANTAGES, *EVENTS])
def test_advantage_and_event_cards_carry_a_german_and_a_japanese_text(card: str) -> None:
    names = COMPONENTS[card]["names"]
    assert names["de"].rstrip(".").replace("−", "-").replace("–", "-") == (ADVANTAGES | EVENTS)[card]
    assert names["ja"]
    assert names["en"]


@pytest.mark.parametrize("card", WORKERS)
def test_each_resource_card_agrees_with_the_second_typing(card: str) -> None:
    assert value(COMPONENTS[card], "workers") == WORKERS[card]
    assert value(COMPONENTS[card], "yield") == int(card[-1])


# Craftsmen


def test_there_are_three_starters_and_four_craftsmen_for_each_of_the_six_rounds() -> None:
    rounds = Counter(value(card, "round") for card in of("craftsman"))
    assert rounds == {0: 3, 1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4}


def test_every_craftsman_but_the_starters_has_a_price() -> None:
    assert all((value(card, "cost") > 0) == (value(card, "round") > 0) for card in of("craftsman"))


def test_every_craftsman_makes_points_or_gold_and_not_both() -> None:
    assert all((value(card, "points") > 0) != (value(card, "earns") > 0) for card in of("craftsman"))
    assert [card["id"] for card in of("craftsman") if value(card, "earns")] == ["1b", "1c"]


def test_only_toolmaker_and_architect_take_nothing() -> None:
    free = [card for card in of("craftsman") if not any(value(card, good) for good in (*GOODS, "gold"))]
    assert [card["id"] for card in free] == ["1c", "2b"]


def test_the_most_a_craftsman_makes_in_a_round_is_as_printed() -> None:
    most = {
        card["id"]: value(card, "capacity") * (value(card, "points") + value(card, "earns"))
        for card in of("craftsman")
    }
    assert list(most.values()) == [
        *(3, 4, 4),
        *(3, 8, 2, 2),
        *(3, 1, 2, 2),
        *(4, 3, 3, 2),
        *(5, 4, 4, 3),
        *(5, 6, 6, 6),
        *(8, 8, 6, 8),
    ]


# Resource cards


def test_there_is_one_resource_card_for_each_good_and_each_yield_of_two_three_and_four() -> None:
    assert Counter(card["id"][:-1] for card in of("quarry")) == {"sand": 3, "wood": 3, "stone": 3}
    for good in ("sand", "wood", "stone"):
        workers = [value(COMPONENTS[f"{good}{number}"], "workers") for number in (2, 3, 4)]
        assert workers == sorted(set(workers))


def test_a_stone_costs_more_workers_than_a_wood_and_a_wood_more_than_a_sand() -> None:
    for number in (2, 3, 4):
        workers = [value(COMPONENTS[f"{good}{number}"], "workers") for good in ("sand", "wood", "stone")]
        assert workers == sorted(set(workers))


# What can be said of the box


def test_every_card_says_how_sure_its_values_and_names_are() -> None:
    for card in COMPONENTS.values():
        assert card["provenance"]["values"]
        assert set(card["provenance"]["names"]) == set(card["names"])


def test_craftsmen_carry_the_names_of_the_editions_and_other_names_may_be_translations() -> None:
    for card in COMPONENTS.values():
        assert set(card["provenance"]["names"].values()) <= {"published", "unofficial"}
    assert all(set(card["provenance"]["names"].values()) == {"published"} for card in of("craftsman"))


def test_prices_rest_on_one_source_and_all_else_is_certain() -> None:
    unsure = [card["id"] for card in COMPONENTS.values() if card["provenance"]["values"] != "certain"]
    assert unsure == [card for card in CRAFTSMEN if CRAFTSMEN[card].cost]


def test_the_domains_list_every_card_in_the_order_of_the_box() -> None:
    domains = {domain["name"]: domain["symbols"] for domain in INFO["domains"] if domain["symbols"]}
    for cards in (list(CRAFTSMEN), list(ADVANTAGES), list(EVENTS), list(WORKERS), list(GOODS)):
        assert cards in domains.values()


def test_two_to_four_may_play() -> None:
    assert (INFO["min_players"], INFO["max_players"]) == (2, 4)


def test_the_options_have_the_defaults_and_bounds_of_the_rules() -> None:
    options = {one["name"]: (one["min"], one["max"], one["default"]) for one in INFO["options"]}
    assert options == {
        "bishop_spaces": (1, 2, 1),
        "castle_spaces": (1, 2, 1),
        "market_spaces": (1, 4, 4),
        "lowest_space": (0, 1, 1),
        "market_twice": (0, 1, 0),
        "sequential_building": (0, 1, 0),
        "strict_masters": (0, 1, 0),
        "tax_card_first": (0, 1, 0),
        "metal_is_free": (0, 1, 0),
        "event_shortfall": (0, 1, 0),
    }
