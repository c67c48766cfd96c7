"""Where the time of a search goes, phase by phase and action kind by action kind.

Nothing is built into the native search for this. Counts are those of the Python reference, which grows the
same tree and is watched while it does. Costs of single steps are measured at the positions met there, as
least CPU times of batches of calls from Python, less a call that does the same but for the step. What remains
of the whole is the tree's own work. It bears the errors of all, and may come out below zero, by a tenth of
the whole, where rollouts are most of the time: caches are other than in a search. Costs below ``NOISE`` are
small, no more is known; the heuristic is overstated by the list that Python is given, some ns an action.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

from kingsbridge.ai.bench import SEED, Position, position_at
from kingsbridge.ai.ismcts import IsmctsParams
from kingsbridge.ai.native import native_tree
from kingsbridge.ai.watching import Journal, Leaf, watch
from kingsbridge.pyengine import InformationSet, Rng, State, describe

ROUNDS = 5
SAMPLES = 200
"""Calls in a batch."""
NOISE = 10
"""Least cost that means something, in ns."""
PARAMS = IsmctsParams()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the search: how often it is done, and the CPU time of one time."""

    name: str
    count: int
    nanoseconds: float
    how: str


@dataclass(frozen=True, slots=True)
class KindCost:
    """An action kind on the way down, in ns: ``apply``; ``choices``, to list the legal actions where it was
    played, or to draw a chance event; ``heuristic``, to rate those actions (0 for chance).
    """

    kind: str
    count: int
    apply: float
    choices: float
    heuristic: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of one search; ``nanoseconds`` is CPU time of an iteration of the whole."""

    game: str
    players: int
    stage: str
    iterations: int
    nodes: int
    nanoseconds: float
    phases: tuple[Phase, ...]
    kinds: tuple[KindCost, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def run_profile(game: str, players: int, stage: str, iterations: int) -> Profile:
    """Profiles ``ismcts`` as it comes, at a position of the bench.

    Raises:
        OptionError: the game does not take so many players.
    """
    position = position_at(game, players, stage)
    info = position.state.information_set(position.state.current_player)
    journal = watch(info, PARAMS, SEED, iterations)
    whole = _least(lambda: search_once(position, iterations)) / iterations
    names, call = [kind.name for kind in describe(game).kinds], _call_cost(info)
    kinds = tuple(_kind_cost(names[kind], journal.played[kind], call) for kind in sorted(journal.played))
    phases = _phases(info, journal, kinds, call)
    rest = whole - sum(each.count * each.nanoseconds for each in phases) / iterations
    tree = Phase("tree", iterations, rest, "what remains: selection, paths, order of trial, backup")
    return Profile(game, players, stage, iterations, journal.nodes, whole, (*phases, tree), kinds)


def search_once(position: Position, iterations: int) -> int:
    """The search that is profiled; returns the number of its nodes."""
    info = position.state.information_set(position.state.current_player)
    tree = native_tree(info, "fresh", PARAMS, SEED)
    tree.run(iterations)
    return tree.nodes


def search_for(position: Position, iterations: int, seconds: float) -> None:
    """Repeats that search for a while, for a sampler to watch."""
    started = time.monotonic()
    while time.monotonic() < started + seconds:
        search_once(position, iterations)


def _phases(
    info: InformationSet, journal: Journal, kinds: Sequence[KindCost], call: float
) -> tuple[Phase, ...]:
    """The phases that are measured."""
    steps = sum(each.count for each in kinds)
    way = sum(each.count * (each.apply + each.choices) for each in kinds) / max(steps, 1)
    rated, leaves = len(journal.rated), journal.leaves
    return (
        Phase("imagine", journal.iterations, _imagine_cost(info), "measured: worlds of the root"),
        Phase("way down", steps, way, "counts times the costs by kind below: apply, legal actions, draws"),
        Phase("expand", rated, _rating_cost(journal.rated, call), "measured: heuristic of all legal actions"),
        Phase("rollout", len(leaves), _rollout_cost(leaves, call), "measured: from the tree's leaves"),
    )


def _imagine_cost(info: InformationSet) -> float:
    copy = info.imagine(Rng(SEED)).copy
    return _cost([partial(info.imagine, Rng(SEED))] * SAMPLES) - _cost([copy] * SAMPLES)


def _choices_cost(states: Sequence[State]) -> float:
    """To list the legal actions, without the list that Python is given: a perft of depth 1 counts them."""
    return _cost([partial(s.perft, 1) for s in states]) - _cost([partial(s.perft, 0) for s in states])


def _rating_cost(states: Sequence[State], call: float) -> float:
    some = _sample(states)
    return max(_cost([s.heuristic for s in some]) - _choices_cost(some) - call, 0.0)


def _rollout_cost(leaves: Sequence[Leaf], call: float) -> float:
    """All rollouts anew. At a finished game the call does nothing but what ``utilities`` does, too."""
    if not leaves:
        return 0.0
    rng, end, how = Rng(SEED), _end(leaves[0][0]), leaves[0][1:]
    all_of_it = _cost([partial(state.rollout, rng, *how) for state, *_ in leaves])
    nothing = _cost([partial(end.rollout, rng, *how)] * SAMPLES)
    return all_of_it - nothing + _cost([partial(end.utilities)] * SAMPLES) - call


def _end(state: State) -> State:
    """That game, finished."""
    state, rng = state.copy(), Rng(SEED)
    while not state.is_terminal:
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
    return state


def _call_cost(info: InformationSet) -> float:
    """A call from Python that does next to nothing."""
    return _cost([partial(native_tree(info, "fresh", PARAMS, SEED).stop)] * SAMPLES)


def _kind_cost(name: str, played: Sequence[tuple[State, int]], call: float) -> KindCost:
    """Costs at the positions where actions of a kind were played. ``apply`` from Python looks first whether
    the action is legal, which a search does not: that is taken off.
    """
    some = _sample(played)
    states = [state for state, _ in some]
    check = _cost([partial(state.is_legal, action) for state, action in some]) - call
    copy = _cost([partial(state.copy) for state in states])
    apply = _cost([partial(state.child, action) for state, action in some]) - check - copy
    if states[0].is_chance:
        choices = _cost([partial(state.sample_chance, Rng(SEED)) for state in states]) - call
        return KindCost(name, len(played), max(apply, 0.0), max(choices, 0.0), 0.0)
    choices, heuristic = _choices_cost(states), _rating_cost(states, call)
    return KindCost(name, len(played), max(apply, 0.0), max(choices, 0.0), heuristic)


def _sample(items: Sequence[T]) -> Sequence[T]:
    """``SAMPLES`` of them, evenly spread; few come again and again."""
    return [items[number * len(items) // SAMPLES] for number in range(SAMPLES)] if items else ()


def _cost(calls: Sequence[Callable[[], object]]) -> float:
    """Least mean CPU time of a call, in ns."""

    def once() -> None:
        for call in calls:
            call()

    return _least(once) / max(len(calls), 1)


def _least(work: Callable[[], object]) -> float:
    """Least CPU time of some tries, in ns."""
    times = []
    for _ in range(ROUNDS):
        started = time.thread_time_ns()
        work()
        times.append(time.thread_time_ns() - started)
    return float(min(times))
