"""What the guide for authors of bots says: its programs pass the check, its tables are true."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from pathlib import Path

import pytest

from kingsbridge.ai.arena import bots, line_process, process_bot
from kingsbridge.ai.arena.conformance import Examination, Outcome, examine
from kingsbridge.ai.arena.faults import FaultKind
from kingsbridge.ai.arena.question import PROTOCOL, Question
from kingsbridge.ai.bot import Budget
from kingsbridge.pyengine import Dealer, load_game
from kingsbridge.v1 import bot_pb2
from tests.architecture.sources import ROOT
from tests.foreign.node import node_program

GUIDE = (ROOT / "ai" / "arena" / "BOTS.md").read_text(encoding="utf-8")
PROGRAMS = {
    match[1]: match[2]
    for match in re.finditer(r"^```(python|js) bot\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
}


def rows(heading: str) -> dict[str, str]:
    """The rows of the table whose first column is headed so: first cell and the rest."""
    table = GUIDE.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return dict(line.strip("| ").split(" | ", 1) for line in table)


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


@pytest.mark.parametrize("language", ["python", "js"])
def test_a_bot_of_the_guide_passes_every_check(language: str, tmp_path: Path) -> None:
    program = sys.executable if language == "python" else node_program()
    path = tmp_path / "bot"
    path.write_text(PROGRAMS[language], encoding="utf-8")
    found = list(examine(Examination(f"exec:{shlex.join([program, str(path)])}")))
    assert len(found) > 10
    assert [each for each in found if each.outcome is not Outcome.PASSED] == []


def test_the_bots_of_the_guide_are_short() -> None:
    assert all(text.count("\n") <= 15 for text in PROGRAMS.values())


def test_the_guide_names_every_member_of_a_question() -> None:
    state = load_game("builders", 2)
    Dealer(1).settle(state)
    info = state.information_set(state.current_player)
    question = Question(info, tuple(info.legal_actions()), Budget(), 1)
    told = {name for cell in rows("member of `choose`") for name in names(cell)}
    assert told | {"type"} == set(question.to_json())
    assert set(names(rows("member of `choose`")["`actions`"])) == set(question.to_json()["actions"][0])
    assert {*names(rows("member of `choose`")["`budget`"])} - {"null"} == set(question.to_json()["budget"])


def test_the_members_are_the_same_over_grpc() -> None:
    told = {name for cell in rows("member of `choose`") for name in names(cell)} - {"question"}
    assert told == {field.name for field in bot_pb2.DecideActionRequest.DESCRIPTOR.fields}


def test_the_guide_names_every_fault() -> None:
    assert {name for cell in rows("fault") for name in names(cell)} == {kind.value for kind in FaultKind}


def test_the_numbers_of_the_guide_are_those_of_the_program() -> None:
    assert f"`protocol` ({PROTOCOL})" in GUIDE
    assert f"wall seconds, {bots.TIMEOUT:.0f} unless" in GUIDE
    assert f"has {process_bot.START_SECONDS:.0f} seconds to start" in GUIDE
    assert process_bot.END_SECONDS == 1.0
    assert "a second to end" in GUIDE
    assert line_process.LINE_BYTES == 1 << 20
    assert "more than 1 MiB" in GUIDE
    assert line_process.TAIL_BYTES == 2 << 10
    assert "its last 2 KiB" in GUIDE


def test_the_entry_points_are_those_the_guide_names() -> None:
    assert f'entry-points."{bots.ENTRY_POINTS}"' in GUIDE
    ast.parse(PROGRAMS["python"])
