"""The page of a tournament: whole, the same every time, and proof against what bots are called and say."""

from __future__ import annotations

import base64
import re
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import pytest

from kingsbridge.ai.arena.contest import Contest, Hypotheses, TimeControl
from kingsbridge.ai.arena.faults import Fault, FaultKind
from kingsbridge.ai.arena.figures import Bar, error_bars, histogram, path, thinned, ticks
from kingsbridge.ai.arena.findings import Findings, RatingRow, RatingTable, SprtCourse
from kingsbridge.ai.arena.markup import Markup, tag, text
from kingsbridge.ai.arena.played import Ending, PlayedGame
from kingsbridge.ai.arena.replay import tell_game
from kingsbridge.ai.arena.report import Reproduction, html_report
from kingsbridge.ai.arena.summary import summarize_contest
from kingsbridge.pyengine import (
    ENGINE_VERSION,
    Dealer,
    GameRecord,
    RecordError,
    Rng,
    describe,
    game_names,
    load_game,
    numbered_name,
    phrase,
)
from tests.arena.played_games import contest, played

HOSTILE = "<script>alert(1)</script>\"'&</svg></textarea><img src=x onerror=y>\x00\u202e\ud800"
VOID_TAGS = {"meta", "br"}
REPRODUCTION = Reproduction("Winter cup", "kingsbridge tournament cup.toml", "[[match]]\nid = 'cup'\n")


