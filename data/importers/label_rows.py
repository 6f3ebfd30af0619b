"""What rows of labels by judges and by people have in common: one row per criterion, as JSONL or CSV; `turn`
names a unit inside a conversation.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Table

from data.importers.answer_table import AnswerTable
from data.importers.columns import field, known_rows
from data.importers.report import ImportReport
from data.importers.turns import TEXT_COLUMNS
from data.importers.unit_lookup import UnitRow
from data.record import conversations
from data.record.studies import Study
from data.store import content
from data.store.trail import TrailEntry

BATCH = 1000  # rows written at a time


def known_label_rows(
    rows: Iterable[tuple[int, dict[str, Any]]], study: Study, fields: Sequence[str], report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows as `known_rows` does; only where replies are rated are turn and text known."""
    of_replies = () if study.instrument.unit == "conversation" else ("turn", *TEXT_COLUMNS)
    return known_rows(rows, (*fields, *of_replies), report)


class RowAnswers:
    """The answers of a file so far, to find two different answers to one question."""

    def __init__(self) -> None:
        self._first: AnswerTable[Hashable] = AnswerTable()

    def contradict(
        self, question: Hashable, giver: str, answer: Hashable, placed: UnitRow, report: ImportReport
    ) -> bool:
        """Tell whether the rater or judge `giver` answered this question differently on an earlier line, and
        report that as an error.
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
            f"{placed.criterion.id} of this conversation has a different answer by {giver} on line {line}. "
            "If several people or judges gave the answers, add a column that says who",
        )
        return True


def explain_unknown_label(placed: UnitRow, study: Study) -> str:
    """Return "'CELL' is not a label of CRITERION; use 0 (not at all), 1 (partly)", with all labels of the
    scale.
    """
    scale = study.instrument.scale_of(placed.criterion)
    listed = ", ".join(
        level.id if level.id == level.name else f"{level.id} ({level.name})" for level in scale.labels()
    )
    return f"{str(field(placed.row, 'label'))!r} is not a label of {placed.criterion.id}; use {listed}"


def moment_of_row(placed: UnitRow, report: ImportReport) -> str | None:
    """Return when the label was given, as an ISO time in UTC; None if the row doesn't say, so that the time
    of the import counts.
    """
    text = text_or_none(field(placed.row, "at"))
    at = moment_of(text)
    if text is not None and at is None:
        report.notice(
            placed.line,
            f"{text[:40]!r} is not a date or time such as 2026-03-01 or 2026-03-01T09:30:00+01:00, so the "
            "time of this label is not kept",
        )
    return at


def moment_of(text: str | None) -> str | None:
    """Return an ISO date or time in UTC with milliseconds; None for None or any other text.

    A date is its first moment, a time without zone counts as UTC: "2026-01-02" becomes
    "2026-01-02T00:00:00.000+00:00".
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
    "labels that are already in the study stay unchanged. Import the file again to see whether it differs, "
    "once nobody rates this study blind any more"
)


def report_already_there(
    what: str, placed: UnitRow, before: str | None, label: str | None, report: ImportReport, hidden: bool
) -> None:
    """Count a row that the study holds already under `what`, and report if its `label` differs from `before`.

    Args:
        hidden: somebody rates the study blind, so every such row gets the same notice.
    """
    report.already[what] += 1
    if hidden:
        report.notice_of_rows(placed.line, STAY)
    elif before != label:
        report.notice(
            placed.line,
            f"{placed.criterion.id} already has another answer; the first was kept and this one left out",
        )


class LabelWriter:
    """Writes rows of labels in batches, so that memory doesn't grow with the file.

    After an error nothing more is written, and the caller rolls back. Texts about erased conversations are
    not kept. `text_column`: the free text of a row, such as "note".
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
        self._left_out: list[int] = []  # lines whose text is not kept

    def add(self, line: int, row: dict[str, Any], text: str | None, conversation_id: int) -> None:
        """Add a row; `conversation_id` is that of its unit."""
        self._lines.append(line)
        self._rows.append(row)
        self._texts.append(text)
        self._conversations.append(conversation_id)
        if len(self._rows) >= BATCH:
            self.write_held()

    def finish(self) -> None:
        """Write the remaining rows, and report which texts were not kept."""
        self.write_held()
        for line in self._left_out:
            self._report.notice_of_rows(
                line,
                f"the conversation was erased, so the {self._text_column} is not kept",
                "the label is kept",
            )

    def write_held(self) -> None:
        """Write the rows added since the last batch."""
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
    """Return the cell as text, 0 as "0"; None for None or ""."""
    return str(value) if value not in (None, "") else None
