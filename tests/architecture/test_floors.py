"""What is declared is what the generated code demands: see serving pitfalls of too low floors."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import kingsbridge.v1
from kingsbridge.pyengine import ENGINE_VERSION
from tests.architecture.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def floor_of(package: str) -> tuple[int, ...]:
    """The least version of a package that the project declares."""
    for requirement in PROJECT["dependencies"]:
        if match := re.match(rf"{re.escape(package)}>=([0-9.]+)", requirement):
            return numbers(match[1])
    pytest.fail(f"pyproject.toml declares no floor of {package}")


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def generated(ending: str) -> list[Path]:
    folders = map(Path, kingsbridge.v1.__path__)
    files = [path for folder in folders for path in sorted(folder.glob(f"*{ending}"))]
    assert files
    return files


def test_the_floor_of_grpcio_is_what_the_stubs_demand() -> None:
    for path in generated("_pb2_grpc.py"):
        match = re.search(r"GRPC_GENERATED_VERSION = '([0-9.]+)'", path.read_text())
        assert match
        assert floor_of("grpcio") >= numbers(match[1])


def test_the_floor_of_protobuf_is_what_the_messages_demand() -> None:
    for path in generated("_pb2.py"):
        match = re.search(r"Domain\.PUBLIC,\s*(\d+),\s*(\d+),\s*(\d+)", path.read_text())
        assert match
        assert floor_of("protobuf") >= tuple(map(int, match.groups()))


@pytest.mark.parametrize("package", ["grpcio", "protobuf"])
def test_the_next_major_version_is_shut_out(package: str) -> None:
    declared = next(each for each in PROJECT["dependencies"] if re.match(rf"{package}[><=]", each))
    assert f"<{floor_of(package)[0] + 1}" in declared


def test_the_stubs_lie_under_the_package_and_not_beside_it() -> None:
    assert importlib.util.find_spec("game_pb2") is None
    assert importlib.util.find_spec("kingsbridge.v1.game_pb2") is not None


def test_the_engine_has_the_version_of_the_package() -> None:
    assert PROJECT["version"] == version("kingsbridge") == ENGINE_VERSION
