"""What the games of a contest come to, counted in one pass and in little memory, however many they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, compress
from typing import Any, NamedTuple

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.faults import Fault
from kingsbridge.ai.arena.formats import Outcome, block_score
from kingsbridge.ai.arena.histogram import LogHistogram
from kingsbridge.ai.arena.played import Ending, PlayedGame
from kingsbridge.ai.arena.statistics import Interval, counted_share_interval

FAULTS = 100
"""So many faults are told one by one; all are counted."""
FAULT_CHARACTERS = 500
"""The text of a fault is cut off there."""


class RankedGame(NamedTuple):
    """Who came before whom: by seat, the entrant and its place from 0, the last; equal places tie."""

    seats: tuple[int, ...]
    ranks: tuple[int, ...]


RankedBlock = tuple[RankedGame, ...]
"""The games of a block, in an order of their own: equal blocks are equal tuples."""


class FaultNote(NamedTuple):
    """One fault, and where: ``entrant`` is an index, ``game`` the number of the game in its block from 0."""

    block: int
    game: int
    seat: int
    entrant: int
    decision: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class EntrantSummary:
    """How one entrant did.

    ``games`` counts seats played: a bot in two seats of a game counts it twice. ``win_share`` is the mean
    over blocks of its mean share of the win a seat, with a 95 % interval. ``mean_score`` and ``scores`` (how
    often which final score) are of finished games only: those of others say nothing. Times are seconds a
    decision, ``p99_seconds`` to 1.2 %. ``mean_iterations`` is over all decisions. What cannot be told is
    ``None``: nothing was played, or decided. ``faults`` counts by kind, those of void blocks as well.
    """

    name: str
    spec: str
    games: int
    win_share: Interval | None
    mean_score: float | None
    decisions: int
    mean_seconds: float | None
    p99_seconds: float | None
    max_seconds: float | None
    mean_iterations: float | None
    faults: Mapping[str, int]
    scores: Mapping[int, int]


class Pairing(NamedTuple):
    """Of ``pairs`` of seats that two entrants had in one game, how many the first was above in: ties half."""

    pairs: int
    above: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What the games of a contest come to.

    ``blocks`` and ``games`` are those that count; ``void_blocks`` count for nobody, but for their processor
    time, versions and faults. ``seats`` has the win share of each seat. ``crosstable[i][j]`` tells how i did
    against j; of i against itself there are no pairs. ``lengths``: how often which number of decisions, of
    finished games. ``versions``: number of games by (engine, rules). ``ranked_blocks``: how often which
    ranking, for ratings. ``block_scores``: of a sequential test, the first entrant's score by block, in order
    of their numbers; of others empty.
    """

    contest: Contest
    blocks: int
    games: int
    finished: int
    void_blocks: int
    entrants: tuple[EntrantSummary, ...]
    seats: tuple[Interval | None, ...]
    crosstable: tuple[tuple[Pairing, ...], ...]
    lengths: Mapping[int, int]
    versions: Mapping[tuple[str, str], int]
    cpu_seconds: float
    fault_count: int
    faults: tuple[FaultNote, ...]
    ranked_blocks: Mapping[RankedBlock, int]
    block_scores: tuple[float, ...]

    def rankings(self) -> Iterator[RankedBlock]:
        """The ranking of every block that counts, as ratings are fitted to; equal ones come together."""
        return Counter(self.ranked_blocks).elements()

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data, ready for ``json.dumps``, but for the rankings."""
        return {
            "contest": self.contest.id,
            "game": self.contest.game,
            "players": self.contest.players,
            "format": self.contest.format,
            "blocks": self.blocks,
            "games": self.games,
            "finished": self.finished,
            "void_blocks": self.void_blocks,
            "entrants": [_entrant_json(each) for each in self.entrants],
            "seats": [_interval_json(each) for each in self.seats],
            "crosstable": [[pairing._asdict() for pairing in row] for row in self.crosstable],
            "lengths": _counts_json(self.lengths),
            "versions": [
                {"engine": engine, "rules": rules, "games": games}
                for (engine, rules), games in self.versions.items()
            ],
            "cpu_seconds": self.cpu_seconds,
            "fault_count": self.fault_count,
            "faults": [note._asdict() for note in self.faults],
            "block_scores": list(self.block_scores),
        }


def summarize_contest(contest: Contest, blocks: Iterable[tuple[int, Sequence[PlayedGame]]]) -> Summary:
    """What these blocks come to; each is its number and its games in their order. They are read once.

    Raises:
        ValueError: a block has no games, or one of another number of seats.
    """
    counts = ContestCounts(contest)
    for number, games in blocks:
        counts.add(number, games)
    return counts.summary()


class _EntrantCounts:
    """What is counted of an entrant."""

    def __init__(self) -> None:
        self.games = 0
        self.shares: Counter[float] = Counter()
        self.scores: Counter[int] = Counter()
        self.seconds = LogHistogram()
        self.iterations = 0
        self.faults: Counter[str] = Counter()


class ContestCounts:
    """The summary of a contest under way: blocks are added as they are finished, in any order."""

    def __init__(self, contest: Contest) -> None:
        players, entrants = contest.players, len(contest.entrants)
        self.contest = contest
        self.blocks = 0
        self.games = 0
        self._finished = 0
        self._void_blocks = 0
        self._entrants = [_EntrantCounts() for _ in contest.entrants]
        self._seat_shares: list[Counter[float]] = [Counter() for _ in range(players)]
        self._pairs = [[0] * entrants for _ in range(entrants)]
        self._above = [[0.0] * entrants for _ in range(entrants)]
        self._lengths: Counter[int] = Counter()
        self._versions: Counter[tuple[str, str]] = Counter()
        self._cpu_seconds = 0.0
        self._fault_count = 0
        self._faults: list[FaultNote] = []
        self._ranked_games: dict[RankedGame, RankedGame] = {}
        self._ranked_blocks: Counter[RankedBlock] = Counter()
        self._block_scores: dict[int, float] = {}

    def add(self, block: int, games: Sequence[PlayedGame]) -> None:
        """Counts a finished block.

        Raises:
            ValueError: as ``summarize_contest``.
        """
        if not games or any(len(game.seats) != self.contest.players for game in games):
            raise ValueError(f"block {block}: a block has games of {self.contest.players} seats each")
        for number, game in enumerate(games):
            self._cpu_seconds += game.cpu_seconds
            self._versions[game.engine, game.rules] += 1
            for fault in game.faults:
                self._add_fault(block, number, game, fault)
        if any(game.ending is Ending.VOID for game in games):
            self._void_blocks += 1
            return
        self.blocks += 1
        self.games += len(games)
        self._add_shares(block, games)
        for game in games:
            self._add_decisions(game)
            self._add_pairs(game)
            if game.ending is Ending.FINISHED:
                self._add_finished(game)
        self._ranked_blocks[tuple(sorted(map(self._ranked, games)))] += 1

    def entrants(self) -> tuple[EntrantSummary, ...]:
        """How each entrant did so far."""
        return tuple(
            _entrant_summary(entrant.name, entrant.spec, counts)
            for entrant, counts in zip(self.contest.entrants, self._entrants, strict=True)
        )

    def summary(self) -> Summary:
        """What all blocks so far come to."""
        return Summary(
            contest=self.contest,
            blocks=self.blocks,
            games=self.games,
            finished=self._finished,
            void_blocks=self._void_blocks,
            entrants=self.entrants(),
            seats=tuple(_interval(shares) for shares in self._seat_shares),
            crosstable=tuple(tuple(map(Pairing, *row)) for row in zip(self._pairs, self._above, strict=True)),
            lengths=dict(sorted(self._lengths.items())),
            versions=dict(sorted(self._versions.items())),
            cpu_seconds=self._cpu_seconds,
            fault_count=self._fault_count,
            faults=tuple(sorted(self._faults)),
            ranked_blocks=dict(sorted(self._ranked_blocks.items())),
            block_scores=tuple(score for _, score in sorted(self._block_scores.items())),
        )

    def _add_fault(self, block: int, number: int, game: PlayedGame, fault: Fault) -> None:
        entrant = game.seats[fault.seat]
        self._entrants[entrant].faults[fault.kind.value] += 1
        self._fault_count += 1
        if len(self._faults) < FAULTS:
            text = fault.text[:FAULT_CHARACTERS]
            note = FaultNote(block, number, fault.seat, entrant, fault.decision, fault.kind.value, text)
            self._faults.append(note)

    def _add_shares(self, block: int, games: Sequence[PlayedGame]) -> None:
        """The block's mean share of each entrant that sits in it, and of each seat."""
        held: dict[int, list[float]] = {}
        for game in games:
            for entrant, share in zip(game.seats, game.win_shares, strict=True):
                held.setdefault(entrant, []).append(share)
        for entrant, shares in held.items():
            self._entrants[entrant].games += len(shares)
            self._entrants[entrant].shares[math.fsum(shares) / len(shares)] += 1
        for seat, counts in enumerate(self._seat_shares):
            counts[math.fsum(game.win_shares[seat] for game in games) / len(games)] += 1
        if self.contest.hypotheses is not None:
            self._block_scores[block] = block_score([Outcome(game.seats, game.win_shares) for game in games])

    def _add_decisions(self, game: PlayedGame) -> None:
        for seat, entrant in enumerate(game.seats):
            own = [decider == seat for decider in game.deciders]
            self._entrants[entrant].seconds.add(compress(game.seconds, own))
            self._entrants[entrant].iterations += sum(compress(game.iterations, own))

    def _add_pairs(self, game: PlayedGame) -> None:
        for (one, rank), (other, other_rank) in combinations(zip(game.seats, game.ranks, strict=True), 2):
            if one == other:
                continue
            above = 0.5 if rank == other_rank else float(rank > other_rank)
            self._pairs[one][other] += 1
            self._pairs[other][one] += 1
            self._above[one][other] += above
            self._above[other][one] += 1 - above

    def _add_finished(self, game: PlayedGame) -> None:
        self._finished += 1
        self._lengths[len(game.deciders)] += 1
        for entrant, score in zip(game.seats, game.scores, strict=True):
            self._entrants[entrant].scores[score] += 1

    def _ranked(self, game: PlayedGame) -> RankedGame:
        """The game's ranking, of which all games with the same share one."""
        places = {rank: place for place, rank in enumerate(sorted(set(game.ranks)))}
        ranked = RankedGame(game.seats, tuple(places[rank] for rank in game.ranks))
        return self._ranked_games.setdefault(ranked, ranked)


