"""One game on a server, as those see it whose tokens are held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kingsbridge.pyengine import SPECTATOR, GameRecord, Verdict, seed_commitment, verify
from kingsbridge.server.client.errors import CommitmentError
from kingsbridge.server.client.messages import (
    asked,
    duration,
    read_choices,
    read_played,
    read_proposal,
    read_record,
    read_status,
    read_turn,
    read_view,
    seat_bot,
)
from kingsbridge.server.client.patience import Calls, bearer, thinking_seconds
from kingsbridge.server.client.streams import WATCH_SECONDS, changes, reports
from kingsbridge.server.client.stubs import Stubs
from kingsbridge.server.client.values import (
    BotSeat,
    Change,
    Choice,
    Played,
    Proposal,
    Record,
    Report,
    Status,
    Thinking,
    Turn,
    View,
)
from kingsbridge.v1 import ai_pb2, rules_pb2

REPORT_SECONDS = 0.25
"""Time between two reports of a search."""


class Game:
    """One game on the server; ``status`` is where it stood after the last call, or the last change watched.

    Every method may raise ``ServerError``, of which these are usual: ``TokenError``, ``UnknownError`` of a
    game that was deleted, ``UnavailableError``. A ``seat`` whose token is not held raises ``LookupError``.
    """

    def __init__(
        self,
        stubs: Stubs,
        calls: Calls,
        game_id: str,
        tokens: Mapping[int, str],
        *,
        status: Status,
        commitment: bytes,
        request_id: Callable[[], str],
        token: str = "",
    ) -> None:
        """``tokens`` by seat, that of spectators under ``SPECTATOR``; ``token`` is shown for other seats, if
        it is not empty.
        """
        self._rules = stubs.rules
        self._ai = stubs.ai
        self._calls = calls
        self.id = game_id
        self._tokens = dict(tokens)
        self.status = status
        self.commitment = commitment
        """What the server said of the seed of chance when the game began: see ``verify``."""
        self._request_id = request_id
        self._token = token

    @property
    def tokens(self) -> Mapping[int, str]:
        """The tokens held, by seat: hand each to its player alone."""
        return dict(self._tokens)

    def view(self, seat: int) -> View:
        """What a seat sees."""
        answer = self._told(self._rules.GetView, rules_pb2.GetViewRequest(game_id=self.id, seat=seat))
        return read_view(answer.view)

    def choices(self, seat: int) -> list[Choice]:
        """The legal actions of a seat; none if it is not to move."""
        request = rules_pb2.ListLegalActionsRequest(game_id=self.id, seat=seat)
        return list(read_choices(self._told(self._rules.ListLegalActions, request).actions))

    def play(self, seat: int, action: Choice | str) -> Played:
        """Plays an action, a choice or its notation, in the position of ``status``.

        Raises:
            StaleError: the game has changed since.
            RefusedError: it is not legal, not the seat's turn, or a bot plays the seat.
            InvalidError: the notation cannot be read.
        """
        request = rules_pb2.ApplyActionRequest(
            game_id=self.id,
            seat=seat,
            expected_revision=self.status.revision,
            request_id=self._request_id(),
        )
        if isinstance(action, Choice):
            request.action_id = action.id
        else:
            request.action_text = action
        return read_played(self._told(self._rules.ApplyAction, request))

    def propose(
        self, seat: int, thinking: Thinking, *, allow: Iterable[int] = (), avoid: Iterable[int] = ()
    ) -> Proposal:
        """What a bot would play for the seat to move. It changes nothing.

        Only actions in ``allow``, by id, come into question, all if it is empty, and none in ``avoid``.

        Raises:
            StaleError: the game has changed since ``status``.
            RefusedError: the seat is not to move.
            InvalidError: bot, budget, allow or avoid.
        """
        request = ai_pb2.ChooseActionRequest(
            session=self._position(seat), allow=allow, avoid=avoid, **asked(thinking)
        )
        return read_proposal(self._asked(self._ai.ChooseAction, request, seat, thinking))

    def analyze(
        self,
        seat: int,
        thinking: Thinking,
        *,
        allow: Iterable[int] = (),
        avoid: Iterable[int] = (),
        report_seconds: float = REPORT_SECONDS,
    ) -> Iterator[Report]:
        """As ``propose``, told while it goes on; the last report is the final one. Closing the iterator stops
        the search.

        Raises:
            StaleError, RefusedError, InvalidError: as ``propose``.
        """
        request = ai_pb2.AnalyzeRequest(
            session=self._position(seat),
            allow=allow,
            avoid=avoid,
            report_interval=duration(report_seconds),
            **asked(thinking),
        )
        metadata, seconds = bearer(self._held(seat)), thinking_seconds(thinking)
        return reports(self._calls, lambda: self._ai.Analyze(request, metadata=metadata, timeout=seconds))

    def plan_turn(self, seat: int, thinking: Thinking) -> Turn:
        """What a bot would play in the rest of the turn, as far as chance allows, with one budget for all.

        Raises:
            StaleError, RefusedError, InvalidError: as ``propose``.
        """
        request = ai_pb2.ChooseTurnRequest(session=self._position(seat), **asked(thinking))
        return read_turn(self._asked(self._ai.ChooseTurn, request, seat, thinking))

    def watch(self, seat: int = SPECTATOR, from_event: int = 0) -> Iterator[Change]:
        """The changes of the game as a seat sees them, until it is over: first where it stands, with all
        events from ``from_event`` on. If the server is gone for a while, it goes on where it was.
        """
        self._held(seat)
        return self._watched(seat, from_event)

    def take_over(self, seat: int, bot: BotSeat) -> None:
        """Lets the server play a seat by itself.

        Raises:
            StaleError: somebody else changed the seat at the same time.
            RefusedError: the game is over.
            InvalidError: the bot.
        """
        request = rules_pb2.TakeOverSeatRequest(game_id=self.id, bot=seat_bot(seat, bot))
        answer = self._calls.call(self._rules.TakeOverSeat, request, self._held(seat))
        self.status = read_status(answer.status)

    def give_back(self, seat: int) -> None:
        """Lets a person play a seat that the server plays.

        Raises:
            StaleError: somebody else changed the seat at the same time.
            RefusedError: no bot plays it.
        """
        request = rules_pb2.GiveBackSeatRequest(game_id=self.id, seat=seat)
        self._told(self._rules.GiveBackSeat, request, repeatable=False)

    def renew(self, seat: int) -> str:
        """Takes a new token for a seat, and returns it; all earlier ones of that seat are void. Any player
        may renew that of spectators.

        Raises:
            StaleError: somebody else changed the seat at the same time.
        """
        request = rules_pb2.RenewTokenRequest(game_id=self.id, seat=seat, request_id=self._request_id())
        shown = self._held(seat) if seat != SPECTATOR else self._any_player()
        answer = self._calls.call(self._rules.RenewToken, request, shown)
        self._tokens[seat] = answer.token
        return self._tokens[seat]

    def record(self, seat: int = SPECTATOR) -> Record:
        """The record of the game as a seat may know it, by default a spectator; all of it once it is over."""
        request = rules_pb2.GetRecordRequest(game_id=self.id, seat=seat)
        return read_record(self._told(self._rules.GetRecord, request).record)

    def verify(self) -> Verdict:
        """Deals a finished game again by the seed that the server shows, and says whether all luck was that.

        Raises:
            ValueError: the game is running, so its seed is secret.
            CommitmentError: the seed is not the one that the server committed to when this game began, or
                when it was joined.
        """
        record = self.record()
        if record.seed is None:
            raise ValueError("the seed of a running game is told nobody")
        if seed_commitment(record.seed) != self.commitment:
            raise CommitmentError("the server shows another seed than it committed to")
        return verify(GameRecord.parse(record.text), record.seed)

    def _watched(self, seat: int, from_event: int) -> Iterator[Change]:
        def open_at(event: int) -> Any:
            request = rules_pb2.WatchGameRequest(game_id=self.id, seat=seat, from_event=event)
            return self._rules.WatchGame(request, metadata=bearer(self._held(seat)), timeout=WATCH_SECONDS)

        for change in changes(self._calls, open_at, from_event):
            self.status = change.status
            yield change

    def _told(self, method: Callable[..., Any], request: Any, *, repeatable: bool = True) -> Any:
        """The answer to a request of a seat; where the game stands is noted."""
        answer = self._calls.call(method, request, self._held(request.seat), repeatable=repeatable)
        self.status = read_status(answer.status)
        return answer

    def _asked(self, method: Callable[..., Any], request: object, seat: int, thinking: Thinking) -> Any:
        return self._calls.call(method, request, self._held(seat), seconds=thinking_seconds(thinking))

    def _position(self, seat: int) -> ai_pb2.SessionPosition:
        return ai_pb2.SessionPosition(game_id=self.id, seat=seat, expected_revision=self.status.revision)

    def _held(self, seat: int) -> str:
        """The token that opens a seat; that of any seat lets look as a spectator does."""
        if seat in self._tokens:
            return self._tokens[seat]
        if seat == SPECTATOR and self._tokens:
            return next(iter(self._tokens.values()))
        if self._token:
            return self._token
        raise LookupError(f"the token of seat {seat} is not held")

    def _any_player(self) -> str:
        players = [seat for seat in self._tokens if seat != SPECTATOR]
        return self._held(players[0] if players else SPECTATOR)
