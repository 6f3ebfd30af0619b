"""Erase the words of a conversation or of a whole study, and everything written about them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Table, exists, func, or_, select, union

from data import schema
from data.importers import trials
from data.record import lineage, studies
from data.record.conversations import is_erased
from data.record.studies import Study
from data.store import content
from data.store.errors import NotFound
from data.store.trail import TrailEntry
from data.work import open_slots, strata

CONVERSATIONS_AT_ONCE = 200
# Rows that refer to texts; the reasons of erasures stay.
_REFERENCES = [
    (table, column.name)
    for table in schema.SEALED
    for column in table.columns
    if column.name.endswith("_content") and table is not schema.erasure
]
_PARENTS = (("unit_id", schema.unit), ("rater_id", schema.rater), ("proposal_id", schema.plan_proposal))


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
        select(table.c.id).where(table.c.study_id == study.id, table.c.key == key)
    ).scalar()
    if conversation is None:
        raise NotFound("no_conversation_to_erase", study=study.key, name=key)
    return _erase_conversations(connection, entry, [conversation], reason)


def erase_study(connection: Connection, entry: TrailEntry, study: Study, reason: str) -> int:
    """Remove every text of the study, whether it is about a conversation or not, and of its conversations
    what `erase_conversation` removes elsewhere. Labels, numbers, ids, names and titles stay.

    Returns how many texts were removed. The trail still verifies and records each erasure.
    """
    # Names of draws go first: with them gone, no batch of conversations searches all facts for them.
    count = _erase_texts(connection, entry, study, schema.draw, "body_content", reason)
    table, last = schema.conversation, 0
    own = (
        select(table.c.id)
        .where(table.c.study_id == study.id)
        .order_by(table.c.id)
        .limit(CONVERSATIONS_AT_ONCE)
    )
    while ids := list(connection.execute(own.where(table.c.id > last)).scalars()):
        count += _erase_conversations(connection, entry, ids, reason)
        last = ids[-1]
    return count + sum(
        _erase_texts(connection, entry, study, *reference, reason) for reference in _REFERENCES
    )


@dataclass(frozen=True)
class StudyWords:
    """What of a study can still be erased. `elsewhere`: the titles of the studies that continue it, are
    continued by it or hold trials of its conversations, where the same words go.
    """

    conversations: int
    texts: int
    elsewhere: list[str]


def count_words(connection: Connection, study: Study) -> StudyWords:
    """Count the conversations and texts of a study that are not erased."""
    table, text, trial = schema.conversation, schema.content, schema.trial
    referred = union(
        *(
            select(source.c[column]).where(_is_of_study(source, study), source.c[column].is_not(None))
            for source, column in _REFERENCES
        )
    )
    texts = select(func.count()).where(text.c.text.is_not(None), text.c.id.in_(referred))
    own = select(table.c.id).where(table.c.study_id == study.id)
    of_trials = select(table.c.study_id).join(trial, trial.c.conversation_id == table.c.id)
    elsewhere = {
        *lineage.related_studies(connection, study.id),
        *connection.execute(of_trials.where(trial.c.source_id.in_(own)).distinct()).scalars(),
    } - {study.id}
    return StudyWords(
        connection.execute(
            select(func.count()).where(table.c.study_id == study.id, ~is_erased())
        ).scalar_one(),
        connection.execute(texts).scalar_one(),
        [studies.get(connection, study_id).title for study_id in sorted(elsewhere)],
    )


def _is_of_study(table: Table, study: Study) -> ColumnElement[bool]:
    """Return an SQL condition: the row of `table` is the study's."""
    if "study_id" in table.columns:
        return table.c.study_id == study.id
    column, parent = next(place for place in _PARENTS if place[0] in table.columns)
    return table.c[column].in_(select(parent.c.id).where(parent.c.study_id == study.id))


def _erase_texts(
    connection: Connection, entry: TrailEntry, study: Study, table: Table, column: str, reason: str
) -> int:
    """Erase the texts that one column of the study's rows refers to; return how many."""
    text, last, count = schema.content, 0, 0
    rows_left = (
        select(table.c.id, text.c.id)
        .join(text, text.c.id == table.c[column])
        .where(_is_of_study(table, study), text.c.text.is_not(None))
        .order_by(table.c.id)
        .limit(content.ERASED_AT_ONCE)
    )
    while rows := connection.execute(rows_left.where(table.c.id > last)).all():
        count += content.erase_many(entry, connection, sorted({number for _, number in rows}), reason)
        last = rows[-1][0]
    return count


def _erase_conversations(
    connection: Connection, entry: TrailEntry, conversation_ids: list[int], reason: str
) -> int:
    table = schema.conversation
    same = trials.with_same_words(connection, conversation_ids)
    text, units = schema.content, select(schema.unit.c.id).where(schema.unit.c.conversation_id.in_(same))
    elsewhere: set[int] = set()
    # Another version of the study may hold answers to the case without the conversation, or have another
    # conversation under this id.
    outputs, other = schema.run_output, table.alias()
    is_of_another = exists().where(
        other.c.study_id == outputs.c.study_id, other.c.key == outputs.c.case_key, other.c.id.not_in(same)
    )
    keys: dict[int, list[str]] = {}
    for place in connection.execute(select(table.c.study_id, table.c.key).where(table.c.id.in_(same))):
        keys.setdefault(place.study_id, []).append(place.key)
    for study_id, case_keys in keys.items():
        versions = [study_id, *lineage.related_studies(connection, study_id)]
        elsewhere |= set(
            connection.execute(
                select(outputs.c.facts_content).where(
                    outputs.c.study_id.in_(versions), outputs.c.case_key.in_(case_keys), ~is_of_another
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
    return content.erase_many(entry, connection, left, reason)
