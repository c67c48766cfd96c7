"""What a contest taught: its summary, and what was computed from it, as reports and tables show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kingsbridge.ai.arena.replay import Replay
from kingsbridge.ai.arena.summary import Summary


class RatingRow(NamedTuple):
    """A rating, or the effect of a seat, with its 95 % interval: Elo."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Ratings of a contest: ``entrants`` and ``seats`` in their order.

    ``superiority[i][j]`` is the chance that entrant i is the better of the two; it may be empty. ``warnings``
    say what to mind, such as bots that never met.
    """

    entrants: tuple[RatingRow, ...]
    seats: tuple[RatingRow, ...] = ()
    superiority: tuple[tuple[float, ...], ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SprtCourse:
    """How a sequential test went.

    ``path`` is the log-likelihood ratio after each block, ``lower`` and ``upper`` where it is decided, and
    ``verdict`` says in words what was.
    """

    path: Sequence[float]
    lower: float
    upper: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is shown of one contest. ``warnings`` are told beside those that follow from the rest."""

    summary: Summary
    ratings: RatingTable | None = None
    sprt: SprtCourse | None = None
    replays: tuple[Replay, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def order(self) -> list[int]:
        """The entrants as tables list them: best first by rating, or by win share where there is none."""
        entrants = self.summary.entrants
        if self.ratings is not None:
            worth = [row.rating for row in self.ratings.entrants]
        else:
            worth = [each.win_share.mean if each.win_share else -1.0 for each in entrants]
        return sorted(range(len(entrants)), key=lambda index: (-worth[index], index))

    def all_warnings(self) -> list[str]:
        """What to mind about these findings, one sentence each."""
        summary = self.summary
        found = [*self.warnings, *(self.ratings.warnings if self.ratings else ())]
        if len(summary.versions) > 1:
            names = ", ".join(f"{engine} with rules {rules}" for engine, rules in summary.versions)
            found.append(f"Several engines played, whose results may not compare: {names}.")
        if summary.void_blocks:
            found.append(f"Void by a fault, and counting for nobody: {summary.void_blocks} blocks.")
        if forfeits := summary.games - summary.finished:
            found.append(f"{forfeits} of {summary.games} games were forfeited.")
        return found
