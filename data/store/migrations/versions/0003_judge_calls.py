"""The ledger of judge calls; a failed judgement may be followed by a later answer. The statements stand
beside this file as SQL, frozen.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split(";\n")
    for statement in statements:
        if statement.strip():
            op.execute(statement)
