"""Searches end in time, stop when told to, and survive the death of their worker."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import time
from contextlib import suppress
from multiprocessing import forkserver
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_health.v1 import health_pb2

from kingsbridge.ai import Budget, Decision, StopReason, make_bot
from kingsbridge.pyengine import Dealer, InformationSet, Rng, load_game
from kingsbridge.server.app import App
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import PoolClosedError
from kingsbridge.server.search import Search, unsearched
from kingsbridge.server.search_pool import SearchPool
from kingsbridge.server.worker import KILL_SECONDS
from kingsbridge.v1 import ai_pb2

from .client import ENDLESS, Client, refused, until


def start(seed: int = 1) -> InformationSet:
    """What the first player knows at the start of a game."""
    state = load_game("builders")
    Dealer(seed).settle(state)
    return state.information_set(state.current_player)


def search(bot: str = ENDLESS, **more: Any) -> Search:
    return Search(**{"info": start(), "bot": bot, "seed": 1, "budget": Budget(), "max_seconds": 30.0, **more})


class Idler:
    """A worker without a process, which does nothing until it is stopped."""

    spent = False

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.asked: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()

    def ask(self, question: Search, stop_by: float, tell: object) -> asyncio.Future[Decision]:
        self.calls.append("ask")
        return self.asked

    def stop(self) -> None:
        self.calls.append("stop")
        self.asked.set_result(unsearched(search(), StopReason.STOPPED))


def workers(pool: SearchPool) -> list[int]:
    """Process ids of the workers at work."""
    return [worker.process.pid or 0 for worker in pool._workers if worker.busy]


def milliseconds(count: int) -> ai_pb2.Budget:
    budget = ai_pb2.Budget()
    budget.duration.FromMilliseconds(count)
    return budget


async def test_a_search_answers_before_a_deadline_of_200_ms(client: Client) -> None:
    game = await client.create()
    legal = [action.id for action in await client.legal(game.game_id, game.status.seat_to_move)]
    answers = []
    for _ in range(20):
        with suppress(grpc.aio.AioRpcError):
            answers.append(await client.choose(game, timeout=0.2))
    # Generous, for machines under load: tests/bench/bench_server.py counts those in time.
    assert len(answers) >= 10
    assert all(answer.action.id in legal for answer in answers)
    assert all(answer.stop_reason == ai_pb2.STOP_REASON_TIME for answer in answers)
    assert any(answer.iterations > 0 for answer in answers)


async def test_a_deadline_too_short_to_keep_brings_a_legal_action_or_is_exceeded(client: Client) -> None:
    game = await client.create()
    legal = [action.id for action in await client.legal(game.game_id, game.status.seat_to_move)]
    outcomes = []
    for _ in range(40):
        try:
            outcomes.append((await client.choose(game, timeout=0.02)).action.id in legal)
        except grpc.aio.AioRpcError as error:
            outcomes.append(error.code() is grpc.StatusCode.DEADLINE_EXCEEDED)
    assert all(outcomes)


async def test_a_search_without_any_time_is_answered_with_a_legal_action(app: App) -> None:
    now = time.monotonic()
    decision = await app.pool.search(search(stop_by=now, answer_by=now))
    assert decision.action in start().legal_actions()
    assert decision.stop_reason is StopReason.TIME
    await until(lambda: app.pool.idle == 2)


async def test_a_search_that_gets_no_worker_in_time_is_answered_without_one(
    client: Client, small_client: Client, small_app: App
) -> None:
    game = await client.create()
    view = (await client.view(game.game_id, game.status.seat_to_move)).view
    request = ai_pb2.ChooseActionRequest(view=view, bot=ENDLESS)
    running = small_client.ai.ChooseAction(request)
    await until(lambda: small_app.pool.busy == 1)
    answer = await small_client.ai.ChooseAction(request, timeout=0.3)
    assert answer.iterations == 0
    assert answer.stop_reason == ai_pb2.STOP_REASON_TIME
    assert answer.action in await client.legal(game.game_id, game.status.seat_to_move)
    assert small_app.pool.waiting == 0
    running.cancel()
    await until(lambda: small_app.pool.idle == 1)


async def test_cancelling_a_call_frees_its_worker_within_100_ms(client: Client, app: App) -> None:
    game = await client.create()
    waits = []
    for _ in range(10):
        call = client.choose(game)
        await until(lambda: app.pool.busy == 1)
        call.cancel()
        waits.append(await until(lambda: app.pool.busy == 0))
        assert app.pool.idle == 2
    assert sorted(waits)[8] < 0.1


async def test_a_cancelled_call_leaves_the_queue(
    client: Client, small_client: Client, small_app: App
) -> None:
    game = await client.create()
    view = (await client.view(game.game_id, game.status.seat_to_move)).view
    request = ai_pb2.ChooseActionRequest(view=view, bot=ENDLESS)
    running, waiting = [small_client.ai.ChooseAction(request) for _ in range(2)]
    await until(lambda: small_app.pool.waiting == 1)
    waiting.cancel()
    await until(lambda: small_app.pool.waiting == 0)
    running.cancel()
    await until(lambda: small_app.pool.idle == 1)


async def test_health_checks_are_answered_while_all_workers_search(client: Client, app: App) -> None:
    game = await client.create()
    searches = [client.choose(game) for _ in range(2)]
    await until(lambda: app.pool.busy == 2)
    waits = []
    for _ in range(100):
        started = time.monotonic()
        answer = await client.health.Check(health_pb2.HealthCheckRequest())
        waits.append(time.monotonic() - started)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert app.pool.busy == 2
    for each in searches:
        each.cancel()
    await until(lambda: app.pool.idle == 2)
    # Generous, for machines under load; tests/bench/bench_server.py measures it.
    assert sorted(waits)[97] < 0.25


async def test_each_service_reports_its_own_health(client: Client) -> None:
    for service in ("", "kingsbridge.v1.RulesService", "kingsbridge.v1.AiService"):
        answer = await client.health.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    unknown = await refused(client.health.Check(health_pb2.HealthCheckRequest(service="chess")))
    assert unknown.code is grpc.StatusCode.NOT_FOUND


async def test_a_search_whose_worker_dies_is_tried_once_more(client: Client, app: App) -> None:
    game = await client.create()
    call = client.choose(game, "ismcts", budget=milliseconds(1000))
    await until(lambda: app.pool.busy == 1)
    (killed,) = workers(app.pool)
    os.kill(killed, signal.SIGKILL)
    await until(lambda: workers(app.pool) not in ([], [killed]))
    answer = await call
    assert answer.iterations > 0
    await until(lambda: app.pool.idle == 2)


async def test_a_search_that_kills_two_workers_is_unavailable_and_both_are_replaced(
    client: Client, app: App
) -> None:
    game, deadly = await client.create(), f"{ENDLESS},c=0.9"
    call = asyncio.ensure_future(refused(client.choose(game, deadly)))
    await until(lambda: bool(workers(app.pool)))
    first = workers(app.pool)
    os.kill(first[0], signal.SIGKILL)
    await until(lambda: workers(app.pool) not in ([], first))
    os.kill(workers(app.pool)[0], signal.SIGKILL)
    refusal = await call
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "SEARCH_LOST")
    assert refusal.detail(error_details_pb2.RetryInfo).retry_delay.seconds > 0
    await until(lambda: app.pool.idle == 2)
    again = await refused(client.choose(game, deadly))
    assert (again.code, again.reason) == (grpc.StatusCode.UNAVAILABLE, "SEARCH_LOST")
    answer = await client.choose(game, "ismcts:iterations=10")
    assert answer.iterations == 10


async def test_a_worker_that_does_not_stop_is_killed_and_its_call_answered_in_time(
    client: Client, app: App
) -> None:
    game = await client.create()
    call = client.choose(game, budget=milliseconds(500))
    await until(lambda: app.pool.busy == 1)
    (stuck,) = workers(app.pool)
    os.kill(stuck, signal.SIGSTOP)
    answer = await call
    assert answer.iterations == 0
    assert answer.action in await client.legal(game.game_id, game.status.seat_to_move)
    assert await until(lambda: app.pool.idle == 2) < KILL_SECONDS + 2.0
    await until(lambda: not os.path.exists(f"/proc/{stuck}"))  # noqa: PTH110


async def test_an_idle_worker_that_dies_is_replaced(client: Client, app: App) -> None:
    before = {worker.process.pid for worker in app.pool._workers}
    os.kill(next(iter(before)) or 0, signal.SIGKILL)
    await until(lambda: app.pool.idle == 2 and {worker.process.pid for worker in app.pool._workers} != before)


async def test_a_worker_is_replaced_even_if_the_fork_server_died_with_it(app: App) -> None:
    await until(lambda: app.pool.idle == 2)
    before = {worker.process.pid for worker in app.pool._workers}
    fork_server: Any = forkserver
    for pid in (fork_server._forkserver._forkserver_pid, next(iter(before))):
        os.kill(pid or 0, signal.SIGKILL)
    await until(lambda: app.pool.idle == 2 and {worker.process.pid for worker in app.pool._workers} != before)
    answer = await app.pool.search(search("ismcts:iterations=10"))
    assert answer.iterations == 10


async def test_workers_do_not_load_grpc(app: App) -> None:
    for worker in app.pool._workers:
        with open(f"/proc/{worker.process.pid}/maps") as maps:  # noqa: PTH123
            mapped = maps.read()
        assert "_core" in mapped
        assert "cygrpc" not in mapped


async def test_the_same_view_bot_iterations_and_seed_give_the_same_search_in_any_worker(app: App) -> None:
    question = search("ismcts", budget=Budget(iterations=300), seed=5)
    answers = [await app.pool.search(question) for _ in range(4)]
    here = make_bot("ismcts").choose(question.info, Budget(iterations=300), Rng(5))
    assert {answer.statistics for answer in answers} == {here.statistics}


async def test_the_time_cap_of_the_server_ends_any_search(app: App) -> None:
    answer = await app.pool.search(search(max_seconds=0.1))
    assert answer.stop_reason is StopReason.TIME
    assert 0.05 < answer.elapsed < 0.5


async def test_a_pool_that_closes_answers_what_runs_and_what_waits_and_takes_no_more() -> None:
    pool = SearchPool(workers=1, limits=Limits(queue=1))
    await pool.start()
    tasks = [asyncio.create_task(pool.search(search())) for _ in range(2)]
    await until(lambda: pool.waiting == 1)
    await asyncio.sleep(0.5)
    pool.finish_early()
    ran, waited = await asyncio.gather(*tasks)
    assert ran.stop_reason is waited.stop_reason is StopReason.STOPPED
    assert ran.iterations > 0
    assert waited.iterations == 0
    with pytest.raises(PoolClosedError):
        await pool.search(search())
    await pool.close()


async def test_a_pool_that_closes_answers_even_when_its_worker_is_stuck() -> None:
    pool = SearchPool(workers=1, limits=Limits(queue=1))
    await pool.start()
    task = asyncio.create_task(pool.search(search()))
    await until(lambda: bool(workers(pool)))
    os.kill(workers(pool)[0], signal.SIGSTOP)
    pool.finish_early()
    answer = await asyncio.wait_for(task, KILL_SECONDS + 2.0)
    assert (answer.iterations, answer.stop_reason) == (0, StopReason.STOPPED)
    await pool.close()


async def test_a_worker_given_to_a_search_that_is_cancelled_at_that_moment_is_not_lost() -> None:
    pool = SearchPool(workers=1, limits=Limits(queue=1))
    worker: Any = Idler()
    task = asyncio.create_task(pool.search(search()))
    await asyncio.sleep(0)
    assert pool.waiting == 1
    pool.release(worker)
    assert pool.idle == 0
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert pool.idle == 1


async def test_a_pool_that_closes_ends_a_search_that_was_just_given_a_worker() -> None:
    pool, worker = SearchPool(workers=1), Idler()
    task = asyncio.create_task(pool.search(search()))
    await asyncio.sleep(0)
    pool.release(worker)  # type: ignore[arg-type]
    pool.finish_early()
    assert (await asyncio.wait_for(task, 5.0)).stop_reason is StopReason.STOPPED
    assert worker.calls == ["ask", "stop"]


async def test_a_worker_that_died_when_it_was_given_away_says_so_when_asked() -> None:
    pool = SearchPool(workers=1)
    await pool.start()
    (worker,) = pool._workers
    pool.lose(worker)
    asked = worker.ask(search(), stop_by=math.inf)
    assert asked.done()
    assert asked.result() is None
    await pool.close()


async def test_a_worker_told_to_terminate_answers_first() -> None:
    pool = SearchPool(workers=1, limits=Limits(queue=1))
    await pool.start()
    task = asyncio.create_task(pool.search(search()))
    await until(lambda: bool(workers(pool)))
    await asyncio.sleep(0.5)
    os.kill(workers(pool)[0], signal.SIGTERM)
    answer = await task
    assert answer.stop_reason is StopReason.STOPPED
    assert answer.iterations > 0
    await pool.close()


def test_a_pool_needs_a_worker() -> None:
    with pytest.raises(ValueError, match="at least one"):
        SearchPool(workers=0)


def test_without_a_search_the_action_is_legal_and_the_same_for_a_seed() -> None:
    question = search()
    decision = unsearched(question, StopReason.TIME)
    assert decision.action in question.info.legal_actions()
    assert decision == unsearched(question, StopReason.TIME)


def test_without_a_search_only_what_is_asked_for_is_considered() -> None:
    legal = start().legal_actions()
    for among in (legal[:1], legal[-1:], legal[1:3]):
        assert unsearched(search(among=among), StopReason.TIME).action in among
    best = unsearched(search(), StopReason.TIME).action
    rest = [action for action in legal if action != best]
    assert unsearched(search(among=rest), StopReason.TIME).action in rest
