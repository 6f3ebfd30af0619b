"""Whether a table of labels is a judge's or people's, as far as its columns say so for certain: a slip here would pass one off as the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from data.importers import labels
from data.importers.report import Report

Rows = Iterable[tuple[int, dict[str, Any]]]
MODELS = (*labels.ALIASES["judge"], "model")


def of_a_judge(path: Path, rows: Rows, report: Report) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows up to the first that names a rater and no judge. Other words for a rater are names of judges too in files that people publish."""
    for line, row in rows:
        column = _named(row, ("rater",))
        if column is not None and row[column] not in (None, "") and labels.field(row, "judge") is None:
            at, what = _place(path, line)
            report.error(at, f"this {what} {column!r}: these look like people's ratings. Bring them in as ratings. "
                             "If judges are meant, name it 'judge'.")
            return
        yield line, row


def of_people(path: Path, rows: Rows, report: Report) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows up to the first that has a place for a judge or model and none for a rater."""
    for line, row in rows:
        column = _named(row, MODELS)
        if column is not None and _named(row, labels.ALIASES["rater"]) is None:
            at, what = _place(path, line)
            report.error(at, f"this {what} {column!r} and none that names a rater: these look like a judge's labels. Bring them in as a judge's labels. "
                             "If people gave them, say in 'rater' who.")
            return
        yield line, row


def _named(row: dict[str, Any], names: tuple[str, ...]) -> str | None:
    return next((key for key in row if str(key).strip().casefold() in names), None)


def _place(path: Path, line: int) -> tuple[int, str]:
    """A table with a header has its columns on line 1; otherwise each line has fields of its own."""
    return (1, "file has a column") if path.suffix.lower() in {".csv", ".tsv", ".txt"} else (line, "file has a field")
