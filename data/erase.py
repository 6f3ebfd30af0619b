"""Forgetting: the words of one conversation, and all that was written about it."""

from __future__ import annotations

from sqlalchemy import Connection, select

from data import content, schema
from data.errors import NotFound
from data.studies import Study
from data.trail import Entry
from data.work import openings


def erase_conversation(connection: Connection, entry: Entry, study: Study, key: str, reason: str) -> int:
    """Remove transcript, facts, notes (drafts included), reasons, the judges' reasoning and raw replies, and the gold steps, plans and
    entities of this conversation. Labels and numbers stay.

    Returns how many texts were removed. Raises NotFound. The trail verifies afterwards and tells that it was done.
    """
    table = schema.conversation
    conversation = connection.execute(select(table).where(table.c.study_id == study.id, table.c.key == key)).first()
    if conversation is None:
        raise NotFound(f"The study {study.key} has no conversation {key!r}.")
    ids = {conversation.transcript_content, conversation.facts_content}
    units = select(schema.unit.c.id).where(schema.unit.c.conversation_id == conversation.id)
    for about in (schema.draft, schema.rating, schema.judgement, schema.judge_attempt, schema.gold_label):
        for column in about.columns:
            if column.name.endswith("_content"):
                ids |= set(connection.execute(select(column).where(about.c.unit_id.in_(units), column.is_not(None))).scalars())
    about_it = select(schema.reference.c.body_content).where(schema.reference.c.conversation_id == conversation.id)
    ids |= set(connection.execute(about_it).scalars())
    ids |= set(connection.execute(select(schema.run_output.c.facts_content).where(
        schema.run_output.c.study_id == study.id, schema.run_output.c.case_key == key)).scalars())
    gone = set(connection.execute(select(schema.content.c.id).where(schema.content.c.id.in_(ids - {None}), schema.content.c.text.is_(None))).scalars())
    openings.close(connection, list(connection.execute(units).scalars()))
    left = sorted(ids - {None} - gone)
    for content_id in left:
        content.erase(entry, connection, content_id, reason)
    return len(left)
