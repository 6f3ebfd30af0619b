"""Conversations of a study by the words that stand in them, in the order of the study or of the rater's list.

The store looks for the letters; the caller then searches each text as a reader sees it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, exists, false, func, or_, select

from data import schema
from data.record.conversations import Conversation
from data.schema.vocabulary import UnitKind
from data.store.letter_case import holds_word
from scoring.transcripts import Message

CANDIDATES = 1_000  # so many are read at most: letters that stand in every row are in no word of it


@dataclass(frozen=True)
class ListUnit:
    """A unit as it stands in somebody's list. `message`: the last one that is read there, None: all."""

    place: int
    message: int | None


@dataclass(frozen=True)
class ConversationMatch:
    conversation: Conversation
    units: tuple[ListUnit, ...]


def conversations_with(
    connection: Connection,
    study_id: int,
    words: Sequence[str],
    *,
    keys_and_facts: bool,
    instructions: bool,
    rater_id: int | None = None,
) -> Iterator[ConversationMatch]:
    """Yield the conversations whose text may contain every word, at most CANDIDATES (1,000), with their
    units.

    The caller checks the words exactly.

    Args:
        connection, study_id: where to search.
        words: folded (`fold`).
        keys_and_facts: search ids and facts as well.
        instructions: search instructions to the assistant as well.
        rater_id: only what is assigned to this rater, in the order of their list and with its places,
            because the study's order may reveal conditions; None for the whole study.
    """
    table, transcript = schema.conversation, schema.content.alias("transcript")
    facts = schema.content.alias("facts")
    places: list[ColumnElement[str]] = [table.c.key, facts.c.text] if keys_and_facts else []

    def stands_in(word: str) -> ColumnElement[bool]:
        in_messages = holds_word(transcript.c.text, word)
        if not instructions:
            in_messages = and_(in_messages, _is_spoken(transcript.c.text, word))
        return or_(in_messages, *(holds_word(place, word) for place in places))

    statement = (
        select(table.c.id, table.c.key, transcript.c.text, facts.c.text.label("facts"))
        .outerjoin(transcript, transcript.c.id == table.c.transcript_content)
        .outerjoin(facts, facts.c.id == table.c.facts_content)
        .where(
            table.c.study_id == study_id,
            and_(*map(stands_in, words)) if words else false(),
        )
        .limit(CANDIDATES)
    )
    if rater_id is None:
        statement = statement.order_by(table.c.position, table.c.id)
    else:
        assigned, unit = schema.assignment, schema.unit
        own = (
            select(unit.c.conversation_id, func.min(assigned.c.place).label("place"))
            .join(assigned, assigned.c.unit_id == unit.c.id)
            .where(assigned.c.rater_id == rater_id, unit.c.kind == UnitKind.LISTED)
            .group_by(unit.c.conversation_id)
            .subquery()
        )
        statement = statement.join(own, own.c.conversation_id == table.c.id).order_by(own.c.place)
    for row in connection.execute(statement):
        messages = None if row.text is None else [Message(role, text) for role, text in json.loads(row.text)]
        conversation = Conversation(row.id, row.key, messages, json.loads(row.facts) if row.facts else {})
        yield ConversationMatch(conversation, _units_of(connection, row.id, rater_id))


def _units_of(connection: Connection, conversation_id: int, rater_id: int | None) -> tuple[ListUnit, ...]:
    unit, assigned = schema.unit, schema.assignment
    of_conversation = (unit.c.conversation_id == conversation_id, unit.c.kind == UnitKind.LISTED)
    if rater_id is None:
        statement = select(unit.c.position, unit.c.message).where(*of_conversation).order_by(unit.c.position)
    else:
        statement = (
            select(assigned.c.place, unit.c.message)
            .join(assigned, assigned.c.unit_id == unit.c.id)
            .where(*of_conversation, assigned.c.rater_id == rater_id)
            .order_by(assigned.c.place)
        )
    return tuple(ListUnit(*row) for row in connection.execute(statement))


def _is_spoken(transcript: ColumnElement[str], word: str) -> ColumnElement[bool]:
    """Whether they stand in what the user or the assistant said."""
    message = func.json_each(transcript).table_valued("value", name="message")
    role, text = (func.json_extract(message.c.value, path) for path in ("$[0]", "$[1]"))
    spoken = exists().select_from(message).where(role != "system", holds_word(text, word))
    return spoken.correlate_except(message)
