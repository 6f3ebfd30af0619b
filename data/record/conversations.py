"""Conversations as they were imported: their messages and the facts that stood beside them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, bindparam, exists, func, or_, select

from data import schema
from data.record.fact_names import PERSON, find_condition, find_fact
from data.store import content
from data.store.kept_parts import keep_part
from scoring.instruments import Taxonomy
from scoring.plan_alignment import DeclaredPlan, parse_plan
from scoring.transcripts import Message, turn_numbers


def person(facts: dict[str, Any]) -> str | None:
    """Return whose conversation it is, as text, if its facts name a person; else None."""
    name = find_fact(facts, PERSON)
    return None if name is None else str(name)


def shared_persons(connection: Connection, study_id: int) -> dict[int, int]:
    """Return conversation -> the first conversation of the same person, only for persons with several.

    Conversations with the same text, and trials that answer the same history, count as one person's.
    """
    return keep_part(
        connection,
        study_id,
        "shared persons",
        (schema.conversation, schema.erasure, schema.trial),
        lambda: _read_shared_persons(connection, study_id),
    )


def _read_shared_persons(connection: Connection, study_id: int) -> dict[int, int]:
    table, words = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, words.c.text)
        .outerjoin(words, words.c.id == table.c.facts_content)
        .where(table.c.study_id == study_id)
        .order_by(table.c.position, table.c.id)
    )
    first: dict[int, int] = {}  # conversation -> an earlier one of the same person, or itself
    place: dict[int, int] = {}
    named: dict[str, int] = {}

    def find_first(number: int) -> int:
        while first[number] != number:
            number = first[number]
        return number

    def join(left: int, right: int) -> None:
        earlier, later = sorted((find_first(left), find_first(right)), key=place.__getitem__)
        first[later] = earlier

    for number, facts in rows:
        first[number], place[number] = number, len(place)
        name = person(json.loads(facts)) if facts else None
        if name is not None:
            join(number, named.setdefault(name, number))
    for number, earlier in find_duplicates(connection, study_id).items():
        join(number, earlier)
    trials = _read_trials(connection, study_id)
    first_trial = {source: number for number, source in reversed(trials)}
    if len(first_trial) > 1:
        for number, source in trials:
            join(number, first_trial[source])
    groups: dict[int, list[int]] = {}
    for number in first:
        groups.setdefault(find_first(number), []).append(number)
    return {number: least for least, group in groups.items() if len(group) > 1 for number in group}


def _read_trials(connection: Connection, study_id: int) -> list[tuple[int, int]]:
    """(conversation, the one whose turn it answers again), by conversation."""
    table, trial = schema.conversation, schema.trial
    rows = connection.execute(
        select(trial.c.conversation_id, trial.c.source_id)
        .join(table, table.c.id == trial.c.conversation_id)
        .where(table.c.study_id == study_id)
        .order_by(trial.c.conversation_id)
    )
    return [(number, source) for number, source in rows]


def find_duplicates(connection: Connection, study_id: int) -> dict[int, int]:
    """Return conversation -> the first conversation of the study with the same words; those without one are
    absent.
    """
    return keep_part(
        connection,
        study_id,
        "duplicates",
        (schema.known_words,),
        lambda: _read_duplicates(connection, study_id),
    )


def _read_duplicates(connection: Connection, study_id: int) -> dict[int, int]:
    table, words = schema.conversation, schema.known_words
    rows = connection.execute(
        select(table.c.id, words.c.digest)
        .join(words, words.c.conversation_id == table.c.id)
        .where(table.c.study_id == study_id)
        .order_by(table.c.position, table.c.id)
    )
    first: dict[str, int] = {}
    duplicates = {}
    for number, digest in rows:
        earlier = first.setdefault(digest, number)
        if earlier != number:
            duplicates[number] = earlier
    return duplicates


def ids_of_keys_and_persons(connection: Connection, study_id: int, keys: Collection[str]) -> frozenset[int]:
    """Return the conversations with these keys, and all others of the same persons. Unknown keys are
    ignored.
    """
    if not keys:
        return frozenset()
    table = schema.conversation
    rows = connection.execute(select(table.c.id, table.c.key).where(table.c.study_id == study_id)).all()
    persons = shared_persons(connection, study_id)
    named = {persons.get(row.id, row.id) for row in rows if row.key in keys}
    return frozenset(row.id for row in rows if persons.get(row.id, row.id) in named)


@dataclass(frozen=True)
class Conversation:
    """`messages` is None where the words were erased."""

    id: int
    key: str
    messages: list[Message] | None
    facts: dict[str, Any]

    @property
    def condition(self) -> str | None:
        """Return the condition under study, as text, if the facts name one; else None."""
        return find_condition(self.facts)

    def replies(self) -> list[str | None]:
        """Return what the assistant said in each turn, in order; None for a turn without a reply.

        Raise ValueError if the words were erased.
        """
        if self.messages is None:
            raise ValueError("its words were erased")
        turns = turn_numbers([message.role for message in self.messages])
        turn_texts: list[list[str]] = [[] for _ in range(max(turns, default=0))]
        for message, turn in zip(self.messages, turns, strict=True):
            if message.role == "assistant" and turn:
                turn_texts[turn - 1].append(message.text)
        return ["\n".join(parts) if parts else None for parts in turn_texts]

    def planned(self, taxonomy: Taxonomy, message: int | None = None) -> tuple[list[Message], DeclaredPlan]:
        """Return the messages before a reply, and the plan and response in it.

        `message`: position of the reply, by default the last one. Without a reply, all messages and an
        empty plan.
        """
        messages = self.messages or []
        at = (
            message
            if message is not None
            else max(
                (
                    number
                    for number, other_message in enumerate(messages)
                    if other_message.role == "assistant"
                ),
                default=None,
            )
        )
        return (
            (messages, DeclaredPlan("", (), (), "", False))
            if at is None or not messages
            else (messages[:at], parse_plan(messages[at].text, taxonomy))
        )


def ids(connection: Connection, study_id: int) -> list[int]:
    """Return the ids of the study's conversations, in the order of the study."""
    table = schema.conversation
    found = connection.execute(
        select(table.c.id).where(table.c.study_id == study_id).order_by(table.c.position, table.c.id)
    )
    return list(found.scalars().all())  # at once: one after the other takes ten times as long


