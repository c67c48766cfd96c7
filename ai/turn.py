"""All decisions of a seat's turn, or those that it can make beforehand, out of one bank."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from kingsbridge.ai.bank import Bank
from kingsbridge.ai.bot import Bot, Clock, Decision, StopFlag, never
from kingsbridge.pyengine import InformationSet, Rng, State


@dataclass(frozen=True, slots=True)
class Sequel:
    """What a seat's own decision leads to, as far as the seat knows beforehand.

    ``info``: what it knows when it decides again at once; ``None`` if chance or another seat comes first, or
    nobody. ``over``: whether the turn ends, which it does not while chance has its say.
    """

    info: InformationSet | None
    over: bool


def sequel(info: InformationSet, action: int, rng: Rng) -> Sequel:
    """What ``action``, one of ``info``'s legal ones, leads to. It is the same in every world that ``info``
    leaves possible, which is a law that the games are tested for; ``rng`` imagines one.
    """
    state = info.imagine(rng)
    state.apply(action)
    if state.is_chance:
        return Sequel(None, over=False)
    if state.current_player != info.seat:
        return Sequel(None, over=True)
    return Sequel(state.information_set(info.seat), over=False)


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


def plan_turn(
    bot: Bot,
    info: InformationSet,
    bank: Bank,
    rng: Rng,
    *,
    clock: Clock = time.monotonic,
    should_stop: StopFlag = never,
) -> list[Decision]:
    """Decides for the seat of ``info`` as far as that tells what comes: until another seat is to move, the
    game is over, or chance has a say. Whoever plays these actions finds each of them legal.

    What a seat brings about by its own decisions it knows beforehand (a law of every game), so any world that
    looks like ``info`` will do. The decisions are those of ``play_turn``, up to there.

    Raises:
        ValueError: the seat of ``info`` is not to move.
        IllegalActionError: the bot answered with an illegal action.
    """
    world = info.imagine(Rng(0))
    return play_turn(bot, world, info.seat, bank, rng, settle=_leave, clock=clock, should_stop=should_stop)


def _leave(state: State) -> None:
    """Settles nothing: a turn is not planned beyond a chance event."""
