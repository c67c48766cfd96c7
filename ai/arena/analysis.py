"""What the games of a contest show: its summary, ratings, the course of a test, targets, and some replays."""

from __future__ import annotations

from enum import Enum

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.findings import Findings, RatingRow, RatingTable, SprtCourse
from kingsbridge.ai.arena.played import PlayedGame
from kingsbridge.ai.arena.replay import Replay, tell_game
from kingsbridge.ai.arena.sprt import Ruling, Sprt
from kingsbridge.ai.arena.store import Reader
from kingsbridge.ai.arena.summary import Summary, summarize_contest
from kingsbridge.ai.arena.tournament import Run, counted_blocks
from kingsbridge.pyengine import RecordError

UNRATED = ("match", "sprt")
"""Formats in which two bots meet, so that a win share says it all."""


class Verdict(Enum):
    """Whether a target is reached, by the 95 % interval of the first bot's win share."""

    MET = "met"
    """The whole interval is on the right side."""
    NOT_MET = "not met"
    """The whole interval is on the wrong side."""
    OPEN = "open"
    """The target lies within, or nothing is played."""


def findings_of(run: Run, reader: Reader, *, replays: int = 0) -> Findings:
    """All that the kept games of a contest show, with at most so many of them told in words."""
    summary = summarize_contest(run.contest, counted_blocks(run, reader))
    return Findings(
        summary,
        ratings=ratings_of(summary),
        sprt=_course(summary),
        replays=_replays(run, reader, summary, replays),
        warnings=tuple(reader.notes(run.contest.id, run.definition)),
    )


def verdict_of(summary: Summary) -> Verdict | None:
    """Whether the contest's targets are reached; ``None`` without a target."""
    contest, first = summary.contest, summary.entrants[0].win_share
    if contest.at_least is None and contest.at_most is None:
        return None
    if first is None:
        return Verdict.OPEN
    least = 0.0 if contest.at_least is None else contest.at_least
    most = 1.0 if contest.at_most is None else contest.at_most
    if first.high < least or first.low > most:
        return Verdict.NOT_MET
    return Verdict.MET if least <= first.low and first.high <= most else Verdict.OPEN


def ratings_of(summary: Summary) -> RatingTable | None:
    """Ratings, where more than two bots may have met and a game was played."""
    contest = summary.contest
    if contest.format in UNRATED or not summary.ranked_blocks:
        return None
    from kingsbridge.ai.arena.ratings import rate  # noqa: PLC0415  # numpy, which other commands need not wait for

    ratings = rate(summary.rankings(), len(contest.entrants), anchor=contest.anchor)
    return RatingTable(
        tuple(RatingRow(*each) for each in ratings.entrants),
        tuple(RatingRow(*each) for each in ratings.seats),
        ratings.superiority,
        ratings.warnings([entrant.name for entrant in contest.entrants]),
    )


def _course(summary: Summary) -> SprtCourse | None:
    hypotheses = summary.contest.hypotheses
    if hypotheses is None:
        return None
    test = Sprt(hypotheses)
    path = []
    for score in summary.block_scores:
        test.add(score)
        path.append(test.llr)
    said = {
        Ruling.RUNNING: "not decided",
        Ruling.HIGH: f"{summary.entrants[0].name} is taken to score {hypotheses.high:g} a block, not less",
        Ruling.LOW: f"{summary.entrants[0].name} is taken to score {hypotheses.low:g} a block, not more",
    }
    return SprtCourse(path, test.bounds.low, test.bounds.high, said[test.verdict])


def _replays(run: Run, reader: Reader, summary: Summary, most: int) -> tuple[Replay, ...]:
    """Games with faults first, then blocks that lie evenly over the contest."""
    if not most or not summary.games:
        return ()
    faulty = dict.fromkeys((note.block, note.game) for note in summary.faults)
    step = max(1, run.schedule.known // most)
    even = dict.fromkeys((block, 0) for block in range(0, run.schedule.known, step))
    found: list[Replay] = []
    for block, number in [*faulty, *(each for each in even if each not in faulty)]:
        game = reader.game(run.contest.id, run.definition, block, number)
        if len(found) < most and game is not None and game.actions is not None:
            found += _told(run.contest, block, number, game)
    return tuple(found)


def _told(contest: Contest, block: int, number: int, game: PlayedGame) -> list[Replay]:
    try:
        return [tell_game(contest, block, number, game)]
    except RecordError:  # played by other rules: the report says so
        return []