def ids_with_words(connection: Connection, study_id: int, parts: Sequence[str]) -> list[int]:
    """Return the conversations whose text contains any of `parts`, ignoring letter case, in the order of
    the study.
    """
    table, words = schema.conversation, schema.content
    return list(
        connection.execute(
            select(table.c.id)
            .join(words, words.c.id == table.c.transcript_content)
            .where(table.c.study_id == study_id, or_(*(words.c.text.icontains(part) for part in parts)))
            .order_by(table.c.position, table.c.id)
        ).scalars()
    )


def read(connection: Connection, conversation_ids: list[int]) -> list[Conversation]:
    """Return the conversations with these ids, in this order. Raise KeyError for an unknown id."""
    table = schema.conversation
    rows = {row.id: row for row in connection.execute(select(table).where(table.c.id.in_(conversation_ids)))}
    texts = content.get_many(
        connection, [i for row in rows.values() for i in (row.transcript_content, row.facts_content)]
    )
    return [_made(rows[number], texts) for number in conversation_ids]


def is_erased() -> ColumnElement[bool]:
    """Return an SQL condition on `conversation`: its words were erased.

    A conversation imported without words has only facts, and is erased if these are.
    """
    table, words = schema.conversation, schema.content.alias()
    return exists().where(
        words.c.id == func.coalesce(table.c.transcript_content, table.c.facts_content), words.c.text.is_(None)
    )


def find_copies(connection: Connection, study_id: int, key: str) -> list[tuple[str, str]]:
    """Return (key of the study, key of the conversation) of all others with the same words that are not
    erased.

    Ordered by id.
    """
    table, own = schema.conversation, schema.conversation.alias()
    rows = connection.execute(
        _select_copies(own, schema.study.c.key, table.c.key)
        .where(own.c.study_id == study_id, own.c.key == key, table.c.id != own.c.id)
        .order_by(table.c.id)
    )
    return [(row[0], row[1]) for row in rows]


