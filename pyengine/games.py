"""What there is to know about a game before it is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from kingsbridge.pyengine._core import State, action_text, game_info

LANGUAGES = ("en", "fr", "ja", "de")
"""The languages in which games, components and phrases are named."""


@dataclass(frozen=True)
class OptionInfo:
    """A named integer of the game's set-up: its default, its bounds (both allowed) and what it does."""

    name: str
    default: int
    min: int
    max: int
    text: str


@dataclass(frozen=True)
class ArgumentInfo:
    """An argument of an action kind; ``domain`` names the values it takes."""

    name: str
    domain: str


@dataclass(frozen=True)
class DomainInfo:
    """Values of an argument: ``symbols`` with the ``copies`` of each, or numbers from ``first``."""

    name: str
    first: int
    symbols: tuple[str, ...]
    copies: tuple[int, ...]


@dataclass(frozen=True)
class KindInfo:
    """An action kind; ``deck`` and ``pooled`` as ``game_info`` says, ``phrase`` by language."""

    name: str
    arguments: tuple[ArgumentInfo, ...]
    chance: bool
    deck: str
    pooled: bool
    phrase: Mapping[str, str]


@dataclass(frozen=True)
class ComponentInfo:
    """A card of the box.

    ``face`` is the component whose face it shares, else its own ``id``; ``copies`` cards of the ``id`` are in
    the box. ``words`` says what an attribute stands for whose value is a code.
    """

    id: str
    set: str
    names: Mapping[str, str]
    provenance: Mapping[str, Any]
    attributes: Mapping[str, int]
    face: str
    copies: int = 1
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GameInfo:
    """Everything static about a game; the fields are the keys of ``game_info``, where they are explained."""

    name: str
    title: Mapping[str, str]
    min_players: int
    max_players: int
    rules_hash: str
    max_score: int
    max_length: int
    action_count: int
    options: tuple[OptionInfo, ...]
    kinds: tuple[KindInfo, ...]
    domains: tuple[DomainInfo, ...]
    components: tuple[ComponentInfo, ...]

    @cached_property
    def component_by_id(self) -> Mapping[str, ComponentInfo]:
        """The components of the box by their ``id``."""
        return MappingProxyType({component.id: component for component in self.components})

    @cached_property
    def domain_by_name(self) -> Mapping[str, DomainInfo]:
        """The argument domains by their name."""
        return MappingProxyType({domain.name: domain for domain in self.domains})

    @cached_property
    def option_by_name(self) -> Mapping[str, OptionInfo]:
        """The options by their name."""
        return MappingProxyType({option.name: option for option in self.options})


def load_game(name: str, players: int = 2, **options: int) -> State:
    """The first node of a game, before its first chance event.

    Raises:
        UnknownGameError: no such game.
        OptionError: an unknown option, or a value out of range (``players`` included).
    """
    return State.initial(name, players, options)


@cache
def describe(name: str) -> GameInfo:
    """The static facts of a game, read once.

    Raises:
        UnknownGameError: no such game.
    """
    raw = game_info(name)
    return GameInfo(
        **{key: raw[key] for key in _PLAIN_KEYS},
        title=MappingProxyType(raw["title"]),
        options=tuple(OptionInfo(**option) for option in raw["options"]),
        kinds=tuple(_kind(kind) for kind in raw["kinds"]),
        domains=tuple(_domain(domain) for domain in raw["domains"]),
        components=tuple(_component(component) for component in raw["components"]),
    )


def kind_of(action: int) -> int:
    """Number of the action's kind, an index into ``GameInfo.kinds``."""
    return action >> 24


def arguments(info: GameInfo, action: int) -> dict[str, int | str]:
    """The arguments of an action by name: component symbols as text, numbers as ``int``.

    Raises:
        ParseError: the number encodes no action of the game.
    """
    inside = action_text(info.name, action).partition("(")[2].removesuffix(")")
    values = (part.partition("=")[2] for part in inside.split(", ")) if inside else ()
    kind = info.kinds[kind_of(action)]
    return {
        argument.name: value if info.domain_by_name[argument.domain].symbols else int(value)
        for argument, value in zip(kind.arguments, values, strict=True)
    }


def text_in(texts: Mapping[str, str], language: str) -> str:
    """A text in a language, or in English where the game has none in it."""
    return texts.get(language) or texts["en"]


_PLAIN_KEYS = (
    "name",
    "min_players",
    "max_players",
    "rules_hash",
    "max_score",
    "max_length",
    "action_count",
)


def _kind(raw: dict[str, Any]) -> KindInfo:
    return KindInfo(
        name=raw["name"],
        arguments=tuple(ArgumentInfo(each["name"], each["domain"]) for each in raw["arguments"]),
        chance=raw["chance"],
        deck=raw["deck"],
        pooled=raw["pooled"],
        phrase=MappingProxyType(raw["phrase"]),
    )


def _domain(raw: dict[str, Any]) -> DomainInfo:
    return DomainInfo(raw["name"], raw["first"], tuple(raw["symbols"]), tuple(raw["copies"]))


def _component(raw: dict[str, Any]) -> ComponentInfo:
    return ComponentInfo(
        id=raw["id"],
        set=raw["set"],
        names=MappingProxyType(raw["names"]),
        provenance=MappingProxyType(raw["provenance"]),
        attributes=MappingProxyType(raw["attributes"]),
        face=raw["face"],
        copies=raw["copies"],
        words=MappingProxyType(raw["words"]),
    )
