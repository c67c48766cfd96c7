"""A tree that goes on with the next decision: only where it knows the very information set, and then just as
the plain search would.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

import pytest

from kingsbridge.ai import Budget, Decision, StopReason, make_bot
from kingsbridge.ai.ismcts import IsmctsBot, fresh_worlds
from kingsbridge.ai.native import native_tree
from kingsbridge.ai.search import (
    CHANCES,
    TIES,
    WORLDS,
    SearchParams,
    Tree,
    horizon,
    selection,
    tree_seeds,
)
from kingsbridge.ai.selection import Bandit
from kingsbridge.ai.tally import Sums, Tally, rank
from kingsbridge.ai.world import SearchState, Worth
from kingsbridge.pyengine import (
    Dealer,
    InformationSet,
    Rng,
    Search,
    State,
    describe,
    game_names,
    load_game,
)
from tests.ai.test_native_search import MEMORY, report
from tests.conformance.walks import Table, at_every_table

ITERATIONS = 600
STEPS = 8
"""Decisions looked at in a game."""


@dataclass(frozen=True)
class Step:
    """A decision of a seat, what it saw until its next one, and that one."""

    before: InformationSet
    after: InformationSet
    seen: tuple[int, ...]
    pooled: bool


def knowledge(state: State) -> InformationSet:
    return state.information_set(state.current_player)


def walk(table: Table, seed: int) -> Iterator[Step]:
    """The decisions with a choice of a game by rollout policy, each with the next one of its seat."""
    state, dealer, rng = load_game(table.game, table.players), Dealer(seed), Rng(seed)
    dealer.settle(state)
    kinds = describe(table.game).kinds
    waiting: dict[int, tuple[InformationSet, list[int], bool]] = {}
    while not state.is_terminal:
        seat = state.current_player
        if seat >= 0 and len(state.legal_actions()) > 1:
            info = knowledge(state)
            if seat in waiting:
                before, seen, pooled = waiting[seat]
                yield Step(before, info, tuple(seen), pooled)
            waiting[seat] = (info, [], False)
        action = state.sample_action(rng) if seat >= 0 else dealer.outcome(state)
        for each, (before, seen, pooled) in waiting.items():
            seen.append(state.observed(action, each))
            waiting[each] = (before, seen, pooled or kinds[action >> 24].pooled)
        state.apply(action)


def steps(table: Table, seed: int) -> list[Step]:
    """Some of them, from all over the game."""
    found = list(walk(table, seed))
    return found[:: len(found) // STEPS]


class GoingOn(Tree):
    """The plain search, taught to go on from any node: it remembers what it takes."""

    def __init__(self, info: InformationSet, seed: int) -> None:
        super().__init__(info, fresh_worlds, SearchParams(), seed)
        self._places: dict[int, list[int]] = {}
        self._sums: dict[int, dict[int, Sums]] = {}
        self._own: list[tuple[InformationSet, Bandit]] = []

    def known(self, step: Step) -> Bandit | None:
        """The most visited node that was made in the information set of the next decision, the first
        of equals: behind what the seat saw, or the same in another order.
        """
        path = self._path(step)
        found = [node for info, node in self._own if info == step.after]
        if not step.pooled and path in self._nodes:
            assert self._nodes[path] in found
        return max(found, key=lambda node: node.offers, default=None)

    def made_with(self, step: Step) -> InformationSet | None:
        """What the seat knew when the node behind what it saw was made; ``None`` without one."""
        node = self._nodes.get(self._path(step))
        return next((info for info, each in self._own if each is node), None)

    def go_on(self, info: InformationSet, seed: int, node: Bandit) -> None:
        self.iterations = 0
        self.world, self._ahead = fresh_worlds(info, Rng(seed, WORLDS)), None
        self._chances, self._ties = Rng(seed, CHANCES), Rng(seed, TIES)
        self._paths = self._places[id(node)]
        self._root_sums = copy.deepcopy(self._sums[id(node)])

    def grow(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterate()

    def _path(self, step: Step) -> int:
        path = self._paths[self._seat]
        for each in step.seen:
            path = hash((path, each))
        return path

    def _add(self, paths: list[int], seat: int, state: SearchState, legal: list[int]) -> Bandit | None:
        node = super()._add(paths, seat, state, legal)
        assert node is not None
        self._places[id(node)] = list(paths)
        if seat == self._seat:
            self._own.append((cast("InformationSet", state.information_set(seat)), node))
        return node

    def _back_up(self, trail: list[tuple[Bandit, int]], worth: Worth) -> None:
        super()._back_up(trail, worth)
        for node, slot in trail:
            sums = self._sums.setdefault(id(node), {}).setdefault(slot, Sums(len(worth[0]), self._seat))
            sums.add(worth)


def tree(info: InformationSet, seed: int = 5, iterations: int = ITERATIONS) -> Search:
    search = native_tree(info, "fresh", SearchParams(), seed, reuse=True)
    search.run(iterations)
    return search


def limited(info: InformationSet, *, nodes: int = 10**6, memory: int = 1 << 28) -> Search:
    """The tree of 4000 iterations within limits."""
    rule, c, caution = selection(info, SearchParams())
    length, rounds = horizon(info, SearchParams())
    search = Search(
        info,
        5,
        rule=rule,
        c=c,
        caution=caution,
        length=length,
        rounds=rounds,
        nodes=nodes,
        memory=memory,
        reuse=True,
    )
    search.run(4000)
    return search


def check_equal(search: Search, plain: GoingOn) -> None:
    assert search.root_statistics() == report(plain)
    assert search.trace() == list(plain.trace())


@at_every_table
def test_a_tree_goes_on_as_the_plain_search_does_from_the_same_node(table: Table) -> None:
    gone_on = 0
    for step in steps(table, 1):
        search, plain = tree(step.before), GoingOn(step.before, 5)
        plain.grow(ITERATIONS)
        node = plain.known(step)
        assert search.go_on(step.after, 6) == (node is not None and not step.pooled)
        if node is None or step.pooled:
            continue
        gone_on += 1
        plain.go_on(step.after, 6, node)
        assert (search.iterations, search.kept) == (0, node.offers)
        for more in (0, 1, 300):
            search.run(more)
            plain.grow(more)
            check_equal(search, plain)
        assert sum(visits for _, visits, *_ in search.root_statistics()) == node.offers == search.kept + 301
        best = max(search.root_statistics(), key=lambda row: row[1])[0]
        assert search.line(best) == plain.line(best)
    assert gone_on > 0


@at_every_table
def test_a_tree_goes_on_again_and_again(table: Table) -> None:
    """Along the turns of one seat, as the plain search would; from a fresh tree where it must."""
    longest, chain, search, plain = 0, 0, None, None
    for step in islice((step for step in walk(table, 2) if step.before.seat == 0), 25):
        if search is None or plain is None:
            search, plain, chain = tree(step.before), GoingOn(step.before, 5), 0
            plain.grow(ITERATIONS)
        node = plain.known(step)
        if not search.go_on(step.after, 7) or node is None:
            search = plain = None
            continue
        chain += 1
        plain.go_on(step.after, 7, node)
        for each in (search.run, plain.grow):
            each(200)
        check_equal(search, plain)
        longest = max(longest, chain)
    assert longest >= (2 if table.game != "builders" else 1)


@at_every_table
def test_what_a_seat_saw_tells_what_it_knows_as_long_as_nothing_is_pooled(table: Table) -> None:
    """So all visits of a node behind no pooled event have one information set."""
    met_again = 0
    for step in steps(table, 1):
        after: dict[tuple[int, ...], InformationSet] = {}
        for seed in range(60):
            state, seen = next_decision(step.before, Rng(seed))
            if state is not None:
                met_again += seen in after
                assert after.setdefault(seen, knowledge(state)) == knowledge(state)
    assert met_again > 0


def next_decision(info: InformationSet, rng: Rng) -> tuple[State | None, tuple[int, ...]]:
    """A next decision of the seat in an imagined world and what it saw, unless a pooled event comes first."""
    state = info.imagine(rng)
    seen: list[int] = []
    kinds = describe(state.game).kinds
    while not seen or state.current_player != info.seat:
        if state.is_terminal:
            return None, ()
        action = state.sample_chance(rng) if state.is_chance else state.sample_action(rng)
        seen.append(state.observed(action, info.seat))
        state.apply(action)
        if kinds[action >> 24].pooled:
            return None, ()
    return state, tuple(seen)


@at_every_table
def test_where_a_tree_cannot_go_on_nothing_changes(table: Table) -> None:
    for step in steps(table, 3):
        search, other = tree(step.before), tree(step.before)
        strangers = [step.before, *(knowledge(load(game)) for game in game_names())]
        legal = step.after.legal_actions()
        assert not any(search.go_on(each, 9) for each in strangers)
        assert not search.go_on(step.after, 9, among=legal[1:])
        assert not Search(step.before, 5).go_on(step.after, 9)
        for each in (search, other):
            each.run(100)
        assert search.trace() == other.trace()
        assert search.root_statistics() == other.root_statistics()
        assert (search.iterations, search.kept) == (ITERATIONS + 100, 0)


def load(game: str) -> State:
    state = load_game(game, 2)
    Dealer(77).settle(state)
    return state


def hits(table: Table, seed: int, iterations: int = ITERATIONS, *, seeds: Sequence[int] = (5,)) -> list[Step]:
    """Steps with whose next decision the tree of each of these seeds goes on; there are some."""
    found = [
        step
        for step in steps(table, seed)
        if all(tree(step.before, each, iterations).go_on(step.after, 6) for each in seeds)
    ]
    assert found
    return found


@at_every_table
def test_a_decision_is_gone_on_with_once(table: Table) -> None:
    """Of one that is asked for again nothing is kept, whether its node began the tree or was taken later."""
    for step in hits(table, 1):
        search = tree(step.before)
        assert not search.go_on(step.before, 6)
        assert search.go_on(step.after, 6)
        search.run(100)
        assert not search.go_on(step.after, 7)
        assert search.iterations == 100


@at_every_table
def test_nothing_goes_on_from_behind_a_pooled_event(table: Table) -> None:
    """Not even with the very view that the node was made with: its visits had others, too."""
    met = 0
    for step in [each for each in walk(table, 4) if each.pooled][:12]:
        search, plain = tree(step.before), GoingOn(step.before, 5)
        plain.grow(ITERATIONS)
        made = plain.made_with(step)
        if made is not None:
            met += 1
            assert not search.go_on(made, 6)
    assert met > 0


@at_every_table
def test_a_tree_that_is_more_than_half_full_does_not_go_on(table: Table) -> None:
    for step in hits(table, 1)[:3]:
        usual = limited(step.before)
        assert usual.bytes > MEMORY // 2
        for knob, taken in (("nodes", usual.nodes), ("memory", usual.bytes)):
            for most, goes_on in ((2 * taken - 1, False), (2 * taken, True)):
                search = limited(step.before, **{knob: most})
                assert search.go_on(step.after, 6) == goes_on


def decide(bot: IsmctsBot, info: InformationSet, seed: int, budget: int = ITERATIONS) -> Decision:
    return replace(bot.choose(info, Budget(budget), Rng(seed)), elapsed=0.0)


def bot(spec: str = "ismcts:reuse=on") -> IsmctsBot:
    made = make_bot(spec)
    assert isinstance(made, IsmctsBot)
    return made


@at_every_table
def test_after_a_mismatch_a_bot_decides_as_one_without_a_past(table: Table) -> None:
    """Another game or seat, the same decision again, or a card of many came between."""
    step = steps(table, 4)[3]
    strangers = [(step.before, knowledge(load(game))) for game in game_names()]
    strangers += [
        (step.before, each.before) for each in walk(table, 4) if each.before.seat != step.before.seat
    ][:3]
    strangers += [(step.before, step.before)]
    strangers += [(each.before, each.after) for each in walk(table, 4) if each.pooled][:3]
    assert len(strangers) == 3 + 3 + 1 + 3
    for before, stranger in strangers:
        used = bot()
        decide(used, before, 1)
        assert decide(used, stranger, 2) == decide(bot(), stranger, 2) == decide(bot("ismcts"), stranger, 2)


@at_every_table
def test_what_was_dealt_otherwise_is_another_information_set(table: Table) -> None:
    """Of the next decisions that differ from the one before by what was seen since, each finds its own."""
    for step in hits(table, 1):
        others = [each for each in hits(table, 1) if each.after != step.after]
        search = tree(step.before)
        assert not any(search.go_on(each.after, 6) for each in others)
        assert search.go_on(step.after, 6)


@at_every_table
def test_a_bot_goes_on_and_its_report_counts_what_was_kept(table: Table) -> None:
    seed = Rng(1).next()
    for step in hits(table, 1, seeds=[seed]):
        used = bot()
        decide(used, step.before, 1)
        second = decide(used, step.after, 2)
        search = tree(step.before, seed)
        assert search.go_on(step.after, Rng(2).next())
        search.run(ITERATIONS)
        assert second.iterations == ITERATIONS
        rows = [Tally(*row) for row in search.root_statistics()]
        assert second.statistics == rank(rows, step.after.seat)
        assert sum(row.visits for row in second.statistics) == ITERATIONS + search.kept > ITERATIONS
        assert second.principal_variation == search.line(second.action)


@pytest.mark.parametrize("game", game_names())
def test_equal_histories_give_equal_decisions(game: str) -> None:
    table = Table(game, 2)
    for spec in ("ismcts:reuse=on", "ismcts:reuse=on,threads=2", "ismcts:reuse=on,pace=quick"):
        games = []
        for _ in range(2):
            used = bot(spec)
            walked = islice(walk(table, 5), 30)
            games.append([decide(used, step.before, 3, 200) for step in walked if step.before.seat == 0])
        fresh = [
            decide(bot(spec), step.before, 3, 200)
            for step in islice(walk(table, 5), 30)
            if step.before.seat == 0
        ]
        assert games[0] == games[1] != fresh


@pytest.mark.parametrize("game", game_names())
def test_with_several_threads_each_tree_goes_on_by_itself(game: str) -> None:
    seeds = tree_seeds(Rng(1).next(), 2)
    for step in hits(Table(game, 2), 1, ITERATIONS // 2, seeds=seeds):
        used = bot("ismcts:reuse=on,threads=2")
        decide(used, step.before, 1)
        decision = decide(used, step.after, 2)
        assert decision.iterations == ITERATIONS
        kept = 0
        for seed in seeds:
            search = tree(step.before, seed, ITERATIONS // 2)
            assert search.go_on(step.after, 6)
            kept += search.kept
        assert sum(row.visits for row in decision.statistics) == ITERATIONS + kept


@at_every_table
def test_two_truths_that_look_alike_twice_give_equal_decisions(table: Table) -> None:
    """The seat sees the same in both, up to its next decision; what is hidden from it differs."""
    compared = 0
    for step in hits(table, 1):
        for seed in range(3):
            other = replace(
                step,
                before=knowledge(step.before.imagine(Rng(seed))),
                after=knowledge(step.after.imagine(Rng(seed + 10))),
            )
            pair = []
            for each in (step, other):
                used = bot()
                pair.append([decide(used, each.before, 1), decide(used, each.after, 2)])
            assert pair[0] == pair[1]
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("game", game_names())
def test_over_a_whole_game_trees_keep_to_their_memory(game: str) -> None:
    used = bot("ismcts:reuse=on,memory=1,iterations=900")
    state, dealer, rng = load_game(game, 2), Dealer(8), Rng(8)
    dealer.settle(state)
    kept = 0
    while not state.is_terminal:
        decision = used.choose(knowledge(state), Budget(), rng)
        assert state.is_legal(decision.action)
        kept += sum(row.visits for row in decision.statistics) > decision.iterations
        assert all(each.bytes <= MEMORY for each in used._kept._trees)
        state.apply(decision.action)
        dealer.settle(state)
    assert kept > 5


@at_every_table
def test_an_early_end_changes_no_choice_though_visits_were_kept(table: Table) -> None:
    ended = 0
    for step in [step for seed in range(1, 4) for step in hits(table, seed)]:
        quick, even = bot("ismcts:reuse=on,pace=quick"), bot()
        for each in (quick, even):
            each._kept.keep([tree(step.before)])
        early, whole = decide(quick, step.after, 2), decide(even, step.after, 2)
        assert early.action == whole.action
        assert (early.iterations < whole.iterations) == (early.stop_reason is StopReason.DECIDED)
        ended += early.stop_reason is StopReason.DECIDED
    assert ended > 0


def test_a_bot_keeps_nothing_unless_asked_to() -> None:
    for step in hits(Table("column", 2), 1):
        used = bot("ismcts")
        decide(used, step.before, 1)
        assert decide(used, step.after, 2) == decide(bot("ismcts"), step.after, 2)
        assert decide(used, step.after, 2) == decide(bot("ismcts:reuse=off"), step.after, 2)


def test_what_cannot_go_on_is_refused_by_name() -> None:
    info = knowledge(load(game_names()[0]))
    with pytest.raises(ValueError, match="reuse"):
        Search(info, 1, worlds="fixed", reuse=True)
    search = Search(info, 1, reuse=True)
    with pytest.raises(ValueError, match="among"):
        search.go_on(info, 1, among=[])
    with pytest.raises(ValueError, match="is not to move"):
        search.go_on(info.imagine(Rng(1)).information_set(1 - info.seat), 1)


def test_a_bot_that_keeps_trees_equals_another_of_the_same_options() -> None:
    used = bot()
    decide(used, knowledge(load("builders")), 1, 50)
    assert used == bot()
    assert hash(used) == hash(bot())
    assert used != bot("ismcts")
