"""How right the shares of the win are that a search tells. Run by ``make calibration``.

The default bot plays itself. Noted are, at each decision, the shares that it tells of the action it chose,
and at the beginning of each round, where rollouts are cut off, what the evaluation expects of each seat; and
who won in the end. Shares are right if who is told a share wins it.

The *slope* is the power to which shares, or the odds that a lead gives, must be raised to fit best what came
(logistic regression, no intercept: seats are alike): 1 is right, above 1 they were too even, below too bold.
Games are independent and positions of one are not, so intervals are by a jackknife over games.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from kingsbridge.ai import Budget, Decision, make_bot, play_game
from kingsbridge.ai.arena.contest import TimeControl
from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.schedule import block_seed
from kingsbridge.ai.arena.statistics import Interval, share_interval
from kingsbridge.pyengine import UTILITY_ONE, InformationSet, OptionError, Rng, State, game_names, load_game

Shares = tuple[float, ...]
Rows = npt.NDArray[np.float64]

BOT = "ismcts:pace=quick"
LEAST_SHARE = 1e-3
"""Shares below are taken for this one: nobody is without a chance, and the logarithm of 0 fits nothing."""
PARTS = 20
"""Groups of games of the jackknife."""
BOUNDS = (0.1, 0.25, 0.4, 0.6, 0.75, 0.9)
"""Between the classes of shares that are shown together."""


@dataclass(frozen=True)
class Moment:
    """A position of a game: its round, who is to move, and the share of the win that each seat is given."""

    round: int
    seat: int
    shares: Shares


@dataclass(frozen=True)
class Played:
    """A game: what was told at decisions, what the evaluation said when rounds began, and who won."""

    told: list[Moment]
    expected: list[Moment]
    win_shares: Shares


@dataclass(frozen=True)
class Plan:
    """What is played: ``iterations`` are of a move, for every seat."""

    game: str
    players: int
    iterations: int
    seed: int


@dataclass(frozen=True)
class Slope:
    """The best one, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}..{self.high:.2f})"


class Noting:
    """The bot, writing down what it decides."""

    name = BOT

    def __init__(self) -> None:
        self._bot = make_bot(BOT)
        self.decisions: list[Decision] = []

    def choose(self, info: InformationSet, budget: Budget, rng: Rng, **more: Any) -> Decision:
        decision = self._bot.choose(info, budget, rng, **more)
        self.decisions.append(decision)
        return decision


def play(plan: Plan, number: int) -> Played:
    """One game; the same for equal arguments."""
    bot = Noting()
    control = TimeControl(plan.iterations, timeout=math.inf)
    seed = block_seed(plan.seed, number)
    result = play_game(plan.game, plan.players, {}, [bot] * plan.players, seed, time_control=control)
    told: list[Moment] = []
    expected: list[Moment] = []
    decisions = iter(bot.decisions)
    state = load_game(plan.game, plan.players)
    for action in result.actions:
        if not state.is_chance:
            seat = state.current_player
            if not expected or expected[-1].round != state.round:
                expected.append(Moment(state.round, seat, shares_by_evaluation(state)))
            if statistics := next(decisions).statistics:
                told.append(Moment(state.round, seat, statistics[0].win_shares))
        state.apply(action)
    return Played(told, expected, result.win_shares)


def shares_by_evaluation(state: State) -> Shares:
    """What a rollout is worth to each seat that is cut off at once."""
    _, shares, _ = state.rollout(Rng(0), length=0)
    return tuple(share / UTILITY_ONE for share in shares)


def played(plan: Plan, count: int, workers: int) -> list[Played]:
    """So many games, in their order; it does not matter how many workers play them."""
    numbers = iter(range(count))
    results = share_out(partial(play, plan), lambda: next(numbers, None), workers)
    finished = (each for each in results if each is not None)
    found = dict(track(finished, plan.game, count, console=Console(stderr=True), transient=True))
    return [found[number] for number in range(count)]


def slope(shares: Sequence[Sequence[Shares]], won: Sequence[Shares]) -> Slope:
    """The best power of the shares that the games of ``won`` gave: ``shares`` has those of each game.

    Raises:
        ValueError: fewer than two games that have any.
    """
    games = [(np.array(each), np.array(result)) for each, result in zip(shares, won, strict=True) if each]
    if len(games) < 2:
        raise ValueError("an interval takes two games")
    parts = min(PARTS, len(games))
    value = _best_power(games)
    without = [
        _best_power([each for i, each in enumerate(games) if i % parts != part]) for part in range(parts)
    ]
    error = math.sqrt((parts - 1) / parts * sum((each - value) ** 2 for each in without))
    return Slope(value, value - 2 * error, value + 2 * error)


