"""Count in the store the judge's labels that a report needs only as a number, because a study may have a
million of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, case, func, literal, select

from data import schema
from data.labels.counted import counted_ratings, counted_verdicts
from data.record.quotation_counts import is_counted
from data.store.column_texts import joined, numbers
from data.store.column_texts import places as row_places
from scoring.arrays import IntArray, Mask
from scoring.judge_reasons import LabelCounts

NO_MARKS = "[]"


def units_with_marks(connection: Connection, study_id: int) -> set[int]:
    """Return the units in which a rater marked evidence for a label."""
    table = schema.rating
    return set(
        connection.execute(
            select(table.c.unit_id)
            .where(table.c.study_id == study_id, table.c.evidence != NO_MARKS)
            .distinct()
        ).scalars()
    )


def count_labels(
    connection: Connection, study_id: int, judge_id: int, criteria: Sequence[str], remarked: Collection[int]
) -> tuple[LabelCounts, dict[int, list[int]]]:
    """Return the counts of all labels that need not be read, and conversation -> ids of those that do.

    Args:
        connection: to the store.
        study_id: the study.
        judge_id: the judge.
        criteria: ids in the order of the report.
        remarked: units about which people marked or wrote something; their labels are always read.
    """
    names = _labels_of(connection, study_id, judge_id)
    conversation, unit, label, criterion, given, quotes, *conditions = _read_first_labels(
        connection, study_id, judge_id, criteria, names
    )
    silent, without_transcript, without_words, cited, unsure = (column.astype(bool) for column in conditions)
    erased = without_transcript | (without_words & ~silent)
    has_words = ~erased & ~silent
    remarked_units = np.array(sorted(remarked), dtype=np.int64)
    read = np.isin(unit, remarked_units) | (has_words & unsure)
    places, row_of = np.unique(conversation * len(criteria) + criterion, return_inverse=True)

    def add_up(values: IntArray | Mask) -> IntArray:
        return np.bincount(row_of, np.where(read, 0, values), len(places)).astype(np.int64)

    place, same = _find_confirmed(
        connection, study_id, criteria, names, unit * len(criteria) + criterion, given
    )
    confirmed = np.bincount(row_of[place], same & ~np.isin(unit[place], remarked_units), len(places))
    return (
        LabelCounts(
            places // len(criteria),
            places % len(criteria),
            labels=add_up(np.ones(len(read), dtype=np.int64)),
            erased=add_up(erased),
            silent=add_up(silent),
            quoting=add_up(has_words & (quotes > 0)),
            quotes=add_up(np.where(has_words, quotes, 0)),
            confirmed=confirmed.astype(np.int64),
            cited=add_up(cited & ~without_transcript),
        ),
        _group(conversation[read], label[read]),
    )


def _read_first_labels(
    connection: Connection, study_id: int, judge_id: int, criteria: Sequence[str], names: Sequence[str]
) -> list[IntArray]:
    """Columns of the judge's labels that count: conversation, unit, its own id, place of the
    criterion, of the label in `names`, quotations; and whether there are no reasons, no words of the
    conversation, no words of the reasons, cited turns, and whether quotations are missing or nobody counted.
    """
    table, unit, conversation = schema.judgement, schema.unit, schema.conversation
    words, transcript, counted = schema.content, schema.content.alias(), schema.quotation_count
    columns: list[ColumnElement[Any]] = [
        unit.c.conversation_id,
        unit.c.id,
        table.c.id,
        _place(table.c.criterion, criteria),
        _place(table.c.label, names),
        func.coalesce(counted.c.quotations, 0),
        table.c.reasoning_content.is_(None),
        transcript.c.text.is_(None),
        words.c.text.is_(None),
        table.c.cited != NO_MARKS,
        func.coalesce(counted.c.missing, "") != "[]",
    ]
    row = connection.execute(
        select(*map(joined, columns))
        .select_from(unit)
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .join(table, table.c.unit_id == unit.c.id)
        .outerjoin(counted, is_counted())
        .outerjoin(words, words.c.id == table.c.reasoning_content)
        .outerjoin(transcript, transcript.c.id == conversation.c.transcript_content)
        .where(
            unit.c.study_id == study_id,
            # With "+ 0" the rows are found by their units and not among all that the judge ever said.
            table.c.study_id + 0 == study_id,
            table.c.judge_id + 0 == judge_id,
            table.c.status == "ok",
            *counted_verdicts(),
        )
    ).one()
    return [numbers(column) for column in row]


def _group(conversation: IntArray, label: IntArray) -> dict[int, list[int]]:
    labels: dict[int, list[int]] = {}
    for number, label_id in zip(conversation.tolist(), label.tolist(), strict=True):
        labels.setdefault(number, []).append(label_id)
    return labels


def _find_confirmed(
    connection: Connection,
    study_id: int,
    criteria: Sequence[str],
    names: Sequence[str],
    places: IntArray,
    labels: IntArray,
) -> tuple[IntArray, Mask]:
    """Of each blind label of clinicians beside one of the judge, the row of the judge's and whether both are
    the same. `places`: unit and criterion of the judge's labels as one number; `labels`: places in `names`.
    """
    rating = schema.rating
    columns = (
        rating.c.unit_id,
        _place(rating.c.criterion, criteria),
        _place(rating.c.label, names),
    )
    unit, criterion, label = (
        numbers(column)
        for column in connection.execute(
            counted_ratings(study_id)
            .with_only_columns(*map(joined, columns))
            .where(rating.c.label.is_not(None))
        ).one()
    )
    asked = criterion >= 0
    row, inside = row_places(places, unit[asked] * len(criteria) + criterion[asked])
    return row, label[asked][inside] == labels[row]


def _labels_of(connection: Connection, study_id: int, judge_id: int) -> list[str]:
    """Every label that the judge ever gave."""
    table = schema.judgement
    return list(
        connection.execute(
            select(table.c.label)
            .where(table.c.study_id == study_id, table.c.judge_id == judge_id, table.c.label.is_not(None))
            .distinct()
        ).scalars()
    )


def _place(column: ColumnElement[Any], names: Sequence[str]) -> ColumnElement[int]:
    """-1 for a name that is not among them."""
    if not names:
        return literal(-1)
    return case({name: place for place, name in enumerate(names)}, value=column, else_=-1)
