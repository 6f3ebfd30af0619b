"""Cells of a table that scrolls on a page, which a person may copy into a spreadsheet or take as a file."""

from __future__ import annotations

import re

from data.exporters.csv_cells import cell

_NUMBER = r"\d+(?:[.,]\d+)*%?"
_LIMIT = rf"(?:to|\(plausible) [+-]{_NUMBER}|\([+-]?{_NUMBER}|{_NUMBER}"
# A number, then words and numbers behind spaces. A sign stands only behind "to", "plausible" or a bracket,
# and no word before a bracket without a space: nothing of it is a formula.
_NUMBER_AND_WORDS = re.compile(rf"[+-]{_NUMBER}[),;]*(?: (?:{_LIMIT}|\(?[A-Za-z]+)[),;.]*)*")


def page_cell(text: str) -> str:
    """As in a file, but that a number with a sign stands as it is, whatever words and limits follow it."""
    return text if _NUMBER_AND_WORDS.fullmatch(text) else cell(text)
