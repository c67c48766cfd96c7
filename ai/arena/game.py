"""One game between bots: the dealer settles chance, each seat's bot decides from what that seat knows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kingsbridge.ai.arena.contest import CLOCKS, Contest, TimeControl
from kingsbridge.ai.arena.faults import BotFaultError, Fault, FaultKind, FaultPolicy
from kingsbridge.ai.arena.played import Ending
from kingsbridge.ai.arena.purse import Purse
from kingsbridge.ai.arena.question import named
from kingsbridge.ai.arena.schedule import bot_seed, deal_seed, stand_in_seed
from kingsbridge.ai.bot import Bot, Budget, Clock, Decision, StopFlag, never
from kingsbridge.pyengine import Dealer, Rng, State, load_game


class DealError(RuntimeError):
    """Deals are not what they must be: the same within a block, different between blocks."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that was played; tuples have one entry a seat.

    ``actions`` are all events in order, chance included: they replay the game. The first ``len(opening)`` of
    them are the deal, which happens by chance with probability ``opening_probability``. By decision:
    ``deciders`` (the seat), ``iterations`` (0 of a bot that does not search) and ``seconds``. Of a game that
    a fault ended, scores are those at its end; see ``FaultPolicy`` for who wins.
    """

    game: str
    players: int
    options: Mapping[str, int]
    ending: Ending
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    win_shares: tuple[float, ...]
    actions: tuple[int, ...]
    opening: tuple[int, ...]
    opening_probability: float
    deciders: tuple[int, ...]
    iterations: tuple[int, ...]
    faults: tuple[Fault, ...]
    seconds: tuple[float, ...] = field(compare=False)

    @property
    def decisions(self) -> int:
        """How many decisions bots took."""
        return len(self.deciders)


def contest_game(contest: Contest, bots: Sequence[Bot], seed: int, number: int) -> GameResult:
    """Plays a game of a contest, one bot a seat; ``seed`` and ``number`` as in ``play_game``.

    Raises:
        ValueError: not one bot a seat.
        BotFaultError: a bot failed, and the contest's policy is to stop.
    """
    return play_game(
        contest.game,
        contest.players,
        contest.options,
        bots,
        seed,
        number=number,
        time_control=contest.time_control,
        on_fault=contest.on_fault,
        clock=CLOCKS[contest.clock],
    )


def play_game(
    game: str,
    players: int,
    options: Mapping[str, int],
    bots: Sequence[Bot],
    seed: int,
    *,
    number: int = 0,
    time_control: TimeControl | None = None,
    on_fault: FaultPolicy = FaultPolicy.STOP,
    clock: Clock = time.monotonic,
    should_stop: StopFlag = never,
) -> GameResult:
    """Plays one game to the end, one bot a seat.

    ``seed`` (128 bits) fixes the luck of the deal; each seat's bot has a stream of its own, by ``seed``,
    ``number`` (of the game in its block) and seat.

    Raises:
        ValueError: not one bot a seat.
        BotFaultError: a bot failed, and ``on_fault`` is ``STOP``.
        UnknownGameError, OptionError: as ``load_game``.
    """
    if len(bots) != players:
        raise ValueError(f"{len(bots)} bots for {players} seats")
    state = load_game(game, players, **options)
    dealer = Dealer(deal_seed(seed))
    opening, probability = _deal(state, dealer)
    actions = list(opening)
    control = time_control or TimeControl()
    seats = [
        _Seat(bot, seat, _streams(seed, number, seat), Purse(control, clock), should_stop)
        for seat, bot in enumerate(bots)
    ]
    notes = _Notes()
    mover = None
    while not state.is_terminal:
        mover = seats[state.current_player]
        action = mover.decide(state, notes, on_fault)
        if action is None:
            break
        state.apply(action)
        actions += [action, *dealer.settle(state)]
    ending, ranks, shares = _ending(state, mover, on_fault)
    return GameResult(
        game=game,
        players=players,
        options=state.options,
        ending=ending,
        scores=state.scores(),
        ranks=ranks,
        win_shares=shares,
        actions=tuple(actions),
        opening=opening,
        opening_probability=probability,
        deciders=tuple(notes.deciders),
        iterations=tuple(notes.iterations),
        faults=tuple(notes.faults),
        seconds=tuple(notes.seconds),
    )


def _streams(seed: int, number: int, seat: int) -> tuple[Rng, Rng]:
    """The luck of the bot in a seat, and of what is played in its stead if it fails."""
    return Rng(bot_seed(seed, number, seat)), Rng(stand_in_seed(seed, number, seat))


def _deal(state: State, dealer: Dealer) -> tuple[tuple[int, ...], float]:
    """Settles the chance events before the first decision; returns them with their probability."""
    outcomes = []
    probability = 1.0
    while state.is_chance:
        weights = dict(state.chance_outcomes())
        outcome = dealer.outcome(state)
        probability *= weights[outcome] / sum(weights.values())
        outcomes.append(outcome)
        state.apply(outcome)
    return tuple(outcomes), probability


def _ending(
    state: State, last: _Seat | None, on_fault: FaultPolicy
) -> tuple[Ending, tuple[int, ...], tuple[float, ...]]:
    """How the game ended, with ranks and win shares; ``last`` decided last, or failed to."""
    if state.is_terminal or last is None:
        return Ending.FINISHED, state.ranks(), state.win_shares()
    seats = range(state.players)
    if on_fault is FaultPolicy.VOID:
        return Ending.VOID, (0,) * len(seats), (1 / len(seats),) * len(seats)
    ranks = tuple(int(seat != last.seat) for seat in seats)
    return Ending.FORFEIT, ranks, tuple(rank / (len(seats) - 1) for rank in ranks)


class _Notes:
    """What is written down of the decisions of a game, in their order."""

    __slots__ = ("deciders", "faults", "iterations", "seconds")

    def __init__(self) -> None:
        self.deciders: list[int] = []
        self.iterations: list[int] = []
        self.seconds: list[float] = []
        self.faults: list[Fault] = []


class _Seat:
    """A bot in its seat: what it may still spend, and its luck. The state itself is not shown to it."""

    def __init__(self, bot: Bot, seat: int, streams: tuple[Rng, Rng], purse: Purse, stop: StopFlag) -> None:
        self.bot = bot
        self.seat = seat
        self._purse = purse
        self._should_stop = stop
        self._rng, self._stand_in = streams

    def decide(self, state: State, notes: _Notes, on_fault: FaultPolicy) -> int | None:
        """The action to play, by the bot or for it; ``None``: its fault ends the game."""
        iterations = 0
        action: int | None
        try:
            decision = self._ask(state, notes)
            iterations, action = decision.iterations, decision.action
        except BotFaultError as error:
            if on_fault is FaultPolicy.STOP:
                raise
            notes.faults.append(Fault(error.kind, self.seat, len(notes.deciders), str(error)))
            action = self._instead(state, on_fault)
        notes.deciders.append(self.seat)
        notes.seconds.append(self._purse.last)
        notes.iterations.append(iterations)
        return action

    def _instead(self, state: State, on_fault: FaultPolicy) -> int | None:
        """What is played for a bot that failed: drawn from a stream that belongs to nobody else."""
        if on_fault is not FaultPolicy.RANDOM:
            return None
        legal = state.legal_actions()
        return legal[self._stand_in.below(len(legal))]

    def _ask(self, state: State, notes: _Notes) -> Decision:
        """The bot's decision: legal, and in time.

        Raises:
            BotFaultError: it is not, or there is none.
        """
        info = state.information_set(self.seat)
        begins_turn = not notes.deciders or notes.deciders[-1] != self.seat

        def think(budget: Budget) -> Decision:
            return self.bot.choose(
                info, budget, self._rng, clock=self._purse.clock, should_stop=self._should_stop
            )

        try:
            decision = self._purse.spend(think, begins_turn=begins_turn)
        except BotFaultError:
            raise
        except (Exception, SystemExit) as error:
            raise self._fault(FaultKind.CRASH, f"raised {type(error).__name__}: {error}") from error
        if not _is_decision(decision):
            raise self._fault(FaultKind.ILLEGAL, f"answered {decision!r:.200}, which is no decision")
        if not state.is_legal(decision.action):
            answer = named(state.game, decision.action)
            raise self._fault(FaultKind.ILLEGAL, f"answered {answer}, which is illegal")
        if self._purse.late:
            raise self._fault(FaultKind.TIMEOUT, self._purse.late)
        return decision

    def _fault(self, kind: FaultKind, what: str) -> BotFaultError:
        return BotFaultError(kind, f'bot "{self.bot.name}" in seat {self.seat} {what}')


def _is_decision(answer: object) -> bool:
    """Whether a bot, which may be anybody's, gave what it should."""
    return (
        isinstance(answer, Decision)
        and all(type(each) is int and each >= 0 for each in (answer.action, answer.iterations))
        and answer.action < 1 << 32
    )
