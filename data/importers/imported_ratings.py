"""Import labels of people: conversation_id, rater, criterion, label, note. label_rows.py describes the
rows.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.access.permissions import somebody_rates_blind
from data.importers.answer_table import AnswerTable
from data.importers.asked_paths import check_ratings
from data.importers.columns import field, report_missing
from data.importers.imported_raters import NOBODY_SAME, ImportedRaters, SameRaters
from data.importers.label_rows import (
    BATCH,
    LabelWriter,
    RowAnswers,
    explain_unknown_label,
    known_label_rows,
    moment_of_row,
    report_already_there,
    text_or_none,
)
from data.importers.report import ImportReport, counted
from data.importers.turns import TurnCount
from data.importers.unit_lookup import UnitLookup, UnitRow
from data.record.studies import Study
from data.store import content
from data.store.errors import Refused
from data.store.trail import TrailEntry

RATING_FIELDS = ("conversation_id", "criterion", "label", "rater", "note", "at")
EXPOSURES = ("blind", "judge_visible", "unknown")


@dataclass(frozen=True)
class RatingProvenance:
    """What is stated about a file of ratings.

    `exposure`: what the raters had been shown of the judge, one of EXPOSURES. `source`: where the ratings
    come from. `turns`: what turn numbers count; None if not stated. `same_raters`: the names that are raters
    of this study; all other names are kept as other people.
    """

    exposure: str
    source: str
    turns: TurnCount | None = None
    same_raters: SameRaters = NOBODY_SAME


def require_exposure(answers: Mapping[str, Any]) -> None:
    """Raise Refused unless the answers say what the people had seen, and how that is known."""
    if answers.get("exposure") is None or not str(answers.get("source") or "").strip():
        raise Refused("exposure_missing")


def add_ratings(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    rows: Iterable[tuple[int, dict[str, Any]]],
    report: ImportReport,
    provenance: RatingProvenance,
) -> None:
    """Write the ratings of a file. The caller rolls back if the report has errors."""
    if provenance.exposure not in EXPOSURES:
        report.error(0, f"say what these raters had seen of the judge: {', '.join(EXPOSURES)}")
        return
    lookup = UnitLookup(connection, study, report)
    ratings = _RatingRows(connection, entry, study, report, provenance)
    label_rows = known_label_rows(rows, study, RATING_FIELDS, report)
    for line, row in lookup.settle_turns(label_rows, provenance.turns):
        for placed in lookup.place(line, row):
            ratings.add(placed)
    ratings.tell_of_raters()
    if not report.errors:
        ratings.finish()
        check_ratings(connection, study, report)


class _RatingRows:
    """Checks the rows of a file one by one against earlier rows and the study."""

    def __init__(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        report: ImportReport,
        provenance: RatingProvenance,
    ) -> None:
        self._connection = connection
        self._study, self._report, self._exposure = study, report, provenance.exposure
        self._raters = ImportedRaters(
            connection, entry, study, report, provenance.same_raters, provenance.source
        )
        self._stored = _stored_labels(connection, study)
        self._hidden = somebody_rates_blind(connection, study)
        self._under_own_name = _under_own_name(connection, study)
        self._writer = LabelWriter(connection, entry, schema.rating, "note", report)
        self._answers = RowAnswers()
        self._added = 0

    def add(self, placed: UnitRow) -> None:
        """Keep the rating of one row unless the study has it; problems go into the report."""
        name = field(placed.row, "rater")
        if name is None:
            report_missing("rater", placed.line, placed.row, self._report)
            return
        label = self._read_label(placed)
        if label is None:
            return
        unit_id, criterion = placed.unit.id, placed.criterion.id
        own = (self._raters.person_id(str(name)), criterion)
        own_label = self._stored.get(unit_id, own)
        if own_label is not None and (unit_id, *own) in self._under_own_name:
            report_already_there("ratings", placed, own_label[0][0], label, self._report, self._hidden)
            return
        rater_id = self._raters.rater_id(str(name), placed.line)
        if rater_id is None:
            return
        forced = self._study.instrument.forced_not_applicable(placed.criterion, placed.unit.turns)
        if label != forced:
            self._raters.compare_label(str(name), unit_id, criterion, label)
        question = (rater_id, criterion)
        if self._answers.contradict(question, str(name), label, placed, self._report):
            return
        if self._raters.counts_twice(str(name), unit_id, criterion, self._stored, placed.line):
            return
        if self._is_there(placed, question, label):
            return
        self._stored.put(unit_id, question, (label, self._exposure))
        if self._exposure != "blind" and own_label is not None and own_label[0][1] == "blind":
            self._raters.note_blind_label(str(name))
        self._write(placed, rater_id, label, forced)

    def tell_of_raters(self) -> None:
        """Report what was noted about names, after the last row."""
        self._raters.tell()

    def finish(self) -> None:
        """Write the remaining rows, and count what was added."""
        self._writer.finish()
        self._report.added["ratings"] += self._added

    def _read_label(self, placed: UnitRow) -> str | None:
        """Return the label; None if the cell is empty or holds another text, which is reported."""
        text = field(placed.row, "label")
        label = self._study.instrument.scale_of(placed.criterion).label(text)
        if label is None and text is None:
            report_missing("label", placed.line, placed.row, self._report)
        elif label is None:
            self._report.error(placed.line, explain_unknown_label(placed, self._study))
        elif label not in [level.id for level in self._study.instrument.permitted(placed.criterion)]:
            self._report.notice_of_rows(
                placed.line,
                f"{label} for {placed.criterion.id} was kept, although raters can't choose it here",
            )
        return label

    def _is_there(self, placed: UnitRow, question: tuple[int, str], label: str) -> bool:
        """Tell whether the study or an earlier row has this rating; report what differs."""
        stored_label = self._stored.get(placed.unit.id, question)
        if stored_label is None:
            return False
        before, exposure_before = stored_label[0]
        report_already_there("ratings", placed, before, label, self._report, self._hidden)
        note = text_or_none(field(placed.row, "note"))
        if note is not None and (self._hidden or not self._has_note(placed, question, note)):
            self._report.notice_of_rows(
                placed.line, "the study has this label already, so this note was left out"
            )
        if exposure_before != self._exposure and not self._hidden:
            self._report.error(
                placed.line,
                f"the study has this rating as {exposure_before!r}; importing it again as "
                f"{self._exposure!r} can't change what the rater had seen",
            )
        return True

    def _has_note(self, placed: UnitRow, question: tuple[int, str], note: str) -> bool:
        """Tell whether a stored label of this question has the note."""
        self._writer.write_held()
        rating, (rater_id, criterion) = schema.rating, question
        rows = self._connection.execute(
            select(rating.c.note_content, rating.c.note_mac).where(
                rating.c.rater_id == rater_id,
                rating.c.unit_id == placed.unit.id,
                rating.c.criterion == criterion,
                rating.c.note_content.is_not(None),
            )
        )
        return any(content.same(self._connection, *row, note) for row in rows)

    def _write(self, placed: UnitRow, rater_id: int, label: str, forced: str | None) -> None:
        if forced and label != forced:
            self._report.notice(
                placed.line,
                f"{placed.criterion.id} does not apply to a conversation of "
                f"{counted(placed.unit.turns, 'turns')}, but the file has {label}",
                "kept as given",
            )
        self._added += 1
        self._writer.add(
            placed.line,
            {
                "event": str(uuid.uuid4()),
                "study_id": self._study.id,
                "rater_id": rater_id,
                "unit_id": placed.unit.id,
                "criterion": placed.criterion.id,
                "label": label,
                "source": "rule" if forced == label else "imported",
                "exposure": self._exposure,
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
                "at": moment_of_row(placed, self._report),
            },
            text_or_none(field(placed.row, "note")),
            placed.unit.conversation_id,
        )


def _stored_labels(connection: Connection, study: Study) -> AnswerTable[tuple[str | None, str]]:
    """Return (label, exposure) of the study's latest ratings, by unit and (rater, criterion)."""
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
    """Return (unit, rater, criterion) of imported labels stored under a person of the study, as earlier
    versions did.
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
