"""Who follows a game from one seat, through all the servers that it meets."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from kingsbridge.v1 import rules_pb2
from tests.server.client import bearer

from .ledger import Ledger
from .tally import Tally
from .violation import RefusedError, demand, heard

HEARTBEAT = 5
"""Seconds in which a stream says something."""


class Watcher:
    """Goes on where it was cut off, and sees to it that nothing is left out and nothing told twice."""

    def __init__(self, ledger: Ledger, seat: int, tally: Tally) -> None:
        self._ledger = ledger
        self._seat = seat
        self._tally = tally
        self.revision = 0
        self._told_over = False
        ledger.heard[seat] = []

    async def follow(self, stub: Any) -> None:
        """Follows the game until it is over.

        Raises:
            CutOffError: the server is gone.
            ViolationError: there is a gap, or something comes twice.
        """
        while not self._told_over:
            token = self._ledger.tokens[self._seat]
            try:
                await self._read(stub, token)
            except RefusedError as error:
                renewed = self._ledger.renewing == self._seat or token != self._ledger.tokens[self._seat]
                void = error.code is grpc.StatusCode.UNAUTHENTICATED
                demand(void and renewed, f"{self._ledger}: the watcher {self._seat} is refused: {error}")
                await asyncio.sleep(0.02)

    async def _read(self, stub: Any, token: str) -> None:
        request = rules_pb2.WatchGameRequest(
            game_id=self._ledger.game_id, seat=self._seat, from_event=self.next
        )
        request.heartbeat.seconds = HEARTBEAT
        stream = stub.WatchGame(request, metadata=bearer(token))
        try:
            while (message := await heard(stream.read())) != grpc.aio.EOF:
                self._take(message)
        finally:
            stream.cancel()

    @property
    def next(self) -> int:
        """The number of the next event."""
        return len(self._ledger.heard[self._seat])

    def _take(self, message: Any) -> None:
        ledger, first = self._ledger, self.next
        numbers = [event.index for event in message.events]
        demand(
            numbers == list(range(first, first + len(numbers))),
            f"{ledger}: the watcher {self._seat} waits for event {first} and is told {numbers}",
        )
        ledger.heard[self._seat] += message.events
        demand(message.next_event == self.next, f"{ledger}: next is {message.next_event}, not {self.next}")
        demand(
            message.status.revision >= self.revision,
            f"{ledger}: the watcher {self._seat} sees {message.status.revision} after {self.revision}",
        )
        self.revision = message.status.revision
        self._told_over = message.status.over
        ledger.revision = max(ledger.revision, self.revision)
        self._tally.add("events watched", len(numbers))
