"""Recognise by their first bytes files that are not UTF-8 text."""

from __future__ import annotations

import codecs
from pathlib import Path

from configs.files.plain_files import open_plain
from data.importers.table_files import CUT_OFF, is_cut_off

NOT_UTF8 = (
    "a letter such as é or ü is not stored as UTF-8. Save the file in Excel as “CSV UTF-8”, or in another "
    "program with the encoding UTF-8, and import it again"
)
LONGEST_START = 16  # bytes
NO_TEXT = {
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"PK\x03\x04": "a zip or Excel file",
    b"\xd0\xcf\x11\xe0": "an Excel or Word file",
    b"%PDF": "a PDF file",
    b"\x1f\x8b": "a compressed file",
    b"SQLite format 3\x00": "a database",
}


def foreign_start(path: Path) -> str | None:
    """Return what the file is instead of UTF-8 text and what to do; None if its first bytes don't tell.

    For example "the file is UTF-16; save it as UTF-8 and import it again", "this is KIND, not text" for one
    of NO_TEXT, or CUT_OFF for a workbook that is not whole. Raise OSError if it can't be read.
    """
    with open_plain(path) as stream:
        start = stream.read(LONGEST_START)
    if is_utf16(path):
        return "the file is UTF-16; save it as UTF-8 and import it again"
    if is_cut_off(path):
        return CUT_OFF
    for beginning, kind in NO_TEXT.items():
        if start.startswith(beginning):
            return f"this is {kind}, not text" + (
                "; save the table as CSV (UTF-8) and import that" if "Excel" in kind else ""
            )
    return None


def is_utf16(path: Path) -> bool:
    """Tell whether the file begins with the byte-order mark of UTF-16. Raises OSError."""
    with open_plain(path) as stream:
        return stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
