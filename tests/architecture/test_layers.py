"""Dependencies point one way: pyengine, ai, server; each layer sees of the one below what that gives out."""

from __future__ import annotations

import importlib
import sys

import pytest

import kingsbridge.pyengine
from tests.architecture.sources import PACKAGES, ROOT, SOURCES, Source

every_source = pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])

ALLOWED = {
    "pyengine": {"numpy", "kingsbridge.pyengine"},
    "ai": {"numpy", "kingsbridge.pyengine", "kingsbridge.ai"},
    "server": {
        "alembic",
        "google",
        "grpc",
        "grpc_health",
        "grpc_reflection",
        "grpc_status",
        "opentelemetry",
        "prometheus_client",
        "rich",
        "sqlalchemy",
        "typer",
        "kingsbridge.pyengine",
        "kingsbridge.ai",
        "kingsbridge.server",
        "kingsbridge.v1",
    },
}
"""What a layer may import beside the standard library: packages with all that is in them."""


@every_source
def test_a_module_imports_only_what_its_layer_may(source: Source) -> None:
    for name in source.imports():
        root = name.split(".")[0]
        allowed = any(name == each or name.startswith(f"{each}.") for each in ALLOWED[source.layer])
        own = root == "kingsbridge" and f"kingsbridge.{source.layer}".startswith(name)
        assert allowed or own or root in sys.stdlib_module_names, f"{source.name} imports {name}"


@every_source
def test_only_the_engine_sees_the_native_core(source: Source) -> None:
    assert source.layer == "pyengine" or not any("_core" in name.split(".") for name in source.imports())


@every_source
def test_other_layers_use_the_public_door_of_the_engine(source: Source) -> None:
    door = {f"kingsbridge.pyengine.{name}" for name in kingsbridge.pyengine.__all__} | {
        "kingsbridge.pyengine"
    }
    if source.layer != "pyengine":
        used = {name for name in source.imports() if name.startswith("kingsbridge.pyengine")}
        assert used <= door


@every_source
def test_of_the_frontend_only_the_client_sees_messages(source: Source) -> None:
    if source.name.startswith("server/cli/"):
        assert not any(name.startswith(("kingsbridge.v1", "google", "grpc")) for name in source.imports())


@every_source
def test_the_client_knows_nothing_of_the_server_but_its_messages(source: Source) -> None:
    if source.name.startswith("server/client/"):
        used = {
            name for name in source.imports() if name.startswith(("kingsbridge.server", "kingsbridge.ai"))
        }
        assert all(name.startswith("kingsbridge.server.client") for name in used), used


@every_source
def test_every_module_of_the_packages_imports(source: Source) -> None:
    if not source.name.endswith(("__main__.py", "migrations/env.py")):  # these are run
        assert importlib.import_module(source.module).__name__ == source.module


@every_source
def test_randomness_is_an_argument(source: Source) -> None:
    assert not any(
        name.split(".")[0] == "random" or name.startswith("numpy.random") for name in source.imports()
    )
    assert "np.random" not in source.text


@every_source
def test_what_is_installed_knows_neither_the_tests_nor_their_cheater(source: Source) -> None:
    assert "tests" not in {name.split(".")[0] for name in source.imports()}
    assert not any("cheat" in part for name in source.imports() for part in name.lower().split("."))
    assert "cheat" not in source.path.stem


def test_the_search_that_cheats_lives_in_the_tests() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[!.]*/**/*cheat*.py")}
    assert found <= {"tests", "build"}  # links to the packages lie in build
    assert "tests" in found


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_typed_for_those_who_use_it(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
