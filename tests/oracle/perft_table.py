"""Perft tables: positions and the number of lines of play below them: ``tests/data/perft/<game>.perft``.

A table is a list of blocks with an empty line between; ``#`` starts a comment. A block::

    id      two seats, first turn
    players 2
    options visible_tops=0
    play    start(seat=0); apprentice(seat=0, worker=W03)
    play    ...
    fixed   1 14
    chance  1 14

``play`` lists all events from the opened box on, over as many lines as it takes. ``fixed`` is a depth and its
count with every chance node settled by its lowest outcome; ``chance`` is one with all outcomes expanded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kingsbridge.pyengine import State, parse_action
from tests.oracle.lockstep import Oracle

TABLES: Final = Path(__file__).parents[1] / "data" / "perft"


@dataclass(frozen=True)
class Count:
    """One row: the leaves at a depth."""

    expand_chance: bool
    depth: int
    leaves: int


@dataclass
class PerftPosition:
    """One block of a table."""

    game: str
    id: str
    players: int = 2
    options: dict[str, int] = field(default_factory=dict)
    play: list[str] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)

    def state(self) -> State:
        """The position on the engine."""
        state = State.initial(self.game, self.players, self.options)
        for event in self.play:
            state.apply(parse_action(self.game, event))
        return state


def read_table(path: Path) -> list[PerftPosition]:
    """All positions of a table.

    Raises:
        ValueError: names the line that is no row of a block.
    """
    positions: list[PerftPosition] = []
    for number, line in _rows(path.read_text(encoding="utf-8")):
        key, _, value = line.partition(" ")
        value = value.strip()
        if key == "id":
            positions.append(PerftPosition(path.stem, value))
            continue
        if not positions or not _read_row(positions[-1], key, value):
            raise ValueError(f"{path.name}:{number}: not a row of a perft table: {line!r}")
    return positions


def _rows(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        row = line.partition("#")[0].strip()
        if row:
            yield number, row


def _read_row(position: PerftPosition, key: str, value: str) -> bool:
    """Adds a row to its block; whether it is one."""
    if key == "players":
        position.players = int(value)
    elif key == "options":
        position.options = {name: int(number) for name, number in (pair.split("=") for pair in value.split())}
    elif key == "play":
        position.play += [event.strip() for event in value.split(";") if event.strip()]
    elif key in ("fixed", "chance"):
        depth, leaves = value.split()
        position.counts.append(Count(key == "chance", int(depth), int(leaves)))
    else:
        return False
    return True


def write_block(position: PerftPosition, width: int = 110) -> str:
    """The text of a block, which ``read_table`` reads back."""
    lines = [f"id      {position.id}", f"players {position.players}"]
    if position.options:
        lines.append("options " + " ".join(f"{name}={value}" for name, value in position.options.items()))
    line = "play   "
    for event in position.play:
        if len(line) + len(event) + 2 > width:
            lines.append(line)
            line = "play   "
        line += f" {event};"
    if position.play:
        lines.append(line)
    rows = [("chance" if count.expand_chance else "fixed", count) for count in position.counts]
    lines += [f"{kind:7} {count.depth} {count.leaves}" for kind, count in rows]
    return "\n".join(lines) + "\n"


def perft(oracle: Oracle, depth: int, *, expand_chance: bool) -> int:
    """Leaves ``depth`` events below, counted by the oracle; see ``State.perft`` for what an event is."""
    if oracle.chance_outcomes() and not expand_chance:
        oracle = oracle.copy()
        while oracle.chance_outcomes():
            oracle.apply(oracle.events()[0])
    if depth == 0 or oracle.over:
        return 1
    events = oracle.events()
    if depth == 1:
        return len(events)
    leaves = 0
    for event in events:
        child = oracle.copy()
        child.apply(event)
        leaves += perft(child, depth - 1, expand_chance=expand_chance)
    return leaves
