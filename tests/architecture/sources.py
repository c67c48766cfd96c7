"""The project's own source files, for tests that read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("pyengine", "ai", "server")
"""The folders that are installed under ``kingsbridge``."""


@dataclass(frozen=True)
class Source:
    """A Python file of one of the packages."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def layer(self) -> str:
        return self.path.relative_to(ROOT).parts[0]

    @property
    def module(self) -> str:
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(("kingsbridge", *(parts[:-1] if parts[-1] == "__init__" else parts)))

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    def imports(self) -> Iterator[str]:
        """Dotted names of the modules it imports, those of names imported from a package included."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}: imports are absolute"
                yield str(node.module)
                yield from (f"{node.module}.{alias.name}" for alias in node.names)

    def calls(self) -> Iterator[tuple[str, ast.Call]]:
        """Each call with the dotted name of what is called."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield ast.unparse(node.func), node


SOURCES = [Source(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
