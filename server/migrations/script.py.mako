"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From the schema before."""
    ${upgrades if upgrades else ""}


def downgrade() -> None:
    """Back to the schema before."""
    ${downgrades if downgrades else ""}
