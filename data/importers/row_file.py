"""Rows that are gone through twice, kept in a temporary file in between: a file of labels may be larger than
the memory.
"""

from __future__ import annotations

import itertools
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

from data.importers.report import ImportReport

CHECKED = "checked"  # what is under way, in words for whoever waits
TOLD = 50  # rows after which it is told how far it is
IN_MEMORY = 16 * 1024 * 1024  # bytes up to which nothing is written to the disk


def open_row_file() -> tempfile.SpooledTemporaryFile[bytes]:
    """A file without a name: nobody else can open it, and it is gone when it is closed."""
    return tempfile.SpooledTemporaryFile(IN_MEMORY)


def keep_rows(
    rows: Iterable[tuple[int, dict[str, Any]]], file: IO[bytes]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The (line, row) pairs, each kept in the file as it goes by."""
    for row in rows:
        pickle.dump(row, file, pickle.HIGHEST_PROTOCOL)
        yield row


def kept_rows(file: IO[bytes], report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows that were kept, in their order. The report is told how far they are."""
    size = file.tell()
    file.seek(0)
    for number in itertools.count(1):
        try:
            yield pickle.load(file)
        except EOFError:
            return
        if number % TOLD == 0:
            report.tell(CHECKED, file.tell(), size)
