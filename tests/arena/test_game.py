"""A game in which bots fail, and what each policy makes of it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kingsbridge.ai import Budget, Decision, RandomBot, StopReason, play_game
from kingsbridge.ai.arena import BotFaultError, Ending, FaultKind, FaultPolicy, GameResult, TimeControl
from kingsbridge.ai.arena.faults import Fault
from kingsbridge.pyengine import InformationSet, Rng, game_names, load_game
from tests.ai.toys import FakeClock

GAME = game_names()[0]
SEED = 7


class Odd(RandomBot):
    """Plays as random but for its third decision, which is ``what``."""

    name = "odd"

    def __init__(self, what: Callable[[], int | None]) -> None:
        super().__init__()
        object.__setattr__(self, "state", {"what": what, "asked": 0})

    def choose(self, info: Any, budget: Budget, rng: Rng, **more: Any) -> Decision:
        state: dict[str, Any] = self.__dict__["state"]
        state["asked"] += 1
        answer = state["what"]() if state["asked"] == 3 else None
        decision = super().choose(info, budget, rng, **more)
        return decision if answer is None else replace(decision, action=answer)


def crash() -> int | None:
    raise LookupError("lost my way")


def hang_up() -> int | None:
    raise BotFaultError(FaultKind.DISCONNECT, 'bot "odd" hung up')


def illegal() -> int | None:
    return 0xFFFFFFFF


def fine() -> int | None:
    return None


def play(what: Callable[[], int | None], policy: FaultPolicy, players: int = 3, **more: Any) -> GameResult:
    """The odd bot has the last seat."""
    bots = [*[RandomBot()] * (players - 1), Odd(what)]
    return play_game(GAME, players, {}, bots, SEED, on_fault=policy, **more)


FAULTS = {
    FaultKind.CRASH: (crash, 'bot "odd" in seat 2 raised LookupError: lost my way'),
    FaultKind.DISCONNECT: (hang_up, 'bot "odd" hung up'),
    FaultKind.ILLEGAL: (illegal, 'bot "odd" in seat 2 answered 4294967295, which is illegal'),
}
each_fault = pytest.mark.parametrize("kind", FAULTS)


@each_fault
def test_a_fault_is_recorded_with_its_seat_its_decision_and_what_happened(kind: FaultKind) -> None:
    what, text = FAULTS[kind]
    result = play(what, FaultPolicy.FORFEIT)
    (fault,) = result.faults
    assert fault == Fault(kind, 2, len(result.deciders) - 1, text)
    assert result.deciders[-1] == 2
    assert result.deciders.count(2) == 3


@each_fault
def test_who_forfeits_is_last_and_the_others_share_the_win(kind: FaultKind) -> None:
    result = play(FAULTS[kind][0], FaultPolicy.FORFEIT)
    assert result.ending is Ending.FORFEIT
    assert result.win_shares == (0.5, 0.5, 0.0)
    assert result.ranks[0] == result.ranks[1] > result.ranks[2]
    two = play(FAULTS[kind][0], FaultPolicy.FORFEIT, players=2)
    assert two.win_shares == (1.0, 0.0)
    state = load_game(GAME, 3)
    for action in result.actions:  # what was played until then is legal
        state.apply(action)
    assert not state.is_terminal
    assert state.scores() == result.scores


@each_fault
def test_a_void_game_is_told_apart(kind: FaultKind) -> None:
    result = play(FAULTS[kind][0], FaultPolicy.VOID)
    assert result.ending is Ending.VOID
    assert len(result.faults) == 1


@each_fault
def test_a_stop_raises_the_fault(kind: FaultKind) -> None:
    with pytest.raises(BotFaultError, match=FAULTS[kind][1]) as raised:
        play(FAULTS[kind][0], FaultPolicy.STOP)
    assert raised.value.kind is kind


@each_fault
def test_a_random_action_stands_in_and_the_game_goes_on(kind: FaultKind) -> None:
    result = play(FAULTS[kind][0], FaultPolicy.RANDOM)
    assert result.ending is Ending.FINISHED
    assert [fault.kind for fault in result.faults] == [kind]
    assert sum(result.win_shares) == pytest.approx(1)
    assert result == play(FAULTS[kind][0], FaultPolicy.RANDOM)  # the stand-in has a seed


class Noted(RandomBot):
    """Writes down what it draws, plays the first legal action, and perhaps fails at its third decision."""

    def __init__(self, kept: list[int], *, failing: bool) -> None:
        super().__init__()
        object.__setattr__(self, "notes", (kept, failing))

    def choose(self, info: Any, budget: Budget, rng: Rng, **more: Any) -> Decision:
        kept, failing = self.__dict__["notes"]
        kept.append(rng.next())
        if failing and len(kept) == 3:
            raise LookupError
        action = info.legal_actions()[0]
        return Decision(action, (), (action,), 0, 0.0, StopReason.POLICY)


def test_the_stand_in_takes_nothing_from_the_streams_of_the_bots() -> None:
    # Bots that do not depend on what happens draw the same numbers, whether one of them fails or not.
    notes: dict[str, list[int]] = {"fine": [], "failed": []}

    for name, kept in notes.items():
        bots = [Noted(kept, failing=name == "failed"), RandomBot()]
        play_game(GAME, 2, {}, bots, SEED, on_fault=FaultPolicy.RANDOM)
    shorter = min(map(len, notes.values()))
    assert shorter > 3
    assert notes["fine"][:shorter] == notes["failed"][:shorter]


def test_a_game_without_faults_is_the_same_under_every_policy() -> None:
    games = {policy: play(fine, policy) for policy in FaultPolicy}
    assert all(game == games[FaultPolicy.STOP] for game in games.values())
    assert games[FaultPolicy.STOP].faults == ()


class Slow(RandomBot):
    """Takes so many seconds of a clock for each decision, whatever its budget."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        super().__init__()
        object.__setattr__(self, "pace", (clock, seconds))

    def choose(self, info: InformationSet, budget: Budget, rng: Rng, **more: Any) -> Decision:  # type: ignore[override]
        clock, seconds = self.__dict__["pace"]
        clock.now += seconds
        return super().choose(info, budget, rng)