def _best_power(games: Iterable[tuple[Rows, Rows]]) -> float:
    """By Newton's method: the likelihood is concave in the power."""
    logs, results = [], []
    for shares, won in games:
        logs.append(np.log(np.maximum(shares, LEAST_SHARE)))
        results.append(np.broadcast_to(won, shares.shape))
    x, y = np.concatenate(logs), np.concatenate(results)
    power = 1.0
    for _ in range(50):
        odds = np.exp(power * (x - x.max(axis=1, keepdims=True)))
        p = odds / odds.sum(axis=1, keepdims=True)
        mean = (p * x).sum(axis=1, keepdims=True)
        gradient = float(((y - p) * x).sum())
        curvature = float((p * (x - mean) ** 2).sum())
        step = max(-0.5, min(0.5, gradient / max(curvature, 1e-12)))
        power += step
        if abs(step) < 1e-6:
            break
    return power


def by_round(
    games: Sequence[Played], moments: Callable[[Played], list[Moment]]
) -> Iterator[tuple[str, int, Slope]]:
    """The slope over all rounds, and of each that two games in three came to: name, positions, slope."""
    won = [game.win_shares for game in games]

    def slope_of(rounds: Collection[int]) -> tuple[int, Slope]:
        shares = [[each.shares for each in moments(game) if each.round in rounds] for game in games]
        return sum(map(len, shares)), slope(shares, won)

    came = Counter(number for game in games for number in {each.round for each in moments(game)})
    yield "all", *slope_of(came)
    for number in sorted(came):
        if came[number] * 3 >= len(games) * 2:
            yield str(number), *slope_of([number])


def by_class(games: Sequence[Played]) -> Iterator[tuple[float, float, int, float, Interval]]:
    """Of what the seat to move was told, by class: bounds, games, mean told, and share won with its interval.

    Means are over games of their own means.
    """
    for low, high in pairwise((0.0, *BOUNDS, 1.0)):
        told, won = [], []
        for game in games:
            seats = [
                each
                for each in game.told
                if low <= each.shares[each.seat] < high or high == each.shares[each.seat] == 1
            ]
            if seats:
                told.append(fmean(each.shares[each.seat] for each in seats))
                won.append(fmean(game.win_shares[each.seat] for each in seats))
        if told:
            yield low, high, len(told), fmean(told), share_interval(won)


def show(plan: Plan, games: Sequence[Played], out: Console) -> None:
    """Prints what was found of a game."""
    title = f"{plan.game}, {plan.players} players, {len(games)} games"
    classes = Table(title=title, title_justify="left")
    for name in ("told to the seat to move", "games", "told", "won (95 %)"):
        classes.add_column(name, justify="right")
    for low, high, count, told, won in by_class(games):
        share = f"{100 * won.mean:.0f} % ({100 * won.low:.0f}..{100 * won.high:.0f})"
        classes.add_row(f"{100 * low:.0f} to {100 * high:.0f} %", str(count), f"{100 * told:.0f} %", share)
    out.print(classes)
    slopes = Table(
        "round", *(Column(name, justify="right") for name in ("positions", "told", "begun", "by evaluation"))
    )
    evaluated = {name: (count, found) for name, count, found in by_round(games, lambda each: each.expected)}
    for name, count, found in by_round(games, lambda each: each.told):
        begun, expected = evaluated.get(name, ("", ""))
        slopes.add_row(name, str(count), str(found), str(begun), str(expected))
    out.print(slopes)


def main() -> None:
    """Prints two tables for each game: shares told and won, and slopes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=game_names(), default=game_names(), metavar="GAME")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=1000, help="of a move")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    if given.games < 2:
        parser.error("--games: an interval takes 2 at least")
    try:
        for game in given.only:
            load_game(game, given.players)
    except OptionError as error:
        parser.error(f"--players: {error}")
    out = Console(width=110)
    out.print(f"{BOT}, {given.iterations} iterations a move, seed {given.seed}")
    for game in given.only:
        plan = Plan(game, given.players, given.iterations, given.seed)
        show(plan, played(plan, given.games, given.workers), out)


if __name__ == "__main__":
    main()
