"""The table of a ladder, in Markdown: a section for each contest.

Times are left out, so equal games give equal tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from kingsbridge.ai.arena.analysis import ratings_of
from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.findings import Findings, RatingRow
from kingsbridge.ai.arena.played import GameKey, PlayedGame
from kingsbridge.ai.arena.statistics import Interval
from kingsbridge.ai.arena.summary import EntrantSummary, summarize_contest


def ladder_table(contests: Sequence[Contest], games: Sequence[tuple[GameKey, PlayedGame]]) -> str:
    """The text of the table; ``games`` in order of contest, block and number."""
    return "\n".join(line for contest in contests for line in _section(contest, games))


def _section(contest: Contest, games: Sequence[tuple[GameKey, PlayedGame]]) -> Iterator[str]:
    findings = _findings(contest, games)
    summary = findings.summary
    yield f"## {contest.id}\n"
    yield f"{contest.game}, {contest.players} players, {summary.games} games in {summary.blocks} blocks.\n"
    yield "| bot | rating | 95 % | win share | 95 % | mean score |"
    yield "|---|---:|---:|---:|---:|---:|"
    for index in findings.order:
        entrant = summary.entrants[index]
        rating = findings.ratings.entrants[index] if findings.ratings else None
        cells = (f"`{_plain(entrant.name)}`", _rating(rating), _share(entrant.win_share), _score(entrant))
        yield f"| {' | '.join(cells)} |"
    yield ""
    if findings.ratings and summary.games:
        seats = "; ".join(
            f"{seat}: {row.rating:+.0f} ({row.low:+.0f} .. {row.high:+.0f})"
            for seat, row in enumerate(findings.ratings.seats)
        )
        yield f"What a seat is worth: {seats}.\n"
    for warning in findings.all_warnings():
        yield f"Mind: {warning}\n"


def _findings(contest: Contest, games: Sequence[tuple[GameKey, PlayedGame]]) -> Findings:
    own = [each for each in games if each[0].contest == contest.id]
    blocks = (
        (block, [game for _, game in group]) for block, group in groupby(own, key=lambda each: each[0].block)
    )
    summary = summarize_contest(contest, blocks)
    return Findings(summary, ratings_of(summary))


def _plain(name: str) -> str:
    """A name that ends no cell of a table and no code."""
    return name.replace("|", "/").replace("`", "'")


def _rating(row: RatingRow | None) -> str:
    return f"{row.rating:+.0f} | {row.low:+.0f} .. {row.high:+.0f}" if row else "- | -"


def _share(share: Interval | None) -> str:
    return f"{share.mean:.1%} | {share.low:.1%} .. {share.high:.1%}" if share else "- | -"


def _score(entrant: EntrantSummary) -> str:
    return "-" if entrant.mean_score is None else f"{entrant.mean_score:.1f}"
