"""Worker processes: results, errors, and an end in every case."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable
from typing import Any

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


def ignores(number: int) -> bool:
    return signal.getsignal(number) is signal.SIG_IGN


def each(tasks: Iterable[int]) -> Callable[[], int | None]:
    """These tasks one after the other."""
    left = iter(tasks)
    return lambda: next(left, None)


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


def answers(work: Callable[[int], int], tasks: Iterable[int], workers: int) -> list[tuple[int, int]]:
    """What comes of them."""
    return [answer for answer in share_out(work, each(tasks), workers) if answer is not None]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_task_is_done_once_whatever_the_number_of_workers(workers: int) -> None:
    assert sorted(answers(square, range(7), workers)) == [(number, number * number) for number in range(7)]
    assert left_over() == []


def test_no_task_needs_no_worker() -> None:
    assert list(answers(square, range(0), 2)) == []


def test_an_error_in_a_worker_is_raised_here_with_the_place_it_came_from() -> None:
    with pytest.raises(LookupError, match="no three") as raised:
        list(answers(fail_on_three, range(7), 2))
    assert any("fail_on_three" in note for note in raised.value.__notes__)
    assert left_over() == []


def test_a_worker_that_dies_is_noticed() -> None:
    with pytest.raises(WorkerDiedError, match="task 3"):
        list(answers(die_on_three, range(7), 2))
    assert left_over() == []


def test_an_interrupt_ends_workers_that_are_busy() -> None:
    results = share_out(sleep_long, each(range(3)), 2)
    assert next(results) == (0, 0)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert left_over() == []
    assert time.monotonic() - started < 30


def test_a_terminal_stops_no_worker_in_the_middle_of_a_task() -> None:
    """Ctrl-C and Ctrl-Z reach all processes of a job."""
    told = answers(ignores, [signal.SIGINT, signal.SIGTSTP, signal.SIGTERM], 1)
    assert told == [(signal.SIGINT, True), (signal.SIGTSTP, True), (signal.SIGTERM, False)]


def test_what_comes_later_may_depend_on_what_came_before() -> None:
    waiting, done = [1], []

    def next_task() -> int | None:
        return waiting.pop() if waiting else None

    for answer in share_out(square, next_task, 2):
        assert answer is not None
        done.append(answer)
        if answer[0] < 3:  # only now it is known what follows: two at once
            waiting += [answer[0] + 1, answer[0] + 10]
    assert sorted(done) == [(1, 1), (2, 4), (3, 9), (11, 121), (12, 144)]
    assert left_over() == []


def wait_for_file(path: str) -> bool:
    while not os.path.exists(path):  # noqa: PTH110
        time.sleep(0.001)
    return True


def test_when_nothing_comes_for_a_while_that_is_told(tmp_path: Any) -> None:
    path = tmp_path / "go"
    told = []
    tasks = iter([str(path)])
    for answer in share_out(wait_for_file, lambda: next(tasks, None), 1, pause=0.01):
        told.append(answer)
        path.touch()
    assert told[0] is None
    assert told[-1] == (str(path), True)


def test_quick_tasks_are_handed_out_before_the_last_is_answered() -> None:
    handed: list[int] = []

    def next_task() -> int | None:
        handed.append(len(handed))
        return handed[-1] if len(handed) <= 50 else None

    ahead = [len(handed) - answer[0] for answer in share_out(square, next_task, 1) if answer is not None]
    assert max(ahead) == 2  # it has one, and another waits
