"""All decisions of a seat's turn, out of one bank."""

from __future__ import annotations

import time
from collections.abc import Callable

from kingsbridge.ai.bank import Bank
from kingsbridge.ai.bot import Bot, Clock, Decision, StopFlag, never
from kingsbridge.pyengine import Rng, State

Settle = Callable[[State], object]
"""Plays the chance events up to the next decision, as ``Dealer.settle`` does."""


def play_turn(
    bot: Bot,
    state: State,
    seat: int,
    bank: Bank,
    rng: Rng,
    *,
    settle: Settle,
    clock: Clock = time.monotonic,
    should_stop: StopFlag = never,
) -> list[Decision]:
    """Plays for ``seat`` on ``state`` until another seat is to move or the game is over; returns what it
    decided. The bot is given what the seat knows, never the state.

    Raises:
        ValueError: ``seat`` is not to move.
        IllegalActionError: the bot answered with an illegal action; the decisions before it are played.
    """
    if state.current_player != seat:
        raise ValueError(f"seat {seat} is not to move: {state.current_player} is")
    decisions = []
    while state.current_player == seat:
        info = state.information_set(seat)
        decision = bot.choose(info, bank.budget(), rng, clock=clock, should_stop=should_stop)
        bank.charge(decision)
        state.apply(decision.action)
        settle(state)
        decisions.append(decision)
    return decisions
