"""Read Excel workbooks and Parquet files as the same rows as CSV and JSONL."""

from __future__ import annotations

import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from math import isnan
from pathlib import Path
from typing import Any

from configs.files.plain_files import open_plain
from data.importers.report import ImportReport
from words.plurals import inflect

TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm")  # tables of cells
ZIP, PARQUET = b"PK\x03\x04", b"PAR1"
LARGEST = 1 << 28  # bytes of an unpacked workbook: a small file may unpack to more than the memory
LARGEST_CELL = 10_000_000  # characters
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384  # the limits of spreadsheet programs
BROKEN = "the workbook can't be read; save the sheet as CSV (UTF-8) and import that"
CUT_OFF = "the workbook (or zip file) is damaged or incomplete; download it again, or save it again"
ROWS_READ = 20  # at a time from a Parquet file, because a row may hold long texts
TOLD = 50


def is_workbook(path: Path) -> bool:
    """Tell whether the file is an .xlsx workbook of Excel or LibreOffice, whatever its name."""
    return "xl/workbook.xml" in zip_names(path)


def zip_names(path: Path) -> list[str]:
    """Return the names of the files in a zip file; empty if it is not a zip file."""
    with open_plain(path) as stream:
        if stream.read(len(ZIP)) != ZIP:
            return []
        try:
            with zipfile.ZipFile(stream) as archive:
                return archive.namelist()
        except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
            return []


def is_cut_off(path: Path) -> bool:
    """Tell whether the file begins like a zip file, such as a workbook, but can't be read as one."""
    with open_plain(path) as stream:
        return stream.read(len(ZIP)) == ZIP and not zip_names(path)


def is_parquet(path: Path) -> bool:
    """Tell whether the file is a Parquet file, whatever its name."""
    with open_plain(path) as stream:
        return stream.read(len(PARQUET)) == PARQUET


def find_second(names: Sequence[str]) -> str | None:
    """Return the first column name, not "", that occurs twice; None if all differ."""
    return next((name for name, number in Counter(names).items() if name and number > 1), None)


def cell_too_long(name: object) -> str:
    """Return "the cell 'NAME' holds more than 10,000,000 characters" (LARGEST_CELL), the name cut to 80
    characters.
    """
    return f"the cell {str(name)[:80]!r} holds more than {LARGEST_CELL:,} characters"


def workbook_rows(path: Path, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number, cells by column name) of the first sheet that is not empty, cells as text like in a
    CSV file.

    Other sheets are not read, but named in a notice.
    """
    with filled_sheets(path, report) as filled:
        if not filled:
            if not report.errors:
                report.error(1, "the workbook is empty")
            return
        if len(filled) > 1:
            others = ", ".join(repr(sheet.title[:80]) for sheet in filled[1:])
            report.notice(
                0,
                f"only the first sheet, {filled[0].title[:80]!r}, is read; save each of the others "
                f"({others}) as its own file",
            )
        try:
            yield from _rows_of_sheet(filled[0], report)
        except Exception:  # noqa: BLE001  as in filled_sheets
            report.error(1, BROKEN)


def workbook_header(path: Path) -> list[str]:
    """Return the column names of the first sheet that is not empty; [] if there are none to read."""
    report = ImportReport(path.name)
    with filled_sheets(path, report) as filled:
        try:
            texts = next((cells for sheet in filled[:1] for _, cells in cells_of_sheet(sheet, report)), {})
        except Exception:  # noqa: BLE001  as in filled_sheets
            texts = {}
    return [text for text in texts.values() if text]


def _unpacked(path: Path) -> int:
    with open_plain(path) as stream, zipfile.ZipFile(stream) as archive:
        return sum(member.file_size for member in archive.infolist())


def _rows_of_sheet(sheet: Any, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    names: dict[int, str] = {}
    first = rows = 0
    for line, texts in cells_of_sheet(sheet, report):
        if not names:
            names, first = texts, line
            if (twice := find_second(list(names.values()))) is not None:
                report.error(line, f"two columns have the name {twice[:80]!r}; only the last would be read")
                return
            continue
        rows += 1
        if any(text and not names.get(column) for column, text in texts.items()):
            if rows == 1 and 2 * len(names) <= len(texts):
                report.error(
                    first,
                    "the first row looks like a title, because the rows below have more cells. Delete it so "
                    "that the column names come first, save the sheet, and import it again",
                )
                return
            report.error(line, "this row has a cell in a column without a name")
            continue
        yield line, {name: texts.get(column, "") for column, name in names.items() if name}


def cells_of_sheet(sheet: Any, report: ImportReport) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield (row number, texts by column number) of each row that is not empty.

    Formulas without a result, cells that are too long and hidden rows are errors of the report.
    """
    from data.importers.sheet_cells import FORMULA, cell_name, sheet_rows

    hidden: list[int] = []
    is_first = True
    for line, is_hidden, cells in sheet_rows(sheet):
        if line > MOST_ROWS or max(cells) > MOST_COLUMNS:
            report.error(0, f"the sheet has cells beyond row {MOST_ROWS:,} or column XFD; save it again")
            return
        formula = next((column for column, cell in cells.items() if cell is FORMULA), None)
        if formula is not None:
            report.error(
                line,
                f"the cell {cell_name(line, formula)} is a formula without a result. If it is a text that "
                "begins with = or -, format the cell as Text in the spreadsheet program, and type it again",
            )
            continue
        texts = {column: _text(cell) for column, cell in cells.items()}
        if (
            long := next((column for column, text in texts.items() if len(text) > LARGEST_CELL), None)
        ) is not None:
            report.error(line, cell_too_long(cell_name(line, long)))
            continue
        if is_hidden and not is_first:
            hidden.append(line)
        is_first = False
        if line % TOLD == 0:
            report.tell("read", line, sheet.max_row or line)
        yield line, texts
    if hidden:
        report.error(
            hidden[0],
            f"this row is hidden, by a filter or by hand{_and_others(len(hidden) - 1)}. Show all rows or "
            "delete the unwanted ones, save, and import the file again",
        )


