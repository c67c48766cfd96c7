"""A database does, call by call, what the store in RAM does; closed and opened again it goes on."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kingsbridge.server.refusals import GameNotFoundError, StaleRevisionError, StaleSeatError
from kingsbridge.server.sql_store import open_store
from kingsbridge.server.store import Entry, GameHead, MemoryStore, Seat, Store

EXAMPLES = int(os.environ.get("KINGSBRIDGE_EXAMPLES", "10"))

GAMES = [f"g{number}" for number in range(4)]
ids = st.sampled_from(GAMES)
requests = st.sampled_from(["", "r1", "r2"])
times = st.integers(0, 50)
entries = st.builds(Entry, st.lists(st.integers(0, 2**32 - 1), max_size=3).map(tuple), requests)
bots = st.sampled_from(["", "greedy", "mcts"])
seats = st.builds(Seat, st.integers(0, 2), st.integers(0, 1), bots)
heads = st.builds(
    GameHead,
    game_id=ids,
    game=st.text("abcdef", max_size=5),
    players=st.integers(2, 4),
    options=st.dictionaries(
        st.text(st.characters(codec="utf-8"), max_size=5), st.integers(0, 99), max_size=2
    ),
    engine_version=st.just("1"),
    rules_hash=st.just("0"),
    seed=st.integers(0, 2**128 - 1),
    created=times,
    request_id=requests,
)


class Stores(RuleBasedStateMachine):
    """Both stores, told the same."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.model = MemoryStore()

    @initialize()
    def opens(self) -> None:
        self.real = open_store(f"sqlite:///{self.folder.name}/games.db", durability="normal")

    def both(self, call: Callable[[Store], Awaitable[Any]]) -> Any:
        """What both answer, which must be the same."""
        told, wanted = [self.runner.run(answer(call, store)) for store in (self.real, self.model)]
        assert told == wanted
        return told

    @rule(head=heads, deal=entries, bots=st.lists(bots, max_size=3))
    def create(self, head: GameHead, deal: Entry, bots: list[str]) -> None:
        seated = [Seat(number, bot=bot) for number, bot in enumerate(bots)]
        self.both(lambda store: store.create(head, deal, seated))

    @rule(
        game_id=ids,
        off=st.sampled_from([0, 0, 0, -1, 1]),
        entry=entries,
        more=st.fixed_dictionaries({"by": st.none() | seats, "over": st.booleans(), "now": times}),
    )
    def append(self, game_id: str, off: int, entry: Entry, more: dict[str, Any]) -> None:
        kept = self.model._games.get(game_id)
        revision = max(0, (len(kept.entries) if kept else 1) + off)
        self.both(lambda store: store.append(game_id, revision, entry, **more))

    @rule(game_id=ids, seat=seats, expected=seats, now=times)
    def change_seat(self, game_id: str, seat: Seat, expected: Seat, now: int) -> None:
        self.both(lambda store: store.seat(game_id, seat, expected, now=now))

    @rule(game_id=ids, number=st.integers(0, 2), epoch=st.integers(0, 1), bot=bots, now=times)
    def change_seat_as_it_is(self, game_id: str, number: int, epoch: int, bot: str, now: int) -> None:
        kept = self.model._games.get(game_id)
        expected = kept.seats.get(number, Seat(number)) if kept else Seat(number)
        seat = Seat(number, epoch, bot)
        self.both(lambda store: store.seat(game_id, seat, expected, now=now))

    @rule(game_id=ids)
    def delete(self, game_id: str) -> None:
        self.both(lambda store: store.delete(game_id))

    @rule(name=st.sampled_from(["a", "b"]), value=st.binary(max_size=3))
    def secret(self, name: str, value: bytes) -> None:
        self.both(lambda store: store.secret(name, lambda: value))

    @rule(game_id=ids, after=st.integers(0, 4))
    def load_what_is_new(self, game_id: str, after: int) -> None:
        self.both(lambda store: store.news(game_id, after))

    @rule(since=times, before=times)
    def running(self, since: int, before: int) -> None:
        async def sorted_ids(store: Store) -> list[str]:
            return sorted(await store.running(since, before))

        self.both(sorted_ids)

    @rule(running_before=times, finished_before=times)
    def idle(self, running_before: int, finished_before: int) -> None:
        def ordered(store: Store) -> Awaitable[Any]:
            return self.idle_by_time(store, running_before, finished_before)

        self.both(ordered)

    async def idle_by_time(self, store: Store, running_before: int, finished_before: int) -> Any:
        """Idle games, those that were touched at once in the order of their ids."""
        found = await store.idle(running_before, finished_before)
        touched = [self.model._games[game_id].touched for game_id in found]
        assert touched == sorted(touched)
        return sorted(found)

    @rule()
    def open_again(self) -> None:
        self.runner.run(self.real.close())
        self.opens()

    @invariant()
    def they_hold_the_same(self) -> None:
        if hasattr(self, "real"):
            self.both(all_of)

    def teardown(self) -> None:
        if hasattr(self, "real"):
            self.runner.run(self.real.close())
        self.runner.close()
        self.folder.cleanup()


async def answer(call: Callable[[Store], Awaitable[Any]], store: Store) -> Any:
    """What a store answers, or how it refuses."""
    try:
        return await call(store)
    except (GameNotFoundError, StaleRevisionError, StaleSeatError) as refusal:
        return type(refusal), str(refusal)


async def all_of(store: Store) -> Any:
    """All games of a store, and which of them a bot plays."""
    games = [await answer(lambda store, game_id=game_id: store.load(game_id), store) for game_id in GAMES]  # type: ignore[misc]
    return games, await store.count(), sorted(await store.running())


TestStores = Stores.TestCase
TestStores.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    derandomize="KINGSBRIDGE_EXAMPLES" not in os.environ,  # a soak looks for new cases, CI for the same ones
    suppress_health_check=[HealthCheck.too_slow],
)
