"""Numbers of the pool, by a clock of the test's own."""

from __future__ import annotations

from kingsbridge.server.pool_status import Rate


class Clock:
    def __init__(self) -> None:
        self.now = 500.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_is_the_mean_of_the_last_minute() -> None:
    clock = Clock()
    rate = Rate(clock)
    clock.now += 100.0
    rate.add(600)
    clock.now += 30.0
    rate.add(1200)
    assert rate.per_second() == 30.0
    clock.now += 31.0
    assert rate.per_second() == 20.0
    clock.now += 60.0
    assert rate.per_second() == 0.0


def test_a_rate_is_the_mean_since_the_start_if_that_is_less_ago() -> None:
    clock = Clock()
    rate = Rate(clock)
    rate.add(100)
    assert rate.per_second() == 100.0
    clock.now += 4.0
    rate.add(100)
    assert rate.per_second() == 50.0


def test_what_happens_often_is_kept_by_the_second() -> None:
    clock = Clock()
    rate = Rate(clock)
    for _ in range(10_000):
        rate.add(1)
        clock.now += 0.01
    assert 100.0 * 59 / 60 <= rate.per_second() <= 100.0  # the oldest second is forgotten as a whole
    assert len(rate._seconds) <= 61
