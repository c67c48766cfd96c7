"""What is wrong with a contest, found before anything is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from kingsbridge.ai.arena.bots import check_spec, is_built_in
from kingsbridge.ai.arena.contest import CLOCKS, Contest, tables_of
from kingsbridge.ai.arena.identity import identity, own_seconds
from kingsbridge.ai.arena.manifest_keys import MOST_TABLES
from kingsbridge.ai.arena.schedule import block_seed
from kingsbridge.pyengine import load_game


def _check_bots(contest: Contest, to_play: bool) -> None:
    least = 2 if contest.format != "match" else 1
    if len(contest.entrants) < least:
        raise ValueError(f"{contest.format} needs {least} bots at least, not {len(contest.entrants)}")
    if contest.format == "sprt" and len(contest.entrants) != 2:
        raise ValueError(f"sprt tests one bot against another: 2 bots, not {len(contest.entrants)}")
    for name, times in Counter(entrant.name for entrant in contest.entrants).items():
        if times > 1:
            raise ValueError(f'{times} bots are called "{name}"')
    for spec in contest.specs:
        check_spec(spec, to_play=to_play)
        identity(spec, contest.game, contest.players)


def _check_tables(contest: Contest, _: bool) -> None:
    if contest.format != "round_robin":
        return
    there = tables_of(len(contest.entrants), contest.players)
    if contest.tables is None and there > MOST_TABLES:
        raise ValueError(f"there are {there} tables, more than {MOST_TABLES}; say how many to play")


def _check_clock(contest: Contest, _: bool) -> None:
    if contest.clock not in CLOCKS:
        raise ValueError(f'no clock "{contest.clock}"; clocks: {", ".join(CLOCKS)}')
    outside = [spec for spec in contest.specs if not is_built_in(spec)]
    if contest.clock == "cpu" and contest.time_control.timed and outside:
        raise ValueError(
            f'"cpu" does not measure bots of other processes, such as "{outside[0]}"; write "wall"'
        )


CHECKS: Mapping[str, Callable[[Contest, bool], object]] = {
    "options": lambda contest, _: load_game(contest.game, contest.players, **contest.options),
    "seed": lambda contest, _: block_seed(contest.seed, 0),
    "bots": _check_bots,
    "tables": _check_tables,
    "clock": _check_clock,
}
"""By key of the manifest, in this order: one builds on the other. Each is told whether the contest is to be
played or its results are only read, and raises a ``LookupError`` or
``ValueError`` with what is wrong."""


def is_timed(contest: Contest) -> bool:
    """Whether what is played depends on how fast the machine is, as far as specs tell."""
    return contest.time_control.timed or any(own_seconds(spec) is not None for spec in contest.specs)


def timing_warning(contest: Contest, workers: int, cores: int) -> str | None:
    """What to mind where bots think by the clock and more games run than there are cores; else ``None``."""
    if not is_timed(contest) or workers <= cores:
        return None
    return (
        f"Bots thought by the clock while {workers} games shared {cores} processor cores: "
        "they had less time than the results say."
    )
