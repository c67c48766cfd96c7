"""Worker processes: results, errors, and an end in every case."""

from __future__ import annotations

import multiprocessing
import os
import time

import pytest

from kingsbridge.ai.arena.crew import WorkerDiedError, share_out


def square(number: int) -> int:
    return number * number


def fail_on_three(number: int) -> int:
    if number == 3:
        raise LookupError("no three")
    return number


def die_on_three(number: int) -> int:
    if number == 3:
        os._exit(7)
    return number


def sleep_long(number: int) -> int:
    if number:
        time.sleep(600)
    return number


@pytest.fixture(autouse=True)
def others() -> set[int | None]:
    """Processes that other tests have started and may still need."""
    OTHERS.clear()
    OTHERS.update(child.pid for child in multiprocessing.active_children())
    return OTHERS


OTHERS: set[int | None] = set()


def left_over() -> list[object]:
    children = multiprocessing.active_children()
    return [child for child in children if child.is_alive() and child.pid not in OTHERS]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_task_is_done_once_whatever_the_number_of_workers(workers: int) -> None:
    assert sorted(share_out(square, range(7), workers)) == [(number, number * number) for number in range(7)]
    assert left_over() == []


def test_no_task_needs_no_worker() -> None:
    assert list(share_out(square, range(0), 2)) == []


def test_an_error_in_a_worker_is_raised_here_with_the_place_it_came_from() -> None:
    with pytest.raises(LookupError, match="no three") as raised:
        list(share_out(fail_on_three, range(7), 2))
    assert any("fail_on_three" in note for note in raised.value.__notes__)
    assert left_over() == []


def test_a_worker_that_dies_is_noticed() -> None:
    with pytest.raises(WorkerDiedError, match="task 3"):
        list(share_out(die_on_three, range(7), 2))
    assert left_over() == []


def test_an_interrupt_ends_workers_that_are_busy() -> None:
    results = share_out(sleep_long, range(3), 2)
    assert next(results) == (0, 0)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert left_over() == []
    assert time.monotonic() - started < 30
