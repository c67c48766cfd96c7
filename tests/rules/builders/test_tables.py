"""The Builders: the card tables of the engine, against a second typing and the structure of the box."""

from collections import Counter
from typing import Any

import pytest

from kingsbridge.pyengine import game_info
from tests.oracle.builders_cards import CARDS, TWIN, Card

RESOURCES = ("stone", "wood", "knowledge", "tile")
Component = dict[str, Any]

COMPONENTS: dict[str, Component] = {card["id"]: card for card in game_info("builders")["components"]}
WORKERS = [card for card in COMPONENTS.values() if card["set"] == "worker"]
BUILDINGS = [card for card in COMPONENTS.values() if card["set"] == "building"]
MACHINES = [card for card in COMPONENTS.values() if card["set"] == "machine"]
APPRENTICES, LABOURERS, CRAFTSMEN, MASTERS = WORKERS[:6], WORKERS[6:18], WORKERS[18:34], WORKERS[34:]


def makes(card: Component) -> tuple[int, ...]:
    return tuple(card["attributes"].get(resource, 0) for resource in RESOURCES)


def needs(card: Component) -> tuple[int, ...]:
    return tuple(card["attributes"].get(f"need_{resource}", 0) for resource in RESOURCES)


def value(card: Component, attribute: str) -> int:
    return int(card["attributes"].get(attribute, 0))


def pattern(card: Component) -> tuple[int, ...]:
    """What a worker makes, largest first, whatever the resources."""
    return tuple(sorted((amount for amount in makes(card) if amount), reverse=True))


def ordered_pair(card: Component) -> tuple[str, str]:
    """The resource a worker makes most of and the one he makes less of."""
    most, less = sorted((r for r in range(4) if makes(card)[r]), key=lambda r: -makes(card)[r])
    return RESOURCES[most], RESOURCES[less]


def pair(card: Component) -> frozenset[str]:
    return frozenset(RESOURCES[r] for r in range(4) if makes(card)[r])


# Against the second typing


def test_the_box_holds_the_same_cards_as_the_second_typing() -> None:
    assert list(COMPONENTS) == list(CARDS)


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_each_card_agrees_with_the_second_typing(card: Card) -> None:
    engine = COMPONENTS[card.id]
    assert engine["set"] == card.set
    assert (engine["names"]["en"], engine["names"]["fr"]) == (card.english, card.french)
    assert makes(engine) == card.makes
    assert needs(engine) == card.needs
    assert value(engine, "wage") == card.wage
    assert value(engine, "coins") == card.coins
    assert value(engine, "points") == card.points


def test_every_card_has_a_japanese_name() -> None:
    assert all(card["names"]["ja"] for card in COMPONENTS.values())


# Workers


def test_there_are_6_apprentices_12_labourers_16_craftsmen_and_8_masters() -> None:
    names = Counter(card["names"]["en"] for card in WORKERS)
    assert names == {"Apprentice": 6, "Labourer": 12, "Craftsman": 16, "Master": 8}
    assert {card["names"]["en"] for card in APPRENTICES} == {"Apprentice"}
    assert {card["names"]["en"] for card in MASTERS} == {"Master"}


def test_workers_are_called_by_their_trade_in_french_and_japanese() -> None:
    french = {card["names"]["en"]: card["names"]["fr"] for card in WORKERS}
    assert french == {
        "Apprentice": "Apprenti",
        "Labourer": "Manœuvre",
        "Craftsman": "Compagnon",
        "Master": "Maître",
    }
    # The trades in the order of their wages.
    assert len({card["names"]["ja"] for card in WORKERS}) == 4


def test_a_worker_is_paid_one_coin_for_each_resource_he_supplies() -> None:
    assert all(value(card, "wage") == sum(makes(card)) for card in WORKERS)


def test_wages_are_2_3_4_and_5_by_trade() -> None:
    wages = {card["names"]["en"]: value(card, "wage") for card in WORKERS}
    assert wages == {"Apprentice": 2, "Labourer": 3, "Craftsman": 4, "Master": 5}


def test_all_workers_together_supply_38_of_each_resource() -> None:
    assert [sum(column) for column in zip(*map(makes, WORKERS), strict=True)] == [38, 38, 38, 38]


def test_the_six_apprentices_are_the_six_pairs_of_resources() -> None:
    assert all(pattern(card) == (1, 1) for card in APPRENTICES)
    assert len({pair(card) for card in APPRENTICES}) == 6


def test_only_apprentices_start_the_game() -> None:
    starters = [card["id"] for card in WORKERS if value(card, "start_apprentice")]
    assert starters == [card["id"] for card in APPRENTICES]


def test_the_twelve_labourers_are_the_ordered_pairs_of_two_and_one() -> None:
    assert all(pattern(card) == (2, 1) for card in LABOURERS)
    assert len({ordered_pair(card) for card in LABOURERS}) == 12


