"""What a command does with signals while it runs."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from kingsbridge.server.cli.leaving import ending_on_signals


@pytest.fixture
def ignored() -> Iterator[None]:
    """As by nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGHUP, before)


def test_a_signal_unwinds_the_stack_and_tells_its_number() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as left, ending_on_signals():
        os.kill(os.getpid(), signal.SIGTERM)
    assert left.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.usefixtures("ignored")
def test_a_signal_that_is_ignored_stays_so() -> None:
    with ending_on_signals():
        os.kill(os.getpid(), signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
