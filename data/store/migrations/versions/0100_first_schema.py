"""The first schema of the store. Its statements stand in first_schema/, frozen."""

from pathlib import Path

from alembic import op

revision = "0100"
down_revision = None


def upgrade() -> None:
    for file in sorted(Path(__file__).parents[1].joinpath("first_schema").glob("*.sql")):
        for statement in file.read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                op.execute(statement)