def timed(seconds: float, control: TimeControl) -> GameResult:
    clock = FakeClock()
    bots = [Slow(clock, seconds), RandomBot()]
    return play_game(GAME, 2, {}, bots, SEED, time_control=control, clock=clock, on_fault=FaultPolicy.RANDOM)


ODD_ANSWERS: dict[str, object] = {
    "nothing": None,
    "a word": "x",
    "a number with a point": 1.5,
    "less than nothing": -1,
    "beyond number": 1 << 80,
    "truth": True,
}


@pytest.mark.parametrize("answer", ODD_ANSWERS)
@pytest.mark.parametrize("field", ["action", "iterations", "decision"])
def test_an_answer_that_is_none_is_a_fault_like_others(answer: str, field: str) -> None:
    class Odd(RandomBot):
        def choose(self, info: Any, budget: Budget, rng: Rng, **more: Any) -> Any:
            decision = super().choose(info, budget, rng, **more)
            if field == "decision":
                return ODD_ANSWERS[answer]
            return replace(decision, **{field: ODD_ANSWERS[answer]})  # type: ignore[arg-type]

    result = play_game(GAME, 2, {}, [Odd(), RandomBot()], SEED, on_fault=FaultPolicy.FORFEIT)
    if field == "iterations" and answer == "beyond number":  # a strange claim, and no harm
        assert result.ending is Ending.FINISHED
    else:
        assert [fault.kind for fault in result.faults] == [FaultKind.ILLEGAL]


def test_a_bot_that_wants_to_leave_has_crashed() -> None:
    def leave() -> int | None:
        raise SystemExit(3)

    assert [fault.kind for fault in play(leave, FaultPolicy.FORFEIT).faults] == [FaultKind.CRASH]


def test_who_answers_within_the_grace_is_in_time_and_later_is_late() -> None:
    assert timed(0.3, TimeControl(seconds=0.2, grace=0.1001)).faults == ()
    late = timed(0.3, TimeControl(seconds=0.2, grace=0.09))
    assert {fault.kind for fault in late.faults} == {FaultKind.TIMEOUT}
    assert len(late.faults) == late.deciders.count(0)
    assert late.faults[0].text == 'bot "random" in seat 0 answered after 0.300 s of 0.200 s'


def test_time_is_written_down_decision_by_decision() -> None:
    result = timed(0.25, TimeControl())
    assert all(
        spent == pytest.approx(0.25 if seat == 0 else 0.0)
        for seat, spent in zip(result.deciders, result.seconds, strict=True)
    )
    assert len(result.iterations) == len(result.deciders)


def test_iterations_are_written_down_decision_by_decision() -> None:
    result = play_game(GAME, 2, {}, [RandomBot(), RandomBot()], SEED)
    assert set(result.iterations) == {0}


def test_a_fault_survives_the_way_from_a_worker() -> None:
    error = pickle.loads(pickle.dumps(BotFaultError(FaultKind.CRASH, "why")))
    assert (error.kind, str(error)) == (FaultKind.CRASH, "why")
