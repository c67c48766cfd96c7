"""The client for frontends: patience with servers that fail, and whole games on one that does not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingsbridge.pyengine import SPECTATOR, InformationSet, game_names
from kingsbridge.server.cli.own_server import own_server
from kingsbridge.server.client import (
    BotSeat,
    BusyError,
    Calls,
    Choice,
    Client,
    CommitmentError,
    InvalidError,
    Patience,
    RefusedError,
    ServerError,
    StaleError,
    Thinking,
    Tls,
    TokenError,
    UnavailableError,
    UnknownError,
)
from kingsbridge.server.client.errors import failure
from kingsbridge.server.client.tls import is_loopback
from kingsbridge.v1 import ai_pb2, rules_pb2

from .certificates import Authority
from .flaky import OVER, SHOWN, Flaky, failing, requests_of, serving, told

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
ENDLESS = "ismcts:iterations=1000000000,nodes=1000"
BOT = Thinking("ismcts:iterations=20")


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def calls(self, patience: Patience | None = None, jitter: float = 0.0) -> Calls:
        return Calls(patience or Patience(), self.sleep, lambda: jitter, lambda: self.now)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def flaky() -> Flaky:
    return Flaky()


@pytest.fixture
def client(flaky: Flaky, clock: Clock) -> Iterator[Client]:
    with serving(flaky) as address, Client(address, calls=clock.calls()) as client:
        yield client


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with own_server() as address:
        yield address


@pytest.fixture
def real(server: str) -> Iterator[Client]:
    with Client(server) as client:
        yield client


@pytest.mark.parametrize("code", [UNAVAILABLE, EXHAUSTED])
def test_a_call_is_made_again_after_the_delay_that_the_server_names(
    client: Client, flaky: Flaky, clock: Clock, code: grpc.StatusCode
) -> None:
    flaky.failures = [failing(code, 1.5), failing(code, 2.5)]
    assert client.games() == ["picnic"]
    assert clock.pauses == [1.5, 2.5]


def test_a_pause_is_up_to_a_quarter_longer_so_that_not_all_come_back_at_once(
    flaky: Flaky, clock: Clock
) -> None:
    flaky.failures = [failing(UNAVAILABLE, 2.0)]
    with serving(flaky) as address, Client(address, calls=clock.calls(jitter=1.0)) as client:
        client.games()
    assert clock.pauses == [2.5]


def test_a_call_is_given_up_after_so_many_attempts(client: Client, flaky: Flaky, clock: Clock) -> None:
    flaky.failures = [failing(EXHAUSTED, 0.5) for _ in range(9)]
    with pytest.raises(BusyError, match="not now") as caught:
        client.games()
    assert (caught.value.code, caught.value.retry_seconds) == ("RESOURCE_EXHAUSTED", 0.5)
    assert (len(flaky.requests), clock.pauses) == (5, [0.5] * 4)


def test_no_attempt_begins_when_the_time_is_over(flaky: Flaky, clock: Clock) -> None:
    flaky.failures = [failing(UNAVAILABLE, 3.0) for _ in range(9)]
    calls = clock.calls(Patience(attempts=100, seconds=10.0))
    with (
        serving(flaky) as address,
        Client(address, calls=calls) as client,
        pytest.raises(UnavailableError),
    ):
        client.games()
    assert clock.pauses == [3.0, 3.0, 3.0]


@pytest.mark.parametrize(
    "code",
    [code for code in grpc.StatusCode if code not in (grpc.StatusCode.OK, UNAVAILABLE, EXHAUSTED)],
    ids=lambda code: str(code.name),
)
def test_no_other_failure_is_tried_again(
    client: Client, flaky: Flaky, clock: Clock, code: grpc.StatusCode
) -> None:
    flaky.failures = [failing(code, 1.0)]
    with pytest.raises(ServerError) as caught:
        client.games()
    assert caught.value.code == code.name
    assert (len(flaky.requests), clock.pauses) == (1, [])


def test_a_message_that_is_too_large_is_not_sent_again(client: Client, flaky: Flaky, clock: Clock) -> None:
    flaky.failures = [failing(EXHAUSTED)]
    with pytest.raises(BusyError):
        client.games()
    assert clock.pauses == []


def test_where_no_delay_is_named_pauses_double(client: Client, flaky: Flaky, clock: Clock) -> None:
    flaky.failures = [failing(UNAVAILABLE) for _ in range(3)]
    client.games()
    assert clock.pauses == [0.2, 0.4, 0.8]


def test_what_is_not_safe_to_repeat_is_tried_again_only_if_the_server_refused_it(
    client: Client, flaky: Flaky, clock: Clock
) -> None:
    game = client.create("picnic")
    flaky.failures = [failing(UNAVAILABLE, 1.0)]
    game.give_back(0)
    for unknown in (failing(UNAVAILABLE), failing(UNAVAILABLE, 1.0, "STORE_UNAVAILABLE")):
        flaky.failures = [unknown]
        with pytest.raises(UnavailableError):
            game.give_back(0)
    assert clock.pauses == [1.0]


def test_an_action_that_is_sent_again_has_the_same_request_id_and_the_next_one_another(
    client: Client, flaky: Flaky
) -> None:
    game = client.create("picnic")
    flaky.failures = [failing(UNAVAILABLE), failing(UNAVAILABLE)]
    game.play(0, "eat()")
    game.play(0, "eat()")
    sent = [request.request_id for request in requests_of(flaky, rules_pb2.ApplyActionRequest)]
    assert len(sent) == 4
    assert sent[0] == sent[1] == sent[2] != sent[3]
    assert min(map(len, sent)) >= 16


def test_a_renewal_that_is_sent_again_has_the_same_request_id_and_the_next_one_another(
    client: Client, flaky: Flaky
) -> None:
    game = client.create("picnic")
    flaky.failures = [failing(UNAVAILABLE)]
    game.renew(0)
    game.renew(0)
    sent = [request.request_id for request in requests_of(flaky, rules_pb2.RenewTokenRequest)]
    assert len(sent) == 3
    assert sent[0] == sent[1] != sent[2]
    assert min(map(len, sent)) >= 16


def test_a_game_is_created_once_however_often_it_is_asked_for(client: Client, flaky: Flaky) -> None:
    flaky.failures = [failing(UNAVAILABLE)]
    client.create("picnic")
    first, second = requests_of(flaky, rules_pb2.CreateGameRequest)
    assert first.request_id == second.request_id
    assert len(first.request_id) >= 16


def test_every_call_has_a_deadline_that_leaves_a_bot_its_time(client: Client, flaky: Flaky) -> None:
    flaky.streams = [[told(0, status=OVER)]]
    game = client.create("picnic")
    slow = Thinking("ismcts", seconds=50.0)
    for call in (
        client.games,
        client.bots,
        lambda: game.view(0),
        lambda: game.choices(0),
        lambda: game.play(0, "eat()"),
        lambda: list(game.watch(0)),
        game.record,
        lambda: game.take_over(0, BotSeat("greedy")),
        lambda: game.give_back(0),
        lambda: game.renew(0),
    ):
        call()
    assert all(left is not None and left < 1000.0 for left in flaky.deadlines)
    ordinary = len(flaky.deadlines)
    game.propose(0, slow)
    game.plan_turn(0, slow)
    assert list(game.analyze(0, slow)) == []
    client.propose_from_record("", slow)
    for left in flaky.deadlines[ordinary:]:
        assert left is not None
        assert 60.0 < left < 81.0  # the wire rounds it up


def test_a_watch_that_is_cut_goes_on_where_it_was_and_tells_nothing_twice(
    client: Client, flaky: Flaky, clock: Clock
) -> None:
    flaky.streams = [
        [told(0, 0, 1), told(2, 2)],
        [told(3)],
        [told(3), told(3, 3, 4)],
        [told(5, 5, status=OVER)],
    ]
    game = client.create("picnic")
    flaky.failures = [failing(UNAVAILABLE, 0.5), failing(UNAVAILABLE, 0.5), failing(UNAVAILABLE)]
    seen = [(change.next_event, [event.index for event in change.events]) for change in game.watch(0)]
    assert seen == [(2, [0, 1]), (3, [2]), (5, [3, 4]), (6, [5])]
    assert [r.from_event for r in requests_of(flaky, rules_pb2.WatchGameRequest)] == [0, 3, 3, 5]
    assert clock.pauses == [0.5, 0.5, 0.2]
    assert game.status.over


def test_signs_of_life_are_no_changes(client: Client, flaky: Flaky) -> None:
    beat = rules_pb2.WatchGameResponse(next_event=1)
    flaky.streams = [[told(0, 0), beat, beat, told(1, 1, status=OVER)]]
    assert len(list(client.create("picnic").watch(0))) == 2


def test_a_watch_goes_on_as_long_as_each_stream_tells_something(
    client: Client, flaky: Flaky, clock: Clock
) -> None:
    game = client.create("picnic")
    flaky.streams = [*([told(number, number)] for number in range(20)), [told(20, status=OVER)]]
    flaky.failures = [failing(UNAVAILABLE, 10.0) for _ in range(20)]
    assert len(list(game.watch(0))) == 21
    assert clock.now == 200.0


def test_a_watch_gives_up_a_server_that_tells_nothing_any_more(
    client: Client, flaky: Flaky, clock: Clock
) -> None:
    changes = client.create("picnic").watch(0)
    flaky.streams = [[told(0, 0)]]
    flaky.failures = [failing(UNAVAILABLE) for _ in range(20)]
    assert next(changes).next_event == 1
    with pytest.raises(UnavailableError):
        next(changes)
    assert clock.pauses == [0.2, 0.4, 0.8, 1.6]


def test_a_stream_that_ends_before_the_game_is_opened_again(client: Client, flaky: Flaky) -> None:
    flaky.streams = [[told(0, 0)], [told(1, 1, status=OVER)]]
    assert [change.next_event for change in client.create("picnic").watch(0)] == [1, 2]


def test_a_stream_that_has_lasted_its_time_gives_way_to_the_next_one(
    client: Client, flaky: Flaky, clock: Clock
) -> None:
    game = client.create("picnic")
    flaky.streams = [[told(0, 0)], [told(1, 1, status=OVER)]]
    flaky.failures = [failing(grpc.StatusCode.DEADLINE_EXCEEDED)]
    assert [change.next_event for change in game.watch(0)] == [1, 2]
    assert clock.pauses == []
    flaky.failures = [failing(grpc.StatusCode.DEADLINE_EXCEEDED)]
    with pytest.raises(ServerError, match="not now"):
        next(game.watch(0))


def test_a_watch_that_is_refused_says_so(client: Client, flaky: Flaky) -> None:
    flaky.failures = [failing(grpc.StatusCode.UNAUTHENTICATED)]
    with pytest.raises(TokenError):
        list(client.create("picnic").watch(0))


def test_an_analysis_waits_for_room_and_is_not_begun_twice(
    client: Client, flaky: Flaky, clock: Clock
) -> None:
    report = ai_pb2.AnalyzeResponse(choice=ai_pb2.ChooseActionResponse(iterations=7))
    game = client.create("picnic")
    flaky.failures = [failing(EXHAUSTED, 1.0), failing(UNAVAILABLE, 1.0)]
    flaky.streams = [[], [report]]
    reports = game.analyze(0, BOT)
    assert next(reports).proposal.iterations == 7
    with pytest.raises(UnavailableError):
        next(reports)
    assert clock.pauses == [1.0]


def test_a_call_shows_the_token_of_its_seat_alone(client: Client) -> None:
    game = client.join("g", 0, SHOWN)
    with pytest.raises(LookupError, match="the token of seat 1 is not held"):
        game.view(1)
    with pytest.raises(LookupError):
        game.watch(1)


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("127.0.0.1:50051", True),
        ("localhost:1", True),
        ("[::1]:50051", True),
        ("127.8.8.8:1", True),
        ("10.0.0.1:50051", False),
        ("0.0.0.0:50051", False),
        ("[2001:db8::1]:50051", False),
        ("localhost.example.org:50051", False),
    ],
)
def test_plain_text_is_for_this_machine(address: str, here: bool) -> None:
    assert is_loopback(address) is here


@pytest.mark.parametrize("mutual", [False, True])
def test_tls_takes_given_roots_and_shows_a_certificate_where_one_is_asked_for(
    flaky: Flaky, tmp_path: Path, mutual: bool
) -> None:
    theirs, ours = Authority("a"), Authority("b")
    roots = tmp_path / "roots.pem"
    roots.write_bytes(theirs.pem)
    certificate, key = theirs.signed("server")
    credentials = grpc.ssl_server_credentials([(key, certificate)], ours.pem if mutual else None, mutual)
    with serving(flaky, credentials) as address:
        shown = Tls.of_files(roots, *ours.write(tmp_path, "user")) if mutual else Tls.of_files(roots)
        with Client(address, tls=shown) as client:
            assert client.games() == ["picnic"]


def test_beyond_this_machine_it_is_tls_unless_plain_text_is_asked_for(
    flaky: Flaky, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingsbridge.server.client.connection.CONNECT_SECONDS", 0.5)
    monkeypatch.setattr("kingsbridge.server.client.tls.is_loopback", lambda address: False)
    with serving(flaky) as address:
        with pytest.raises(UnavailableError):
            Client(address)
        with Client(address, tls=False) as client:
            assert client.games() == ["picnic"]


def test_where_nobody_answers_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingsbridge.server.client.connection.CONNECT_SECONDS", 0.2)
    with pytest.raises(UnavailableError, match=r"no server answers at 127\.0\.0\.1:1$"):
        Client("127.0.0.1:1")


class Cut(grpc.RpcError):
    """A failed call whose trailer tells of another status than the call, as behind some proxies."""

    def code(self) -> grpc.StatusCode:
        return UNAVAILABLE

    def details(self) -> str:
        return "no upstream"

    def trailing_metadata(self) -> Any:
        return (("grpc-status-details-bin", failing(EXHAUSTED, 1.0).SerializeToString()),)


def test_details_that_belong_to_another_status_are_not_believed() -> None:
    error = failure(Cut())
    assert isinstance(error, UnavailableError)
    assert (str(error), error.reason, error.retry_seconds) == ("no upstream", "", None)


# ------------------------------------------------------------------------------------------- a real server


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_proposed_watched_and_verified(real: Client, game: str) -> None:
    held = real.create(game, players=2)
    watched = held.watch()
    assert next(watched).status == held.status
    while not held.status.over:
        seat = held.status.seat_to_move
        choice = held.propose(seat, Thinking("greedy")).choice
        assert choice in held.choices(seat)
        revision = held.status.revision
        played = held.play(seat, choice)
        assert played.status == held.status
        assert played.status.revision == revision + 1
        assert all(event.seat == -1 for event in played.events)
    last = list(watched)[-1]
    assert last.status == held.status
    record = held.record()
    assert record.complete
    assert record.commitment == held.commitment
    assert record.seed is not None
    assert held.commitment == sha256(b"kingsbridge-seed:" + record.seed.to_bytes(16, "big")).digest()
    assert held.verify().wrong is None
    assert len(held.status.scores) == len(held.status.places) == 2


def test_events_of_a_watch_come_once_and_in_order(real: Client) -> None:
    held = real.create("builders", seed=3, bots={seat: BotSeat("greedy") for seat in range(2)})
    events = [event.index for change in held.watch() for event in change.events]
    assert events == list(range(len(events)))
    assert len(events) > 50
    assert held.status.over
    assert held.status.bots == ("greedy", "greedy")


def test_somebody_with_one_token_plays_that_seat_and_no_other(real: Client) -> None:
    created = real.create("builders", players=2)
    seat = created.status.seat_to_move
    joined = real.join(created.id, seat, created.tokens[seat])
    assert joined.commitment == created.commitment
    assert joined.status == created.status
    assert joined.view(seat) == created.view(seat)
    assert joined.view(SPECTATOR) == created.view(SPECTATOR)
    joined.play(seat, joined.choices(seat)[0])
    with pytest.raises(TokenError) as caught:
        real.join(created.id, 1 - seat, created.tokens[seat])
    assert (caught.value.code, caught.value.reason) == ("PERMISSION_DENIED", "WRONG_SEAT")
    with pytest.raises(StaleError) as stale:
        created.play(seat, "end()")
    assert (stale.value.reason, stale.value.revision) == ("STALE_REVISION", 2)


def test_a_renewed_token_takes_the_place_of_the_old_one(real: Client) -> None:
    game = real.create("builders")
    old = dict(game.tokens)
    assert game.renew(0) == game.tokens[0] != old[0]
    game.view(0)
    with pytest.raises(TokenError) as caught:
        real.join(game.id, 0, old[0])
    assert caught.value.reason == "TOKEN_VOID"
    assert game.renew(SPECTATOR) != old[SPECTATOR]
    assert real.join(game.id, SPECTATOR, game.tokens[SPECTATOR]).status == game.status


def test_the_server_plays_a_seat_until_it_is_given_back(real: Client) -> None:
    game = real.create("builders", options={"max_rounds": 3})
    seat = game.status.seat_to_move
    game.take_over(seat, BotSeat(ENDLESS))
    assert game.status.bots[seat] == ENDLESS
    with pytest.raises(RefusedError) as caught:
        game.play(seat, game.choices(seat)[0])
    assert caught.value.rule == "SEAT_HELD_BY_BOT"
    game.give_back(seat)
    assert game.status.bots == ("", "")
    with pytest.raises(RefusedError) as caught:
        game.give_back(seat)
    assert caught.value.rule == "NO_BOT"


def test_a_turn_is_planned_and_can_be_played(real: Client) -> None:
    game = real.create("builders", seed=1)
    seat = game.status.seat_to_move
    turn = game.plan_turn(seat, BOT)
    assert turn.proposals
    for proposal in turn.proposals:
        assert game.status.seat_to_move == seat
        game.play(seat, proposal.choice)
    assert not turn.over or game.status.seat_to_move != seat


def test_a_proposal_says_how_it_came_about(real: Client) -> None:
    game = real.create("builders", seed=1)
    seat = game.status.seat_to_move
    first, second = game.choices(seat)[:2]
    thinking = Thinking("ismcts", iterations=60, seed=5, top=1, priority="analysis")
    proposal = game.propose(seat, thinking, allow=[first.id, second.id], avoid=[first.id])
    assert proposal.choice == second == proposal.line[0]
    assert (proposal.iterations, proposal.stop_reason, proposal.revision) == (60, "iterations", 1)
    assert [candidate.choice for candidate in proposal.candidates] == [second]
    assert proposal.choice.phrase


def test_an_analysis_ends_with_the_answer(real: Client) -> None:
    game = real.create("builders", seed=1)
    reports = list(game.analyze(game.status.seat_to_move, Thinking("ismcts", iterations=50)))
    assert [report.final for report in reports] == [False] * (len(reports) - 1) + [True]
    assert reports[-1].proposal.iterations == 50
    assert reports[-1].proposal.stop_reason == "iterations"


def test_a_frontend_with_games_of_its_own_asks_by_view_and_by_record(real: Client) -> None:
    game = real.create("builders", seed=1)
    seat = game.status.seat_to_move
    thinking = Thinking("ismcts", iterations=50, seed=9)
    view, record = game.view(seat), game.record(seat)
    assert InformationSet.from_view("builders", view).legal_actions() == [c.id for c in game.choices(seat)]
    asked = game.propose(seat, thinking)
    assert real.propose_from_view("builders", view, thinking).choice == asked.choice
    assert real.propose_from_record(record.text, thinking).choice == asked.choice
    with pytest.raises(ValueError, match="no view of builders"):
        real.propose_from_view("builders", {**view, "weather": 1}, thinking)
    with pytest.raises(InvalidError) as caught:
        real.propose_from_record("kingsbridge-record 1\nhm", thinking)
    assert (caught.value.reason, caught.value.field) == ("INVALID_RECORD", "record")


def test_what_is_refused_names_field_and_rule(real: Client) -> None:
    with pytest.raises(UnknownError) as unknown:
        real.describe("chess")
    assert unknown.value.reason == "UNKNOWN_GAME"
    with pytest.raises(InvalidError) as invalid:
        real.create("builders", players=9)
    assert (invalid.value.field, invalid.value.rule) == ("players", "must be in 2 .. 4")
    with pytest.raises(InvalidError) as invalid:
        real.create("builders", bots={0: BotSeat("deep_blue")})
    assert invalid.value.reason == "UNKNOWN_BOT"
    game = real.create("builders")
    waiting = 1 - game.status.seat_to_move
    with pytest.raises(RefusedError) as refused:
        game.play(waiting, "coins(actions=1)")
    assert (refused.value.code, refused.value.rule) == ("FAILED_PRECONDITION", "NOT_YOUR_TURN")
    assert refused.value.metadata["subject"] == f"seat {waiting}"


def test_the_luck_of_a_running_game_cannot_be_verified_yet(real: Client) -> None:
    with pytest.raises(ValueError, match="running"):
        real.create("builders").verify()


def test_a_seed_that_was_not_committed_to_is_found(real: Client) -> None:
    game = real.create("builders", bots={seat: BotSeat("greedy") for seat in range(2)})
    for _ in game.watch():
        pass
    game.commitment = bytes(32)
    with pytest.raises(CommitmentError):
        game.verify()


def test_a_watch_that_is_closed_leaves_the_server_at_once(real: Client) -> None:
    game = real.create("builders")
    watched = game.watch(0)
    next(watched)
    watched.close()  # type: ignore[attr-defined]
    before = threading.active_count()
    game.play(game.status.seat_to_move, "coins(actions=1)")
    assert threading.active_count() <= before


def test_a_choice_is_played_by_what_it_is_and_by_its_notation(real: Client) -> None:
    one, other = real.create("builders", seed=4), real.create("builders", seed=4)
    seat = one.status.seat_to_move
    choice: Choice = one.choices(seat)[-1]
    assert one.play(seat, choice).view == other.play(seat, choice.text).view
