"""Read the beginning of a file, whatever its form."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from configs.files.plain_files import open_plain
from data.importers import inspect_logs, reading
from data.importers.file_sample import FileSample
from data.importers.report import ImportReport
from data.importers.table_files import is_workbook

ROWS_READ = 200
LOOKED_AT = 4096  # bytes


def read_sample(path: Path) -> FileSample:
    """Return the first rows of a file; what can't be read is its `problem`, a sentence."""
    report = ImportReport(path.name)
    is_log = inspect_logs.is_log(path)
    columns = [] if is_log else reading.table_header(path)
    is_table = bool(columns) or is_workbook(path)
    if is_log:
        values = inspect_logs.documents(path, report)
    else:
        values = reading.cell_rows(path, report) if is_table else reading.json_values(path, report)
    try:
        first = [value for _, value in islice(values, ROWS_READ + 1)]
    except RecursionError:
        first = []
    problem = next((problem.sentence() for problem in report.problems if problem.fatal), "")
    if (
        not is_table and not is_log and _first_character(path) not in "[{"
    ):  # not JSON, so JSON errors say nothing
        problem = ""
    rows = [row for row in first[:ROWS_READ] if isinstance(row, dict)]
    return FileSample(
        path.name,
        tuple(columns) if columns else tuple(dict.fromkeys(name for row in rows for name in row)),
        tuple(rows),
        is_table,
        len(first) <= ROWS_READ and not problem,
        any(isinstance(row, list) for row in first[:ROWS_READ]),
        problem if not rows else "",
    )


def _first_character(path: Path) -> str:
    with open_plain(path) as stream:
        return stream.read(LOOKED_AT).decode("utf-8-sig", "replace").strip()[:1] or " "
