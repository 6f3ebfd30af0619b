"""Keep rows in a temporary file to read them a second time, because a file of labels may be larger than the
memory.
"""

from __future__ import annotations

import itertools
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

from data.importers.report import ImportReport

CHECKED = "checked"  # shown as progress
TOLD = 50  # rows between two progress messages
IN_MEMORY = 16 * 1024 * 1024  # bytes kept in memory before the disk is used


def open_row_file() -> tempfile.SpooledTemporaryFile[bytes]:
    """Return a temporary file without a name: nobody else can open it, and closing deletes it."""
    return tempfile.SpooledTemporaryFile(IN_MEMORY)


def keep_rows(
    rows: Iterable[tuple[int, dict[str, Any]]], file: IO[bytes]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the (line, row) pairs, and write each to the file."""
    for row in rows:
        pickle.dump(row, file, pickle.HIGHEST_PROTOCOL)
        yield row


def kept_rows(file: IO[bytes], report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the written rows in order, and report the progress."""
    size = file.tell()
    file.seek(0)
    for number in itertools.count(1):
        try:
            yield pickle.load(file)
        except EOFError:
            return
        if number % TOLD == 0:
            report.tell(CHECKED, file.tell(), size)
