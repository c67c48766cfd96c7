"""Monte Carlo tree search over imagined worlds, in plain Python: the reference that a native kernel can be
compared with.

One tree for all seats in the manner of multi-observer ISMCTS (Cowling, Powley, Whitehouse, "Information set
Monte Carlo tree search", 2012): a node belongs to the seat that acts and is keyed by what that seat has
observed since the root, so what a seat cannot tell apart shares statistics, and its choice cannot depend on
what only others saw. Backups are vectors (max^n: each seat maximises its own utility). Chance is never a
node: an outcome is drawn from the rules each time and lengthens the paths. Nor is a decision with one legal
action: there is nothing to learn.

Each iteration takes a world from the root sampler, descends by UCB1 up to and including an untried action,
and plays the rest natively. Three random streams, all derived from one seed, are kept apart: worlds, chance
and rollouts, order of untried actions. So a sampler that uses its stream differently disturbs nothing else.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial

from kingsbridge.ai.bot import (
    Budget,
    Clock,
    Decision,
    Limits,
    Report,
    StopFlag,
    StopReason,
)
from kingsbridge.ai.choices import considered
from kingsbridge.ai.conclusion import Conclusion
from kingsbridge.ai.interim import Interim
from kingsbridge.ai.pace import PACES, Early, comes_at_once
from kingsbridge.ai.params import Bounded, Params, knob
from kingsbridge.ai.selection import Bandit, Weighing
from kingsbridge.ai.tally import Sums, Tally, merged
from kingsbridge.ai.world import Sampler, SearchInformation, SearchState, Worth
from kingsbridge.pyengine import CHANCE, MOST_REACH, SELECTION_RULES, TERMINAL, UTILITY_ONE, Rng

WORLDS, CHANCES, TIES = 0, 1, 2
"""Streams of a search's seed."""
TREES = 16
"""The first stream that seeds a further tree of the same search."""

MOST_BEHIND = 0.5
"""No action is thought worse than the best by more than this before it is tried (utility)."""

LEAST_TEMPERATURE = 0.001
"""Below it every prior but the best action's is nothing (utility)."""

KERNELS = ("native", "python")
"""Code that searches: the native one, or the reference in this file. Both grow the same tree."""

POLICIES = ("light", "uniform")
"""Native rollout policies."""

OPPONENTS = ("max_n", "paranoid", "policy")
"""What the seats that do not search are thought to want: each its own utility; to hurt the one that searches;
nothing: they play by the rollout policy, and have no nodes."""


@dataclass(frozen=True)
class SearchParams(Params):
    """Knobs of the tree search.

    With a large negative ``caution`` every action is tried before any is tried again (plain UCB1). A wide
    game is then judged by follow-ups that are mostly bad, and more iterations can play worse.
    """

    iterations: int | None = knob(int, None, "most iterations a move (games simulated)", minimum=0)
    seconds: float | None = knob(float, None, "most time a move (seconds)", minimum=0)
    rule: str | None = knob(
        str,
        None,
        "how actions are weighed in the tree; not set: as suits the game",
        choices=tuple(SELECTION_RULES),
    )
    c: float | None = knob(
        float,
        None,
        "exploration: higher looks wider (utility, 1 is a sure win); not set: 0.3 by ucb1, 1 by puct",
        minimum=0,
    )
    caution: float | None = knob(
        float,
        None,
        "an untried action passes for its node's mean less this (utility); not set: 0.2 by ucb1, 0.1 by puct",
    )
    bias: float = knob(float, 0.03, "weight of the game's heuristic (utility a point)", minimum=0)
    trust: float = knob(float, 30.0, "halves the heuristic's weight (visits)", minimum=0)
    temperature: float = knob(
        float, 0.1, "evens the priors of rule=puct out (utility)", minimum=LEAST_TEMPERATURE
    )
    widening: float = knob(
        float, 0.0, "actions considered after n visits are this times n^0.4; 0: all", minimum=0
    )
    opponents: str = knob(str, "max_n", "what other seats are thought to want", choices=OPPONENTS)
    margin: float = knob(
        float, 0.5, "share of the margin in the utility, the rest is the win's", minimum=0, maximum=1
    )
    reach: int = knob(int, 16, "points at which a margin counts in full", minimum=1, maximum=MOST_REACH)
    policy: str = knob(str, "light", "how games are played out below the tree", choices=POLICIES)
    length: int | None = knob(
        int,
        None,
        "decisions of a rollout before an evaluation ends it; -1: no bound; not set: as suits the game",
        minimum=-1,
    )
    rounds: int | None = knob(
        int,
        None,
        "ends of rounds before an evaluation ends a rollout; -1: no bound; not set: as suits the game, or "
        "no bound if length is set",
        minimum=-1,
    )
    order: str = knob(str, "heuristic", "which untried action comes first", choices=("heuristic", "random"))
    nodes: int = knob(int, 1_000_000, "most nodes of the tree; full, it grows no more", minimum=1)
    memory: int = knob(
        int,
        256,
        "most memory of a tree (MiB); full, it grows no more; kernel=python minds only nodes",
        minimum=1,
    )
    pace: str = knob(str, "even", "quick: forced and decided moves come early", choices=PACES)
    threads: int = knob(int, 1, "trees grown side by side, each by its share of the iterations", minimum=1)
    kernel: str = knob(str, "native", "which code searches, to the same result", choices=KERNELS)


