"""The native search against the plain one: the same tree, node by node; and what ends it."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import pytest

from kingsbridge.ai import ActionStatistics, Budget, StopReason, make_bot
from kingsbridge.ai.ismcts import fresh_worlds
from kingsbridge.ai.mcts import fixed_world
from kingsbridge.ai.native import native_tree
from kingsbridge.ai.search import KERNELS, SearchParams, Tree
from kingsbridge.pyengine import (
    SPECTATOR,
    Dealer,
    IllegalActionError,
    InformationSet,
    Rng,
    Search,
    SearchRunningError,
    State,
    game_names,
    load_game,
)
from tests.ai.toys import FakeClock
from tests.conformance.walks import Table, at_every_table

REPOSITORY = Path(__file__).parents[2]
SAMPLERS = {"fresh": fresh_worlds, "fixed": fixed_world}
FAR = 10**9
"""More iterations than any test waits for."""


@dataclass(frozen=True)
class Case:
    """A search: how long, in which worlds, by which knobs."""

    iterations: int = 300
    worlds: str = "fresh"
    seed: int = 5
    params: SearchParams = SearchParams()  # noqa: RUF009 - a frozen value

    def plain(self, info: InformationSet, among: list[int] | None = None) -> Tree:
        tree = Tree(info, SAMPLERS[self.worlds], self.params, self.seed, among)
        for _ in range(self.iterations):
            tree.iterate()
        return tree

    def native(self, info: InformationSet, among: list[int] | None = None) -> Search:
        return native_tree(info, self.worlds, self.params, self.seed, among)


CASES = [
    Case(iterations, worlds, seed, SearchParams(**knobs))  # type: ignore[arg-type]
    for seed, (iterations, worlds, knobs) in enumerate(
        [
            (2000, "fresh", {}),
            (800, "fixed", {}),
            (300, "fresh", {"order": "random"}),
            (500, "fixed", {"order": "random", "policy": "uniform"}),
            (400, "fresh", {"policy": "uniform", "c": 0.0}),
            (800, "fresh", {"c": 1.5, "caution": 0.0}),
            (600, "fresh", {"caution": -9.0, "bias": 0.0}),
            (900, "fresh", {"bias": 0.5, "trust": 3.0}),
            (600, "fixed", {"bias": 0.01, "trust": 0.0}),
            (600, "fixed", {"c": 0.05, "caution": -9.0, "order": "random"}),
            (500, "fresh", {"c": 0.7, "caution": 1.0}),
            (500, "fresh", {"nodes": 1}),
            (600, "fresh", {"length": 0}),
            (500, "fixed", {"length": -1, "policy": "uniform"}),
            (700, "fresh", {"nodes": 40, "caution": 0.05}),
            (400, "fixed", {"nodes": 7, "order": "random"}),
            (900, "fresh", {"rule": "puct", "c": 1.0, "bias": 0.02, "caution": 0.1}),
            (700, "fixed", {"rule": "puct", "c": 3.0, "temperature": 0.02, "bias": 0.1}),
            (900, "fresh", {"widening": 1.0, "caution": -9.0}),
            (600, "fixed", {"widening": 2.5, "rule": "puct", "caution": -9.0}),
            (600, "fresh", {"opponents": "paranoid"}),
            (500, "fresh", {"opponents": "policy", "policy": "uniform"}),
            (400, "fixed", {"opponents": "policy", "rounds": 1}),
            (500, "fresh", {"rounds": 2, "length": 25}),
            (500, "fresh", {"margin": 0.0, "rounds": 0}),
            (500, "fixed", {"margin": 0.83, "reach": 7, "length": -1}),
        ]
    )
]
MEMORY = 1 << 20


def positions(table: Table, seed: int) -> list[State]:
    """Decisions with a choice in a game by rollout policy: the first, two in the middle, one near the end."""
    state, dealer, rng = load_game(table.game, table.players), Dealer(seed), Rng(seed)
    dealer.settle(state)
    found = []
    while not state.is_terminal:
        if len(state.legal_actions()) > 1:
            found.append(state.copy())
        state.apply(state.sample_action(rng))
        dealer.settle(state)
    return [found[0], found[len(found) // 3], found[2 * len(found) // 3], found[-4]]


def knowledge(state: State) -> InformationSet:
    return state.information_set(state.current_player)


def first_decision(game: str = "", players: int = 2) -> InformationSet:
    return knowledge(positions(Table(game or game_names()[0], players), 1)[0])


def report(tree: Tree) -> list[tuple[object, ...]]:
    return [astuple(row) for row in tree.root_statistics()]


def check_equal(info: InformationSet, case: Case, among: list[int] | None = None) -> None:
    tree, search = case.plain(info, among), case.native(info, among)
    assert search.run(case.iterations) == "iterations"
    assert search.iterations == tree.iterations == case.iterations
    assert search.trace() == list(tree.trace())
    assert search.nodes == len(search.trace())
    assert search.root_statistics() == report(tree)
    visits = {action: visits for action, visits, *_ in search.root_statistics()}
    best = max(visits, key=visits.__getitem__)
    assert search.line(best) == tree.line(best)


@at_every_table
@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_native_search_grows_the_tree_of_the_plain_one(table: Table, case: Case) -> None:
    places = positions(table, case.seed)
    place = places[case.seed % len(places)]
    check_equal(knowledge(place), case)


@at_every_table
def test_at_every_stage_of_a_game_the_trees_are_equal(table: Table) -> None:
    for seed in (21, 22):
        for state in positions(table, seed):
            for worlds in SAMPLERS:
                check_equal(knowledge(state), Case(400, worlds, seed))


@at_every_table
@pytest.mark.parametrize("case", CASES[:4], ids=range(4))
def test_with_some_actions_at_the_root_the_trees_are_equal_too(table: Table, case: Case) -> None:
    short = replace(case, iterations=120)
    for state in positions(table, 91):
        info, legal = knowledge(state), state.legal_actions()
        for among in (legal, legal[1:], legal[::2], legal[:1], legal[-1:]):
            check_equal(info, short, among)


@at_every_table
def test_the_root_offers_what_it_is_given_and_no_other_node_is_narrowed(table: Table) -> None:
    for state in positions(table, 92):
        legal = state.legal_actions()
        whole = Search(knowledge(state), 1)
        whole.run(300)
        for among in (legal[1:], legal[:1], legal[-1:] * 2):
            search = Search(knowledge(state), 1, among=reversed(among))
            search.run(300)
            rows = search.root_statistics()
            assert {action for action, *_ in rows} <= set(among)
            assert [row[0] for row in search.trace()[0][1]] == sorted(set(among))
            assert sum(visits for _, visits, *_ in rows) == 300
        all_of_them = Search(knowledge(state), 1, among=legal)
        all_of_them.run(300)
        assert all_of_them.trace() == whole.trace()


def test_a_forced_root_is_a_node_where_it_is_asked_for() -> None:
    state, dealer, rng = load_game("builders", 2), Dealer(1), Rng(1)
    dealer.settle(state)
    while len(state.legal_actions()) != 1:
        state.apply(state.sample_action(rng))
        dealer.settle(state)
    (only,) = state.legal_actions()
    check_equal(knowledge(state), Case(200), [only])
    search = Search(knowledge(state), 1, among=[only])
    search.run(50)
    assert [row[:3] for row in search.root_statistics()] == [(only, 50, 50)]


@at_every_table
def test_a_deeper_tree_is_equal_too(table: Table) -> None:
    check_equal(knowledge(positions(table, 31)[2]), Case(3000, params=SearchParams(c=0.1)))


@at_every_table
def test_a_line_of_any_root_action_is_that_of_the_plain_search(table: Table) -> None:
    info = knowledge(positions(table, 41)[3])
    case = Case(500)
    search = case.native(info)
    search.run(case.iterations)
    for action in info.legal_actions()[:4]:
        assert search.line(action) == case.plain(info).line(action)


@at_every_table
def test_a_search_in_slices_is_the_search_in_one_run(table: Table) -> None:
    info, case = knowledge(positions(table, 51)[1]), Case(500)
    whole, sliced = case.native(info), case.native(info)
    whole.run(500)
    for size in itertools.chain(range(20), [310]):
        assert sliced.run(size) == "iterations"
        sliced.root_statistics()
        sliced.line(info.legal_actions()[0])
    assert sliced.iterations == 500
    assert sliced.trace() == whole.trace()
    assert sliced.root_statistics() == whole.root_statistics()


@at_every_table
def test_what_a_seat_cannot_know_changes_no_node(table: Table) -> None:
    for state in positions(table, 61):
        info = knowledge(state)
        other = knowledge(info.imagine(Rng(9)))
        trees = []
        for each in (info, other, InformationSet.from_view(table.game, info.view())):
            search = Search(each, 3)
            search.run(200)
            trees.append(search.trace())
        assert trees[0] == trees[1] == trees[2]


@at_every_table
def test_every_position_with_a_choice_can_be_searched_to_the_end(table: Table) -> None:
    """The last decision of a game, where a tree is soon exhausted."""
    info = knowledge(positions(table, 71)[-1])
    search = Search(info, 1, memory=MEMORY)
    assert search.run(5000) == "iterations"
    assert sum(visits for _, visits, *_ in search.root_statistics()) == 5000


def test_a_forced_decision_has_no_root_statistics() -> None:
    for players in (2, 3):
        state, dealer, rng = load_game(game_names()[0], players), Dealer(1), Rng(1)
        dealer.settle(state)
        while len(state.legal_actions()) != 1:
            state.apply(state.sample_action(rng))
            dealer.settle(state)
        search = Search(knowledge(state), 1)
        assert search.run(50) == "iterations"
        assert search.root_statistics() == []
        assert search.line(state.legal_actions()[0])[0] == state.legal_actions()[0]


@at_every_table
@pytest.mark.parametrize("order", ["heuristic", "random"])
def test_a_full_memory_ends_the_growth_and_not_the_search(table: Table, order: str) -> None:
    info = first_decision(table.game, table.players)
    small, large = (Search(info, 5, memory=memory, order=order) for memory in (MEMORY, 1 << 26))
    small.run(12_000)
    large.run(12_000)
    assert large.bytes > MEMORY >= small.bytes
    assert small.nodes < large.nodes
    for search in (small, large):
        assert sum(visits for _, visits, *_ in search.root_statistics()) == 12_000
        for seat, rows in search.trace():
            assert 0 <= seat < table.players
            assert all(0 <= visits <= availability <= 12_000 for _, visits, availability, _ in rows)
            assert [row[0] for row in rows] == sorted({row[0] for row in rows})


def test_a_bot_keeps_to_the_memory_it_is_given() -> None:
    info = first_decision()

    def decide(spec: str) -> tuple[ActionStatistics, ...]:
        return make_bot(spec).choose(info, Budget(12_000), Rng(1)).statistics

    assert decide("ismcts:memory=1") != decide("ismcts") == decide("ismcts:memory=256")
    tree = native_tree(info, "fresh", SearchParams(memory=1), 1)
    tree.run(12_000)
    assert tree.bytes <= 1 << 20


def test_the_plain_kernel_minds_only_nodes() -> None:
    info = first_decision()
    one, other = (
        make_bot(f"ismcts:kernel=python,memory={memory}").choose(info, Budget(3000), Rng(1))
        for memory in (1, 256)
    )
    assert one.statistics == other.statistics


def fingerprint() -> str:
    """Trees of all games, as text."""
    trees = []
    for game, worlds in itertools.product(game_names(), SAMPLERS):
        search = Search(first_decision(game), 7, worlds=worlds)
        search.run(400)
        trees.append((search.trace(), search.root_statistics()))
    return repr(trees)


def test_the_same_seed_grows_the_same_tree_in_any_process() -> None:
    script = "from tests.ai.test_native_search import fingerprint\nprint(fingerprint())"
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == fingerprint()


@pytest.mark.parametrize("bot", ["ismcts:threads=1", "mcts:threads=1", "ismcts:threads=3"])
@pytest.mark.parametrize("budget", [Budget(0), Budget(1), Budget(400)])
@pytest.mark.parametrize("game", game_names())
def test_a_bot_decides_the_same_with_either_kernel(bot: str, budget: Budget, game: str) -> None:
    for state in positions(Table(game, 3), 4):
        info = state.information_set(state.current_player)
        native, plain = (
            make_bot(f"{bot},kernel={kernel}").choose(info, budget, Rng(9)) for kernel in KERNELS
        )
        assert replace(native, elapsed=0.0) == replace(plain, elapsed=0.0)


def test_a_bot_stops_when_told_to_though_its_budget_is_large() -> None:
    asked = iter([False, False, True])
    decision = make_bot("ismcts").choose(
        first_decision(), Budget(10**9), Rng(1), should_stop=lambda: next(asked)
    )
    assert decision.stop_reason is StopReason.STOPPED
    assert decision.iterations > 0


@pytest.mark.parametrize("threads", [1, 2])
def test_trees_on_several_threads_stop_together(threads: int) -> None:
    bot = make_bot(f"ismcts:threads={threads}")
    asked = iter([False] * 5 + [True] * 5)
    stopped = bot.choose(first_decision(), Budget(10**9), Rng(1), should_stop=lambda: next(asked))
    assert (stopped.stop_reason, stopped.iterations > 0) == (StopReason.STOPPED, True)
    timed = bot.choose(first_decision(), Budget(seconds=0.03), Rng(1))
    assert (timed.stop_reason, timed.iterations > 0) == (StopReason.TIME, True)
    with pytest.raises(ZeroDivisionError):
        bot.choose(first_decision(), Budget(10**9), Rng(1), should_stop=lambda: bool(1 // 0))


def test_a_bot_answers_by_the_clock_it_is_given() -> None:
    decision = make_bot("ismcts").choose(first_decision(), Budget(seconds=10.0), Rng(1), clock=FakeClock(4.0))
    assert decision.stop_reason is StopReason.TIME


def test_another_seed_grows_another_tree() -> None:
    info = first_decision()
    trees = [Search(info, seed) for seed in (1, 2)]
    for search in trees:
        search.run(300)
    assert trees[0].trace() != trees[1].trace()


@pytest.mark.parametrize(
    ("knob", "value"),
    [
        ("c", 0.9),
        ("caution", 0.0),
        ("bias", 0.2),
        ("trust", 2.0),
        ("rule", "puct"),
        ("widening", 1.0),
        ("opponents", "policy"),
        ("margin", 0.9),
        ("reach", 3),
        ("policy", "uniform"),
        ("length", 3),
        ("rounds", 1),
        ("order", "random"),
        ("nodes", 3),
    ],
)
def test_every_knob_changes_the_tree(knob: str, value: float | str) -> None:
    info = first_decision()
    usual, other = Search(info, 1), Search(info, 1, **{knob: value})  # type: ignore[arg-type]
    usual.run(500)
    other.run(500)
    assert usual.trace() != other.trace()


def test_another_thread_stops_a_search_without_limits() -> None:
    search = Search(first_decision(), 1)
    reasons: list[str] = []
    thread = threading.Thread(target=lambda: reasons.append(search.run()))
    thread.start()
    search.stop()  # before or after the run began: it ends either way
    thread.join()
    assert reasons == ["stopped"]
    assert search.stopped
    assert search.run(10) == "stopped"


def test_a_shared_byte_stops_a_search_and_lets_it_go_on() -> None:
    flag = bytearray(1)
    search = Search(first_decision(), 1)
    reasons: list[str] = []
    for _ in range(20):
        thread = threading.Thread(target=lambda: reasons.append(search.run(FAR, flag=memoryview(flag))))
        thread.start()
        flag[0] = 1
        thread.join()
        assert search.run(FAR, flag=flag) == "stopped"
        flag[0] = 0
        search.run(1, flag=flag)
    assert reasons == ["stopped"] * 20
    whole = Search(first_decision(), 1)
    whole.run(search.iterations)
    assert whole.trace() == search.trace()


@at_every_table
def test_a_search_cut_short_anywhere_goes_the_way_of_the_search_in_one_run(table: Table) -> None:
    """Deadlines of microseconds end runs at any place of an iteration; the longest outlast one."""
    info = knowledge(positions(table, 81)[1])
    cut = Search(info, 1)
    for step in range(400):
        assert cut.run(FAR, seconds=step % 40 * 10e-6) == "time"
    whole = Search(info, 1)
    whole.run(cut.iterations)
    assert cut.iterations > 0
    assert cut.trace() == whole.trace()
    assert cut.root_statistics() == whole.root_statistics()


def test_no_time_and_no_iterations_are_budgets_too() -> None:
    search = Search(first_decision(), 1)
    assert search.run(FAR, seconds=0.0) == "time"
    assert search.run(0) == "iterations"
    assert search.run(0, seconds=0.0) == "iterations"
    assert search.run(0, flag=bytearray([1])) == "iterations"
    assert (search.iterations, search.nodes, search.trace(), search.root_statistics()) == (0, 0, [], [])
    action = first_decision().legal_actions()[-1]
    assert search.line(action)[0] == action


@pytest.mark.parametrize("game", game_names())
def test_a_deadline_is_kept_to_a_fraction_of_a_millisecond(game: str) -> None:
    """By the best of many runs: on a busy machine any of them may lose the processor for longer."""
    search = Search(first_decision(game, 4), 1)
    late = []
    for _ in range(100):
        start = time.perf_counter()
        assert search.run(FAR, seconds=0.002) == "time"
        late.append(time.perf_counter() - start - 0.002)
    assert 0 <= min(late) < 0.0002


def test_while_a_search_runs_nobody_else_may_use_it() -> None:
    search, flag, running = Search(first_decision(), 1), bytearray(1), threading.Event()

    def work() -> None:
        running.set()
        search.run(flag=flag)

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    refused = 0
    try:
        while refused == 0:  # until the run has begun
            try:
                search.trace()
            except SearchRunningError:
                refused += 1
        for use in (lambda: search.run(1), search.root_statistics, lambda: search.nodes):
            with pytest.raises(SearchRunningError):
                use()
    finally:
        flag[0] = 1
        thread.join()


def test_two_searches_run_side_by_side() -> None:
    searches = [Search(first_decision(), 1) for _ in range(2)]
    threads = [threading.Thread(target=search.run, args=(2000,)) for search in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert searches[0].trace() == searches[1].trace()


def test_what_is_out_of_range_is_refused_by_name() -> None:
    info = first_decision()
    state = info.imagine(Rng(1))
    for other in (SPECTATOR, 1 - info.seat):
        with pytest.raises(ValueError, match="is not to move"):
            Search(state.information_set(other), 1)
    for knob, value in {
        "c": -0.1,
        "caution": float("nan"),
        "bias": -0.1,
        "trust": float("inf"),
        "rule": "ucb2",
        "temperature": 0.0,
        "widening": -1.0,
        "opponents": "friends",
        "margin": 1.1,
        "reach": 0,
        "policy": "heavy",
        "length": -1,
        "rounds": -1,
        "order": "alphabetical",
        "worlds": "true",
        "nodes": 0,
        "memory": MEMORY - 1,
        "among": [],
    }.items():
        with pytest.raises(ValueError, match=knob):
            Search(info, 1, **{knob: value})  # type: ignore[arg-type]
    for action in (-1, 2**32, 1, max(info.legal_actions()) + 1):
        with pytest.raises(ValueError, match=f"among: {action} is not legal"):
            Search(info, 1, among=[info.legal_actions()[0], action])
    with pytest.raises(TypeError, match="among"):
        Search(info, 1, among=["pass"])  # type: ignore[list-item]
    search = Search(info, 1)
    with pytest.raises(ValueError, match="iterations"):
        search.run(-1)
    with pytest.raises(ValueError, match="seconds"):
        search.run(1, seconds=float("nan"))
    with pytest.raises(ValueError, match="one byte"):
        search.run(1, flag=bytearray(2))
    with pytest.raises(BufferError):
        search.run(1, flag=memoryview(b"0"))
    with pytest.raises(IllegalActionError):
        search.line(-1)
    assert search.iterations == 0


def test_numbers_beyond_64_bits_are_taken_as_what_they_mean() -> None:
    info = first_decision()
    one, other = Search(info, 3, nodes=2**80, memory=2**80), Search(info, 2**64 + 3)
    for search in (one, other):
        assert search.run(100) == "iterations"
    assert one.trace() == other.trace()
