"""Calls in flight: how many there are, and when there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class InFlight:
    """Counts what has begun and not ended."""

    def __init__(self) -> None:
        self.begun = 0
        """How many have begun so far."""
        self._count = 0
        self._none = asyncio.Event()
        self._none.set()

    def __len__(self) -> int:
        return self._count

    @contextmanager
    def one(self) -> Iterator[None]:
        """One more, as long as the context lasts."""
        self.begun += 1
        self._count += 1
        self._none.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._none.set()

    async def none(self) -> None:
        """Waits until there are none."""
        await self._none.wait()
