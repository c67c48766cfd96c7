"""What a search needs of a game: what a seat knows, and worlds that look like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self

from kingsbridge.pyengine import Rng

Worth = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Utility, share of the win and score of each seat; see ``kingsbridge.pyengine.State.rollout``."""


class SearchState(Protocol):
    """What a search needs of a state; see ``kingsbridge.pyengine.State``."""

    @property
    def current_player(self) -> int:
        """The seat to move, or ``CHANCE``, or ``TERMINAL``."""

    def copy(self) -> Self:
        """An independent copy."""

    def legal_actions(self) -> list[int]:
        """What the seat to move may do, ascending; the same in all worlds that look the same to that seat."""

    def sample_chance(self, rng: Rng, /) -> int:
        """An outcome of this chance node."""

    def apply(self, action: int, /) -> None:
        """Plays an action or an outcome."""

    def observed(self, action: int, seat: int, /) -> int:
        """What a seat sees of an event played here."""

    def rollout(  # noqa: PLR0917 - called once an iteration, which keywords would slow down
        self,
        rng: Rng,
        policy: str = ...,
        length: int | None = ...,
        rounds: int | None = ...,
        margin: float = ...,
        reach: int = ...,
        /,
    ) -> Worth:
        """What it is worth to each seat after the game is played out, or by an evaluation ``length``
        decisions on or after the end of so many rounds; a finished game is out already.
        """

    def sample_action(self, rng: Rng, policy: str = ..., /) -> int:
        """A legal action, drawn by a rollout policy."""

    @property
    def heuristic_point(self) -> int:
        """What ``heuristic`` gives for a point of the score."""

    def heuristic(self) -> list[int]:
        """A rough value of each legal action."""

    def information_set(self, seat: int, /) -> SearchInformation:
        """What a seat or a spectator knows of this."""


class SearchInformation(Protocol):
    """What a search needs of an information set; see ``kingsbridge.pyengine.InformationSet``."""

    @property
    def game(self) -> str:
        """Name of the game."""

    @property
    def seat(self) -> int:
        """Who knows this."""

    @property
    def players(self) -> int:
        """Number of seats."""

    @property
    def current_player(self) -> int:
        """The seat to move, or ``CHANCE``, or ``TERMINAL``."""

    @property
    def rule(self) -> str:
        """How actions are best weighed in the tree, ``"ucb1"`` or ``"puct"``."""

    @property
    def horizon(self) -> tuple[int | None, int | None]:
        """Decisions, and ends of rounds, after which rollouts are best cut off; ``None``: no bound."""

    def legal_actions(self) -> list[int]:
        """What ``seat`` may do, if it is to move."""

    def imagine(self, rng: Rng, /) -> SearchState:
        """A world that looks like this."""


Sampler = Callable[[SearchInformation, Rng], Callable[[], SearchState]]
"""From what a seat knows, a source of worlds, one call an iteration; each call gives a state of its own."""
