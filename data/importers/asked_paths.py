"""Check imported labels of a form whose questions depend on answers: only a question that was asked may have
one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from sqlalchemy import Connection, select

from data import schema
from data.importers.report import ImportReport
from data.record import units
from data.record.asked_questions import asked_in_unit
from data.record.judgements import current_verdict, of_the_study
from data.record.studies import Study
from data.schema.vocabulary import JudgementOrigin


def check_judgements(connection: Connection, study: Study, report: ImportReport) -> None:
    """Report an error for each imported judge label whose question is not asked after the judge's other
    labels.

    Each replicate is checked on its own. Judge runs are not checked: they ask every question again
    separately.
    """
    if study.instrument.conditional and not report.errors:
        table = schema.judgement
        rows = connection.execute(
            select(
                table.c.unit_id,
                table.c.judge_id,
                schema.judge.c.name,
                table.c.replicate,
                table.c.criterion,
                table.c.label,
            )
            .join(schema.judge, schema.judge.c.id == table.c.judge_id)
            .where(
                table.c.study_id == study.id,
                table.c.origin == JudgementOrigin.IMPORT,
                of_the_study(),
                current_verdict(),
            )
        )
        _check(
            connection,
            study,
            report,
            ((r.unit_id, r.name, (r.judge_id, r.replicate), r.criterion, r.label) for r in rows),
        )


def check_ratings(connection: Connection, study: Study, report: ImportReport) -> None:
    """Report an error for each rating whose question is not asked after the rater's other labels."""
    if study.instrument.conditional and not report.errors:
        table = schema.rating
        rows = connection.execute(
            select(table.c.unit_id, schema.rater.c.name, table.c.rater_id, table.c.criterion, table.c.label)
            .join(schema.rater, schema.rater.c.id == table.c.rater_id)
            .where(table.c.study_id == study.id)
            .order_by(table.c.id)
        )
        _check(
            connection, study, report, ((r.unit_id, r.name, r.rater_id, r.criterion, r.label) for r in rows)
        )


def _check(
    connection: Connection,
    study: Study,
    report: ImportReport,
    rows: Iterable[tuple[int, str, Hashable, str, str | None]],
) -> None:
    labels_of: dict[tuple[int, Hashable], tuple[str, dict[str, str | None]]] = {}
    for unit_id, giver, asking, criterion, label in rows:
        labels_of.setdefault((unit_id, asking), (giver, {}))[1][criterion] = label
    units_by_id = {
        unit.id: unit for unit in units.by_ids(connection, sorted({unit_id for unit_id, _ in labels_of}))
    }
    keys = {
        row.id: row.key
        for row in connection.execute(
            select(schema.conversation.c.id, schema.conversation.c.key).where(
                schema.conversation.c.study_id == study.id
            )
        )
    }
    for (unit_id, _), (giver, labels) in labels_of.items():
        unit = units_by_id[unit_id]
        asked = asked_in_unit(study, unit, labels)
        for criterion, label in labels.items():
            if label is not None and criterion not in asked:
                report.error(
                    0,
                    f"{keys[unit.conversation_id]}: {giver} answered {criterion}, which is not asked after "
                    "the other answers. No number includes it: remove it or correct the others",
                )
