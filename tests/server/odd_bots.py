"""Bots that do what no good bot does. Workers load this file, so it must not load gRPC."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from kingsbridge.ai import (
    ActionStatistics,
    Bot,
    Budget,
    Clock,
    Decision,
    StopFlag,
    StopReason,
    make_bot,
    never,
)
from kingsbridge.pyengine import InformationSet, Rng

_KEPT: list[bytearray] = []

Behaviour = Callable[[InformationSet, str, StopFlag, Any], Decision]


def decision(
    info: InformationSet, iterations: int, size: int = 0, reason: StopReason = StopReason.ITERATIONS
) -> Decision:
    """A decision for the first legal action; ``size`` rows of statistics make it large."""
    action = info.legal_actions()[0]
    rows = tuple(
        ActionStatistics(action, number, number, (0.5, 0.5), (0.5, 0.5), (1.0, 1.0), 0.1)
        for number in range(size)
    )
    return Decision(action, rows, (action,), iterations, 0.0, reason)


def tells(info: InformationSet, count: str, _: StopFlag, report: Any) -> Decision:
    """Tells so many decisions, one every ``report.seconds``."""
    for number in range(1, int(count) + 1):
        time.sleep(report.seconds)
        report.tell(decision(info, number))
    return decision(info, int(count) + 1)


def floods(info: InformationSet, size: str, should_stop: StopFlag, report: Any) -> Decision:
    """Tells large decisions as fast as it can until it is stopped."""
    number = 0
    while not should_stop():
        number += 1
        report.tell(decision(info, number, int(size)))
    return decision(info, number + 1, int(size), StopReason.STOPPED)


def sticks(info: InformationSet, iterations: str, _: StopFlag, report: Any) -> Decision:
    """Tells one decision and then does not stop."""
    report.tell(decision(info, int(iterations)))
    time.sleep(60.0)
    return decision(info, 0)


def thinks(info: InformationSet, _: str, should_stop: StopFlag, report: Any) -> Decision:
    """Goes on until it is stopped."""
    while not should_stop():
        time.sleep(0.001)
    return decision(info, 1, reason=StopReason.STOPPED)


def crashes(info: InformationSet, mark: str, _: StopFlag, report: Any) -> Decision:
    """Ends its process; if a file is named, only if there is none, and makes it."""
    if not mark:
        os._exit(1)
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(1)
    return decision(info, 1)


def swallows(info: InformationSet, _: str, should_stop: StopFlag, report: Any) -> Decision:
    """Takes all the memory it can get."""
    blocks = []
    while not should_stop():
        blocks.append(bytearray(16 << 20))
    return decision(info, len(blocks))


def keeps(info: InformationSet, mebibytes: str, _: StopFlag, report: Any) -> Decision:
    """Keeps so much memory for good."""
    _KEPT.append(bytearray(b"\1") * (int(mebibytes) << 20))
    return decision(info, 1)


_ODD: dict[str, Behaviour] = {
    each.__name__: each for each in (tells, floods, sticks, thinks, crashes, swallows, keeps)
}


class OddBot:
    """A bot with one of the behaviours above."""

    def __init__(self, name: str, value: str) -> None:
        self.name = name
        self.value = value

    def choose(
        self,
        info: InformationSet,
        budget: Budget,
        rng: Rng,
        *,
        clock: Clock = time.monotonic,
        should_stop: StopFlag = never,
        among: Collection[int] | None = None,
        report: Any = None,
    ) -> Decision:
        """What the behaviour decides."""
        return _ODD[self.name](info, self.value, should_stop, report)


def make(spec: str) -> Bot:
    """An odd bot, or a bot of the registry."""
    name, _, value = spec.partition(":")
    return OddBot(name, value) if name in _ODD else make_bot(spec)
