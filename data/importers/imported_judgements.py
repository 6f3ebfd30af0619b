"""Import labels of judges: conversation_id, criterion, label (or status and detail for a failed call),
reasoning, cited_turns, judge, replicate, round. label_rows.py describes the rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from data import schema
from data.access.permissions import somebody_rates_blind
from data.importers.answer_table import AnswerTable
from data.importers.asked_paths import check_judgements
from data.importers.columns import field
from data.importers.imported_judges import ImportedJudges
from data.importers.label_rows import (
    BATCH,
    LabelWriter,
    RowAnswers,
    explain_unknown_label,
    known_label_rows,
    moment_of_row,
    report_already_there,
)
from data.importers.reading import shortened
from data.importers.report import ImportReport, counted
from data.importers.turns import TurnCount
from data.importers.unit_lookup import UnitLookup, UnitRow
from data.record.asked_questions import asked_in_unit
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.schema.vocabulary import JudgementOrigin
from data.store.trail import TrailEntry
from scoring.drift.anchor_answers import ANSWERS
from scoring.judges.statuses import FAILURES

JUDGEMENT_FIELDS = (
    "conversation_id",
    "criterion",
    "label",
    "judge",
    "reasoning",
    "cited_turns",
    "status",
    "detail",
    "replicate",
    "round",
    "at",
)

INVALID = "invalid"  # status: the cell holds something that is not a label
MAX_TEXTS_NAMED = 6  # in an error


def add_judgements(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    rows: Iterable[tuple[int, dict[str, Any]]],
    report: ImportReport,
    identity: JudgeIdentity,
    file: str,
    turns: TurnCount | None = None,
) -> None:
    """Write the judgements of a file. A row without a readable label becomes a failure, never a label.

    The caller rolls back if the report has errors.

    Args:
        turns: what turn numbers count; None if not stated.
    """
    placer = UnitLookup(connection, study, report)
    stored, hidden = _stored_labels(connection, study), somebody_rates_blind(connection, study)
    judges = ImportedJudges(connection, entry, study, report, identity)
    writer = LabelWriter(connection, entry, schema.judgement, "reasoning", report)
    labels = failures = 0
    answers = RowAnswers()
    label_rows = known_label_rows(rows, study, JUDGEMENT_FIELDS, report)
    unreadable = _UnreadableLabels()
    empty: list[UnitRow] = []  # read last: the other answers decide whether the question was asked
    not_asked = 0
    first = (each for line, row in placer.settle_turns(label_rows, turns) for each in placer.place(line, row))
    for placed, comes_last in chain(zip(first, repeat(False)), zip(empty, repeat(True))):
        row = placed.row
        name = str(field(row, "judge") or identity.name)
        judge_id = judges.judge_id(name, placed.line)
        if judge_id is None:
            continue
        asking = _asking(placed, report)
        if asking is None:
            continue
        if study.instrument.conditional and _is_empty_cell(row):
            if not comes_last:
                empty.append(placed)
                continue
            if not _is_asked(study, stored, placed, judge_id, asking):
                not_asked += 1
                continue
        status, label = _verdict(placed, study, report)
        if status is None:
            continue
        question = (judge_id, placed.criterion.id, *asking)
        if answers.contradict(question, name, (status, label), placed, report):
            continue
        before = stored.get(placed.unit.id, question)
        if before is not None and not (before[0].is_unreadable and status == "ok"):
            report_already_there("judgements", placed, before[0].label, label, report, hidden)
            continue
        stored.put(placed.unit.id, question, _Stored(label, False))
        reasoning = (
            field(row, "reasoning") if status == "ok" else (field(row, "detail") or field(row, "reasoning"))
        )
        labels, failures = labels + (status == "ok"), failures + (status != "ok")
        unreadable.note(placed, status)
        writer.add(
            placed.line,
            {
                "study_id": study.id,
                "unit_id": placed.unit.id,
                "judge_id": judge_id,
                "criterion": placed.criterion.id,
                "status": status,
                "label": label,
                "cited": json.dumps(cited) if (cited := _cited(field(row, "cited_turns"))) else "[]",
                "anchor_round": asking[0],
                "replicate": asking[1],
                "origin": JudgementOrigin.IMPORT,
                "file": file,
                "at": moment_of_row(placed, report),
            },
            str(reasoning) if reasoning else None,
            placed.unit.conversation_id,
        )
    unreadable.refuse_where_all(labels, study, report)
    if not report.errors:
        writer.finish()
        check_judgements(connection, study, report)
        if not_asked:
            report.notice(
                0,
                f"left out: {counted(not_asked, 'empty cells')} of questions that are not asked after the "
                "other answers; these are not failures",
            )
        report.added["judgements"] += labels
        if failures:
            report.added["failed judge calls"] += failures


class _Stored(NamedTuple):
    """`label`: None for a failure. `is_unreadable`: an imported cell held no label, so a later file may
    replace it.
    """

    label: str | None
    is_unreadable: bool


def _stored_labels(connection: Connection, study: Study) -> AnswerTable[_Stored]:
    """Return the study's latest judgements, by unit and (judge, criterion, round, replicate)."""
    table = schema.judgement
    stored: AnswerTable[_Stored] = AnswerTable()
    for row in connection.execute(
        select(
            table.c.unit_id,
            table.c.label,
            table.c.status,
            table.c.origin,
            table.c.judge_id,
            table.c.criterion,
            table.c.anchor_round,
            table.c.replicate,
        )
        .where(table.c.study_id == study.id)
        .order_by(table.c.id)
    ).yield_per(BATCH):
        unit_id, label, status, origin, *question = row
        unreadable = status == INVALID and origin == JudgementOrigin.IMPORT
        stored.put(unit_id, tuple(question), _Stored(label, unreadable))
    return stored


