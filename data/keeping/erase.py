"""Erase the words of a conversation and everything written about it."""

from __future__ import annotations

from sqlalchemy import Connection, exists, or_, select

from data import schema
from data.importers import trials
from data.record import lineage
from data.record.studies import Study
from data.store import content
from data.store.errors import NotFound
from data.store.trail import TrailEntry
from data.work import open_slots, strata


def erase_conversation(connection: Connection, entry: TrailEntry, study: Study, key: str, reason: str) -> int:
    """Remove transcript, facts, notes (drafts included), reasons, judges' reasoning and raw replies, comments
    on it, settlements and notes to the study lead, the gold steps, plans and entities of the conversation,
    and the names of groups drawn by a fact that only it states. Labels and numbers stay.

    Studies that continue this one or are continued by it show the same words, and so do trials; what was
    written there is removed too.

    Returns how many texts were removed. Raises NotFound. The trail still verifies and records the erasure.
    """
    table = schema.conversation
    conversation = connection.execute(
        select(table).where(table.c.study_id == study.id, table.c.key == key)
    ).first()
    if conversation is None:
        raise NotFound("no_conversation_to_erase", study=study.key, name=key)
    same = trials.with_same_words(connection, [conversation.id])
    text, units = schema.content, select(schema.unit.c.id).where(schema.unit.c.conversation_id.in_(same))
    elsewhere: set[int] = set()
    # Another version of the study may hold answers to the case without the conversation, or have another
    # conversation under this id.
    outputs, other = schema.run_output, table.alias()
    is_of_another = exists().where(
        other.c.study_id == outputs.c.study_id, other.c.key == outputs.c.case_key, other.c.id.not_in(same)
    )
    for place in connection.execute(select(table.c.study_id, table.c.key).where(table.c.id.in_(same))).all():
        versions = [place.study_id, *lineage.related_studies(connection, place.study_id)]
        elsewhere |= set(
            connection.execute(
                select(outputs.c.facts_content).where(
                    outputs.c.study_id.in_(versions), outputs.c.case_key == place.key, ~is_of_another
                )
            ).scalars()
        )
    attempts, trial = schema.attempt, schema.trial
    elsewhere |= set(
        connection.execute(
            select(attempts.c.reply_content)
            .join(trial, trial.c.attempt_id == attempts.c.id)
            .where(trial.c.conversation_id.in_(same))
        ).scalars()
    )
    elsewhere |= strata.names_told_only_by(connection, same)
    is_theirs = or_(text.c.conversation_id.in_(same), text.c.id.in_(elsewhere))
    left = list(
        connection.execute(
            select(text.c.id).where(is_theirs, text.c.text.is_not(None)).order_by(text.c.id)
        ).scalars()
    )
    open_slots.close(connection, list(connection.execute(units).scalars()))
    for content_id in left:
        content.erase(entry, connection, content_id, reason)
    return len(left)
