"""A round of requests against one world, and what went wrong in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from random import Random

from tests.fuzz.calls import Driver, Outcome, Shot
from tests.fuzz.inside import Inside
from tests.fuzz.requests import Requests
from tests.fuzz.verdict import complaint, reason
from tests.fuzz.world import Held, World

Opening = Callable[[], AbstractAsyncContextManager[Driver]]
Note = Callable[[Shot], None]
Count = Counter[tuple[str, str, str]]
"""How often what came of which method: name, code, reason."""

SHRINK_TRIES = 400


@dataclass
class Failure:
    """What broke its promise: by which request, and as the how-many-th of its round."""

    complaint: str
    shot: Shot
    seed: int
    round: int
    index: int
    trace: str = ""
    shrunk: bytes | None = None

    @property
    def kind(self) -> Hashable:
        """Failures of one kind have most likely one cause."""
        return (self.shot.method.name, self.complaint, self.trace)

    def __str__(self) -> str:
        again = f"python -m tests.fuzz --seed {self.seed} --round {self.round} --count {self.index + 1}"
        lines = [f"{self.complaint}  {self.trace}", f"  again: {again}", f"  {self.shot}"]
        if self.shrunk is not None:
            lines.append(f"  least, in a fresh round: {Shot(self.shot.method, self.shrunk)}")
        return "\n".join(lines)


@dataclass
class Found:
    """What came of the requests of one round or several."""

    counts: Count = field(default_factory=Counter)
    failures: dict[Hashable, Failure] = field(default_factory=dict)
    slowest: float = 0.0
    """The longest time that a request took, in seconds."""

    def add(self, other: Found) -> None:
        """Takes in what came of other rounds."""
        self.counts.update(other.counts)
        self.slowest = max(self.slowest, other.slowest)
        for kind, failure in other.failures.items():
            self.failures.setdefault(kind, failure)


async def run(opening: Opening, seed: int, number: int, count: int, note: Note = lambda _: None) -> Found:
    """Round ``number`` of ``seed``; ``note`` is told each request before it is sent."""
    found = Found()
    async with opening() as driver:
        world = await World.begun(driver, Random(f"world {seed} {number}"))
        requests = Requests(world, Random(f"requests {seed} {number}"))
        watch = Watch(driver, world)
        await watch.changes(world.games)
        for index in range(count):
            shot, held = requests.draw()
            note(shot)
            outcome, wrong = await watch.fire(shot, held)
            found.slowest = max(found.slowest, outcome.seconds)
            found.counts[shot.method.name, outcome.code, reason(outcome)] += 1
            if wrong:
                failure = Failure(wrong, shot, seed, number, index, outcome.trace)
                found.failures.setdefault(failure.kind, failure)
        # No call is ever about two games, so a game that is not as it was left was changed by another's.
        if changed := await watch.changes(world.games):
            raise AssertionError(f"changed by calls about other games: {changed}")
    return found


class Watch:
    """Sends requests, judges what comes of them, and sees whether a refused one changed anything."""

    def __init__(self, driver: Driver, world: World) -> None:
        self._driver = driver
        self._world = world
        self._seen: dict[str, Hashable] = {}

    async def fire(self, shot: Shot, held: Held) -> tuple[Outcome, str]:
        """What came of a request, and what is wrong with that, or nothing."""
        outcome = await self._driver.call(shot)
        wrong = complaint(shot, outcome, self._world.secrets(held))
        changed = await self.changes([held])
        if changed and outcome.code != "OK":
            return outcome, wrong or "a refused call changed something"
        if outcome.code == "OK" and (message := shot.message()) is not None:
            held.learn(message, outcome.answers[0])
        if held.game_id in changed:
            await held.refresh(self._driver)
        return outcome, wrong

    async def changes(self, games: Iterable[Held]) -> set[str]:
        """Ids of those of the games that are not as they were when they were looked at last."""
        prints = await self._driver.prints(each.game_id for each in games)
        changed = {name for name, found in prints.items() if self._seen.get(name) != found}
        self._seen.update(prints)
        return changed


async def shrink(failure: Failure) -> None:
    """Looks for the shortest request that fails alike as the first one of the same round; notes it."""
    if not await _fails(failure, failure.shot.data):
        return
    least, tries = failure.shot.data, 0
    size = max(1, len(least) // 2)
    while size and tries < SHRINK_TRIES:
        at, before = 0, len(least)
        while at < len(least) and tries < SHRINK_TRIES:
            shorter, tries = least[:at] + least[at + size :], tries + 1
            if await _fails(failure, shorter):
                least = shorter
            else:
                at += size
        size = size // 2 if len(least) == before else min(size, len(least))
    failure.shrunk = least


async def _fails(failure: Failure, data: bytes) -> bool:
    async with Inside(failure.round) as driver:
        world = await World.begun(driver, Random(f"world {failure.seed} {failure.round}"))
        shot = Shot(failure.shot.method, data, failure.shot.metadata, failure.shot.remaining)
        about = [each for each in world.games if each.game_id.encode() in failure.shot.data]
        watch = Watch(driver, world)
        await watch.changes(world.games)
        outcome, wrong = await watch.fire(shot, (about or world.games)[0])
        return (wrong, outcome.trace) == (failure.complaint, failure.trace)


def inside(seed: int) -> Opening:
    """Opens drivers in this process."""
    return lambda: Inside(seed)


def play(seed: int, number: int, count: int, note: Note = lambda _: None) -> Found:
    """A round in this process, its failures shrunk."""

    async def whole() -> Found:
        found = await run(inside(number), seed, number, count, note)
        for failure in found.failures.values():
            await shrink(failure)
        return found

    return asyncio.run(whole())
