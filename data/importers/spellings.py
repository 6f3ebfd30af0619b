"""Match ids in several spellings, as spreadsheets and other programs write them: 12 and 12.0, 1200 and 1,200,
upper and lower case, composed and decomposed letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from data.importers.reading import shortened
from data.importers.report import ImportReport

DECIMAL = re.compile(r"(\d+)\.0*")
THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
EXPONENT = re.compile(r"\d(\.\d+)?e\+?\d{1,2}")


def plain_id(text: str) -> str:
    """Return what all spellings of an id have in common. Leading zeros stay, because they tell ids apart."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if EXPONENT.fullmatch(plain):
        return _whole(plain) or plain
    if found := DECIMAL.fullmatch(plain):
        plain = found[1]
    return plain.replace(",", "") if THOUSANDS.fullmatch(plain) else plain


def _whole(text: str) -> str | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return f"{number:f}".partition(".")[0] if number == number.to_integral_value() else None


def clean_name(name: str) -> str:
    """Return a person's name without extra blanks; "3.0", as a spreadsheet writes 3, becomes "3"."""
    words = " ".join(name.split())
    return found[1] if (found := DECIMAL.fullmatch(words)) else words


class Spellings:
    """The ids of a study, or another set in which each id means one thing."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._by_plain: dict[str, list[str]] = {}
        self._example = ""
        for each in ids:
            self.add(each)

    def add(self, text: str) -> None:
        """Add an id as it is spelt."""
        alike = self._by_plain.setdefault(plain_id(text), [])
        if text not in alike:
            alike.append(text)

    def find_other(self, text: str) -> str | None:
        """Return an id that differs only in spelling; None if there is none, or if this very id is in the
        set.
        """
        alike = self._by_plain.get(plain_id(text), [])
        return alike[0] if alike and text not in alike else None

    def find(self, text: str) -> str | None:
        """Return the id that is meant; None if it is unknown or ambiguous."""
        alike = self._by_plain.get(plain_id(text), [])
        return text if text in alike else alike[0] if len(alike) == 1 else None

    def resolve(self, text: str, line: int, report: ImportReport) -> str | None:
        """Return the id that is meant: this one, or the only one that differs in spelling, which is reported
        once.

        None if there is none; several are an error.
        """
        spellings, meant = self._by_plain.get(plain_id(text), []), self.find(text)
        if meant is None and spellings:
            listed = " or ".join(repr(shortened(each)) for each in spellings[:4])
            report.error(line, f"{shortened(text)!r} may mean {listed}; spell it as the study does")
        elif meant is not None and meant != text:
            self._example = self._example or f"{shortened(text)!r} for {shortened(meant)!r}"
            report.notice_of_rows(line, f"ids are spelt differently in the study: {self._example}")
        return meant
