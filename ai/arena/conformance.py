"""Whether a bot does what ``BOTS.md`` asks of it: whole games, odd questions, and a clean end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from kingsbridge.ai.arena.bots import Bots, identity_of
from kingsbridge.ai.arena.faults import BotFaultError, FaultKind
from kingsbridge.ai.arena.outside_bot import Identity, OutsideBot
from kingsbridge.ai.arena.process_bot import ProcessBot
from kingsbridge.ai.arena.question import Question
from kingsbridge.ai.bot import Bot, Budget
from kingsbridge.pyengine import Dealer, InformationSet, Rng, State, describe, game_names, load_game

BUDGETS = (Budget(iterations=0), Budget(seconds=0.0), Budget(iterations=20), Budget(seconds=0.02), Budget())
"""What the decisions of a game are given in turn."""
THINKING = 0.2
"""Seconds that it is given to see whether it keeps time."""
LATE = 1.0
"""Seconds over the budget that are too many."""
END_SECONDS = 5.0
"""How long it may take to end after its input has ended."""
EXTRA = {"_check": {"nested": [1, None, "x"]}, "_later": "a member of a later protocol"}
"""What no program knows, and each must let pass."""

_SAMPLES = 6


class Outcome(Enum):
    """What came of a check."""

    PASSED = "ok"
    FAILED = "failed"
    NOTED = "note"
    """Nothing is wrong, but its author may want to know."""


class Finding(NamedTuple):
    """A check and what came of it. ``question`` is the one that the bot failed at, as it was sent."""

    check: str
    outcome: Outcome
    text: str
    question: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The finding as plain data, ready for ``json.dumps``."""
        return self._asdict() | {"outcome": self.outcome.value}


@dataclass(frozen=True, slots=True)
class Examination:
    """What to check: ``games`` (none: those it says it plays) with ``players`` seats (``None``: each number),
    ``rounds`` whole games of each, ``timeout`` wall seconds a decision, ``seed`` of all luck.
    """

    spec: str
    games: tuple[str, ...] = ()
    players: int | None = None
    rounds: int = 1
    timeout: float = 10.0
    seed: int = 1


class _Table(NamedTuple):
    """A game and a number of seats."""

    game: str
    players: int


class _FailedError(Exception):
    """The bot failed at a question."""

    def __init__(self, text: str, question: Question) -> None:
        super().__init__(text)
        self.question = question


def examine(examination: Examination) -> Iterator[Finding]:
    """Checks a bot, one finding after the other as they come. Without a greeting there is only one.

    Raises:
        UnknownBotError, BotOptionError: as ``open_bot``.
        UnknownGameError, OptionError: a game does not exist, or not for so many players.
    """
    tables = _tables(examination.games or game_names(), examination.players)
    with Bots() as bots:
        bot = bots.seated(examination.spec, 0, examination.timeout)
        try:
            identity = _identity(bot, examination)
        except BotFaultError as fault:
            yield Finding("greets", Outcome.FAILED, _kind(fault))
            return
        yield Finding("greets", Outcome.PASSED, f"{identity.name} {identity.version}".strip())
        if identity.games and not examination.games:
            tables = [table for table in tables if table.game in identity.games]
        for table in tables:
            yield _found(f"plays {table.game} with {table.players}", partial(_play, bots, examination, table))
        if tables:
            yield from _odd_questions(bots.seated(examination.spec, 0, examination.timeout), tables[0])
        else:
            yield Finding("plays", Outcome.FAILED, f"only {', '.join(identity.games)}, as it says")


def _tables(games: Sequence[str], players: int | None) -> list[_Table]:
    """The games with each number of players, or with the one that is asked for where there is one."""
    counts = {game: range(describe(game).min_players, describe(game).max_players + 1) for game in games}
    tables = [_Table(game, count) for game in games for count in counts[game] if players in (None, count)]
    if not tables and players is not None:
        load_game(games[0], players)  # which says why not
    return tables


def _identity(bot: Bot, examination: Examination) -> Identity:
    return bot.identity() if isinstance(bot, OutsideBot) else identity_of(examination.spec)


def _odd_questions(bot: Bot, table: _Table) -> Iterator[Finding]:
    first, second = (_positions(table, seed, _SAMPLES) for seed in range(2))
    yield _found("keeps time", lambda: _keep_time(bot, first))
    yield _found("takes games mixed", lambda: _mix(bot, first, second))
    yield _found("repeats itself", lambda: _repeat(bot, first))
    if isinstance(bot, ProcessBot):
        yield _found("lets unknown members pass", lambda: _let_pass(bot, first))
        yield _found("ends with its input", lambda: _end(bot))


def _found(check: str, run: Callable[[], Finding | str]) -> Finding:
    """The finding of a check that returns what it saw, or raises."""
    try:
        seen = run()
    except _FailedError as error:
        return Finding(check, Outcome.FAILED, str(error), error.question.to_json())
    except BotFaultError as fault:
        return Finding(check, Outcome.FAILED, _kind(fault))
    return seen._replace(check=check) if isinstance(seen, Finding) else Finding(check, Outcome.PASSED, seen)


