"""Counts of quotations. The statements stand beside this file as SQL, frozen. What is there already is
counted by data/store/migrate.py when all steps are done.
"""

from pathlib import Path

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split(";\n")
    for statement in statements:
        if statement.strip():
            op.execute(statement)
