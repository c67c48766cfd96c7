"""The reference search, watched: which events it plays, what it rates, where its rollouts begin."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from kingsbridge.ai.ismcts import fresh_worlds
from kingsbridge.ai.search import SearchParams, Tree
from kingsbridge.ai.world import Worth
from kingsbridge.pyengine import InformationSet, Rng, State, kind_of

Leaf = tuple[State, str, int | None, int | None, float, int]
"""Where a rollout began, and how it was played and valued, as ``State.rollout`` takes it."""


@dataclass
class Journal:
    """What a search did.

    ``played``: positions and the event played there, by kind, within the tree. ``rated``: a position for each
    time its actions were rated by the heuristic. ``leaves``: the rollouts.
    """

    iterations: int = 0
    nodes: int = 0
    played: dict[int, list[tuple[State, int]]] = field(default_factory=lambda: defaultdict(list))
    rated: list[State] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


def watch(info: InformationSet, params: SearchParams, seed: int, iterations: int) -> Journal:
    """Searches in fresh worlds as the native search does with the same arguments."""
    journal = Journal(iterations)
    tree = Tree(_WatchedInformation(info, journal), fresh_worlds, params, seed)
    for _ in range(iterations):
        tree.iterate()
    journal.nodes = sum(1 for _ in tree.trace())
    return journal


class _WatchedInformation:
    """An information set whose worlds are watched."""

    def __init__(self, info: InformationSet, journal: Journal) -> None:
        self._info = info
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        return getattr(self._info, name)

    def imagine(self, rng: Rng) -> Any:
        return _WatchedState(self._info.imagine(rng), self._journal)


class _WatchedState:
    """A state that notes what is asked of it; what needs no note is passed on."""

    def __init__(self, state: State, journal: Journal) -> None:
        self._state = state
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def apply(self, action: int) -> None:
        self._journal.played[kind_of(action)].append((self._state.copy(), action))
        self._state.apply(action)

    def heuristic(self) -> list[int]:
        self._journal.rated.append(self._state.copy())
        return self._state.heuristic()

    def rollout(self, rng: Rng, *how: Any) -> Worth:
        if not self._state.is_terminal:
            self._journal.leaves.append((self._state.copy(), *how))
        return self._state.rollout(rng, *how)
