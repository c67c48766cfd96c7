"""How the server plays a seat by itself."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache

from kingsbridge.ai import Budget

TEXTS = 1 << 10
"""Texts whose settings are kept, the most recent ones: each answer asks for those of all its seats."""


@dataclass(frozen=True, slots=True)
class BotSettings:
    """A bot, its budget of a decision (``None``: no such bound; ``seconds`` of thinking), and its pace.

    ``human``: a decision takes about as long as a person's, see ``seat_bots``.
    """

    bot: str
    iterations: int | None = None
    seconds: float | None = None
    human: bool = False

    @property
    def budget(self) -> Budget:
        """The budget of a decision."""
        return Budget(self.iterations, self.seconds)

    def text(self) -> str:
        """The settings as the store keeps them: equal settings have equal texts."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of_text(cls, text: str) -> BotSettings | None:
        """The settings of a text; ``None`` for the empty one: a person plays."""
        return _read(text) if text else None


@lru_cache(maxsize=TEXTS)
def _read(text: str) -> BotSettings:
    return BotSettings(**json.loads(text))
