"""A bot over gRPC: asked the same as a program, and each way to fail has its name."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingsbridge.ai import Budget, Decision, RandomBot, make_bot
from kingsbridge.ai.arena.bots import Bots, identity_of
from kingsbridge.ai.arena.crew import share_out
from kingsbridge.ai.arena.faults import BotFaultError, FaultKind
from kingsbridge.ai.arena.game import play_game
from kingsbridge.ai.arena.outside_bot import Identity
from kingsbridge.pyengine import (
    ENGINE_VERSION,
    Dealer,
    InformationSet,
    Rng,
    action_text,
    game_names,
    load_game,
)
from kingsbridge.server.bot_server import serving
from kingsbridge.v1 import bot_pb2, bot_pb2_grpc
from tests.server.certificates import Authority

GAME = game_names()[0]
TIMEOUT = 20.0
SHORT = 0.5

Decide = Callable[[Any, Any], bot_pb2.DecideActionResponse]


def position() -> InformationSet:
    state = load_game(GAME, 2)
    Dealer(7).settle(state)
    return state.information_set(state.current_player)


INFO = position()
LAST = INFO.legal_actions()[-1]


class Service(bot_pb2_grpc.BotServiceServicer):
    """A bot that decides as a function says, and keeps what it was asked."""

    def __init__(self, decide: Decide) -> None:
        self.decide = decide
        self.asked: list[Any] = []

    def DescribeBot(self, request: Any, context: Any) -> Any:  # noqa: N802
        self.asked.append(request)
        return bot_pb2.DescribeBotResponse(name="odd", version="2.0", games=["builders"])

    def DecideAction(self, request: Any, context: Any) -> Any:  # noqa: N802
        self.asked.append(request)
        return self.decide(request, context)


@contextmanager
def served(service: Service, credentials: grpc.ServerCredentials | None = None) -> Iterator[str]:
    """The address of a bot for as long as the context lasts."""
    server = grpc.server(ThreadPoolExecutor(4))
    bot_pb2_grpc.add_BotServiceServicer_to_server(service, server)
    here = "127.0.0.1:0"
    port = server.add_secure_port(here, credentials) if credentials else server.add_insecure_port(here)
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


def last_by_text(request: Any, context: Any) -> Any:
    return bot_pb2.DecideActionResponse(action_text=request.actions[-1].text, iterations=7, comment="fine")


def ask(address: str, timeout: float = TIMEOUT, budget: Budget | None = None) -> Decision:
    with Bots(new_id=lambda: "g1") as bots:
        return bots.seated(f"grpc://{address}", 0, timeout).choose(INFO, budget or Budget(), Rng(9))


def fault(decide: Decide, timeout: float = TIMEOUT) -> BotFaultError:
    with served(Service(decide)) as address, pytest.raises(BotFaultError) as raised:
        ask(address, timeout)
    assert f'bot "grpc://{address}"' in str(raised.value)
    return raised.value


def ends_with(code: grpc.StatusCode) -> Decide:
    def decide(request: Any, context: Any) -> Any:
        context.abort(code, "no more")

    return decide


def answers(**fields: Any) -> Decide:
    return lambda request, context: bot_pb2.DecideActionResponse(**fields)


def raises(request: Any, context: Any) -> Any:
    raise ValueError("lost")


def test_a_question_says_all_that_the_seat_knows_and_may_do() -> None:
    service = Service(last_by_text)
    with served(service) as address:
        decision = ask(address, budget=Budget(iterations=50, seconds=1.5))
    (request,) = service.asked
    assert (decision.action, decision.iterations) == (LAST, 7)
    assert (request.game_id, request.decision, request.game, request.players) == ("g1", 0, GAME, 2)
    assert request.seat == INFO.seat == request.view.builders.viewer
    assert dict(request.options) == {"max_rounds": 40, "visible_tops": 1, "cumulative_coins": 0}
    assert [action.id for action in request.actions] == INFO.legal_actions()
    assert [action.text for action in request.actions] == [
        action_text(GAME, each) for each in INFO.legal_actions()
    ]
    assert request.view.builders.building_row == INFO.view()["building_row"]
    assert (request.budget.iterations, request.budget.duration.ToMilliseconds()) == (50, 1500)
    assert request.seed == Rng(9).next()


def test_an_open_budget_is_told_as_none_and_a_large_one_as_the_largest() -> None:
    service = Service(last_by_text)
    with served(service) as address:
        ask(address)
        ask(address, budget=Budget(iterations=1 << 40))
    empty, large = service.asked
    assert not empty.budget.HasField("iterations")
    assert not empty.budget.HasField("duration")
    assert large.budget.iterations == 2**32 - 1


def test_a_bot_says_its_name_and_version() -> None:
    service = Service(last_by_text)
    with served(service) as address:
        assert identity_of(f"grpc://{address}") == ("odd", "2.0", ("builders",))
    assert (service.asked[0].protocol, service.asked[0].engine_version) == (1, ENGINE_VERSION)


@pytest.mark.parametrize(
    ("decide", "kind", "words"),
    [
        (ends_with(grpc.StatusCode.UNAVAILABLE), FaultKind.DISCONNECT, "UNAVAILABLE: no more"),
        (ends_with(grpc.StatusCode.INTERNAL), FaultKind.CRASH, "INTERNAL: no more"),
        (ends_with(grpc.StatusCode.CANCELLED), FaultKind.CRASH, "CANCELLED"),
        (raises, FaultKind.CRASH, "UNKNOWN"),
        (answers(), FaultKind.ILLEGAL, "without an action"),
        (answers(action_id=0xFFFFFF), FaultKind.ILLEGAL, "16777215, which is illegal"),
        (answers(action_text="castle(kingside)"), FaultKind.ILLEGAL, "castle(kingside)"),
        (answers(action_id=LAST, comment="x" * (2 << 20)), FaultKind.CRASH, "RESOURCE_EXHAUSTED"),
    ],
)
def test_a_fault_is_named(decide: Decide, kind: FaultKind, words: str) -> None:
    found = fault(decide)
    assert found.kind is kind
    assert words in str(found)


def test_the_time_limit_is_kept_and_the_bot_is_told_that_nobody_waits() -> None:
    left = threading.Event()

    def hang(request: Any, context: Any) -> Any:
        context.add_callback(left.set)
        left.wait(TIMEOUT)
        return bot_pb2.DecideActionResponse()

    started = time.monotonic()
    assert fault(hang, SHORT).kind is FaultKind.TIMEOUT
    assert SHORT <= time.monotonic() - started < TIMEOUT
    assert left.is_set()


def test_a_bot_that_nobody_serves_is_a_disconnect() -> None:
    with served(Service(last_by_text)) as address:
        pass
    with pytest.raises(BotFaultError) as raised:
        ask(address)
    assert raised.value.kind is FaultKind.DISCONNECT
    with pytest.raises(BotFaultError):
        identity_of(f"grpc://{address}")


def test_after_a_fault_the_next_question_is_answered() -> None:
    def once(request: Any, context: Any) -> Any:
        if request.decision == 0:
            context.abort(grpc.StatusCode.INTERNAL, "no more")
        return last_by_text(request, context)

    with served(Service(once)) as address, Bots() as bots:
        bot = bots.seated(f"grpc://{address}", 0)
        with pytest.raises(BotFaultError):
            bot.choose(INFO, Budget(), Rng(1))
        assert bot.choose(INFO, Budget(), Rng(1)).action == LAST


@pytest.mark.parametrize("game", game_names())
def test_a_served_bot_plays_as_it_does_here(game: str) -> None:
    spec, seed = "ismcts:iterations=20", 3
    with serving(lambda: make_bot(spec), Identity(spec, "1"), "127.0.0.1:0") as port, Bots() as bots:
        assert identity_of(f"grpc://127.0.0.1:{port}") == (spec, "1", ())
        remote = bots.seated(f"grpc://127.0.0.1:{port}", 0)
        state, dealer, rng = load_game(game, 2), Dealer(seed), Rng(seed)
        for number in range(25):
            dealer.settle(state)
            info = state.information_set(state.current_player)
            action = remote.choose(info, Budget(), Rng(number)).action
            assert action == make_bot(spec).choose(info, Budget(), Rng(Rng(number).next())).action
            state.apply(state.sample_action(rng, "uniform"))


def test_a_served_bot_decides_among_the_actions_it_is_told_of() -> None:
    first = INFO.legal_actions()[0]
    with serving(lambda: make_bot("greedy"), Identity("greedy", "1"), "127.0.0.1:0") as port, Bots() as bots:
        remote = bots.seated(f"grpc://127.0.0.1:{port}", 0)
        assert remote.choose(INFO, Budget(), Rng(1), among=[first]).action == first


class Confused(RandomBot):
    """Fails with a text that nobody else should read."""

    def choose(self, *arguments: Any, **more: Any) -> Decision:
        raise RuntimeError("my secret")


def test_a_served_bot_that_fails_keeps_its_text_to_itself() -> None:
    with (
        serving(Confused, Identity("confused", "1"), "127.0.0.1:0") as port,
        pytest.raises(BotFaultError) as raised,
    ):
        ask(f"127.0.0.1:{port}")
    assert raised.value.kind is FaultKind.CRASH
    assert "INTERNAL: the bot failed: RuntimeError" in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("broken", ["none", "forged"])
def test_a_served_bot_refuses_a_view_that_breaks_a_rule(broken: str) -> None:
    request = bot_pb2.DecideActionRequest()
    if broken == "forged":
        request.view.builders.players = 9
    with (
        serving(lambda: make_bot("random"), Identity("random", "1"), "127.0.0.1:0") as port,
        grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
        pytest.raises(grpc.RpcError) as raised,
    ):
        bot_pb2_grpc.BotServiceStub(channel).DecideAction(request, timeout=TIMEOUT)
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_an_address_that_is_taken_cannot_be_served() -> None:
    with serving(lambda: make_bot("random"), Identity("random", "1"), "127.0.0.1:0") as port:
        address = f"127.0.0.1:{port}"
        with (
            pytest.raises(OSError, match="cannot listen"),
            serving(RandomBot, Identity("random", "1"), address),
        ):
            pass


def play(address: str, number: int) -> tuple[int, ...]:
    """A game of a worker process."""
    with Bots() as bots:
        seated = [bots.seated(f"grpc://{address}", seat) for seat in range(2)]
        return play_game(GAME, 2, {"max_rounds": 3}, seated, number).scores


def test_worker_processes_call_a_bot_at_the_same_time() -> None:
    with serving(lambda: make_bot("greedy"), Identity("greedy", "1"), "127.0.0.1:0") as port:
        numbers = iter(range(4))
        work = partial(play, f"127.0.0.1:{port}")
        played = dict(filter(None, share_out(work, lambda: next(numbers, None), 2)))
    here = [
        play_game(GAME, 2, {"max_rounds": 3}, [make_bot("greedy")] * 2, number).scores for number in range(4)
    ]
    assert [played[number] for number in range(4)] == here


def test_tls_is_spoken_where_the_scheme_says_so(tmp_path: Path) -> None:
    authority = Authority("kingsbridge tests")
    certificate, key = authority.signed("bot")
    roots = tmp_path / "roots.pem"
    roots.write_bytes(authority.pem)
    with served(Service(last_by_text), grpc.ssl_server_credentials([(key, certificate)])) as address:
        trusting = identified(f"grpcs://{address}", GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(roots))
        assert trusting == "Identity(name='odd', version='2.0', games=('builders',))"
        assert identified(f"grpcs://{address}") == "disconnect"  # its certificate is from nobody known
        assert identified(f"grpc://{address}") == "disconnect"


def identified(spec: str, **environment: str) -> str:
    """What a process finds out about a bot, or its fault: gRPC reads the environment once."""
    program = (
        "import sys\n"
        "from kingsbridge.ai.arena.bots import identity_of\n"
        "from kingsbridge.ai.arena.faults import BotFaultError\n"
        "try:\n"
        "    print(identity_of(sys.argv[1]))\n"
        "except BotFaultError as fault:\n"
        "    print(fault.kind.value)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, spec],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()