def selection(info: SearchInformation, params: SearchParams) -> tuple[str, float, float]:
    """The rule by which actions are weighed, its exploration and its caution (utility)."""
    rule = info.rule if params.rule is None else params.rule
    c, caution = SELECTION_RULES[rule]
    return rule, c if params.c is None else params.c, caution if params.caution is None else params.caution


def horizon(info: SearchInformation, params: Bounded) -> tuple[int | None, int | None]:
    """Decisions of a rollout and ends of rounds in it, the game's if neither is set; ``None``: no bound."""
    if params.length is None and params.rounds is None:
        return info.horizon
    return _bound(params.length), _bound(params.rounds)


def _bound(number: int | None) -> int | None:
    return None if number is None or number < 0 else number


def acting_seat(info: SearchInformation) -> int:
    """The seat that is to decide.

    Raises:
        ValueError: it is not that seat's turn.
    """
    if info.seat < 0 or info.seat != info.current_player:
        raise ValueError(f"seat {info.seat} is not to move: {info.current_player} is")
    return info.seat


def best_first(values: list[int]) -> list[int]:
    """Slots of the legal actions by native heuristic, best first, equal ones by lower action."""
    return sorted(range(len(values)), key=values.__getitem__, reverse=True)


def values_of(state: SearchState, actions: list[int]) -> list[int]:
    """What the native heuristic gives for some of the legal actions."""
    values = state.heuristic()
    if len(values) == len(actions):
        return values
    known = dict(zip(state.legal_actions(), values, strict=True))
    return [known[action] for action in actions]


def likeliest(state: SearchState, actions: list[int]) -> int:
    """The one of these that the native heuristic likes best, the lower of equal ones."""
    return actions[best_first(values_of(state, actions))[0]]


def forced(action: int, elapsed: float) -> Decision:
    """The decision where there is one legal action."""
    return Decision(action, (), (action,), 0, elapsed, StopReason.FORCED)


def search(
    info: SearchInformation,
    sampler: Sampler,
    params: SearchParams,
    budget: Budget,
    rng: Rng,
    *,
    clock: Clock,
    should_stop: StopFlag,
    among: Collection[int] | None = None,
    report: Report | None = None,
    fresh: bool = True,
) -> Decision:
    """Searches within the budget (its open limits are those of ``params``) and decides; ``fresh`` says
    whether the sampler imagines a world for each iteration, and not one a tree.

    The choice is the most visited action, then the higher mean, then the lower number; with no iteration at
    all it is the native heuristic's.

    Raises:
        ValueError: the seat of ``info`` is not to move, or ``among`` is empty or holds an action that is not
            legal.
    """
    seat = acting_seat(info)
    limits = Limits(budget.over(Budget(params.iterations, params.seconds)), clock, should_stop)
    legal = info.legal_actions()
    offered = considered(legal, among)
    if comes_at_once(info, legal, params.pace):
        return forced(legal[0], limits.elapsed())
    trees = [Tree(info, sampler, params, seed, offered) for seed in tree_seeds(rng.next(), params.threads)]
    decide = Conclusion(
        trees,
        lambda: [tree.root_statistics() for tree in trees],
        lambda: likeliest(trees[0].next_world(), offered),
        seat,
        limits,
        fresh,
    ).decide
    return decide(grow(trees, limits, Early(limits, params.pace), Interim(report, limits, decide)))


