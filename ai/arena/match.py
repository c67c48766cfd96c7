"""A match: the same deals for every bot in every seat, and how sure the result is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from typing import Any

from kingsbridge.ai.arena.bots import Bots
from kingsbridge.ai.arena.contest import Contest, Entrant, TimeControl
from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.faults import FaultPolicy
from kingsbridge.ai.arena.formats import schedule
from kingsbridge.ai.arena.game import DealError, GameResult, contest_game
from kingsbridge.ai.arena.schedule import block_seed, line_up
from kingsbridge.ai.arena.soundness import CHECKS
from kingsbridge.ai.arena.statistics import share_interval
from kingsbridge.ai.bot import Budget

Progress = Callable[[int, int], None]
"""Called with (blocks played, blocks in all), first with none played."""

_CHANCE_OF_A_REPEAT = 1e-12


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
        ValueError: no block, no worker, no such clock or one that cannot measure these bots, a seed out of
            range, no bot or more bots than seats.
        UnknownBotError, BotOptionError, UnknownLevelError: a bot spec is wrong.
        UnknownGameError, OptionError: as ``load_game``.
        BotFaultError: a bot failed.
        DealError: deals repeat, which means a fault in the seeding.
        WorkerDiedError: a worker process was killed.
    """
    if blocks < 1 or workers < 1:
        raise ValueError(f"a match needs a block and a worker at least, not {blocks} and {workers}")
    limits = budget or Budget()
    contest = Contest(
        id="match",
        format="match",
        game=game,
        players=players,
        entrants=tuple(Entrant(str(number), spec) for number, spec in enumerate(bots)),
        blocks=blocks,
        seed=seed,
        options=dict(options or {}),
        time_control=TimeControl(limits.iterations, limits.seconds, grace=inf, timeout=inf),
        clock=clock,
        on_fault=FaultPolicy.STOP,
        line_up=line_up(len(bots), players, 0),
    )
    for check in CHECKS.values():
        check(contest, True)
    played: dict[int, tuple[GameResult, ...]] = {}
    report = on_progress or silent
    report(0, blocks)
    for number, results in _blocks(contest, workers):
        played[number] = results
        report(len(played), blocks)
    return summarize(bots, seed, [played[number] for number in range(blocks)])


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


def _blocks(contest: Contest, workers: int) -> Iterator[tuple[int, tuple[GameResult, ...]]]:
    work = partial(play_block, contest)
    if workers == 1:
        return ((number, work(number)) for number in range(contest.blocks))
    numbers = iter(range(contest.blocks))
    return (answer for answer in share_out(work, lambda: next(numbers, None), workers) if answer is not None)


def play_block(contest: Contest, number: int) -> tuple[GameResult, ...]:
    """One deal in every rotation. Bots are made anew for each seat, so none can carry anything over; only
    those outside stay open for the block.
    """
    seed = block_seed(contest.seed, number)
    results = []
    with Bots() as bots:
        for rotation, seats in enumerate(schedule(contest).games(number)):
            seated = [
                bots.seated(contest.entrants[entrant].spec, seat, number=rotation)
                for seat, entrant in enumerate(seats)
            ]
            results.append(contest_game(contest, seated, seed, rotation))
    return tuple(results)


def bot_result(bots: Sequence[str], index: int, played: Sequence[Sequence[GameResult]]) -> BotResult:
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
