"""Control matches: what must come out whatever the game, so that results can be believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingsbridge.ai.arena import Contest, Entrant, Store, play_tournament, resumed
from kingsbridge.ai.arena.analysis import findings_of
from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.findings import Findings
from kingsbridge.pyengine import describe, game_names

TABLES = [
    (game, players)
    for game in game_names()
    for players in range(describe(game).min_players, describe(game).max_players + 1)
]
every_table = pytest.mark.parametrize(("game", "players"), TABLES)


def found(folder: Path, contest: Contest) -> Findings:
    with Store(folder / "results") as store:
        play_tournament([contest], store, workers=2, crew=share_out)
        (run,) = resumed([contest], store.reader())
        return findings_of(run, store.reader())


@every_table
def test_one_bot_among_copies_of_itself_wins_its_share(game: str, players: int, tmp_path: Path) -> None:
    bots = (Entrant("one", "random"), Entrant("others", "random"))
    line_up = (0, *[1] * (players - 1))
    summary = found(tmp_path, Contest("c", "match", game, players, bots, 60, line_up=line_up)).summary
    one = summary.entrants[0].win_share
    assert one is not None
    assert one.low < 1 / players < one.high
    assert one.high - one.low < 0.35  # it says something
    assert sum(seat.mean for seat in summary.seats if seat) == pytest.approx(1)


@every_table
def test_who_plays_at_random_is_last(game: str, players: int, tmp_path: Path) -> None:
    specs = ("greedy", "random", "ismcts:iterations=20", "flat_mc:iterations=60")
    bots = tuple(Entrant(spec, spec) for spec in specs)
    findings = found(tmp_path, Contest("c", "round_robin", game, players, bots, 3))
    assert findings.order[-1] == specs.index("random")
    assert findings.ratings is not None
    assert findings.ratings.superiority[0][1] > 0.95  # greedy over random
