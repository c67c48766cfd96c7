"""What a player sees: the view of any game as tables and panels, found from its fields' names and shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kingsbridge.server.cli.cards import Cards
from kingsbridge.server.cli.words import Words
from kingsbridge.server.client import Choice, Proposal, Status

SEATS = "seats"
"""The field of every view that lists what lies before each seat."""
LONG_PILE = 10
"""A pile on the table of more cards than this is counted, not listed."""

_ABOUT_THE_VIEW = {"players", "viewer"}


class Screen:
    """Draws on a terminal. ``names`` says who sits where, such as "you" or a bot's spec."""

    def __init__(self, console: Console, cards: Cards, words: Words, names: Sequence[str]) -> None:
        self.console = console
        self._cards = cards
        self._words = words
        self._names = names
        self._settings = {option.name for option in cards.info.options} | _ABOUT_THE_VIEW

    def table(self, view: Mapping[str, Any], mover: int) -> None:
        """The whole table as a seat sees it."""
        facts = {name: value for name, value in view.items() if name not in self._settings}
        status = self._status(facts)
        fits = status.cell_len + 8 <= self.console.width
        self.console.rule(status if fits else "")
        if not fits:
            self.console.print(status)
        piles = [self._pile(name, facts) for name, value in facts.items() if self._is_pile(value)]
        self.console.print(Columns(piles, padding=(0, 4)))
        for name, value in facts.items():
            if _is_numbers(value) and (numbers := self._numbers(name, value)):
                self.console.print(_titled(name, numbers))
        for name, value in facts.items():
            if _is_group(value):
                self.console.print(*self._group(name, value, mover))

    def choices(self, choices: Sequence[Choice]) -> None:
        """The legal actions, numbered from 1."""
        cells = [
            Text.assemble((f"{number:>3} ", "bold green"), self._words.of(choice))
            for number, choice in enumerate(choices, start=1)
        ]
        self.console.print(Columns(cells, padding=(0, 3), column_first=True))

    def event(self, choice: Choice | None) -> None:
        """A chance event that followed an action."""
        words = Text("something you cannot see") if choice is None else self._words.of(choice)
        self.console.print(Text.assemble("        ", words), style="dim")

    def action(self, seat: int, choice: Choice) -> None:
        """What a seat does."""
        style = _seat_style(seat)
        self.console.print(
            Text.assemble((f"seat {seat}", style), f" {self._names[seat]}: ", self._words.of(choice))
        )

    def hint(self, seat: int, proposal: Proposal, choices: Sequence[Choice]) -> None:
        """What a bot would do in a seat's place, and the alternatives it weighed."""
        number = next((n for n, each in enumerate(choices, start=1) if each.id == proposal.choice.id), 0)
        self.console.print(Text.assemble((f"{number:>3} ", "bold green"), self._words.of(proposal.choice)))
        if not proposal.candidates:
            return
        table = Table("visits", "win", "action", box=None, pad_edge=False, header_style="dim")
        for candidate in proposal.candidates[:5]:
            table.add_row(
                str(candidate.visits), f"{candidate.values[seat]:.0%}", self._words.of(candidate.choice)
            )
        self.console.print(table)
        self.console.print(f"{proposal.iterations} iterations, {proposal.seconds:.2f} s", style="dim")

    def result(self, status: Status) -> None:
        """The final scores, best first."""
        table = Table("place", "seat", "player", "score", title="final scores", title_style="bold", box=None)
        for seat in sorted(range(len(status.scores)), key=lambda seat: status.places[seat]):
            style = "bold green" if status.places[seat] == 1 else ""
            table.add_row(
                str(status.places[seat]), str(seat), self._names[seat], str(status.scores[seat]), style=style
            )
        self.console.print(table)
        winners = [f"seat {seat}" for seat, place in enumerate(status.places) if place == 1]
        verdict = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
        self.console.print(verdict, style="bold")

    def notations(self, choices: Sequence[Choice]) -> None:
        """The legal actions as they are written."""
        for number, choice in enumerate(choices, start=1):
            self.console.print(Text.assemble((f"{number:>3} ", "bold green"), choice.text))

    def card(self, symbol: str) -> None:
        """One card, by its id in any case."""
        symbol = symbol.upper() if symbol.upper() in self._cards else symbol
        if symbol in self._cards:
            self.console.print(self._card(symbol))
        else:
            self.refuse(f"there is no card '{symbol}'")

    def waiting(self, seat: int) -> AbstractContextManager[object]:
        """Shows that a bot thinks, where somebody watches."""
        if not self.console.is_terminal:
            return nullcontext()
        return self.console.status(f"seat {seat}: {self._names[seat]} is thinking")

    def ask(self, prompt: str) -> str | None:
        """A line from the human, or ``None`` at the end of input."""
        try:
            return self.console.input(f"[bold]{prompt}[/] (number, ? help, h hint, q quit): ").strip()
        except EOFError:
            self.console.print()
            return None

    def say(self, text: str) -> None:
        """Plain lines."""
        self.console.print(text, markup=False)

    def refuse(self, text: str) -> None:
        """Says what is wrong with an input."""
        self.console.print(text, style="red", markup=False)

    def _status(self, facts: Mapping[str, Any]) -> Text:
        """The plain values of a view: numbers by name, flags by name if they are set."""
        parts = []
        for name, value in facts.items():
            if value is True:
                parts.append(Text(_words(name), style="bold red"))
            elif self._is_plain(name, facts):
                parts.append(Text(f"{_words(name)} {value}"))
        return Text(" · ").join(parts)

    def _is_plain(self, name: str, facts: Mapping[str, Any]) -> bool:
        """Whether a field is a number or a word that no table shows."""
        value = facts[name]
        if isinstance(value, bool) or not isinstance(value, (int, str)) or value == "":
            return False
        return value not in self._cards and not self._belongs_to_pile(name, facts)

    def _is_pile(self, value: Any) -> bool:
        return (
            isinstance(value, list)
            and bool(value)
            and all(each in self._cards for each in value if isinstance(each, str))
            and not (any(not isinstance(each, str) for each in value))
        )

    def _pile(self, name: str, facts: Mapping[str, Any]) -> RenderableType:
        cards: list[str] = facts[name]
        if len(cards) > LONG_PILE:
            return Text(f"{_words(name)}: {len(cards)} cards", style="dim")
        nexts = {
            other: value
            for other, value in facts.items()
            if isinstance(value, str) and value in self._cards and _stem(other) == _stem(name)
        }
        marks = {len(cards) + place: f"{_tail(other)}: " for place, other in enumerate(nexts)}
        return self._cards.table([*cards, *nexts.values()], _words(name), marks)

    def _belongs_to_pile(self, name: str, facts: Mapping[str, Any]) -> bool:
        return isinstance(facts[name], str) and any(
            _stem(other) == _stem(name) and self._is_pile(value) for other, value in facts.items()
        )

    def _group(self, name: str, items: Sequence[Mapping[str, Any]], mover: int) -> Iterable[RenderableType]:
        """A panel for each seat; other things one a line."""
        if name != SEATS:
            yield self._rows(name, items)
            return
        for seat, item in enumerate(items):
            title = f"seat {seat} {self._names[seat]}" + (" - to move" if seat == mover else "")
            yield Panel(self._fields(item), title=title, title_align="left", border_style=_seat_style(seat))

    def _fields(self, item: Mapping[str, Any]) -> RenderableType:
        lines: list[RenderableType] = []
        facts = {
            name: value
            for name, value in item.items()
            if isinstance(value, (int, str)) and value is not False
        }
        if facts:
            lines.append(Text(" · ").join(self._fact(name, value) for name, value in facts.items()))
        for name, value in item.items():
            if _is_group(value):
                lines.append(self._rows(name, value))
            elif isinstance(value, list) and value and (line := self._list(name, value)):
                lines.append(self._line_of(name, value) if not _is_numbers(value) else _titled(name, line))
        return Group(*lines)

    def _fact(self, name: str, value: int | str | bool) -> Text:
        if value is True:
            return Text(_words(name))
        numbered = value in self._cards and any(letter.isdigit() for letter in str(value))
        return Text.assemble(f"{_words(name)} ", self._cards.label(str(value)) if numbered else str(value))

    def _line_of(self, name: str, values: Sequence[Any]) -> RenderableType:
        """A list behind its name, as many on a line as there is room for."""
        grid = Table.grid(padding=(0, 1))
        listed = [self._value(name, each) for each in values]
        grid.add_row(Text(f"{_words(name)}:", style="bold"), Columns(listed, padding=(0, 3)))
        return grid

    def _rows(self, name: str, items: Sequence[Mapping[str, Any]]) -> RenderableType:
        """Things with the same fields, one a line and one column a field; first their names, if they have."""
        table = Table(box=None, pad_edge=False, header_style="dim")
        things = self._cards.things(name, len(items))
        for heading in ["", *items[0]] if things else items[0]:
            table.add_column(_words(heading))
        for place, item in enumerate(items):
            brief = any(self._is_sum(field, value) for field, value in item.items())
            cells = [self._value(field, value, brief=brief) for field, value in item.items()]
            table.add_row(*([self._cards.label(things[place].id)] if things else []), *cells)
        return Group(Text(f"{_words(name)}:", style="bold"), table)

    def _is_sum(self, name: str, value: Any) -> bool:
        """Whether a value says of each member of a family how much, so that the card beside it need not."""
        return (
            _is_numbers(value)
            and self._cards.counts(name, value) is None
            and self._cards.amounts(value) is not None
        )

    def _value(self, name: str, value: Any, *, brief: bool = False) -> Text:
        if isinstance(value, list):
            return self._list(name, value)
        return self._card(value, brief=brief) if value in self._cards else Text(str(value))

    def _list(self, name: str, values: Sequence[Any]) -> Text:
        if _is_numbers(values):
            amounts = None if self._cards.things(name, len(values)) else self._cards.amounts(values)
            return self._numbers(name, values) if amounts is None else amounts
        if len(values) > LONG_PILE:
            return Text(f"{len(values)} cards", style="dim")
        return Text("\n" if len(values) > 1 else "").join(self._value(name, value) for value in values)

    def _numbers(self, name: str, values: Sequence[int]) -> Text:
        if all(isinstance(value, bool) for value in values):
            return Text(" ".join("yes" if value else "no" for value in values) if any(values) else "")
        counts = self._cards.counts(name, values)
        return Text(" ".join(map(str, values))) if counts is None else counts

    def _card(self, symbol: str, *, brief: bool = False) -> Text:
        features = self._cards.features(symbol, brief=brief)
        return (
            Text.assemble(self._cards.label(symbol), " (", features, ")")
            if features
            else self._cards.label(symbol)
        )


def _titled(name: str, text: Text) -> Text:
    return Text.assemble((f"{_words(name)}:", "bold"), " ", text)


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, int) for each in value)


def _is_group(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _seat_style(seat: int) -> str:
    return ("green", "yellow", "blue", "magenta")[seat % 4]


def _words(name: str) -> str:
    return name.replace("_", " ")


def _stem(name: str) -> str:
    return name.partition("_")[0]


def _tail(name: str) -> str:
    return _words(name.partition("_")[2])
