"""One game between bots: the dealer settles chance, each seat's bot decides from what that seat knows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from kingsbridge.ai.arena.schedule import bot_seed, deal_seed
from kingsbridge.ai.bot import Bot, Budget, Clock, StopFlag, never
from kingsbridge.pyengine import Dealer, Rng, State, action_text, load_game


class BotFaultError(RuntimeError):
    """A bot broke the game, for instance by an illegal action; the message names the bot and its seat."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game; tuples have one entry a seat.

    ``actions`` are all events in order, chance included: they replay the game. The first ``len(opening)`` of
    them are the deal, which happens by chance with probability ``opening_probability``.
    """

    game: str
    players: int
    options: Mapping[str, int]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    win_shares: tuple[float, ...]
    actions: tuple[int, ...]
    opening: tuple[int, ...]
    opening_probability: float
    decisions: int


def play_game(
    game: str,
    players: int,
    options: Mapping[str, int],
    bots: Sequence[Bot],
    seed: int,
    *,
    rotation: int = 0,
    budget: Budget | None = None,
    clock: Clock = time.monotonic,
    should_stop: StopFlag = never,
) -> GameResult:
    """Plays one game to the end, one bot a seat.

    ``seed`` (128 bits) fixes the luck of the deal; each seat's bot has a stream of its own, by ``seed``,
    ``rotation`` and seat.

    Raises:
        ValueError: not one bot a seat.
        BotFaultError: a bot answered with an illegal action.
        UnknownGameError, OptionError: as ``load_game``.
    """
    if len(bots) != players:
        raise ValueError(f"{len(bots)} bots for {players} seats")
    state = load_game(game, players, **options)
    dealer = Dealer(deal_seed(seed))
    rngs = [Rng(bot_seed(seed, rotation, seat)) for seat in range(players)]
    ask = partial(_ask, budget=budget or Budget(), clock=clock, should_stop=should_stop)
    opening, probability = _deal(state, dealer)
    actions = list(opening)
    decisions = 0
    while not state.is_terminal:
        seat = state.current_player
        action = ask(bots[seat], state, rngs[seat])
        state.apply(action)
        actions += [action, *dealer.settle(state)]
        decisions += 1
    return GameResult(
        game=game,
        players=players,
        options=state.options,
        scores=state.scores(),
        ranks=state.ranks(),
        win_shares=state.win_shares(),
        actions=tuple(actions),
        opening=opening,
        opening_probability=probability,
        decisions=decisions,
    )


def _deal(state: State, dealer: Dealer) -> tuple[tuple[int, ...], float]:
    """Settles the chance events before the first decision; returns them with their probability."""
    outcomes = []
    probability = 1.0
    while state.is_chance:
        weights = dict(state.chance_outcomes())
        outcome = dealer.outcome(state)
        probability *= weights[outcome] / sum(weights.values())
        outcomes.append(outcome)
        state.apply(outcome)
    return tuple(outcomes), probability


def _ask(bot: Bot, state: State, rng: Rng, *, budget: Budget, clock: Clock, should_stop: StopFlag) -> int:
    """The bot's action, checked; the state itself is not shown to it."""
    seat = state.current_player
    info = state.information_set(seat)
    try:
        action = bot.choose(info, budget, rng, clock=clock, should_stop=should_stop).action
    except Exception as error:
        error.add_note(f'bot "{bot.name}" was choosing for seat {seat}')
        raise
    if not state.is_legal(action):
        raise BotFaultError(
            f'bot "{bot.name}" in seat {seat} answered {_named(state, action)}, which is illegal'
        )
    return action


def _named(state: State, action: int) -> str:
    try:
        return action_text(state.game, action)
    except ValueError:
        return f"{action}"
