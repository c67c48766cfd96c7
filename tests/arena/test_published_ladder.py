"""The ladder that is published here is true: a sample of its games goes the same way again, move for move."""

from __future__ import annotations

import json
from collections import Counter

from kingsbridge.ai.arena import read_manifest
from kingsbridge.ai.arena.ladder import verify
from kingsbridge.ai.arena.ladder_table import ladder_table
from kingsbridge.pyengine import describe, game_names
from tests.architecture.sources import ROOT

MANIFEST = ROOT / "ai" / "ladder" / "ladder.toml"


def test_the_published_ladder_verifies() -> None:
    *_, played = verify(MANIFEST, ladder_table, sample=9, seed=2026)
    assert played.startswith("9 games, ")


def test_it_has_every_game_with_every_number_of_players_and_is_whole() -> None:
    contests = read_manifest(MANIFEST)
    tables = {
        (game, players)
        for game in game_names()
        for players in range(describe(game).min_players, describe(game).max_players + 1)
    }
    assert {(contest.game, contest.players) for contest in contests} == tables
    lines = MANIFEST.with_suffix(".results.jsonl").read_text().splitlines()
    games = Counter(json.loads(line)["contest"] for line in lines)
    pairs = {2: 45, 3: 30, 4: 30}  # all of ten bots by two, or so many tables
    assert games == {each.id: pairs[each.players] * each.blocks * each.players for each in contests}
