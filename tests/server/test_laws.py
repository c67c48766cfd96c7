"""What a seat is told depends on what it may know alone: law (d) on the wire; who knows what happened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

import pytest

from kingsbridge.ai import make_bot
from kingsbridge.pyengine import ENGINE_VERSION, SPECTATOR, Dealer, GameRecord, Rng, describe, load_game
from kingsbridge.server.app import App
from kingsbridge.server.knowledge import UNKNOWN, censored, knows
from kingsbridge.server.session import NewGame
from kingsbridge.server.store import Entry, GameHead, Seat
from kingsbridge.v1 import ai_pb2, rules_pb2

from .client import Client, admit


async def twins(app: App, game: str = "builders", *, steps: int, **options: int) -> list[str]:
    """Two games with one past and two seeds: every seat sees the same, but decks below the tops differ."""
    state, dealer, rng = load_game(game, 3, **options), Dealer(1), Rng(steps)
    entries = [Entry(tuple(dealer.settle(state)))]
    for _ in range(steps):
        legal = state.legal_actions()
        action = legal[rng.below(len(legal))]
        state.apply(action)
        entries.append(Entry((action, *dealer.settle(state))))
    heads = [
        GameHead(token_hex(8), game, 3, state.options, ENGINE_VERSION, describe(game).rules_hash, seed)
        for seed in (1, 2)
    ]
    store = app.sessions._store
    for head in heads:
        await store.create(head, entries[0], [Seat(number) for number in range(-1, 3)])
        for number, entry in enumerate(entries[1:], start=1):
            await store.append(head.game_id, number, entry, now=0)
        admit(app, head.game_id, 3)
    return [head.game_id for head in heads]


@pytest.mark.parametrize(
    ("game", "options"),
    [("builders", {"visible_tops": 0}), ("builders", {"visible_tops": 1}), ("pillars", {}), ("column", {})],
)
@pytest.mark.parametrize("steps", [0, 5, 40])
async def test_games_that_a_seat_cannot_tell_apart_are_told_in_the_same_bytes(
    app: App, client: Client, steps: int, game: str, options: dict[str, int]
) -> None:
    one, other = await twins(app, game, steps=steps, **options)
    mover = (await client.view(one)).status.seat_to_move
    for seat in (-1, 0, 1, 2):
        told = [await everything(client, game_id, seat, decides=seat == mover) for game_id in (one, other)]
        assert told[0] == told[1]
        assert len(told[0]) == (8 if seat == mover else 4)


async def everything(client: Client, game_id: str, seat: int, *, decides: bool) -> list[bytes]:
    """All that a seat can be told of a game without changing it, as bytes. Time used is no part of it."""
    place: dict[str, Any] = {"game_id": game_id, "seat": seat}
    answers: list[Any] = [
        await client.rules.GetView(rules_pb2.GetViewRequest(**place)),
        await client.rules.ListLegalActions(rules_pb2.ListLegalActionsRequest(**place)),
        await client.rules.GetRecord(rules_pb2.GetRecordRequest(**place)),
        await client.rules.WatchGame(rules_pb2.WatchGameRequest(**place)).read(),
    ]
    answers[2].record.ClearField("seed_commitment")  # tells seeds apart and nothing of either
    if decides:
        asked: dict[str, Any] = {"session": ai_pb2.SessionPosition(**place), "bot": "ismcts", "seed": 1}
        budget = ai_pb2.Budget(iterations=100)
        choice = await client.ai.ChooseAction(ai_pb2.ChooseActionRequest(budget=budget, **asked))
        turn = await client.ai.ChooseTurn(ai_pb2.ChooseTurnRequest(budget=budget, **asked))
        reports = [each async for each in client.ai.Analyze(ai_pb2.AnalyzeRequest(budget=budget, **asked))]
        assert [each.final for each in reports] == [False] * (len(reports) - 1) + [True]
        for each in (choice, reports[0].choice, reports[-1].choice, *turn.decisions):
            each.ClearField("elapsed")
            each.ClearField("iterations_per_second")
        assert reports[-1].choice == choice
        answers += [choice, turn, reports[0], reports[-1]]
    return [answer.SerializeToString(deterministic=True) for answer in answers]


async def test_their_futures_do_differ(app: App, client: Client) -> None:
    """The twins are worth comparing: played on alike, they come to differ."""
    rngs = {game_id: Rng(1) for game_id in await twins(app, steps=0)}
    events = []
    for game_id, rng in rngs.items():
        played = [await client.step(game_id, rng) for _ in range(20)]
        events.append([event for answer in played for event in answer.events])
    assert events[0] != events[1]


@pytest.mark.parametrize("visible_tops", [0, 1])
async def test_in_an_open_game_everybody_knows_all_that_happened(client: Client, visible_tops: int) -> None:
    game, rng = await client.create(3, visible_tops=visible_tops), Rng(4)
    for _ in range(60):
        await client.step(game.game_id, rng)
    told = [await client.record(game.game_id, seat) for seat in (-1, 0, 1, 2)]
    assert all(each.record.complete for each in told)
    assert len({each.record.text for each in told}) == 1
    assert len(GameRecord.parse(told[0].record.text).actions) > 60


async def test_a_record_never_holds_the_seed(client: Client) -> None:
    seed = int.from_bytes(b"a seed of chance", "big")
    game = await client.create(seed=seed)
    text = (await client.record(game.game_id)).record.text
    for form in (str(seed), f"{seed:x}", "a seed of chance"):
        assert form not in text
    session_text = repr(make_bot("random")) + repr(NewGame("builders", 2, {}, seed=seed))
    assert str(seed) not in session_text


@dataclass(frozen=True)
class Letter:
    """A toy: seat 0 gets a letter from chance and alone can read it; then seat 1 may guess."""

    letter: str = ""
    guess: str = ""

    is_terminal = False

    @property
    def is_chance(self) -> bool:
        return not self.letter

    @property
    def current_player(self) -> int:
        return -1 if self.is_chance else 1

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(ord("a"), 1), (ord("b"), 1)]

    def legal_actions(self) -> list[int]:
        return [ord("x"), ord("y")]

    def child(self, action: int) -> Letter:
        return replace(self, **{"letter" if self.is_chance else "guess": chr(action)})

    def information_set(self, seat: int) -> tuple[str, ...]:
        return (self.letter if seat == 0 else "?", self.guess if seat == 1 else "?")


def test_who_cannot_see_an_event_does_not_know_it() -> None:
    deal: Any = Letter()
    assert knows(deal, ord("a"), 0)
    assert not knows(deal, ord("a"), 1)
    assert not knows(deal, ord("a"), SPECTATOR)


def test_who_decides_knows_what_he_did_and_nobody_else_need() -> None:
    decision: Any = Letter("a")
    assert knows(decision, ord("x"), 1)
    assert not knows(decision, ord("x"), 0)
    assert not knows(decision, ord("x"), SPECTATOR)


def test_an_unknown_event_leaves_a_comment_in_the_record() -> None:
    text = "format\ngame toy\n\nstart(seat=1)\ndraw(card=A)\n1: play(card=A)\n"
    assert censored(text, [True, False, True]) == text.replace("draw(card=A)", UNKNOWN)
    assert censored(text, [True, True, True]) == text
    assert "A" not in censored(text, [True, False, False]).replace(UNKNOWN, "")
