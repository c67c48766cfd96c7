"""A few seconds of the load: nothing of its bars of time, all of its promises."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status

from tests.soak.calls import Calls, quantile, retry_seconds
from tests.soak.crowd import Habits
from tests.soak.load import RPCS, Plan, Report, run, tables
from tests.soak.memory import MEBIBYTE, Growth, Sample, growth


async def test_a_crowd_plays_without_errors_and_a_stop_in_the_midst_of_it_loses_nothing(
    tmp_path: Path,
) -> None:
    plan = Plan(games=12, seconds=5.0, workers=1, habits=Habits(think=(0.0, 0.1), iterations=20, human=10))
    report = await run(plan, tmp_path)
    assert list(report.wrong()) == []
    assert report.exit_code == 0
    assert report.score.begun >= 12
    assert len(report.score.acknowledged) == report.score.begun
    assert report.score.moves > 12
    assert report.score.events > report.score.moves
    assert all(report.calls.waits[method] for method in RPCS)
    assert len(list(tables(report))) == 2


def test_every_code_but_resource_exhausted_is_wrong() -> None:
    report = Report(Plan(1, 1.0))
    report.calls.codes["ApplyAction", "RESOURCE_EXHAUSTED"] = 3
    assert list(report.wrong()) == []
    report.calls.codes["ApplyAction", "ABORTED"] = 2
    report.lost.append("a game")
    report.exit_code = 1
    assert list(report.wrong()) == ["ApplyAction: 2 x ABORTED", "a game", "the server ended with 1"]


def test_bars_are_missed_one_by_one() -> None:
    report = Report(Plan(1, 300.0))
    report.calls.waits["GetView"] = [1.0] * 98 + [51.0] * 2
    report.calls.waits["ApplyAction"] = [1.0] * 99 + [51.0]
    report.busy = [1.0, 2.0]
    report.score.events = 5 * 4096  # of 256 bytes, in five minutes: 1 MiB a minute
    report.samples = [Sample(60.0 * minute, MEBIBYTE * 3 * minute, 0) for minute in range(6)]
    assert list(report.missed()) == [
        "GetView: p99 51.0 ms, more than 50",
        "memory grows by 3.00 MiB a minute, more than 2.00",
        "only 1.50 of 2 workers were at work on average",
    ]


def test_growth_is_that_after_the_warm_up() -> None:
    report = Report(Plan(1, 300.0))
    early = [Sample(float(second), second * MEBIBYTE, 0) for second in range(60)]
    late = [Sample(float(second), 80 * MEBIBYTE, 20 * MEBIBYTE) for second in range(60, 300)]
    report.samples = early + late
    assert report.growth("server") == Growth(80.0, 80.0, 0.0)
    assert report.growth().last == 100.0


def test_growth_of_a_straight_line_is_its_slope() -> None:
    grown = growth([(30.0 * half, MEBIBYTE * (10 + half)) for half in range(20)])
    assert grown.per_minute == pytest.approx(2.0)
    assert grown.total == pytest.approx(18.0)  # from 10.5 to 28.5


def test_a_quantile_is_the_least_value_that_the_share_does_not_exceed() -> None:
    assert quantile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.0
    assert quantile([float(each) for each in range(1, 101)], 0.99) == 99.0
    assert quantile([], 0.99) == 0.0


def refusal(*details: object) -> grpc.aio.AioRpcError:
    status = status_pb2.Status(code=8, message="full")
    for detail in details:
        status.details.add().Pack(detail)
    rich = rpc_status.to_status(status)
    return grpc.aio.AioRpcError(
        rich.code, grpc.aio.Metadata(), grpc.aio.Metadata(*rich.trailing_metadata), rich.details
    )


def test_a_refusal_says_how_long_to_wait() -> None:
    wait = duration_pb2.Duration(seconds=2, nanos=500_000_000)
    assert retry_seconds(refusal(error_details_pb2.RetryInfo(retry_delay=wait))) == 2.5
    assert retry_seconds(refusal()) == 1.0


async def test_calls_that_fail_are_counted_and_not_timed() -> None:
    calls = Calls()

    async def fail() -> None:
        raise refusal()

    with pytest.raises(grpc.aio.AioRpcError):
        await calls.timed("GetView", fail())
    assert calls.codes == {("GetView", "RESOURCE_EXHAUSTED"): 1}
    assert not calls.waits["GetView"]
