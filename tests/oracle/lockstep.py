"""One game played on the engine and on an oracle at once, which must agree at every step.

A subject says what of this depends on the game; everything else is the same for all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

import pytest

from kingsbridge.pyengine import (
    CHANCE,
    SPECTATOR,
    TERMINAL,
    IllegalActionError,
    InformationSet,
    Rng,
    State,
    action_text,
    describe,
    parse_action,
)

Options = dict[str, int]


class Oracle(Protocol):
    """A game in plain Python: events are texts, a view is plain data."""

    @property
    def players(self) -> int: ...
    @property
    def over(self) -> bool: ...
    def current_player(self) -> int | str:
        """A seat, ``"chance"`` or ``"over"``."""

    def chance_outcomes(self) -> dict[str, int]: ...
    def legal_actions(self) -> list[str]: ...
    def events(self) -> list[str]: ...
    def apply(self, action: str, /) -> None: ...
    def scores(self) -> list[int]: ...
    def standings(self) -> list[Any]:
        """What seats are ranked by, one comparable value a seat."""

    def win_shares(self) -> list[float]: ...
    def view(self, viewer: int, /) -> dict[str, Any]: ...
    def identity(self) -> str:
        """Equal exactly for equal positions."""

    def copy(self) -> Self: ...


Model = TypeVar("Model", bound=Oracle)


@dataclass(frozen=True)
class Subject(Generic[Model]):
    """A game that has an oracle."""

    game: str
    initial: Callable[[int, Options], Model]
    knows_all: Callable[[Model, int], bool]
    """Whether a viewer's view tells the whole position."""
    variants: dict[str, Callable[[Random], Options]]
    """Ways to choose options, by name."""
    notes: Callable[[Model, str], Iterable[str]]
    """What is special about an event that is about to be played, or about the position."""
    corners: frozenset[str]
    """Notes that random games must make."""
    corner_games: tuple[tuple[int, Callable[[Random], Options]], ...]
    """The games that must make them: numbers of players and ways to choose options."""
    corner_seeds: int
    """How many of each."""


def kind(action: str) -> str:
    """The name of an action."""
    return action.partition("(")[0]


@dataclass(frozen=True)
class Style:
    """How decisions of a game are drawn: by the light policy with a probability, else by taste for a kind."""

    light: float
    taste: dict[str, float]

    @staticmethod
    def draw(random: Random, game: str, light: float) -> Style:
        """A taste for one turn: strong, or corners such as turns of many bought actions are never reached."""
        kinds = [one.name for one in describe(game).kinds if not one.chance]
        return Style(light, {kind: random.lognormvariate(0, 2) for kind in kinds})


@dataclass
class Twins:
    """The positions met: those equal for the oracle must be equal values of the engine, and no others."""

    values: dict[int, State] = field(default_factory=dict)
    identities: dict[State, int] = field(default_factory=dict)

    def add(self, state: State, oracle: Oracle) -> None:
        # The hash stands for the text, which would not fit into memory over thousands of games.
        identity = hash(oracle.identity())
        value = self.values.setdefault(identity, state.copy())
        assert value == state, "one position of the oracle is two values of the engine"
        assert value.key == state.key
        assert hash(value) == hash(state)
        assert self.identities.setdefault(value, identity) == identity, (
            "two positions of the oracle are one value"
        )


