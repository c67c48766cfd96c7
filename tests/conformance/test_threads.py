"""Native work lets other threads of Python run."""

import sys
import threading
from collections.abc import Callable

import pytest

from kingsbridge.pyengine import Dealer, Search, State, load_game
from tests.conformance.walks import Table, at_every_table

WORK: dict[str, Callable[[State, int], object]] = {
    "rollouts": lambda state, size: state.rollouts(1, size),
    "rollout_nodes": lambda state, size: state.rollout_nodes(1, size),
    "search": lambda state, size: Search(state.information_set(state.current_player), 1).run(size),
}


@at_every_table
@pytest.mark.parametrize("work", list(WORK))
def test_a_native_batch_lets_a_heartbeat_go_on(table: Table, work: str) -> None:
    """With so long a switch interval the heartbeat gets the interpreter only if it is given up."""
    state = load_game(table.game, table.players)
    Dealer(1).settle(state)
    beats = 0
    running, done = threading.Event(), threading.Event()

    def heart() -> None:
        nonlocal beats
        running.set()
        while not done.wait(0.001):
            beats += 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(30.0)
    thread = threading.Thread(target=heart)
    try:
        thread.start()
        running.wait()
        before = beats
        WORK[work](state, 20_000)
        during = beats - before
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()
    assert during >= 20
