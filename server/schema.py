"""The tables in which games are kept. The entries are the truth: a game is what they lead to."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables. Every constraint has a name, without which SQLite could not drop it."""


def _game_id() -> sa.Column[str]:
    return sa.Column("game_id", sa.Text, sa.ForeignKey("games.game_id", ondelete="CASCADE"), primary_key=True)


games = sa.Table(
    "games",
    metadata,
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("engine_version", sa.Text, nullable=False),
    sa.Column("rules_hash", sa.Text, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("request_id", sa.Text, unique=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("touched", sa.BigInteger, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Index(None, "over", "touched"),
)
"""What each game starts from, when it was touched last, and whether it is over. Times are unix seconds.

``seed`` has 16 bytes, most significant first; ``request_id`` is null where none was given.
"""

entries = sa.Table(
    "entries",
    metadata,
    _game_id(),
    sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("actions", sa.LargeBinary, nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
)
"""What was added to the games, by the revision it led to. An action is 4 bytes, least significant first."""

seats = sa.Table(
    "seats",
    metadata,
    _game_id(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("epoch", sa.BigInteger, nullable=False),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("renewal", sa.Text, nullable=False, server_default=sa.text("''")),
)
"""The seats of each game. ``renewal`` is the id of the request that began the epoch, or empty."""

has_bot = seats.c.bot != sa.literal_column("''")
"""That a bot plays the seat: the very words of the index, so that it serves."""

sa.Index("ix_seats_bots", seats.c.game_id, postgresql_where=has_bot, sqlite_where=has_bot)

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)
"""Values that all processes share."""
