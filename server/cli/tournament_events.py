"""A tournament as lines for machines: one JSON object for each event, told as it happens.

Every event has ``event``, its name, and ``seconds`` since the run began. Names of members do not change;
there may be more of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.faults import Fault
from kingsbridge.ai.arena.played import GameKey, PlayedGame
from kingsbridge.ai.arena.statistics import Interval
from kingsbridge.ai.arena.summary import EntrantSummary

Event = dict[str, Any]
"""Plain data, ready for ``json.dumps``."""


def started(seconds: float, contests: Sequence[Contest], done: Mapping[str, int]) -> Event:
    """A run begins: ``contests``, each with ``contest`` (its id), ``game``, ``players``, ``format``, ``bots``
    (``name`` and ``spec`` of each), ``blocks`` (planned for a table of bots) and ``games_done`` (kept from
    runs before; ``done`` has them by id).
    """
    return _event("started", seconds, contests=[_contest(each, done.get(each.id, 0)) for each in contests])


def game(seconds: float, contest: Contest, key: GameKey, played: PlayedGame) -> Event:
    """A game was finished: ``contest``, ``block``, ``game`` (its number in the block); by seat ``bots``,
    ``scores`` and ``win_shares``; ``ending``, ``decisions`` and ``faults`` (how many).
    """
    return _event(
        "game",
        seconds,
        **_where(key),
        bots=[contest.entrants[index].name for index in played.seats],
        ending=played.ending.value,
        scores=list(played.scores),
        win_shares=list(played.win_shares),
        decisions=len(played.deciders),
        faults=len(played.faults),
    )


def standing(
    seconds: float,
    contest: Contest,
    blocks: int,
    entrants: Sequence[EntrantSummary],
    llr: float | None = None,
) -> Event:
    """How a contest stands: ``contest``, ``blocks`` that count, ``llr`` of a sequential test (else null),
    and ``bots``, each with ``bot``, ``games``, ``win_share``, ``win_share_ci95`` (two numbers) and
    ``mean_score``, null while there is none.
    """
    bots = [_standing(each) for each in entrants]
    return _event("standing", seconds, contest=contest.id, blocks=blocks, llr=llr, bots=bots)


def fault(seconds: float, contest: Contest, key: GameKey, played: PlayedGame, fault: Fault) -> Event:
    """A bot failed: ``contest``, ``block``, ``game``, ``bot``, ``seat``, ``decision``, ``kind``, ``text``."""
    return _event(
        "fault",
        seconds,
        **_where(key),
        bot=contest.entrants[played.seats[fault.seat]].name,
        seat=fault.seat,
        decision=fault.decision,
        kind=fault.kind.value,
        text=fault.text,
    )


def finished(seconds: float, games: int, *, complete: bool, faults: int) -> Event:
    """The run ended: ``games`` and ``faults`` of it, and ``complete``: whether nothing is left to play."""
    return _event("finished", seconds, games=games, complete=complete, faults=faults)


def _event(name: str, seconds: float, **members: Any) -> Event:
    return {"event": name, "seconds": round(seconds, 3), **members}


def _where(key: GameKey) -> dict[str, Any]:
    return {"contest": key.contest, "block": key.block, "game": key.game}


def _contest(contest: Contest, done: int) -> dict[str, Any]:
    return {
        "contest": contest.id,
        "game": contest.game,
        "players": contest.players,
        "format": contest.format,
        "bots": [entrant._asdict() for entrant in contest.entrants],
        "blocks": contest.blocks,
        "games_done": done,
    }


def _standing(entrant: EntrantSummary) -> dict[str, Any]:
    share: Interval | None = entrant.win_share
    return {
        "bot": entrant.name,
        "games": entrant.games,
        "win_share": share.mean if share else None,
        "win_share_ci95": [share.low, share.high] if share else None,
        "mean_score": entrant.mean_score,
    }
