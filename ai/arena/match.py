"""A match: the same deals for every bot in every seat, and how sure the result is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import inf
from typing import Any, Protocol

from kingsbridge.ai.arena.bots import Bots, check_spec
from kingsbridge.ai.arena.contest import TimeControl
from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.game import GameResult, play_game
from kingsbridge.ai.arena.schedule import block_seed, line_up
from kingsbridge.ai.arena.statistics import share_interval
from kingsbridge.ai.bot import Budget, Clock
from kingsbridge.pyengine import describe, load_game

Progress = Callable[[int, int], None]
"""Called with (blocks played, blocks in all), first with none played."""

CLOCKS: Mapping[str, Clock] = {"wall": time.monotonic, "cpu": time.process_time}
"""What a budget of seconds is measured by. ``cpu`` is processor time of the process that plays, that of all
threads of a bot together, and so fair on a machine that others use, too."""

_CHANCE_OF_A_REPEAT = 1e-12


class DealError(RuntimeError):
    """The deals of a match are not what they must be: the same within a block, different between blocks."""


@dataclass(frozen=True, slots=True)
class BotResult:
    """How one bot of the line-up did.

    ``games`` counts seats played: a bot in two seats of a game counts it twice. ``win_share`` is the mean
    share of the win a seat (ties are split; equal bots get 1 / seats), ``win_share_ci95`` its 95 % interval
    over blocks, ``mean_score`` the mean final score a seat.
    """

    bot: str
    games: int
    win_share: float
    win_share_ci95: tuple[float, float]
    mean_score: float

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, ready for ``json.dumps``."""
        return asdict(self) | {"win_share_ci95": list(self.win_share_ci95)}


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match: ``bots`` in line-up order; ``played`` has the games of each block, by rotation."""

    game: str
    players: int
    options: Mapping[str, int]
    seed: int
    blocks: int
    bots: tuple[BotResult, ...]
    played: tuple[tuple[GameResult, ...], ...]

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.blocks * self.players

    @property
    def decisions(self) -> int:
        """Number of decisions bots took in them."""
        return sum(game.decisions for block in self.played for game in block)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, ready for ``json.dumps``."""
        bots = [bot.to_json() for bot in self.bots]
        return {"game": self.game, "players": self.players, "blocks": self.blocks, "bots": bots}


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """All that a block needs besides its number. ``clock`` is one of ``CLOCKS``."""

    game: str
    players: int
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, int] = field(default_factory=dict)
    budget: Budget = Budget()  # noqa: RUF009  # frozen
    clock: str = "wall"


class Finished(Protocol):
    """What a result is counted from: the scores and win shares of a game, one a seat."""

    @property
    def scores(self) -> Sequence[int]:
        """Final scores."""

    @property
    def win_shares(self) -> Sequence[float]:
        """Shares of the win; they add up to 1."""


def play_match(
    game: str,
    players: int,
    bots: Sequence[str],
    blocks: int,
    seed: int,
    *,
    options: Mapping[str, int] | None = None,
    budget: Budget | None = None,
    clock: str = "wall",
    workers: int = 1,
    on_progress: Progress | None = None,
) -> MatchResult:
    """Plays ``blocks`` deals in every cyclic rotation of the line-up of bot specs.

    Fewer bots than seats take the seats in turn: A B A B. The result depends on the arguments up to
    ``budget`` only, not on ``workers``, as long as no budget is in seconds. ``seed`` has 128 bits. ``clock``
    is one of ``CLOCKS``.

    Raises:
        ValueError: no block, no worker, no such clock, a seed out of range, no bot or more bots than seats.
        UnknownBotError, BotOptionError: a bot spec is wrong.
        UnknownGameError, OptionError: as ``load_game``.
        BotFaultError: a bot failed.
        DealError: deals repeat, which means a fault in the seeding.
        WorkerDiedError: a worker process was killed.
    """
    if blocks < 1 or workers < 1:
        raise ValueError(f"a match needs a block and a worker at least, not {blocks} and {workers}")
    plan = MatchPlan(game, players, tuple(bots), seed, dict(options or {}), budget or Budget(), clock)
    for check in PLAN_CHECKS.values():
        check(plan)
    played: dict[int, tuple[GameResult, ...]] = {}
    report = on_progress or silent
    report(0, blocks)
    for number, results in _blocks(plan, blocks, workers):
        played[number] = results
        report(len(played), blocks)
    return summarize(plan.bots, seed, [played[number] for number in range(blocks)])


