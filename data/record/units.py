"""Units of a study, their transcripts, and where each rater stands.

Positions run from 1. A unit of the kind "repeat" shows another unit a second time (data/work/repeats.py) and
is in no list of the study's units.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, exists, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from data import schema
from data.record.studies import Study, unit_count
from data.schema.vocabulary import UnitKind
from data.store import content
from data.store.errors import NotFound
from scoring.instruments import Criterion, Strategy
from scoring.transcripts import Message

_PUT = upsert(schema.progress)
_SET_STATE = _PUT.on_conflict_do_update(
    index_elements=["rater_id", "unit_id"], set_={"state": _PUT.excluded.state}
)


@dataclass(frozen=True)
class Unit:
    """`message` is the position of the assistant's message that is rated, or None for the whole
    conversation.
    """

    id: int
    study_id: int
    conversation_id: int
    kind: UnitKind
    position: int
    message: int | None
    declared: tuple[str, ...]
    turns: int

    def scores(self, study: Study, labels: Mapping[str, str | None]) -> dict[str, int]:
        """Return criterion -> value of its label; criteria without a label, or with an unknown one, are
        absent.
        """
        scale_of = study.instrument.scale_of
        return {
            c.id: value
            for c in self.criteria(study)
            if (value := scale_of(c).value(labels.get(c.id) or "")) is not None
        }

    def criteria(self, study: Study) -> tuple[Criterion, ...]:
        """Return the criteria of the unit: the instrument's, or one per strategy that its plan declares."""
        if not study.instrument.criteria_from or study.taxonomy is None:
            return study.instrument.criteria
        strategies = [
            study.taxonomy.strategy(name) or Strategy(id=name, name=name, description="")
            for name in self.declared
        ]
        return study.instrument.criteria_for(tuple(strategies))


@dataclass(frozen=True)
class RaterProgress:
    """Where a rater stands: the first position neither committed nor skipped, and how many were committed and
    revealed.
    """

    frontier: int
    committed: int
    reveals: int


def get(connection: Connection, unit_id: int) -> Unit:
    """Return the unit with this id. Raise NotFound if there is none."""
    row = connection.execute(_units().where(schema.unit.c.id == unit_id)).first()
    if row is None:
        raise NotFound("not_in_study_list")
    return unit_of_row(row)


def at_position(connection: Connection, study_id: int, position: int) -> Unit | None:
    """Return the unit at a position of the study, or None."""
    row = connection.execute(
        _units().where(schema.unit.c.study_id == study_id, schema.unit.c.position == position)
    ).first()
    return unit_of_row(row) if row else None


def of_conversation(connection: Connection, conversation_id: int) -> list[Unit]:
    """Return the listed units of one conversation, by position."""
    return of_conversations(connection, [conversation_id])


def by_ids(connection: Connection, unit_ids: Sequence[int]) -> list[Unit]:
    """Return the units with these ids, by position; unknown ids are ignored."""
    rows = connection.execute(_units().where(schema.unit.c.id.in_(unit_ids)).order_by(schema.unit.c.position))
    return [unit_of_row(row) for row in rows]


def ids(connection: Connection, study_id: int, at_most: int | None = None) -> list[int]:
    """Return the ids of the study's listed units, by position, the first `at_most` of them or all."""
    table = schema.unit
    statement = (
        select(table.c.id)
        .where(table.c.study_id == study_id, table.c.kind == UnitKind.LISTED)
        .order_by(table.c.position)
        .limit(at_most)
    )
    return list(connection.execute(statement).scalars())


def committed_conversations(connection: Connection, study_id: int, rater_id: int) -> set[int]:
    """Return the conversations in which a rater has committed every unit."""
    committed = exists().where(
        schema.progress.c.rater_id == rater_id,
        schema.progress.c.unit_id == schema.unit.c.id,
        schema.progress.c.state.in_(("committed", "compared")),
    )
    rows = connection.execute(
        select(schema.unit.c.conversation_id, committed.label("done")).where(
            schema.unit.c.study_id == study_id, schema.unit.c.kind == UnitKind.LISTED
        )
    ).all()
    return {row.conversation_id for row in rows} - {row.conversation_id for row in rows if not row.done}


