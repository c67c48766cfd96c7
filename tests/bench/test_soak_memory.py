"""A short soak: always the same moves, no clock."""

from __future__ import annotations

from typing import Any

import pytest

from kingsbridge.pyengine import Search
from tests.bench import soak_memory
from tests.bench.soak_memory import CAPS, FaultError, Soaked, Trees, soak


def test_trees_keep_within_their_caps_and_moves_are_legal() -> None:
    found = soak(150, 1, 1 << 14, timed=False)
    assert len(found.resident) == 150
    least, *_, largest = CAPS
    assert max(found.trees[least]) > least - (1 << 18)  # some were full, to the last chunk
    assert least < max(found.trees[largest]) < largest


def test_a_tree_beyond_its_cap_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def uncapped(*arguments: Any, memory: int, **knobs: Any) -> Search:
        return Search(*arguments, **knobs)

    monkeypatch.setattr(soak_memory, "Search", uncapped)
    with pytest.raises(FaultError, match="more than its cap"):
        soak(150, 1, 1 << 14, timed=False)


def test_growth_is_counted_from_the_warm_up_on() -> None:
    steady = [500] * 20 + [100] * 80
    assert Soaked(steady, Trees().bytes).growth == 0
    assert Soaked(list(range(100)), {}).growth == 70
