"""All that a server has acknowledged of one game, and whether it still says so."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from kingsbridge.pyengine import GameRecord, RecordError, action_text, verify
from kingsbridge.server.knowledge import UNKNOWN
from kingsbridge.v1 import rules_pb2
from tests.server.client import OPERATOR

from .violation import RefusedError, ViolationError, ask, demand


@dataclass
class Move:
    """A decision that was sent; ``answer`` of ``None``: nobody knows whether it was kept."""

    seat: int
    action: int
    revision: int
    request_id: str
    answer: Any = None

    def request(self, game_id: str) -> rules_pb2.ApplyActionRequest:
        """As it is sent, and sent again."""
        return rules_pb2.ApplyActionRequest(
            game_id=game_id,
            seat=self.seat,
            action_id=self.action,
            expected_revision=self.revision,
            request_id=self.request_id,
        )


@dataclass(frozen=True)
class Happened:
    """An event of a record: ``seat`` is -1 for chance."""

    seat: int
    action: int
    text: str


@dataclass(eq=False)
class Ledger:
    """One game as it was told. ``renewing`` is the seat whose token was asked for by a call that was cut off,
    and ``renewal`` that call's request id. ``held`` are the seats that a bot has had at some time; ``bots``
    who plays a seat, or empty; ``open_bots`` what was asked for by a call that was cut off, by seat.
    """

    game: str
    players: int
    request_id: str
    game_id: str = ""
    commitment: bytes = b""
    tokens: dict[int, str] = field(default_factory=dict)
    void: dict[int, str] = field(default_factory=dict)
    renewing: int | None = None
    renewal: str = ""
    bots: list[str] = field(default_factory=list)
    open_bots: dict[int, str] = field(default_factory=dict)
    held: set[int] = field(default_factory=set)
    moves: dict[int, Move] = field(default_factory=dict)
    open: Move | None = None
    revision: int = 0
    over: bool = False
    heard: dict[int, list[Any]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.game} for {self.players}, {self.game_id or 'not created'}, revision {self.revision}"

    def see(self, status: Any, since: int) -> None:
        """Takes note of where the game stands, asked for when it was known to be at revision ``since``.

        Raises:
            ViolationError: it has gone back.
        """
        demand(status.revision >= since, f"{self}: the revision has gone back to {status.revision}")
        self.revision = max(self.revision, status.revision)
        self.over = self.over or status.over

    async def check(self, stub: Any, viewer: int) -> int:
        """Compares the game with all that was told of it; ``viewer`` is the seat whose record is looked at.
        Returns how many acknowledged moves were found again.

        Raises:
            ViolationError: something is lost, or was not so.
            CutOffError: the server is gone.
        """
        if not self.game_id:
            return 0
        try:
            whole = await self._record(stub, -1, OPERATOR, full=True)
        except RefusedError as error:
            demand(False, f"{self}: an acknowledged game cannot be read: {error}")
        self.see(whole.status, self.revision)
        demand(whole.status.over or not self.over, f"{self}: was over and goes on")
        events = self._replayed(whole)
        self._check_moves(events)
        self._check_heard(events)
        self._check_bots(whole.status)
        if whole.status.over:
            self._check_luck(whole)
        await self._check_tokens(stub)
        await self._check_seat(stub, viewer, whole)
        return len(self.moves)

    def _replayed(self, whole: Any) -> list[Happened]:
        try:
            record = GameRecord.parse(whole.record.text)
        except RecordError as error:
            raise ViolationError(f"{self}: the record does not replay: {error}") from error
        events = [
            Happened(-1 if state.is_chance else state.current_player, action, action_text(self.game, action))
            for state, action in zip(record.states(), record.actions, strict=False)
        ]
        decisions = sum(event.seat >= 0 for event in events)
        demand(
            decisions + 1 == whole.status.revision,
            f"{self}: {decisions} decisions at revision {whole.status.revision}",
        )
        return events

    def _check_moves(self, events: list[Happened]) -> None:
        decisions = [index for index, event in enumerate(events) if event.seat >= 0]
        for revision in self.moves:
            demand(revision - 2 < len(decisions), f"{self}: the acknowledged move {revision} is lost")
        spans = zip(decisions, [*decisions[1:], len(events)], strict=False)
        for revision, (first, end) in enumerate(spans, start=2):
            self._check_move(revision, first, events[first:end])

    def _check_move(self, revision: int, first: int, events: list[Happened]) -> None:
        played, *chance = events
        move = self.moves.get(revision)
        if move is None and self.open is not None and self.open.revision + 1 == revision:
            move = self.open
        if move is None:
            demand(played.seat in self.held, f"{self}: nobody has sent move {revision}, {played}")
            return
        demand(
            (move.seat, move.action) == (played.seat, played.action),
            f"{self}: move {revision} was {move.seat}: {action_text(self.game, move.action)}, now {played}",
        )
        if move.answer is not None:
            told = [(event.index, event.seat) for event in move.answer.events]
            there = [(first + 1 + number, -1) for number in range(len(chance))]
            demand(told == there, f"{self}: other chance events than told follow move {revision}")
            for event, happened in zip(move.answer.events, chance, strict=True):
                self._check_event(event, happened)

    def _check_heard(self, events: list[Happened]) -> None:
        for seat, heard in self.heard.items():
            demand(len(heard) <= len(events), f"{self}: the watcher {seat} heard events that are lost")
            for event, happened in zip(heard, events, strict=False):
                self._check_event(event, happened)

    def _check_event(self, event: Any, happened: Happened) -> None:
        same = event.seat == happened.seat and (
            not event.HasField("action") or event.action.text == happened.text
        )
        demand(same, f"{self}: event {event.index} was told as {event.action.text}, and is {happened}")

    def _check_bots(self, status: Any) -> None:
        for seat, bot in enumerate(status.bots):
            allowed = {self.bots[seat], self.open_bots.get(seat, self.bots[seat])}
            demand(bot in allowed, f"{self}: seat {seat} is played by '{bot}', and not one of {allowed}")

    def _check_luck(self, whole: Any) -> None:
        seed = whole.record.seed
        proof = hashlib.sha256(b"kingsbridge-seed:" + seed).digest()
        demand(proof == self.commitment, f"{self}: the seed is not the one that was committed to")
        verdict = verify(GameRecord.parse(whole.record.text), int.from_bytes(seed, "big"))
        demand(verdict.wrong is None, f"{self}: the seed deals otherwise: {verdict.wrong}")

    async def _check_tokens(self, stub: Any) -> None:
        for seat, token in self.tokens.items():
            if seat != self.renewing:
                await self._legal(stub, seat, token)
        for seat, token in self.void.items():
            try:
                await self._legal(stub, seat, token)
            except RefusedError as error:
                demand(error.reason == "TOKEN_VOID", f"{self}: a void token of seat {seat}: {error}")
            else:
                demand(False, f"{self}: a void token of seat {seat} is good again")

    async def _check_seat(self, stub: Any, seat: int, whole: Any) -> None:
        if seat == self.renewing:
            return
        told = await self._record(stub, seat, self.tokens[seat])
        self.see(told.status, self.revision)
        pairs = zip(told.record.text.split("\n"), whole.record.text.split("\n"), strict=False)
        if not (whole.status.over or told.status.over):
            demand(
                all(line in {true, UNKNOWN} or not true for line, true in pairs),
                f"{self}: the record of seat {seat} differs from the whole one",
            )

    async def _record(self, stub: Any, seat: int, token: str, *, full: bool = False) -> Any:
        request = rules_pb2.GetRecordRequest(game_id=self.game_id, seat=seat, full=full)
        return await ask(stub.GetRecord, request, token)

    async def _legal(self, stub: Any, seat: int, token: str) -> Any:
        return await ask(
            stub.ListLegalActions, rules_pb2.ListLegalActionsRequest(game_id=self.game_id, seat=seat), token
        )
