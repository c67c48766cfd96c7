"""The Pillars of the Earth in plain Python, slow and simple enough to be read beside the rules.

Written from the rules alone and sharing nothing with the engine. The game is one script: a generator with
a function for each step of a round, which stops at each question, be it put to a player or to chance, and is
told the answer, a text such as ``place(space=court1)``. A generator cannot be copied, so a copy is the table
at the start of the round with the events since then played once more.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

from tests.oracle import pillars_phases as phases
from tests.oracle import pillars_resolution as resolution
from tests.oracle.pillars_table import NOBODY, ROUNDS, Options, Table
from tests.oracle.script import CHANCE, Answer, Node, Script, read, say, throw

OVER: Final = "over"
GOLD_AT_START: Final = 20


def begin(table: Table) -> Script:
    answer = yield from throw("start", {say("start", seat=seat): 1 for seat in range(table.players)})
    table.start_player = int(answer["seat"])
    for place, seat in enumerate(table.clockwise()):
        table.seats[seat].gold = GOLD_AT_START + place


def play_round(table: Table) -> Script:
    phases.give_out_workers(table)
    yield from phases.lay_out_cards(table)
    yield from phases.look(table)
    yield from phases.take_cards(table, table.start_player)
    phases.fill_bag(table)
    yield from phases.deal_builders(table)
    yield from phases.place_passed_builders(table)
    yield from resolution.reveal_event(table)
    yield from resolution.visit_bishop(table)
    yield from resolution.use_event_protection(table)
    yield from resolution.suffer_event(table)
    resolution.pay_in_the_mill(table)
    resolution.visit_town(table)
    resolution.visit_priory(table)
    resolution.produce(table)
    yield from resolution.visit_court(table)
    yield from resolution.visit_shiring(table)
    resolution.visit_castle(table)
    yield from resolution.trade(table)
    for seat in table.clockwise():
        yield from resolution.build(table, seat)
        yield from resolution.keep_five_cubes(table, seat)
    resolution.end_round(table)


@dataclass
class Pillars:
    """One position: a table and the script of what comes next."""

    table: Table
    round_start: Table = field(init=False)
    since: list[str] = field(default_factory=list)
    """Events since ``round_start``."""
    node: Node = field(init=False)
    script: Script = field(init=False)

    def __post_init__(self) -> None:
        self.script = self._play()
        self._go_on(None)

    @staticmethod
    def initial(players: int, options: dict[str, int] | None = None) -> Pillars:
        """The box just opened."""
        return Pillars(Table(players, Options.of(options or {})))

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
        self._go_on(read(event))

    def _go_on(self, answer: Answer | None) -> None:
        try:
            self.node = next(self.script) if answer is None else self.script.send(answer)
        except StopIteration:
            self.node = Node(OVER, OVER, {})

    def copy(self) -> Pillars:
        twin = Pillars(deepcopy(self.round_start))
        for event in self.since:
            twin.apply(event)
        return twin

    # What it is worth

    def scores(self) -> list[int]:
        return [seat.points for seat in self.table.seats]

    def standings(self) -> list[tuple[int, int]]:
        """What seats are ranked by: points, then gold."""
        return [(seat.points, seat.gold) for seat in self.table.seats]

    def win_shares(self) -> list[float]:
        standings = self.standings()
        best = max(standings)
        return [standings.count(best) ** -1 if standing == best else 0.0 for standing in standings]

    # Looking at it

    def view(self, viewer: int = NOBODY) -> dict[str, Any]:
        mover = self.node.mover if isinstance(self.node.mover, int) else 0
        return self.table.view(viewer, self.node.phase, mover)

    def knows_all(self, viewer: int) -> bool:
        """Whether nothing is hidden from a viewer but the order of decks."""
        return not self.table.event or self.table.event_known or viewer == self.table.looked

    def identity(self) -> str:
        """Equal exactly for equal positions, whatever happened before."""
        return repr((self.view(), self.table.event))

    # The script

    def _play(self) -> Script:
        table = self.table
        self.round_start, self.since = deepcopy(table), []
        if table.round == 0:
            yield from begin(table)
        while table.round < ROUNDS:
            table.round += 1
            yield from play_round(table)
            self.round_start, self.since = deepcopy(table), []
