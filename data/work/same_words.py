"""Who has seen what a judge said of the same words: in another version of a study, in a study of its own,
or under another id.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, or_, select, true

from data import schema
from data.record.studies import name_key
from data.record.units import Unit

AT_ONCE = 500  # conversations that are looked up together


def saw_same_words(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Whether the person of this name saw a judge of the unit's words anywhere else."""
    same = connection.execute(_select_same_words(), {"conversation": unit.conversation_id}).scalars().all()
    if not same:
        return False
    rater = schema.rater
    name = connection.execute(select(rater.c.name).where(rater.c.id == rater_id)).scalar_one()
    return name_key(name) in map(name_key, saw_judge_of(connection, same, unit.message))


def saw_judge_of(
    connection: Connection, conversation_ids: Collection[int], message: int | None = None
) -> list[str]:
    """The names of the persons who saw a judge of one of these conversations, sorted: of the conversation
    or a reply in it, or on a page with all labels of its study. `message`: the reply that is meant; None
    for any.
    """
    numbers, names = sorted(conversation_ids), set[str]()
    for start in range(0, len(numbers), AT_ONCE):
        some = numbers[start : start + AT_ONCE]
        names.update(connection.execute(_select_names(some, message)).scalars())
    return sorted(names)


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


def _select_names(conversation_ids: list[int], message: int | None) -> Select[str]:
    conversation, unit, rater = schema.conversation, schema.unit, schema.rater
    exposure, rating, identity = schema.exposure, schema.rating, schema.rater_identity
    of_reply: ColumnElement[bool] = true()
    if message is not None:
        of_reply = or_(unit.c.message == message, unit.c.message.is_(None))
    units = select(unit.c.id).where(unit.c.conversation_id.in_(conversation_ids), of_reply)
    studies = select(conversation.c.study_id).where(conversation.c.id.in_(conversation_ids))
    on_a_page_or_there = exists().where(
        exposure.c.rater_id == rater.c.id, or_(exposure.c.kind == "page", exposure.c.unit_id.in_(units))
    )
    in_a_file = exists().where(
        identity.c.person_id == rater.c.id,
        rating.c.rater_id == identity.c.rater_id,
        rating.c.unit_id.in_(units),
        rating.c.exposure != "blind",
    )
    return select(rater.c.name).where(
        rater.c.study_id.in_(studies), rater.c.kind == "person", on_a_page_or_there | in_a_file
    )