def readable(unit_column: ColumnElement[int]) -> ColumnElement[bool]:
    """Return an SQL condition on units: their words exist."""
    table, conversation, text = schema.unit.alias(), schema.conversation, schema.content
    return exists().where(
        table.c.id == unit_column,
        conversation.c.id == table.c.conversation_id,
        text.c.id == conversation.c.transcript_content,
        text.c.text.is_not(None),
    )


def conversations_of(connection: Connection, study_id: int) -> dict[int, int]:
    """Return unit -> its conversation, hidden repeats included."""
    return dict(
        connection.execute(
            select(schema.unit.c.id, schema.unit.c.conversation_id).where(schema.unit.c.study_id == study_id)
        ).all()
    )


def conversation_keys(connection: Connection, conversation_ids: list[int]) -> list[tuple[int, str]]:
    """Return (id, key) of the conversations with these ids, in no particular order."""
    table = schema.conversation
    return [
        (row.id, row.key)
        for row in connection.execute(select(table.c.id, table.c.key).where(table.c.id.in_(conversation_ids)))
    ]


def of_conversations(connection: Connection, conversation_ids: list[int]) -> list[Unit]:
    """Return the listed units of these conversations, by position."""
    table = schema.unit
    rows = connection.execute(
        _units()
        .where(table.c.conversation_id.in_(conversation_ids), table.c.kind == UnitKind.LISTED)
        .order_by(table.c.position)
    )
    return [unit_of_row(row) for row in rows]


def _units() -> Select[Any]:
    return select(schema.unit, schema.conversation.c.turns).join(schema.conversation)


def unit_of_row(row: Row[Any]) -> Unit:
    """Return the unit of a row that has every column of `unit`, and the number of turns."""
    return Unit(
        row.id,
        row.study_id,
        row.conversation_id,
        UnitKind(row.kind),
        row.position,
        row.message,
        tuple(json.loads(row.criteria)),
        row.turns,
    )


def transcript(connection: Connection, unit: Unit) -> list[Message] | None:
    """Return the messages that the rater reads, up to and including the rated one; None if they were
    erased.
    """
    content_id = connection.execute(
        select(schema.conversation.c.transcript_content).where(
            schema.conversation.c.id == unit.conversation_id
        )
    ).scalar_one()
    text = content.get(connection, content_id)
    if text is None:
        return None
    messages = [Message(role, text_of_message) for role, text_of_message in json.loads(text)]
    return messages if unit.message is None else messages[: unit.message + 1]


def rater_progress(connection: Connection, rater_id: int) -> RaterProgress:
    """Return how far a rater is; (1, 0, 0) for one who did nothing yet."""
    row = connection.execute(
        select(schema.rater_progress).where(schema.rater_progress.c.rater_id == rater_id)
    ).first()
    return RaterProgress(row.frontier, row.committed, row.reveals) if row else RaterProgress(1, 0, 0)


def next_open(connection: Connection, study_id: int, rater_id: int, after: int = 0) -> int | None:
    """Return the first position after `after` that the rater neither committed nor skipped, or None."""
    start = max(after + 1, rater_progress(connection, rater_id).frontier)
    committed = exists().where(
        schema.progress.c.rater_id == rater_id,
        schema.progress.c.position == schema.unit.c.position,
        schema.progress.c.state.in_(("committed", "compared", "skipped")),
    )
    position: int | None = connection.execute(
        select(schema.unit.c.position)
        .where(schema.unit.c.study_id == study_id, schema.unit.c.position >= start, ~committed)
        .order_by(schema.unit.c.position)
        .limit(1)
    ).scalar()
    return position


def next_skipped(connection: Connection, rater_id: int) -> int | None:
    """Return the first position that the rater skipped, or None."""
    found: int | None = connection.execute(
        select(schema.progress.c.position)
        .where(schema.progress.c.rater_id == rater_id, schema.progress.c.state == "skipped")
        .order_by(schema.progress.c.position)
        .limit(1)
    ).scalar()
    return found