def count_copies(connection: Connection, study_id: int) -> dict[str, int]:
    """Return the key of each other study -> how many of its conversations have words of this study and are
    not erased.
    """
    table, own = schema.conversation, schema.conversation.alias()
    rows = connection.execute(
        _select_copies(own, schema.study.c.key, func.count(table.c.id.distinct()))
        .where(own.c.study_id == study_id, table.c.study_id != study_id)
        .group_by(schema.study.c.key)
        .order_by(schema.study.c.key)
    )
    return {row[0]: row[1] for row in rows}


def _select_copies(own: FromClause, *columns: ColumnElement[Any]) -> Select[Any]:
    """Return a query for the conversations that have the words of `own` and are not erased."""
    table, words, other = schema.conversation, schema.known_words, schema.known_words.alias()
    return (
        select(*columns)
        .join_from(schema.study, table, table.c.study_id == schema.study.c.id)
        .join(words, words.c.conversation_id == table.c.id)
        .join(other, other.c.digest == words.c.digest)
        .join(own, own.c.id == other.c.conversation_id)
        .where(~is_erased())
    )


def find_erased(connection: Connection, conversation_ids: Iterable[int]) -> set[int]:
    """Return which of the conversations were erased; nothing that reveals their words may be stored any
    more.
    """
    table = schema.conversation
    return set(
        connection.execute(
            select(table.c.id).where(table.c.id.in_(list(conversation_ids)), is_erased())
        ).scalars()
    )


# Built once: making a statement takes longer than running it, and every commit of a judge run runs this one.
_WITHOUT_WORDS = (
    select(schema.conversation.c.id)
    .outerjoin(schema.content, schema.content.c.id == schema.conversation.c.transcript_content)
    .where(
        schema.conversation.c.id.in_(bindparam("conversations", expanding=True)),
        schema.content.c.text.is_(None),
    )
)


def find_without_words(connection: Connection, conversation_ids: Collection[int]) -> set[int]:
    """Return which of the conversations have no words: erased, or never imported."""
    return set(connection.execute(_WITHOUT_WORDS, {"conversations": list(conversation_ids)}).scalars())


def read_facts(connection: Connection, study_id: int) -> dict[int, dict[str, Any]]:
    """Return conversation -> its facts, in the order of the study; {} if they were erased."""
    table, words = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, words.c.text)
        .outerjoin(words, words.c.id == table.c.facts_content)
        .where(table.c.study_id == study_id)
        .order_by(table.c.position, table.c.id)
    )
    return {row.id: json.loads(row.text) if row.text else {} for row in rows}


def read_messages(
    connection: Connection, conversation_ids: Sequence[int]
) -> dict[int, list[list[str]] | None]:
    """Return conversation -> its messages as [role, text]; None if the words are gone.

    Faster than `read` for very many messages.
    """
    table, words = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, words.c.text)
        .join(words, words.c.id == table.c.transcript_content)
        .where(table.c.id.in_(conversation_ids), words.c.text.is_not(None))
    )
    messages: dict[int, list[list[str]] | None] = dict.fromkeys(conversation_ids)
    messages.update((row.id, json.loads(row.text)) for row in rows)
    return messages


def _made(row: Any, texts: dict[int, str]) -> Conversation:
    transcript, facts = texts.get(row.transcript_content), texts.get(row.facts_content)
    messages = None if transcript is None else [Message(role, said) for role, said in json.loads(transcript)]
    return Conversation(row.id, row.key, messages, json.loads(facts) if facts else {})


def id_of(connection: Connection, study_id: int, key: str) -> int | None:
    """Return the id of the conversation of a study with this key, or None."""
    table = schema.conversation
    found: int | None = connection.execute(
        select(table.c.id).where(table.c.study_id == study_id, table.c.key == key)
    ).scalar()
    return found
