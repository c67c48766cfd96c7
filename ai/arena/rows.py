"""A game of a tournament as a row of its results file, and back."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from kingsbridge.ai.arena.faults import Fault, FaultKind
from kingsbridge.ai.arena.played import Ending, PlayedGame

COLUMNS = (
    "ending, seats, scores, ranks, win_shares, faults, deciders, microseconds, iterations, actions, digest, "
    "cpu_seconds, seed, engine, rules"
)
"""Of the table ``games``, in the order of a row."""

_MOST = 2**32 - 1


def to_row(game: PlayedGame) -> tuple[Any, ...]:
    """The columns of a game."""
    return (
        game.ending.value,
        *(json.dumps(each) for each in (game.seats, game.scores, game.ranks, game.win_shares)),
        json.dumps([to_plain(fault) for fault in game.faults]),
        bytes(game.deciders),
        _pack(round(seconds * 1e6) for seconds in game.seconds),
        _pack(game.iterations),
        None if game.actions is None else _pack(game.actions),
        game.digest,
        game.cpu_seconds,
        f"{game.seed:032x}",
        game.engine,
        game.rules,
    )


def from_row(row: Sequence[Any]) -> PlayedGame:
    """The game of these columns."""
    ending, seats, scores, ranks, shares, faults, deciders, microseconds, iterations, actions, *rest = row
    digest, cpu_seconds, seed, engine, rules = rest
    return PlayedGame(
        ending=Ending(ending),
        seats=tuple(json.loads(seats)),
        scores=tuple(json.loads(scores)),
        ranks=tuple(json.loads(ranks)),
        win_shares=tuple(json.loads(shares)),
        faults=tuple(from_plain(fault) for fault in json.loads(faults)),
        deciders=tuple(deciders),
        seconds=tuple(each / 1e6 for each in _unpack(microseconds)),
        iterations=tuple(_unpack(iterations)),
        actions=None if actions is None else tuple(_unpack(actions)),
        digest=digest,
        cpu_seconds=cpu_seconds,
        seed=int(seed, 16),
        engine=engine,
        rules=rules,
    )


def to_plain(fault: Fault) -> dict[str, Any]:
    """A fault as plain data, ready for ``json.dumps``."""
    return {"kind": fault.kind.value, "seat": fault.seat, "decision": fault.decision, "text": fault.text}


def from_plain(fault: dict[str, Any]) -> Fault:
    """The fault of such data.

    Raises:
        ValueError, LookupError: it is none.
    """
    return Fault(FaultKind(fault["kind"]), int(fault["seat"]), int(fault["decision"]), str(fault["text"]))


def _pack(numbers: Iterable[int]) -> bytes:
    """32 bits each, the lowest byte first; what is larger is cut to the largest such number."""
    return _lowest_first(array("I", [min(number, _MOST) for number in numbers])).tobytes()


def _unpack(packed: bytes) -> list[int]:
    return _lowest_first(array("I", packed)).tolist()


def _lowest_first(numbers: array[int]) -> array[int]:
    """The same with the bytes of each in that order."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
