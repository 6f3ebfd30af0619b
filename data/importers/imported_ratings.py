"""Labels of people: conversation_id, rater, criterion, label, note. label_rows.py says what the rows are."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.answer_table import AnswerTable
from data.importers.columns import field, report_missing
from data.importers.imported_raters import NOBODY_SAME, ImportedRaters, SameRaters
from data.importers.label_rows import (
    BATCH,
    LabelWriter,
    RowAnswers,
    explain_unknown_label,
    moment_of_row,
    report_already_there,
    text_or_none,
    unread_columns,
)
from data.importers.placing import UnitLookup
from data.importers.report import ImportReport, counted
from data.importers.turns import TurnCount
from data.studies import Study
from data.trail import TrailEntry

RATING_FIELDS = ("conversation_id", "criterion", "label", "rater", "note", "at")
EXPOSURES = ("blind", "judge_visible", "unknown")


def add_ratings(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    rows: Iterable[tuple[int, dict[str, Any]]],
    report: ImportReport,
    exposure: str,
    source: str,
    turns: TurnCount | None = None,
    same_raters: SameRaters = NOBODY_SAME,
) -> None:
    """Write ratings of people. `exposure` is what they had been shown, as told by whoever imports them.
    `turns`: what turn numbers count, where somebody said. `same_raters`: names of the file who are the raters
    of that name here; others of the same name are kept apart, and so are their labels in any case. The
    caller rolls back where the report has errors.
    """
    if exposure not in EXPOSURES:
        report.error(0, f"say what these raters had seen of the judge: {', '.join(EXPOSURES)}")
        return
    placer = UnitLookup(connection, study, report)
    givers = ImportedRaters(connection, entry, study, report, same_raters, source)
    stored, under_own_name = _stored_labels(connection, study), _under_own_name(connection, study)
    writer, added = LabelWriter(connection, entry, schema.rating, "note", report), 0
    answers = RowAnswers()
    unread = unread_columns(study, RATING_FIELDS)
    for placed in (
        each
        for line, row in placer.settle_turns(unread.watch(rows), turns)
        for each in placer.place(line, row)
    ):
        line, row = placed.line, placed.row
        name = field(row, "rater")
        if name is None:
            report_missing("rater", line, row, report)
            continue
        label = study.instrument.scale_of(placed.criterion).label(field(row, "label"))
        if label is None and field(row, "label") is None:
            report_missing("label", line, row, report)
            continue
        if label is None:
            report.error(line, explain_unknown_label(placed, study))
            continue
        unit_id, criterion = placed.unit.id, placed.criterion.id
        own = (givers.person_id(str(name)), criterion)
        own_label = stored.get(unit_id, own)
        if own_label is not None and (unit_id, *own) in under_own_name:
            report_already_there("ratings", placed, own_label[0][0], label, report)
            continue
        rater_id = givers.rater_id(str(name), line)
        if rater_id is None:
            continue
        question = (rater_id, criterion)
        if answers.contradict(question, str(name), label, placed, report) or givers.counts_twice(
            str(name), unit_id, criterion, stored, line
        ):
            continue
        stored_label = stored.get(unit_id, question)
        if stored_label is not None:
            before, shown = stored_label[0]
            report_already_there("ratings", placed, before, label, report)
            if shown != exposure:
                report.error(
                    line,
                    f"this rating is in the study as {shown!r}; what a rater had seen cannot be changed by "
                    f"importing again as {exposure!r}",
                )
            continue
        stored.put(unit_id, question, (label, exposure))
        if exposure != "blind" and own_label is not None and own_label[0][1] == "blind":
            givers.note_blind_label(str(name))
        forced = study.instrument.forced_not_applicable(placed.criterion, placed.unit.turns)
        if forced and label != forced:
            report.notice(
                line,
                f"{placed.criterion.id} does not apply to a conversation of "
                f"{counted(placed.unit.turns, 'turns')}, but the file has {label}; kept as given",
            )
        added += 1
        writer.add(
            {
                "event": str(uuid.uuid4()),
                "study_id": study.id,
                "rater_id": rater_id,
                "unit_id": unit_id,
                "criterion": criterion,
                "label": label,
                "source": "rule" if forced == label else "imported",
                "exposure": exposure,
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
                "at": moment_of_row(placed, report),
            },
            text_or_none(field(row, "note")),
        )
    givers.tell()
    if not report.errors:
        unread.tell(report)
        writer.flush()
        report.added["ratings"] += added


def _stored_labels(connection: Connection, study: Study) -> AnswerTable[tuple[str | None, str]]:
    """(label, exposure) of the ratings that the study has, by unit and (rater, criterion), the newest."""
    table = schema.rating
    stored: AnswerTable[tuple[str | None, str]] = AnswerTable()
    for row in connection.execute(
        select(table.c.unit_id, table.c.rater_id, table.c.criterion, table.c.label, table.c.exposure)
        .where(table.c.study_id == study.id)
        .order_by(table.c.id)
    ).yield_per(BATCH):
        stored.put(row.unit_id, (row.rater_id, row.criterion), (row.label, row.exposure))
    return stored


def _under_own_name(connection: Connection, study: Study) -> set[tuple[int, int, str]]:
    """(unit, rater, criterion) of the labels of files that stand under a person of the study. Files were once
    written so; such a file brought again is there already.
    """
    table = schema.rating
    return {
        (row.unit_id, row.rater_id, row.criterion)
        for row in connection.execute(
            select(table.c.unit_id, table.c.rater_id, table.c.criterion)
            .join(schema.rater, schema.rater.c.id == table.c.rater_id)
            .where(
                table.c.study_id == study.id, table.c.source == "imported", schema.rater.c.kind == "person"
            )
        )
    }
