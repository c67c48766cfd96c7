"""Many games at once on a server that is killed again and again: the load, the kills and what is checked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from kingsbridge.pyengine import Rng, describe, game_names
from kingsbridge.v1 import rules_pb2, rules_pb2_grpc

from .ledger import Ledger
from .player import BOTS, Player
from .process import PATIENCE, Process
from .tally import Tally
from .violation import CutOffError, RefusedError, ViolationError, ask, demand
from .watcher import Watcher

KINDS = ("group", "group", "group", "server", "stop")
"""How a server may end, as likely as it stands here: SIGKILL to all or to itself alone, or SIGTERM."""
KILLS = KINDS[:-1]
SECONDS = (0.2, 1.5)
"""How long a server serves, drawn evenly."""
SAMPLE = 6
"""So many of the finished games are looked at after each start; all of them at the end."""


@dataclass
class Seated:
    """A game with those who play and follow it."""

    ledger: Ledger
    player: Player
    watchers: list[Watcher]


class Soak:
    """Keeps ``tables`` games going on the store at ``url``."""

    def __init__(
        self,
        url: str,
        folder: Path,
        rng: Rng,
        tables: int,
        *,
        least: int = 0,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """A server serves until it has acknowledged ``least`` moves at least; ``tell`` is told a line for
        each end of one.
        """
        self._url = url
        self._folder = folder
        self._rng = rng
        self._least = least
        self._clock = clock
        self._tell = tell
        self._made = 0
        self._last = False
        self.tally = Tally()
        self.finished: list[Ledger] = []
        self.lanes = [self._new() for _ in range(tables)]

    async def run(self, kills: int, seconds: float = float("inf"), *, play_out: bool = True) -> None:
        """Kills the server so many times, or for so many seconds; then lets all games be played out, if that
        is wanted, and looks at all of them.

        Raises:
            ViolationError: something was lost, or went wrong.
        """
        end = self._clock() + seconds
        while self.tally.counts["kills"] < kills and self._clock() < end:
            kind = KINDS[self._rng.below(len(KINDS))]
            await self._round(kind, self._pause())
        if play_out:
            self._last = True
            await self._round("stop", PATIENCE * 10)
            demand(all(lane.ledger.over for lane in self.lanes), "a game does not come to its end")
        await self._look_at_all()

    async def _round(self, kind: str, seconds: float) -> None:
        """A server from its start to its end."""
        began = self._clock()
        server = await Process.start(self._url, self._folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                stub: Any = rules_pb2_grpc.RulesServiceStub(channel)
                await self._look(stub, began)
                load = [asyncio.create_task(self._lane(lane, stub)) for lane in range(len(self.lanes))]
                try:
                    await self._unless_wrong(load, seconds)
                    await self._end(server, kind)
                    await self._all_end(load)
                except ViolationError:
                    for task in load:
                        task.cancel()
                    await asyncio.gather(*load, return_exceptions=True)
                    raise
        except ViolationError as error:
            raise ViolationError(f"{error}\nthe server's log: {server.log()}") from error
        finally:
            server.clear()

    async def _look(self, stub: Any, began: float) -> None:
        """Compares all that was told with what the server says now."""
        await ask(stub.ListGames, rules_pb2.ListGamesRequest())
        self.tally.starts.append(self._clock() - began)
        checked = 0
        for lane in self.lanes:
            checked += await self._check(lane.ledger, stub)
            if lane.ledger.game_id:
                await lane.player.again(stub)
        for _ in range(min(SAMPLE, len(self.finished))):
            checked += await self._check(self.finished[self._rng.below(len(self.finished))], stub)
        self.tally.add("moves found again", checked)

    async def _look_at_all(self) -> None:
        server = await Process.start(self._url, self._folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                stub: Any = rules_pb2_grpc.RulesServiceStub(channel)
                running = [lane.ledger for lane in self.lanes if lane.ledger not in self.finished]
                for ledger in [*self.finished, *running]:
                    self.tally.add("moves found at the end", await self._check(ledger, stub))
                self.tally.add("finished games verified at the end", len(self.finished))
                await server.terminate()
        finally:
            server.clear()

    async def _check(self, ledger: Ledger, stub: Any) -> int:
        try:
            return await ledger.check(stub, self._rng.below(ledger.players + 1) - 1)
        except RefusedError as error:
            raise ViolationError(f"{ledger}: a call is refused: {error}") from error

    async def _lane(self, number: int, stub: Any) -> None:
        """Plays one game after the other, until the server goes."""
        try:
            while True:
                table = self.lanes[number]
                await table.player.create(stub)
                await table.player.settle(stub)
                await self._play_out(table, stub)
                if table.ledger not in self.finished:
                    await self._check(table.ledger, stub)
                    self.finished.append(table.ledger)
                    self.tally.add("games finished")
                if self._last:
                    return
                self.lanes[number] = self._new()
        except CutOffError:
            self.tally.add("games cut off")
        except RefusedError as error:
            raise ViolationError(f"{self.lanes[number].ledger}: a call is refused: {error}") from error

    async def _play_out(self, table: Seated, stub: Any) -> None:
        """Plays and follows a game to its end.

        Raises:
            CutOffError: the server is gone, and nobody waits for it any more.
        """
        ways = [table.player.play(stub), *(watcher.follow(stub) for watcher in table.watchers)]
        if any(await asyncio.gather(*map(_cut_off, ways))):
            raise CutOffError

    async def _unless_wrong(self, load: list[asyncio.Task[None]], seconds: float) -> None:
        least, done = self.tally.counts["moves acknowledged"] + self._least, set[asyncio.Task[None]]()
        while not done:
            done, _ = await asyncio.wait(load, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
            if self.tally.counts["moves acknowledged"] >= least:
                break
        for task in done:
            task.result()
        demand(self._last or not done, "the server is gone before it was killed")

    async def _end(self, server: Process, kind: str) -> None:
        acknowledged = self.tally.counts["moves acknowledged"]
        if kind == "stop":
            await server.terminate()
            self.tally.add("stops")
        else:
            await server.kill(group=kind == "group")
            self.tally.add("kills")
        kills = self.tally.counts["kills"]
        open_ = sum(lane.ledger.open is not None for lane in self.lanes)
        self._tell(
            f"{kills:4} {kind:6} after {acknowledged} moves acknowledged, {len(self.finished)} games "
            f"finished, serving {self.tally.starts[-1]:.2f} s after its start"
            f"{f', {open_} moves open' if open_ else ''}"
        )

    async def _all_end(self, load: list[asyncio.Task[None]]) -> None:
        done, hanging = await asyncio.wait(load, timeout=PATIENCE)
        for task in hanging:
            task.cancel()
        for task in done:
            task.result()
        demand(not hanging, f"{len(hanging)} games wait for an answer of a server that is gone")

    def _pause(self) -> float:
        least, most = SECONDS
        return least + (most - least) * self._rng.below(1001) / 1000

    def _new(self) -> Seated:
        """The next game: each game with each number of players in turn, with bots at about half the seats."""
        kinds = [
            (game, players)
            for game in game_names()
            for players in range(describe(game).min_players, describe(game).max_players + 1)
        ]
        game, players = kinds[self._made % len(kinds)]
        self._made += 1
        request_id = f"soak-{self._rng.below(1 << 31):016x}-{self._made}"
        bots = [BOTS[self._rng.below(len(BOTS))] if self._rng.below(2) else "" for _ in range(players)]
        ledger = Ledger(game, players, request_id, bots=bots)
        watchers = [Watcher(ledger, seat, self.tally) for seat in {-1, self._rng.below(players)}]
        return Seated(ledger, Player(ledger, self._rng, self.tally), watchers)


async def _cut_off(way: Awaitable[None]) -> bool:
    """Whether it ended since the server is gone."""
    try:
        await way
    except CutOffError:
        return True
    return False
