"""Rows that are gone through twice, kept in a temporary file in between: a file of labels may be larger than
the memory.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

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


def kept_rows(file: IO[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows that were kept, in their order."""
    file.seek(0)
    while True:
        try:
            yield pickle.load(file)
        except EOFError:
            return
