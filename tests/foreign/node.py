"""Node with the packages of the clients in JavaScript."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE_MISSING = "the foreign client is NOT RUN: it needs node and npm (Debian: apt install nodejs npm)"


def node_program() -> str:
    """The node program, after the packages were installed as the lock file says."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        if os.environ.get("KINGSBRIDGE_REQUIRE_NODE"):
            pytest.fail(NODE_MISSING)
        pytest.skip(NODE_MISSING)
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        install = subprocess.run(
            [npm, "ci"], cwd=HERE, capture_output=True, text=True, timeout=300, check=False
        )
        assert install.returncode == 0, f"npm ci failed:\n{install.stderr}"
    return node
