"""A tournament: the missing blocks of all matches of a manifest, played side by side, and how it stands."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from typing import Any

from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.manifest import PlannedMatch
from kingsbridge.ai.arena.match import BotResult, Progress, bot_result, check_deals, play_block, silent
from kingsbridge.ai.arena.results import (
    BlockKey,
    PlayedBlock,
    PlayedGame,
    ResultsFile,
    blocks_of,
    keys_of,
)
from kingsbridge.ai.bot import Clock
from kingsbridge.pyengine import ENGINE_VERSION, describe


class Verdict(Enum):
    """Whether a target is reached, by the 95 % interval of the first bot's win share."""

    MET = "met"
    """The whole interval is on the right side."""
    NOT_MET = "not met"
    """The whole interval is on the wrong side."""
    OPEN = "open"
    """The target lies within, or nothing is played."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands: ``blocks`` of its blocks are played, ``bots`` has the results, in line-up order.

    ``bots`` is empty while no block is played. ``engines`` names the versions of engine and rules that
    played; results of more than one may not compare.
    """

    match: PlannedMatch
    blocks: int
    bots: tuple[BotResult, ...]
    decisions: int
    cpu_seconds: float
    engines: tuple[str, ...]

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.blocks * self.match.plan.players

    @property
    def verdict(self) -> Verdict | None:
        """Whether the targets are reached; ``None`` without a target."""
        if self.match.at_least is None and self.match.at_most is None:
            return None
        return _judge(self.match, *self.bots[0].win_share_ci95) if self.bots else Verdict.OPEN

    def to_json(self) -> dict[str, Any]:
        """The standing as plain data, ready for ``json.dumps``."""
        plan = self.match.plan
        return {
            "match": self.match.id,
            "game": plan.game,
            "players": plan.players,
            "blocks": self.match.blocks,
            "blocks_played": self.blocks,
            "games_played": self.games,
            "decisions": self.decisions,
            "bots": [bot.to_json() for bot in self.bots],
            "at_least": self.match.at_least,
            "at_most": self.match.at_most,
            "verdict": self.verdict.value if self.verdict else None,
            "cpu_seconds": self.cpu_seconds,
            "engines": list(self.engines),
        }


@dataclass(frozen=True, slots=True)
class _Task:
    """A block to play."""

    match: PlannedMatch
    key: BlockKey

    def __str__(self) -> str:
        return f"{self.key.match} block {self.key.block}"


def play_tournament(
    matches: Sequence[PlannedMatch],
    results: ResultsFile,
    *,
    workers: int = 1,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
    on_progress: Progress = silent,
) -> None:
    """Plays the blocks that are missing and writes each to ``results`` when it is finished.

    Partial results are balanced: next is always a block of the match with the least share of its blocks
    played or under way, the first of equals. After ``seconds`` by ``clock`` no block is begun; those under
    way are finished. The blocks depend on the matches only, not on ``workers`` or on interruptions, as long
    as no budget is in seconds.

    Raises:
        ValueError: no worker.
        OSError: a result cannot be written.
        BotFaultError: a bot answered with an illegal action.
        DealError: the games of a block were dealt differently.
        WorkerDiedError: a worker process was killed.
    """
    if workers < 1:
        raise ValueError(f"a tournament needs a worker at least, not {workers}")
    end = math.inf if seconds is None else clock() + seconds
    total = sum(match.blocks for match in matches)
    done = sum(standing.blocks for standing in standings(matches, results.blocks))
    on_progress(done, total)
    tasks = takewhile(lambda _: clock() < end, _missing(matches, results.blocks))
    for task, block in share_out(_play, tasks, workers):
        results.add(task.key, block)
        done += 1
        on_progress(done, total)


def standings(matches: Sequence[PlannedMatch], blocks: Mapping[BlockKey, PlayedBlock]) -> list[Standing]:
    """How each match stands by the blocks of a results file."""
    return [_standing(match, blocks_of(blocks, match.id, match.plan, match.blocks)) for match in matches]


def _standing(match: PlannedMatch, blocks: Sequence[PlayedBlock]) -> Standing:
    played = [block.games for block in blocks]
    seats = range(len(match.plan.bots) if played else 0)
    return Standing(
        match=match,
        blocks=len(blocks),
        bots=tuple(bot_result(match.plan.bots, index, played) for index in seats),
        decisions=sum(game.decisions for games in played for game in games),
        cpu_seconds=math.fsum(block.cpu_seconds for block in blocks),
        engines=tuple(sorted({f"{block.engine} rules {block.rules}" for block in blocks})),
    )


def _judge(match: PlannedMatch, low: float, high: float) -> Verdict:
    least = 0.0 if match.at_least is None else match.at_least
    most = 1.0 if match.at_most is None else match.at_most
    if high < least or low > most:
        return Verdict.NOT_MET
    return Verdict.MET if least <= low and high <= most else Verdict.OPEN


def _missing(matches: Sequence[PlannedMatch], blocks: Mapping[BlockKey, PlayedBlock]) -> Iterator[_Task]:
    """The blocks that are not there, each chosen when it is asked for."""
    left = [
        deque(_Task(match, key) for key in keys_of(match.id, match.plan, match.blocks) if key not in blocks)
        for match in matches
    ]
    while any(left):
        yield max(left, key=lambda each: len(each) / each[0].match.blocks if each else 0.0).popleft()


def _play(task: _Task) -> PlayedBlock:
    """In a worker process."""
    started = time.process_time()
    games = play_block(task.match.plan, task.key.block)
    check_deals([games])
    return PlayedBlock(
        games=tuple(PlayedGame(game.scores, game.win_shares, game.decisions) for game in games),
        cpu_seconds=round(time.process_time() - started, 3),
        engine=ENGINE_VERSION,
        rules=describe(task.match.plan.game).rules_hash,
    )