@dataclass
class Lockstep(Generic[Model]):
    """One game on both sides."""

    subject: Subject[Model]
    state: State
    oracle: Model
    trail: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    """What the game went through: see ``Subject.corners``."""

    @staticmethod
    def start(subject: Subject[Model], players: int, options: Options) -> Lockstep[Model]:
        state = State.initial(subject.game, players, options)
        return Lockstep(subject, state, subject.initial(players, options))

    @staticmethod
    def at(subject: Subject[Model], oracle: Model, viewer: int) -> Lockstep[Model]:
        """A game that goes on from a position of the oracle, of which a viewer knows all."""
        assert subject.knows_all(oracle, viewer)
        information = InformationSet.from_view(subject.game, oracle.view(viewer))
        return Lockstep(subject, information.imagine(Rng(0)), oracle)

    def compare(self) -> None:
        """Asserts that both sides show the same."""
        state, oracle, game = self.state, self.oracle, self.subject.game
        mover = {"chance": CHANCE, "over": TERMINAL}.get(
            str(oracle.current_player()), oracle.current_player()
        )
        assert state.current_player == mover
        assert (state.is_chance, state.is_terminal) == (mover == CHANCE, mover == TERMINAL)
        legal = state.legal_actions()
        assert [action_text(game, action) for action in legal] == oracle.legal_actions()
        assert legal == sorted(legal)
        weights = state.chance_outcomes()
        assert [(action_text(game, outcome), weight) for outcome, weight in weights] == list(
            oracle.chance_outcomes().items()
        )
        assert weights == sorted(weights)
        for seat in (SPECTATOR, *range(oracle.players)):
            assert state.information_set(seat).view() == oracle.view(seat)
        self._compare_standings()

    def _compare_standings(self) -> None:
        ranks, standings = self.state.ranks(), self.oracle.standings()
        assert list(self.state.scores()) == self.oracle.scores()
        for one, other in combinations(range(self.oracle.players), 2):
            assert (ranks[one] > ranks[other]) == (standings[one] > standings[other])
            assert (ranks[one] < ranks[other]) == (standings[one] < standings[other])
        assert list(self.state.win_shares()) == pytest.approx(self.oracle.win_shares())

    def apply(self, action: str) -> None:
        """Plays one event on both sides."""
        self.seen.update(self.subject.notes(self.oracle, action))
        self.trail.append(action)
        self.state.apply(parse_action(self.subject.game, action))
        self.oracle.apply(action)

    def copy(self) -> Lockstep[Model]:
        return Lockstep(self.subject, self.state.copy(), self.oracle.copy(), list(self.trail))

    def choose(self, random: Random, style: Style) -> str:
        """A random event: chance by its weights, decisions in a style."""
        outcomes = self.oracle.chance_outcomes()
        if outcomes:
            return random.choices(list(outcomes), list(outcomes.values()))[0]
        if random.random() < style.light:
            choice = self.state.sample_action(Rng(random.getrandbits(64)), "light")
            return action_text(self.subject.game, choice)
        legal = self.oracle.legal_actions()
        kinds = sorted({kind(action) for action in legal})
        chosen = random.choices(kinds, [style.taste[kind] for kind in kinds])[0]
        return random.choice([action for action in legal if kind(action) == chosen])

    # What else must hold at a position

    def try_both_orders(self, random: Random, twins: Twins) -> None:
        """Plays two actions in both orders, with the lowest chance outcomes."""
        legal = self.oracle.legal_actions()
        if len(legal) < 2:
            return
        pair = random.sample(legal, 2)
        ends = []
        for order in (pair, pair[::-1]):
            branch = self.copy()
            for action in order:
                if action not in branch.oracle.legal_actions():
                    return
                branch.apply(action)
                while branch.oracle.chance_outcomes():
                    branch.apply(branch.oracle.events()[0])
            twins.add(branch.state, branch.oracle)
            ends.append(branch)
        same = ends[0].oracle.identity() == ends[1].oracle.identity()
        assert (ends[0].state == ends[1].state) == same
        self.seen["actions that commute"] += same

    def try_an_event_from_elsewhere(self, action: str) -> None:
        """Asserts that the engine takes an event exactly where the oracle has it, else stays as it was."""
        number = parse_action(self.subject.game, action)
        known = action in self.oracle.events()
        assert self.state.is_legal(number) == known, action
        if not known:
            before = self.state.copy()
            with pytest.raises(IllegalActionError):
                self.state.apply(number)
            assert self.state == before

    def try_the_view_from_outside(self, viewer: int) -> None:
        """Asserts that the engine takes a view of the oracle for what it is."""
        information = InformationSet.from_view(self.subject.game, self.oracle.view(viewer))
        assert information == self.state.information_set(viewer)
        imagined = information.imagine(Rng(len(self.trail)))
        if self.subject.knows_all(self.oracle, viewer):
            assert imagined == self.state
        else:
            assert imagined.information_set(viewer) == information


def play(subject: Subject[Model], seed: int, players: int, options: Options, twins: Twins) -> Lockstep[Model]:
    """One game in lockstep to its end; a failure is reported with the events that lead to it."""
    random = Random(f"{seed} {players} {sorted(options.items())}")
    try:
        game = Lockstep.start(subject, players, options)
        return play_on(game, random, twins)
    except AssertionError as error:
        error.add_note(f"seed {seed}, {players} players, {options}")
        raise


def play_on(game: Lockstep[Model], random: Random, twins: Twins) -> Lockstep[Model]:
    """Plays a game to its end; a failure is reported with the events since."""
    subject, players = game.subject, game.oracle.players
    style = Style.draw(random, subject.game, random.choice((0.0, 0.5, 0.9, 0.98)))
    decider, elsewhere = -1, list(game.oracle.events())
    try:
        while True:
            game.compare()
            twins.add(game.state, game.oracle)
            if game.oracle.over:
                game.seen.update(subject.notes(game.oracle, ""))
                return game
            if random.random() < 0.1:
                game.try_both_orders(random, twins)
                game.try_an_event_from_elsewhere(random.choice(elsewhere))
                game.try_the_view_from_outside(random.randrange(-1, players))
            elsewhere.append(random.choice(game.oracle.events()))
            mover = game.oracle.current_player()
            if isinstance(mover, int) and mover != decider:
                decider, style = mover, Style.draw(random, subject.game, style.light)
            game.apply(game.choose(random, style))
    except AssertionError as error:
        error.add_note("; ".join(game.trail))
        raise
