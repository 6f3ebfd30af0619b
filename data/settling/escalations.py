"""What a rater wants a study lead to look at: somebody may be in danger, a name stands in the text, a
question.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, exists, func, select

from data import schema
from data.access.permissions import Action, Decision, NotPermitted, Person, Reason, read_rater, require
from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.settling import unit_openings
from data.store import content, event_ids
from data.store.errors import NotFound, Refused
from data.store.free_text import put_text
from data.store.trail import TrailEntry

KINDS = {
    "risk": "somebody may be in danger",
    "identifier": "a name or other identifier appears here",
    "question": "a question",
}


@dataclass(frozen=True)
class Escalation:
    """`position` is that of the unit, or of the one that it shows again. `note` None: its words were
    erased.
    """

    id: int
    unit_id: int
    position: int
    criterion: str | None
    kind: str
    note: str | None
    rater_id: int
    by: str
    at: str
    event: str


@dataclass(frozen=True)
class OwnEscalation:
    """One of a rater's own, with its answer where there is one; `answer` None with `answered_at`: its words
    were erased.
    """

    escalation: Escalation
    answered_at: str | None
    answer: str | None


def raise_(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    rater_id: int,
    event: str,
    kind: str,
    note: str,
    criterion: str | None = None,
) -> int | None:
    """Keep a rater's note to the study lead. The same event again changes nothing: then None, else the id.
    Raises Refused.
    """
    table = schema.escalation
    row = {"rater_id": rater_id, "unit_id": unit.id, "criterion": criterion, "kind": kind, "answers": None}
    if event_ids.is_kept(connection, table, event, row, {"note": note.strip()}):
        return None
    person = Person(read_rater(connection, study, rater_id))
    if unit.study_id != study.id:
        raise NotPermitted.of(Decision(Reason.OTHER_STUDY), person, study)
    if kind not in KINDS:
        raise Refused("say_kind_of_note", kinds=", ".join(KINDS.values()))
    _worded(note)
    if criterion is not None and criterion not in {c.id for c in unit.criteria(study)}:
        raise Refused("no_criterion", noun=study.noun, criterion=criterion)
    note_content, note_mac = put_text(connection, "note", note, unit.conversation_id)
    return entry.write(table, {"event": event, **row, "note_content": note_content, "note_mac": note_mac})


def open_ones(connection: Connection, study_id: int) -> list[Escalation]:
    """What nobody answered yet: danger first, then identifiers, then questions; the oldest of each first."""
    table, answer = schema.escalation, schema.escalation.alias()
    order = list(KINDS)
    escalations = _read(connection, study_id, ~exists().where(answer.c.answers == table.c.id))
    return sorted(escalations, key=lambda escalation: (order.index(escalation.kind), escalation.id))


def answer(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    escalation_id: int,
    rater_id: int,
    event: str,
    note: str,
) -> int | None:
    """Answer an escalation, by a named person. The same event again changes nothing. Raises Refused,
    NotFound.

    Answering reveals a colleague's note, so a rater who is still to rate the unit may not; one who has rated
    it may.
    """
    table = schema.escalation
    columns = {"rater_id": rater_id, "kind": "answered", "answers": escalation_id}
    if event_ids.is_kept(connection, table, event, columns, {"note": note.strip()}):
        return None
    person = Person(read_rater(connection, study, rater_id))
    row = connection.execute(
        select(table).where(table.c.id == escalation_id, table.c.answers.is_(None))
    ).first()
    if row is None:
        raise NotFound("no_such_note")
    unit = units.get(connection, row.unit_id)
    require(connection, person, Action.OPEN_UNIT, study, unit_openings.original(connection, unit))
    if connection.execute(select(table.c.id).where(table.c.answers == escalation_id).limit(1)).first():
        raise Refused("note_answered_meanwhile")
    _worded(note)
    note_content, note_mac = put_text(connection, "answer", note, unit.conversation_id)
    return entry.write(
        table,
        {
            "event": event,
            **columns,
            "unit_id": row.unit_id,
            "criterion": row.criterion,
            "note_content": note_content,
            "note_mac": note_mac,
        },
    )


def raised_by(connection: Connection, rater_id: int, unit_id: int) -> list[OwnEscalation]:
    """A rater's own notes on one unit, the oldest first."""
    table = schema.escalation
    own = select(table.c.id).where(
        table.c.rater_id == rater_id, table.c.unit_id == unit_id, table.c.answers.is_(None)
    )
    study_id = connection.execute(select(schema.unit.c.study_id).where(schema.unit.c.id == unit_id)).scalar()
    escalations = _read(connection, study_id or 0, table.c.id.in_(own))
    if not escalations:
        return []
    answers = {
        row.answers: row
        for row in connection.execute(
            select(table).where(table.c.unit_id == unit_id, table.c.answers.is_not(None))
        )
    }
    texts = content.get_many(connection, [row.note_content for row in answers.values()])
    return [
        OwnEscalation(
            escalation,
            answers[escalation.id].at if escalation.id in answers else None,
            texts.get(answers[escalation.id].note_content) if escalation.id in answers else None,
        )
        for escalation in escalations
    ]


def _read(connection: Connection, study_id: int, condition: ColumnElement[bool]) -> list[Escalation]:
    table, unit, shown, repeat = schema.escalation, schema.unit, schema.unit.alias("shown"), schema.repeat
    rows = connection.execute(
        select(
            table,
            func.coalesce(shown.c.id, unit.c.id).label("real"),
            func.coalesce(shown.c.position, unit.c.position).label("position"),
            schema.rater.c.name,
        )
        .join(unit, unit.c.id == table.c.unit_id)
        .join(schema.rater, schema.rater.c.id == table.c.rater_id)
        .outerjoin(repeat, repeat.c.unit_id == unit.c.id)
        .outerjoin(shown, shown.c.id == repeat.c.of_unit_id)
        .where(unit.c.study_id == study_id, table.c.answers.is_(None), condition)
        .order_by(table.c.id)
    ).all()
    texts = content.get_many(connection, [row.note_content for row in rows])
    return [
        Escalation(
            row.id,
            row.real,
            row.position,
            row.criterion,
            row.kind,
            texts.get(row.note_content),
            row.rater_id,
            row.name,
            row.at,
            row.event,
        )
        for row in rows
    ]


def _worded(note: str) -> None:
    if not note.strip():
        raise Refused("note_needs_words")
