"""What a seat may spend on thinking in one game, and whether it kept to that."""

from __future__ import annotations

import time
from collections.abc import Callable

from kingsbridge.ai.arena.contest import TimeControl
from kingsbridge.ai.bank import Bank
from kingsbridge.ai.bot import Budget, Clock, Decision

GAME_PARTS = 30
"""How many parts what is left for a game is split into; the next decision gets one. A seat takes 40 to 150
decisions in a game: two thirds of the bank go to the first 33, and some is left after 150."""


class Purse:
    """A seat's time control, running down. ``clock`` is what the bot's time is measured by.

    ``last``: seconds that the last decision took. ``late``: why it was late, in words; empty if it was not.
    """

    def __init__(self, control: TimeControl, clock: Clock, wall: Clock = time.monotonic) -> None:
        self.clock = clock
        self.last = 0.0
        self.late = ""
        self._control = control
        self._wall = wall
        self._turn: Bank | None = None
        self._game = (
            None if control.game_seconds is None else Bank(seconds=control.game_seconds, parts=GAME_PARTS)
        )

    def spend(self, think: Callable[[Budget], Decision], *, begins_turn: bool) -> Decision:
        """What ``think`` decides with the budget that is left for this decision, and charges what it took.

        An exception of it is passed on; the time until then is charged too.
        """
        if begins_turn and self._control.turn_seconds is not None:
            self._turn = Bank(seconds=self._control.turn_seconds)
        budget, most = self._budget(), self._most()
        started, started_by_wall = self.clock(), self._wall()
        try:
            return think(budget)
        finally:
            self.last = self.clock() - started
            self.late = self._why_late(most, self._wall() - started_by_wall)
            for bank in self._banks():
                bank.spend(0, self.last)

    def _budget(self) -> Budget:
        """For the next decision: of every bank its part."""
        parts = [bank.budget().seconds for bank in self._banks()]
        seconds = [each for each in (self._control.seconds, *parts) if each is not None]
        return Budget(self._control.iterations, min(seconds, default=None))

    def _most(self) -> float | None:
        """Seconds after which the next decision is late: all of what is left; ``None``: never."""
        left = [bank.seconds for bank in self._banks()]
        return min((each for each in (self._control.seconds, *left) if each is not None), default=None)

    def _banks(self) -> list[Bank]:
        return [bank for bank in (self._turn, self._game) if bank is not None]

    def _why_late(self, most: float | None, by_wall: float) -> str:
        if by_wall > self._control.timeout:
            return f"answered after {by_wall:.3f} s, the timeout is {self._control.timeout:g} s"
        if most is not None and self.last > most + self._control.grace:
            return f"answered after {self.last:.3f} s of {most:.3f} s"
        return ""
