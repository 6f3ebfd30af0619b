"""Cells of a scrolling table, which a person may copy into a spreadsheet or download."""

from __future__ import annotations

import re

from data.exporters.csv_cells import cell

_NUMBER = r"\d+(?:[.,]\d+)*%?"
_LIMIT = rf"(?:to|\(plausible range) [+-]{_NUMBER}|\([+-]?{_NUMBER}|{_NUMBER}"
# A number, then words and numbers after spaces. A sign comes only after "to", "plausible" or a bracket, and
# no word touches a bracket, so none of it is a formula.
_NUMBER_AND_WORDS = re.compile(rf"[+-]{_NUMBER}[),;]*(?: (?:{_LIMIT}|\(?[A-Za-z]+)[),;.]*)*")


def page_cell(text: str) -> str:
    """Return the cell as in a file, but keep a signed number as it is, with any words and limits after it."""
    return text if _NUMBER_AND_WORDS.fullmatch(text) else cell(text)