def test_craftsmen_are_of_four_patterns() -> None:
    patterns = Counter(pattern(card) for card in CRAFTSMEN)
    assert patterns == {(3, 1): 4, (2, 2): 6, (2, 1, 1): 4, (1, 1, 1, 1): 2}
    assert len({pair(card) for card in CRAFTSMEN if pattern(card) == (2, 2)}) == 6


def test_masters_make_three_and_two_both_ways_of_four_pairs() -> None:
    assert all(pattern(card) == (3, 2) for card in MASTERS)
    pairs = Counter(pair(card) for card in MASTERS)
    assert pairs == {
        frozenset({"stone", "wood"}): 2,
        frozenset({"stone", "tile"}): 2,
        frozenset({"wood", "knowledge"}): 2,
        frozenset({"knowledge", "tile"}): 2,
    }
    assert len({ordered_pair(card) for card in MASTERS}) == 8


def test_two_craftsmen_have_one_face_and_no_other_cards_do() -> None:
    faces = Counter(makes(card) for card in WORKERS)
    assert [face for face, count in faces.items() if count > 1] == [(1, 1, 1, 1)]
    shared = {card["id"]: card["face"] for card in COMPONENTS.values() if card["face"] != card["id"]}
    assert shared == TWIN == {"W30": "W19"}


def test_the_second_card_of_a_face_is_no_symbol_of_the_game() -> None:
    domains = {domain["name"]: domain for domain in game_info("builders")["domains"] if domain["symbols"]}
    workers = [f"W{number:02}" for number in range(1, 43) if number != 30] + [
        f"M0{number}" for number in range(1, 9)
    ]
    sites = [f"B{number:02}" for number in range(1, 35)] + [f"M0{number}" for number in range(1, 9)]
    symbols = {tuple(domain["symbols"]) for domain in domains.values()}
    assert tuple(workers) in symbols
    assert tuple(sites) in symbols
    for domain in domains.values():
        copies = dict(zip(domain["symbols"], domain["copies"], strict=True))
        assert copies.get("W19", 2) == 2
        assert all(count == 1 for symbol, count in copies.items() if symbol != "W19")


# Buildings and machines


def test_there_are_34_buildings_and_8_machines() -> None:
    assert (len(BUILDINGS), len(MACHINES)) == (34, 8)


def test_coins_and_points_of_a_building_follow_from_its_total_need() -> None:
    pays = {
        2: (8, 0),
        3: (6, 1),
        5: (10, 2),
        6: (12, 3),
        7: (14, 3),
        8: (16, 4),
        10: (18, 5),
        12: (20, 6),
        16: (20, 7),
        17: (20, 8),
    }
    for card in BUILDINGS:
        assert (value(card, "coins"), value(card, "points")) == pays[sum(needs(card))], card["id"]


def test_buildings_are_spread_over_points_as_printed() -> None:
    spread = Counter(value(card, "points") for card in BUILDINGS)
    assert spread == {0: 2, 1: 5, 2: 4, 3: 9, 4: 6, 5: 5, 6: 1, 7: 1, 8: 1}


def test_all_buildings_differ_in_need() -> None:
    assert len({needs(card) for card in BUILDINGS}) == 34


def test_the_sums_over_all_buildings_and_machines_are_those_of_the_box() -> None:
    assert sum(value(card, "points") for card in BUILDINGS) == 110
    assert sum(value(card, "points") for card in MACHINES) == 12
    assert sum(value(card, "coins") for card in BUILDINGS) == 448
    assert [sum(column) for column in zip(*map(needs, BUILDINGS), strict=True)] == [60, 59, 61, 60]
    assert [sum(column) for column in zip(*map(needs, MACHINES), strict=True)] == [5, 6, 5, 4]


def test_each_machine_exists_small_and_large() -> None:
    for small, large in zip(MACHINES[:4], MACHINES[4:], strict=True):
        assert (sum(needs(small)), value(small, "points"), sum(makes(small))) == (2, 1, 2)
        assert (sum(needs(large)), value(large, "points"), sum(makes(large))) == (3, 2, 3)
        assert small["names"]["fr"] == large["names"]["fr"]
        assert made_by(small) == made_by(large)
    assert [made_by(card) for card in MACHINES[:4]] == list(RESOURCES)


def made_by(card: Component) -> str:
    """The one resource a machine makes."""
    (made,) = (RESOURCES[r] for r in range(4) if makes(card)[r])
    return made


def test_a_machine_never_needs_what_it_makes() -> None:
    for card in MACHINES:
        assert value(card, f"need_{made_by(card)}") == 0


def test_machines_pay_no_coins_and_ask_no_wage() -> None:
    assert all(value(card, "coins") == value(card, "wage") == 0 for card in MACHINES)


def test_every_building_can_be_built_by_the_workers_of_the_box() -> None:
    assert all(need <= 38 for card in BUILDINGS for need in needs(card))


def test_all_values_are_marked_as_certain() -> None:
    # Every row rests on the printed card and at least two typed sources that agree.
    marks = Counter(card["provenance"]["values"] for card in COMPONENTS.values())
    assert len(marks) == 1, marks
