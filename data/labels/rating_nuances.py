"""What clinicians said beside their label: which other labels they would defend too, and how sure they
were.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from data import schema
from data.labels.counted import ARMS
from data.record.studies import Study
from data.store.kept_parts import grow_part
from scoring.agreement.labels.label_data import Question
from scoring.agreement.people.defensible import Nuance


def rating_nuances(connection: Connection, study: Study, questions: tuple[Question, ...]) -> list[Nuance]:
    """Return the nuances of blind ratings that state also defensible labels or a confidence.

    Only the last blind rating of each rater, unit and criterion counts. Codes and numbers are those of
    `questions`; labels outside a question's domain are left out.
    """
    index = {question.id: number for number, question in enumerate(questions)}
    rows = grow_part(
        connection,
        study.id,
        "nuances",
        schema.rating,
        lambda after: _read_rows(connection, study.id, after),
        lambda before, behind: [*before, *behind],
    )
    last = {(row.criterion, row.unit_id, row.rater_id): row for row in rows if row.criterion in index}
    nuances = []
    for (criterion, unit, rater), row in last.items():
        question = questions[index[criterion]]
        also = frozenset(
            question.domain.index(label) for label in json.loads(row.also) if label in question.domain
        )
        if row.label in question.domain:
            nuances.append(
                Nuance(index[criterion], unit, rater, question.domain.index(row.label), also, row.confidence)
            )
    return nuances


def _read_rows(connection: Connection, study_id: int, after: int) -> list[Row[Any]]:
    """Of ratings with an id above `after`."""
    table = schema.rating
    # "+ 0" keeps SQLite from the index of all the study's ratings, where a few of them are wanted.
    within = (
        (table.c.study_id + 0 == study_id, table.c.id > after) if after else (table.c.study_id == study_id,)
    )
    statement = (
        select(
            table.c.criterion,
            table.c.unit_id,
            table.c.rater_id,
            table.c.label,
            table.c.also,
            table.c.confidence,
        )
        .where(
            *within,
            table.c.exposure.in_(ARMS["blind"]),
            or_(table.c.also != "[]", table.c.confidence.is_not(None)),
            table.c.label.is_not(None),
        )
        .order_by(table.c.id)
    )
    return list(connection.execute(statement))
