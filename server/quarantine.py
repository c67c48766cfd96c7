"""Questions that crashed their workers: not asked again for a while, so that they take no more of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from kingsbridge.server.search import Search

QUARANTINE_SECONDS = 60.0
"""How long a question is refused."""
QUESTIONS = 1000
"""Questions that are remembered, the most recent ones."""

_Digest = tuple[str, str, str, int]


class Quarantine:
    """The questions that are refused: the same caller, bot and position, whatever the budget and the seed."""

    def __init__(self, clock: Callable[[], float], seconds: float = QUARANTINE_SECONDS) -> None:
        self._clock = clock
        self._seconds = seconds
        self._until: OrderedDict[_Digest, float] = OrderedDict()

    def add(self, search: Search) -> None:
        """Refuses a question from now on."""
        self._until[_digest(search)] = self._clock() + self._seconds
        self._until.move_to_end(_digest(search))
        if len(self._until) > QUESTIONS:
            self._until.popitem(last=False)

    def holds(self, search: Search) -> bool:
        """Whether a question is refused."""
        return bool(self._until) and self._clock() < self._until.get(_digest(search), 0.0)


def _digest(search: Search) -> _Digest:
    return search.caller, search.bot, search.info.game, search.info.key
