"""Requests that are wrong in one way or another, drawn from one generator."""

from __future__ import annotations

from random import Random
from typing import Any

from google.protobuf.message import Message

from tests.fuzz import extremes, messages, wire
from tests.fuzz.calls import Metadata, Shot, bearer
from tests.fuzz.methods import METHODS
from tests.fuzz.world import Held, World

_NAMES = sorted(METHODS)
_WEIGHTS = {"ChooseAction": 12, "Analyze": 3, "ChooseTurn": 3, "ApplyAction": 4, "CreateGame": 3}
"""Calls that can be wrong in more ways than others come more often."""
_OFTEN = [_WEIGHTS.get(name, 1) for name in _NAMES]
_DEADLINES = (None, None, 10.0, 0.05, 0.0)


class Requests:
    """Draws requests about a world."""

    def __init__(self, world: World, rng: Random) -> None:
        self._world = world
        self._rng = rng

    def draw(self) -> tuple[Shot, Held]:
        """A request, and the game that it was meant to be about."""
        rng = self._rng
        method = METHODS[rng.choices(_NAMES, _OFTEN)[0]]
        held = rng.choice(self._world.games)
        palette = self._world.palette(held)
        message = method.request()
        messages.fill(message, palette, rng)
        shown = self._shown(message, held)
        kind = rng.random()
        if kind < 0.75:
            for _ in range(rng.choice((1, 1, 1, 2, 5))):
                messages.disturb(message, palette, rng)
        data = message.SerializeToString()
        if 0.65 < kind < 0.95:
            data = wire.damaged(data, rng)
        return Shot(method, data, shown, rng.choice(_DEADLINES)), held

    def _shown(self, message: Message, held: Held) -> Metadata:
        """The token that the request needs, or now and then another."""
        rng = self._rng
        right = held.tokens.get(_seat(message), held.tokens[0])
        if rng.random() < 0.88:
            return bearer(right)
        other = rng.choice(self._world.games)
        wrong = (
            "",
            self._world.operator,
            rng.choice([*held.tokens.values()]),
            rng.choice([*other.tokens.values()]),
            right[: rng.randrange(len(right))],
            right.swapcase(),
            right + "." + right,
            "kb1.." + right,
            "kb1." + "A" * rng.choice((1, 2, 3, 4, 600)) + ".A",
            rng.choice([text for text in extremes.TEXTS if text.isascii() and text.isprintable()]),
        )
        return rng.choice(((), bearer(rng.choice(wrong)), (("authorization", right),), bearer(right) * 2))


def _seat(message: Any) -> int:
    """The seat that a request is about."""
    for holder in (message, getattr(message, "session", None), getattr(message, "bot", None)):
        seat = getattr(holder, "seat", None)
        if seat is not None:
            return int(seat)
    return 0
