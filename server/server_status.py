"""How the server is doing, in numbers: nothing of any game."""

from __future__ import annotations

from dataclasses import dataclass

from kingsbridge.server.pool_status import PoolStatus


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The server at a moment. ``started`` in Unix seconds; ``draining``: it is stopping; ``games`` are those
    it keeps, ``watchers`` the streams that follow one.
    """

    started: int
    draining: bool
    games: int
    watchers: int
    pool: PoolStatus
