"""Who plays the persons' seats of one game, hands seats to bots and takes them back, and renews tokens."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from kingsbridge.pyengine import Rng
from kingsbridge.v1 import rules_pb2
from tests.server.client import OPERATOR, bearer

from .ledger import Ledger, Move
from .tally import Tally
from .violation import RefusedError, ask, demand, heard

BOTS = ("random", "greedy", "ismcts:iterations=30")
"""Those that play seats."""
RARELY = 30
"""One step in so many changes a seat or a token."""
GIVEN_UP = 12
"""One move in so many is given up before it is answered, and sent again at once."""
PATIENCE = 0.02
"""It is given up after at most so many seconds."""
WAIT = 0.02
"""How long a player waits for a bot before he looks again (seconds)."""


class Player:
    """Plays one game, one call at a time, so that at most one is open when the server goes."""

    def __init__(self, ledger: Ledger, rng: Rng, tally: Tally) -> None:
        self._ledger = ledger
        self._rng = rng
        self._tally = tally

    async def create(self, stub: Any) -> None:
        """Has the game created, if it is not; by a call that may have been cut off before.

        Raises:
            CutOffError: the server is gone.
        """
        ledger = self._ledger
        if ledger.game_id:
            return
        bots = [rules_pb2.SeatBot(seat=seat, bot=bot) for seat, bot in enumerate(ledger.bots) if bot]
        request = rules_pb2.CreateGameRequest(
            game=ledger.game, players=ledger.players, request_id=ledger.request_id, bots=bots
        )
        self._tally.add("games asked for")
        created = await ask(stub.CreateGame, request)
        ledger.game_id, ledger.commitment = created.game_id, created.seed_commitment
        ledger.tokens = {**dict(enumerate(created.seat_tokens)), -1: created.spectator_token}
        ledger.held = {seat for seat, bot in enumerate(ledger.bots) if bot}
        ledger.see(created.status, 1)
        self._tally.add("games created")

    async def settle(self, stub: Any) -> None:
        """Asks again what was cut off.

        Raises:
            CutOffError: the server is gone.
            ViolationError: what was asked is lost, or done twice.
        """
        ledger = self._ledger
        if ledger.open is not None:
            await self._repeat(stub, ledger.open)
        for seat, bot in list(ledger.open_bots.items()):
            await self._change(stub, seat, bot)
        if ledger.renewing is not None:
            await self._renew(stub, ledger.renewing)

    async def play(self, stub: Any) -> None:
        """Plays until the game is over.

        Raises:
            CutOffError: the server is gone.
        """
        while not self._ledger.over:
            await self.step(stub)

    async def step(self, stub: Any) -> None:
        """Does one thing.

        Raises:
            CutOffError: the server is gone.
        """
        ledger = self._ledger
        if self._rng.below(RARELY) == 0:
            await self._something_else(stub)
        place, since = rules_pb2.GetViewRequest(game_id=ledger.game_id, seat=-1), ledger.revision
        status = (await ask(stub.GetView, place, ledger.tokens[-1])).status
        ledger.see(status, since)
        if status.over:
            return
        if ledger.bots[status.seat_to_move]:
            await asyncio.sleep(WAIT)
        else:
            await self._act(stub, status)

    async def again(self, stub: Any) -> None:
        """Repeats a move that was answered long ago: the answer must be the same.

        Raises:
            CutOffError: the server is gone.
            ViolationError: it is another one.
        """
        moves = list(self._ledger.moves.values())
        if moves:
            move = moves[self._rng.below(len(moves))]
            self._same(move, await self._send(stub, move))
            self._tally.add("answers asked for again")

    async def _act(self, stub: Any, status: Any) -> None:
        ledger, seat = self._ledger, status.seat_to_move
        request = rules_pb2.ListLegalActionsRequest(game_id=ledger.game_id, seat=seat)
        actions = (await ask(stub.ListLegalActions, request, ledger.tokens[seat])).actions
        action = actions[self._rng.below(len(actions))].id
        move = Move(seat, action, status.revision, f"{ledger.request_id}.{status.revision}")
        ledger.open = move
        if self._rng.below(GIVEN_UP) == 0:
            await self._give_up(stub, move)
            await self._repeat(stub, move)
        else:
            self._acknowledged(move, await self._send(stub, move))

    async def _give_up(self, stub: Any, move: Move) -> None:
        """Sends a move and does not wait for the answer, as on a bad line."""
        patience = self._rng.below(1000) / 1000 * PATIENCE
        ledger = self._ledger
        call = stub.ApplyAction(
            move.request(ledger.game_id), metadata=bearer(ledger.tokens[move.seat]), timeout=patience
        )
        try:
            await heard(call)
        except RefusedError as error:
            late = error.code is grpc.StatusCode.DEADLINE_EXCEEDED
            demand(late, f"{ledger}: {move} is refused: {error}")

    async def _repeat(self, stub: Any, move: Move) -> None:
        ledger = self._ledger
        place = rules_pb2.GetViewRequest(game_id=ledger.game_id, seat=-1)
        kept = (await ask(stub.GetView, place, OPERATOR)).status.revision > move.revision
        self._acknowledged(move, await self._send(stub, move))
        self._tally.add(
            "retried moves that had been kept" if kept else "retried moves that had not been kept"
        )
        self._same(move, await self._send(stub, move))

    async def _send(self, stub: Any, move: Move) -> Any:
        ledger = self._ledger
        # A renewal whose answer was lost may have voided the seat's own token.
        token = OPERATOR if ledger.renewing == move.seat else ledger.tokens[move.seat]
        try:
            return await ask(stub.ApplyAction, move.request(ledger.game_id), token)
        except RefusedError as error:
            demand(False, f"{ledger}: {move} is refused: {error}")

    def _acknowledged(self, move: Move, answer: Any) -> None:
        ledger = self._ledger
        move.answer = answer
        ledger.open = None
        demand(
            answer.status.revision == move.revision + 1,
            f"{ledger}: {move.revision} led to {answer.status.revision}",
        )
        ledger.moves[answer.status.revision] = move
        ledger.revision = max(ledger.revision, answer.status.revision)
        ledger.over = ledger.over or answer.status.over
        self._tally.add("moves acknowledged")

    def _same(self, move: Move, answer: Any) -> None:
        first, second = type(answer)(), type(answer)()
        first.CopyFrom(move.answer)
        second.CopyFrom(answer)
        for each in (first, second):
            each.status.ClearField("bots")
        demand(first == second, f"{self._ledger}: move {move.revision + 1} is answered otherwise than before")

    async def _something_else(self, stub: Any) -> None:
        ledger = self._ledger
        seat = self._rng.below(ledger.players)
        if self._rng.below(3) == 0:
            await self._renew(stub, seat)
        elif ledger.bots[seat]:
            await self._change(stub, seat, "")
        else:
            await self._change(stub, seat, BOTS[self._rng.below(len(BOTS))])

    async def _change(self, stub: Any, seat: int, bot: str) -> None:
        """Lets a bot, or nobody, play a seat. What a call that was cut off has left may need a second one."""
        ledger = self._ledger
        again = seat in ledger.open_bots
        ledger.open_bots[seat] = bot
        if bot:
            ledger.held.add(seat)
        try:
            await self._ask_change(stub, seat, bot)
        except RefusedError as error:
            expected = {"GAME_OVER"} | ({"NO_BOT", "STALE_SEAT"} if again else set())
            demand(error.reason in expected, f"{ledger}: seat {seat} to '{bot}' is refused: {error}")
            if error.reason == "STALE_SEAT":
                await self._change(stub, seat, bot)
                return
            if error.reason == "GAME_OVER":
                await self._look_who_plays(stub, seat, bot)
                return
        ledger.bots[seat] = bot
        del ledger.open_bots[seat]
        self._tally.add("seats changed")

    async def _ask_change(self, stub: Any, seat: int, bot: str) -> None:
        ledger = self._ledger
        if bot:
            taken = rules_pb2.TakeOverSeatRequest(
                game_id=ledger.game_id, bot=rules_pb2.SeatBot(seat=seat, bot=bot)
            )
            await ask(stub.TakeOverSeat, taken, ledger.tokens[seat])
        else:
            given = rules_pb2.GiveBackSeatRequest(game_id=ledger.game_id, seat=seat)
            await ask(stub.GiveBackSeat, given, ledger.tokens[seat])

    async def _look_who_plays(self, stub: Any, seat: int, bot: str) -> None:
        """The game ended before the call came: one that was cut off earlier may have been kept or not."""
        ledger = self._ledger
        place = rules_pb2.GetViewRequest(game_id=ledger.game_id, seat=-1)
        status = (await ask(stub.GetView, place, ledger.tokens[-1])).status
        ledger.see(status, ledger.revision)
        found = status.bots[seat]
        demand(found in {bot, ledger.bots[seat]}, f"{ledger}: seat {seat} is played by '{found}'")
        ledger.bots[seat] = found
        del ledger.open_bots[seat]

    async def _renew(self, stub: Any, seat: int) -> None:
        """Renews a token; a call whose answer was lost is repeated as it was."""
        ledger = self._ledger
        if ledger.renewing is None:
            ledger.renewing, ledger.renewal = seat, f"renewal {self._rng.next():016x}"
        else:
            self._tally.add("renewals repeated")
        request = rules_pb2.RenewTokenRequest(game_id=ledger.game_id, seat=seat, request_id=ledger.renewal)
        try:
            renewed = await ask(stub.RenewToken, request, ledger.tokens[seat])
        except RefusedError as error:
            demand(False, f"{ledger}: the token of seat {seat} is not renewed: {error}")
        ledger.void[seat], ledger.tokens[seat] = ledger.tokens[seat], renewed.token
        ledger.renewing = None
        self._tally.add("tokens renewed")
