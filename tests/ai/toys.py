"""Toy games with known answers, in plain Python: they quack like the engine's states as far as a search
listens.

A state is its history. What a seat knows is what it observed of it, and imagining enumerates all histories
that look the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from kingsbridge.ai.world import Worth
from kingsbridge.pyengine import CHANCE, OUTLOOK_POINT, TERMINAL, UTILITY_ONE, Rng

Weights = list[tuple[int, int]]


@dataclass
class Toy(ABC):
    """A game of ``players`` seats; events are small integers."""

    history: tuple[int, ...] = ()
    players: ClassVar[int] = 2

    @property
    @abstractmethod
    def current_player(self) -> int: ...

    @abstractmethod
    def legal_actions(self) -> list[int]: ...

    @abstractmethod
    def payoffs(self) -> tuple[float, ...]:
        """What each seat gets at the end, 0 to 1."""

    def chance_outcomes(self) -> Weights:
        return []

    def observed(self, action: int, seat: int) -> int:
        return action

    heuristic_point = 1

    def heuristic(self) -> list[int]:
        return [0] * len(self.legal_actions())

    def copy(self) -> Self:
        return type(self)(self.history)

    def apply(self, action: int) -> None:
        legal = self.legal_actions() or [outcome for outcome, _ in self.chance_outcomes()]
        assert action in legal, (self.history, action)
        self.history = (*self.history, action)

    def sample_chance(self, rng: Rng) -> int:
        outcomes = self.chance_outcomes()
        left = rng.below(sum(weight for _, weight in outcomes))
        for outcome, weight in outcomes:
            left -= weight
            if left < 0:
                return outcome
        raise AssertionError("no chance node")

    def utilities(self) -> tuple[int, ...]:
        return tuple(round(share * UTILITY_ONE) for share in self.payoffs())

    def sample_action(self, rng: Rng, policy: str = "light") -> int:
        legal = self.legal_actions()
        return legal[rng.below(len(legal) if policy == "uniform" else max(1, len(legal) - 1))]

    def rollout(self, rng: Rng, policy: str = "light", length: int | None = None, *_: Any) -> Worth:
        """Uniform play; ``"light"`` leaves out the highest action. A game cut off is worth a half to each and
        three points; in the end a payoff of 1 is ten points, and the most is the win.
        """
        state, decisions = self.copy(), 0
        while state.current_player != TERMINAL:
            if state.current_player == CHANCE:
                state.apply(state.sample_chance(rng))
                continue
            if decisions == length:
                even = tuple(UTILITY_ONE // 2 for _ in range(self.players))
                return even, even, (3 * OUTLOOK_POINT,) * self.players
            decisions += 1
            state.apply(state.sample_action(rng, policy))
        return state.worth()

    def worth(self) -> Worth:
        payoffs, most = self.payoffs(), max(self.payoffs())
        shares = tuple(UTILITY_ONE // payoffs.count(most) * (each == most) for each in payoffs)
        return self.utilities(), shares, tuple(round(10 * each * OUTLOOK_POINT) for each in payoffs)

    def after(self, *events: int) -> Self:
        state = self.copy()
        for event in events:
            state.apply(event)
        return state

    def view(self, seat: int) -> tuple[int, ...]:
        state = type(self)()
        seen = []
        for event in self.history:
            seen.append(state.observed(event, seat))
            state.apply(event)
        return tuple(seen)

    def information_set(self, seat: int) -> ToyInformation:
        return ToyInformation(type(self), seat, self.view(seat))


@dataclass(frozen=True)
class ToyInformation:
    """What a seat observed, and no more: the state it came from is forgotten."""

    toy: type[Toy]
    seat: int
    view: tuple[int, ...]
    worlds: list[tuple[Toy, int]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "worlds", _worlds(self.toy(), 1, self.seat, self.view))

    rule: ClassVar[str] = "ucb1"
    horizon: ClassVar[tuple[int | None, int | None]] = (None, None)

    @property
    def game(self) -> str:
        return self.toy.__name__

    @property
    def players(self) -> int:
        return self.toy.players

    @property
    def current_player(self) -> int:
        return self.worlds[0][0].current_player

    def legal_actions(self) -> list[int]:
        return self.worlds[0][0].legal_actions() if self.current_player == self.seat else []

    def imagine(self, rng: Rng) -> Toy:
        left = rng.below(sum(weight for _, weight in self.worlds))
        for world, weight in self.worlds:
            left -= weight
            if left < 0:
                return world.copy()
        raise AssertionError("no world looks like this")


def _worlds(state: Toy, weight: int, seat: int, view: tuple[int, ...]) -> list[tuple[Toy, int]]:
    """All states that look like ``view`` to ``seat``, with their weight of chance."""
    if not view:
        return [(state, weight)]
    branches: Weights = state.chance_outcomes() or [(action, 1) for action in state.legal_actions()]
    found = []
    for event, share in branches:
        if state.observed(event, seat) == view[0]:
            found += _worlds(state.after(event), weight * share, seat, view[1:])
    return found


class Kuhn(Toy):
    """Kuhn poker (1950): three cards, one each, ante 1, one bet of 1. Only its owner sees a card."""

    JACK, QUEEN, KING = 1, 2, 3
    PASS, BET = 0, 1
    DEAL: ClassVar[tuple[int, int]] = (100, 200)  # plus the card

    @property
    def current_player(self) -> int:
        if len(self.history) < 2:
            return CHANCE
        played = self.history[2:]
        over = played in ((0, 0), (1, 0), (1, 1), (0, 1, 0), (0, 1, 1))
        return TERMINAL if over else len(played) % 2

    def legal_actions(self) -> list[int]:
        return [self.PASS, self.BET] if self.current_player >= 0 else []

    def chance_outcomes(self) -> Weights:
        if len(self.history) >= 2:
            return []
        dealt = {event % 100 for event in self.history}
        base = self.DEAL[len(self.history)]
        return [(base + card, 1) for card in (1, 2, 3) if card not in dealt]

    def observed(self, action: int, seat: int) -> int:
        owner = action // 100 - 1
        return action if owner in (-1, seat) else action - action % 100

    def payoffs(self) -> tuple[float, float]:
        first, second = (event % 100 for event in self.history[:2])
        winner = 1.0 if first > second else -1.0
        won = {
            (0, 0): winner,
            (1, 0): 1.0,
            (1, 1): 2 * winner,
            (0, 1, 0): -1.0,
            (0, 1, 1): 2 * winner,
        }[self.history[2:]]
        return (won + 2) / 4, (2 - won) / 4


class ThreeSeats(Toy):
    """Three seats, no chance. Max^n (Luckhardt and Irani 1986) goes right for 0.7; a paranoid first seat goes
    left, and so does one who thinks that all play for him.
    """

    players = 3
    LEFT, RIGHT = 1, 2
    _TURNS: ClassVar[dict[tuple[int, ...], int]] = {(): 0, (1,): 1, (2,): 2, (1, 2): 2}
    _PAYOFFS: ClassVar[dict[tuple[int, ...], tuple[float, ...]]] = {
        (1, 1): (0.4, 0.5, 0.6),
        (1, 2, 1): (1.0, 0.9, 0.0),
        (1, 2, 2): (0.1, 0.1, 0.8),
        (2, 1): (0.7, 0.2, 0.9),
        (2, 2): (0.0, 0.9, 0.3),
    }

    @property
    def current_player(self) -> int:
        return self._TURNS.get(self.history, TERMINAL)

    def legal_actions(self) -> list[int]:
        return [1, 2] if self.history in self._TURNS else []

    def payoffs(self) -> tuple[float, ...]:
        return self._PAYOFFS[self.history]


class Lotteries(Toy):
    """The first seat chooses a lottery of chance 1/3 or 3/5, or half a win for sure; the rest goes to the
    other seat.
    """

    POOR, GOOD, SURE = 1, 2, 3
    LOST, WON = 50, 51
    _WEIGHTS: ClassVar[dict[int, tuple[int, int]]] = {1: (2, 1), 2: (2, 3)}
    EXPECTED: ClassVar[dict[int, float]] = {1: 1 / 3, 2: 3 / 5, 3: 1 / 2}

    @property
    def current_player(self) -> int:
        if not self.history:
            return 0
        return CHANCE if self.chance_outcomes() else TERMINAL

    def legal_actions(self) -> list[int]:
        return [] if self.history else [1, 2, 3]

    def chance_outcomes(self) -> Weights:
        if len(self.history) != 1 or self.history[0] == self.SURE:
            return []
        lost, won = self._WEIGHTS[self.history[0]]
        return [(self.LOST, lost), (self.WON, won)]

    def payoffs(self) -> tuple[float, float]:
        won = 0.5 if self.history[0] == self.SURE else float(self.history[1] == self.WON)
        return won, 1 - won


class HiddenCoin(Toy):
    """A coin lies hidden. The first seat takes 0.6 for sure, or guesses for all or nothing (half of it)."""

    SURE, HEADS, TAILS = 1, 2, 3
    COIN = 100

    @property
    def current_player(self) -> int:
        return (CHANCE, 0, TERMINAL)[len(self.history)]

    def legal_actions(self) -> list[int]:
        return [1, 2, 3] if len(self.history) == 1 else []

    def chance_outcomes(self) -> Weights:
        return [] if self.history else [(self.COIN + 2, 1), (self.COIN + 3, 1)]

    def observed(self, action: int, seat: int) -> int:
        return min(action, self.COIN)

    def heuristic(self) -> list[int]:
        return [1, 5, 5]

    def payoffs(self) -> tuple[float, float]:
        coin, guess = self.history
        won = 0.6 if guess == self.SURE else float(coin - self.COIN == guess)
        return won, 1 - won


class SealedNote(Toy):
    """The first seat writes 1 or 2 unseen, the second guesses it, then the first moves to no effect."""

    SEALED = 9

    @property
    def current_player(self) -> int:
        return (0, 1, 0, TERMINAL)[len(self.history)]

    def legal_actions(self) -> list[int]:
        return [1, 2] if len(self.history) < 3 else []

    def observed(self, action: int, seat: int) -> int:
        return self.SEALED if not self.history and seat == 1 else action

    def payoffs(self) -> tuple[float, float]:
        guessed = float(self.history[0] == self.history[1])
        return 1 - guessed, guessed


class SecretWeapon(Toy):
    """Chance gives the second seat action 3 (1 in 4) or 2; nobody else sees which. Action 3 wins for it, all
    others lose.
    """

    DULL, SHARP = 102, 103

    @property
    def current_player(self) -> int:
        return (CHANCE, 0, 1, TERMINAL)[len(self.history)]

    def legal_actions(self) -> list[int]:
        if len(self.history) == 2:
            return [1, self.history[0] - 100]
        return [1, 2] if len(self.history) == 1 else []

    def chance_outcomes(self) -> Weights:
        return [] if self.history else [(self.DULL, 3), (self.SHARP, 1)]

    def observed(self, action: int, seat: int) -> int:
        return 100 if action > 100 and seat == 0 else action

    def payoffs(self) -> tuple[float, float]:
        won = float(self.history[2] == 3)
        return 1 - won, won


class Reveal(Toy):
    """The first seat moves, one of 35 cards is shown, the second seat calls odd (1) or even (2). ``POOLED``
    hides which card.
    """

    POOLED: ClassVar[bool] = True
    CARD = 100

    @property
    def current_player(self) -> int:
        return (0, CHANCE, 1, TERMINAL)[len(self.history)]

    def legal_actions(self) -> list[int]:
        return [1, 2] if len(self.history) in (0, 2) else []

    def chance_outcomes(self) -> Weights:
        return [(self.CARD + card, 1) for card in range(35)] if len(self.history) == 1 else []

    def observed(self, action: int, seat: int) -> int:
        return min(action, self.CARD) if self.POOLED else action

    def payoffs(self) -> tuple[float, float]:
        called = float(self.history[1] % 2 == self.history[2] % 2)
        return 1 - called, called


class OpenReveal(Reveal):
    """The same, every card told apart."""

    POOLED = False


class Countdown(Toy):
    """Nim: take 1 to 3 of 10 stones; who takes the last wins. Leave a multiple of 4, so take 2."""

    @property
    def current_player(self) -> int:
        return len(self.history) % 2 if sum(self.history) < 10 else TERMINAL

    def legal_actions(self) -> list[int]:
        return list(range(1, min(3, 10 - sum(self.history)) + 1))

    def heuristic(self) -> list[int]:
        return [7, 3, 9][: len(self.legal_actions())]

    def payoffs(self) -> tuple[float, float]:
        first = float(len(self.history) % 2)
        return first, 1 - first


class Alone(Countdown):
    """As ``Countdown``, but there is always one stone to take and nothing else."""

    def legal_actions(self) -> list[int]:
        return [1] if sum(self.history) < 10 else []


class FakeClock:
    """Each look at it costs ``step`` seconds."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 100.0
        self.step = step
        self.looks = 0

    def __call__(self) -> float:
        self.now += self.step
        self.looks += 1
        return self.now


