"""The columns of rows of labels, and those that are not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from data.importers import reading
from data.importers.reading import shortened
from data.importers.report import ImportReport

INTERNAL = ("except", "undeclared")  # fields that the readers of published forms add
MAX_COLUMNS_NAMED = 12  # in a notice
USE_A_MAPPING = (
    "Import the file as “A table”, where you say what each column means: on the page, or in a terminal with "
    "second-reader import file. Or delete the column, if it does not say who gave the labels"
)


def field(row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field; None if it is empty or missing."""
    value = row.get(name)
    return None if value == "" else value


def plain_name(column: object) -> str:
    """Return a column name in lower case with underscores: "Conversation ID" becomes "conversation_id"."""
    return re.sub(r"[\s_-]+", "_", str(column).strip()).casefold()


def report_missing(name: str, line: int, row: Mapping[str, Any], report: ImportReport) -> None:
    """Report that a row lacks a required field: an empty cell with its line, a missing column once for all
    rows.
    """
    if name in row:
        nothing = all(value is None or not str(value).strip() for value in row.values())
        report.error(line, f"the cell {name} is empty{', like the whole row' if nothing else ''}")
    else:
        names = ", ".join(shortened(str(column)) for column in list(row)[:8]) or "nothing"
        report.error_of_rows(line, f"there is no {name}; there are {names}")


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
    if listed := _listed(names):
        report.notice(0, f"left out, because {why}: {listed}")


def _listed(names: Iterable[str]) -> str:
    shown = [shortened(str(name)) for name in names]
    more = f" and {len(shown) - MAX_COLUMNS_NAMED} more" if len(shown) > MAX_COLUMNS_NAMED else ""
    return f"{', '.join(shown[:MAX_COLUMNS_NAMED])}{more}"


def labelled_rows(
    path: Path, needed: Iterable[str], report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, row) of a table. A table with nothing but a header has no row that could lack a column, so
    each name of `needed` that its header lacks is an error.
    """
    rows = reading.table_rows(path, report)
    first = next(rows, None)
    if first is not None:
        yield from chain((first,), rows)
    elif not report.errors and (header := reading.table_header(path)):
        for name in needed:
            if name not in header:
                report_missing(name, 1, dict.fromkeys(header), report)


def known_rows(
    rows: Iterable[tuple[int, Any]], fields: Iterable[str], report: ImportReport
) -> Iterator[tuple[int, Any]]:
    """Yield the rows that use only columns among `fields`, and rows that aren't objects. The first other row
    is an error and ends it: an unknown column may say who gave a label, so it is never left out in silence.
    """
    names, unknown = {*fields, *INTERNAL}, dict[tuple[str, ...], list[str]]()
    for line, row in rows:
        if not isinstance(row, dict):
            yield line, row
            continue
        shape = tuple(row)
        if shape not in unknown:
            unknown[shape] = [name for name in shape if name not in names]
        filled = [name for name in unknown[shape] if row[name] not in (None, "")]
        if filled:
            report.error(line, f"{_listed(filled)}: unknown here. {USE_A_MAPPING}")
            return
        yield line, row
