"""A kept game told in words, event by event, with the record that replays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kingsbridge.ai.arena.contest import Contest
from kingsbridge.ai.arena.played import Ending, PlayedGame
from kingsbridge.pyengine import GameRecord, describe, numbered_name, phrase


class Event(NamedTuple):
    """What happened: ``seat`` decided it, or chance where it is ``None``; ``round`` is that of the game."""

    round: int
    seat: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A game in words: ``bots`` by seat; ``record`` is the text that replays it."""

    block: int
    game: int
    bots: tuple[str, ...]
    ending: Ending
    scores: tuple[int, ...]
    win_shares: tuple[float, ...]
    events: tuple[Event, ...]
    record: str


def tell_game(contest: Contest, block: int, game: int, played: PlayedGame) -> Replay:
    """The game of this number in a block, in English words.

    Raises:
        ValueError: its actions were not kept.
        RecordError: it was played by other rules than this engine's, or is no legal game.
    """
    if played.actions is None:
        raise ValueError(f"block {block}, game {game}: its actions were not kept")
    record = GameRecord(
        contest.game,
        contest.players,
        contest.options,
        played.actions,
        engine_version=played.engine,
        rules_hash=played.rules,
        result=played.scores if played.ending is Ending.FINISHED else None,
    )
    return Replay(
        block=block,
        game=game,
        bots=tuple(contest.entrants[index].name for index in played.seats),
        ending=played.ending,
        scores=played.scores,
        win_shares=played.win_shares,
        events=tuple(_events(record)),
        record=record.text(),
    )


def _events(record: GameRecord) -> list[Event]:
    info = describe(record.game)
    events = []
    for state, action in zip(record.states(), record.actions, strict=False):
        seat = None if state.is_chance else state.current_player
        words = phrase(info, action, component_name=numbered_name)
        events.append(Event(state.round, seat, words))
    return events
