"""A tournament: the missing games of all contests of a manifest, played side by side."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, Protocol

from kingsbridge.ai.arena.bots import Bots
from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.crew import Crew, share_out
from kingsbridge.ai.arena.formats import Outcome, Schedule, Seats, schedule
from kingsbridge.ai.arena.game import DealError, GameResult, contest_game
from kingsbridge.ai.arena.identity import definition_of
from kingsbridge.ai.arena.played import Ending, GameKey, PlayedGame
from kingsbridge.ai.arena.schedule import block_seed
from kingsbridge.ai.arena.store import GROUP, Reader, Store
from kingsbridge.ai.bot import Clock
from kingsbridge.pyengine import ENGINE_VERSION, describe


class Task(NamedTuple):
    """A game to play: of the contest with this index."""

    contest: int
    block: int
    game: int
    seats: Seats


class Answer(NamedTuple):
    """A game that was played, and a hash of its deal."""

    game: PlayedGame
    deal: str


class Player:
    """What a worker does: it plays games, and keeps bots from outside running between them."""

    def __init__(self, contests: Sequence[Contest]) -> None:
        self._contests = contests
        self._bots = Bots()

    def __call__(self, task: Task) -> Answer:
        """Plays a game.

        Raises:
            BotFaultError: a bot failed, and the contest's policy is to stop.
        """
        contest = self._contests[task.contest]
        seed = block_seed(contest.seed, task.block)
        started = time.process_time()
        seated = [
            self._bots.seated(
                contest.entrants[entrant].spec, seat, contest.time_control.timeout, number=task.game
            )
            for seat, entrant in enumerate(task.seats)
        ]
        result = contest_game(contest, seated, seed, task.game)
        spent = round(time.process_time() - started, 6)
        return Answer(kept(result, task.seats, seed, spent), digest_of(result.opening))


def kept(result: GameResult, seats: Seats, seed: int, cpu_seconds: float) -> PlayedGame:
    """What is kept of a game that was just played."""
    return PlayedGame(
        seats=seats,
        ending=result.ending,
        scores=result.scores,
        ranks=result.ranks,
        win_shares=result.win_shares,
        faults=result.faults,
        deciders=result.deciders,
        seconds=result.seconds,
        iterations=result.iterations,
        actions=result.actions,
        digest=digest_of(result.actions),
        cpu_seconds=cpu_seconds,
        seed=seed,
        engine=ENGINE_VERSION,
        rules=describe(result.game).rules_hash,
    )


def digest_of(actions: Sequence[int]) -> str:
    """32 hex digits that stand for these actions in this order."""
    return blake2b(b"".join(action.to_bytes(4, "big") for action in actions), digest_size=16).hexdigest()


class Run:
    """A contest under way: which of its games are there, and which is next."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.definition = definition_of(contest)
        self.schedule: Schedule = schedule(contest)
        self.games_begun = 0
        self._cursor = 0
        self._queue: deque[tuple[int, int, Seats]] = deque()
        self._parts: dict[int, dict[int, Outcome | None]] = {}
        self._whole: set[int] = set()
        self._deals: dict[int, str] = {}

    @property
    def games_total(self) -> int:
        """How many games there will be at most."""
        return self.schedule.total * len(self.schedule.games(0))

    @property
    def begun(self) -> float:
        """The part of its games that is played or under way."""
        return self.games_begun / self.games_total if self.games_total else 1.0

    def key(self, block: int, game: int) -> GameKey:
        """The key of one of its games."""
        return GameKey(self.contest.id, self.definition, block, game)

    def resume(self, reader: Reader) -> None:
        """Takes over the games that are in a results file."""
        for result in reader.results(self.contest.id, self.definition):
            self.tell(result.block, result.game, None if result.void else result.outcome)
        self.games_begun = self.games_done

    def tell(self, block: int, game: int, outcome: Outcome | None) -> None:
        """A game is there; ``None``: void."""
        self._parts.setdefault(block, {})[game] = outcome
        known = self.schedule.known
        self._add_if_whole(block)
        while self.schedule.known > known:  # blocks that were not to be played before may be there already
            known = self.schedule.known
            for later in sorted(self._parts):
                self._add_if_whole(later)

    def _add_if_whole(self, block: int) -> None:
        parts = self._parts[block]
        if block >= self.schedule.known or len(parts) < len(self.schedule.games(block)):
            return
        del self._parts[block]
        self._deals.pop(block, None)
        self._whole.add(block)
        outcomes = [outcome for _, outcome in sorted(parts.items())]
        fine = [each for each in outcomes if each is not None]
        self.schedule.add(block, fine if len(fine) == len(outcomes) else None)

    def is_whole(self, block: int) -> bool:
        """Whether all games of a block are there."""
        return block in self._whole

    @property
    def games_done(self) -> int:
        """How many games are there, of blocks that are to be played."""
        known = self.schedule.known
        whole = sum(block < known for block in self._whole) * len(self.schedule.games(0))
        return whole + sum(len(parts) for block, parts in self._parts.items() if block < known)

    @property
    def games_left(self) -> int:
        """How many games are left to play, at most."""
        return self.games_total - self.games_done

    def check_deal(self, block: int, deal: str) -> None:
        """All games of a block must be dealt alike.

        Raises:
            DealError: they are not.
        """
        if block not in self._whole and self._deals.setdefault(block, deal) != deal:
            raise DealError(f'contest "{self.contest.id}": the games of block {block} were dealt differently')

    def has_next(self) -> bool:
        """Whether there is a game by now that nobody has begun."""
        while not self._queue and self._cursor < self.schedule.known:
            block, self._cursor = self._cursor, self._cursor + 1
            if block not in self._whole:
                there = self._parts.get(block, {})
                games = enumerate(self.schedule.games(block))
                self._queue.extend((block, game, seats) for game, seats in games if game not in there)
        if self._queue and self._queue[0][0] >= self.schedule.known:  # the test was decided meanwhile
            self._queue.clear()
        return bool(self._queue)

    def next(self) -> tuple[int, int, Seats]:
        """(block, game, seats) of the next such game: the lowest block first."""
        self.games_begun += 1
        return self._queue.popleft()