class Page(HTMLParser):
    """A page taken apart: how often which tag, its ids and links, and its text; wrong nesting is an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.words = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag not in VOID_TAGS:
            self._open.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            self.ids += [str(value)] if name == "id" else []
            self.links += [str(value)] if name in {"href", "src", "xlink:href"} else []

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in {"script", "style"}:
            self.words += data


def random_game(event: Contest, seed: int, stop: int | None = None) -> PlayedGame:
    """A game of random actions; broken off before an event by the crash of whoever is to move."""
    state, dealer, rng = load_game(event.game, event.players), Dealer(seed), Rng(seed)
    actions: list[int] = []
    while True:
        if state.is_chance:
            actions += dealer.settle(state)
        if state.is_terminal or (stop is not None and len(actions) >= stop):
            break
        actions.append(state.sample_action(rng))
        state.apply(actions[-1])
    whole = {"actions": tuple(actions), "engine": ENGINE_VERSION, "rules": describe(event.game).rules_hash}
    if state.is_terminal:
        return played((0, 1), state.scores(), ranks=state.ranks(), win_shares=state.win_shares(), **whole)
    fault = Fault(FaultKind.CRASH, state.current_player, 0, HOSTILE)
    return played((0, 1), state.scores(), ending=Ending.FORFEIT, faults=(fault,), **whole)


def findings(name: str = "a", other: str = "b", identity: str = "cup") -> Findings:
    """All that can be shown, of two blocks."""
    event = contest(
        name,
        other,
        id=identity,
        hypotheses=Hypotheses(0.5, 0.6),
        time_control=TimeControl(seconds=0.5, turn_seconds=2.0),
    )
    games = [random_game(event, 1), random_game(event, 2, stop=20)]
    timed = replace(games[0], deciders=(0, 1), seconds=(0.001, 0.25), iterations=(10, 20))
    row = RatingRow
    return Findings(
        summarize_contest(event, [(0, [timed]), (1, [games[1]])]),
        RatingTable(
            (row(0, 0, 0), row(55.4, -12.2, 130.6)), (row(3, -9, 14), row(-3, -14, 9)), ((0, 0.1), (0.9, 0))
        ),
        SprtCourse((0.5, -1.25), -2.94, 2.94, "running"),
        (tell_game(event, 1, 0, games[1]), tell_game(event, 0, 0, games[0])),
    )


def scores_of(found: Findings) -> tuple[int, ...]:
    """Of the game that was finished, by its record."""
    return GameRecord.parse(found.replays[1].record).result or ()


def page_of(*found: Findings, reproduction: Reproduction = REPRODUCTION) -> str:
    return html_report(found, reproduction)


def test_the_page_is_well_formed_and_needs_nothing_from_elsewhere() -> None:
    html = page_of(findings(), findings(identity="other"))
    page = Page(html)
    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert len(page.ids) == len(set(page.ids))
    for element in ("script", "style"):
        content = html.partition(f"<{element}>")[2].partition(f"</{element}>")[0]
        hashed = base64.b64encode(sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{hashed}'" in unescape(html)
    assert "default-src 'none'" in unescape(html)
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert not re.search(r"url\(|@import|https?://", html)


def test_the_same_findings_give_the_same_page() -> None:
    assert page_of(findings()) == page_of(findings())


def test_nothing_from_outside_becomes_markup() -> None:
    innocent, hostile = findings(), findings(HOSTILE, HOSTILE, HOSTILE)
    warned = replace(hostile, warnings=(HOSTILE,))
    plain = Page(page_of(replace(innocent, warnings=("mind",))))
    html = page_of(warned, reproduction=Reproduction(HOSTILE, HOSTILE, HOSTILE))
    page = Page(html)
    assert page.tags == plain.tags
    assert page.attributes == plain.attributes
    assert (
        page.words.count(
            "<script>alert(1)</script>\"'&</svg></textarea><img src=x onerror=y>\ufffd\ufffd\ufffd"
        )
        > 10
    )
    html.encode()
    assert not set("\x00\u202e") & set(html)


def test_figures_and_tables_are_named_for_those_who_do_not_see_them() -> None:
    html = page_of(findings())
    page = Page(html)
    assert page.tags["svg"] == page.tags["figure"] == page.tags["figcaption"] == html.count('role="img"') == 5
    assert page.tags["caption"] == page.tags["table"]
    assert html.count("<th ") == html.count('<th scope="col"') + html.count('<th scope="row"')
    assert len(re.findall(r"<svg [^>]*><title>", html)) == page.tags["svg"]


def test_the_figures_of_a_contest_stand_in_its_tables() -> None:
    words = re.sub(r"<[^>]*>", "|", page_of(findings()))
    words = re.sub(r"\|+", "|", words)
    assert "|b|+55|-12 .. +131|" in words
    assert "|seat 0|" in words
    assert "|+3|-9 .. +14|" in words
    assert "0.500 against 0.600, alpha 0.05, beta 0.05. Verdict: running." in words
    assert "Budget: 0.5 s a decision, 2.0 s a turn; clock: wall." in words
    assert "|a|1|1.00|1.00|1.00|10|" in words  # decisions, times in ms, iterations
    assert "|b|1|250.00|250.00|250.00|20|" in words
    assert "kingsbridge tournament cup.toml" in words
    assert "1 of 2 games were forfeited." in words
    assert "|cup|1|" in words  # the seed
    first, second = scores_of(findings())
    assert f"|block 0, game 0: seat 0 a {first}, seat 1 b {second}|" in words


def test_the_best_stand_first_by_rating_and_else_by_win_share() -> None:
    found = findings()
    assert found.order == [1, 0]
    won = summarize_contest(contest("a", "b"), [(0, [played((0, 1), (2, 1))])])
    assert Findings(won).order == [0, 1]
    assert Findings(summarize_contest(contest("a", "b"), [])).order == [0, 1]


def test_without_games_ratings_and_tests_there_is_a_page_still() -> None:
    page = Page(page_of(Findings(summarize_contest(contest("a", "b"), []))))
    assert "no game played" in page.words
    assert page.tags["svg"] == 0
    Page(page_of())


def test_what_is_to_be_minded_is_said() -> None:
    games = [played((0, 1), (1, 2)), played((1, 0), (1, 2), engine="2.0")]
    void = played((0, 1), (1, 2), ending=Ending.VOID)
    summary = summarize_contest(contest("a", "b"), [(0, games), (1, [void])])
    ratings = RatingTable((RatingRow(0, 0, 0),) * 2, warnings=("a and b never met.",))
    assert Findings(summary, ratings, warnings=("The run was short.",)).all_warnings() == [
        "The run was short.",
        "a and b never met.",
        "Several engines played, whose results may not compare: 1.0 with rules abc, 2.0 with rules abc.",
        "Void by a fault, and counting for nobody: 1 blocks.",
    ]


def test_a_fault_leads_to_the_game_where_that_is_told() -> None:
    found = findings()
    assert 'href="#contest-1-game-1-0"' in page_of(found)
    assert 'href="#contest-1-game-1-0"' not in page_of(replace(found, replays=()))


@pytest.mark.parametrize("game", game_names())
def test_a_replay_tells_each_event_in_words_and_has_the_record_that_replays_it(game: str) -> None:
    event = contest("a", "b", game=game)
    kept = random_game(event, 3)
    replay = tell_game(event, 4, 1, kept)
    record = GameRecord.parse(replay.record)
    assert (record.actions, record.result) == (kept.actions, kept.scores)
    info = describe(game)
    assert [each.words for each in replay.events] == [
        phrase(info, action, component_name=numbered_name) for action in record.actions
    ]
    movers = [state.current_player for state in record.states()][:-1]
    assert [-1 if each.seat is None else each.seat for each in replay.events] == [
        max(-1, each) for each in movers
    ]
    rounds = [each.round for each in replay.events]
    assert rounds == sorted(rounds)
    assert (replay.bots, replay.block, replay.game) == (("a", "b"), 4, 1)


def test_a_game_without_actions_or_of_other_rules_is_not_told() -> None:
    event = contest("a", "b")
    kept = random_game(event, 3)
    with pytest.raises(ValueError, match="block 4, game 1: its actions were not kept"):
        tell_game(event, 4, 1, replace(kept, actions=None))
    with pytest.raises(RecordError, match="rules"):
        tell_game(event, 4, 1, replace(kept, rules="0" * 16))


def test_markup_escapes_all_but_markup() -> None:
    assert text("<&>\"'\x07") == "&lt;&amp;&gt;&quot;&#x27;\ufffd"
    assert text(Markup("<b>")) == "<b>"
    assert (
        tag("p", "a<b", tag("br"), class_='"', x=1.0, y=2.345, z=None)
        == '<p class="&quot;" x="1" y="2.35">a&lt;b<br></p>'
    )


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 10.0, [0, 2, 4, 6, 8, 10]),
        (-95.0, 3.0, [-80, -60, -40, -20, 0]),
        (0.0, 0.5, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        (0.0, 79.9, [0, 20, 40, 60]),
    ],
)
def test_axes_have_round_numbers(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_bars_lie_where_their_values_are() -> None:
    drawn = error_bars("t", "u", [Bar("a", 0, -100, 100), Bar("b", 50, 50, 50)])
    # 4 % of 200 is room on both sides: -108 .. 108 from x = 200 to 700
    assert re.findall(r'<circle cx="([^"]*)"', drawn) == ["450", "565.74"]
    assert 'x1="218.52"' in drawn  # -100
    assert "<title>a: 0.0 (-100.0 .. 100.0)</title>" in drawn


def test_the_columns_of_a_histogram_have_the_heights_of_their_counts() -> None:
    drawn = histogram("t", "u", {3: 4, 5: 2, 6: 1})
    assert re.findall(r'height="([0-9.]+)"', drawn) == ["110", "55", "27.5"]
    wide = histogram("t", "u", {0: 1, 1: 1, 239: 3})  # 4 numbers a column
    assert re.findall(r"<title>(\d.*?)</title>", wide) == ["0 to 3: 2", "236 to 239: 3"]


def test_a_path_begins_at_nothing_and_ends_at_the_last_value() -> None:
    drawn = path("t", "blocks", [1.0, 2.0], -2.0, 2.0)
    # 4 % of 4 is room: -2.16 .. 2.16 from y = 200 up to 10
    assert 'points="60.0,105.0 380.0,61.0 700.0,17.0"' in drawn


def test_a_long_path_keeps_its_extremes_and_its_end() -> None:
    values = [0.0] * 10_000
    values[1234], values[1235], values[-3:] = 9.0, -9.0, [0.75, -0.75, 0.5]
    kept = thinned(values)
    assert len(kept) <= 601
    assert {(1235, 9.0), (1236, -9.0), (10_000, 0.5)} <= set(kept)
    assert kept == sorted(kept)
    assert thinned([1.0, 2.0]) == [(1, 1.0), (2, 2.0)]
