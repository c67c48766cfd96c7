"""Random games for the laws: a start by a native policy, then picks that hypothesis can shrink."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from kingsbridge.pyengine import SPECTATOR, GameInfo, Rng, State, describe, game_names

EXAMPLES = int(os.environ.get("KINGSBRIDGE_EXAMPLES", "60"))
"""Examples a law and table; ``make soak`` raises it."""

law = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="KINGSBRIDGE_EXAMPLES" not in os.environ,  # a soak looks for new cases, CI for the same ones
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
"""How a law is run: from a fixed seed, with its examples."""


@dataclass(frozen=True)
class Table:
    """A game and how many sit at it."""

    game: str
    players: int

    @property
    def info(self) -> GameInfo:
        return describe(self.game)


TABLES = [
    Table(game, players)
    for game in game_names()
    for players in range(describe(game).min_players, describe(game).max_players + 1)
]

Test = TypeVar("Test", bound=Callable[..., object])


def at_every_table(test: Test) -> Test:
    """Runs a law for each game with each number of seats."""
    ids = [f"{table.game}-{table.players}p" for table in TABLES]
    parametrized: Test = pytest.mark.parametrize("table", TABLES, ids=ids)(test)
    return parametrized


def viewers(state: State) -> tuple[int, ...]:
    """All who look at a game: its seats, and a spectator."""
    return (*range(state.players), SPECTATOR)


def options_of(info: GameInfo) -> st.SearchStrategy[dict[str, int]]:
    """Options of a game, each its default or anything within its bounds."""
    return st.fixed_dictionaries(
        {}, optional={option.name: st.integers(option.min, option.max) for option in info.options}
    )


@dataclass(frozen=True)
class Walk:
    """A way into a game: ``skip`` events by a policy, then ``picks`` among what is possible."""

    table: Table
    options: tuple[tuple[str, int], ...]
    seed: int
    skip: int
    policy: str
    picks: tuple[int, ...]

    def start(self) -> State:
        return State.initial(self.table.game, self.table.players, dict(self.options))

    def events(self) -> Iterator[tuple[State, int]]:
        """Each state on the way (a copy of its own) and what is played there."""
        state, rng = self.start(), Rng(self.seed)
        for number in range(self.skip + len(self.picks)):
            if state.is_terminal:
                return
            action = self._event(state, rng, number)
            yield state.copy(), action
            state.apply(action)

    def states(self) -> Iterator[State]:
        """Each state on the way, the last one included."""
        state = self.start()
        for before, action in self.events():
            yield before
            state.apply(action)
        yield state

    def end(self) -> State:
        """Where the walk leads."""
        *_, last = self.states()
        return last

    def _event(self, state: State, rng: Rng, number: int) -> int:
        if number < self.skip:
            return state.sample_chance(rng) if state.is_chance else state.sample_action(rng, self.policy)
        possible = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
        return possible[self.picks[number - self.skip] % len(possible)]


def walks(table: Table) -> st.SearchStrategy[Walk]:
    """Walks into a game at this table."""
    return st.builds(
        Walk,
        table=st.just(table),
        options=options_of(table.info).map(lambda options: tuple(options.items())),
        seed=st.integers(0, 2**64 - 1),
        skip=st.integers(0, 300),
        policy=st.sampled_from(["light", "uniform"]),
        picks=st.lists(st.integers(0, 255), max_size=30).map(tuple),
    )


def play_out(state: State, rng: Rng, policy: str = "light") -> int:
    """Plays a state to its end, and says in how many events."""
    count = 0
    while not state.is_terminal:
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng, policy))
        count += 1
    return count
