"""What raters write of a judge's reasoning. The statements stand beside this file as SQL, frozen."""

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split(";\n")
    for statement in statements:
        if statement.strip():
            op.execute(statement)
