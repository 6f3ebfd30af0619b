"""What a file looks like that was brought in as something else, and where it belongs."""

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
# The words of the page Bring in for a kind of file, and the command of the terminal.
CONVERSATIONS = ("conversations", "Conversations", "conversations")
JUDGES_LABELS = ("a judge's labels", "A judge's labels", "judgements")
PEOPLES_LABELS = ("people's labels", "People's labels", "ratings")


def where_it_belongs(kind: tuple[str, str, str], because: str) -> str:
    """That a file looks like another kind, why, and where such a file is brought in."""
    name, on_page, command = kind
    return (
        f"this looks like {name}: {because}. Bring it in as such: on the page Bring in under “{on_page}”, in "
        f"a terminal with second-reader import {command}"
    )


def labels_sentence(columns: Collection[str]) -> str | None:
    """Where a file with these columns belongs if it holds labels; None where they are not those of labels."""
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
    return f"this looks like labels: {because}. Bring it in as a judge's labels, or as people's labels"


def table_header(path: Path) -> list[str]:
    """The names of columns on the first line of a file that is a table of cells; none where it looks like
    JSON.
    """
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
    """That a file of conversations is a table with these columns."""
    return labels_sentence(columns) or (
        "this looks like a table (CSV), and conversations come as JSONL or JSON with messages or turns, or "
        "as a table with a row a message. If it holds labels, bring it in as a judge's labels, people's "
        "labels or a wide table"
    )


def no_messages_sentence(fields: Mapping[str, Any]) -> str:
    """Why an object is no conversation, as far as the names of its fields say."""
    alike = column_like(fields, *TEXT_KEYS)
    if alike is not None:
        return rename_sentence(*alike)
    listed = ", ".join(map(str, list(fields)[:8])) or "nothing"
    return labels_sentence(fields.keys()) or f"there is neither messages nor turns; found: {listed}"


def without_conversations(
    rows: Iterable[tuple[int, dict[str, Any]]], report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file of labels up to the first that is a conversation, which the report says."""
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