def _entrant_summary(name: str, spec: str, counts: _EntrantCounts) -> EntrantSummary:
    decisions = counts.seconds.count
    finished = sum(counts.scores.values())
    scored = sum(score * times for score, times in counts.scores.items())
    return EntrantSummary(
        name=name,
        spec=spec,
        games=counts.games,
        win_share=_interval(counts.shares),
        mean_score=scored / finished if finished else None,
        decisions=decisions,
        mean_seconds=counts.seconds.mean,
        p99_seconds=counts.seconds.quantile(0.99),
        max_seconds=counts.seconds.greatest,
        mean_iterations=counts.iterations / decisions if decisions else None,
        faults=dict(sorted(counts.faults.items())),
        scores=dict(sorted(counts.scores.items())),
    )


def _interval(shares: Mapping[float, int]) -> Interval | None:
    return counted_share_interval(shares) if shares else None


def _entrant_json(entrant: EntrantSummary) -> dict[str, Any]:
    own = {"win_share": _interval_json(entrant.win_share), "scores": _counts_json(entrant.scores)}
    return asdict(entrant) | own


def _interval_json(interval: Interval | None) -> dict[str, float] | None:
    return interval._asdict() if interval else None


def _counts_json(counts: Mapping[int, int]) -> list[list[int]]:
    """Pairs of a number and how often it was."""
    return [list(pair) for pair in counts.items()]
