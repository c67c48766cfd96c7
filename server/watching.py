"""Following a game: what a watcher is told, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from kingsbridge.server.refusals import FieldError, ShuttingDownError, TooManyWatchersError
from kingsbridge.server.session import Happening, Session, Sight, Status

POLL_SECONDS = 0.5
"""How often a store is asked that other servers write to as well."""


@dataclass(frozen=True, slots=True)
class Change:
    """A message to a watcher; ``sight`` of ``None`` makes it a sign of life."""

    status: Status
    happenings: tuple[Happening, ...]
    next_event: int
    sight: Sight | None


class Watching:
    """All who follow games of this server."""

    def __init__(self, most: int, *, shared: bool) -> None:
        """At most ``most`` at a time; ``shared``: other servers may change the games as well."""
        self._most = most
        self._poll = POLL_SECONDS if shared else float("inf")
        self._closed = False
        self.open = 0
        """How many there are."""

    async def follow(
        self, look: Callable[[], Awaitable[Session]], seat: int, first: int, heartbeat: float
    ) -> AsyncGenerator[Change, None]:
        """What a seat may know, from event number ``first`` on, until the game is over. ``look`` gives the
        game and raises if it may not be looked at any more. Who reads slowly gets several changes as one.

        Raises:
            FieldError: there is no such event yet.
            TooManyWatchersError: too many follow already.
            ShuttingDownError: the server stops.
        """
        if self.open >= self._most:
            raise TooManyWatchersError(f"{self._most} streams follow games already")
        self.open += 1
        try:
            async with aclosing(self._follow(look, seat, first, heartbeat)) as changes:
                async for change in changes:
                    yield change
        finally:
            self.open -= 1

    def close(self) -> None:
        """Ends all streams at their next change."""
        self._closed = True

    async def _follow(
        self, look: Callable[[], Awaitable[Session]], seat: int, first: int, heartbeat: float
    ) -> AsyncGenerator[Change, None]:
        loop = asyncio.get_running_loop()
        told: Status | None = None
        spoke = loop.time()
        while True:
            if self._closed:
                raise ShuttingDownError("the server is shutting down: go on with the next one")
            session = await look()
            if first > session.length:
                raise FieldError("from_event", f"the game has {session.length} events so far")
            with session.awaiting() as change:
                status = session.status()
                if told != status or first < session.length:
                    happenings = session.happenings(seat, first)
                    first, told, spoke = session.length, status, loop.time()
                    yield Change(status, happenings, first, session.sight(seat))
                elif loop.time() - spoke >= heartbeat:
                    spoke = loop.time()
                    yield Change(status, (), first, None)
                if status.scores is not None:  # what was told, not what has come to be meanwhile
                    return
                with suppress(TimeoutError):
                    wait = min(self._poll, spoke + heartbeat - loop.time())
                    await asyncio.wait_for(change.wait(), max(0.0, wait))
