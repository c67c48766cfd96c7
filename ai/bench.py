"""The bench: fixed positions of every game, played and searched with fixed seeds, hashed into one signature.

Like ``bench`` of Stockfish: a change of what rules, heuristics, rollouts, bots or search do changes the
signature, and nothing else does. So one line of a commit says whether it changes behaviour, and anyone can
check it. Speed comes along, by CPU time of the thread.

Positions come from a game played out by dealer and light policy, so no list of positions is kept, and a new
game is in at once. (To the bit the signature rests on the logarithm of the C library, in search and dealer;
libraries that round it otherwise may differ where two actions are within that bit.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, TypeVar

from kingsbridge.ai.bot import Budget
from kingsbridge.ai.ismcts import IsmctsParams
from kingsbridge.ai.mcts import MctsParams
from kingsbridge.ai.native import native_tree
from kingsbridge.ai.registry import make_bot
from kingsbridge.ai.search import POLICIES, SearchParams
from kingsbridge.pyengine import Dealer, InformationSet, Rng, State, describe, game_names, load_game

ITERATIONS = 5000
"""Iterations of each search in the standard bench: that of the signatures in commits."""
ROLLOUTS = 2000
SEED = 1
PERFT = ((4, False), (3, True))
"""Depths, and whether chance is expanded."""
STAGES = {"start": 0.0, "middle": 0.5, "late": 0.9}
"""Shares of the decisions of a game that are behind a position."""
SEARCHES: dict[str, SearchParams] = {"fresh": IsmctsParams(), "fixed": MctsParams()}
"""By worlds, the knobs of what is searched: those of the bots as they come."""
BOTS = ("greedy", "flat_mc", "ismcts:threads=2,length=-1")
"""Bots that are asked, too."""
BOT_ITERATIONS = 500


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Position:
    """A decision between at least two actions; ``decision`` counts those before it in its game."""

    game: str
    players: int
    stage: str
    decision: int
    state: State


@dataclass(frozen=True, slots=True)
class PositionResult:
    """What the bench found at a position; seconds are CPU time of the thread."""

    game: str
    players: int
    stage: str
    decision: int
    signature: str
    iterations: int
    search_seconds: float
    rollouts: int
    rollout_seconds: float

    @property
    def iterations_per_second(self) -> float:
        """Of the searches, those in one world with those in fresh ones."""
        return _rate(self.iterations, self.search_seconds)

    @property
    def rollouts_per_second(self) -> float:
        """Of all policies together."""
        return _rate(self.rollouts, self.rollout_seconds)

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the rates."""
        return asdict(self) | {
            "iterations_per_second": self.iterations_per_second,
            "rollouts_per_second": self.rollouts_per_second,
        }


@dataclass(frozen=True, slots=True)
class BenchResult:
    """The signature over all positions, in their order; seconds are CPU time."""

    positions: tuple[PositionResult, ...]

    @property
    def signature(self) -> str:
        """16 hex digits."""
        return _signature(each.signature for each in self.positions)

    @property
    def by_game(self) -> dict[str, str]:
        """The signature of each game by itself."""
        games = dict.fromkeys(each.game for each in self.positions)
        return {
            game: _signature(each.signature for each in self.positions if each.game == game) for game in games
        }

    @property
    def iterations_per_second(self) -> float:
        """Of all searches together."""
        return _rate(sum(p.iterations for p in self.positions), sum(p.search_seconds for p in self.positions))

    @property
    def rollouts_per_second(self) -> float:
        """Of all rollouts together."""
        return _rate(sum(p.rollouts for p in self.positions), sum(p.rollout_seconds for p in self.positions))

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the rates."""
        return {
            "signature": self.signature,
            "games": self.by_game,
            "iterations_per_second": self.iterations_per_second,
            "rollouts_per_second": self.rollouts_per_second,
            "positions": [each.to_json() for each in self.positions],
        }


def run_bench(games: Iterable[str] | None = None, iterations: int = ITERATIONS) -> BenchResult:
    """Runs the bench over all games, or some; the order in which they are named does not matter.

    Signatures compare only where games and iterations are the same.
    """
    chosen = set(game_names() if games is None else games)
    return BenchResult(
        tuple(
            bench_position(position, iterations)
            for game in game_names()
            if game in chosen
            for position in positions(game)
        )
    )


def positions(game: str) -> Iterator[Position]:
    """Every stage, with the fewest players and with the most."""
    info = describe(game)
    for players in sorted({info.min_players, info.max_players}):
        for stage in STAGES:
            yield position_at(game, players, stage)


def position_at(game: str, players: int, stage: str) -> Position:
    """A decision of the one game that is played for so many players.

    Raises:
        OptionError: the game does not take so many.
    """
    decisions = list(_decisions(load_game(game, players)))
    number = int(STAGES[stage] * len(decisions))
    return Position(game, players, stage, number, decisions[number])


def _decisions(state: State) -> Iterator[State]:
    """Each decision between several actions, of a game played out by the light policy."""
    dealer, rng = Dealer(SEED), Rng(SEED)
    dealer.settle(state)
    while not state.is_terminal:
        if len(state.legal_actions()) > 1:
            yield state.copy()
        state.apply(state.sample_action(rng))
        dealer.settle(state)


def bench_position(position: Position, iterations: int) -> PositionResult:
    """Does all that is to be done at a position, and hashes what comes of it."""
    state = position.state
    info = state.information_set(state.current_player)
    search_seconds, searched = _timed(lambda: _search(info, iterations))
    rollout_seconds, rolled = _timed(lambda: [state.rollouts(SEED, ROLLOUTS, each) for each in POLICIES])
    signature = _signature((*_rules(state), *_bots(info), *searched, *(each.tolist() for each in rolled)))
    return PositionResult(
        position.game,
        position.players,
        position.stage,
        position.decision,
        signature,
        len(SEARCHES) * iterations,
        search_seconds,
        len(POLICIES) * ROLLOUTS,
        rollout_seconds,
    )


def _rules(state: State) -> Iterator[object]:
    """What the rules and the heuristic say here, and the rules further down."""
    yield state.current_player, state.scores(), state.ranks(), state.outlook()
    yield state.legal_actions(), state.heuristic(), state.heuristic_point
    yield [state.perft(depth, expand_chance) for depth, expand_chance in PERFT]


def _bots(info: InformationSet) -> Iterator[object]:
    """What each bot decides, and why."""
    for spec in BOTS:
        decision = make_bot(spec).choose(info, Budget(iterations=BOT_ITERATIONS), Rng(SEED))
        visits = [(each.action, each.visits, each.availability) for each in decision.statistics]
        yield decision.action, decision.principal_variation, visits


def _search(info: InformationSet, iterations: int) -> list[object]:
    """What each search makes of the root, and the line it expects."""
    found: list[object] = []
    for worlds, params in SEARCHES.items():
        tree = native_tree(info, worlds, params, SEED)
        tree.run(iterations)
        root = tree.root_statistics()
        line = tree.line(max(root, key=lambda row: row[1])[0]) if root else ()
        found.append((tree.nodes, [row[:4] for row in root], line))
    return found


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    started = time.thread_time()
    result = work()
    return time.thread_time() - started, result


def _rate(count: int, seconds: float) -> float:
    return count / max(seconds, 1e-9)


def _signature(facts: Iterable[object]) -> str:
    """16 hex digits of plain facts (numbers, texts, lists and tuples of them) in their order."""
    digest = blake2b(digest_size=8)
    for fact in facts:
        digest.update(repr(fact).encode() + b"\n")
    return digest.hexdigest()
