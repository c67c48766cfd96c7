"""The tree search in native code: ``kingsbridge.pyengine.Search`` behind the bots.

It visits what ``ai.search.Tree`` visits; a test compares them node by node.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait

from kingsbridge.ai.bot import ActionStatistics, Budget, Clock, Decision, Limits, StopFlag, StopReason
from kingsbridge.ai.search import (
    WORLDS,
    SearchParams,
    acting_seat,
    best_first,
    best_informed,
    forced,
    horizon,
    merged,
    rank,
    tree_seeds,
)
from kingsbridge.pyengine import UTILITY_ONE, InformationSet, Rng, Search

SLICE = 0.002
"""Seconds between two looks at the stop flag and the clock."""


def native_search(
    info: InformationSet,
    worlds: str,
    params: SearchParams,
    budget: Budget,
    rng: Rng,
    *,
    clock: Clock,
    should_stop: StopFlag,
) -> Decision:
    """As ``ai.search.search``, with ``worlds`` "fresh" or "fixed" in place of a sampler.

    Raises:
        ValueError: the seat of ``info`` is not to move.
    """
    seat = acting_seat(info)
    limits = Limits(budget.over(Budget(params.iterations, params.seconds)), clock, should_stop)
    legal = info.legal_actions()
    if len(legal) == 1:
        return forced(legal[0], limits.elapsed())
    seed = rng.next()
    trees = [native_tree(info, worlds, params, each) for each in tree_seeds(seed, params.threads)]
    reason = _grow(trees[0], limits) if len(trees) == 1 else _grow_side_by_side(trees, limits)
    tables = [[_statistics(*row) for row in tree.root_statistics()] for tree in trees]
    ranked = rank(merged(tables), seat)
    action = ranked[0].action if ranked else legal[best_first(info.imagine(Rng(seed, WORLDS)).heuristic())[0]]
    line = trees[best_informed(tables, action)].line(action)
    return Decision(action, ranked, line, sum(tree.iterations for tree in trees), limits.elapsed(), reason)


def native_tree(info: InformationSet, worlds: str, params: SearchParams, seed: int) -> Search:
    """An empty tree with the knobs of ``params``."""
    length, rounds = horizon(info, params)
    return Search(
        info,
        seed,
        rule=params.rule,
        c=params.c,
        caution=params.caution,
        bias=params.bias,
        trust=params.trust,
        temperature=params.temperature,
        widening=params.widening,
        opponents=params.opponents,
        margin=params.margin,
        reach=params.reach,
        policy=params.policy,
        length=length,
        rounds=rounds,
        order=params.order,
        worlds=worlds,
        nodes=params.nodes,
    )


def _grow(tree: Search, limits: Limits) -> StopReason:
    """Searches in slices, so that a stop and the clock are seen; slices do not change the tree."""
    while (reason := limits.reached(tree.iterations)) is None:
        tree.run(limits.iterations_left(tree.iterations), limits.slice(SLICE))
    return reason


def _grow_side_by_side(trees: list[Search], limits: Limits) -> StopReason:
    """A thread for each tree and its share of the iterations: an iteration budget gives equal trees."""
    flag = bytearray(1)
    with ThreadPoolExecutor(len(trees)) as pool:
        shares = [limits.share(number, len(trees)) for number in range(len(trees))]
        runs = [pool.submit(tree.run, share, None, flag) for tree, share in zip(trees, shares, strict=True)]
        reason = None
        try:
            while reason is None and wait(runs, limits.slice(SLICE)).not_done:
                reason = limits.reached(0)
        finally:
            flag[0] = 1
    for run in runs:
        run.result()
    return reason or limits.reached(sum(tree.iterations for tree in trees)) or StopReason.STOPPED


def _statistics(action: int, visits: int, availability: int, totals: tuple[int, ...]) -> ActionStatistics:
    values = tuple(total / (visits * UTILITY_ONE) for total in totals)
    return ActionStatistics(action, visits, availability, values)
