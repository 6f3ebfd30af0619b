"""Read the rows of any table: text with any separator, quoting and encoding, a sheet of a workbook, Parquet,
JSON or JSONL.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from openpyxl.utils import get_column_letter

from configs.files.plain_files import open_plain
from data.importers import reading
from data.importers.mapping.table_mapping import Reading
from data.importers.report import ImportReport
from data.importers.table_files import (
    BROKEN,
    CUT_OFF,
    LARGEST_CELL,
    cells_of_sheet,
    filled_sheets,
    is_cut_off,
    is_workbook,
)

SEPARATORS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-16", "cp1252", "mac_roman")
ROWS_LOOKED_AT = 60  # rows, to find the separator and the header
SAMPLE_BYTES = 1 << 18
MIN_HEADER_SHARE = 0.6  # of the most cells in a row
Cells = dict[int, str]  # by column number, from 1; empty cells are left out
Rows = Iterator[tuple[int, dict[str, str]]]


def is_json(path: Path) -> bool:
    """Tell whether the file holds JSON, JSONL or Parquet records, which name their columns in each row."""
    with open_plain(path) as stream:
        start = stream.read(4096)
    return start.startswith(b"PAR1") or start.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"[", b"{")


def sheet_names(path: Path) -> list[str]:
    """Return the titles of the sheets that are not empty; [] for another kind of file."""
    if not is_workbook(path):
        return []
    with filled_sheets(path, ImportReport(path.name)) as sheets:
        return [sheet.title for sheet in sheets]


def guess_reading(path: Path, sheet: str = "", encoding: str = "") -> Reading:
    """Return how a table is probably read. `sheet`, `encoding`: as stated; by default the first sheet, and
    the encoding that the bytes allow.
    """
    if is_json(path):
        return Reading()
    if is_workbook(path):
        sheet = sheet or next(iter(sheet_names(path)), "")
        first = list(islice(_cells(path, Reading(sheet=sheet), ImportReport(path.name)), ROWS_LOOKED_AT))
        return Reading(sheet=sheet, header=_find_header(first))
    encoding = encoding or _guess_encoding(path)
    by_separator = {
        separator: list(
            islice(
                _cells(path, Reading(encoding=encoding, separator=separator), ImportReport(path.name)),
                ROWS_LOOKED_AT,
            )
        )
        for separator in SEPARATORS
    }
    separator = max(SEPARATORS, key=lambda each: _regularity(by_separator[each]))
    return Reading(encoding=encoding, separator=separator, header=_find_header(by_separator[separator]))


def table_rows(path: Path, how: Reading, report: ImportReport) -> Rows:
    """Yield (line, cells by column name) of each row below the header that is not empty; an empty cell is "".

    A name that occurs twice gets a number, and a column without a name is called "column C". Problems go into
    the report.
    """
    if is_json(path):
        yield from _records(path, report)
        return
    names: dict[int, str] = {}
    separator = "" if is_workbook(path) else how.separator or ","
    for line, cells in _cells(path, how, report):
        if line < how.header:
            continue
        if line == how.header:
            names = name_columns(cells)
            continue
        if not names:
            break
        beyond = [column for column in cells if column not in names]
        if beyond and separator and max(beyond) > max(names):
            report.error_of_rows(
                line,
                f"there is a cell beyond the last column {names[max(names)]!r}. Put quotation marks around "
                f"texts that contain {separator!r}, or name the column",
            )
            continue
        names |= {column: _nameless(column) for column in beyond}
        yield line, {name: cells.get(column, "") for column, name in names.items()}
    if not names and not report.errors:
        report.error(how.header, f"line {how.header} has no column names; say which line has them")


def later_columns(path: Path) -> list[str]:
    """Return the columns of all rows of a JSON file, where later rows may have more fields than the first; []
    for another kind of table.
    """
    with open_plain(path) as stream:
        if stream.read(4) == b"PAR1" or not is_json(path):
            return []
    return list(dict.fromkeys(name for _, row in _records(path, ImportReport(path.name)) for name in row))


def name_columns(cells: Cells) -> dict[int, str]:
    """Return column number -> name, each name once."""
    names: dict[int, str] = {}
    times: Counter[str] = Counter()
    for column, text in sorted(cells.items()):
        name = " ".join(text.split()) or _nameless(column)
        times[name] += 1
        names[column] = name if times[name] == 1 else f"{name} ({times[name]})"
    return names


def _nameless(column: int) -> str:
    return f"column {get_column_letter(column)}"


def _cells(path: Path, how: Reading, report: ImportReport) -> Iterator[tuple[int, Cells]]:
    """Yield (line, cells) of each row that is not empty, the header and what is above it too."""
    if is_workbook(path):
        with filled_sheets(path, report) as sheets:
            sheet = next((each for each in sheets if each.title == how.sheet or not how.sheet), None)
            if sheet is None:
                if not report.errors:
                    report.error(0, f"the workbook has no sheet {how.sheet!r} with cells")
                return
            try:
                for line, texts in cells_of_sheet(sheet, report):
                    yield line, {column: text for column, text in texts.items() if text.strip()}
            except Exception:  # noqa: BLE001  a broken workbook may raise anything
                report.error(1, BROKEN)
        return
    if is_cut_off(path):
        report.error(0, CUT_OFF)
        return
    encoding = "utf-8-sig" if how.encoding in ("", "utf-8") else how.encoding
    with open_plain(path) as file, io.TextIOWrapper(file, encoding=encoding, newline="") as text:
        yield from _cells_of_text(text, file, how, report)


def _cells_of_text(
    text: TextIO, file: BinaryIO, how: Reading, report: ImportReport
) -> Iterator[tuple[int, Cells]]:
    rows = csv.reader(text, delimiter=how.separator or ",", strict=True)  # else an open quote takes all below
    begins, size = 1, os.fstat(file.fileno()).st_size
    try:
        for number, cells in enumerate(rows, start=1):
            if number % reading.TOLD == 0:
                report.tell(reading.READING, file.tell(), size)
            line, begins = begins, rows.line_num + 1
            filled = {column: cell for column, cell in enumerate(cells, start=1) if cell.strip()}
            if filled:
                yield line, filled
    except UnicodeError:
        report.error(begins, f"the file can't be read as {how.encoding or 'utf-8'}; choose another encoding")
    except csv.Error as error:
        long = "field larger than field limit" in str(error)
        report.error(begins, reading.TOO_LONG if long else f"the table can't be read: {error}")


def _records(path: Path, report: ImportReport) -> Rows:
    for line, value in reading.json_values(path, report):
        if not isinstance(value, dict):
            report.error(line, "this is not an object with fields, so it is no row of a table")
            return
        row = {str(name): _text(cell) for name, cell in value.items()}
        if any(len(cell) > LARGEST_CELL for cell in row.values()):
            report.error(line, reading.TOO_LONG)
        elif any(row.values()):
            yield line, row


def _text(value: Any) -> str:
    """Return a JSON value as a spreadsheet would write it; an object or list as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _guess_encoding(path: Path) -> str:
    with open_plain(path) as file:
        start = file.read(4)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(start)
            while part := file.read(SAMPLE_BYTES):
                decoder.decode(part)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


def _regularity(rows: Sequence[tuple[int, Cells]]) -> tuple[int, int]:
    """Return how many rows have the commonest number of columns, if that is above 1, and that number."""
    widths = Counter(max(cells) for _, cells in rows if len(cells) > 1)
    width, number = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return number, width


def _find_header(rows: Sequence[tuple[int, Cells]]) -> int:
    """Return the line of the first row that fills most of the table's columns with different texts."""
    most = max((len(cells) for _, cells in rows), default=0)
    for line, cells in rows:
        texts = [text.strip().casefold() for text in cells.values()]
        if len(cells) >= max(1, MIN_HEADER_SHARE * most) and (len(set(texts)) == len(texts) or most == 1):
            return line
    return rows[0][0] if rows else 1
