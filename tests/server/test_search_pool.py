"""Searches that wait for workers, tell what they think meanwhile, crash, and wear their workers out."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from kingsbridge.ai import Budget, Decision, StopReason
from kingsbridge.pyengine import Dealer, InformationSet, load_game
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import PoolClosedError, QueueFullError, SearchLostError
from kingsbridge.server.search import Priority, Search
from kingsbridge.server.search_pool import SearchFaultError, SearchPool
from kingsbridge.server.search_worker import telling
from kingsbridge.server.worker import Worker

from .client import until
from .odd_bots import decision, make


def start() -> InformationSet:
    state = load_game("builders")
    Dealer(1).settle(state)
    return state.information_set(state.current_player)


def search(bot: str = "thinks", **more: Any) -> Search:
    return Search(**{"info": start(), "bot": bot, "seed": 1, "budget": Budget(), "max_seconds": 30.0, **more})


@asynccontextmanager
async def running(workers: int = 1, **limits: Any) -> AsyncIterator[SearchPool]:
    pool = SearchPool(workers, Limits(**limits), make=make)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


@asynccontextmanager
async def asked(pool: SearchPool, *searches: Search) -> AsyncIterator[list[asyncio.Task[Decision]]]:
    """Tasks that wait for the answers, asked for in this order; cancelled at the end."""
    tasks = []
    for each in searches:
        tasks.append(asyncio.create_task(pool.search(each)))
        await asyncio.sleep(0)
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def pids(pool: SearchPool) -> set[int | None]:
    return {worker.process.pid for worker in pool._workers}


# The queue


async def test_a_free_worker_goes_to_the_higher_class_and_then_to_the_caller_who_has_none() -> None:
    order: list[str] = []

    async def ask(pool: SearchPool, name: str, **more: Any) -> None:
        await pool.search(search("keeps:0", **more))
        order.append(name)

    busy = search(budget=Budget(seconds=0.5), caller="a")
    async with running(queue=100) as pool, asked(pool, busy), asyncio.TaskGroup() as group:
        for name, priority, caller in (
            ("tournament", Priority.TOURNAMENT, "a"),
            ("first of a", Priority.INTERACTIVE, "a"),
            ("second of a", Priority.INTERACTIVE, "a"),
            ("first of b", Priority.INTERACTIVE, "b"),
            ("analysis", Priority.ANALYSIS, "a"),
        ):
            group.create_task(ask(pool, name, priority=priority, caller=caller))
        await until(lambda: pool.waiting == 5)
    assert order == ["first of a", "first of b", "second of a", "analysis", "tournament"]


async def test_a_search_that_would_wait_too_long_is_refused_at_once_and_told_how_long() -> None:
    busy = search(budget=Budget(seconds=8.0))
    queued = search(budget=Budget(seconds=6.0), priority=Priority.ANALYSIS)
    async with running(queue=100) as pool, asked(pool, busy, queued):
        await until(lambda: pool.waiting == 1)
        soon = time.monotonic() + 10.0
        with pytest.raises(QueueFullError, match="which is too late") as caught:
            await pool.search(search("keeps:0", stop_by=soon, answer_by=soon, priority=Priority.ANALYSIS))
        # The worker is free after 8 s, and then 6 s are for the one that waits already.
        assert 12.0 < caught.value.retry_seconds <= 14.0
        assert (caught.value.queue, caught.value.position) == ("analysis", 2)
        assert pool.waiting == 1
        # In a higher class than the one that waits it would begin after 8 s.
        async with asked(pool, search("keeps:0", stop_by=soon, answer_by=soon)) as (admitted,):
            await until(lambda: pool.waiting == 2)
            assert not admitted.done()
        assert pool.status().totals.refused == 1


async def test_a_search_needs_a_tenth_of_its_time_after_the_wait() -> None:
    async with running(queue=100) as pool, asked(pool, search(budget=Budget(seconds=20.0))):
        now = time.monotonic()
        # It would use up the 25 s to its deadline: of these, 2.5 s must be left after 20 s, and are.
        enough = search(budget=Budget(seconds=30.0), stop_by=now + 25.0, answer_by=now + 25.0)
        async with asked(pool, enough) as (admitted,):
            await until(lambda: pool.waiting == 1)
            assert not admitted.done()
        # Of 21 s, 2.1 s must be left after 20 s.
        with pytest.raises(QueueFullError, match="which is too late"):
            await pool.search(search(budget=Budget(seconds=30.0), stop_by=now + 21.0, answer_by=now + 21.0))


async def test_a_search_without_a_deadline_waits_as_long_as_there_is_room() -> None:
    async with running(queue=1) as pool, asked(pool, search(), search()):
        await until(lambda: pool.waiting == 1)
        with pytest.raises(QueueFullError, match="1 interactive searches wait already") as caught:
            await pool.search(search())
        assert caught.value.position == 2
        with pytest.raises(QueueFullError) as caught:
            await pool.search(search(caller="b"))
        assert caught.value.position == 1  # he has none in work, so he would go first
        async with asked(pool, search(caller="b", priority=Priority.ANALYSIS)):
            await until(lambda: pool.waiting == 2)


async def test_a_caller_does_not_fill_the_queue_alone() -> None:
    many = [search(caller="a") for _ in range(3)]
    async with running(queue=8) as pool, asked(pool, *many):
        await until(lambda: pool.waiting == 2)
        with pytest.raises(QueueFullError, match="2 searches of this caller wait already"):
            await pool.search(search(caller="a"))
        async with asked(pool, search(caller="b")):
            await until(lambda: pool.waiting == 3)


async def test_a_search_whose_wait_was_taken_for_shorter_is_answered_without_a_worker() -> None:
    now = time.monotonic()
    async with running(queue=8) as pool, asked(pool, search()):
        answer = await pool.search(search(stop_by=now + 0.5, answer_by=now + 0.6))
        assert (answer.iterations, answer.stop_reason) == (0, StopReason.TIME)
        assert answer.action in start().legal_actions()
        assert pool.waiting == 0
        assert pool.status().totals.shed == 1


async def test_the_pool_tells_what_it_does_and_has_done() -> None:
    async with running(workers=2, queue=8) as pool:
        await pool.search(search("ismcts:iterations=70"))
        await pool.search(search("ismcts:iterations=50"))
        three = [search(), search(), search(priority=Priority.ANALYSIS)]
        async with asked(pool, *three):
            await until(lambda: pool.waiting == 1)
            await asyncio.sleep(0.05)
            status = pool.status()
        assert (status.workers, status.busy, status.idle) == (2, 2, 0)
        assert {priority: waiting.count for priority, waiting in status.waiting.items()} == {
            Priority.TOURNAMENT: 0,
            Priority.ANALYSIS: 1,
            Priority.INTERACTIVE: 0,
        }
        assert 0.05 <= status.waiting[Priority.ANALYSIS].oldest_seconds < 5.0
        assert status.waiting[Priority.INTERACTIVE].oldest_seconds == 0.0
        assert (status.totals.done, status.totals.iterations) == (2, 120)
        assert 2.0 < status.iterations_per_second <= 120.0


# Streams


async def test_a_stream_begins_with_a_legal_action_though_no_worker_is_free() -> None:
    async with running(queue=8) as pool, asked(pool, search()):
        waits = []
        for _ in range(5):
            started = time.monotonic()
            async with aclosing(pool.stream(search())) as stream:
                first = await anext(stream)
                waits.append(time.monotonic() - started)
                assert pool.waiting == 1
            assert (first.iterations, first.action in start().legal_actions()) == (0, True)
            assert pool.waiting == 0
        assert min(waits) < 0.05


async def test_a_stream_tells_what_the_bot_tells_in_order_and_ends_with_its_decision() -> None:
    async with running() as pool:
        told = [each.iterations async for each in pool.stream(search("tells:4", report_seconds=0.1))]
    assert told == sorted(set(told))  # one in between may be missed by a machine under load
    assert (told[0], told[-1]) == (0, 5)
    assert {1, 2, 3, 4} & set(told)


async def test_a_stream_without_reports_is_a_first_and_a_last_decision() -> None:
    async with running() as pool:
        told = [each async for each in pool.stream(search("ismcts:iterations=20"))]
        assert [each.iterations for each in told] == [0, 20]
        assert told[-1].statistics == (await pool.search(search("ismcts:iterations=20"))).statistics


async def test_a_bot_that_does_not_search_tells_a_first_and_a_last_decision() -> None:
    async with running() as pool:
        told = [each.stop_reason async for each in pool.stream(search("greedy", report_seconds=0.05))]
    assert told == [StopReason.RUNNING, StopReason.POLICY]


async def test_a_slow_reader_gets_the_newest_and_the_last_decision_only() -> None:
    async with running() as pool:
        told = []
        async for each in pool.stream(search("tells:30", report_seconds=0.01)):
            told.append(each.iterations)
            if len(told) == 2:
                await until(lambda: pool.idle == 1)
        assert told in ([0, 1, 31], [0, 1, 30, 31])


async def test_a_stream_whose_bot_overruns_its_time_ends_with_what_it_told_last() -> None:
    async with running() as pool:
        question = search("sticks:7", report_seconds=0.1, budget=Budget(seconds=0.3))
        told = [each async for each in pool.stream(question)]
    assert [each.iterations for each in told] == [0, 7, 7]
    assert told[-1].stop_reason is StopReason.TIME


async def test_large_decisions_told_without_a_pause_never_keep_the_last_one_back() -> None:
    question = search("floods:3000", report_seconds=0.0, budget=Budget(seconds=1.0))
    async with running() as pool:
        told = []
        async for each in pool.stream(question):
            told.append(each.iterations)
            await asyncio.sleep(0.05)
        assert told == sorted(told)
        assert len(told) >= 3
        await until(lambda: pool.idle == 1)


async def test_what_a_bot_tells_never_waits_for_room_in_the_pipe() -> None:
    server, worker = multiprocessing.get_context("forkserver").Pipe()
    tell, info = telling(worker, number=7), start()

    def tell_much() -> None:
        for iterations in range(2000):
            tell(decision(info, iterations, size=50))

    with server, worker:
        await asyncio.wait_for(asyncio.to_thread(tell_much), timeout=20.0)
        told = []
        while server.poll():
            told.append(server.recv())
    assert {progress.number for progress in told} == {7}
    assert [progress.decision.iterations for progress in told] == list(range(len(told)))
    assert 1 < len(told) < 2000


async def test_who_reads_no_more_frees_the_worker_within_100_ms() -> None:
    async with running() as pool:
        waits = []
        for _ in range(10):
            async with aclosing(pool.stream(search("thinks", report_seconds=0.01))) as stream:
                await anext(stream)
                await until(lambda: pool.busy == 1)
            waits.append(await until(lambda: pool.idle == 1))
        assert sorted(waits)[5] < 0.1


async def test_a_reader_who_is_cancelled_frees_the_worker_too() -> None:
    async def read(pool: SearchPool) -> None:
        async for _ in pool.stream(search("floods:10", report_seconds=0.0)):
            pass

    async with running() as pool:
        task = asyncio.create_task(read(pool))
        await until(lambda: pool.busy == 1)
        task.cancel()
        assert await until(lambda: pool.idle == 1) < 1.0
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_what_a_search_tells_that_was_given_up_reaches_no_later_stream() -> None:
    async with running() as pool:
        async with aclosing(pool.stream(search("floods:100", report_seconds=0.0))) as stream:
            for _ in range(3):
                await anext(stream)
        told = [each async for each in pool.stream(search("tells:2", report_seconds=0.05))]
        assert {each.iterations for each in told} <= {0, 1, 2, 3}
        assert all(not each.statistics for each in told)


async def test_refusals_and_faults_of_a_stream_are_raised_in_it() -> None:
    async with running(queue=1) as pool:
        async with asked(pool, search(), search()):
            await until(lambda: pool.waiting == 1)
            with pytest.raises(QueueFullError):
                await anext(pool.stream(search()))
        with pytest.raises(SearchFaultError):
            assert [each async for each in pool.stream(search("tells:x", report_seconds=0.1))] == []
        with pytest.raises(SearchLostError):
            assert [each async for each in pool.stream(search("crashes:", report_seconds=0.1))] == []
        pool.finish_early()
        with pytest.raises(PoolClosedError):
            await anext(pool.stream(search()))


async def test_a_pool_that_closes_ends_streams_that_run_and_streams_that_wait_with_a_decision() -> None:
    async def read(pool: SearchPool, bot: str) -> list[Decision]:
        return [each async for each in pool.stream(search(bot, report_seconds=0.01))]

    async with running(queue=8) as pool:
        runs = asyncio.create_task(read(pool, "floods:10"))
        await until(lambda: pool.busy == 1)
        waits = asyncio.create_task(read(pool, "thinks"))
        await until(lambda: pool.waiting == 1)
        pool.finish_early()
        ran, waited = await asyncio.gather(runs, waits)
    assert ran[-1].stop_reason is waited[-1].stop_reason is StopReason.STOPPED
    assert ran[-1].iterations > 0
    assert [each.iterations for each in waited] == [0, 0]


async def test_a_hundred_cancellations_in_a_row_leave_all_workers_idle() -> None:
    async with running(workers=2, queue=100, caller_queue=100) as pool:
        before = pids(pool)
        for _ in range(20):
            async with asked(pool, *(search() for _ in range(5))):
                await until(lambda: pool.waiting == 3)
            assert pool.waiting == 0
        await until(lambda: pool.idle == 2)
        assert pids(pool) == before
        assert not pool._work
        assert not pool._awaited


# Crashes


async def test_a_search_that_crashes_its_worker_once_is_answered_by_the_next(tmp_path: Any) -> None:
    async with running() as pool:
        answer = await pool.search(search(f"crashes:{tmp_path}/mark"))
        assert answer.iterations == 1
        totals = pool.status().totals
        assert (totals.done, totals.lost) == (1, 0)


async def test_a_question_that_crashed_two_workers_is_refused_and_kills_no_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with running() as pool:
        with pytest.raises(SearchLostError, match="twice"):
            await pool.search(search("crashes:", caller="a"))
        await until(lambda: pool.idle == 1)
        before = pids(pool)
        with pytest.raises(SearchLostError, match="short while ago"):
            await pool.search(search("crashes:", caller="a", seed=2))
        assert pids(pool) == before
        assert (await pool.search(search("ismcts:iterations=5", caller="a"))).iterations == 5
        assert pool.status().totals.lost == 2
    assert "search worker" in caplog.text
    assert "crashes" not in caplog.text


# Wear


async def test_a_worker_is_replaced_after_its_jobs_and_no_capacity_is_missing() -> None:
    async with running(worker_jobs=3) as pool:
        before = pids(pool)
        for _ in range(2):
            await pool.search(search("keeps:0"))
        assert pids(pool) == before
        await pool.search(search("keeps:0"))
        assert pool.idle == 1
        await until(lambda: pids(pool).isdisjoint(before) and pool.idle == 1)
        assert pool.status().totals.recycled == 1


async def test_a_worker_that_is_at_work_when_its_successor_comes_ends_that_work_first() -> None:
    async with running(worker_jobs=1) as pool:
        before = pids(pool)
        await pool.search(search("keeps:0"))
        answer = await pool.search(search(budget=Budget(seconds=1.0)))
        assert (answer.iterations, answer.stop_reason) == (1, StopReason.TIME)
        await until(lambda: pids(pool).isdisjoint(before) and pool.idle == len(pool._workers) == 1)


async def test_a_worker_that_dies_when_its_successor_is_on_the_way_is_not_replaced_twice() -> None:
    async with running(worker_jobs=1) as pool:
        await pool.search(search("keeps:0"))
        (old,) = pool._workers
        old.process.kill()
        await until(lambda: old not in pool._workers and pool.idle == 1)
        await asyncio.gather(*pool._chores)
        assert len(pool._workers) == 1


async def test_a_worker_that_keeps_too_much_memory_is_replaced() -> None:
    async with running(worker_mebibytes=300) as pool:
        before = pids(pool)
        await pool.search(search("keeps:10"))
        await pool.search(search("keeps:10"))
        assert pids(pool) == before
        await pool.search(search("keeps:300"))
        await until(lambda: pids(pool).isdisjoint(before) and pool.idle == 1)
        assert pool.status().totals.recycled == 1


async def test_a_search_that_wants_more_memory_than_there_is_for_a_worker_is_a_fault_or_lost() -> None:
    async with running(worker_mebibytes=256, tree_mebibytes=256) as pool:
        for _ in range(2):
            with pytest.raises((SearchFaultError, SearchLostError)) as caught:
                await pool.search(search("swallows"))
            assert isinstance(caught.value, SearchLostError) or "MemoryError" in str(caught.value)
        await until(lambda: pool.idle == 1)
        assert (await pool.search(search("ismcts:iterations=5"))).iterations == 5


def test_a_worker_is_spent_after_its_jobs() -> None:
    worker: Any = Worker.__new__(Worker)
    worker._limits, worker._mebibytes = Limits(worker_jobs=2, worker_mebibytes=100), 0
    worker._number = 1
    assert not worker.spent
    worker._number = 2
    assert worker.spent
    worker._number, worker._mebibytes = 0, 101
    assert worker.spent
