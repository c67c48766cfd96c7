"""Bad input at a modest scale, and that the judge of it would notice what it looks for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from kingsbridge.server.rules_service import RulesService
from kingsbridge.server.session import Session
from kingsbridge.server.store import Entry
from kingsbridge.v1 import ai_pb2, rules_pb2
from tests.fuzz import course, wire, workers
from tests.fuzz.calls import Outcome, Shot
from tests.fuzz.methods import METHODS, SERVICES
from tests.fuzz.verdict import complaint

COUNT = 20_000
"""Requests of a run of the tests: some ten seconds."""
INVALID = 3
"""The number of INVALID_ARGUMENT."""
SEAT = "view.builders.seats[1].coins"


def refusal(field: str, text: str = "no", reason: str = "INVALID_FIELD", code: int = INVALID) -> Outcome:
    """A refusal as the server makes them."""
    status = status_pb2.Status(code=code, message=text)
    info = error_details_pb2.ErrorInfo(reason=reason, domain="kingsbridge")
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description="no")
    status.details.add().Pack(info)
    status.details.add().Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    return Outcome("INVALID_ARGUMENT", (), status.SerializeToString(), text)


def bad_record(text: str) -> Outcome:
    """The refusal of a record."""
    return refusal("record", text, "INVALID_RECORD")


def asked(**fields: Any) -> Shot:
    """A question to a bot."""
    return Shot(METHODS["ChooseAction"], ai_pb2.ChooseActionRequest(**fields).SerializeToString())


def played(count: int, seed: int = 1) -> course.Found:
    """What comes of so many requests against one world."""
    return asyncio.run(course.run(course.inside(seed), seed, 0, count))


def test_every_method_of_the_services_is_fuzzed() -> None:
    for service in SERVICES:
        assert {method.name for method in service.methods} <= set(METHODS)
    assert {"CreateGame", "ApplyAction", "ChooseAction", "Analyze"} <= set(METHODS)


def test_bad_input_is_refused_by_name_and_changes_nothing() -> None:
    found = course.Found()
    for number in range(COUNT // 2_000):
        found.add(asyncio.run(course.run(course.inside(number), 7, number, 2_000)))
    assert not found.failures, "\n".join(map(str, found.failures.values()))
    codes = {code for _, code, _ in found.counts}
    assert codes >= {"OK", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "ABORTED", "NOT_FOUND"}
    answered = {name for name, code, _ in found.counts if code == "OK"}
    assert answered >= set(METHODS) - {"GiveBackSeat"}  # a bot that was let in is not often sent away


def test_a_run_is_the_same_each_time() -> None:
    assert played(300).counts == played(300).counts


def test_a_handler_that_raises_is_found_and_its_request_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    describe = RulesService.DescribeGame

    async def broken(self: Any, request: rules_pb2.DescribeGameRequest, context: Any) -> Any:
        if "pillars" in request.game:
            raise RuntimeError(request.game)
        return await describe(self, request, context)

    monkeypatch.setattr(RulesService, "DescribeGame", broken)
    # What a round asks for differs from process to process, and one may not ask for this at all.
    rounds = ((number, course.play(1, number, 600)) for number in range(20))
    number, found = next((number, found) for number, found in rounds if found.failures)
    (failure,) = found.failures.values()
    assert failure.complaint == "INTERNAL"
    assert "RuntimeError at" in failure.trace
    assert failure.shrunk == b"\x0a\x07pillars"  # field 1, 7 bytes
    assert f"--seed 1 --round {number}" in str(failure)


def test_a_refused_call_that_changes_a_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Session.plan

    def careless(self: Session, move: Any) -> Any:
        if move.expected_revision != self.revision and not self.over:
            legal = self._record.state().legal_actions()
            self.add(Entry(tuple(legal[:1])))
        return plan(self, move)

    monkeypatch.setattr(Session, "plan", careless)
    found = asyncio.run(course.run(course.inside(1), 1, 0, 600))
    assert "a refused call changed something" in {failure.complaint for failure in found.failures.values()}


@pytest.mark.parametrize(
    ("shot", "outcome", "wrong"),
    [
        (asked(), Outcome("INTERNAL"), "INTERNAL"),
        (asked(), Outcome("OK", ()), "0 answers"),
        (asked(), Outcome("OK", (rules_pb2.GetViewResponse(),)), "an answer of another type"),
        (asked(), Outcome("ABORTED", (), None, "x"), "a refusal without a status"),
        (asked(), refusal("bot", reason="no"), "a refusal without one good ErrorInfo"),
        (asked(), refusal(""), "there is no field ''"),
        (asked(), refusal("bot.bot"), "there is no field 'bot.bot'"),
        (asked(), refusal("seat"), "there is no field 'seat'"),
        (asked(view={"builders": {}}), refusal(SEAT), "there is no field 'view.builders.seats[N].coins'"),
        (Shot(METHODS["ChooseAction"], b"\xff"), refusal("bot"), "field 'bot' of no message"),
        (asked(bot="x"), refusal("request"), "there is no field 'request'"),
        (asked(record="x"), bad_record("bad"), "a record is refused without a line"),
        (asked(record="x"), bad_record("line 9: bad"), "a line that is none of the record"),
        (asked(), refusal("bot", "he holds kb1.abc"), "a secret in a refusal"),
    ],
)  # fmt: skip
def test_the_judge_notices(shot: Shot, outcome: Outcome, wrong: str) -> None:
    assert complaint(shot, outcome, ["kb1.abc"]) == wrong


@pytest.mark.parametrize(
    ("shot", "outcome"),
    [
        (asked(), refusal("position")),
        (asked(), refusal("bot")),
        (asked(view={"builders": {"seats": [{}, {}]}}), refusal(SEAT)),
        (asked(record="x\ny"), bad_record("line 2: bad")),
        (Shot(METHODS["ChooseAction"], b"\xff"), refusal("request")),
    ],
)
def test_the_judge_has_nothing_against_a_good_refusal(shot: Shot, outcome: Outcome) -> None:
    assert complaint(shot, outcome, ["kb1.abc"]) == ""


def test_a_varint_is_written_seven_bits_at_a_time_lowest_first() -> None:
    assert wire.varint(0) == b"\x00"
    assert wire.varint(127) == b"\x7f"
    assert wire.varint(300) == b"\xac\x02"  # 300 = 2 * 128 + 44


@pytest.mark.parametrize("damage", wire.DAMAGES, ids=lambda damage: damage.__name__)
def test_every_damage_takes_bytes_of_any_length(damage: Callable[[bytes, Random], bytes]) -> None:
    for seed in range(50):
        assert isinstance(damage(b"", Random(seed)), bytes)
        assert isinstance(damage(b"\x0a\x01x", Random(seed)), bytes)


def test_a_process_that_dies_tells_its_last_request() -> None:
    worker = workers.Worker(1)
    try:
        worker._process.kill()
        worker._process.join()
        shot = asked(bot="last")
        worker._journal.note(shot)
        (failure,) = worker.play(0, 10).failures.values()
    finally:
        worker.close()
    assert failure.complaint == "the process died: -9"
    assert failure.shot == shot
