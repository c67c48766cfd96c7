"""Actions in words, from the description of a game."""

from __future__ import annotations

import re

from rich.text import Text

from kingsbridge.pyengine import text_in
from kingsbridge.server.cli.cards import Cards
from kingsbridge.server.client import Choice

_PLACE = re.compile(r"\{(\w+)\}")


class Words:
    """Phrases of one game in one language."""

    def __init__(self, cards: Cards, language: str) -> None:
        self._cards = cards
        self._phrases = {kind.name: text_in(kind.phrase, language) for kind in cards.info.kinds}

    def of(self, choice: Choice) -> Text:
        """What an action or a chance event does."""
        phrase = self._phrases.get(choice.kind, choice.text)
        text = Text()
        end = 0
        for place in _PLACE.finditer(phrase):
            text.append(phrase[end : place.start()])
            text.append_text(self._value(choice.arguments.get(place[1], place[0])))
            end = place.end()
        return text.append(phrase[end:])

    def _value(self, value: int | str) -> Text:
        """A component by its name; a set of them, "a-b", by theirs."""
        parts = [value] if isinstance(value, int) or value in self._cards else value.split("-")
        if all(part in self._cards for part in parts):
            return Text(", ").join(self._cards.label(str(part)) for part in parts)
        return Text(str(value))
