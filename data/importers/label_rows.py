"""What rows of labels have in common, a judge's and a person's, as JSONL or CSV: one row a criterion.

A unit inside a conversation is named by `turn`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Table

from data.importers.answer_table import AnswerTable
from data.importers.columns import UnreadColumns, field
from data.importers.report import ImportReport
from data.importers.turns import TEXT_COLUMNS
from data.importers.unit_lookup import UnitRow
from data.record import conversations
from data.record.studies import Study
from data.store import content
from data.store.trail import TrailEntry

BATCH = 1000  # rows that are held before they are written


def unread_columns(study: Study, fields: Sequence[str]) -> UnreadColumns:
    """In a study of whole conversations nothing is read of a turn or its text."""
    return (
        UnreadColumns(fields)
        if study.instrument.unit == "conversation"
        else UnreadColumns((*fields, "turn"), TEXT_COLUMNS)
    )


class RowAnswers:
    """What the rows of one file answered so far. Of two answers to one question the first would win by its
    place in the file alone.
    """

    def __init__(self) -> None:
        self._first: AnswerTable[Hashable] = AnswerTable()

    def contradict(
        self, question: Hashable, giver: str, answer: Hashable, placed: UnitRow, report: ImportReport
    ) -> bool:
        """Whether `giver`, the same rater or judge, answered this question about the unit otherwise on a line
        before; then an error names them and both lines.
        """
        first = self._first.get(placed.unit.id, question)
        if first is None:
            self._first.put(placed.unit.id, question, answer, placed.line)
            return False
        before, line = first
        if before == answer:
            return False
        report.error(
            placed.line,
            f"{placed.criterion.id} of this conversation has another answer of {giver} on line {line}. "
            "Nobody gives two answers to one question: "
            "if several people or judges gave them, a column must say who",
        )
        return True


def explain_unknown_label(placed: UnitRow, study: Study) -> str:
    """That the cell of the label holds none of the criterion's labels, and which there are."""
    scale = study.instrument.scale_of(placed.criterion)
    listed = ", ".join(
        level.id if level.id == level.name else f"{level.id} ({level.name})" for level in scale.labels()
    )
    return f"{str(field(placed.row, 'label'))!r} is not a label of {placed.criterion.id}; there are {listed}"


def moment_of_row(placed: UnitRow, report: ImportReport) -> str | None:
    """When it was said; None where it is not told: then it is the import's."""
    text = text_or_none(field(placed.row, "at"))
    at = moment_of(text)
    if text is not None and at is None:
        report.notice(
            placed.line,
            f"{text[:40]!r} is no moment such as 2026-03-01 or 2026-03-01T09:30:00+01:00, so when this was "
            "said is not kept",
        )
    return at


def moment_of(text: str | None) -> str | None:
    """An ISO date or moment in UTC as the store writes it; a date without a time is its first moment. None
    where it is neither.
    """
    try:
        at = datetime.fromisoformat(text or "")
        return (
            (at.replace(tzinfo=UTC) if at.tzinfo is None else at)
            .astimezone(UTC)
            .isoformat(timespec="milliseconds")
        )
    except (ValueError, OverflowError):
        return None


STAY = (
    "labels that are there already stay as they were imported first. Whether this file differs from them is "
    "told once nobody rates this study blind any more"
)


def report_already_there(
    what: str, placed: UnitRow, before: str | None, label: str | None, report: ImportReport, hidden: bool
) -> None:
    """Count the row under `what`, and say so where its answer, `label`, is another than `before`. `hidden`:
    somebody rates the study blind, so every such row gets the same words.
    """
    report.already[what] += 1
    if hidden:
        report.notice_of_rows(placed.line, STAY)
    elif before != label:
        report.notice(
            placed.line,
            f"{placed.criterion.id} is there already with another answer; the first was kept and this one "
            "left out",
        )


class LabelWriter:
    """Writes rows of labels in parts, so that memory does not grow with the file. After an error nothing more
    is written: the caller takes back what was. What a file says about an erased conversation is not kept.

    `text_column`: of their free text, such as "note".
    """

    def __init__(
        self,
        connection: Connection,
        entry: TrailEntry,
        table: Table,
        text_column: str,
        report: ImportReport,
    ) -> None:
        self._connection, self._entry, self._table = connection, entry, table
        self._text_column, self._report = text_column, report
        self._rows: list[dict[str, Any]] = []
        self._texts: list[str | None] = []
        self._conversations: list[int] = []
        self._lines: list[int] = []
        self._left_out: list[int] = []  # lines of texts that are not kept

    def add(self, line: int, row: dict[str, Any], text: str | None, conversation_id: int) -> None:
        """`conversation_id`: of the unit that the row is about."""
        self._lines.append(line)
        self._rows.append(row)
        self._texts.append(text)
        self._conversations.append(conversation_id)
        if len(self._rows) >= BATCH:
            self.write_held()

    def finish(self) -> None:
        """Write what is left, and tell what was not kept."""
        self.write_held()
        for line in self._left_out:
            self._report.notice_of_rows(
                line, f"the conversation was erased, so the {self._text_column} is not kept", "the label is"
            )

    def write_held(self) -> None:
        """Write the rows that are held."""
        if not self._report.errors:
            self._leave_out_erased()
            about = zip(self._texts, self._conversations, strict=True)
            texts = [(text, conversation_id) for text, conversation_id in about if text]
            stored_texts = iter(content.put_many(self._connection, texts))
            name = self._text_column
            for row, text in zip(self._rows, self._texts, strict=True):
                row[f"{name}_content"], row[f"{name}_mac"] = next(stored_texts) if text else (None, None)
            self._entry.write_many(self._table, self._rows)
        self._lines, self._rows, self._texts, self._conversations = [], [], [], []

    def _leave_out_erased(self) -> None:
        erased = conversations.find_erased(self._connection, set(self._conversations))
        for number, conversation_id in enumerate(self._conversations):
            if conversation_id in erased and self._texts[number]:
                self._texts[number] = None
                self._left_out.append(self._lines[number])


def text_or_none(value: Any) -> str | None:
    """The text of a cell; None where it is empty."""
    return str(value) if value not in (None, "") else None
