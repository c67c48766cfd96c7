"""Manifests: what they expand to, and what is said about a wrong one."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from kingsbridge.ai.arena import (
    Contest,
    Entrant,
    FaultPolicy,
    Hypotheses,
    ManifestError,
    TimeControl,
    read_manifest,
)
from kingsbridge.ai.arena.manifest import parse_manifest
from kingsbridge.pyengine import describe, game_names, load_game
from tests.architecture.sources import ROOT

GAME, OTHER = game_names()[:2]
OPTION = next(iter(load_game(GAME, 2).options))
MATCH = f"""
[[match]]
id = "one"
game = "{GAME}"
players = 2
bots = ["greedy", "random"]
blocks = 3
"""


BOTS = (Entrant("greedy", "greedy"), Entrant("random", "random"))


def test_a_match_is_read_with_all_its_keys() -> None:
    text = f"""
    seed = 5
    clock = "wall"
    {MATCH}
    options = {{ {OPTION} = 1 }}
    seed = 7
    iterations = 10
    seconds = 0.5
    turn_seconds = 2
    game_seconds = 60
    grace = 0.1
    timeout = 5
    on_fault = "void"
    arrangements = "all"
    anchor = "random"
    at_least = 0.25
    at_most = 1
    """
    expected = Contest(
        id="one",
        format="match",
        game=GAME,
        players=2,
        entrants=BOTS,
        blocks=3,
        seed=7,
        options={OPTION: 1},
        time_control=TimeControl(10, 0.5, 2, 60, 0.1, 5),
        clock="wall",
        on_fault=FaultPolicy.VOID,
        arrangements="all",
        line_up=(0, 1),
        anchor=1,
        at_least=0.25,
        at_most=1,
    )
    assert parse_manifest(text) == (expected,)


def test_what_a_match_does_not_say_the_manifest_says() -> None:
    (plain,) = parse_manifest(MATCH)
    assert plain == Contest("one", "match", GAME, 2, BOTS, 3, clock="cpu", line_up=(0, 1))
    (seeded,) = parse_manifest(f"seed = 9\n[defaults]\nblocks = 8\nseconds = 2\n{MATCH}")
    assert (seeded.seed, seeded.time_control, seeded.blocks) == (9, TimeControl(seconds=2), 3)
    (both,) = parse_manifest(f"seed = 9\n[defaults]\nseed = 4\n{MATCH}")
    assert both.seed == 4


def contest(more: str, bots: str = '["greedy", "random", "flat_mc"]') -> Contest:
    (found,) = parse_manifest(
        f'[[contest]]\nid = "c"\ngame = "{GAME}"\nplayers = 2\nblocks = 3\nbots = {bots}\n{more}'
    )
    return found


def test_a_contest_says_its_format_and_what_belongs_to_it() -> None:
    assert contest('format = "round_robin"\ntables = 2').tables == 2
    assert contest('format = "swiss"\nrounds = 4').rounds == 4
    test = contest(
        'format = "sprt"\nlow = 0.5\nhigh = 0.55\nalpha = 0.01\nmirror = true', '["greedy", "random"]'
    )
    assert test.hypotheses == Hypotheses(0.5, 0.55, alpha=0.01, beta=0.05)
    assert test.mirror
    assert contest('format = "ladder"').entrants[2] == Entrant("flat_mc", "flat_mc")


def test_bots_have_names_of_their_own_or_their_specs() -> None:
    named = contest('format = "gauntlet"\nanchor = "old"', '{ new = "ismcts:c=0.4", old = "ismcts" }')
    assert named.entrants == (Entrant("new", "ismcts:c=0.4"), Entrant("old", "ismcts"))
    assert named.anchor == 1
    twice = contest('format = "round_robin"', '["greedy", "greedy"]')
    assert twice.entrants == (Entrant("greedy", "greedy"), Entrant("greedy (2)", "greedy"))


def test_a_ladder_by_budget_is_one_bot_with_each_budget() -> None:
    found = contest('format = "ladder"\nbudgets = [1, 10, 0.5]', '"ismcts:c={budget}"')
    assert found.specs == ("ismcts:c=1", "ismcts:c=10", "ismcts:c=0.5")


def test_lists_stand_for_a_match_of_each_game_and_number_of_players() -> None:
    text = f"""
    [[match]]
    id = "{{game}} for {{players}}: {{game}}"
    game = ["{OTHER}", "{GAME}"]
    players = [2, 4]
    bots = ["greedy", "random"]
    blocks = 1
    """
    matches = parse_manifest(text)
    assert [match.id for match in matches] == [
        f"{OTHER} for 2: {OTHER}",
        f"{OTHER} for 4: {OTHER}",
        f"{GAME} for 2: {GAME}",
        f"{GAME} for 4: {GAME}",
    ]
    assert [(match.game, match.players) for match in matches] == [
        (OTHER, 2),
        (OTHER, 4),
        (GAME, 2),
        (GAME, 4),
    ]


def test_in_a_field_the_first_bot_has_one_seat_and_the_second_all_others() -> None:
    text = (
        MATCH.replace("players = 2", "players = [2, 3, 4]").replace('"one"', '"{players}"') + "field = true"
    )
    matches = parse_manifest(text)
    assert [match.line_up for match in matches] == [(0, 1), (0, 1, 1), (0, 1, 1, 1)]
    assert [match.entrants for match in matches] == [BOTS] * 3
    (without,) = parse_manifest(MATCH.replace("players = 2", "players = 3") + "field = false")
    assert without.line_up == (0, 1, 0)


WRONG = {
    "no TOML": ("seed = ", "not TOML"),
    "nothing in it": ("", r"the manifest: there is no \[\[match\]\] and no \[\[contest\]\]"),
    "no matches": ("match = []", 'the manifest: key "match" must be a list of tables'),
    "an unknown key": (f"sead = 1\n{MATCH}", 'the manifest: no key "sead"; did you mean "seed"?'),
    "a clock that nobody has": (f'clock = "sun"\n{MATCH}', 'key "clock" must be one of wall, cpu'),
    "an unknown default": (f"[defaults]\nblock = 1\n{MATCH}", 'the defaults: no key "block"; did you mean'),
    "a default of a wrong type": (f"[defaults]\nblocks = 0\n{MATCH}", 'the defaults: key "blocks" must be'),
    "an unknown key of a match": (f"{MATCH}speed = 1", 'match "one": no key "speed"'),
    "a match without an id": (
        MATCH + MATCH.replace('id = "one"', ""),
        'match 2: key "id" is missing: its name',
    ),
    "an id that is a number": (MATCH.replace('"one"', "1"), 'key "id" must be a text, not 1'),
    "no bots": (MATCH.replace('bots = ["greedy", "random"]', ""), 'match "one": key "bots" is missing'),
    "an empty line-up": (
        MATCH.replace('["greedy", "random"]', "[]"),
        'match "one": key "bots" must be a list',
    ),
    "no block": (
        MATCH.replace("blocks = 3", "blocks = 0"),
        'match "one": key "blocks" must be a whole number',
    ),
    "true blocks": (MATCH.replace("blocks = 3", "blocks = true"), 'key "blocks" must be a whole number'),
    "players in words": (
        MATCH.replace("players = 2", 'players = "two"'),
        'match "one": key "players" must be',
    ),
    "too few iterations": (f"{MATCH}iterations = -1", 'match "one": key "iterations" must be'),
    "time that is no number": (f"{MATCH}seconds = nan", 'match "one": key "seconds" must be'),
    "more than a win": (f"{MATCH}at_least = 1.5", 'match "one": key "at_least" must be a number from 0 to 1'),
    "options that are no table": (f"{MATCH}options = 3", 'match "one": key "options" must be a table'),
    "an option in words": (
        f'{MATCH}options = {{ {OPTION} = "x" }}',
        'key "options" must be a table of whole',
    ),
    "an unknown game": (MATCH.replace(GAME, "chess"), 'match "one": key "game": .*chess'),
    "too many players": (MATCH.replace("players = 2", "players = 9"), 'match "one": key "players": .*9'),
    "players beyond number": (
        MATCH.replace("players = 2", f"players = {2**70}"),
        'match "one": key "players"',
    ),
    "an unknown option": (f"{MATCH}options = {{ speed = 1 }}", 'match "one": key "options": .*speed'),
    "an option beyond number": (f"{MATCH}options = {{ {OPTION} = {2**70} }}", 'match "one": key "options"'),
    "an unknown bot": (MATCH.replace("random", "hal"), 'match "one": key "bots": no bot "hal"'),
    "an unknown option of a bot": (
        MATCH.replace("random", "mcts:depth=3"),
        'match "one": key "bots": .*depth',
    ),
    "too many bots": (
        MATCH.replace('["greedy", "random"]', '["greedy", "random", "random"]'),
        'match "one": key "bots": 3 bots for 2 seats',
    ),
    "a field of one bot": (MATCH.replace(', "random"', "") + "field = true", 'match "one": key "field"'),
    "a seed too wide": (f"{MATCH}seed = {2**128}", 'match "one": key "seed": .*128 bits'),
    "two of a name": (MATCH + MATCH, 'contest "one": key "id": 2 contests have it'),
    "lists without a place in the id": (
        MATCH.replace("players = 2", "players = [2, 3]"),
        'contest "one": key "id": 2 contests have it',
    ),
    "a match in another format": (
        f'{MATCH}format = "swiss"',
        'match "one": key "format": a match has no other',
    ),
    "a key of another format": (
        f"{MATCH}rounds = 2",
        'match "one": key "rounds" is for format swiss, not match',
    ),
    "an unknown format": (
        MATCH.replace("[match]", "[contest]") + 'format = "cup"',
        'key "format" must be one of',
    ),
    "a contest without a format": (
        MATCH.replace("[match]", "[contest]"),
        'contest "one": key "format" is missing',
    ),
    "a test without hypotheses": (
        MATCH.replace("[match]", "[contest]") + 'format = "sprt"\nlow = 0.5',
        'contest "one": key "high" is missing',
    ),
    "hypotheses in the wrong order": (
        MATCH.replace("[match]", "[contest]") + 'format = "sprt"\nlow = 0.5\nhigh = 0.5',
        'key "high": it must be above "low"',
    ),
    "a certain hypothesis": (f"{MATCH}low = 0", 'key "low" must be a number between 0 and 1'),
    "a test of three": (
        MATCH.replace("[match]", "[contest]").replace('"random"]', '"random", "mcts"]')
        + 'format = "sprt"\nlow = 0.5\nhigh = 0.6',
        'key "bots": sprt tests one bot against another',
    ),
    "a ladder of one": (
        MATCH.replace("[match]", "[contest]").replace(', "random"', "") + 'format = "ladder"',
        'key "bots": ladder needs 2 bots',
    ),
    "an unknown policy": (
        f'{MATCH}on_fault = "weep"',
        'key "on_fault" must be one of forfeit, random, void, stop',
    ),
    "an anchor that does not play": (
        f'{MATCH}anchor = "gredy"',
        'key "anchor": no bot "gredy"; did you mean "greedy"',
    ),
    "one text without budgets": (MATCH.replace('["greedy", "random"]', '"greedy"'), 'needs key "budgets"'),
    "too many tables": (
        MATCH.replace("[match]", "[contest]")
        .replace("players = 2", "players = 4")
        .replace('["greedy", "random"]', str([f"mcts:iterations={n}" for n in range(14)]).replace("'", '"'))
        + 'format = "round_robin"',
        'key "tables": there are 1001 tables',  # 14 over 4
    ),
    "targets that shut each other out": (
        f"{MATCH}at_least = 0.6\nat_most = 0.4",
        'match "one": key "at_most"',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_manifest_is_refused_with_the_match_and_the_key(name: str) -> None:
    text, reason = WRONG[name]
    with pytest.raises(ManifestError, match=reason):
        parse_manifest(text)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"seed = 1 # \xff")
    with pytest.raises(ManifestError, match="UTF-8"):
        read_manifest(tmp_path / "bad.toml")


def test_the_manifest_of_the_strength_claims_covers_every_game_with_200_games_a_match() -> None:
    matches = read_manifest(ROOT / "ai" / "ladder" / "strength.toml")
    for game in game_names():
        info = describe(game)
        seats = {match.players for match in matches if match.game == game}
        assert seats == set(range(info.min_players, info.max_players + 1))
    for match in matches:
        assert match.clock == "cpu"
        assert match.blocks == math.ceil(200 / match.players)
        assert match.at_least is not None
        assert match.line_up == (0, *[1] * (match.players - 1))
