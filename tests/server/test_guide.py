"""What the guide for frontends says: its programs run, its tables are true."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]

from kingsbridge.ai.levels import HIGHEST, levels
from kingsbridge.server import errors
from kingsbridge.server.cli.own_server import own_server
from kingsbridge.server.limits import Limits
from kingsbridge.server.refusals import FieldError, RequestReusedError
from tests.architecture.sources import ROOT, SOURCES
from tests.foreign.node import HERE as NODE_FOLDER
from tests.foreign.node import node_program

GUIDE = (ROOT / "server" / "README.md").read_text(encoding="utf-8")
PROGRAMS = {
    match[2]: (match[1], match[3])
    for match in re.finditer(r"^```(python|js) (\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
}
"""The programs in the guide by title, each with its language."""
GENERAL = {"REFUSED", "UNAUTHENTICATED", "FORBIDDEN"}
"""Rows whose refusals name a more exact reason themselves."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with own_server() as address:
        yield address


def run(command: list[str], **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_guide_has_programs_in_two_languages() -> None:
    assert {title: language for title, (language, _) in PROGRAMS.items()} == {
        "client": "python",
        "stubs": "python",
        "frontend": "js",
    }


def test_the_smallest_frontend_plays_a_whole_game(server: str, tmp_path: Path) -> None:
    out = run([sys.executable, saved(tmp_path, "client"), server])
    lines = out.rstrip("\n").split("\n")
    assert lines[0].startswith("for sale: ")
    assert re.fullmatch(r"scores \d+ \d+", lines[-2])
    assert lines[-1] == "the luck was honest: True"


def test_stubs_alone_play_a_whole_game(server: str, tmp_path: Path) -> None:
    lines = run([sys.executable, saved(tmp_path, "stubs"), server]).rstrip("\n").split("\n")
    assert all(re.match(r"seat [01]: \w", line) for line in lines[:-1])
    assert len(lines) > 20
    assert re.fullmatch(r"scores \d+ \d+", lines[-1])


def test_a_frontend_in_javascript_plays_a_whole_game(server: str, tmp_path: Path) -> None:
    command = [node_program(), saved(tmp_path, "frontend"), server]
    lines = run(command, NODE_PATH=str(NODE_FOLDER / "node_modules")).rstrip("\n").split("\n")
    assert len(lines) > 10
    assert re.fullmatch(r"scores \d+ \d+ \d+", lines[-1])


def saved(folder: Path, title: str) -> str:
    language, text = PROGRAMS[title]
    path = folder / f"{title}.{'py' if language == 'python' else 'js'}"
    path.write_text(text, encoding="utf-8")
    return str(path)


def table(heading: str) -> list[list[str]]:
    """The rows of the table whose first column is headed so, cell by cell."""
    lines = GUIDE.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def example(exception: type[Exception]) -> Exception:
    """An exception with anything in it."""
    values = {"str": "x", "int": 1, "float": 1.0}
    base = next(each for each in exception.__mro__ if "__init__" in vars(each))
    if not inspect.isfunction(vars(base)["__init__"]):
        return exception("x")
    parameters = inspect.signature(exception).parameters.values()
    required = [each for each in parameters if each.default is inspect.Parameter.empty]
    return exception(
        *(values.get(inspect.formatannotation(each.annotation).strip("'"), "x") for each in required)
    )


def details(status: Any) -> str:
    """The types of the details of a status beside ErrorInfo."""
    names = [packed.type_url.rpartition(".")[2] for packed in status.details]
    assert names[0] == error_details_pb2.ErrorInfo.DESCRIPTOR.name
    return ", ".join(names[1:])


def raised(exception: str, argument: int = 0) -> set[str]:
    """The reasons with which the server makes an exception: one of its arguments, in capitals."""
    return {
        str(reason.value)
        for source in SOURCES
        if source.layer == "server"
        for name, call in source.calls()
        if name == exception and len(call.args) > argument
        for reason in [call.args[argument]]
        if isinstance(reason, ast.Constant)
    }


def reasons_of(row: errors.Row) -> set[str]:
    """All reasons of a row's refusals."""
    if row.exception is FieldError:
        return {row.reason, RequestReusedError().reason} | raised("FieldError", 2)
    return raised(row.exception.__name__) if row.reason in GENERAL else {row.reason}


def refusals() -> set[tuple[str, str, str]]:
    """Code, reason and details of all refusals there are."""
    found = set()
    for row in errors.TABLE:
        status = errors.refusal(example(row.exception))
        assert status is not None
        found |= {(row.code.name, reason, details(status)) for reason in reasons_of(row)}
    found.add((grpc.StatusCode.INTERNAL.name, "INTERNAL", details(errors.fault("x"))))
    return found


def test_every_refusal_is_in_the_table_with_its_code_and_details_and_nothing_else() -> None:
    rows = table("code")
    assert {(code, reason, more) for code, reason, more, _ in rows} == refusals()
    assert len(rows) == len(refusals())
    assert all(advice for *_, advice in rows)


def test_it_is_advised_to_try_again_where_the_server_names_a_delay_and_nowhere_else() -> None:
    for _, _, more, advice in table("code"):
        assert ("RetryInfo" in more) == ("try again" in advice)


def test_the_iterations_of_the_levels_are_those_of_the_table_of_levels() -> None:
    rows = table("`level=`")
    assert [int(row[0]) for row in rows] == list(range(1, HIGHEST + 1))
    for level, *iterations, _ in rows:
        games = ("builders", "pillars", "column")
        at = [levels().at(int(level), game, 2)["iterations"] for game in games]
        assert list(map(int, iterations)) == at


def test_the_figures_of_the_guide_are_those_of_the_limits() -> None:
    limits = Limits()
    assert f"They run out after {limits.token_seconds / 86400:.0f} days" in GUIDE
    assert f"the search ends {limits.margin_seconds} seconds before it" in GUIDE
    assert f"Without a deadline a search ends after {limits.search_seconds:.0f} seconds" in GUIDE
    days = f"finished games after {limits.finished_seconds / 86400:.0f} days, forgotten ones after "
    assert f"{days}{limits.idle_seconds / 86400:.0f}" in GUIDE
