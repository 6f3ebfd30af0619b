"""Every question on which people's labels differ, or a judge's label from theirs, with these labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from data import schema
from data.exporters.marked_places import MarkedPlaces
from data.labels.counted import counted_ratings, counted_verdicts
from data.labels.disagreements import Queue, find_all
from data.labels.label_table import label_names
from data.labels.settlements import reason, settled
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study

UNITS_AT_ONCE = 100
Question = tuple[int, str]  # unit, criterion


class GivenLabel(NamedTuple):
    """`giver`: a rater's code, or a judge's name. Words are None without them, and where they were erased."""

    giver: str
    label: str
    note: str | None = None
    reason: str | None = None
    marked: str | None = None


class DisagreementRow(NamedTuple):
    """One question. `unit`: its position; `turn`: that of a reply, None for a conversation."""

    conversation: str
    unit: int
    turn: int | None
    criterion: str
    between: Queue
    people: list[GivenLabel]
    judges: list[GivenLabel]
    settled_label: str | None
    settled_cause: str | None
    settled_reason: str | None


def read_disagreements(connection: Connection, study: Study, words: bool) -> Iterator[DisagreementRow]:
    """Yield every disagreement of a study in the order of its units, settled or not.

    A label is the last that a person gave blind, or a judge's first. Practice and hidden repeats are left
    out, as in the list to settle. `words`: with notes, reasons, reasoning and marked words.
    """
    between, reader = find_all(connection, study), _Labels(connection, study, words)
    decisions = {(each.unit_id, each.criterion): each for each in settled(connection, study.id)}
    unit, conversation = schema.unit, schema.conversation
    units = (
        select(unit, conversation.c.key, conversation.c.transcript_content)
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .where(unit.c.study_id == study.id)
        .order_by(unit.c.position)
    )
    in_question = {unit_id for unit_id, _ in between}
    rows = connection.execute(units, execution_options={"yield_per": UNITS_AT_ONCE})
    for some in rows.partitions():
        transcripts = {row.id: row.transcript_content for row in some if row.id in in_question}
        places = MarkedPlaces(connection, transcripts.values())
        people, judges = reader.of_people(transcripts, places), reader.of_judges(list(transcripts))
        for row in some:
            for criterion in label_names(study).criteria:
                question = row.id, criterion
                if question not in between:
                    continue
                decision = decisions.get(question)
                yield DisagreementRow(
                    row.key,
                    row.position,
                    places.turn_of(row.transcript_content, row.message),
                    criterion,
                    between[question],
                    people[question],
                    judges[question],
                    decision.label if decision else None,
                    decision.cause if decision else None,
                    reason(connection, decision.id) if decision and words else None,
                )


class _Labels:
    def __init__(self, connection: Connection, study: Study, words: bool) -> None:
        self._connection, self._study, self._words = connection, study, words
        self._codes = read_rater_codes(connection, study)

    def of_people(
        self, transcripts: dict[int, int | None], places: MarkedPlaces
    ) -> defaultdict[Question, list[GivenLabel]]:
        rating, note, why = schema.rating, schema.content.alias(), schema.content.alias()
        rows = self._connection.execute(
            select(rating, note.c.text.label("note"), why.c.text.label("why"))
            .outerjoin(note, note.c.id == rating.c.note_content)
            .outerjoin(why, why.c.id == rating.c.reason_content)
            .where(
                rating.c.id.in_(counted_ratings(self._study.id, "blind", list(transcripts))),
                rating.c.label.is_not(None),
            )
        ).all()
        labels = defaultdict[Question, list[GivenLabel]](list)
        for row in sorted(rows, key=lambda row: self._codes[row.rater_id]):
            marked = places.describe(transcripts[row.unit_id], row.evidence, True) if self._words else None
            spoken = (row.note or None, row.why or None, marked) if self._words else ()
            labels[row.unit_id, row.criterion].append(
                GivenLabel(self._codes[row.rater_id], row.label, *spoken)
            )
        return labels

    def of_judges(self, unit_ids: Sequence[int]) -> defaultdict[Question, list[GivenLabel]]:
        table, judge, text = schema.judgement, schema.judge, schema.content
        rows = self._connection.execute(
            select(table.c.unit_id, table.c.criterion, table.c.label, judge.c.name, text.c.text)
            .join(judge, judge.c.id == table.c.judge_id)
            .join(schema.unit, schema.unit.c.id == table.c.unit_id)
            .outerjoin(text, text.c.id == table.c.reasoning_content)
            .where(table.c.unit_id.in_(unit_ids), table.c.label.is_not(None), *counted_verdicts())
            .order_by(table.c.judge_id)
        )
        labels = defaultdict[Question, list[GivenLabel]](list)
        for row in rows:
            words = row.text or None if self._words else None
            labels[row.unit_id, row.criterion].append(GivenLabel(row.name, row.label, reason=words))
        return labels


def as_object(row: DisagreementRow) -> dict[str, Any]:
    """Return the row as an object for JSON."""
    return {
        **row._asdict(),
        "people": [label._asdict() for label in row.people],
        "judges": [label._asdict() for label in row.judges],
    }
