"""Whether the luck of a finished game was the one that its seed deals."""

from __future__ import annotations

from dataclasses import dataclass

from kingsbridge.pyengine._core import action_text
from kingsbridge.pyengine.dealer import Dealer
from kingsbridge.pyengine.record import GameRecord


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out: how many ``events`` of chance the game has, and the first one that the seed does not
    deal: its number among all events from 1, what the record says and what the seed says, in notation.
    ``None``: all are as the seed deals them.
    """

    events: int
    wrong: tuple[int, str, str] | None


def verify(record: GameRecord, seed: int) -> Verdict:
    """Deals a game again, with its decisions and this seed.

    Raises:
        ValueError: the seed is negative or wider than 128 bits.
    """
    dealer = Dealer(seed)
    events = 0
    wrong = None
    for number, (state, action) in enumerate(zip(record.states(), record.actions, strict=False), start=1):
        if not state.is_chance:
            continue
        events += 1
        dealt = dealer.outcome(state)
        if dealt != action and wrong is None:
            wrong = (number, action_text(record.game, action), action_text(record.game, dealt))
    return Verdict(events, wrong)
