"""Who has seen what a judge said of the same words: in another version of a study, in a study of its own,
or under another id.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Protocol

from sqlalchemy import Column, ColumnElement, Connection, Select, and_, bindparam, exists, select, union

from data import schema
from data.record.conversations import read_messages
from data.record.known_words import number_turns
from data.record.studies import name_key
from data.store.batch_sizes import MAX_IDS_PER_QUERY


class WordsOfUnit(Protocol):
    """A conversation, or the reply with the number `message` in it."""

    @property
    def conversation_id(self) -> int: ...

    @property
    def message(self) -> int | None: ...


def saw_same_words(
    connection: Connection,
    unit: WordsOfUnit,
    rater_id: int,
    before: str | None = None,
    copy_ids: Collection[int] | None = None,
) -> bool:
    """Tell whether a person of this rater's name saw a judge of the same words in another conversation or
    study.

    Args:
        connection, unit, rater_id: the words and the rater.
        before: counts only what was seen before this time; None counts everything.
        copy_ids: the other conversations with these words that count; None for all of them.
    """
    same = copy_ids
    if same is None:
        same = (
            connection.execute(_select_same_words(), {"conversation": unit.conversation_id}).scalars().all()
        )
    same = sorted(same)
    if not same:
        return False
    rater = schema.rater
    name = name_key(connection.execute(select(rater.c.name).where(rater.c.id == rater_id)).scalar_one())
    for start in range(0, len(same), MAX_IDS_PER_QUERY):
        some = same[start : start + MAX_IDS_PER_QUERY]
        unit_ids = _read_same_units(connection, unit, some)  # of conversations with many replies far more
        for first in range(0, max(1, len(unit_ids)), MAX_IDS_PER_QUERY):
            seen = _read_seen(connection, some, unit_ids[first : first + MAX_IDS_PER_QUERY], before)
            if any(name_key(each) == name for each, _ in seen):
                return True
    return False


def saw_judge_of(connection: Connection, conversation_ids: Collection[int]) -> dict[str, set[int]]:
    """Return person's name -> which of these conversations they saw a judge of, anywhere in their study.

    That is of the conversation, of a reply in it, or on a page with all labels of the study. A person who
    saw none is absent.
    """
    unit, numbers, seen = schema.unit, sorted(conversation_ids), dict[str, set[int]]()
    for start in range(0, len(numbers), MAX_IDS_PER_QUERY):
        some = numbers[start : start + MAX_IDS_PER_QUERY]
        units = select(unit.c.id).where(unit.c.conversation_id.in_(some))
        for name, conversation_id in _read_seen(connection, some, units):
            seen.setdefault(name, set()).add(conversation_id)
    return seen


def _read_same_units(connection: Connection, unit: WordsOfUnit, same: Collection[int]) -> list[int]:
    """The units of conversations with the same words that are the same reply, or the whole conversation; of
    a conversation without its words any.
    """
    table = schema.unit
    rows = connection.execute(
        select(table.c.id, table.c.conversation_id, table.c.message).where(table.c.conversation_id.in_(same))
    ).all()
    if unit.message is None:
        return [row.id for row in rows]
    messages = read_messages(connection, [unit.conversation_id, *same])
    turns = {
        number: number_turns([(role, text) for role, text in each])
        for number, each in messages.items()
        if each is not None
    }
    if unit.conversation_id not in turns:
        return [row.id for row in rows]
    turn = turns[unit.conversation_id][unit.message]
    return [
        row.id
        for row in rows
        if row.message is None
        or row.conversation_id not in turns
        or turns[row.conversation_id][row.message] == turn
    ]


@cache
def _select_same_words() -> Select[int]:
    """Asked with every unit and every commit, so it is one statement, made once."""
    own, other = schema.known_words.alias(), schema.known_words.alias()
    return (
        select(other.c.conversation_id)
        .join(own, own.c.digest == other.c.digest)
        .where(
            own.c.conversation_id == bindparam("conversation"),
            other.c.conversation_id != own.c.conversation_id,
        )
    )


def _read_seen(
    connection: Connection,
    conversation_ids: Collection[int],
    unit_ids: list[int] | Select[int],
    before: str | None = None,
) -> list[tuple[str, int]]:
    """Return (name, conversation) of everybody who saw a judge of these units, or on a page with all labels,
    before a time if one is given.
    """

    def is_earlier(at: Column[str]) -> list[ColumnElement[bool]]:
        return [] if before is None else [at < before]

    conversation, rater, unit = schema.conversation, schema.rater, schema.unit
    exposure, rating, identity = schema.exposure, schema.rating, schema.rater_identity
    studies = select(conversation.c.study_id).where(conversation.c.id.in_(conversation_ids))
    is_person = and_(rater.c.study_id.in_(studies), rater.c.kind == "person")
    on_a_page = (
        select(rater.c.name, conversation.c.id)
        .join(conversation, conversation.c.study_id == rater.c.study_id)
        .where(
            is_person,
            conversation.c.id.in_(conversation_ids),
            exists().where(
                exposure.c.rater_id == rater.c.id, exposure.c.kind == "page", *is_earlier(exposure.c.at)
            ),
        )
    )
    on_a_unit = (
        select(rater.c.name, unit.c.conversation_id)
        .join(exposure, exposure.c.rater_id == rater.c.id)
        .join(unit, unit.c.id == exposure.c.unit_id)
        .where(is_person, exposure.c.unit_id.in_(unit_ids), *is_earlier(exposure.c.at))
    )
    in_a_file = (
        select(rater.c.name, unit.c.conversation_id)
        .join(identity, identity.c.person_id == rater.c.id)
        .join(rating, rating.c.rater_id == identity.c.rater_id)
        .join(unit, unit.c.id == rating.c.unit_id)
        .where(
            is_person,
            rating.c.rater_id.in_(select(identity.c.rater_id)),  # few, so that no other ratings are read
            rating.c.unit_id.in_(unit_ids),
            rating.c.exposure != "blind",
            *is_earlier(rating.c.at),
        )
    )
    rows = connection.execute(union(on_a_page, on_a_unit, in_a_file))
    return [(name, conversation_id) for name, conversation_id in rows]
