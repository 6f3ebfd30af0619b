"""Read the cells of a sheet with openpyxl's parser, and what it leaves out: columns in sparse rows, hidden
rows, and formulas without a result.

Missing rows are not filled in, so a row number beyond all sheets costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from openpyxl.utils import get_column_letter
from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

FORMULA: Final = object()  # value of a cell whose formula has no result
ERROR = "e"  # openpyxl's type of a cell such as #NAME?


class _Parser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """`is_calculated`: whether a spreadsheet program calculated the formulas. Libraries write 0 as the result
    and ask for a calculation on opening.
    """

    is_calculated = True

    def parse_cell(self, element: Any) -> dict[str, Any]:
        cell: dict[str, Any] = super().parse_cell(element)
        if cell["data_type"] == ERROR or (
            element.find(FORMULA_TAG) is not None and not self._has_result(element, cell["value"])
        ):
            cell["value"] = FORMULA
        return cell

    def _has_result(self, element: Any, value: Any) -> bool:
        if value is None:  # an empty text is a result
            return element.get("t") == "str" and element.find(VALUE_TAG) is not None
        return self.is_calculated or value != 0


def sheet_rows(sheet: Any) -> Iterator[tuple[int, bool, dict[int, Any]]]:
    """Yield (row number, whether the row is hidden, cells by column number) of each row that is not empty."""
    book = sheet.parent
    with sheet._get_source() as source:
        parser = _Parser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        parser.is_calculated = not book.calculation.fullCalcOnLoad
        for number, cells in parser.parse():
            attributes = parser.row_dimensions.pop(str(number), {})
            values = {cell["column"]: cell["value"] for cell in cells if cell["value"] not in (None, "")}
            if values:
                yield number, attributes.get("hidden") in ("1", "true"), values


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell, such as "C7"."""
    return f"{get_column_letter(column)}{row}"
