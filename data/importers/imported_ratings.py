"""Labels of people: conversation_id, rater, criterion, label, note. label_rows.py says what the rows are."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.columns import field, report_missing
from data.importers.imported_raters import NOBODY_SAME, ImportedRaters, SameRaters
from data.importers.label_rows import (
    RowAnswers,
    explain_unknown_label,
    moment_of_row,
    report_already_there,
    text_or_none,
    unread_columns,
    write_label_rows,
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
    of that name here; others of the same name are kept apart, and so are their labels in any case.
    """
    if exposure not in EXPOSURES:
        report.error(0, f"say what these raters had seen of the judge: {', '.join(EXPOSURES)}")
        return
    placer = UnitLookup(connection, study, report)
    givers = ImportedRaters(connection, entry, study, report, same_raters, source)
    table = schema.rating
    stored: dict[tuple[Any, ...], tuple[str | None, str]] = {
        tuple(row[:3]): (row.label, row.exposure)
        for row in connection.execute(
            select(table.c.rater_id, table.c.unit_id, table.c.criterion, table.c.label, table.c.exposure)
            .where(table.c.study_id == study.id)
            .order_by(table.c.id)
        )
    }
    # Files once wrote under the name of a person of the study; such a file brought again is there already.
    under_own_name = {
        tuple(row)
        for row in connection.execute(
            select(table.c.rater_id, table.c.unit_id, table.c.criterion)
            .join(schema.rater, schema.rater.c.id == table.c.rater_id)
            .where(
                table.c.study_id == study.id, table.c.source == "imported", schema.rater.c.kind == "person"
            )
        )
    }
    rows_to_write: list[dict[str, Any]] = []
    notes: list[str | None] = []
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
        own = (givers.person_id(str(name)), placed.unit.id, placed.criterion.id)
        if own in under_own_name:
            report_already_there("ratings", placed, stored[own][0], label, report)
            continue
        rater_id = givers.rater_id(str(name), line)
        if rater_id is None:
            continue
        identifier = (rater_id, placed.unit.id, placed.criterion.id)
        if answers.contradict(identifier, str(name), label, placed, report) or givers.counts_twice(
            str(name), identifier, stored, line
        ):
            continue
        if identifier in stored:
            before, shown = stored[identifier]
            report_already_there("ratings", placed, before, label, report)
            if shown != exposure:
                report.error(
                    line,
                    f"this rating is in the study as {shown!r}; what a rater had seen cannot be changed by "
                    f"importing again as {exposure!r}",
                )
            continue
        stored[identifier] = (label, exposure)
        if exposure != "blind" and stored.get(own, (None, ""))[1] == "blind":
            givers.note_blind_label(str(name))
        forced = study.instrument.forced_not_applicable(placed.criterion, placed.unit.turns)
        if forced and label != forced:
            report.notice(
                line,
                f"{placed.criterion.id} does not apply to a conversation of "
                f"{counted(placed.unit.turns, 'turns')}, but the file has {label}; kept as given",
            )
        notes.append(text_or_none(field(row, "note")))
        rows_to_write.append(
            {
                "event": str(uuid.uuid4()),
                "study_id": study.id,
                "rater_id": rater_id,
                "unit_id": placed.unit.id,
                "criterion": placed.criterion.id,
                "label": label,
                "source": "rule" if forced == label else "imported",
                "exposure": exposure,
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
                "at": moment_of_row(placed, report),
            }
        )
    givers.tell()
    if not report.errors:
        unread.tell(report)
        write_label_rows(connection, entry, schema.rating, rows_to_write, {"note": notes})
        report.added["ratings"] += len(rows_to_write)
