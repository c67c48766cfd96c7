"""A server process from its first line to its last."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from kingsbridge.server.app import App
from kingsbridge.v1 import ai_pb2, rules_pb2, rules_pb2_grpc
from tests.processes import alive

from .client import Client, Refusal, until

SERVE = """
import asyncio
from kingsbridge.server.app import serve
from kingsbridge.server.config import Config

if __name__ == "__main__":
    asyncio.run(serve(Config(store="memory", port=0, workers=1)))
"""


LATE_CALLS = 20


@contextmanager
def server(*program: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process and a session of its own, with its address."""
    with subprocess.Popen(
        [sys.executable, *(program or ("-c", SERVE))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("kingsbridge listening on 127.0.0.1:")
            yield process, line.split()[-1]
        finally:
            for pid in alive(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_a_stopped_server_answers_its_searches_says_so_and_leaves_nothing_behind(number: int) -> None:
    with server() as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            game = await client.create()
            watch = client.health.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
            calls = [client.choose(game) for _ in range(2)]
            await _until_searching(client)
            process.send_signal(number)
            answers = [await call for call in calls]
            assert [answer.stop_reason for answer in answers] == [ai_pb2.STOP_REASON_STOPPED] * 2
            assert max(answer.iterations for answer in answers) > 0
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        out, err = process.communicate(timeout=10)
        assert process.returncode == 0, err
        assert out == ""
        assert "Traceback" not in err
        await until(lambda: not alive(process.pid))


async def test_calls_that_come_while_a_server_stops_are_answered_or_told_that_it_is_unavailable() -> None:
    """Many at once, so that some have come and not begun: gRPC would cancel those."""
    codes: list[grpc.StatusCode] = []

    async def create_on(client: Client) -> None:
        try:
            while True:
                await client.create()
        except grpc.aio.AioRpcError as error:
            codes.append(error.code())

    with server() as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            callers = [asyncio.create_task(create_on(client)) for _ in range(50)]
            await client.create()
            process.terminate()
            await asyncio.wait_for(asyncio.gather(*callers), 30)
        process.communicate(timeout=20)
        assert process.returncode == 0
    assert codes == [grpc.StatusCode.UNAVAILABLE] * 50


async def test_calls_that_come_while_a_stopping_server_gets_no_time_are_told_that_it_is_unavailable() -> None:
    """A pause that ends late proves nothing: what came meanwhile has not begun, and gRPC would cancel it."""
    app = App(workers=1)
    address = await app.start()
    came, ready = threading.Event(), threading.Semaphore(0)
    codes: list[grpc.StatusCode] = []

    def call() -> None:
        with grpc.insecure_channel(address) as channel:
            grpc.channel_ready_future(channel).result(10)
            ready.release()
            came.wait()
            try:
                rules_pb2_grpc.RulesServiceStub(channel).ListGames(rules_pb2.ListGamesRequest(), timeout=10)
            except grpc.RpcError as error:
                codes.append(error.code())

    def busy() -> None:
        came.set()
        time.sleep(0.3)

    threads = [threading.Thread(target=call) for _ in range(LATE_CALLS)]
    for thread in threads:
        thread.start()
    for _ in range(LATE_CALLS):
        await asyncio.to_thread(ready.acquire)
    asyncio.get_running_loop().call_later(0.05, busy)
    await app.stop()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert codes == [grpc.StatusCode.UNAVAILABLE] * LATE_CALLS


async def test_a_server_stops_at_once_though_somebody_watches_its_health() -> None:
    with server() as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            watch = Client(channel).health.Watch(health_pb2.HealthCheckRequest())
            await watch.read()
            process.terminate()
            assert await until(lambda: process.poll() is not None) < 3.0
            await watch.read()
        assert process.returncode == 0


async def test_the_workers_of_a_killed_server_end_by_themselves() -> None:
    with server() as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            game = await client.create()
            call = client.choose(game, budget=_milliseconds(1000))
            await _until_searching(client)
            process.kill()
            process.wait()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            assert Refusal(caught.value).code is grpc.StatusCode.UNAVAILABLE
        await until(lambda: not alive(process.pid), 10.0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_a_group_that_is_signalled_as_a_whole_still_answers(number: int) -> None:
    with server() as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            game = await client.create()
            call = client.choose(game)
            await _until_searching(client)
            os.killpg(process.pid, number)
            answer = await call
            assert answer.stop_reason == ai_pb2.STOP_REASON_STOPPED
            assert answer.iterations > 0
        _, err = process.communicate(timeout=10)
        assert process.returncode == 0
        assert "Traceback" not in err


async def test_workers_do_not_run_the_program_that_started_the_server(tmp_path: Path) -> None:
    """As multiprocessing would have them do; the program loads gRPC."""
    program = tmp_path / "program.py"
    program.write_text(SERVE)
    with server(str(program)) as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            await client.choose(await client.create(), "random")  # its worker has started for good
        mapped = {pid: Path(f"/proc/{pid}/maps").read_text() for pid in alive(process.pid)}
        assert "cygrpc" in mapped.pop(process.pid)
        assert any("_core" in maps for maps in mapped.values())
        assert not any("cygrpc" in maps for maps in mapped.values())


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, *_):
        if name.split(".")[0] in ("prometheus_client", "opentelemetry"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
"""


async def test_a_server_needs_neither_the_library_of_metrics_nor_that_of_spans() -> None:
    with server("-c", WITHOUT + SERVE) as (process, address):
        async with grpc.aio.insecure_channel(address) as channel:
            answer = await Client(channel).health.Check(health_pb2.HealthCheckRequest())
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        process.terminate()
        process.communicate(timeout=20)
        assert process.returncode == 0


async def test_two_servers_do_not_share_a_port() -> None:
    with server() as (_, address):
        script = SERVE.replace("port=0", f"port={address.rpartition(':')[2]}")
        second = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
        )
        assert second.returncode != 0
        assert f"OSError: cannot listen on {address}" in second.stderr
        assert second.stdout == ""


async def _until_searching(client: Client) -> None:
    """Lets a search that was asked for before begin: later calls on the connection do not overtake it."""
    await client.health.Check(health_pb2.HealthCheckRequest())
    await asyncio.sleep(0.5)


def _milliseconds(count: int) -> Any:
    budget = ai_pb2.Budget()
    budget.duration.FromMilliseconds(count)
    return budget
