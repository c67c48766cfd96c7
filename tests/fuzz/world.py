"""The games that are played while the requests come in, and positions that come with requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from google.protobuf import duration_pb2
from google.protobuf.message import Message

from kingsbridge.pyengine import GameRecord, Rng, State, describe, game_names
from kingsbridge.v1 import ai_pb2, game_pb2
from tests.fuzz import extremes
from tests.fuzz.calls import Driver, ask
from tests.fuzz.messages import Palette

TABLES = [
    (game, players)
    for game in game_names()
    for players in range(describe(game).min_players, describe(game).max_players + 1)
]
"""Every game with every number of seats."""
BOTS = ("random", "greedy")
"""Bots that answer at once."""
SEARCHES = (
    "ismcts:iterations=20", "mcts:iterations=9,c=0.3", "flat_mc:iterations=5", "ismcts:level=1",
    "ismcts:iterations=3,threads=2,memory=64",
)  # fmt: skip
INFOS = {game: describe(game) for game in game_names()}
SYMBOLS = [
    *[component.id for info in INFOS.values() for component in info.components],
    *INFOS,
    *extremes.TEXTS,
]
"""Ids of all components and names of all games: right words, most likely in the wrong place."""
MOST_EVENTS = 150
"""Longest way to a position that comes with a request."""


@dataclass
class Held:
    """A game of the server, as its seats know it now."""

    game_id: str
    game: str
    players: int
    seed: bytes
    tokens: dict[int, str]
    status: Any
    legal: list[Any]
    ids: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    async def refresh(self, driver: Driver) -> None:
        """Looks again."""
        self.status = (await ask(driver, "GetView", self.tokens[-1], game_id=self.game_id, seat=-1)).status
        seat = max(0, self.status.seat_to_move)
        answer = await ask(driver, "ListLegalActions", self.tokens[seat], game_id=self.game_id, seat=seat)
        self.legal = list(answer.actions)
        self.ids = [each.id for each in self.legal] or [0]
        self.texts = [each.text for each in self.legal] or ["end()"]

    async def advance(self, driver: Driver, rng: Random) -> None:
        """Plays any legal action."""
        await ask(
            driver,
            "ApplyAction",
            self.tokens[self.status.seat_to_move],
            game_id=self.game_id,
            seat=self.status.seat_to_move,
            action_id=rng.choice(self.legal).id,
            expected_revision=self.status.revision,
        )
        await self.refresh(driver)

    def learn(self, request: Message, answer: Message) -> None:
        """Takes a new token in the place of the old one."""
        token, seat = getattr(answer, "token", ""), getattr(request, "seat", None)
        if token and seat in self.tokens:
            self.tokens[seat] = token


class World:
    """All that a good request of a round may be about."""

    def __init__(self, driver: Driver, rng: Random) -> None:
        self._driver = driver
        self.operator = driver.operator
        self._rng = rng
        self.games: list[Held] = []
        self.positions = [_position(*rng.choice(TABLES), rng) for _ in range(12)]
        self._lines = [line for _, record in self.positions for line in record.split("\n")]

    @classmethod
    async def begun(cls, driver: Driver, rng: Random) -> World:
        """A world with a game at each table, each some moves old, and one that is over."""
        world = cls(driver, rng)
        for game, players in TABLES:
            held = await world._created(game, players)
            for _ in range(rng.choice((0, 1, 6))):
                await held.advance(driver, rng)
        over = await world._created("builders", 2, max_rounds=1)
        while not over.status.over:
            await over.advance(driver, rng)
        return world

    def secrets(self, held: Held) -> list[str]:
        """What no refusal about a game may say: the seed, and the tokens."""
        return [held.seed.hex(), str(int.from_bytes(held.seed, "big")), *held.tokens.values()]

    def palette(self, held: Held) -> Palette:
        """Sensible values by the name of a field, for a request about a game."""
        rng = self._rng
        seat = held.status.seat_to_move
        position = rng.choice(self.positions)
        session = ai_pb2.SessionPosition(game_id=held.game_id, seat=max(0, seat))
        option = rng.choice(INFOS[held.game].options)
        return {
            "game_id": (held.game_id,),
            "seat": (seat, seat, seat, max(0, seat), -1, *range(held.players)),
            "expected_revision": (held.status.revision,) * 29 + (0,),
            "action_id": held.ids,
            "action_text": held.texts,
            "game": (held.game,),
            "players": (held.players,),
            "options": ({option.name: rng.randint(option.min, option.max)},),
            "seed": (rng.randbytes(16), rng.getrandbits(64)),
            "request_id": (f"{rng.getrandbits(128):032x}",),
            "session": (session,),
            "view": (position[0],),
            "record": (position[1],),
            "bot": BOTS * 20 + SEARCHES,
            "iterations": (0, 1, 20),
            "duration": (duration_pb2.Duration(nanos=5_000_000),),
            "heartbeat": (duration_pb2.Duration(seconds=20),),
            "report_interval": (duration_pb2.Duration(nanos=100_000_000),),
            "allow": held.ids,
            "avoid": held.ids,
            "from_event": (0, 1, 2),
            "symbols": SYMBOLS,
            "lines": self._lines,
        }

    async def _created(self, game: str, players: int, **options: int) -> Held:
        seed = self._rng.randbytes(16)
        created = await ask(
            self._driver, "CreateGame", game=game, players=players, seed=seed, options=options
        )
        tokens = {**dict(enumerate(created.seat_tokens)), -1: created.spectator_token}
        held = Held(created.game_id, game, players, seed, tokens, created.status, [])
        self.games.append(held)
        await held.refresh(self._driver)
        return held


def _position(game: str, players: int, rng: Random) -> tuple[Any, str]:
    """The view of some seat somewhere in a random game, most likely of that to move, and the record."""
    options = {
        each.name: rng.randint(each.min, each.max) for each in describe(game).options if rng.random() < 0.5
    }
    record, luck = GameRecord(game, players, options), Rng(rng.getrandbits(64))
    for _ in range(rng.randrange(MOST_EVENTS)):
        if record.result is None:
            record.append(_event(record.state(), luck))
    while record.state().is_chance:
        record.append(_event(record.state(), luck))
    seat = max(0, record.seat_to_move) if rng.random() < 0.8 else rng.randrange(-1, players)
    fields: Any = {game: record.state().information_set(seat).view()}
    view = game_pb2.GameView(**fields)
    return view, record.text()


def _event(state: State, luck: Rng) -> int:
    return state.sample_chance(luck) if state.is_chance else state.sample_action(luck, "light")
