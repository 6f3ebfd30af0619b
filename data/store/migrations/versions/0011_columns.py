"""Columns instead of codes. The statements stand beside this file as SQL, frozen.

Rows are not sealed anew: an entry in the trail says up to which entry they have the form of before
(data/schema/earlier_forms.py).
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import op

from data.store.trail import form_entry

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    connection = op.get_bind()
    last = connection.exec_driver_sql("SELECT seq, hash FROM trail ORDER BY seq DESC LIMIT 1").first()
    without_kind = connection.exec_driver_sql("SELECT max(trail) FROM conflict WHERE kind IS NULL").scalar()
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split(";\n")
    for statement in statements:
        if statement.strip():
            op.execute(statement)
    if last is not None:
        entry = form_entry(last.seq + 1, last.hash, {"0007": without_kind or 0, "0011": last.seq})
        connection.execute(
            sa.text(
                "INSERT INTO trail (seq, at, actor, action, study, detail, digest, previous, hash) "
                "VALUES (:seq, :at, :actor, :action, :study, :detail, :digest, :previous, :hash)"
            ),
            entry,
        )
