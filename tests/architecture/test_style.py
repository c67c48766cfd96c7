"""Sizes and habits that every file keeps."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.sources import SOURCES, Source

every_source = pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])


@every_source
def test_no_file_is_longer_than_500_lines(source: Source) -> None:
    assert source.text.count("\n") <= 500


@every_source
def test_no_function_is_longer_than_60_lines(source: Source) -> None:
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert int(node.end_lineno or 0) - node.lineno < 60, f"{source.name}: {node.name}"


@every_source
def test_every_module_says_what_it_is(source: Source) -> None:
    assert ast.get_docstring(source.tree)


@every_source
def test_no_file_is_a_drawer_of_helpers(source: Source) -> None:
    assert source.path.stem not in {"utils", "util", "helpers", "common", "misc"}


@every_source
def test_no_process_is_forked(source: Source) -> None:
    """A fork copies the threads' locks but not the threads: gRPC hangs in the child. See grpc issue 31885."""
    for name, call in source.calls():
        constants = [argument.value for argument in ast.walk(call) if isinstance(argument, ast.Constant)]
        assert name not in {"os.fork", "os.forkpty", "pty.fork"}
        if name.endswith(("get_context", "set_start_method")):
            assert "spawn" in constants or "forkserver" in constants
        if name in {"multiprocessing.Process", "multiprocessing.Pool", "Process", "Pool"}:
            pytest.fail(f"{source.name}: {name} forks by default, take it from a context")
        if name.endswith("ProcessPoolExecutor"):
            assert any(keyword.arg == "mp_context" for keyword in call.keywords)
