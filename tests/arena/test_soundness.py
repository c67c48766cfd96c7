"""What makes results tell more of the machine than of the bots."""

from __future__ import annotations

import pytest

from kingsbridge.ai.arena import Contest, Entrant, TimeControl
from kingsbridge.ai.arena.soundness import is_timed, timing_warning
from kingsbridge.pyengine import game_names


def contest(spec: str, control: TimeControl) -> Contest:
    return Contest(
        "c", "match", game_names()[0], 2, (Entrant(spec, spec),), 1, time_control=control, line_up=(0, 0)
    )


@pytest.mark.parametrize(
    ("spec", "control", "workers", "warned"),
    [
        ("random", TimeControl(seconds=1.0), 3, True),
        ("random", TimeControl(turn_seconds=1.0), 3, True),
        ("random", TimeControl(game_seconds=1.0), 3, True),
        ("ismcts:seconds=0.1", TimeControl(), 3, True),
        ("random", TimeControl(seconds=1.0), 2, False),
        ("ismcts:iterations=5", TimeControl(iterations=9), 3, False),
    ],
)
def test_bots_that_share_cores_while_a_clock_runs_are_warned_of(
    spec: str, control: TimeControl, workers: int, warned: bool
) -> None:
    warning = timing_warning(contest(spec, control), workers, 2)
    assert (warning is not None) == warned
    if warning:
        assert "3 games shared 2 processor cores" in warning


def test_a_contest_is_timed_if_a_bot_has_seconds_of_its_own() -> None:
    assert is_timed(contest("flat_mc:seconds=1", TimeControl(iterations=3)))
    assert not is_timed(contest("greedy", TimeControl(iterations=3)))
