"""A few seconds of searches under deadlines: nothing of the bars of time, all of the promises."""

from __future__ import annotations

from tests.soak.deadlines import Found, run, tables


async def test_searches_under_deadlines_are_legal_and_cancelled_ones_leave_the_workers_idle() -> None:
    found = await run(seconds=4.0, callers=3, cancellations=20)
    assert found.faults == []
    assert found.cancelled == 20
    assert len(found.idle) == 10  # two at a time
    assert found.asked.total() > 5
    assert found.in_time > 0.5
    codes = {code for _, code in found.calls.codes}
    assert codes <= {"RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"}  # the latter by a machine under load
    assert len(list(tables(found))) == 3


def test_bars_are_missed_one_by_one() -> None:
    found = Found()
    key = "Analyze", 50
    found.asked[key] = 1000
    found.margins[key] = [1.0] * 999
    found.idle = [99.0]
    assert list(found.missed()) == []
    found.margins[key][0] = -1.0
    found.idle.append(101.0)
    assert list(found.missed()) == [
        "99.80% were answered in time, fewer than 99.9%",
        "workers were idle 101 ms after a cancellation, more than 100",
    ]