class Watcher(Protocol):
    """Told what happens."""

    def start(self, runs: Sequence[Run]) -> None:
        """It begins, from what was there."""

    def game(self, run: Run, key: GameKey, game: PlayedGame) -> None:
        """A game is finished; it is in the store."""

    def pause(self) -> None:
        """Nothing happened for a while."""


class NoWatcher:
    """Nobody watches."""

    def start(self, runs: Sequence[Run]) -> None:
        """See ``Watcher``."""

    def game(self, run: Run, key: GameKey, game: PlayedGame) -> None:
        """See ``Watcher``."""

    def pause(self) -> None:
        """See ``Watcher``."""


def play_tournament(
    contests: Sequence[Contest],
    store: Store,
    *,
    workers: int = 1,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
    crew: Crew = share_out,
    watcher: Watcher = NoWatcher(),  # noqa: B008  # has no state
) -> None:
    """Plays the games that are missing and keeps each in ``store`` when it is finished.

    Partial results are balanced: next is always a game of the contest with the least part of its games
    played or under way, the first of equals. After ``seconds`` by ``clock`` no game is begun; those under way
    are finished. What is played depends on the contests only, not on ``workers``, ``crew`` or interruptions,
    as long as no budget is in seconds. (A sequential test may play a few blocks beyond the one that decides
    it; they count for nothing.)

    Raises:
        ValueError: no worker.
        OSError, sqlite3.Error: a result cannot be written.
        BotFaultError: a bot failed in a contest whose policy is to stop.
        DealError: the games of a block were dealt differently.
        WorkerDiedError: a worker process was killed.
    """
    if workers < 1:
        raise ValueError(f"a tournament needs a worker at least, not {workers}")
    end = math.inf if seconds is None else clock() + seconds
    runs = resumed(contests, store.reader())
    watcher.start(runs)

    def next_task() -> Task | None:
        if clock() >= end:
            return None
        number = min(
            (n for n, run in enumerate(runs) if run.has_next()), key=lambda n: runs[n].begun, default=None
        )
        return None if number is None else Task(number, *runs[number].next())

    for answer in crew(Player(contests), next_task, workers, GROUP):
        if answer is None:
            store.commit()
            watcher.pause()
            continue
        task, (game, deal) = answer
        run = runs[task.contest]
        run.check_deal(task.block, deal)
        key = run.key(task.block, task.game)
        store.add(key, game)
        run.tell(task.block, task.game, outcome_of(game))
        watcher.game(run, key, game)
    store.commit()


def resumed(contests: Sequence[Contest], reader: Reader) -> list[Run]:
    """Each contest as a results file leaves it."""
    runs = [Run(contest) for contest in contests]
    for run in runs:
        run.resume(reader)
    return runs


def outcome_of(game: PlayedGame) -> Outcome | None:
    """What a schedule looks at in a game; ``None``: void."""
    return None if game.ending is Ending.VOID else Outcome(game.seats, game.win_shares)


def counted_blocks(run: Run, reader: Reader) -> Iterator[tuple[int, list[PlayedGame]]]:
    """The whole blocks of a contest that count, with their games, in order: of a sequential test those up to
    the one that decided it.
    """
    block_games: list[PlayedGame] = []
    current = -1
    for block, _, game in reader.games(run.contest.id, run.definition):
        if block >= run.schedule.known:
            return
        if block != current:
            block_games, current = [], block
        block_games.append(game)
        if len(block_games) == len(run.schedule.games(block)):
            yield block, block_games
