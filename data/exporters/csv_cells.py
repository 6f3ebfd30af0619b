"""Cells of a CSV file that a spreadsheet may open."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"[+-]?\d+(\.\d+)?( to [+-]?\d+(\.\d+)?)?( points)?( \([+-]?\d+(\.\d+)? to [+-]?\d+(\.\d+)?\))?"
)


def cell(text: str) -> str:
    """Text that a spreadsheet would run as a formula begins with an apostrophe; a plain number stays one, and
    so does one with its limits.
    """
    return (
        f"'{text}"
        if text.startswith(("=", "+", "-", "@", "\t", "\r")) and not _NUMBER.fullmatch(text)
        else text
    )