class Bound(Toy):
    """Chance binds the hands of the first seat (1 in 2), which only that seat sees: then it has one action,
    else two. Nothing else happens.
    """

    BOUND, FREE = 101, 102

    @property
    def current_player(self) -> int:
        return (CHANCE, 0, TERMINAL)[len(self.history)]

    def legal_actions(self) -> list[int]:
        return list(range(1, self.history[0] - 99)) if len(self.history) == 1 else []

    def chance_outcomes(self) -> Weights:
        return [] if self.history else [(self.BOUND, 1), (self.FREE, 1)]

    def observed(self, action: int, seat: int) -> int:
        return 100 if action > 100 and seat != 0 else action

    def payoffs(self) -> tuple[float, float]:
        return 0.5, 0.5


class Menu(Toy):
    """The first seat takes one of five dishes, each of known worth to it."""

    WORTH: ClassVar[dict[int, float]] = {1: 0.1, 2: 0.9, 3: 0.5, 4: 0.7, 5: 0.3}

    @property
    def current_player(self) -> int:
        return TERMINAL if self.history else 0

    def legal_actions(self) -> list[int]:
        return [] if self.history else sorted(self.WORTH)

    def payoffs(self) -> tuple[float, float]:
        worth = self.WORTH[self.history[0]]
        return worth, 1 - worth


class EvenMenu(Menu):
    """All of equal worth."""

    WORTH: ClassVar[dict[int, float]] = dict.fromkeys(range(1, 6), 0.5)


class DarkCoin(HiddenCoin):
    """A coin lies hidden; the first seat guesses it, or says something that is sure to be wrong."""

    def legal_actions(self) -> list[int]:
        return [self.HEADS, self.TAILS, 4, 5] if len(self.history) == 1 else []

    def heuristic(self) -> list[int]:
        return [0] * len(self.legal_actions())


class Streak(DarkCoin):
    """Two actions win together, by the coin; two are worth 0.4 for sure."""

    def payoffs(self) -> tuple[float, float]:
        coin, guess = self.history
        won = 0.4 if guess > self.TAILS else float(coin - self.COIN == self.HEADS)
        return won, 1 - won
