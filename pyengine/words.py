"""Actions in words, for whoever tells of a game: terminals, reports, answers of a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from kingsbridge.pyengine.games import ComponentInfo, GameInfo, arguments, kind_of, text_in

_PLACE = re.compile(r"\{(\w+)\}")


def phrase(
    info: GameInfo,
    action: int,
    language: str = "en",
    *,
    component_name: Callable[[ComponentInfo], str] | None = None,
) -> str:
    """An action in words; ``component_name`` says what a component is called, by default its name.

    Raises:
        KeyError: the game has no words in that language.
        ParseError: the number encodes no action of the game.
    """

    def called(component: ComponentInfo) -> str:
        return component.names[language] if component_name is None else component_name(component)

    values = arguments(info, action)
    pieces = phrase_pieces(info, info.kinds[kind_of(action)].phrase[language], values)
    return "".join(piece if isinstance(piece, str) else called(piece) for piece in pieces)


def phrase_pieces(
    info: GameInfo, phrase: str, values: Mapping[str, int | str]
) -> Iterator[str | ComponentInfo]:
    """The phrase of an action kind piece by piece: plain text, and the components it names.

    ``values`` are the arguments of the action. A place that has none stays as it is written.
    """
    end = 0
    for place in _PLACE.finditer(phrase):
        yield phrase[end : place.start()]
        yield from _named(info, values.get(place[1], place[0]))
        end = place.end()
    yield phrase[end:]


def numbered_name(component: ComponentInfo, language: str = "en") -> str:
    """Its name, in English where it has none in that language, and its id if that is a number, as "W19" is:
    many cards can have one name.
    """
    name = text_in(component.names, language)
    return f"{name} {component.id}" if is_numbered(component) else name


def is_numbered(component: ComponentInfo) -> bool:
    """Whether the id numbers a card rather than naming a thing."""
    return any(letter.isdigit() for letter in component.id)


def _named(info: GameInfo, value: int | str) -> Iterator[str | ComponentInfo]:
    """What a value stands for: a component, or several for a set, "a-b"; else the value itself."""
    symbol = str(value)
    ids = [symbol] if symbol in info.component_by_id else symbol.split("-")
    if isinstance(value, int) or not set(ids) <= set(info.component_by_id):
        yield symbol
        return
    for place, each in enumerate(ids):
        if place:
            yield ", "
        yield info.component_by_id[each]
