"""The steps by which a database comes to the present schema, from whichever it has."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from kingsbridge.server.refusals import StoreError

_MIGRATING = 0x6B696E67
"""The number of PostgreSQL's advisory lock that whoever migrates holds."""


def upgrade(connection: sa.Connection) -> None:
    """Brings the database to the present schema, within the connection's transaction.

    Raises:
        StoreError: the database has a schema that is newer than this program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
    if check(connection):
        command.upgrade(configuration(connection), "head")


def check(connection: sa.Connection) -> bool:
    """Whether the database has to be upgraded.

    Raises:
        StoreError: as ``upgrade``.
    """
    scripts = ScriptDirectory.from_config(configuration(connection))
    present = _revision(connection)
    if present is not None and present not in {step.revision for step in scripts.walk_revisions()}:
        raise StoreError(
            f"the games are kept in schema {present}, which is newer than this program: update Kingsbridge"
        )
    return present != scripts.get_current_head()


def configuration(connection: sa.Connection) -> Config:
    """What Alembic's commands need to work on a connection."""
    config = Config()
    # A per cent sign begins a reference in Alembic's configuration.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found
