"""Actions in words and colour, from the description of a game."""

from __future__ import annotations

from rich.text import Text

from kingsbridge.pyengine import phrase_pieces, text_in
from kingsbridge.server.cli.cards import Cards
from kingsbridge.server.client import Choice


class Words:
    """Phrases of one game in one language."""

    def __init__(self, cards: Cards, language: str) -> None:
        self._cards = cards
        self._phrases = {kind.name: text_in(kind.phrase, language) for kind in cards.info.kinds}

    def of(self, choice: Choice) -> Text:
        """What an action or a chance event does."""
        phrase = self._phrases.get(choice.kind, choice.text)
        pieces = phrase_pieces(self._cards.info, phrase, choice.arguments)
        return Text("").join(
            Text(piece) if isinstance(piece, str) else self._cards.label(piece.id) for piece in pieces
        )
