"""Who tells of a tournament while it runs: a view for people, or lines of JSON for machines."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import typer
from rich.console import Console

from kingsbridge.ai.arena import GameKey, PlayedGame, Store
from kingsbridge.ai.arena.formats import Sequential
from kingsbridge.ai.arena.summary import ContestCounts
from kingsbridge.ai.arena.tournament import Run, counted_blocks
from kingsbridge.ai.bot import Clock
from kingsbridge.server.cli import tournament_events as events
from kingsbridge.server.cli.tournament_view import TournamentView

TOLD_EVERY = 1.0
"""Seconds between two standings of one contest, at least."""


class _Teller:
    """Counts blocks as they are finished, those of earlier runs included, if anybody wants to know."""

    def __init__(self, store: Store, clock: Clock = time.monotonic) -> None:
        self.clock = clock
        self.begun = clock()
        self.runs: Sequence[Run] = ()
        self.played = 0
        self.faults = 0
        self._store = store
        self._counts: dict[str, ContestCounts] = {}
        self._ended: set[str] = set()

    def start(self, runs: Sequence[Run]) -> None:
        """See ``Watcher``."""
        self.runs = runs

    def pause(self) -> None:
        """See ``Watcher``."""

    def count(self, runs: Sequence[Run]) -> None:
        """Counts what is there."""
        reader = self._store.reader()
        for run in runs:
            counts = self._counts[run.contest.id] = ContestCounts(run.contest)
            for block, games in counted_blocks(run, reader):
                counts.add(block, games)

    def has_just_ended(self, run: Run) -> bool:
        """Whether a sequential test is decided and was not when this was asked last."""
        ended = isinstance(run.schedule, Sequential) and run.schedule.decided
        new = ended and run.contest.id not in self._ended
        if new:
            self._ended.add(run.contest.id)
        return new

    def counted(self, run: Run, key: GameKey, *, just_ended: bool) -> ContestCounts | None:
        """The counts with the block of this game, if it is whole now and counts."""
        counts = self._counts.get(run.contest.id)
        if counts is not None and just_ended:
            self.count([run])  # without the blocks after the one that decided
            return self._counts[run.contest.id]
        if counts is None or run.contest.id in self._ended or not run.is_whole(key.block):
            return None
        counts.add(key.block, self._store.reader().block(run.contest.id, run.definition, key.block))
        return counts


def _llr(run: Run) -> float | None:
    return run.schedule.test.llr if isinstance(run.schedule, Sequential) else None


class ViewTeller(_Teller):
    """Shows the run on a terminal; elsewhere says a line now and then."""

    def __init__(self, store: Store, console: Console, clock: Clock = time.monotonic) -> None:
        super().__init__(store, clock)
        self._console = console
        self._view = TournamentView(console, 0, clock)

    def start(self, runs: Sequence[Run]) -> None:
        """See ``Watcher``."""
        super().start(runs)
        self._view.decided(sum(run.games_left for run in runs))
        if self._console.is_terminal:
            self.count(runs)

    def game(self, run: Run, key: GameKey, game: PlayedGame) -> None:
        """See ``Watcher``."""
        for fault in game.faults:
            self._view.fault(run.contest, game.seats[fault.seat], fault)
        self._view.game()
        just_ended = self.has_just_ended(run)
        if counts := self.counted(run, key, just_ended=just_ended):
            self._view.block(counts, _llr(run))
        if just_ended:
            self._view.decided(sum(each.games_left for each in self.runs))

    def pause(self) -> None:
        """See ``Watcher``."""
        self._view.tick()

    def __enter__(self) -> Self:
        self._view.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._view.__exit__(kind, error, trace)


class JsonTeller(_Teller):
    """Prints a line of JSON for each event: see ``tournament_events``."""

    def __init__(self, store: Store, clock: Clock = time.monotonic) -> None:
        super().__init__(store, clock)
        self._told: dict[str, float] = {}

    def start(self, runs: Sequence[Run]) -> None:
        """See ``Watcher``."""
        super().start(runs)
        done = {run.contest.id: run.games_done for run in runs}
        self._tell(events.started(self._seconds, [run.contest for run in runs], done))
        self.count(runs)

    def game(self, run: Run, key: GameKey, game: PlayedGame) -> None:
        """See ``Watcher``."""
        self.played += 1
        self.faults += len(game.faults)
        self._tell(events.game(self._seconds, run.contest, key, game))
        for fault in game.faults:
            self._tell(events.fault(self._seconds, run.contest, key, game, fault))
        counts = self.counted(run, key, just_ended=self.has_just_ended(run))
        if counts and self.clock() - self._told.get(run.contest.id, -TOLD_EVERY) >= TOLD_EVERY:
            self._told[run.contest.id] = self.clock()
            self._standing(run, counts)

    def _standing(self, run: Run, counts: ContestCounts) -> None:
        self._tell(events.standing(self._seconds, run.contest, counts.blocks, counts.entrants(), _llr(run)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            for run in self.runs:
                self._standing(run, self._counts[run.contest.id])
            complete = not any(run.games_left for run in self.runs)
            self._tell(events.finished(self._seconds, self.played, complete=complete, faults=self.faults))

    @property
    def _seconds(self) -> float:
        return self.clock() - self.begun

    def _tell(self, event: events.Event) -> None:
        typer.echo(json.dumps(event))
