"""Write cells of a CSV file that a spreadsheet may open."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"[+-]?\d+(\.\d+)?( to [+-]?\d+(\.\d+)?)?( points)?( \([+-]?\d+(\.\d+)? to [+-]?\d+(\.\d+)?\))?"
)


def cell(text: str) -> str:
    """Return the text with an apostrophe in front if a spreadsheet would run it as a formula; plain numbers,
    also with limits, stay unchanged.
    """
    return (
        f"'{text}"
        if text.startswith(("=", "+", "-", "@", "\t", "\r")) and not _NUMBER.fullmatch(text)
        else text
    )
