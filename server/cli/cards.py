"""Cards for people: a name, and what is printed on the card, for any game, from its description alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from kingsbridge.pyengine import ComponentInfo, GameInfo, is_numbered, numbered_name, text_in

_COLOURS = ("bright_black", "yellow", "blue", "red", "magenta", "cyan", "green")
"""Colours of the members of a family, in order."""
PLAIN_FAMILY = "makes"
"""What is said of the attributes of a family that have no prefix."""


@dataclass(frozen=True)
class Family:
    """Attributes that say the same of several things: what is made, or what is needed, of each of them.

    ``prefix`` is "need" for attributes such as "need_wood", and "" for the plain ones such as "wood".
    """

    prefix: str
    members: tuple[str, ...]

    def attribute(self, member: str) -> str:
        """The attribute that speaks of a member."""
        return f"{self.prefix}_{member}" if self.prefix else member


class Cards:
    """The components of a game in one language."""

    def __init__(self, info: GameInfo, language: str) -> None:
        self.info = info
        self._language = language
        highest = _highest_values(info)
        self._members = _members(tuple(highest))
        self._families = _families(tuple(highest), self._members)
        inside = {family.attribute(member) for family in self._families for member in family.members}
        # What is 0 or 1 on every card is a mark, not a value: the list of the box has it, a table in play
        # does not.
        self._plain = tuple(name for name, value in highest.items() if name not in inside and value > 1)

    def __contains__(self, symbol: object) -> bool:
        """Whether a symbol is a component."""
        return symbol in self.info.component_by_id

    def name(self, symbol: str) -> str:
        """Its name, and its id if that is a number: many cards can have one name."""
        component = self.info.component_by_id.get(symbol)
        return symbol if component is None else numbered_name(component, self._language)

    def label(self, symbol: str) -> Text:
        """The same in colour."""
        component = self.info.component_by_id.get(symbol)
        if component is None or not is_numbered(component):
            return Text(self.name(symbol), style="bold")
        return Text.assemble((self.name(symbol).removesuffix(symbol), "bold"), (symbol, "cyan"))

    def features(self, symbol: str, *, brief: bool = False) -> Text:
        """What is printed on it, "coins 18, points 5, need 3 stone 2 wood"; ``brief`` leaves families out.

        Of a card with words for codes it is these words.
        """
        component = self.info.component_by_id[symbol]
        if component.words:
            return Text(", ".join(component.words.values()))
        parts = [
            Text(f"{_words(name)} {component.attributes[name]}")
            for name in self._plain
            if component.attributes.get(name)
        ]
        if not brief:
            sums = ((family, self._sum(family, component)) for family in self._families)
            parts += [_titled(family.prefix or PLAIN_FAMILY, text) for family, text in sums if text]
        return Text(", ").join(parts)

    def table(self, symbols: Sequence[str], title: str, marks: Mapping[int, str] | None = None) -> Table:
        """Cards one a line, a column for each value that one of them has; ``marks`` stand before a line."""
        components = [self.info.component_by_id[symbol] for symbol in symbols]
        plain = [name for name in self._plain if any(each.attributes.get(name) for each in components)]
        families = [family for family in self._families if any(_values(family, each) for each in components)]
        table = Table(title=title, title_style="bold", title_justify="left", box=None, pad_edge=False)
        table.add_column("")
        for name in plain:
            table.add_column(_words(name), justify="right", header_style="dim")
        for family in families:
            table.add_column(_words(family.prefix or PLAIN_FAMILY), header_style="dim")
        for line, component in enumerate(components):
            names = Text(text_in(component.names, self._language) + " ", style="bold")
            label = Text.assemble((marks or {}).get(line, ""), names, (component.id, "cyan"))
            values = [str(component.attributes.get(name) or "") for name in plain]
            table.add_row(label, *values, *(self._sum(family, component) for family in families))
        return table

    def amounts(self, numbers: Sequence[int]) -> Text | None:
        """Numbers that go with the members of a family, "1 stone 2 tile"; ``None`` if that cannot be told."""
        return _sum(self._members, numbers) if len(numbers) == len(self._members) else None

    def counts(self, name: str, numbers: Sequence[int]) -> Text | None:
        """Numbers that go with the components of the set a field is called after: "1 x ore · 2 x wine";
        ``None`` if there is no such set.
        """
        things = self.things(name, len(numbers))
        if things is None:
            return None
        named = zip(numbers, things, strict=True)
        return Text(" · ").join(
            Text(f"{number} x {text_in(each.names, self._language)}") for number, each in named if number
        )

    def things(self, name: str, count: int) -> Sequence[ComponentInfo] | None:
        """The set of so many components that a field is called after, as "unseen_tiles" after "tile"."""
        word = name.rpartition("_")[2]
        singular = f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
        things = [each for each in self.info.components if each.set == singular]
        return things if len(things) == count else None

    def _sum(self, family: Family, component: ComponentInfo) -> Text:
        return _sum(family.members, _values(family, component) or [0] * len(family.members))


def _values(family: Family, component: ComponentInfo) -> list[int]:
    """What a card says of each member, or nothing if it says nothing of any."""
    values = [component.attributes.get(family.attribute(member), 0) for member in family.members]
    return values if any(values) else []


def _sum(members: Sequence[str], numbers: Sequence[int]) -> Text:
    parts = [
        Text(f"{number} {_words(member)}", style=_COLOURS[place % len(_COLOURS)])
        for place, (member, number) in enumerate(zip(members, numbers, strict=True))
        if number
    ]
    return Text(" ").join(parts)


def _titled(title: str, text: Text) -> Text:
    return Text.assemble(f"{_words(title)} ", text)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _highest_values(info: GameInfo) -> dict[str, int]:
    """The greatest value of each attribute, in the order in which the box shows them first."""
    highest: dict[str, int] = {}
    for component in info.components:
        for name, value in component.attributes.items():
            highest[name] = max(highest.get(name, 0), value)
    return highest


def _members(attributes: Sequence[str]) -> tuple[str, ...]:
    """Attributes that others qualify: "wood" where there is a "need_wood" too."""
    tails = {name.partition("_")[2] for name in attributes}
    return tuple(name for name in attributes if name in tails)


def _families(attributes: Sequence[str], members: tuple[str, ...]) -> list[Family]:
    prefixes: dict[str, None] = {"": None} if members else {}
    for name in attributes:
        prefix, _, tail = name.partition("_")
        if tail in members:
            prefixes[prefix] = None
    return [Family(prefix, members) for prefix in prefixes]
