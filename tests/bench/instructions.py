"""The gate against slow-downs: how many instructions a fixed piece of work takes, under valgrind, against
those on record. Run by ``make instructions``, as part of ``make check``.

Counts are the same in every run, whatever else the machine does, but not with every compiler and C library:
against the record of others nothing is compared, and said so. Instructions are not time: what a change of
memory layout or of a lock costs shows in ``make bench`` alone.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build/cpp/tests/cpp/engine_work"
RECORD = ROOT / "tests/data/instructions.json"
TOLERANCE = 0.10
"""So much more is refused; so much less is worth a new record."""
UPDATE = "if that is the price of something, run 'make instructions-baseline' and say in the commit of what"


@dataclass(frozen=True)
class Counts:
    """Instructions of each part of the work, and what they depend on besides the sources."""

    compiler: str
    libc: str
    machine: str
    instructions: Mapping[str, int]

    @property
    def where(self) -> str:
        """What must agree for counts to be compared."""
        return f"compiler {self.compiler}, {self.libc}, {self.machine}"


def counted() -> Counts:
    """The work as built now, less what it takes to start."""
    listed = subprocess.run([WORK], check=True, capture_output=True, text=True).stdout
    compiler, *parts = listed.splitlines()
    start = instructions()
    counts = {part: instructions(*part.split()) - start for part in parts}
    return Counts(compiler, "-".join(platform.libc_ver()), platform.machine(), counts)


def instructions(*arguments: str) -> int:
    """Those of one run."""
    with tempfile.NamedTemporaryFile(mode="r") as report:
        tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={report.name}"]
        subprocess.run([*tool, WORK, *arguments], check=True, capture_output=True)
        last = report.read().splitlines()[-1]  # "summary: 123"
    return int(last.split()[1])


def faults(now: Counts, recorded: Counts) -> Iterator[str]:
    """What is wrong with the counts, part by part; nothing where they cannot be compared."""
    if now.where != recorded.where:
        return
    if set(now.instructions) != set(recorded.instructions):
        yield "the work has other parts than the record: run 'make instructions-baseline'"
        return
    for part, count in now.instructions.items():
        before = recorded.instructions[part]
        if count > before * (1 + TOLERANCE):
            yield f"{part}: {count:,} instructions, {count / before - 1:.0%} above the {before:,} on record"


def notices(now: Counts, recorded: Counts) -> Iterator[str]:
    """What is no fault and should be known."""
    if now.where != recorded.where:
        yield f"cannot compare: the record is of {recorded.where}, and this is {now.where}"
        return
    for part, count in now.instructions.items():
        before = recorded.instructions.get(part, count)
        if count < before * (1 - TOLERANCE):
            yield f"{part}: {1 - count / before:.0%} below the record: 'make instructions-baseline' keeps it"


def read() -> Counts:
    """The record."""
    return Counts(**json.loads(RECORD.read_text(encoding="utf-8")))


def main() -> int:
    """Compares, or records; 1 where a part takes too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="make this the record")
    parser.add_argument("--show", action="store_true", help="print all counts")
    given = parser.parse_args()
    now = counted()
    if given.record:
        RECORD.write_text(json.dumps(asdict(now), indent=1) + "\n", encoding="utf-8")
    if given.show:
        print(json.dumps(asdict(now), indent=1))
    recorded = read()
    for notice in notices(now, recorded):
        print(f"instructions: {notice}")
    found = list(faults(now, recorded))
    for fault in found:
        print(f"instructions: {fault}", file=sys.stderr)
    if found:
        print(f"instructions: {UPDATE}", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
