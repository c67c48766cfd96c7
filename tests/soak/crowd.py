"""Many games at once: in each a person plays one seat, somebody watches, and bots play the other seats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc

from kingsbridge.pyengine import Rng, describe, game_names
from kingsbridge.server.client.patience import bearer
from kingsbridge.v1 import ai_pb2, rules_pb2, rules_pb2_grpc
from tests.soak.calls import Calls, come_again

CHANNEL_GAMES = 50
"""Games that share a connection."""
GONE = ("UNAVAILABLE", "CANCELLED")
"""How calls end that meet a server in the midst of its stop: not begun, or begun and not acknowledged."""
LONGEST = 1 << 20
"""More seconds than any game waits."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How the crowd plays: seconds that a person thinks, iterations of a bot's decision, and the share of
    bots at a human pace (percent).
    """

    think: tuple[float, float] = (1.0, 3.0)
    iterations: int = 1000
    human: int = 30


@dataclass
class Score:
    """What the crowd has done so far."""

    begun: int = 0
    finished: int = 0
    moves: int = 0
    events: int = 0
    news: list[float] = field(default_factory=list)
    """Milliseconds from a person's move to what the watcher hears of it."""
    acknowledged: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By game the spectator's token and the newest revision that somebody was told of."""
    faults: list[str] = field(default_factory=list)
    """Answers that break a promise."""


class Seat:
    """A game at one table, from its person's side."""

    def __init__(self, rules: Any, calls: Calls, score: Score, habits: Habits, rng: Rng) -> None:
        self._rules = rules
        self._calls = calls
        self._score = score
        self._habits = habits
        self._rng = rng
        self._status: Any = None
        self._news = asyncio.Event()
        self._played: tuple[int, float] = (LONGEST, 0.0)

    async def create(self) -> None:
        """Begins the game; the person gets any seat."""
        names = sorted(game_names())
        info = describe(names[self._rng.below(len(names))])
        players = info.min_players + self._rng.below(info.max_players - info.min_players + 1)
        self._seat = self._rng.below(players)
        bots = [self._bot(seat) for seat in range(players) if seat != self._seat]
        request = rules_pb2.CreateGameRequest(game=info.name, players=players, bots=bots)
        created = await self._calls.timed("CreateGame", self._rules.CreateGame(request))
        self._place = {"game_id": created.game_id, "seat": self._seat}
        self._token = bearer(created.seat_tokens[self._seat])
        self._spectator = created.spectator_token
        self._score.begun += 1
        self._learn(created.status)

    async def play(self) -> None:
        """Plays and watches the game to its end."""
        watching = asyncio.create_task(self._watch())
        playing = asyncio.create_task(self._play())
        try:
            await asyncio.gather(watching, playing)
        finally:
            for task in (watching, playing):
                task.cancel()
            await asyncio.gather(watching, playing, return_exceptions=True)
        self._score.finished += 1

    async def _watch(self) -> None:
        request = rules_pb2.WatchGameRequest(**self._place)
        try:
            async for change in self._rules.WatchGame(request, metadata=self._token):
                self._score.events += len(change.events)
                self._learn(change.status)
        except grpc.aio.AioRpcError as error:
            self._calls.failed("WatchGame", error)
            raise
        if self._status.seat_to_move >= 0:
            self._score.faults.append("a stream ended before its game")

    async def _play(self) -> None:
        while self._status.seat_to_move >= 0:
            if self._status.seat_to_move == self._seat:
                await asyncio.sleep(self._thought())
                await self._move()
            else:
                self._news.clear()
                await self._news.wait()

    async def _move(self) -> None:
        """Looks, and plays any legal action."""
        place, token = self._place, self._token
        view = await self._asked("GetView", rules_pb2.GetViewRequest(**place))
        legal = await self._asked("ListLegalActions", rules_pb2.ListLegalActionsRequest(**place))
        if view.status.revision != legal.status.revision or not legal.actions:
            self._score.faults.append("a seat to move has no action, or the game moved without it")
            return
        action = legal.actions[self._rng.below(len(legal.actions))]
        request = rules_pb2.ApplyActionRequest(
            **place, action_id=action.id, expected_revision=view.status.revision
        )
        self._played = view.status.revision + 1, time.perf_counter()
        applied = await self._calls.timed("ApplyAction", self._rules.ApplyAction(request, metadata=token))
        self._score.moves += 1
        self._learn(applied.status)

    async def _asked(self, method: str, request: Any) -> Any:
        return await self._calls.timed(method, getattr(self._rules, method)(request, metadata=self._token))

    def _learn(self, status: Any) -> None:
        """A status came, of an answer or of the stream: the two may overtake each other."""
        revision, since = self._played
        if status.revision >= revision:
            self._score.news.append((time.perf_counter() - since) * 1000)
            self._played = LONGEST, 0.0
        if self._status is None or status.revision >= self._status.revision:
            self._status = status
            self._score.acknowledged[self._place["game_id"]] = self._spectator, status.revision
            self._news.set()

    def _thought(self) -> float:
        least, most = self._habits.think
        return least + (most - least) * self._rng.below(1001) / 1000

    def _bot(self, seat: int) -> rules_pb2.SeatBot:
        human = self._rng.below(100) < self._habits.human
        return rules_pb2.SeatBot(
            seat=seat,
            bot="ismcts" if self._rng.below(10) else "greedy",
            budget=ai_pb2.Budget(iterations=self._habits.iterations),
            pace=rules_pb2.PACE_HUMAN if human else rules_pb2.PACE_INSTANT,
        )


@asynccontextmanager
async def channels(address: str, games: int) -> AsyncIterator[list[grpc.aio.Channel]]:
    """As many connections as so many games need."""
    options = [("grpc.use_local_subchannel_pool", 1)]  # or all would be one connection
    made = [
        grpc.aio.insecure_channel(address, options=options) for _ in range(1 + (games - 1) // CHANNEL_GAMES)
    ]
    try:
        yield made
    finally:
        for channel in made:
            await channel.close()


async def table(channel: grpc.aio.Channel, calls: Calls, score: Score, habits: Habits, rng: Rng) -> None:
    """Plays one game after the other, until it is cancelled or the server stops."""
    rules = rules_pb2_grpc.RulesServiceStub(channel)
    while True:
        seat = Seat(rules, calls, score, habits, Rng(rng.next()))
        try:
            await seat.create()
            await seat.play()
        except grpc.aio.AioRpcError as error:
            if error.code().name in GONE:
                return
            await come_again(error)
