"""Recognise a file that is imported as the wrong kind, and say where it belongs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from configs.files.plain_files import open_plain
from data.importers.columns import ALIASES, column_like, field, rename_sentence
from data.importers.label_givers import JUDGED, is_of_people
from data.importers.report import ImportReport
from data.importers.table_files import TABLES, is_workbook, workbook_rows

TEXT_KEYS = ("messages", "turns", "exchanges", "conversation", "conversations")
COLUMN = re.compile(r'"?[\w .-]+"?')
LONGEST_HEADER = 65_536  # bytes
# A kind of file: in a sentence, on the Import page, and as a command.
CONVERSATIONS = ("conversations", "Conversations", "conversations")
JUDGES_LABELS = ("a judge's labels", "A judge's labels", "judgements")
PEOPLES_LABELS = ("people's labels", "People's labels", "ratings")


def where_it_belongs(kind: tuple[str, str, str], because: str) -> str:
    """Return "this looks like NAME: BECAUSE. Import it as such: on the Import page under “PAGE”, in a
    terminal with second-reader import COMMAND"; `kind` holds NAME, PAGE and COMMAND.
    """
    name, on_page, command = kind
    return (
        f"this looks like {name}: {because}. Import it as such: on the Import page under “{on_page}”, in a "
        f"terminal with second-reader import {command}"
    )


def labels_sentence(columns: Collection[str]) -> str | None:
    """Return which kind of labels a file with these columns seems to hold, and how to import it.

    None unless the columns name a criterion and a label or status, in any letter case. Labels are people's
    if a column names a rater, else a judge's if one belongs to a judge; otherwise the sentence leaves it
    open.
    """
    plain = {str(column).strip().casefold() for column in columns}
    if not plain & set(ALIASES["criterion"]) or not plain & {*ALIASES["label"], "status"}:
        return None
    people = plain & set(ALIASES["rater"]) or any(is_of_people(column) for column in plain)
    criterion = next(name for name in ALIASES["criterion"] if name in plain)
    because = f"it has {criterion} and a label, and no messages"
    if people:
        return where_it_belongs(PEOPLES_LABELS, because)
    if plain & {name for names in JUDGED for name in names}:
        return where_it_belongs(JUDGES_LABELS, because)
    return f"this looks like labels: {because}. Import it as a judge's labels or as people's labels"


def table_header(path: Path) -> list[str]:
    """Return the column names of a table's first line; empty if the file looks like JSON."""
    if is_workbook(path):
        first = next(workbook_rows(path, ImportReport(path.name)), None)
        return list(first[1]) if first else []
    with open_plain(path) as stream:
        start = stream.read(LONGEST_HEADER).decode("utf-8-sig", "replace").lstrip()
    header = start.splitlines()[0] if start else ""
    delimiter = max(",;\t", key=header.count)
    if not header or header[0] in "[{":
        return []
    names = [name.strip() for name in header.split(delimiter)]
    if path.suffix.lower() in TABLES or (len(names) > 1 and all(map(COLUMN.fullmatch, names))):
        return [name.strip('"') for name in names]
    return []


def table_sentence(columns: Collection[str]) -> str:
    """Return why a table with these columns can't be read as JSON conversations: `labels_sentence`, else
    that it looks like a table (CSV) and what conversations must be.
    """
    return labels_sentence(columns) or (
        "this looks like a table (CSV). Conversations must be JSONL or JSON with messages or turns, or a "
        "table with one row per message. If it holds labels, import it as a judge's labels, people's labels "
        "or a wide table"
    )


def no_messages_sentence(fields: Mapping[str, Any]) -> str:
    """Return why an object with these fields is not a conversation.

    The first that applies: a field is spelled almost like one of messages, and how to rename it;
    `labels_sentence`; else "there are no messages or turns; found a, b" with at most 8 fields, "nothing"
    for none.
    """
    alike = column_like(fields, *TEXT_KEYS)
    if alike is not None:
        return rename_sentence(*alike)
    listed = ", ".join(map(str, list(fields)[:8])) or "nothing"
    return labels_sentence(fields.keys()) or f"there are no messages or turns; found {listed}"


def without_conversations(
    rows: Iterable[tuple[int, dict[str, Any]]], report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a file of labels; stop with an error at the first that is a conversation."""
    for line, row in rows:
        words = _messages_field(row)
        if (
            words is not None
            and field(row, "criterion") is None
            and not column_like(row, *ALIASES["criterion"])
        ):
            report.error(line, where_it_belongs(CONVERSATIONS, f"it has {words} and no criterion"))
            return
        yield line, row


def _messages_field(row: Mapping[str, Any]) -> str | None:
    for name in TEXT_KEYS:
        value = row.get(name)
        if (isinstance(value, list) and value) or (
            isinstance(value, str) and value.lstrip().startswith("[{")
        ):
            return name
    return None
