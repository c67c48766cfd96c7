"""A tournament as it is watched: on a terminal, by a pipe, by a machine, and its tables at the end."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from rich.console import Console

from kingsbridge.ai.arena.contest import Hypotheses
from kingsbridge.ai.arena.faults import Fault, FaultKind
from kingsbridge.ai.arena.findings import Findings, RatingRow, RatingTable, SprtCourse
from kingsbridge.ai.arena.played import GameKey
from kingsbridge.ai.arena.summary import ContestCounts, summarize_contest
from kingsbridge.server.cli import tournament_events as events
from kingsbridge.server.cli.tournament_tables import llr_bar, print_standings
from kingsbridge.server.cli.tournament_view import (
    SHOWN,
    TOLD_EVERY,
    Progress,
    TournamentView,
    duration,
)
from tests.arena.played_games import contest, played

HOSTILE = "[red]a[/red]\x1b[31m\nb"
FAULT = Fault(FaultKind.TIMEOUT, seat=0, decision=4, text=HOSTILE)


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Watched:
    """A view of ten games to play, with what it has shown."""

    def __init__(self, *, terminal: bool) -> None:
        self.file = io.StringIO()
        self.clock = Clock()
        self.console = Console(file=self.file, force_terminal=terminal, width=120, height=50)
        self.view = TournamentView(self.console, left=10, clock=self.clock)

    def shown(self) -> str:
        """What was written since it was asked last, without what steers the terminal."""
        written = self.file.getvalue()
        self.file.seek(0)
        self.file.truncate()
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)


def counts(identity: str = "cup", **more: Any) -> ContestCounts:
    """One block that a won in both seats, with 9 and 7 points."""
    found = ContestCounts(contest("a", "b", id=identity, **more))
    found.add(0, [played((0, 1), (9, 5)), played((1, 0), (2, 7))])
    return found


def test_a_run_says_how_fast_it_is_and_how_long_it_will_take() -> None:
    assert str(Progress(30, 90, 60.0)) == "30 games, 90 left, 0.50 games/s, 3 min 00 s to go"
    assert str(Progress(0, 90, 60.0)) == "0 games, 90 left, - games/s, - to go"
    assert (Progress(5, 0, 2.0).seconds_left, Progress(5, 9, 0.0).rate) == (0.0, None)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (3599, "59 min 59 s"), (7500, "2 h 05 min")],
)
def test_durations_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_terminal_shows_how_contests_stand() -> None:
    watched = Watched(terminal=True)
    with watched.view:
        watched.clock.now += 2
        watched.view.game()
        watched.clock.now += 2
        watched.view.block(counts(hypotheses=Hypotheses(0.5, 0.6)), llr=0.75)
        shown = watched.shown()
    assert "1 games, 9 left, 0.25 games/s, 36 s to go" in shown
    assert "cup: 2 games in 1 blocks  [--------------|---------] 0.75 (-2.94 .. 2.94)" in shown
    assert re.search(r"a +100\.0% +0\.0% \.\. 100\.0% +2 +8\.0", shown)
    assert re.search(r"b +0\.0% +0\.0% \.\. 100\.0% +2 +3\.5", shown)


def test_a_terminal_is_drawn_on_at_most_four_times_a_second() -> None:
    watched = Watched(terminal=True)
    drawn = 0
    with watched.view:
        watched.shown()
        for _ in range(1000):
            watched.clock.now += 0.01
            watched.view.game()
            drawn += "games/s" in watched.shown()
    assert 35 <= drawn <= 40  # in 10 seconds; a step of the clock may pass the time to draw


def test_standard_output_goes_where_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    watched = Watched(terminal=True)
    with watched.view:
        print("an event")
    assert capsys.readouterr().out == "an event\n"
    assert "an event" not in watched.shown()


def test_the_contests_that_went_on_last_are_shown_in_an_order_that_stays() -> None:
    watched = Watched(terminal=True)
    with watched.view:
        for number in (*range(SHOWN + 2), 1):
            watched.view.block(counts(f"cup{number}"))
        watched.clock.now += 1
        watched.view.tick()
        assert re.findall(r"cup\d", watched.shown()) == ["cup1", "cup3", "cup4", "cup5"]


def test_without_a_terminal_there_is_a_plain_line_now_and_then() -> None:
    watched = Watched(terminal=False)
    with watched.view:
        for _ in range(8):
            watched.clock.now += TOLD_EVERY / 4
            watched.view.game()
            watched.view.block(counts())
    assert watched.file.getvalue() == (
        "4 games, 6 left, 0.13 games/s, 45 s to go\n8 games, 2 left, 0.13 games/s, 15 s to go\n"
    )


def test_a_short_run_without_a_terminal_says_nothing() -> None:
    watched = Watched(terminal=False)
    with watched.view:
        watched.clock.now += TOLD_EVERY - 1
        watched.view.game()
    assert watched.file.getvalue() == ""


def test_a_test_that_ends_early_leaves_less_to_play() -> None:
    watched = Watched(terminal=False)
    watched.view.decided(3)
    watched.view.game()
    assert watched.view.progress == (1, 2, 0.0)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_fault_is_told_at_once_and_cannot_steer_the_terminal(terminal: bool) -> None:
    watched = Watched(terminal=terminal)
    watched.view.fault(contest(HOSTILE, "b"), 0, FAULT)
    raw = watched.file.getvalue()
    assert watched.shown() == ("cup: [red]a[/red]\ufffd[31m b: timeout: [red]a[/red]\ufffd[31m b\n")
    assert raw.count("\x1b[31m") == (1 if terminal else 0)  # our own


def test_a_bar_shows_where_a_ratio_stands_between_its_bounds() -> None:
    assert llr_bar(-2.0, -2.0, 2.0, width=5) == "[|----] -2.00 (-2.00 .. 2.00)"
    assert llr_bar(0.0, -2.0, 2.0, width=5) == "[--|--] 0.00 (-2.00 .. 2.00)"
    assert llr_bar(7.5, -2.0, 2.0, width=5) == "[----|] 7.50 (-2.00 .. 2.00)"


def printed(*found: Findings) -> list[str]:
    console = Console(file=io.StringIO(), width=40)
    print_standings(console, found)
    assert isinstance(console.file, io.StringIO)
    return [" ".join(line.split()) for line in console.file.getvalue().splitlines()]


def test_the_final_table_has_a_line_for_each_bot_best_first() -> None:
    games = [
        played((0, 1), (9, 5), deciders=(0, 1), seconds=(0.5, 0.25), iterations=(0, 0), cpu_seconds=3.0),
        played((1, 0), (2, 7), faults=(Fault(FaultKind.ILLEGAL, 1, 0, "x"),) * 2),
    ]
    summary = summarize_contest(contest("a", "b"), [(0, games)])
    ratings = RatingTable((RatingRow(0, 0, 0), RatingRow(10.6, -20, 41.2)), warnings=("b never lost.",))
    assert printed(Findings(summary, ratings, SprtCourse((0.5,), -2.0, 2.0, "running"))) == [
        "cup: 2 games in 1 blocks, 3 cpu s",
        "bot rating 95 % win share 95 % games mean score mean ms 99 % ms faults",
        "b +11 -20 .. +41 0.0% 0.0% .. 100.0% 2 3.5 250.00 250.00",
        "a +0 +0 .. +0 100.0% 0.0% .. 100.0% 2 8.0 500.00 500.00 2 illegal",
        f"running: {llr_bar(0.5, -2.0, 2.0)}",
        "b never lost.",
    ]


def test_a_contest_that_was_not_played_has_a_table_still() -> None:
    lines = printed(
        Findings(summarize_contest(contest(HOSTILE, "b"), [])), Findings(counts("next").summary())
    )
    assert lines[:4] == [
        "cup: 0 games in 0 blocks, 0 cpu s",
        "bot win share 95 % games mean score mean ms 99 % ms faults",
        "[red]a[/red]\ufffd[31m\ufffdb - - 0 - - -",
        "b - - 0 - - -",
    ]
    assert lines[4:6] == ["", "next: 2 games in 1 blocks, 0 cpu s"]


def test_events_have_the_members_that_are_promised() -> None:
    event = contest("a", "b", hypotheses=Hypotheses(0.5, 0.6))
    key = GameKey("cup", "0123", 7, 1)
    game = played((1, 0), (2, 9), faults=(FAULT,), deciders=(0, 1, 0))
    told = [
        events.started(0.0, [event], {"cup": 4}),
        events.game(1.23456, event, key, game),
        events.standing(2.0, event, 1, counts().entrants(), 0.5),
        events.fault(3.0, event, key, game, FAULT),
        events.finished(4.0, 8, complete=True, faults=1),
    ]
    assert json.loads(json.dumps(told)) == [
        {
            "event": "started",
            "seconds": 0.0,
            "contests": [
                {
                    "contest": "cup",
                    "game": event.game,
                    "players": 2,
                    "format": "round-robin",
                    "bots": [{"name": "a", "spec": "spec of a"}, {"name": "b", "spec": "spec of b"}],
                    "blocks": 10,
                    "games_done": 4,
                }
            ],
        },
        {
            "event": "game",
            "seconds": 1.235,
            "contest": "cup",
            "block": 7,
            "game": 1,
            "bots": ["b", "a"],
            "ending": "finished",
            "scores": [2, 9],
            "win_shares": [0.0, 1.0],
            "decisions": 3,
            "faults": 1,
        },
        {
            "event": "standing",
            "seconds": 2.0,
            "contest": "cup",
            "blocks": 1,
            "llr": 0.5,
            "bots": [
                {"bot": "a", "games": 2, "win_share": 1.0, "win_share_ci95": [0.0, 1.0], "mean_score": 8.0},
                {"bot": "b", "games": 2, "win_share": 0.0, "win_share_ci95": [0.0, 1.0], "mean_score": 3.5},
            ],
        },
        {
            "event": "fault",
            "seconds": 3.0,
            "contest": "cup",
            "block": 7,
            "game": 1,
            "bot": "b",
            "seat": 0,
            "decision": 4,
            "kind": "timeout",
            "text": HOSTILE,
        },
        {"event": "finished", "seconds": 4.0, "games": 8, "complete": True, "faults": 1},
    ]
    nobody = events.standing(0.0, event, 0, ContestCounts(event).entrants())
    assert nobody["bots"][0] == {
        "bot": "a",
        "games": 0,
        "win_share": None,
        "win_share_ci95": None,
        "mean_score": None,
    }
