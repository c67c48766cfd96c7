"""The tree search in native code: ``kingsbridge.pyengine.Search`` behind the bots.

It visits what ``ai.search.Tree`` visits; a test compares them node by node.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

from kingsbridge.ai.bot import Budget, Clock, Decision, Limits, Report, StopFlag, StopReason
from kingsbridge.ai.choices import considered
from kingsbridge.ai.conclusion import Conclusion
from kingsbridge.ai.interim import Interim
from kingsbridge.ai.kept import KeptTrees
from kingsbridge.ai.pace import Early, comes_at_once
from kingsbridge.ai.search import (
    WORLDS,
    SearchParams,
    acting_seat,
    forced,
    horizon,
    likeliest,
    selection,
    tree_seeds,
)
from kingsbridge.ai.tally import Tally, merged
from kingsbridge.pyengine import InformationSet, Rng, Search

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
    among: Collection[int] | None = None,
    report: Report | None = None,
    kept: KeptTrees | None = None,
) -> Decision:
    """As ``ai.search.search``, with ``worlds`` "fresh" or "fixed" in place of a sampler.

    With ``kept``, trees of an earlier decision go on, each by itself, where they know this one; the budget is
    of new iterations, visits that were kept come on top of them in the statistics. A move that comes at once
    leaves the trees as they are.

    Raises:
        ValueError: as ``ai.search.search``.
    """
    seat = acting_seat(info)
    limits = Limits(budget.over(Budget(params.iterations, params.seconds)), clock, should_stop)
    legal = info.legal_actions()
    offered = considered(legal, among)
    if comes_at_once(info, legal, params.pace):
        return forced(legal[0], limits.elapsed())
    seed = rng.next()
    seeds = tree_seeds(seed, params.threads)
    fresh = partial(native_tree, info, worlds, params, among=offered, reuse=kept is not None)
    trees = [fresh(each) for each in seeds] if kept is None else kept.take(info, seeds, offered, fresh)
    decide = Conclusion(
        trees,
        lambda: _tables(trees),
        lambda: likeliest(info.imagine(Rng(seed, WORLDS)), offered),
        seat,
        limits,
        worlds == "fresh",
    ).decide
    early, interim = Early(limits, params.pace), Interim(report, limits, decide)
    grow = _grow if len(trees) == 1 else _grow_side_by_side
    decision = decide(grow(trees, limits, early, interim))
    if kept is not None:
        kept.keep(trees)
    return decision


def native_tree(
    info: InformationSet,
    worlds: str,
    params: SearchParams,
    seed: int,
    among: list[int] | None = None,
    *,
    reuse: bool = False,
) -> Search:
    """An empty tree with the knobs of ``params``; ``among`` is all that its root offers. With ``reuse`` it
    can go on with later decisions.
    """
    length, rounds = horizon(info, params)
    rule, c, caution = selection(info, params)
    return Search(
        info,
        seed,
        rule=rule,
        c=c,
        caution=caution,
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
        memory=params.memory << 20,
        reuse=reuse,
        among=among,
    )


def _grow(trees: list[Search], limits: Limits, early: Early, interim: Interim) -> StopReason:
    """Searches in slices, so that a stop and the clock are seen; slices do not change the one tree."""
    (tree,) = trees
    while (reason := limits.reached(tree.iterations)) is None:
        if early.decided(tree.iterations, lambda: _visits(trees)):
            return StopReason.DECIDED
        interim.tell()
        tree.run(early.until(tree.iterations), limits.slice(SLICE))
    return reason


def _grow_side_by_side(trees: list[Search], limits: Limits, early: Early, interim: Interim) -> StopReason:
    """A thread for each tree and its share of the iterations: an iteration budget gives equal trees."""
    with ThreadPoolExecutor(len(trees)) as pool:
        while (reason := limits.reached(done := sum(tree.iterations for tree in trees))) is None:
            if early.decided(done, lambda: _visits(trees)):
                return StopReason.DECIDED
            interim.tell()
            pauses = [each for each in (early.pause(), interim.pause()) if each is not None]
            reason = _round(pool, trees, early.until(done), min(pauses, default=None), limits)
            if reason is not None:
                break
    return reason


def _round(
    pool: ThreadPoolExecutor,
    trees: list[Search],
    iterations: int | None,
    seconds: float | None,
    limits: Limits,
) -> StopReason | None:
    """So many iterations more, or seconds if they are over first. Returns what else ended it."""
    flag = bytearray(1)
    shares = _shares([tree.iterations for tree in trees], iterations)
    runs = [pool.submit(tree.run, share, None, flag) for tree, share in zip(trees, shares, strict=True)]
    ends = math.inf if seconds is None else limits.elapsed() + seconds
    reason = None
    try:
        while reason is None and wait(runs, limits.slice(SLICE)).not_done:
            reason = limits.reached(0)
            if ends < math.inf and limits.elapsed() >= ends:
                break
    finally:
        flag[0] = 1
    for run in runs:
        run.result()
    return reason


def _shares(done: list[int], more: int | None) -> list[int | None]:
    """How many iterations fall to each of several trees that take them in turn, the first one first."""
    if more is None:
        return [None] * len(done)
    total = sum(done) + more
    return [max(0, (total - number + len(done) - 1) // len(done) - own) for number, own in enumerate(done)]


def _tables(trees: list[Search]) -> list[list[Tally]]:
    return [[Tally(*row) for row in tree.root_statistics()] for tree in trees]


def _visits(trees: list[Search]) -> list[int]:
    return [row.visits for row in merged(_tables(trees))]
