"""The trees that a bot keeps from one decision to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kingsbridge.pyengine import InformationSet, Search


class KeptTrees:
    """The trees of the last decision, in their order. Empty, it keeps nothing yet.

    They are taken out while a decision is made: what happens to that one, or comes in between on another
    thread, finds none, and begins with empty trees.
    """

    __slots__ = ("_trees",)

    def __init__(self) -> None:
        self._trees: list[Search] = []

    def take(
        self,
        info: InformationSet,
        seeds: Iterable[int],
        offered: list[int],
        fresh: Callable[[int], Search],
    ) -> list[Search]:
        """A tree for each seed. Each that is kept goes on if it can; in place of any other comes a new one,
        ``fresh(seed)``, after the old one is freed.
        """
        kept, self._trees = self._trees[::-1], []
        return [_going_on(kept, info, seed, offered) or fresh(seed) for seed in seeds]

    def keep(self, trees: list[Search]) -> None:
        """Holds them for the next decision."""
        self._trees = trees


def _going_on(kept: list[Search], info: InformationSet, seed: int, offered: list[int]) -> Search | None:
    """The last of these, if it goes on with this decision; it is taken off the list."""
    tree = kept.pop() if kept else None
    return tree if tree is not None and tree.go_on(info, seed, among=offered) else None
