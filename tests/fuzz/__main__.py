"""``python -m tests.fuzz``: bad requests, and a table of what came of them; 1 if a promise was broken."""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from kingsbridge.server.cli.own_server import own_server
from tests.fuzz import course, outside, workers
from tests.fuzz.course import Found

ROUND = 2_000
"""Requests against one world."""
FEW_SECONDS = 30.0
"""How often it says how far it is."""


def main() -> int:
    """Reads the command line, plays, and reports."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="requests")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn")
    parser.add_argument("--seconds", type=float, default=math.inf, help="no round begins after that time")
    parser.add_argument("--round", type=int, help="only this round, as a failure names it")
    parser.add_argument("--grpc", action="store_true", help="against a server process, over the wire")
    given = parser.parse_args()
    found, started = Found(), time.monotonic()
    numbers = _numbers(given.count, given.round)
    each = (
        _over_grpc(given.seed, numbers) if given.grpc else workers.rounds(given.seed, numbers, given.seconds)
    )
    told = started
    for news in each:
        found.add(news)
        if time.monotonic() - told > FEW_SECONDS:
            told = time.monotonic()
            print(f"{found.counts.total():,} requests, {len(found.failures)} failures", file=sys.stderr)
        if time.monotonic() - started > given.seconds:
            break
    _report(found, time.monotonic() - started)
    return 1 if found.failures else 0


def _numbers(count: int, only: int | None) -> Iterator[tuple[int, int]]:
    """The rounds by number, and of how many requests each is."""
    if only is not None:
        yield only, count
        return
    for number in range(math.ceil(count / ROUND)):
        yield number, min(ROUND, count - number * ROUND)


def _over_grpc(seed: int, numbers: Iterator[tuple[int, int]]) -> Iterator[Found]:
    with own_server(workers=2) as address:
        for number, count in numbers:
            yield asyncio.run(course.run(outside.opening(address), seed, number, count))


def _report(found: Found, seconds: float) -> None:
    for failure in found.failures.values():
        print(f"\nFAILED: {failure}")
    by_method: dict[str, Counter[str]] = {}
    codes: Counter[str] = Counter()
    for (method, code, _), count in found.counts.items():
        by_method.setdefault(method, Counter())[code] += count
        codes[code] += count
    names = [code for code, _ in codes.most_common()]
    table = Table("method", "all", *[name.lower().replace("_", " ") for name in names])
    for method, row in sorted(by_method.items()):
        table.add_row(method, f"{row.total():,}", *[f"{row[name]:,}" for name in names])
    table.add_section()
    table.add_row("all", f"{codes.total():,}", *[f"{codes[name]:,}" for name in names])
    Console(width=140).print(table)
    speed = f"{codes.total():,} requests in {seconds:,.0f} s ({codes.total() / seconds:,.0f} a second)"
    print(f"{speed}, the slowest in {found.slowest:.2f} s, {len(found.failures)} failures")


if __name__ == "__main__":
    sys.exit(main())