def tree_seeds(seed: int, trees: int) -> list[int]:
    """A seed for each tree; the first has the search's own."""
    return [seed, *(Rng(seed, TREES + number).next() for number in range(1, trees))]


def grow(
    trees: list[Tree], limits: Limits, early: Early | None = None, interim: Interim | None = None
) -> StopReason:
    """Iterates in turn until a limit is reached or the choice is decided, and returns which."""

    def visits() -> list[int]:
        return [row.visits for row in merged([tree.root_statistics() for tree in trees])]

    for number in itertools.count():
        reason = limits.reached(number)
        if reason is not None:
            return reason
        if early is not None and early.due(number) and early.decided(number, visits):
            return StopReason.DECIDED
        if interim is not None:
            interim.tell_after(number)
        trees[number % len(trees)].iterate()
    raise AssertionError("limits are reached")


class Tree:
    """A search tree that grows by iterations; nodes are ``Bandit``s by observation path.

    ``world()`` imagines a world. A seat's path is a number that each observation is mixed into.

    ``among``, legal actions in ascending order, are all that the root offers; with them it is a node even
    where it offers one action. ``None``: every legal one.
    """

    def __init__(
        self,
        info: SearchInformation,
        sampler: Sampler,
        params: SearchParams,
        seed: int,
        among: list[int] | None = None,
    ) -> None:
        self.iterations = 0
        self.world = sampler(info, Rng(seed, WORLDS))
        self._ahead: SearchState | None = None
        self._chances = Rng(seed, CHANCES)
        self._ties = Rng(seed, TIES)
        self._seat = info.seat
        self._seats = tuple(range(info.players))
        self._paths = list(self._seats)
        self._among = among
        self._params = params
        self._rollout = (params.policy, *horizon(info, params), params.margin, params.reach)
        rule, c, caution = selection(info, params)
        self._weighing = Weighing(
            puct=rule == "puct",
            c=c * UTILITY_ONE,
            caution=caution * UTILITY_ONE,
            trust=params.trust,
            temperature=params.temperature * UTILITY_ONE,
            widening=params.widening,
        )
        self._nodes: dict[int, Bandit] = {}
        self._root_sums: dict[int, Sums] = {}

    def iterate(self) -> None:
        """One world, one way down, one rollout, one backup."""
        nodes, seats, chances = self._nodes, self._seats, self._chances
        policy = self._params.policy
        self._weighing.extend()
        paths = list(self._paths)
        trail: list[tuple[Bandit, int]] = []
        state = self._take_world()
        while True:
            seat = state.current_player
            if seat == CHANCE:
                action = state.sample_chance(chances)
            elif seat == TERMINAL:
                break
            elif self._follows(seat):
                action = state.sample_action(chances, policy)
            elif len(legal := self._offer(state, trail)) == 1 and legal is not self._among:
                action = legal[0]
            else:
                node = nodes.get(paths[seat]) or self._add(paths, seat, state, legal)
                if node is None:
                    break
                slot = node.pick(legal, partial(self._rate, state, legal))
                trail.append((node, slot))
                action = node.actions[slot]
                if slot == len(node.visits):
                    state.apply(action)
                    break
            observed = state.observed
            for each in seats:
                paths[each] = hash((paths[each], observed(action, each)))
            state.apply(action)
        self._back_up(trail, state.rollout(chances, *self._rollout))
        self.iterations += 1

    def _take_world(self) -> SearchState:
        ahead, self._ahead = self._ahead, None
        return self.world() if ahead is None else ahead

    def _back_up(self, trail: list[tuple[Bandit, int]], worth: Worth) -> None:
        for node, slot in trail:
            node.reward(slot, self._wanted(node.seat, worth[0]))
        self._reward_root(trail[0][1], worth)

    def _follows(self, seat: int) -> bool:
        """Whether the seat plays by the rollout policy."""
        return self._params.opponents == "policy" and seat != self._seat

    def _wanted(self, seat: int, utilities: tuple[int, ...]) -> int:
        """What a seat is thought to maximise."""
        hostile = self._params.opponents == "paranoid" and seat != self._seat
        return UTILITY_ONE - utilities[self._seat] if hostile else utilities[seat]

    def root_statistics(self) -> list[Tally]:
        """What is known of each root action that was tried."""
        root = self._nodes.get(self._paths[self._seat])
        return [] if root is None else [self._tally(root, slot) for slot in self._root_sums]

    def next_world(self) -> SearchState:
        """The world that the next iteration will take; a copy."""
        if self._ahead is None:
            self._ahead = self.world()
        return self._ahead.copy()

    def line(self, action: int) -> tuple[int, ...]:
        """``action`` and the most visited decisions after it in the world the next iteration will take, up to
        a chance event or the tree's edge. Changes nothing.
        """
        state, paths, line = self.next_world(), list(self._paths), []
        while True:
            line.append(action)
            paths = [hash((path, state.observed(action, each))) for each, path in enumerate(paths)]
            state.apply(action)
            following = self._following(state, paths)
            if following is None:
                return tuple(line)
            action = following

    def _following(self, state: SearchState, paths: list[int]) -> int | None:
        """The forced or most visited decision here, or ``None`` where there is none."""
        seat = state.current_player
        if seat < 0 or self._follows(seat):
            return None
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        node = self._nodes.get(paths[seat])
        return None if node is None else node.most_visited(legal)

    def trace(self) -> Iterator[tuple[int, list[tuple[int, int, int, int]]]]:
        """Every node in the order of its creation: its seat, and the rows of its actions."""
        for node in self._nodes.values():
            yield node.seat, node.rows()

    def _offer(self, state: SearchState, trail: list[tuple[Bandit, int]]) -> list[int]:
        """What is offered here: where there is a root node, nothing comes before it."""
        return state.legal_actions() if trail or self._among is None else self._among

    def _add(self, paths: list[int], seat: int, state: SearchState, legal: list[int]) -> Bandit | None:
        """A new node, or ``None`` if the tree is full."""
        if len(self._nodes) >= self._params.nodes:
            return None
        values = values_of(state, legal)
        prior = self._prior(state, legal, values)
        node = self._nodes[paths[seat]] = Bandit(
            seat, legal, self._order(legal, values), prior, self._weighing
        )
        return node

    def _rate(self, state: SearchState, legal: list[int]) -> dict[int, float]:
        """The prior of the legal actions here."""
        return self._prior(state, legal, state.heuristic())

    def _prior(self, state: SearchState, legal: list[int], values: list[int]) -> dict[int, float]:
        """What the heuristic makes of each action: how far it is behind the best, within ``MOST_BEHIND``."""
        best, point = max(values), self._params.bias * UTILITY_ONE / state.heuristic_point
        most = MOST_BEHIND * UTILITY_ONE
        return {
            action: -min(most, (best - value) * point) for action, value in zip(legal, values, strict=True)
        }

    def _order(self, legal: list[int], values: list[int]) -> list[int]:
        """The legal actions in the order in which they are to be tried."""
        if self._params.order == "heuristic":
            return [legal[slot] for slot in best_first(values)]
        order = list(legal)
        for last in range(len(order) - 1, 0, -1):
            other = self._ties.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _reward_root(self, slot: int, worth: Worth) -> None:
        """Keeps what the choice does not need, for the report."""
        sums = self._root_sums.get(slot)
        if sums is None:
            sums = self._root_sums[slot] = Sums(len(self._seats), self._seat)
        sums.add(worth)

    def _tally(self, root: Bandit, slot: int) -> Tally:
        action = root.actions[slot]
        return self._root_sums[slot].tally(action, root.visits[slot], root.available(action))
