"""What the gate refuses, what it lets through and what it cannot say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kingsbridge.pyengine import game_names
from tests.bench.instructions import Counts, faults, notices, read

RECORD = Counts("12.2.0", "glibc-2.36", "x86_64", {"go perft": 1000, "go search": 2000})


def counts(perft: int, search: int) -> Counts:
    return replace(RECORD, instructions={"go perft": perft, "go search": search})


def test_a_part_that_takes_a_tenth_more_is_refused_by_name() -> None:
    assert not list(faults(counts(1100, 2200), RECORD))
    (fault,) = faults(counts(1000, 2201), RECORD)
    assert fault.startswith("go search: 2,201 instructions, 10% above the 2,000")
    assert len(list(faults(counts(1101, 9000), RECORD))) == 2


def test_what_one_part_saves_does_not_pay_for_another() -> None:
    assert len(list(faults(counts(1, 2201), RECORD))) == 1


def test_fewer_instructions_are_told_and_not_refused() -> None:
    assert not list(faults(counts(899, 2000), RECORD))
    (notice,) = notices(counts(899, 1801), RECORD)
    assert notice.startswith("go perft: 10% below")


@pytest.mark.parametrize("other", [{"compiler": "13.1.0"}, {"libc": "musl"}, {"machine": "aarch64"}])
def test_counts_of_another_compiler_library_or_machine_are_not_compared(other: dict[str, str]) -> None:
    now = replace(counts(10**6, 10**6), **other)  # type: ignore[arg-type]
    assert not list(faults(now, RECORD))
    (notice,) = notices(now, RECORD)
    assert notice.startswith("cannot compare")


def test_parts_that_are_not_on_record_are_refused() -> None:
    (fault,) = faults(replace(RECORD, instructions={"go perft": 1000}), RECORD)
    assert "other parts" in fault


def test_the_record_has_every_game() -> None:
    assert {part.split()[0] for part in read().instructions} == set(game_names())
