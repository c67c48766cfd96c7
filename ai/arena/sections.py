"""The parts of a report that show one contest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from kingsbridge.ai.arena.contest import TimeControl
from kingsbridge.ai.arena.faults import FaultKind
from kingsbridge.ai.arena.figures import Bar, error_bars, histogram, path
from kingsbridge.ai.arena.findings import Findings
from kingsbridge.ai.arena.markup import Markup, join, table, tag
from kingsbridge.ai.arena.played import Ending
from kingsbridge.ai.arena.replay import Event, Replay
from kingsbridge.ai.arena.statistics import Interval
from kingsbridge.ai.arena.summary import FaultNote, Pairing

NOTHING = "–"
"""Stands where there is nothing to tell."""


def contest_section(anchor: str, findings: Findings) -> Markup:
    """A contest with all that is known of it; ``anchor`` is its place in the page."""
    contest = findings.summary.contest
    parts = [tag("h2", contest.id), tag("p", _facts(findings), class_="facts")]
    if warnings := findings.all_warnings():
        parts.append(tag("ul", *(tag("li", each) for each in warnings), class_="warnings"))
    parts.append(_standings(findings))
    for section in (_sprt, _ratings, _crosstable, _seats, _distributions, _times):
        parts += section(findings)
    parts += _faults(anchor, findings)
    if findings.replays:
        parts += [tag("h3", "Games"), *(_replay(anchor, each) for each in findings.replays)]
    return tag("section", *parts, id=anchor)


def budget_text(control: TimeControl) -> str:
    """How long a bot may think, in words."""
    limits = (
        (control.iterations, "{} iterations a decision"),
        (control.seconds, "{} s a decision"),
        (control.turn_seconds, "{} s a turn"),
        (control.game_seconds, "{} s a game"),
    )
    return ", ".join(words.format(limit) for limit, words in limits if limit is not None) or "each bot's own"


def _facts(findings: Findings) -> str:
    summary, contest = findings.summary, findings.summary.contest
    options = "".join(f", {name} {value}" for name, value in contest.options.items())
    return (
        f"{contest.game}, {contest.players} players{options}. Format: {contest.format}. "
        f"{summary.games:,} games in {summary.blocks:,} blocks. "
        f"Budget: {budget_text(contest.time_control)}; clock: {contest.clock}. "
        f"After a fault: {contest.on_fault.value}."
    )


def _standings(findings: Findings) -> Markup:
    headings = ["Bot", *(["Rating", "95 %"] if findings.ratings else [])]
    headings += ["Win share", "95 %", "Games", "Mean score", "Faults", "Spec"]
    rows = []
    for index in findings.order:
        each = findings.summary.entrants[index]
        rated = findings.ratings.entrants[index] if findings.ratings else None
        cells: list[str] = [each.name]
        if rated is not None:
            cells += [f"{rated.rating:+.0f}", f"{rated.low:+.0f} .. {rated.high:+.0f}"]
        cells += [*_share_cells(each.win_share), f"{each.games:,}", _number(each.mean_score, ".1f")]
        rows.append([*cells, str(sum(each.faults.values())), _text_cell(each.spec)])
    return table("Standings", headings, rows)


def _sprt(findings: Findings) -> Iterator[Markup]:
    course, hypotheses = findings.sprt, findings.summary.contest.hypotheses
    if course is None:
        return
    yield tag("h3", "Sequential test")
    if hypotheses is not None:
        yield tag(
            "p",
            f"Of the first bot's mean block score: {hypotheses.low:.3f} against {hypotheses.high:.3f}, "
            f"alpha {hypotheses.alpha:g}, beta {hypotheses.beta:g}. Verdict: {course.verdict}.",
        )
    yield path("Log-likelihood ratio after each block", "blocks", course.path, course.lower, course.upper)


def _ratings(findings: Findings) -> Iterator[Markup]:
    ratings, entrants = findings.ratings, findings.summary.entrants
    if ratings is None:
        return
    yield tag("h3", "Ratings")
    bars = [Bar(entrants[index].name, *ratings.entrants[index]) for index in findings.order]
    anchor = entrants[findings.summary.contest.anchor].name
    yield error_bars("Ratings with 95 % intervals", f"Elo above {anchor}", bars)
    if ratings.superiority:
        rows = [
            [
                entrants[one].name,
                *(
                    NOTHING if one == other else f"{ratings.superiority[one][other]:.1%}"
                    for other in findings.order
                ),
            ]
            for one in findings.order
        ]
        yield table(
            "Chance that the bot of the row is better than that of the column", _names(findings), rows
        )


def _crosstable(findings: Findings) -> Iterator[Markup]:
    if len(findings.summary.entrants) < 2:
        return
    yield tag("h3", "Against each other")
    crosstable, entrants = findings.summary.crosstable, findings.summary.entrants
    rows = [
        [entrants[one].name, *(_pairing(crosstable[one][other]) for other in findings.order)]
        for one in findings.order
    ]
    caption = "How often the bot of the row ranked above that of the column, ties half (pairs of seats)"
    yield table(caption, _names(findings), rows)


def _seats(findings: Findings) -> Iterator[Markup]:
    yield tag("h3", "Seats")
    effects = findings.ratings.seats if findings.ratings else ()
    headings = ["Seat", "Win share", "95 %", *(["Effect (Elo)", "95 %"] if effects else [])]
    rows = []
    for seat, share in enumerate(findings.summary.seats):
        cells = [f"seat {seat}", *_share_cells(share)]
        if effects:
            effect = effects[seat]
            cells += [f"{effect.rating:+.0f}", f"{effect.low:+.0f} .. {effect.high:+.0f}"]
        rows.append(cells)
    yield table("What a seat is worth", headings, rows)


def _distributions(findings: Findings) -> Iterator[Markup]:
    summary = findings.summary
    if not summary.finished:
        return
    yield tag("h3", "Scores and lengths")
    scores = [score for each in summary.entrants for score in each.scores]
    within = min(scores), max(scores)
    for index in findings.order:
        if counts := summary.entrants[index].scores:
            yield histogram(
                f"Final scores of {summary.entrants[index].name}: seats by score", "score", counts, within
            )
    yield histogram("Length of games: games by number of decisions", "decisions", summary.lengths)


def _times(findings: Findings) -> Iterator[Markup]:
    yield tag("h3", "Time")
    headings = ("Bot", "Decisions", "Mean ms", "99 % ms", "Longest ms", "Iterations")
    rows = []
    for index in findings.order:
        each = findings.summary.entrants[index]
        times = (each.mean_seconds, each.p99_seconds, each.max_seconds)
        cells = [each.name, f"{each.decisions:,}", *(_milliseconds(seconds) for seconds in times)]
        rows.append([*cells, _number(each.mean_iterations, ",.0f")])
    yield table("Time and iterations of a decision", headings, rows)


def _faults(anchor: str, findings: Findings) -> Iterator[Markup]:
    summary = findings.summary
    if not summary.fault_count:
        return
    yield tag("h3", "Faults")
    kinds = [kind.value for kind in FaultKind]
    counts = [
        [each.name, *(str(each.faults.get(kind, 0)) for kind in kinds)]
        for each in (summary.entrants[index] for index in findings.order)
    ]
    yield table("Faults by kind", ["Bot", *kinds], counts)
    told = {(replay.block, replay.game) for replay in findings.replays}
    rows = [
        [
            _place(anchor, note, linked=(note.block, note.game) in told),
            summary.entrants[note.entrant].name,
            str(note.seat),
            str(note.decision),
            note.kind,
            _text_cell(note.text),
        ]
        for note in summary.faults
    ]
    headings = ("Game", "Bot", "Seat", "Decision", "Kind", "What it said")
    caption = f"Faults one by one ({len(rows)} of {summary.fault_count:,})"
    yield table(caption, headings, rows)


def _replay(anchor: str, replay: Replay) -> Markup:
    players = enumerate(zip(replay.bots, replay.scores, strict=True))
    scores = ", ".join(f"seat {seat} {bot} {score}" for seat, (bot, score) in players)
    ending = "" if replay.ending is Ending.FINISHED else f" ({replay.ending.value})"
    parts = [tag("summary", f"{_game_name(replay.block, replay.game)}: {scores}{ending}")]
    for number, events in groupby(replay.events, key=lambda event: event.round):
        parts += [
            tag("h4", f"Round {number}" if number else "Before the first round"),
            tag("ol", *map(_event, events), class_="events"),
        ]
    record = tag("textarea", "\n" + replay.record, readonly="", rows=10, aria_label="record")
    return tag(
        "details", *parts, tag("h4", "Record"), record, id=_game_anchor(anchor, replay.block, replay.game)
    )


def _event(event: Event) -> Markup:
    if event.seat is None:
        return tag("li", event.words, class_="chance")
    return tag("li", tag("b", f"seat {event.seat}"), f": {event.words}")


def _place(anchor: str, note: FaultNote, *, linked: bool) -> Markup:
    name = _game_name(note.block, note.game)
    return tag("a", name, href=f"#{_game_anchor(anchor, note.block, note.game)}") if linked else join([name])


def _game_name(block: int, game: int) -> str:
    return f"block {block}, game {game}"


def _game_anchor(anchor: str, block: int, game: int) -> str:
    return f"{anchor}-game-{block}-{game}"


def _names(findings: Findings) -> Sequence[str]:
    return ["Bot", *(findings.summary.entrants[index].name for index in findings.order)]


def _pairing(pairing: Pairing) -> str:
    return f"{pairing.above / pairing.pairs:.1%} ({pairing.pairs:,})" if pairing.pairs else NOTHING


def _share_cells(share: Interval | None) -> tuple[str, str]:
    return (f"{share.mean:.1%}", f"{share.low:.1%} .. {share.high:.1%}") if share else (NOTHING, NOTHING)


def _milliseconds(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{seconds * 1000:,.2f}"


def _number(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)


def _text_cell(content: str) -> Markup:
    return tag("span", content, class_="text")