class _UnreadableLabels:
    """Collects cells that hold something other than a label."""

    def __init__(self) -> None:
        self._first: UnitRow | None = None
        self._texts: dict[str, None] = {}

    def note(self, placed: UnitRow, status: str) -> None:
        if status == INVALID and field(placed.row, "status") is None:
            self._first = self._first or placed
            if len(self._texts) < MAX_TEXTS_NAMED:
                self._texts[shortened(str(field(placed.row, "label")))] = None

    def refuse_where_all(self, labels: int, study: Study, report: ImportReport) -> None:
        """Report an error if the file has such cells and not one label: it must use other names for them."""
        if self._first is None or labels:
            return
        criterion = self._first.criterion
        possible = ", ".join(level.id for level in study.instrument.scale_of(criterion).labels())
        report.error(
            self._first.line,
            f"no row holds a label of {study.instrument.title}: found {', '.join(self._texts)}; the labels "
            f"of {criterion.id} are {possible}. Use these labels, and import the file again",
        )


def _asking(placed: UnitRow, report: ImportReport) -> tuple[int, int] | None:
    """Return (anchor round, replicate): round 0 for a question of the study, replicates from 0; None after an
    error.
    """
    replicate, number = (
        _integer(field(placed.row, "replicate") or 0),
        _integer(field(placed.row, "round") or 0),
    )
    if not 0 <= replicate <= 1_000_000:
        report.error(
            placed.line, f"the replicate {str(field(placed.row, 'replicate'))!r} is not a whole number from 0"
        )
        return None
    if number == 0:
        return 0, replicate
    if not 0 < number <= 10_000 or replicate >= ANSWERS:
        report.error(
            placed.line,
            f"a round of anchors is a number from 1, and its replicates are numbered 0 to {ANSWERS - 1}",
        )
        return None
    return number, replicate


def _is_empty_cell(row: Mapping[str, Any]) -> bool:
    return "label" in row and field(row, "label") is None and field(row, "status") is None


def _is_asked(
    study: Study,
    stored: AnswerTable[_Stored],
    placed: UnitRow,
    judge_id: int,
    asking: tuple[int, int],
) -> bool:
    """Tell whether the question is asked after the judge's other answers; on anchors every question is
    asked.
    """
    labels: dict[str, str | None] = {}
    for criterion in placed.unit.criteria(study):
        answer = stored.get(placed.unit.id, (judge_id, criterion.id, *asking))
        labels[criterion.id] = answer[0].label if answer is not None else None
    return asking[0] > 0 or placed.criterion.id in asked_in_unit(study, placed.unit, labels)


def _verdict(placed: UnitRow, study: Study, report: ImportReport) -> tuple[str | None, str | None]:
    status = str(field(placed.row, "status") or "").strip().lower()
    raw = field(placed.row, "label")
    if status and status not in {"ok", *FAILURES}:
        report.error(placed.line, f"the status {status!r} is unknown; use ok, {', '.join(FAILURES)}")
        return None, None
    if status not in {"", "ok"}:
        return status, None
    if raw is None:
        _tell_missing(placed, study, report)
        return "missing", None
    if str(raw).strip().upper() == "ERROR":
        return "failed", None
    label = study.instrument.scale_of(placed.criterion).label(raw)
    if label is None:
        report.notice(placed.line, explain_unknown_label(placed, study), "kept as an unreadable reply")
        return INVALID, None
    return "ok", label


def _tell_missing(placed: UnitRow, study: Study, report: ImportReport) -> None:
    """Report as a notice that a row has no label."""
    labels = ", ".join(level.id for level in study.instrument.scale_of(placed.criterion).labels())
    if "label" in placed.row:
        report.notice(
            placed.line,
            f"label of {placed.criterion.id}: empty. Expected one of {labels}",
            "kept as a failure of the judge",
        )
    else:
        report.notice_of_rows(
            placed.line,
            f"there is no label; there are {', '.join(map(str, list(placed.row)[:8]))}",
            "kept as a failure of the judge",
        )


def _cited(value: Any) -> list[int]:
    if isinstance(value, str):
        value = [part for part in value.replace(";", ",").split(",") if part.strip()]
    return [_integer(part) for part in value if _integer(part) > 0] if isinstance(value, list) else []


def _integer(value: Any) -> int:
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return -1
