"""A tournament as one HTML page that needs no network and reads without scripts.

The same findings give the same bytes. All text from outside is escaped (see ``markup``), and the page forbids
its reader to load anything, or to run any script but the one that sorts its tables.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from kingsbridge.ai.arena.findings import Findings
from kingsbridge.ai.arena.markup import Markup, table, tag
from kingsbridge.ai.arena.sections import contest_section


class Reproduction(NamedTuple):
    """How a tournament can be played again: ``command`` as it is typed, ``manifest`` the text of the file."""

    title: str
    command: str
    manifest: str


def html_report(findings: Sequence[Findings], reproduction: Reproduction) -> str:
    """The page: each contest with its tables, figures and replays, and how to play it again."""
    page = tag(
        "html",
        _head(reproduction.title),
        tag(
            "body",
            tag("h1", reproduction.title),
            _contents(findings),
            *(contest_section(f"contest-{number}", each) for number, each in enumerate(findings, 1)),
            _reproduction(findings, reproduction),
            tag("script", Markup(_file("report.js"))),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"


def _head(title: str) -> Markup:
    style, script = _file("report.css"), _file("report.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(style)),
    )


def _contents(findings: Sequence[Findings]) -> Markup:
    links = [
        tag("li", tag("a", each.summary.contest.id, href=f"#contest-{number}"), f": {_outcome(each)}")
        for number, each in enumerate(findings, 1)
    ]
    own = tag("li", tag("a", "How to play it again", href="#reproduction"))
    return tag("nav", tag("ul", *links, own), aria_label="contents")


def _outcome(findings: Findings) -> str:
    """A contest in a few words."""
    summary = findings.summary
    played = f"{summary.games:,} games"
    if findings.sprt is not None:
        return f"{findings.sprt.verdict} after {played}"
    if not summary.games:
        return "no game played"
    best = summary.entrants[findings.order[0]]
    share = f", {best.win_share.mean:.1%} of the win" if best.win_share else ""
    return f"{best.name} leads after {played}{share}"


def _reproduction(findings: Sequence[Findings], reproduction: Reproduction) -> Markup:
    rows = [
        (
            each.summary.contest.id,
            str(each.summary.contest.seed),
            "; ".join(f"{engine}, rules {rules}" for engine, rules in each.summary.versions),
            f"{each.summary.cpu_seconds:,.0f}",
        )
        for each in findings
    ]
    headings = ("Contest", "Seed", "Engine and rules", "Processor seconds")
    return tag(
        "section",
        tag("h2", "How to play it again"),
        tag("p", "The command, with the manifest below in its file:"),
        tag("pre", tag("code", reproduction.command)),
        table("Seeds and versions", headings, rows, sortable=False),
        tag("h3", "Manifest"),
        tag("pre", tag("code", reproduction.manifest)),
        id="reproduction",
    )


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(sha256(content.encode()).digest()).decode()}"
