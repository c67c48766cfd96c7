"""Games as they are kept, made by hand: only what a test is about has to be said."""

from __future__ import annotations

from typing import Any

from kingsbridge.ai.arena.contest import Contest, Entrant
from kingsbridge.ai.arena.played import Ending, PlayedGame
from kingsbridge.pyengine import game_names


def contest(*names: str, players: int = 2, **more: Any) -> Contest:
    """A contest of bots with these names; their specs are ``spec of NAME``."""
    entrants = tuple(Entrant(name, f"spec of {name}") for name in names)
    return Contest(
        **{
            "id": "cup",
            "format": "round-robin",
            "game": game_names()[0],
            "players": players,
            "entrants": entrants,
            "blocks": 10,
            **more,
        }
    )


def played(seats: tuple[int, ...], scores: tuple[int, ...], **more: Any) -> PlayedGame:
    """A finished game that the highest score wins; equal ones share the win."""
    best = scores.count(max(scores))
    return PlayedGame(
        **{
            "seats": seats,
            "ending": Ending.FINISHED,
            "scores": scores,
            "ranks": scores,
            "win_shares": tuple(float(score == max(scores)) / best for score in scores),
            "faults": (),
            "deciders": (),
            "seconds": (),
            "iterations": (),
            "actions": None,
            "digest": "",
            "cpu_seconds": 0.0,
            "seed": 1,
            "engine": "1.0",
            "rules": "abc",
            **more,
        }
    )