def _play(bots: Bots, examination: Examination, table: _Table) -> str:
    """Whole games against random play, the bot in one seat after the other."""
    decisions = forced = 0
    for number in range(examination.rounds):
        seat = number % table.players
        bot = bots.seated(examination.spec, seat, examination.timeout)
        rng = Rng(examination.seed, number)
        for state in _decisions(table, examination.seed + number):
            if state.current_player != seat:
                state.apply(state.sample_action(rng, "uniform"))
                continue
            info = state.information_set(seat)
            state.apply(_ask(bot, info, BUDGETS[decisions % len(BUDGETS)], decisions))
            decisions += 1
            forced += len(info.legal_actions()) == 1
    return f"{decisions} decisions, {forced} of them forced"


def _keep_time(bot: Bot, positions: list[InformationSet]) -> Finding | str:
    longest = 0.0
    for number, info in enumerate(positions):
        started = time.monotonic()
        _ask_apart(bot, info, Budget(seconds=THINKING), number, "time")
        longest = max(longest, time.monotonic() - started)
    text = f"at most {longest:.2f} s where it was given {THINKING} s"
    return text if longest <= THINKING + LATE else Finding("", Outcome.FAILED, text)


def _mix(bot: Bot, first: list[InformationSet], second: list[InformationSet]) -> str:
    """Questions of two games in turn, those of the second game last to first."""
    for number, pair in enumerate(zip(first, reversed(second), strict=True)):
        for name, info in zip(("first", "second"), pair, strict=True):
            _ask_apart(bot, info, Budget(iterations=0), number, name)
    return f"{2 * len(first)} questions of two games"


def _repeat(bot: Bot, positions: list[InformationSet]) -> Finding | str:
    budget = Budget(iterations=20)
    twice = [
        [_ask_apart(bot, info, budget, number, name) for name in ("once", "again")]
        for number, info in enumerate(positions)
    ]
    changed = sum(one != other for one, other in twice)
    if changed:
        text = f"{changed} of {len(positions)} answers changed with the same question, iterations and seed"
        return Finding("", Outcome.NOTED, text)
    return f"{len(positions)} questions asked twice"


def _let_pass(bot: ProcessBot, positions: list[InformationSet]) -> str:
    other = bot.with_extra(EXTRA)
    try:
        for number, info in enumerate(positions):
            _ask_apart(other, info, Budget(iterations=0), number, "extra")
    finally:
        other.close()
    return f"{len(positions)} questions with members it cannot know"


def _end(bot: ProcessBot) -> Finding | str:
    bot.identity()
    if bot.end(END_SECONDS):
        return "its process ended when its input did"
    return Finding(
        "", Outcome.FAILED, f"it ran on for {END_SECONDS:.0f} s after its input ended, and was killed"
    )


def _ask_apart(bot: Bot, info: InformationSet, budget: Budget, number: int, game: str) -> int:
    """As ``_ask``, as the decision ``number`` of a seat of a game of this name."""
    if isinstance(bot, OutsideBot):
        bot.begin_game(f"{game}-{info.seat}", bot.timeout, number)
    return _ask(bot, info, budget, number)


def _ask(bot: Bot, info: InformationSet, budget: Budget, number: int) -> int:
    """The bot's action; the same ``number`` gives the same seed."""
    question = Question(info, tuple(info.legal_actions()), budget, Rng(number).next())
    try:
        action = bot.choose(info, budget, Rng(number)).action
        return question.meant(action, bot.name)
    except BotFaultError as fault:
        raise _FailedError(_kind(fault), _sent(bot) or question) from fault
    except Exception as error:
        text = f"{FaultKind.CRASH.value}: {type(error).__name__}: {error}"
        raise _FailedError(text, _sent(bot) or question) from error


def _sent(bot: Bot) -> Question | None:
    return bot.question if isinstance(bot, OutsideBot) else None


def _kind(fault: BotFaultError) -> str:
    return f"{fault.kind.value}: {fault}"


def _decisions(table: _Table, seed: int) -> Iterator[State]:
    """A game, at each of its decisions; whoever iterates plays them."""
    state, dealer = load_game(table.game, table.players), Dealer(seed)
    dealer.settle(state)
    while not state.is_terminal:
        yield state
        dealer.settle(state)


def _positions(table: _Table, seed: int, count: int) -> list[InformationSet]:
    """The first decisions with a choice of a random game, each seen from the seat to move."""
    found: list[InformationSet] = []
    rng = Rng(seed)
    for state in _decisions(table, seed):
        info = state.information_set(state.current_player)
        if len(info.legal_actions()) > 1:
            found.append(info)
        if len(found) == count:
            break
        state.apply(state.sample_action(rng, "uniform"))
    return found
