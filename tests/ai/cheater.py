"""A search that cheats, to measure what cheating would bring: it lives in the tests and nowhere else.

It is the reference search with worlds that are no guess. One that *sees* takes the true state for every
iteration, and draws the luck to come like anyone. One that *foresees* also knows that luck: chance in its
worlds, in the tree and in rollouts, brings what the dealer of the game will bring.
"""

from __future__ import annotations

import copy
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol, Self

from kingsbridge.ai import Bot, Budget, Decision
from kingsbridge.ai.arena.schedule import bot_seed, deal_seed
from kingsbridge.ai.bot import never
from kingsbridge.ai.search import SearchParams, search
from kingsbridge.ai.world import Sampler, SearchState, Worth
from kingsbridge.pyengine import CHANCE, TERMINAL, Dealer, Rng, State, load_game


class Fate(Protocol):
    """Who settles chance: a ``Dealer``."""

    def outcome(self, state: Any) -> int:
        """What comes at this chance node."""


class Foreseen:
    """A state whose chance is settled by a fate; all else is passed on."""

    def __init__(self, state: SearchState, fate: Fate) -> None:
        self._state: Any = state
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def copy(self) -> Self:
        return type(self)(self._state.copy(), fork(self._fate))

    def sample_chance(self, rng: Rng) -> int:
        return self._fate.outcome(self._state)

    def rollout(  # noqa: PLR0917 - the protocol of a SearchState
        self,
        rng: Rng,
        policy: str = "light",
        length: int | None = None,
        rounds: int | None = None,
        margin: float = 0.5,
        reach: int = 16,
    ) -> Worth:
        """Decisions are those of a native rollout, chance is as foreseen. It uses up this state."""
        state = self._state
        last = inf if rounds is None else state.round + rounds
        while state.current_player != TERMINAL:
            if state.current_player == CHANCE:
                state.apply(self._fate.outcome(state))
                continue
            if length == 0 or state.round >= last:
                break
            length = None if length is None else length - 1
            state.apply(state.sample_action(rng, policy))
        # Nothing is left to play: the evaluation.
        worth: Worth = state.rollout(rng, policy, 0, None, margin, reach)
        return worth


def fork(fate: Fate) -> Fate:
    """One who goes on as this one would, and does not count for it."""
    other = copy.copy(fate)
    if isinstance(other, Dealer):
        other._seen = Counter(other._seen)  # its other fields never change what comes
    return other


def seeing(state: SearchState) -> Sampler:
    """A sampler of nothing but the truth."""
    return lambda info, rng: state.copy


def foreseeing(state: SearchState, fate: Fate) -> Sampler:
    """A sampler of the truth with the future that is its own."""
    return lambda info, rng: lambda: Foreseen(state.copy(), fork(fate))


@dataclass(frozen=True)
class Cheater:
    """Decides from the true state, which no bot is given."""

    foresees: bool = False
    params: SearchParams = SearchParams()  # noqa: RUF009 - a frozen value

    def choose(self, state: State, dealer: Dealer, budget: Budget, rng: Rng) -> Decision:
        info = state.information_set(state.current_player)
        sampler = foreseeing(state, dealer) if self.foresees else seeing(state)
        return search(info, sampler, self.params, budget, rng, clock=time.monotonic, should_stop=never)


Seat = Callable[[State, Dealer, Rng], int]
"""Chooses an action where the truth lies open."""


def play(game: str, seats: list[Seat], seed: int, rotation: int) -> State:
    """The end of one game; deal and streams are those of a match between bots."""
    state, dealer = load_game(game, len(seats)), Dealer(deal_seed(seed))
    rngs = [Rng(bot_seed(seed, rotation, seat)) for seat in range(len(seats))]
    dealer.settle(state)
    while not state.is_terminal:
        mover = state.current_player
        state.apply(seats[mover](state.copy(), dealer, rngs[mover]))
        dealer.settle(state)
    return state


def win_share(game: str, cheater: Cheater, fair: Bot, budget: Budget, seed: int) -> float:
    """What the cheater wins of a block: one deal with two players, played from either seat."""

    def cheats(state: State, dealer: Dealer, rng: Rng) -> int:
        return cheater.choose(state, dealer, budget, rng).action

    def is_fair(state: State, dealer: Dealer, rng: Rng) -> int:
        return fair.choose(state.information_set(state.current_player), budget, rng).action

    first = play(game, [cheats, is_fair], seed, 0).win_shares()[0]
    second = play(game, [is_fair, cheats], seed, 1).win_shares()[1]
    return (first + second) / 2
