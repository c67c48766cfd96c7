"""A tournament while it runs: how fast it goes, how long it will take, and how each contest stands."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.faults import Fault
from kingsbridge.ai.arena.sprt import Sprt
from kingsbridge.ai.arena.summary import ContestCounts
from kingsbridge.server.cli.tournament_tables import llr_bar, plain, share_cells

DRAWN_EVERY = 0.25
"""Seconds between two drawings on a terminal, at least."""
TOLD_EVERY = 30.0
"""Seconds between two lines where there is no terminal, at least."""
SHOWN = 4
"""So many contests are shown, those that went on last."""
_LINES = 12
"""So many bots of a contest are shown, the best."""


class Progress(NamedTuple):
    """How far a run is: games it played, games left (at most, where tests may end early), and its seconds."""

    games: int
    left: int
    seconds: float

    @property
    def rate(self) -> float | None:
        """Games a second; ``None`` before the first."""
        return self.games / self.seconds if self.games and self.seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at this rate; ``None`` while that is not known."""
        return self.left / self.rate if self.rate else None

    def __str__(self) -> str:
        rate = "-" if self.rate is None else f"{self.rate:.2f}"
        left = "-" if self.seconds_left is None else duration(self.seconds_left)
        return f"{self.games:,} games, {self.left:,} left, {rate} games/s, {left} to go"


class TournamentView:
    """Shows a run on a console: a live table on a terminal, else a plain line now and then.

    As a context manager it takes its table off at the end. It draws only while one of its methods is called,
    at most every ``DRAWN_EVERY`` seconds of ``clock``: call ``tick`` where nothing happens for long. ``left``
    is the number of games to play.
    """

    def __init__(self, console: Console, left: int, clock: Callable[[], float]) -> None:
        self._console = console
        self._clock = clock
        self._begun = clock()
        self._left = left
        self._games = 0
        self._contests: dict[str, tuple[ContestCounts, float | None]] = {}
        self._live = _live(console) if console.is_terminal else None
        self._next = self._begun + (DRAWN_EVERY if self._live else TOLD_EVERY)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    @property
    def progress(self) -> Progress:
        """How far the run is."""
        return Progress(self._games, self._left, self._clock() - self._begun)

    def game(self) -> None:
        """A game was finished."""
        self._games += 1
        self._left = max(0, self._left - 1)
        self.tick()

    def block(self, counts: ContestCounts, llr: float | None = None) -> None:
        """A block was added to these counts; ``llr`` is that of a sequential test."""
        name = counts.contest.id
        self._contests.pop(name, None)  # so that it becomes the last
        self._contests[name] = counts, llr
        self.tick()

    def decided(self, left: int) -> None:
        """A test ended early: so many games are left of the whole run."""
        self._left = left
        self.tick()

    def fault(self, contest: Contest, entrant: int, fault: Fault) -> None:
        """Tells at once that a bot failed, in a line that stays."""
        told = f"{contest.id}: {contest.entrants[entrant].name}: {fault.kind.value}: {fault.text}"
        self._console.print(plain(" ".join(told.split())), style="red", soft_wrap=True)

    def tick(self) -> None:
        """Draws, if it is time."""
        now = self._clock()
        if now < self._next:
            return
        if self._live is None:
            self._next = now + TOLD_EVERY
            self._console.print(str(self.progress), highlight=False, soft_wrap=True)
        else:
            self._next = now + DRAWN_EVERY
            self._live.update(self._drawing(), refresh=True)

    def _drawing(self) -> RenderableType:
        shown = sorted(list(self._contests)[-SHOWN:])  # in an order that stays
        return Group(plain(str(self.progress)), *(_contest(*self._contests[name]) for name in shown))


def _live(console: Console) -> Live:
    """Leaves standard output alone, where events may go to a pipe."""
    return Live(
        console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )


def duration(seconds: float) -> str:
    """As people say it: ``2 h 05 min``, ``5 min 07 s``, ``12 s``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def _contest(counts: ContestCounts, llr: float | None) -> RenderableType:
    """How a contest stands, best first."""
    contest = counts.contest
    head = f"{contest.id}: {counts.games:,} games in {counts.blocks:,} blocks"
    if llr is not None and contest.hypotheses is not None:
        head += f"  {llr_bar(llr, *Sprt(contest.hypotheses).bounds)}"
    table = Table("bot", box=None, pad_edge=False, header_style="dim")
    for heading in ("win share", "95 %", "games", "mean score", "faults"):
        table.add_column(heading, justify="right")
    entrants = counts.entrants()
    best = sorted(entrants, key=lambda each: -each.win_share.mean if each.win_share else 1.0)
    for each in best[:_LINES]:
        score = "-" if each.mean_score is None else f"{each.mean_score:.1f}"
        faults = str(sum(each.faults.values()) or "")
        table.add_row(plain(each.name), *share_cells(each.win_share), f"{each.games:,}", score, faults)
    return Group(plain(head), table)