@contextmanager
def filled_sheets(path: Path, report: ImportReport) -> Iterator[list[Any]]:
    """Give the sheets of a workbook that are not empty, for the block; [] after an error.

    What a broken workbook raises in the block becomes an error of the report.
    """
    if _unpacked(path) > LARGEST:
        report.error(1, "the workbook unpacks to more than 268 MB; save the sheet as CSV (UTF-8) instead")
        yield []
        return
    import openpyxl  # takes a moment to load, and few files are workbooks

    from data.importers.sheet_cells import sheet_rows

    with open_plain(path) as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dates beyond the calendar: the cell becomes an error
        try:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            filled = [sheet for sheet in book.worksheets if next(sheet_rows(sheet), None) is not None]
        except Exception:  # noqa: BLE001  a broken workbook may raise anything; the message may quote the file
            report.error(1, BROKEN)
            filled = []
        yield filled


def _and_others(number: int) -> str:
    return f", and so {inflect(number, 'is 1 other', f'are {number:,} others')}" if number else ""


def _text(cell: Any) -> str:
    """Return a cell as a CSV file would write it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):  # a day without a time is read as its midnight
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell).strip() if not isinstance(cell, str) else cell


def parquet_values(path: Path, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number, fields) of a Parquet file, with lists and objects as in JSON."""
    import pyarrow.parquet

    with open_plain(path) as stream:
        try:
            file = pyarrow.parquet.ParquetFile(stream)
            line, total = 0, file.metadata.num_rows
            for batch in file.iter_batches(ROWS_READ):
                for place in range(batch.num_rows):
                    line += 1
                    row = _parquet_row(batch.slice(place, 1), line, report)
                    if row is not None:
                        yield line, row
                report.tell("read", line, total)
        except (pyarrow.ArrowException, OSError, ValueError, OverflowError):
            report.error(1, "the Parquet file can't be read; write it again, or save it as JSONL")


def _parquet_row(row: Any, line: int, report: ImportReport) -> dict[str, Any] | None:
    """Return the fields; None if a cell can't be read, which is reported."""
    fields = {}
    for name, column in zip(row.schema.names, row.columns, strict=True):
        try:
            value = fields[str(name)] = _plain(column[0].as_py())
            if isinstance(value, str) and len(value) > LARGEST_CELL:
                report.error(line, cell_too_long(name))
                return None
        except (ValueError, OverflowError, UnicodeDecodeError):
            report.error(
                line,
                f"the field {str(name)[:80]!r} holds something other than text or numbers, or a date "
                "beyond the calendar",
            )
            return None
    return fields


def _plain(value: Any) -> Any:
    """Return a value as JSON holds it: a time as text, a decimal as a number, NaN as None."""
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and isnan(value):
        return None
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, str | int | float) else str(value)
