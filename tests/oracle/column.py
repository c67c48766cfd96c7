"""A Column of Fire in plain Python, slow and simple enough to be read beside the rules.

Written from the rules alone and sharing nothing with the engine but its tables. The game is one script: a
generator with a function for each step of a half-turn, which stops at each question, be it put to a player or
to chance, and is told the answer, a text such as ``recruit(die=white, country=England)``. A generator cannot
be copied, so a copy is the table at the start of the half-turn with the events since then played once more.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

from tests.oracle.column_script import Answer, Node, Script
from tests.oracle.column_setup import finish, set_up
from tests.oracle.column_table import SPECTATOR, Options, Table
from tests.oracle.column_turn import next_half_turn, play_half_turn
from tests.oracle.script import CHANCE, read

OVER: Final = "over"


@dataclass
class Column:
    """One position: a table and the script of what comes next."""

    table: Table
    turn_start: Table = field(init=False)
    since: list[str] = field(default_factory=list)
    """Events since ``turn_start``."""
    node: Node = field(init=False)
    script: Script = field(init=False)

    def __post_init__(self) -> None:
        self.script = self._play()
        self._go_on(None)

    @staticmethod
    def initial(players: int, options: dict[str, int] | None = None) -> Column:
        """The box just opened."""
        return Column(Table(players, Options.of(options or {})))

    # What may happen next

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def over(self) -> bool:
        return self.node.mover == OVER

    def current_player(self) -> int | str:
        """The seat to move, ``CHANCE`` or ``OVER``."""
        return self.node.mover

    def chance_outcomes(self) -> dict[str, int]:
        return self.node.events if self.node.mover == CHANCE else {}

    def legal_actions(self) -> list[str]:
        return list(self.node.events) if isinstance(self.node.mover, int) else []

    def events(self) -> list[str]:
        """The outcomes of a chance node, else the legal actions."""
        return list(self.node.events)

    def apply(self, event: str) -> None:
        """Plays one of ``events()``; anything else is the caller's mistake and not looked for."""
        self.since.append(event)
        self.table.happened.clear()
        self._go_on(read(event))

    def _go_on(self, answer: Answer | None) -> None:
        try:
            self.node = next(self.script) if answer is None else self.script.send(answer)
        except StopIteration:
            self.node = Node(OVER, OVER, {})

    def copy(self) -> Column:
        twin = Column(deepcopy(self.turn_start))
        for event in self.since:
            twin.apply(event)
        return twin

    # What it is worth

    def scores(self) -> list[int]:
        return [seat.score() for seat in self.table.seats]

    def standings(self) -> list[tuple[int, int, int]]:
        """What seats are ranked by: score, then unsold goods, then the religion die (rules 5)."""
        return [(seat.score(), sum(seat.goods.values()), seat.religion_die) for seat in self.table.seats]

    def win_shares(self) -> list[float]:
        standings = self.standings()
        best = max(standings)
        return [standings.count(best) ** -1 if standing == best else 0.0 for standing in standings]

    # Looking at it

    def view(self, viewer: int = SPECTATOR) -> dict[str, Any]:
        mover = self.node.mover if isinstance(self.node.mover, int) else 0
        return self.table.view(viewer, self.node.phase, mover)

    def knows_all(self, viewer: int) -> bool:
        """Whether nothing is hidden from a viewer but the order of decks and stacks."""
        others = [seat for number, seat in enumerate(self.table.seats) if number != viewer]
        return self.over or not any(seat.held() for seat in others)

    def identity(self) -> str:
        """Equal exactly for equal positions, whatever happened before."""
        return repr((self.view(), [seat.tiles for seat in self.table.seats]))

    # The script

    def _play(self) -> Script:
        table, going_on = self.table, True
        self._remember()
        if table.year == 0:
            yield from set_up(table)
        while going_on:
            self._remember()
            yield from play_half_turn(table)
            going_on = next_half_turn(table)
        finish(table)

    def _remember(self) -> None:
        self.turn_start, self.since = deepcopy(self.table), []
