"""Searches under deadlines, and cancelled ones: what is answered in time, and how soon workers are free.

Several callers ask by session and by view, for actions, analyses and turns, each with one of the deadlines; a
refusal is waited out as it says. Then searches and analyses are cancelled at random moments, and it is timed
until all workers are idle.

Run alone (``python -m tests.soak.deadlines``) or as part of ``make soak``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from rich.console import Console
from rich.table import Table

from kingsbridge.pyengine import Rng, describe, game_names
from kingsbridge.server.client.patience import Metadata, bearer
from kingsbridge.server.config import Config
from kingsbridge.v1 import (
    ai_pb2,
    ai_pb2_grpc,
    game_pb2,
    rules_pb2,
    rules_pb2_grpc,
    server_pb2,
    server_pb2_grpc,
)
from tests.soak.calls import Calls, come_again, quantile, spread
from tests.soak.control import control
from tests.soak.served import served

DEADLINES = (50, 100, 200, 500, 1000, 2000)
"""Milliseconds."""
IN_TIME_BAR = 0.999
"""Least share of the admitted calls that must be answered in time."""
IDLE_BAR = 100.0
"""Most milliseconds from a cancellation until all workers are idle."""
IDLE_SECONDS = 10.0
"""A worker that is busy for longer has not heard of it."""
ENDLESS = "ismcts:iterations=1000000000,nodes=100000"
"""Thinks until it must stop."""
SHORT = "ismcts:iterations=200"
DEPTHS = (0, 10, 40)
"""Moves before the positions."""


@dataclass(frozen=True, slots=True)
class Place:
    """A decision of a game that the server holds: its seat's view and legal actions."""

    session: ai_pb2.SessionPosition
    token: Metadata
    view: game_pb2.GameView
    legal: frozenset[int]


@dataclass
class Found:
    """What was measured."""

    calls: Calls = field(default_factory=Calls)
    asked: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Calls that were let in, by kind and deadline."""
    refused: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Those asked to come again."""
    margins: defaultdict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    """Milliseconds that were left."""
    cancelled: int = 0
    idle: list[float] = field(default_factory=list)
    """Milliseconds from cancellations until all workers were idle."""
    faults: list[str] = field(default_factory=list)

    @property
    def in_time(self) -> float:
        """Share of the calls that were let in and answered before their deadlines."""
        met = sum(sum(margin >= 0 for margin in margins) for margins in self.margins.values())
        return met / max(1, self.asked.total())

    def missed(self) -> Iterator[str]:
        """The bars that do not hold."""
        if self.in_time < IN_TIME_BAR:
            yield f"{self.in_time:.2%} were answered in time, fewer than {IN_TIME_BAR:.1%}"
        if (longest := max(self.idle, default=0.0)) > IDLE_BAR:
            yield f"workers were idle {longest:.0f} ms after a cancellation, more than {IDLE_BAR:g}"


class Asker:
    """Asks about positions; every answer is checked."""

    def __init__(self, channel: grpc.aio.Channel, places: Sequence[Place], found: Found, rng: Rng) -> None:
        self._ai: Any = ai_pb2_grpc.AiServiceStub(channel)
        self._server = server_pb2_grpc.ServerServiceStub(channel)
        self._places = places
        self._found = found
        self._rng = rng
        self._kinds: dict[str, Callable[[Place, str, float | None], Awaitable[list[int]]]] = {
            "ChooseAction, session": self._by_session,
            "ChooseAction, view": self._by_view,
            "ChooseTurn": self._turn,
            "Analyze": self._analysis,
        }

    async def ask(self, until: float) -> None:
        """Asks one question after the other, up to a time of ``time.monotonic``."""
        while time.monotonic() < until:
            kind, milliseconds = self._any(tuple(self._kinds)), self._any(DEADLINES)
            place, bot = self._any(self._places), self._any((ENDLESS, ENDLESS, SHORT))
            await self._ask(kind, milliseconds, place, bot)

    async def cancel(self, searches: int, longest: float) -> None:
        """Begins so many searches at once, cancels all within ``longest`` seconds, and times the workers."""
        begun = [self._begun(self._any(self._places)) for _ in range(searches)]
        await asyncio.sleep(longest * self._rng.below(1001) / 1000)
        started = time.perf_counter()
        for call in begun:
            call.cancel()
        await self._all_idle(started)
        for code in [await call.code() for call in begun]:
            if code is not grpc.StatusCode.CANCELLED:
                self._found.faults.append(f"a cancelled search ended with {code.name}")
        self._found.cancelled += searches

    def _begun(self, place: Place) -> Any:
        """A search or an analysis that does not end by itself."""
        if self._rng.below(2):
            request = ai_pb2.ChooseActionRequest(session=place.session, bot=ENDLESS)
            return self._ai.ChooseAction(request, metadata=place.token)
        asked = ai_pb2.AnalyzeRequest(session=place.session, bot=ENDLESS)
        return self._ai.Analyze(asked, metadata=place.token)

    async def _all_idle(self, started: float) -> None:
        while time.perf_counter() - started < IDLE_SECONDS:
            status = await self._server.GetServerStatus(server_pb2.GetServerStatusRequest())
            milliseconds = (time.perf_counter() - started) * 1000
            if not status.busy_workers and not any(queue.waiting for queue in status.queues):
                self._found.idle.append(milliseconds)
                return
        self._found.faults.append(f"a worker was not idle {IDLE_SECONDS:g} s after a cancellation")

    async def _ask(self, kind: str, milliseconds: int, place: Place, bot: str) -> None:
        started = time.perf_counter()
        try:
            answer = await self._kinds[kind](place, bot, milliseconds / 1000)
        except grpc.aio.AioRpcError as error:
            self._found.calls.failed(kind, error)
            if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                self._found.refused[kind, milliseconds] += 1
                await come_again(error)
            else:
                self._found.asked[kind, milliseconds] += 1
            return
        self._found.asked[kind, milliseconds] += 1
        self._found.margins[kind, milliseconds].append(milliseconds - (time.perf_counter() - started) * 1000)
        if not answer or answer[0] not in place.legal:
            self._found.faults.append(f"{kind}: the answer {answer} is not legal")

    async def _by_session(self, place: Place, bot: str, timeout: float | None) -> list[int]:
        request = ai_pb2.ChooseActionRequest(session=place.session, bot=bot)
        return [(await self._ai.ChooseAction(request, timeout=timeout, metadata=place.token)).action.id]

    async def _by_view(self, place: Place, bot: str, timeout: float | None) -> list[int]:
        request = ai_pb2.ChooseActionRequest(view=place.view, bot=bot)
        return [(await self._ai.ChooseAction(request, timeout=timeout)).action.id]

    async def _turn(self, place: Place, bot: str, timeout: float | None) -> list[int]:
        request = ai_pb2.ChooseTurnRequest(view=place.view, bot=bot)
        turn = await self._ai.ChooseTurn(request, timeout=timeout)
        return [decision.action.id for decision in turn.decisions]

    async def _analysis(self, place: Place, bot: str, timeout: float | None) -> list[int]:
        request = ai_pb2.AnalyzeRequest(session=place.session, bot=bot)
        last = None
        async for last in self._ai.Analyze(request, timeout=timeout, metadata=place.token):
            if last.choice.action.id not in place.legal:
                return [last.choice.action.id]
        return [last.choice.action.id] if last is not None and last.final else []

    def _any(self, choices: Sequence[Any]) -> Any:
        return choices[self._rng.below(len(choices))]


