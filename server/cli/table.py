"""A game at a terminal: asks whoever is to move, bot or human, until it is over or the human leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kingsbridge.server.cli.screen import Screen
from kingsbridge.server.client import Choice, Game, Thinking

HELP = """Choose an action by its number, or write it in notation, as ?? shows it.
  ??       the actions in notation   v   the table again
  ? CARD   what a card says          h   what a bot would do
  ?        this help                 q   leave the game"""

_WORD_BITS = (1 << 64) - 1


class Table:
    """One game with its seats: a bot's way of thinking each, or ``None`` for the human."""

    def __init__(self, game: Game, screen: Screen, seats: Sequence[Thinking | None]) -> None:
        self._game = game
        self._screen = screen
        self._seats = seats
        self._moves: list[tuple[int, Choice]] = []

    def play_out(self) -> bool:
        """Plays until the game is over, and shows the result. False if the human left before."""
        watcher = self._seats.index(None) if None in self._seats else 0
        if None not in self._seats:
            self._screen.table(self._game.view(watcher), self._game.status.seat_to_move)
        while not self._game.status.over:
            seat = self._game.status.seat_to_move
            thinking = self._seats[seat]
            choice = self._ask_human(seat) if thinking is None else self._ask_bot(seat, thinking)
            if choice is None:
                return False
            self._play(seat, choice)
        self._screen.table(self._game.view(watcher), -1)
        self._screen.result(self._game.status)
        return True

    def summary(self, game: str) -> dict[str, Any]:
        """The game as plain data, ready for ``json.dumps``."""
        status = self._game.status
        return {
            "game": game,
            "seats": ["human" if each is None else each.bot for each in self._seats],
            "actions": [{"seat": seat, "action": choice.text} for seat, choice in self._moves],
            "scores": list(status.scores),
            "places": list(status.places),
        }

    def _play(self, seat: int, choice: Choice) -> None:
        played = self._game.play(seat, choice)
        self._moves.append((seat, choice))
        self._screen.action(seat, choice)
        for event in played.events:
            self._screen.event(event.choice)

    def _ask_bot(self, seat: int, thinking: Thinking) -> Choice:
        with self._screen.waiting(seat):
            return self._game.propose(seat, self._now(thinking)).choice

    def _now(self, thinking: Thinking) -> Thinking:
        """The thinking of this move: with a seed, each move has one of its own that follows from it."""
        if thinking.seed is None:
            return thinking
        return replace(thinking, seed=thinking.seed + self._game.status.revision & _WORD_BITS)

    def _ask_human(self, seat: int) -> Choice | None:
        """The human's choice, or ``None`` to leave. What is not understood is said, and asked again."""
        choices = self._game.choices(seat)
        self._screen.table(self._game.view(seat), seat)
        self._screen.choices(choices)
        while (line := self._screen.ask("your action")) is not None:
            match line.split():
                case ["q" | "quit" | "exit"]:
                    return None
                case ["?" | "help"]:
                    self._screen.say(HELP)
                case ["??"]:
                    self._screen.notations(choices)
                case ["?", symbol]:
                    self._screen.card(symbol)
                case ["v" | "view"]:
                    self._screen.table(self._game.view(seat), seat)
                    self._screen.choices(choices)
                case ["h" | "hint"]:
                    self._hint(seat, choices)
                case []:
                    continue
                case _:
                    found = self._read(line, choices)
                    if found is not None:
                        return found
        return None

    def _hint(self, seat: int, choices: Sequence[Choice]) -> None:
        thinking = next((each for each in self._seats if each is not None), Thinking("ismcts"))
        with self._screen.waiting(seat):
            proposal = self._game.propose(seat, self._now(thinking))
        self._screen.hint(seat, proposal, choices)

    def _read(self, line: str, choices: Sequence[Choice]) -> Choice | None:
        """The choice a line names, by number or notation."""
        if line.isdecimal():
            if 1 <= int(line) <= len(choices):
                return choices[int(line) - 1]
            self._screen.refuse(f"there is no action {line}: choose 1 .. {len(choices)}")
            return None
        wanted = "".join(line.split())
        for choice in choices:
            if "".join(choice.text.split()) == wanted:
                return choice
        self._screen.refuse(
            f"'{line}' is no action you may take now: choose 1 .. {len(choices)}, or ? for help"
        )
        return None
