"""A conflict says what kind it is, so that a bar because somebody opened a conversation outlives the erasure
of words.

Sealed rows are not changed: for each bar of that kind that holds, a row that states the kind follows, under
an entry of its own in the trail. Until now its value said so, in words that are told here; where they were
erased, the entry says under what it was written.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from data.store.trail import START, TableDigest, canonical, entry_hash

revision = "0007"
down_revision = "0006"

WORDS = "opened in the disagreements page"
# Of each rater and conversation the last row, if it bars. Who opens a unit does so under "open a
# disagreement" and the like.
OPENED = sa.text("""
    SELECT conflict.rater_id, conflict.conversation_id
    FROM conflict JOIN trail ON trail.seq = conflict.trail JOIN content ON content.id = conflict.value_content
    WHERE conflict.lifted = 0
      AND conflict.id IN (
        SELECT max(id) FROM conflict WHERE conversation_id IS NOT NULL GROUP BY rater_id, conversation_id)
      AND (content.text = :words OR (content.text IS NULL AND (trail.action = 'open' OR trail.action LIKE
      'open %')))
    ORDER BY conflict.id
""")


def upgrade() -> None:
    op.execute(
        "ALTER TABLE conflict ADD COLUMN kind TEXT CONSTRAINT kind_known CHECK (kind IN ('stated', 'opened'))"
    )
    connection = op.get_bind()
    bars = connection.execute(OPENED, {"words": WORDS}).all()
    if bars:
        state_kinds(connection, [(bar.rater_id, bar.conversation_id) for bar in bars])


def state_kinds(connection: sa.Connection, bars: list[tuple[int, int]]) -> None:
    """`bars`: (rater, conversation)."""
    seq, previous = connection.exec_driver_sql(
        "SELECT seq, hash FROM trail ORDER BY seq DESC LIMIT 1"
    ).first() or (0, START)
    first = connection.exec_driver_sql("SELECT max(id) FROM conflict").scalar() + 1
    at, digest = datetime.now(UTC).isoformat(timespec="milliseconds"), TableDigest()
    for number, (rater_id, conversation_id) in enumerate(bars, start=first):
        row = (number, rater_id, conversation_id, None, None, None, 0, at, seq + 1)
        digest.add([*row, ["kind", "opened"]])
        connection.exec_driver_sql(
            "INSERT INTO conflict (id, rater_id, conversation_id, fact, value_content, value_mac, lifted, "
            "at, trail, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'opened')",
            row,
        )
    entry = {
        "seq": seq + 1,
        "at": at,
        "actor": "Second Reader",
        "action": "state who opened conversations to settle them",
        "study": None,
        "detail": "{}",
        "digest": canonical({"conflict": digest.value()}).decode(),
        "previous": previous,
    }
    connection.execute(
        sa.text(
            "INSERT INTO trail (seq, at, actor, action, study, detail, digest, previous, hash) "
            "VALUES (:seq, :at, :actor, :action, :study, :detail, :digest, :previous, :hash)"
        ),
        {**entry, "hash": entry_hash(entry)},
    )