async def positions(channel: grpc.aio.Channel, rng: Rng) -> list[Place]:
    """Decisions of every game, some moves apart, between at least two actions: a forced one is no search."""
    rules: Any = rules_pb2_grpc.RulesServiceStub(channel)
    return [await _position(rules, game, depth, rng) for game in sorted(game_names()) for depth in DEPTHS]


async def _position(rules: Any, game: str, depth: int, rng: Rng) -> Place:
    request = rules_pb2.CreateGameRequest(game=game, players=describe(game).max_players, seed=bytes(16))
    created = await rules.CreateGame(request)
    status, moves = created.status, 0
    while True:
        place = {"game_id": created.game_id, "seat": status.seat_to_move}
        token = bearer(created.seat_tokens[status.seat_to_move])
        legal = await rules.ListLegalActions(rules_pb2.ListLegalActionsRequest(**place), metadata=token)
        if moves >= depth and len(legal.actions) > 1:
            break
        action = legal.actions[rng.below(len(legal.actions))].id
        move = rules_pb2.ApplyActionRequest(**place, action_id=action, expected_revision=status.revision)
        status, moves = (await rules.ApplyAction(move, metadata=token)).status, moves + 1
    view = await rules.GetView(rules_pb2.GetViewRequest(**place), metadata=token)
    session = ai_pb2.SessionPosition(**place)
    return Place(session, token, view.view, frozenset(action.id for action in legal.actions))


async def run(seconds: float, callers: int, cancellations: int, workers: int = 2, seed: int = 1) -> Found:
    """Asks for so many seconds, then cancels so many searches, as many at a time as there are workers."""
    found, rng = Found(), Rng(seed)
    with served(Config(store="memory", port=0, workers=workers)) as server:
        async with grpc.aio.insecure_channel(server.address) as channel, control(found.calls):
            places = await positions(channel, rng)
            askers = [Asker(channel, places, found, Rng(rng.next())) for _ in range(callers)]
            until = time.monotonic() + seconds
            await asyncio.gather(*(asker.ask(until) for asker in askers))
            while found.cancelled < cancellations:
                await askers[0].cancel(min(workers, cancellations - found.cancelled), 0.05)
    return found


def tables(found: Found) -> Iterator[Table]:
    """The figures."""
    table = Table("call", "deadline", "let in", "refused", "in time", "left, ms: least", "p1", "p50")
    for key in sorted({*found.asked, *found.refused}):
        kind, milliseconds = key
        margins = found.margins[key]
        least = [f"{quantile(margins, share):.1f}" for share in (0.0, 0.01, 0.5)]
        met = sum(margin >= 0 for margin in margins)
        counts = (found.asked[key], found.refused[key], met)
        table.add_row(kind, f"{milliseconds} ms", *map(str, counts), *least)
    yield table
    cancelled = Table(f"ms, {found.cancelled:,} cancellations", "p50", "p95", "p99", "max")
    cancelled.add_row("until all workers are idle", *spread(found.idle))
    yield cancelled
    yield found.calls.table()


def main() -> int:
    """Prints the figures; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--cancellations", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report-only", action="store_true", help="bars that are missed do not fail")
    given = parser.parse_args()
    found = asyncio.run(run(given.seconds, given.callers, given.cancellations, given.workers, given.seed))
    console = Console(width=120)
    for each in tables(found):
        console.print(each)
    print(f"answered in time: {found.in_time:.3%} of {found.asked.total():,} calls that were let in")
    faults = [*sorted(set(found.faults)), *found.missed()]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults and not given.report_only else 0


if __name__ == "__main__":
    sys.exit(main())
