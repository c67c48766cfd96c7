"""The steps to the present schema, there and back, on both databases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from kingsbridge.server import migrations, schema
from kingsbridge.server.refusals import StoreError
from kingsbridge.server.sql_store import SqlStore, open_store
from tests.postgres import Cluster

from .test_store import DEAL, HEAD, SEATS

TABLES = {"games", "entries", "seats", "secrets"}


@pytest.fixture
def engine(database_url: str) -> Iterator[sa.Engine]:
    engine = sa.create_engine(database_url.replace("postgresql:", "postgresql+psycopg:"))
    yield engine
    engine.dispose()


def tables(connection: sa.Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names()) - {"alembic_version"}


def differences(connection: sa.Connection) -> list[object]:
    """What distinguishes the database from the tables that the program knows."""
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True}
    )
    return list(compare_metadata(context, schema.metadata))


def test_the_steps_lead_from_nothing_to_the_present_schema_and_back(engine: sa.Engine) -> None:
    for _ in range(2):
        with engine.begin() as connection:
            assert tables(connection) == set()
            migrations.upgrade(connection)
        with engine.connect() as connection:
            assert tables(connection) == TABLES
            assert differences(connection) == []
        with engine.begin() as connection:
            command.downgrade(migrations.configuration(connection), "base")


def test_each_step_back_is_undone_by_the_step_there(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        migrations.upgrade(connection)
        config = migrations.configuration(connection)
        for _ in ScriptDirectory.from_config(config).walk_revisions():
            command.downgrade(config, "-1")
        command.upgrade(config, "head")
        assert differences(connection) == []


def test_the_comparison_sees_what_is_missing(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        migrations.upgrade(connection)
        for change in ("DROP INDEX ix_games_over_touched", "ALTER TABLE seats DROP COLUMN bot"):
            connection.execute(sa.text("DROP INDEX IF EXISTS ix_seats_bots"))
            before = len(differences(connection))
            connection.execute(sa.text(change))
            assert len(differences(connection)) == before + 1


def test_every_constraint_has_the_name_that_the_convention_gives(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        migrations.upgrade(connection)
        inspector = sa.inspect(connection)
        for name, table in schema.metadata.tables.items():
            primary = inspector.get_pk_constraint(name)["name"]
            unique = {each["name"] for each in inspector.get_unique_constraints(name)}
            foreign = {each["name"] for each in inspector.get_foreign_keys(name)}
            assert primary == f"pk_{name}"
            assert {each.name for each in table.constraints} == {primary} | unique | foreign


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    database_url: str, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(config: object, revision: str) -> None:
        upgrade(config, revision)  # type: ignore[arg-type]
        raise sa.exc.OperationalError("", {}, Exception("half way"))

    upgrade = command.upgrade
    monkeypatch.setattr(command, "upgrade", fail)
    with pytest.raises(StoreError, match="half way"):
        open_store(database_url)
    with engine.connect() as connection:
        assert sa.inspect(connection).get_table_names() == []


async def test_a_database_of_a_newer_program_is_refused_and_stays(
    database_url: str, engine: sa.Engine
) -> None:
    store = open_store(database_url)
    await store.create(HEAD, DEAL, SEATS)
    await store.close()
    with engine.begin() as connection:
        present = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="schema 9999, which is newer than this program"):
        open_store(database_url)
    with engine.begin() as connection:
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == "9999"
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :present"), {"present": present})
    again = open_store(database_url)
    assert (await again.load("g1")).head == HEAD
    await again.close()


def test_programs_that_start_at_once_migrate_once(cluster: Cluster) -> None:
    url = cluster.new_place()
    program = f"from kingsbridge.server.sql_store import open_store; open_store({url!r})"
    started = [
        subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in started:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors


def test_who_migrates_keeps_others_waiting(cluster: Cluster) -> None:
    engine = sa.create_engine(cluster.new_place().replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as one, engine.connect() as other:
        one.begin()
        migrations.upgrade(one)
        other.execute(sa.text("SET lock_timeout = 200"))
        with pytest.raises(sa.exc.OperationalError, match="lock timeout"):
            migrations.upgrade(other)
        one.commit()
        other.rollback()
        migrations.upgrade(other)
        assert differences(other) == []
    engine.dispose()


def test_the_steps_run_from_a_folder_with_odd_characters(
    engine: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a %(b)s c"
    folder.symlink_to(Path(migrations.__file__).parent)
    monkeypatch.setattr(migrations, "__file__", str(folder / "__init__.py"))
    with engine.begin() as connection:
        migrations.upgrade(connection)
        assert tables(connection) == TABLES


async def test_the_indexes_serve_what_they_are_made_for(database_url: str) -> None:
    store = open_store(database_url)
    assert isinstance(store, SqlStore)
    asked: list[tuple[str, Any]] = []

    def note(connection: object, cursor: object, statement: str, values: Any, *_: object) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, values))

    sa.event.listen(store._database._reader, "before_cursor_execute", note)
    await store.running()
    await store.idle(1, 1)
    (running, idle), explain = asked, "EXPLAIN" if store.shared else "EXPLAIN QUERY PLAN"
    with store._database._reader.begin() as connection:
        if store.shared:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # so few rows need no index
        for (statement, values), index in ((running, "ix_seats_bots"), (idle, "ix_games_over_touched")):
            plan = connection.exec_driver_sql(f"{explain} {statement}", values).all()
            assert index in str(plan)
    await store.close()
