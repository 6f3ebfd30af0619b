"""The names of columns in a table of labels, and which columns are not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from data.importers.reading import shortened
from data.importers.report import ImportReport

OTHER_TURNS = (
    "turn_id",
    "turn_index",
    "turn_idx",
    "utterance_number",
    "utterance_index",
    "utterance_idx",
    "utterance_id",
    "utterance",
    "message_number",
    "message_index",
    "message_idx",
    "message_id",
    "message",
    "msg_index",
)  # read as a turn only if the cell holds a whole number
ALIASES = {
    "conversation_id": ("conversation_id", "conversation", "item_id", "id", "case_id"),
    "criterion": ("criterion", "criterion_id", "dimension", "strategy", "key"),
    "label": ("label", "answer", "score", "value", "verdict"),
    "rater": ("rater", "annotator", "clinician", "coder", "author"),
    "judge": ("judge", "judge_model"),
    "reasoning": ("reasoning", "rationale", "explanation", "reason"),
    "note": ("note", "comment"),
    "cited_turns": ("cited_turns", "cited", "turns"),
    "turn": ("turn", "turn_num", "turn_number", *OTHER_TURNS),
    "status": ("status",),
    "detail": ("detail", "error"),
    "replicate": ("replicate",),
    "round": ("round",),
    "at": ("at", "ts", "timestamp", "created_at"),
}
INTERNAL = ("except", "undeclared")  # fields that the readers of published forms add
MAX_COLUMNS_NAMED = 12  # in a notice


def field(row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field under any of its usual names; None if it is empty or missing."""
    for alias in ALIASES[name]:
        value = row.get(alias)
        if value is not None and value != "" and (alias not in OTHER_TURNS or is_whole(value)):
            return value
    return None


def column_like(row: Mapping[str, Any], *names: str) -> tuple[str, str] | None:
    """Return (column in the file, correct name) of the first column that differs from one of `names` only in
    capitals, blanks or hyphens; None if none does.
    """
    for column in row:
        plain = plain_name(column)
        if column not in names and plain in names:
            return str(column), plain
    return None


def plain_name(column: object) -> str:
    """Return a column name in lower case with underscores: "Conversation ID" becomes "conversation_id"."""
    return re.sub(r"[\s_-]+", "_", str(column).strip()).casefold()


def rename_sentence(column: str, name: str) -> str:
    """Return "the column is called 'COLUMN'; call it NAME"."""
    return f"the column is called {shortened(column)!r}; call it {name}"


def report_missing(name: str, line: int, row: Mapping[str, Any], report: ImportReport) -> None:
    """Report that a row lacks a required field: an empty cell with its line, a missing column once for all
    rows.
    """
    column = next((alias for alias in ALIASES[name] if alias in row), None)
    similar = column_like(row, *ALIASES[name])
    if column is not None:
        nothing = all(value is None or not str(value).strip() for value in row.values())
        report.error(line, f"the cell {column} is empty{', like the whole row' if nothing else ''}")
    elif similar is not None:
        report.error_of_rows(line, rename_sentence(*similar))
    else:
        report.error_of_rows(
            line, f"there is no {name}; found {', '.join(map(str, list(row)[:8])) or 'nothing'}"
        )


def is_whole(value: Any) -> bool:
    """Tell whether a cell holds a whole number, as an integer or as digits with or without "-"; False for
    5.0, "+5" and a Boolean.
    """
    if isinstance(value, str):
        digits = value.strip().removeprefix("-")
        return digits.isascii() and digits.isdigit()
    return isinstance(value, int) and not isinstance(value, bool)


def report_left_out(names: Iterable[str], why: str, report: ImportReport) -> None:
    """Report as one notice which columns are left out, if there are any: "left out, because WHY: a, b"."""
    listed = [shortened(str(name)) for name in names]
    more = f" and {len(listed) - MAX_COLUMNS_NAMED} more" if len(listed) > MAX_COLUMNS_NAMED else ""
    if listed:
        report.notice(0, f"left out, because {why}: {', '.join(listed[:MAX_COLUMNS_NAMED])}{more}")


class UnreadColumns:
    """Collects the columns that hold values but are read as none of `fields`."""

    def __init__(self, fields: Iterable[str], also: Iterable[str] = ()) -> None:
        self._fields, self._also = tuple(fields), {*INTERNAL, *also}
        self._shapes: dict[tuple[str, ...], tuple[list[str], list[list[str]]]] = {}
        self.names: dict[str, None] = {}

    def watch(self, rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows unchanged, and note the columns that hold values but are not read."""
        for line, row in rows:
            shape = tuple(row)
            if shape not in self._shapes:
                read = {alias for name in self._fields for alias in ALIASES[name]} | self._also
                several = [
                    [alias for alias in ALIASES[name] if alias in row and alias not in self._also]
                    for name in self._fields
                ]
                self._shapes[shape] = (
                    [name for name in shape if name not in read],
                    [names for names in several if len(names) > 1],
                )
            others, several = self._shapes[shape]
            unread = [name for name in others if row[name] not in (None, "")]
            for names in several:  # of two columns for the same the first is read
                unread += [name for name in names if row[name] not in (None, "")][1:]
            self.names.update(dict.fromkeys(unread))
            yield line, row

    def tell(self, report: ImportReport) -> None:
        """Report them as one notice, if there are any."""
        report_left_out(self.names, "these columns are not known", report)
