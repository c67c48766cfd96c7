"""Elo: 400 points are odds of ten to one."""

from __future__ import annotations

import math

ELO_PER_UNIT = 400 / math.log(10)
"""Elo points in one unit of a strength's logarithm."""


def elo_to_share(elo: float, players: int = 2) -> float:
    """Chance that a bot comes first, alone, against ``players - 1`` equal others it leads by ``elo`` points.

    Plackett and Luce without ties: odds of one bot against one are ``10 ** (elo / 400)``. In games that tie,
    this is how wins are shared where a tie counts as a share for each who tied and ties are rare.

    Raises:
        ValueError: fewer than two players.
    """
    _require_players(players)
    others = (players - 1) * math.exp(-elo / ELO_PER_UNIT) if elo > -ELO_PER_UNIT * 700 else math.inf
    return 1 / (1 + others)


def share_to_elo(share: float, players: int = 2) -> float:
    """The lead in Elo that ``elo_to_share`` turns into ``share``.

    Raises:
        ValueError: fewer than two players, or a share that no lead gives: it lies between 0 and 1.
    """
    _require_players(players)
    if not 0 < share < 1:
        raise ValueError(f"no lead in Elo gives a share of {share}: it lies between 0 and 1")
    return ELO_PER_UNIT * math.log((players - 1) * share / (1 - share))


def _require_players(players: int) -> None:
    if players < 2:
        raise ValueError(f"a lead needs someone to lead: {players} players are too few")
