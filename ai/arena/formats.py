"""Who meets whom: each format tells which blocks a contest has, one after the other.

========== ========================================================================================
match      one table, as it is written
round_robin every set of bots that fills a table, or ``tables`` of them with balanced meetings
gauntlet   the first bot against each other one; with more than two seats, against copies of it
sprt       the first bot against the second until one of two hypotheses is accepted
swiss      in each round those meet who stand alike, if they have not met yet
ladder     each bot with its neighbours in the list: as many at a table as there are seats
========== ========================================================================================

The blocks of a contest are numbered. What a block is depends on its number, and of ``swiss`` on the results
of the rounds before its own; so whoever plays them, in whatever order they end, plays the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple, Protocol

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.schedule import line_up
from kingsbridge.ai.arena.sprt import Ruling, Sprt

Seats = tuple[int, ...]
"""By seat, the index of the entrant that holds it."""


AHEAD = 32
"""Blocks of a sequential test that may be begun before an earlier one has ended: those after the decision are
played for nothing."""


class Outcome(NamedTuple):
    """What a schedule looks at in a game: who sat where, and each seat's share of the win."""

    seats: Seats
    win_shares: tuple[float, ...]


class Schedule(Protocol):
    """The blocks of a contest. They may be played in any order and by many at once."""

    @property
    def known(self) -> int:
        """How many blocks are to be played as far as results tell by now: those numbered below."""

    @property
    def total(self) -> int:
        """How many blocks there will be at most, as far as results tell by now."""

    def games(self, block: int) -> tuple[Seats, ...]:
        """The seatings of a block that is ``known``, in the order of its games."""

    def add(self, block: int, outcomes: Sequence[Outcome] | None) -> None:
        """Tells the results of a finished block, each once; ``None`` of a block that is void."""


def schedule(contest: Contest) -> Schedule:
    """The schedule of a contest, with no result told yet."""
    return _SCHEDULES[contest.format](contest)


class Fixed:
    """Blocks that depend on no result: every table in turn, again and again."""

    def __init__(self, contest: Contest, tables: Sequence[Seats]) -> None:
        self._tables = [seatings(table, contest.arrangements) for table in tables]
        self.total = self.known = len(tables) * contest.blocks

    def games(self, block: int) -> tuple[Seats, ...]:
        """See ``Schedule``."""
        return self._tables[block % len(self._tables)]

    def add(self, block: int, outcomes: Sequence[Outcome] | None) -> None:
        """See ``Schedule``."""


class Sequential:
    """Blocks of two bots until a test decides, by the blocks in their order, whatever order they end in."""

    def __init__(self, contest: Contest) -> None:
        if contest.hypotheses is None:
            raise ValueError(f'contest "{contest.id}": a sequential test needs hypotheses')
        self._most = contest.blocks
        self.test = Sprt(contest.hypotheses)
        self._games = _against(contest, 0, 1) + (_against(contest, 1, 0) if contest.mirror else ())
        self._games = tuple(dict.fromkeys(self._games))
        self._early: dict[int, float | None] = {}
        self._counted = 0

    @property
    def known(self) -> int:
        """See ``Schedule``: none after the one that decided, and until then some more than were counted."""
        return self._counted if self.decided else min(self._most, self._counted + AHEAD)

    @property
    def total(self) -> int:
        """See ``Schedule``."""
        return self._counted if self.decided else self._most

    @property
    def decided(self) -> bool:
        """Whether the test has ended."""
        return self.test.verdict is not Ruling.RUNNING

    def games(self, block: int) -> tuple[Seats, ...]:  # noqa: ARG002  # all are alike
        """See ``Schedule``."""
        return self._games

    def add(self, block: int, outcomes: Sequence[Outcome] | None) -> None:
        """See ``Schedule``."""
        self._early[block] = None if outcomes is None else block_score(outcomes)
        while self._counted in self._early and not self.decided:
            score = self._early.pop(self._counted)
            self._counted += 1
            if score is not None:
                self.test.add(score)


