"""A PostgreSQL server for tests: real, thrown away at the end, reached by a socket in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

MISSING = "PostgreSQL is NOT TESTED: it is not installed (Debian: apt install postgresql)"
SETTINGS = "-c listen_addresses= -c fsync=off -c max_connections=50"
"""Who crashes the machine in a test gets no database back."""


class Cluster:
    """A server with a database."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        """``user`` runs the programs of the folder ``programs``; ``None`` is who runs this."""
        self._programs = programs
        self._folder = folder
        self._user = user
        self._numbers = count()

    def start(self) -> None:
        """Makes the cluster if there is none, and starts it."""
        data = self._folder / "data"
        if not data.exists():
            self._run("initdb", "--pgdata", data, "--auth=trust", "--username=tester", "--no-sync")
        options = f"{SETTINGS} -c unix_socket_directories={self._folder}"
        self._run("pg_ctl", "start", "-w", "-D", data, "-o", options, "-l", self._folder / "log")

    def stop(self, mode: str = "immediate") -> None:
        """Ends all connections and the server."""
        self._run("pg_ctl", "stop", "-w", "-D", self._folder / "data", "-m", mode)

    def new_place(self) -> str:
        """The address of a new empty schema. All are in one database: each of its own would take 8 MB."""
        name = f"test{next(self._numbers)}"
        self._execute(f"CREATE SCHEMA {name}")
        return f"{self._url()}&options=-csearch_path%3D{name}"

    def disconnect(self) -> int:
        """Ends all connections of others, and returns how many there were."""
        return self._execute(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )

    def _url(self) -> str:
        return f"postgresql://tester@/postgres?host={self._folder}"

    def _execute(self, statement: str) -> int:
        """Executes a statement and returns the number it gives, if any."""
        with psycopg.connect(self._url(), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            row = cursor.fetchone() if cursor.description else None
        return int(row[0]) if row else 0

    def _run(self, program: str, *arguments: str | Path) -> None:
        # A user that Python sets makes it fork, and a fork of a process with gRPC's threads may crash.
        become = () if self._user is None else _as_user(self._user)
        done = subprocess.run(
            [*become, self._programs / program, *arguments],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A cluster while it runs. Without PostgreSQL the test is left out, or fails where it is required."""
    found = programs()
    if found is None:
        if os.environ.get("KINGSBRIDGE_REQUIRE_POSTGRES"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    folder, user = Path(tempfile.mkdtemp(prefix="kingsbridge-")), _unprivileged()
    if user is not None:
        shutil.chown(folder, user)
    cluster = Cluster(found, folder, user)
    try:
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder)


def programs() -> Path | None:
    """The folder of the newest PostgreSQL; Debian's is not on the path."""
    found = [Path(file).resolve().parent for file in (shutil.which("initdb"),) if file]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return next((path for path in reversed(found) if (path / "pg_ctl").exists()), None)


def _as_user(name: str) -> tuple[str, ...]:
    """What comes before a command for another user to run it (Debian: util-linux, which is always there)."""
    return ("setpriv", f"--reuid={name}", f"--regid={pwd.getpwnam(name).pw_gid}", "--init-groups", "--")


def _unprivileged() -> str | None:
    """Who may run PostgreSQL, which refuses root; ``None`` if we may."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