def state(connection: Connection, rater_id: int, unit_id: int) -> str:
    """Return "open", "begun", "skipped", "committed" or "compared"."""
    return (
        connection.execute(
            select(schema.progress.c.state).where(
                schema.progress.c.rater_id == rater_id, schema.progress.c.unit_id == unit_id
            )
        ).scalar()
        or "open"
    )


def progress_window(
    connection: Connection, study_id: int, rater_id: int, around: int, size: int = 60
) -> list[tuple[int, int, str]]:
    """Return (position, unit id, state) of `size` units around a position, by position."""
    first = max(1, around - size // 3)
    mine = and_(schema.progress.c.unit_id == schema.unit.c.id, schema.progress.c.rater_id == rater_id)
    rows = connection.execute(
        select(schema.unit.c.position, schema.unit.c.id, schema.progress.c.state)
        .outerjoin(schema.progress, mine)
        .where(schema.unit.c.study_id == study_id, schema.unit.c.position.between(first, first + size - 1))
        .order_by(schema.unit.c.position)
    )
    return [(row.position, row.id, row.state or "open") for row in rows]


def count_state(connection: Connection, rater_id: int, state: str) -> int:
    """Return how many units of the rater are in this state."""
    rows = connection.execute(
        select(schema.progress.c.position).where(
            schema.progress.c.rater_id == rater_id, schema.progress.c.state == state
        )
    )
    return len(rows.all())


def set_state(connection: Connection, rater_id: int, unit: Unit, new: str) -> None:
    """Write a rater's state of a unit; a projection, as the sealed tables remain the record."""
    connection.execute(
        _SET_STATE, {"rater_id": rater_id, "unit_id": unit.id, "position": unit.position, "state": new}
    )


def set_begun(connection: Connection, rater_id: int, unit_id: int, place: int) -> None:
    """Write that a rater began a unit, unless the rater has a state of it already."""
    connection.execute(
        _PUT.on_conflict_do_nothing(index_elements=["rater_id", "unit_id"]),
        {"rater_id": rater_id, "unit_id": unit_id, "position": place, "state": "begun"},
    )


def reopen(connection: Connection, rater_id: int, unit: Unit) -> None:
    """Move a rater's frontier back to a skipped unit that was taken up again."""
    now = rater_progress(connection, rater_id)
    if unit.position < now.frontier:
        _put_rater_progress(connection, rater_id, RaterProgress(unit.position, now.committed, now.reveals))


def count_commit(connection: Connection, study_id: int, rater_id: int) -> int:
    """Move a rater's frontier on after a commit; return how many units the rater has now committed."""
    before = rater_progress(connection, rater_id)
    total = unit_count(connection, study_id)
    frontier = before.frontier
    while frontier <= total:
        rows = (
            connection.execute(
                select(schema.progress.c.position)
                .where(
                    schema.progress.c.rater_id == rater_id,
                    schema.progress.c.position >= frontier,
                    schema.progress.c.state.in_(("committed", "compared", "skipped")),
                )
                .order_by(schema.progress.c.position)
                .limit(64)
            )
            .scalars()
            .all()
        )
        run = 0
        while run < len(rows) and rows[run] == frontier + run:
            run += 1
        frontier += run
        if run < 64:
            break
    _put_rater_progress(connection, rater_id, RaterProgress(frontier, before.committed + 1, before.reveals))
    return before.committed + 1


def count_reveal(connection: Connection, rater_id: int) -> None:
    """Add one to the number of reveals that a rater has seen."""
    before = rater_progress(connection, rater_id)
    _put_rater_progress(
        connection, rater_id, RaterProgress(before.frontier, before.committed, before.reveals + 1)
    )


def _put_rater_progress(connection: Connection, rater_id: int, value: RaterProgress) -> None:
    values = {"frontier": value.frontier, "committed": value.committed, "reveals": value.reveals}
    changed = connection.execute(
        update(schema.rater_progress).where(schema.rater_progress.c.rater_id == rater_id).values(**values)
    )
    if not changed.rowcount:
        connection.execute(insert(schema.rater_progress).values(rater_id=rater_id, **values))
