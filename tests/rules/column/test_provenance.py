"""The README tells of every row of the tables how sure it is, as DescribeGame does."""

from collections import defaultdict
from pathlib import Path

from kingsbridge.pyengine import ComponentInfo, describe

README = Path(__file__).parents[3] / "README.md"
SETS = {
    "character": "characters",
    "event": "events",
    "space": "track spaces",
    "tile": "advantage tiles",
    "loch_leven": "Loch Leven cards",
    "market": "goods bought",
}
WORDS = {"certain", "likely", "guess", "reconstructed"}


def tables() -> list[ComponentInfo]:
    return [component for component in describe("column").components if component.set in SETS]


def lines() -> list[str]:
    """Rows of the README's table: components of a set with the same provenance."""
    rows: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for component in tables():
        rows[component.set, component.provenance["values"], component.provenance["sources"]].append(
            component.id
        )
    return [
        f"| {SETS[kind]} | {values} | {sources} | {', '.join(ids)} |"
        for (kind, values, sources), ids in rows.items()
    ]


def test_every_row_says_how_sure_it_is() -> None:
    assert len(tables()) == 52 + 16 + 20 + 11 + 4 + 8
    assert {component.provenance["values"] for component in tables()} == WORDS


def test_the_readme_says_the_same_of_every_row() -> None:
    text = README.read_text(encoding="utf-8")
    missing = [line for line in lines() if line not in text]
    assert not missing, "\n".join(["the README lacks:", *missing])
