"""Tables that are no text: workbooks of a spreadsheet program and Parquet, read as the same rows as CSV and
JSONL.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from math import isnan
from pathlib import Path
from typing import Any

from configs.files.plain_files import open_plain
from data.importers.report import ImportReport

TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm")  # endings of files that are tables of cells
ZIP, PARQUET = b"PK\x03\x04", b"PAR1"
LARGEST = 1 << 28  # bytes of a workbook, unpacked: a small file may unpack to more than the memory holds
BROKEN = "the workbook cannot be read; save the sheet as CSV (UTF-8) and bring that in"
ROWS_READ = 500
TOLD = 50


def is_workbook(path: Path) -> bool:
    """Whether it is what Excel and LibreOffice write as .xlsx, whatever it is called."""
    return "xl/workbook.xml" in zip_names(path)


def zip_names(path: Path) -> list[str]:
    """The files inside of a zip file; none where it is no such file."""
    with open_plain(path) as stream:
        if stream.read(len(ZIP)) != ZIP:
            return []
        try:
            with zipfile.ZipFile(stream) as archive:
                return archive.namelist()
        except (zipfile.BadZipFile, OSError, NotImplementedError):
            return []


def is_parquet(path: Path) -> bool:
    with open_plain(path) as stream:
        return stream.read(len(PARQUET)) == PARQUET


def workbook_rows(path: Path, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """(row, cells by the names of the first row) of the first sheet that holds anything, each cell as the
    text that it would have in a CSV file. Other sheets are named, not read.
    """
    import openpyxl  # takes a moment to load, and few files are workbooks

    if _unpacked(path) > LARGEST:
        report.error(1, "the workbook unpacks to more than 268 MB; save the sheet as CSV (UTF-8) instead")
        return
    with open_plain(path) as stream:
        try:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            filled = [sheet for sheet in book.worksheets if _has_cells(sheet)]
        except Exception:  # noqa: BLE001  a broken workbook raises anything, with words of the file in it
            report.error(1, BROKEN)
            return
        if not filled:
            report.error(1, "the workbook is empty")
            return
        if len(filled) > 1:
            others = ", ".join(repr(sheet.title[:80]) for sheet in filled[1:])
            report.notice(
                0,
                f"only the first sheet, {filled[0].title[:80]!r}, is read; save each of the others "
                f"({others}) as a file of its own",
            )
        try:
            yield from _rows_of_sheet(filled[0], report)
        except Exception:  # noqa: BLE001  as above
            report.error(1, BROKEN)


def _unpacked(path: Path) -> int:
    with open_plain(path) as stream, zipfile.ZipFile(stream) as archive:
        return sum(member.file_size for member in archive.infolist())


def _has_cells(sheet: Any) -> bool:
    return any(any(cell is not None for cell in cells) for cells in sheet.iter_rows(values_only=True))


def _rows_of_sheet(sheet: Any, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    names: list[str] = []
    for line, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        texts = [_text(cell) for cell in cells]
        if not any(texts):
            continue
        if not names:
            names = texts
            twice = next((name for name in names if name and names.count(name) > 1), None)
            if twice:
                report.error(line, f"two columns have the name {twice[:80]!r}; only the last would be read")
                return
            continue
        if any(texts[len(names) :]) or any(
            text and not name for name, text in zip(names, texts, strict=False)
        ):
            report.error(line, "this row has a cell in a column without a name")
            continue
        if line % TOLD == 0:
            report.tell("read", line, sheet.max_row or line)
        yield line, {name: text for name, text in zip(names, texts, strict=False) if name}


def _text(cell: Any) -> str:
    """What stands in a cell, as a CSV file would have it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime | date):
        return cell.isoformat(" ") if isinstance(cell, datetime) else cell.isoformat()
    return str(cell).strip() if not isinstance(cell, str) else cell


def parquet_values(path: Path, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """(row, fields) of a Parquet file, lists and objects inside of it as in JSON."""
    import pyarrow.parquet

    with open_plain(path) as stream:
        try:
            file = pyarrow.parquet.ParquetFile(stream)
            line, total = 0, file.metadata.num_rows
            for batch in file.iter_batches(ROWS_READ):
                for row in batch.to_pylist():
                    line += 1
                    yield line, _plain(row)
                report.tell("read", line, total)
        except (pyarrow.ArrowException, OSError):
            report.error(1, "the Parquet file cannot be read; write it again, or save it as JSONL")


def _plain(value: Any) -> Any:
    """As JSON holds it: a moment as text, a decimal as a number, what is no number as nothing."""
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
