"""Digests of what conversations say, and what follows from them for ratings that are there already."""

import json
from collections import defaultdict
from functools import lru_cache
from typing import Any

from alembic import op
from sqlalchemy import Connection, Row, text

from data import schema
from data.record.known_words import WordDigests, number_turns, record_words
from data.record.studies import name_key
from data.store.trail import TrailEntry

revision = "0101"
down_revision = "0100"

TABLES = (
    """CREATE TABLE store_key (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, trail INTEGER NOT NULL)""",
    """CREATE TABLE known_words (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL,
        digest TEXT NOT NULL, trail INTEGER NOT NULL, UNIQUE (conversation_id),
        FOREIGN KEY(conversation_id) REFERENCES conversation (id))""",
    "CREATE INDEX known_words_by_digest ON known_words (digest)",
    """CREATE TABLE seen_elsewhere (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rating_id INTEGER NOT NULL,
        of_study_id INTEGER NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL, UNIQUE (rating_id),
        FOREIGN KEY(rating_id) REFERENCES rating (id), FOREIGN KEY(of_study_id) REFERENCES study (id))""",
)
AT_ONCE = 500  # conversations
# Blind ratings by persons of conversations whose words another conversation has too.
RATED = text("""
    SELECT rating.id, rating.trail, rater.name, unit.message, own.digest, own.conversation_id
    FROM known_words AS own
    JOIN unit ON unit.conversation_id = own.conversation_id
    JOIN rating ON rating.unit_id = unit.id AND rating.exposure = 'blind' AND rating.source <> 'imported'
    JOIN rater ON rater.id = rating.rater_id
    WHERE own.digest IN (SELECT digest FROM known_words GROUP BY digest HAVING count(*) > 1)
    ORDER BY rating.id
""")
# Who saw a judge of such words, when and where: of a unit, or on a page with all labels of the study.
SEEN = text("""
    SELECT own.digest, own.conversation_id, conversation.study_id, rater.name, unit.message, exposure.trail
    FROM known_words AS own
    JOIN conversation ON conversation.id = own.conversation_id
    JOIN rater ON rater.study_id = conversation.study_id AND rater.kind = 'person'
    JOIN exposure ON exposure.rater_id = rater.id
    LEFT JOIN unit ON unit.id = exposure.unit_id
    WHERE own.digest IN (SELECT digest FROM known_words GROUP BY digest HAVING count(*) > 1)
        AND (unit.conversation_id = own.conversation_id OR exposure.kind = 'page')
    ORDER BY exposure.trail
""")


def upgrade() -> None:
    for statement in TABLES:
        op.execute(statement)
    connection = op.get_bind()
    if connection.execute(text("SELECT 1 FROM conversation LIMIT 1")).first() is None:
        return
    entry = TrailEntry(connection, "second-reader", "note what conversations say")
    _note_words(connection, entry)
    _note_what_was_seen(connection, entry)
    entry.close()


def _note_words(connection: Connection, entry: TrailEntry) -> None:
    digests = WordDigests(connection, entry)
    numbers = list(connection.execute(text("SELECT id FROM conversation ORDER BY id")).scalars())
    words = text("""
        SELECT conversation.id, content.text FROM conversation
        JOIN content ON content.id = conversation.transcript_content
        WHERE conversation.id BETWEEN :first AND :last AND content.text IS NOT NULL ORDER BY conversation.id
    """)
    for start in range(0, len(numbers), AT_ONCE):
        some = numbers[start : start + AT_ONCE]
        found = {}
        for number, messages in connection.execute(words, {"first": some[0], "last": some[-1]}):
            digest = digests.digest([(role, said) for role, said in json.loads(messages)])
            if digest is not None:
                found[number] = digest
        record_words(entry, found)


def _note_what_was_seen(connection: Connection, entry: TrailEntry) -> None:
    """A rating is not blind if its person saw the judge of these words elsewhere before they gave it."""
    words = text("""
        SELECT content.text FROM conversation JOIN content ON content.id = conversation.transcript_content
        WHERE conversation.id = :conversation
    """)

    @lru_cache(AT_ONCE)
    def read_turns(conversation: int) -> list[int]:
        messages = connection.execute(words, {"conversation": conversation}).scalar_one()
        return number_turns([(role, said) for role, said in json.loads(messages)])

    def find_turn(row: Row[Any]) -> int | None:
        """Of a reply; None for a whole conversation."""
        return None if row.message is None else read_turns(row.conversation_id)[row.message]

    seen = defaultdict(list)
    for row in connection.execute(SEEN):
        seen[row.digest, name_key(row.name)].append(row)
    rows = []
    for rating in connection.execute(RATED):
        for exposure in seen[rating.digest, name_key(rating.name)]:
            turns = {find_turn(rating), find_turn(exposure)}
            of_reply = None in turns or len(turns) == 1
            elsewhere = exposure.conversation_id != rating.conversation_id
            if of_reply and elsewhere and exposure.trail < rating.trail:
                rows.append({"rating_id": rating.id, "of_study_id": exposure.study_id})
                break
    entry.write_many(schema.seen_elsewhere, rows)