def summarize(bots: Sequence[str], seed: int, played: Sequence[tuple[GameResult, ...]]) -> MatchResult:
    """The result of a match from its games, block by block, rotation by rotation.

    Raises:
        DealError: see ``play_match``.
    """
    check_deals(played)
    first = played[0][0]
    return MatchResult(
        game=first.game,
        players=first.players,
        options=first.options,
        seed=seed,
        blocks=len(played),
        bots=tuple(bot_result(bots, index, played) for index in range(len(bots))),
        played=tuple(played),
    )


def silent(done: int, total: int) -> None:
    """Progress nobody watches."""


def _check_bots(plan: MatchPlan) -> None:
    line_up(len(plan.bots), plan.players, 0)
    for spec in plan.bots:
        check_spec(spec)


def _check_clock(plan: MatchPlan) -> None:
    if plan.clock not in CLOCKS:
        raise ValueError(f'no clock "{plan.clock}"; clocks: {", ".join(CLOCKS)}')


PLAN_CHECKS: Mapping[str, Callable[[MatchPlan], object]] = {
    "game": lambda plan: describe(plan.game),
    "players": lambda plan: load_game(plan.game, plan.players),
    "options": lambda plan: load_game(plan.game, plan.players, **plan.options),
    "seed": lambda plan: block_seed(plan.seed, 0),
    "bots": _check_bots,
    "clock": _check_clock,
}
"""What finds a fault in a part of a plan before anything is played, in this order: one builds on the other.
Each raises what ``play_match`` says of it."""


def _blocks(plan: MatchPlan, blocks: int, workers: int) -> Iterator[tuple[int, tuple[GameResult, ...]]]:
    work = partial(play_block, plan)
    if workers == 1:
        return ((number, work(number)) for number in range(blocks))
    numbers = iter(range(blocks))
    return (answer for answer in share_out(work, lambda: next(numbers, None), workers) if answer is not None)


def play_block(plan: MatchPlan, number: int) -> tuple[GameResult, ...]:
    """One deal in every rotation. Bots are made anew for each seat, so none can carry anything over; only
    those outside stay open for the block.
    """
    seed = block_seed(plan.seed, number)
    control = TimeControl(plan.budget.iterations, plan.budget.seconds, grace=inf, timeout=inf)
    results = []
    with Bots() as bots:
        for rotation in range(plan.players):
            seats = line_up(len(plan.bots), plan.players, rotation)
            seated = [
                bots.seated(plan.bots[index], seat, number=rotation) for seat, index in enumerate(seats)
            ]
            results.append(
                play_game(
                    plan.game,
                    plan.players,
                    plan.options,
                    seated,
                    seed,
                    number=rotation,
                    time_control=control,
                    clock=CLOCKS[plan.clock],
                )
            )
    return tuple(results)


def bot_result(bots: Sequence[str], index: int, played: Sequence[Sequence[Finished]]) -> BotResult:
    """How a bot of the line-up did in the games of these blocks, by rotation; there must be a block."""
    shares, scores, games = [], [], 0
    for block in played:
        seats = [
            (result, seat)
            for rotation, result in enumerate(block)
            for seat, holder in enumerate(line_up(len(bots), len(block), rotation))
            if holder == index
        ]
        shares.append(sum(result.win_shares[seat] for result, seat in seats) / len(seats))
        scores.append(sum(result.scores[seat] for result, seat in seats) / len(seats))
        games += len(seats)
    interval = share_interval(shares)
    return BotResult(
        bot=bots[index],
        games=games,
        win_share=interval.mean,
        win_share_ci95=(interval.low, interval.high),
        mean_score=sum(scores) / len(scores),
    )


def check_deals(played: Sequence[tuple[GameResult, ...]]) -> None:
    """Luck is shared within a block and nowhere else; a repeat that chance explains is let pass.

    Raises:
        DealError: it is not.
    """
    block_of: dict[tuple[int, ...], int] = {}
    for number, block in enumerate(played):
        if len({result.opening for result in block}) > 1:
            raise DealError(f"the games of block {number} were dealt differently")
        other = block_of.setdefault(block[0].opening, number)
        if other != number and block[0].opening_probability < _CHANCE_OF_A_REPEAT:
            raise DealError(f"blocks {other} and {number} were dealt alike")
