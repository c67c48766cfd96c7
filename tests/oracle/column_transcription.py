"""The tables of A Column of Fire as they read in the rules, in the shape of those the engine describes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.oracle.column_cards import ACTIONS, COLOURS, CONDITIONS, COUNTRIES, EVENT_KINDS, GOODS, TILES

PATH: Final = Path(__file__).parent.parent / "data" / "column_tables.json"
STONE_LETTERS: Final = "CPN"
FACES: Final = ("Catholic", "Protestant")


@dataclass(frozen=True)
class Row:
    """One component: ``name`` is empty where the rules give none."""

    id: str
    set: str
    name: str
    attributes: Mapping[str, int]


def transcription() -> list[Row]:
    """All rows of the file."""
    data = json.loads(PATH.read_text(encoding="utf-8"))
    return [
        *characters(data["characters"]),
        *(event(row) for row in data["events"]),
        *(Row(f"T{at:02}", "space", "", space(row)) for at, row in enumerate(data["track"])),
        *(Row(f"L{at}", "loch_leven", "", loch_leven(row)) for at, row in enumerate(data["loch_leven"], 1)),
        *(Row(f"{row['good']}_{row['country']}", "market", "", sale(row)) for row in data["market"]),
        *(
            Row(tile, "tile", "", action(row["action"]) | {"copies": row["copies"]})
            for tile, row in zip(TILES, data["advantage"], strict=True)
        ),
    ]


def action(text: str) -> dict[str, int]:
    """``GOOD:ore`` is the action GOOD with the number of ore as its value."""
    name, _, argument = text.partition(":")
    domain = {"GOOD": GOODS, "GOOD_OR_SELL": GOODS, "SHIP": COUNTRIES}.get(name, ())
    value = domain.index(argument) if domain else int(argument or 0)
    return {"action": ACTIONS.index(name), "value": value}


def characters(rows: list[dict[str, str]]) -> Iterator[Row]:
    numbers = dict.fromkeys(COUNTRIES, 0)
    for row in rows:
        country = row["country"]
        numbers[country] += 1
        attributes = {"country": COUNTRIES.index(country), "stone": STONE_LETTERS.index(row["stone"])}
        name = f"C{country[0]}{numbers[country]:02}"
        yield Row(name, "character", row["name"], attributes | action(row["action"]))


def event(row: dict[str, str]) -> Row:
    what, _, which = row["condition"].partition(":")
    condition = which.lower() if what == "religion" else what
    assert what != "house" or which == row["country"]
    attributes = {
        "country": COUNTRIES.index(row["country"]),
        "kind": EVENT_KINDS.index(row["kind"]),
        "condition": CONDITIONS.index(condition),
    }
    return Row(row["id"], "event", row["title"], attributes)


def space(row: dict[str, str]) -> dict[str, int]:
    return {"colour": COLOURS.index(row["colour"])} | action(row["action"])


def loch_leven(row: dict[str, str]) -> dict[str, int]:
    return {
        "religion": FACES.index(row["religion"]),
        "good": GOODS.index(row["good"]),
        "ship": COUNTRIES.index(row["ship"]),
    }


def sale(row: dict[str, Any]) -> dict[str, int]:
    return {
        "country": COUNTRIES.index(row["country"]),
        "good": GOODS.index(row["good"]),
        "price": row["price"],
    }
