"""A bot that decides outside this process: what all such bots have in common."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import NamedTuple

from kingsbridge.ai.arena.question import Answer, Question
from kingsbridge.ai.bot import Budget, Clock, Decision, Report, StopFlag, StopReason, never
from kingsbridge.ai.choices import considered
from kingsbridge.ai.search import acting_seat
from kingsbridge.pyengine import InformationSet, Rng


class Identity(NamedTuple):
    """Who a bot says it is, to be kept with results. ``games`` it plays; empty: all."""

    name: str
    version: str
    games: tuple[str, ...] = ()


class OutsideBot(ABC):
    """A bot behind a pipe or a channel, opened by the first question and kept open until ``close``.

    It opens again after a fault. One thread at a time may use it.
    """

    def __init__(self, name: str, timeout: float) -> None:
        """``name`` is the spec it was named by. ``timeout``: wall seconds after which an answer is none."""
        self._name = name
        self._timeout = timeout
        self._game_id = ""
        self._decisions = 0
        self._asked = 0
        self._question: Question | None = None

    @property
    def name(self) -> str:
        """The spec it was named by."""
        return self._name

    @property
    def timeout(self) -> float:
        """Wall seconds that one decision may take."""
        return self._timeout

    @property
    def question(self) -> Question | None:
        """What it was asked last."""
        return self._question

    def begin_game(self, game_id: str, timeout: float, decisions: int = 0) -> None:
        """The questions that follow are of another game: ``game_id`` names its seat in it, which has made
        so many decisions before.
        """
        self._game_id = game_id
        self._timeout = timeout
        self._decisions = decisions

    def choose(
        self,
        info: InformationSet,
        budget: Budget,
        rng: Rng,
        *,
        clock: Clock = time.monotonic,
        should_stop: StopFlag = never,  # noqa: ARG002 - an answer is waited for until the time limit
        among: Collection[int] | None = None,
        report: Report | None = None,  # noqa: ARG002 - it tells nothing on the way
    ) -> Decision:
        """As ``Bot.choose``; one draw of ``rng`` is the seed that the bot is told.

        Raises:
            ValueError: as ``Bot.choose``.
            BotFaultError: it failed; the next question finds it opened anew, if need be.
        """
        started = clock()
        acting_seat(info)
        actions = tuple(considered(info.legal_actions(), among))
        question = Question(
            info,
            actions,
            _told(budget, started),
            rng.next(),
            self._game_id,
            self._decisions,
            self._asked,
        )
        self._question = question
        self._decisions += 1
        self._asked += 1
        answer = self._ask(question)
        action = question.meant(answer.action, self._name)
        return Decision(action, (), (action,), answer.iterations, clock() - started, StopReason.POLICY)

    @abstractmethod
    def identity(self) -> Identity:
        """Who it says it is.

        Raises:
            BotFaultError: it cannot be asked.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends it, or lets go of it. It may be asked again, and then opens anew."""

    @abstractmethod
    def _ask(self, question: Question) -> Answer:
        """The bot's answer within the time limit, unchecked.

        Raises:
            BotFaultError: there is none.
        """


def _told(budget: Budget, now: float) -> Budget:
    """The budget as a bot elsewhere can read it: a deadline as seconds from now, endless seconds as none."""
    ends = [] if budget.seconds is None else [budget.seconds]
    if budget.deadline is not None:
        ends.append(max(0.0, budget.deadline - now))
    seconds = min(ends, default=math.inf)
    return Budget(budget.iterations, seconds if math.isfinite(seconds) else None)
