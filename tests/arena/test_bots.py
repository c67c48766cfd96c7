"""Bots by spec: who is found by which text, and which of them a pool keeps."""

from __future__ import annotations

import importlib.metadata
import os
import pickle
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.ai import BotOptionError, Budget, Decision, RandomBot, UnknownBotError, make_bot
from kingsbridge.ai.arena import bots as module
from kingsbridge.ai.arena.bots import MOST_OPEN, Bots, check_spec, identity_of, open_bot
from kingsbridge.ai.arena.faults import BotFaultError, FaultKind
from kingsbridge.ai.arena.outside_bot import OutsideBot
from kingsbridge.pyengine import ENGINE_VERSION, Dealer, InformationSet, Rng, load_game
from tests.arena.odd_bots import odd_spec
from tests.processes import alive


class Guest:
    """A bot of another package."""

    name = "guest"

    def __init__(self, rest: str, timeout: float) -> None:
        self.told = (rest, timeout)

    def choose(self, info: InformationSet, budget: Budget, rng: Rng, **more: Any) -> Decision:
        """Any legal action."""
        return RandomBot().choose(info, budget, rng, **more)


def refusing(rest: str, timeout: float) -> Guest:
    raise BotOptionError(f'bot "refusing" does not take "{rest}"')


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points of packages that are not installed."""
    here = __name__
    points = {
        "guest": f"{here}:Guest",
        "refusing": f"{here}:refusing",
        "broken": f"{here}:missing",
        "greedy": f"{here}:Guest",
    }
    found = importlib.metadata.EntryPoints(
        importlib.metadata.EntryPoint(name, value, module.ENTRY_POINTS) for name, value in points.items()
    )
    monkeypatch.setattr(module, "entry_points", lambda group: found.select(group=group))


def position() -> InformationSet:
    state = load_game("builders", 2)
    Dealer(7).settle(state)
    return state.information_set(state.current_player)


INFO = position()


def process_of(bot: object, file: Path) -> int:
    """The number of the process that answers for a bot, which keeps it in a file."""
    assert isinstance(bot, OutsideBot)
    bot.choose(INFO, Budget(), Rng(1))
    return int(file.read_text())


def test_a_spec_without_more_is_a_built_in_bot() -> None:
    assert open_bot("ismcts:iterations=20") == make_bot("ismcts:iterations=20")


def test_packages_bring_bots_by_entry_points(guests: None) -> None:
    guest = open_bot("guest:a=1:b", timeout=3.0)
    assert isinstance(guest, Guest)
    assert guest.told == ("a=1:b", 3.0)


def test_no_package_can_replace_a_built_in_bot(guests: None) -> None:
    assert not isinstance(open_bot("greedy"), Guest)


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("ismtcs", UnknownBotError, 'no bot "ismtcs"; did you mean "ismcts"?'),
        ("gest", UnknownBotError, 'did you mean "guest"?'),
        ("ismcts:depth=2", BotOptionError, 'no option "depth"'),
        ("exec:", BotOptionError, "takes a program"),
        ("exec:'", BotOptionError, "No closing quotation"),
        ("exec:./no-such-program 1", BotOptionError, 'there is no program "./no-such-program"'),
        ("broken", UnknownBotError, "cannot be loaded"),
        ("refusing:x", BotOptionError, 'does not take "x"'),
    ],
)
def test_a_wrong_spec_is_found_before_anything_is_played(
    spec: str, error: type[Exception], words: str, guests: None
) -> None:
    with pytest.raises(error) as raised:
        check_spec(spec)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "rest", ["", "//", "//host", "//host:0", "//host:65536", "host:1", "//host:1/path", "//:1", "//a b:1"]
)
@pytest.mark.parametrize("scheme", ["grpc", "grpcs"])
def test_a_bot_over_grpc_is_named_by_host_and_port(scheme: str, rest: str) -> None:
    with pytest.raises(BotOptionError, match=f"{scheme}://HOST:PORT is expected"):
        check_spec(f"{scheme}:{rest}")


@pytest.mark.parametrize(
    "rest", ["//localhost:1", "//bots.example.org:65535", "//[::1]:50052", "//10.0.0.7:7"]
)
@pytest.mark.parametrize("scheme", ["grpc", "grpcs"])
def test_a_good_spec_is_checked_without_calling_anybody(scheme: str, rest: str) -> None:
    check_spec(f"{scheme}:{rest}")


def test_a_program_is_checked_without_starting_it(tmp_path: Path) -> None:
    check_spec(odd_spec("none", file=tmp_path / "pid"))
    assert not (tmp_path / "pid").exists()


def test_a_program_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "my bot"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    check_spec(f"exec:{shlex.quote('./my bot')} --fast")


def test_a_built_in_bot_is_recorded_with_the_version_of_the_engine() -> None:
    assert identity_of("ismcts:iterations=5") == ("ismcts", ENGINE_VERSION, ())


def test_a_program_is_recorded_as_it_says_itself_and_ended(tmp_path: Path) -> None:
    assert identity_of(odd_spec("none", file=tmp_path / "pid")) == ("odd", "1.5", ())
    assert alive(int((tmp_path / "pid").read_text())) == []


def test_a_bot_of_a_package_that_is_not_installed_has_no_version(guests: None) -> None:
    assert identity_of("guest") == ("guest", "", ())


def test_built_in_bots_and_those_of_packages_are_made_anew_for_every_game(guests: None) -> None:
    with Bots() as bots:
        for spec in ("ismcts", "guest"):
            assert bots.seated(spec, 0) is not bots.seated(spec, 0)


def test_a_program_stays_from_game_to_game_one_for_each_seat(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    spec = odd_spec("none", file=file)
    with Bots() as bots:
        one = process_of(bots.seated(spec, 0), file)
        other = process_of(bots.seated(spec, 1), file)
        assert other != one
        file.write_text("0")  # whoever starts from now on writes its number
        assert process_of(bots.seated(spec, 0), file) == 0
        assert process_of(bots.seated(spec, 1), file) == 0
        assert len(alive(one)) == len(alive(other)) == 1
    assert alive(one) == alive(other) == []


def test_a_program_that_crashed_is_started_for_the_next_game(tmp_path: Path) -> None:
    spec = odd_spec("crashes", file=tmp_path / "pid")
    with Bots() as bots:
        bot = bots.seated(spec, 0)
        with pytest.raises(BotFaultError):
            bot.choose(INFO, Budget(), Rng(1))
        assert process_of(bots.seated(spec, 0), tmp_path / "pid") != 0


def test_each_game_of_a_seat_has_a_name_of_its_own_and_counts_from_0() -> None:
    names = iter(["a", "b", "c"])
    with Bots(new_id=lambda: next(names)) as bots:
        asked = []
        for seat in (0, 1, 0):
            bot = bots.seated(odd_spec("none"), seat)
            for _ in range(2):
                bot.choose(INFO, Budget(), Rng(1))
                assert isinstance(bot, OutsideBot)
                assert bot.question
                asked.append((bot.question.game_id, bot.question.decision))
    assert asked == [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("c", 0), ("c", 1)]


def test_names_of_games_do_not_repeat() -> None:
    with Bots() as one, Bots() as other:
        seated = [bots.seated(odd_spec("none"), seat) for bots in (one, other) for seat in range(2)]
        names = set()
        for bot in seated:
            bot.choose(INFO, Budget(), Rng(1))
            assert isinstance(bot, OutsideBot)
            assert bot.question
            names.add(bot.question.game_id)
    assert len(names) == 4


def test_a_pool_that_has_no_bot_yet_goes_to_a_worker_process() -> None:
    with pickle.loads(pickle.dumps(Bots())) as bots:
        assert bots.seated("greedy", 0).name == "greedy"


def test_the_time_limit_is_that_of_the_game_it_is_seated_for() -> None:
    with Bots() as bots:
        bot = bots.seated(odd_spec("hangs"), 0, 60.0)
        assert bots.seated(odd_spec("hangs"), 0, 0.3) is bot
        started = time.monotonic()
        with pytest.raises(BotFaultError) as raised:
            bot.choose(INFO, Budget(), Rng(1))
    assert raised.value.kind is FaultKind.TIMEOUT
    assert time.monotonic() - started < 30.0


def test_the_longest_unused_bots_are_closed_when_there_are_too_many(tmp_path: Path) -> None:
    spec, used = odd_spec("none", file=tmp_path / "pid"), odd_spec("none", file=tmp_path / "used")
    with Bots() as bots:
        first = process_of(bots.seated(spec, 0), tmp_path / "pid")
        second = process_of(bots.seated(used, 0), tmp_path / "used")
        for seat in range(1, MOST_OPEN):
            bots.seated(used, 0)
            bots.seated(spec, seat)
        assert alive(first) == []
        assert len(alive(second)) == 1
    assert alive(second) == []
    assert os.getpid() not in (first, second)