class Swiss:
    """Rounds in which tables are made of those who stand alike and have met least."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._seats = min(contest.players, len(contest.entrants))
        self._tables = len(contest.entrants) // self._seats
        self._round = self._tables * contest.blocks
        self.total = self._round * contest.rounds
        self._rounds: list[list[Seats]] = []
        self._results: dict[int, Sequence[Outcome] | None] = {}
        self._pair()

    @property
    def known(self) -> int:
        """See ``Schedule``: the rounds that are over and the one that is played."""
        return len(self._rounds) * self._round

    def games(self, block: int) -> tuple[Seats, ...]:
        """See ``Schedule``."""
        table = self._rounds[block // self._round][block % self._tables]
        return seatings(table, self._contest.arrangements)

    def add(self, block: int, outcomes: Sequence[Outcome] | None) -> None:
        """See ``Schedule``."""
        self._results[block] = outcomes
        while len(self._rounds) < self._contest.rounds and self._is_over(len(self._rounds) - 1):
            self._pair()

    def _is_over(self, round_: int) -> bool:
        first = round_ * self._round
        return all(block in self._results for block in range(first, first + self._round))

    def _pair(self) -> None:
        met = Counter(
            pair for tables in self._rounds for table in tables for pair in combinations(sorted(table), 2)
        )
        played = Counter(entrant for tables in self._rounds for table in tables for entrant in table)
        standing = self._standing()
        resting = len(standing) % self._seats
        # Those who played most sit out, the lowest of them first, so that all play almost as often.
        by_need = sorted(standing, key=lambda each: (played[each], standing.index(each)))
        left = [each for each in standing if each in by_need[: len(standing) - resting]]
        tables = []
        while left:
            table = [left.pop(0)]
            while len(table) < self._seats:
                table.append(left.pop(_least_met(table, left, met)))
            tables.append(line_up_of(table, self._contest.players))
        self._rounds.append(tables)

    def _standing(self) -> list[int]:
        """The entrants, the best first: by the mean of their shares, then as they are listed."""
        shares: dict[int, list[float]] = {each: [] for each in range(len(self._contest.entrants))}
        # In the order of the blocks, so that sums do not depend on the order in which they ended.
        for block in sorted(self._results):
            for outcome in self._results[block] or ():
                for entrant, share in zip(outcome.seats, outcome.win_shares, strict=True):
                    shares[entrant].append(share)
        even = 1 / self._contest.players
        return sorted(shares, key=lambda each: -_mean(shares[each], even))


def _least_met(table: Sequence[int], left: Sequence[int], met: Counter[tuple[int, int]]) -> int:
    """Where in ``left`` the highest stands of those whom the table has met least."""

    def meetings(index: int) -> int:
        other = left[index]
        return sum(met[min(each, other), max(each, other)] for each in table)

    return min(range(len(left)), key=meetings)


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def block_score(outcomes: Sequence[Outcome]) -> float:
    """What the first of two bots makes of a block, 0 to 1: its mean share of the win where it is the one
    among others. If the second is the one in other games (``mirror``), half of what the first one's share is
    above the second's, and 0.5: then 0.5 is even.
    """
    ones = [_share_of_the_one(outcome) for outcome in outcomes]
    first = [share for entrant, share in ones if entrant == 0]
    second = [share for entrant, share in ones if entrant == 1]
    if not second:
        return sum(first) / len(first)
    return 0.5 + (sum(first) / len(first) - sum(second) / len(second)) / 2


def _share_of_the_one(outcome: Outcome) -> tuple[int, float]:
    """The entrant that holds a single seat, and its share. Of two seats: the first entrant."""
    one = 0 if outcome.seats.count(0) == 1 else 1
    return one, outcome.win_shares[outcome.seats.index(one)]


def seatings(table: Seats, arrangements: str) -> tuple[Seats, ...]:
    """The different seatings of a table, by ``ARRANGEMENTS``."""
    if arrangements == "all":
        return tuple(dict.fromkeys(permutations(table)))
    seats = len(table)
    rotated = (tuple(table[(seat + turn) % seats] for seat in range(seats)) for turn in range(seats))
    return tuple(rotated)


def line_up_of(entrants: Sequence[int], seats: int) -> Seats:
    """These entrants in turn over all seats."""
    return tuple(entrants[index] for index in line_up(len(entrants), seats, 0))


@cache
def balanced_tables(entrants: int, seats: int, count: int) -> tuple[Seats, ...]:
    """``count`` tables in which all entrants sit about equally often, and any two meet about equally often.

    Next is always the table of those who have sat down least, and of these one of those who have met least.
    """
    sat: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    tables: list[Seats] = []
    for _ in range(count):
        table = min(
            combinations(range(entrants), seats),
            key=lambda each: (sum(sat[one] for one in each), _crowding(met, each)),
        )
        sat.update(table)
        met.update(combinations(table, 2))
        tables.append(table)
    return tuple(tables)


def _crowding(met: Counter[tuple[int, int]], table: Seats) -> int:
    """The sum of squares of how often each two of a table have met, with the one that is to come."""
    return sum((met[pair] + 1) ** 2 for pair in combinations(table, 2))


def _against(contest: Contest, one: int, other: int) -> tuple[Seats, ...]:
    """``one`` in each seat, ``other`` in all that are left."""
    return seatings((one, *[other] * (contest.players - 1)), "rotations")


def _round_robin(contest: Contest) -> Schedule:
    entrants, seats = len(contest.entrants), contest.players
    if entrants <= seats:
        return Fixed(contest, [line_up_of(range(entrants), seats)])
    if contest.tables is not None:
        return Fixed(contest, balanced_tables(entrants, seats, contest.tables))
    return Fixed(contest, list(combinations(range(entrants), seats)))


def _gauntlet(contest: Contest) -> Schedule:
    copies = contest.players - 1
    return Fixed(contest, [(0, *[other] * copies) for other in range(1, len(contest.entrants))])


def _ladder(contest: Contest) -> Schedule:
    entrants, seats = len(contest.entrants), contest.players
    if entrants <= seats:
        return Fixed(contest, [line_up_of(range(entrants), seats)])
    steps = range(entrants - seats + 1)
    return Fixed(contest, [tuple(range(step, step + seats)) for step in steps])


_SCHEDULES: dict[str, Callable[[Contest], Schedule]] = {
    "match": lambda contest: Fixed(contest, [contest.line_up]),
    "round_robin": _round_robin,
    "gauntlet": _gauntlet,
    "sprt": Sequential,
    "swiss": Swiss,
    "ladder": _ladder,
}
