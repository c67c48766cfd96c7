"""A run of ``kingsbridge tournament``: what it may use, and what is told while it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from kingsbridge.ai.arena import Contest, Store, play_tournament
from kingsbridge.ai.arena.crew import Crew, share_out
from kingsbridge.ai.arena.export import read_jsonl
from kingsbridge.ai.arena.identity import definition_of
from kingsbridge.ai.arena.ray_crew import ray_crew
from kingsbridge.ai.arena.soundness import is_timed, timing_warning
from kingsbridge.server.cli.errors import WrongUsageError
from kingsbridge.server.cli.tournament_tellers import JsonTeller, ViewTeller


@dataclass(frozen=True, slots=True)
class Plan:
    """How to play: ``workers`` games at a time, none begun after ``seconds``; ``ray``: on which cluster."""

    workers: int
    seconds: float | None
    ray: str | None
    force: bool
    as_json: bool

    @property
    def is_here(self) -> bool:
        """Whether it is this machine that plays."""
        return self.ray in (None, "local")

    @property
    def crew(self) -> Crew:
        """Who plays.

        Raises:
            RayMissingError: Ray is asked for and not installed.
        """
        if self.ray is None:
            return share_out
        return ray_crew(None if self.ray == "local" else self.ray)

    def check(self, contests: Sequence[Contest], cores: int) -> None:
        """Refuses results that would tell more of the machine than of the bots.

        Raises:
            WrongUsageError: bots that think by the clock would share cores.
        """
        timed = [contest.id for contest in contests if is_timed(contest)]
        if timed and self.workers > cores and self.is_here and not self.force:
            raise WrongUsageError(
                f'--workers {self.workers}: bots of "{timed[0]}" think by the clock, and so many games at a '
                f"time would share {cores} cores; take fewer, or --force it, which the report will tell"
            )

    def warn(self, contests: Sequence[Contest], store: Store, cores: int) -> None:
        """Keeps with the results that they were forced."""
        for contest in contests if self.is_here else ():
            warning = timing_warning(contest, self.workers, cores)
            if warning is not None:
                store.note(contest.id, definition_of(contest), warning)


def take_in(path: Path, contests: Sequence[Contest], store: Store) -> None:
    """Adds the games of an export to the results, but for those that are there.

    Raises:
        OSError, ImportRefusedError: as ``read_jsonl``.
    """
    for _, key, game in read_jsonl(path, contests):
        store.add(key, game)
    store.commit()


def play(contests: Sequence[Contest], store: Store, plan: Plan, cores: int) -> None:
    """Plays what is missing, and shows or tells what happens."""
    plan.warn(contests, store, cores)
    with JsonTeller(store) if plan.as_json else ViewTeller(store, Console(stderr=True)) as teller:
        play_tournament(
            contests,
            store,
            workers=plan.workers,
            seconds=plan.seconds,
            crew=plan.crew,
            watcher=teller,
        )
