"""The seats that the server plays by itself: one task for each game in which a bot is to move."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from kingsbridge.ai import StopReason
from kingsbridge.pyengine import Rng
from kingsbridge.server import errors
from kingsbridge.server.bot_settings import BotSettings
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import (
    GameNotFoundError,
    PoolClosedError,
    QueueFullError,
    RefusedError,
    RulesChangedError,
    SearchLostError,
    StaleRevisionError,
    StaleSeatError,
)
from kingsbridge.server.search import Priority, Search, unsearched
from kingsbridge.server.search_pool import SearchFaultError, SearchPool
from kingsbridge.server.session import Move, Session
from kingsbridge.server.sessions import Sessions
from kingsbridge.server.store import FOREVER

_log = logging.getLogger(__name__)

HUMAN_SECONDS = (0.8, 2.5)
"""How long a decision at a human pace takes: drawn evenly, whatever the position, so that it tells
nothing.
"""
RETRY_SECONDS = (1.0, 30.0)
"""The first and the longest pause after something that should not happen."""

SKEW_SECONDS = 60.0
"""How far apart the clocks of servers that share a store may be."""

Sleep = Callable[[float], Awaitable[None]]


class SeatBots:
    """Plays the bots' decisions. A game goes on whatever happens to its searches; what a bot cannot decide is
    played as it looks best without a search.
    """

    def __init__(
        self,
        sessions: Sessions,
        pool: SearchPool,
        limits: Limits,
        *,
        sleep: Sleep = asyncio.sleep,
        draw: Callable[[], int] = lambda: secrets.randbits(64),
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``draw`` gives the seeds of searches and pauses, 64 bits each; ``clock`` gives Unix time."""
        self._sessions = sessions
        self._pool = pool
        self._limits = limits
        self._sleep = sleep
        self._draw = draw
        self._clock = clock
        self._resumed = 0.0  # games that were changed last before that have been looked at
        self._places = asyncio.Semaphore(max(1, limits.queue // 2))  # the others are left to callers
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    @property
    def playing(self) -> int:
        """Games in which a bot is deciding."""
        return len(self._tasks)

    async def resume(self) -> None:
        """Goes on with what servers that ended were playing: the first time with all games, from then on with
        those that have gone quiet since it looked last.

        A game is looked at once. If a bot is to move then it is played here; if not, the next change tells.
        """
        now, last = self._clock(), self._resumed
        before = now - self._limits.sweep_seconds if last else FOREVER
        for game_id in await self._sessions.with_bots(int(max(0.0, last - SKEW_SECONDS)), int(before)):
            try:
                self.wake(await self._sessions.get(game_id))
            except (GameNotFoundError, RulesChangedError) as error:
                _log.warning("a game with bots cannot go on: %s", type(error).__name__)
        self._resumed = max(last, before) if last else now

    def wake(self, session: Session) -> None:
        """Sees to it that a bot decides if one is to move."""
        game_id = session.head.game_id
        if self._closed or game_id in self._tasks or _mover(session) is None:
            return
        self._tasks[game_id] = asyncio.get_running_loop().create_task(self._play(game_id))

    async def close(self) -> None:
        """Stops playing; what is decided and not yet kept is decided again by the next server."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, game_id: str) -> None:
        """Plays as long as a bot is to move."""
        try:
            await self._play_on(game_id)
        finally:
            # Not in a callback of the task: a change between its last look and that would wake nobody.
            del self._tasks[game_id]

    async def _play_on(self, game_id: str) -> None:
        """A pause after a fault grows with each fault in a row."""
        pause = RETRY_SECONDS[0]
        while not self._closed:
            try:
                if not await self._step(game_id):
                    return
                pause = RETRY_SECONDS[0]
            except (GameNotFoundError, RulesChangedError, PoolClosedError):
                return
            except (StaleRevisionError, StaleSeatError, RefusedError):
                continue  # somebody else was faster, or has the seat now: look again
            except QueueFullError as error:
                await self._sleep(error.retry_seconds)
            except Exception as error:
                _log.error("a bot's seat waits %.0f s: %s", pause, errors.trace(error))
                await self._sleep(pause)
                pause = min(2 * pause, RETRY_SECONDS[1])

    async def _step(self, game_id: str) -> bool:
        """Decides and plays once; false if no bot is to move. A change of the game ends the search."""
        session = await self._sessions.get(game_id)
        mover = _mover(session)
        if mover is None:
            return False
        seat, settings = mover
        held, revision = session.seat(seat).bot, session.revision
        with session.awaiting() as change:
            deciding = asyncio.ensure_future(self._decide(session, seat, settings))
            changing = asyncio.ensure_future(change.wait())
            try:
                await asyncio.wait({deciding, changing}, return_when=asyncio.FIRST_COMPLETED)
                if not deciding.done():
                    return True
                action = deciding.result()
            finally:
                await _cancelled(deciding, changing)
        await self._sessions.play(Move(game_id, seat, action, revision, bot=held))
        return True

    async def _decide(self, session: Session, seat: int, settings: BotSettings) -> int:
        """The action that the bot plays, when its pace is over."""
        loop = asyncio.get_running_loop()
        due = loop.time() + (self._pause() if settings.human else 0.0)
        search = Search(
            info=session.deciding(seat),
            bot=settings.bot,
            seed=self._draw(),
            budget=settings.budget,
            max_seconds=self._limits.search_seconds,
            priority=Priority.INTERACTIVE,
            caller=f"game {session.head.game_id}",
        )
        try:
            async with self._places:  # in the order they come, where many games asked the pool in vain
                decision = await self._pool.search(search)
        except (SearchLostError, SearchFaultError) as error:
            _log.error("a bot's search failed and its seat plays without: %s", errors.trace(error))
            decision = unsearched(search, StopReason.STOPPED)
        if (left := due - loop.time()) > 0:
            await self._sleep(left)
        return decision.action

    def _pause(self) -> float:
        least, most = HUMAN_SECONDS
        return least + (most - least) * Rng(self._draw()).below(1001) / 1000


def _mover(session: Session) -> tuple[int, BotSettings] | None:
    """The seat to move and the bot that plays it, if one does."""
    seat = session.seat_to_move
    settings = None if seat < 0 else session.settings(seat)
    return None if settings is None else (seat, settings)


async def _cancelled(*futures: asyncio.Future[Any]) -> None:
    """Cancels what still runs and waits until it has ended; what it raises has been looked at or is void."""
    for future in futures:
        future.cancel()
    await asyncio.gather(*futures, return_exceptions=True)
