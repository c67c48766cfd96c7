"""Bots from text, refusals by name, and knobs that do something."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from kingsbridge.ai import (
    BotOptionError,
    Budget,
    Decision,
    FlatMcBot,
    FlatMcParams,
    GreedyBot,
    GreedyParams,
    IsmctsBot,
    IsmctsParams,
    MctsBot,
    MctsParams,
    RandomBot,
    RandomParams,
    UnknownBotError,
    bot_infos,
    make_bot,
)
from kingsbridge.ai.params import Params
from kingsbridge.pyengine import Rng
from tests.ai.toys import Bound, Countdown, FakeClock, Toy

TURNED: dict[str, Any] = {
    "iterations": 77,
    "seconds": 0.02,
    "rule": "puct",
    "c": 0.1,
    "bias": 0.2,
    "trust": 2.0,
    "caution": -1.0,
    "temperature": 2.0,
    "widening": 0.2,
    "opponents": "policy",
    "policy": "uniform",
    "length": 1,
    "order": "random",
    "nodes": 2,
    "threads": 2,
    "pace": "quick",
    "halving": "on",
}
"""For each knob, a value that is not its default."""

BOTS: dict[Any, type[Params]] = {
    RandomBot: RandomParams,
    GreedyBot: GreedyParams,
    FlatMcBot: FlatMcParams,
    MctsBot: MctsParams,
    IsmctsBot: IsmctsParams,
}
ELSEWHERE = ("kernel", "memory", "reuse", "rounds", "margin", "reach", "level")
"""The kernel alone changes nothing, memory and reuse are the native one's, toys have no rounds, points or
levels: see test_native_search.py, test_reuse.py, test_flat_mc.py and test_levels.py.
"""
KNOBS = [
    (bot, params, name) for bot, params in BOTS.items() for name in params.knobs() if name not in ELSEWHERE
]
BESIDE: dict[str, dict[str, Any]] = {"temperature": {"rule": "puct"}}
"""What else must be set for a knob to matter."""
POSITIONS: dict[str, Toy] = {"pace": Bound().after(Bound.BOUND)}
"""Where a knob shows, if not anywhere."""


def decide(bot: Any, state: Toy) -> Decision:
    info = state.information_set(0)
    decision: Decision = bot.choose(info, Budget(), Rng(4), clock=FakeClock(0.001))
    return decision


@pytest.mark.parametrize(
    ("bot", "params", "name"), KNOBS, ids=lambda value: getattr(value, "__name__", value)
)
def test_every_knob_changes_the_search(bot: Any, params: Any, name: str) -> None:
    made = partial(params, kernel="python") if "kernel" in params.knobs() else params  # toys are plain Python
    state, beside = POSITIONS.get(name, Countdown()), BESIDE.get(name, {})
    usual = decide(bot(made(**beside)), state).statistics
    assert decide(bot(made(**beside)), state).statistics == usual
    assert decide(bot(made(**beside, **{name: TURNED[name]})), state).statistics != usual


def test_bots_are_made_from_text() -> None:
    assert make_bot("ismcts:iterations=2000,c=0.9") == IsmctsBot(IsmctsParams(iterations=2000, c=0.9))
    assert make_bot(" mcts : order = random , seconds = 1.5 ") == MctsBot(
        MctsParams(order="random", seconds=1.5)
    )
    assert make_bot("flat_mc:policy=uniform") == FlatMcBot(FlatMcParams(policy="uniform"))
    assert make_bot("greedy") == GreedyBot()
    assert make_bot("random:") == RandomBot()


def test_every_bot_listed_can_be_made_and_bears_its_name() -> None:
    infos = bot_infos()
    assert [info.name for info in infos] == ["random", "greedy", "flat_mc", "mcts", "ismcts"]
    for info in infos:
        assert make_bot(info.name).name == info.name
        given = ",".join(f"{name}={o.default}" for name, o in info.options.items() if o.default is not None)
        assert make_bot(f"{info.name}:{given}") == make_bot(info.name)
        assert all((info.summary, *(option.text for option in info.options.values())))
    options = infos[-1].options
    assert options["bias"][:2] == ("float", 0.03)
    assert options["iterations"][:2] == ("int", None)
    assert "uniform" in options["policy"].text


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ismct", 'no bot "ismct"; did you mean "ismcts"?; bots: random, greedy, flat_mc, mcts, ismcts'),
        ("deep_blue:iterations=3", 'no bot "deep_blue"; bots: random, '),
        ("", 'no bot ""; bots: random, '),
        ("Greedy", 'no bot "Greedy"; did you mean "greedy"?; bots: '),
    ],
)
def test_an_unknown_bot_is_refused_by_name(spec: str, message: str) -> None:
    with pytest.raises(UnknownBotError) as refusal:
        make_bot(spec)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "ismcts:iteration=5",
            'bot "ismcts" has no option "iteration"; did you mean "iterations"?; options: iterations, ',
        ),
        ("greedy:c=1", 'bot "greedy" has no option "c"; options: none'),
        ("flat_mc:c=1", 'bot "flat_mc" has no option "c"; options: iterations, seconds, margin, '),
        (
            "mcts:iterations",
            'bot "mcts": option "iterations" must be an integer of at least 0, not left without a value',
        ),
        ("mcts:iterations=", 'option "iterations" must be an integer of at least 0, not ""'),
        ("mcts:iterations=2.5", 'option "iterations" must be an integer of at least 0, not "2.5"'),
        ("mcts:iterations=-1", 'option "iterations" must be an integer of at least 0, not -1'),
        ("mcts:c=nan", 'option "c" must be a number of at least 0, not nan'),
        ("mcts:c=inf", 'option "c" must be a number of at least 0, not inf'),
        ("mcts:c=-0.1", 'option "c" must be a number of at least 0, not -0.1'),
        ("mcts:nodes=0", 'option "nodes" must be an integer of at least 1, not 0'),
        ("mcts:memory=0", 'option "memory" must be an integer of at least 1, not 0'),
        ("mcts:pace=slow", "option \"pace\" must be one of even, quick, not 'slow'"),
        ("mcts:reuse=on", 'bot "mcts" has no option "reuse"'),
        ("ismcts:reuse=yes", "option \"reuse\" must be one of off, on, not 'yes'"),
        ("ismcts:reuse=on,kernel=python", 'option "reuse" needs kernel=native, not python'),
        ("mcts:policy=heavy", "option \"policy\" must be one of light, uniform, not 'heavy'"),
        ("mcts:c=1,c=2", 'bot "mcts": option "c" is given twice'),
        ("mcts:c=1,", 'bot "mcts" has no option ""; options: '),
    ],
)
def test_a_wrong_option_is_refused_by_name(spec: str, message: str) -> None:
    with pytest.raises(BotOptionError) as refusal:
        make_bot(spec)
    assert message in str(refusal.value)


def test_params_made_in_code_are_checked_too() -> None:
    with pytest.raises(BotOptionError, match='bot "ismcts": option "iterations"'):
        IsmctsParams(iterations=-5)
    with pytest.raises(BotOptionError, match='"bias" must be a number of at least 0, not None'):
        IsmctsParams(bias=None)  # type: ignore[arg-type]
    with pytest.raises(BotOptionError, match="number"):
        IsmctsParams(c="much")  # type: ignore[arg-type]
    with pytest.raises(BotOptionError, match="integer"):
        IsmctsParams(nodes=True)
