"""Which request renewed the tokens of a seat last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has renewed them yet, as far as is known."""
    op.add_column("seats", sa.Column("renewal", sa.Text(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    """Forgets it."""
    op.drop_column("seats", "renewal")
