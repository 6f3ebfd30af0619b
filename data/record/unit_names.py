"""What a unit is called for somebody who may know the ids of conversations."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from data import schema
from data.record.studies import Study
from data.schema.vocabulary import UnitKind
from data.store.batch_sizes import MAX_IDS_PER_QUERY


def read_unit_names(connection: Connection, study: Study, positions: Iterable[int]) -> dict[int, str]:
    """Return position -> the conversation's id, such as "Sleep-007"; for a reply "Reply 12 (Sleep-007)".

    An id may name the judge, the model or the condition, so none of this is for a rater of the study.
    Positions that the study lacks are left out.
    """
    wanted: list[int] = list(dict.fromkeys(positions))
    keys: dict[int, str] = {}
    unit, conversation = schema.unit, schema.conversation
    for first in range(0, len(wanted), MAX_IDS_PER_QUERY):
        rows = connection.execute(
            select(unit.c.position, conversation.c.key)
            .join(conversation, conversation.c.id == unit.c.conversation_id)
            .where(
                unit.c.study_id == study.id,
                unit.c.kind == UnitKind.LISTED,
                unit.c.position.in_(wanted[first : first + MAX_IDS_PER_QUERY]),
            )
        )
        keys.update({row.position: row.key for row in rows})
    return {position: name_by_key(study, position, key) for position, key in keys.items()}


def name_by_key(study: Study, position: int, key: str) -> str:
    """Return the name of the unit at a position, as `read_unit_names` does. `key`: its conversation's id."""
    return key if study.instrument.unit == "conversation" else f"{study.unit_name(position)} ({key})"
