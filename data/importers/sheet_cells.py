"""The cells of a sheet as openpyxl's parser reads them, with what its rows leave out: where a cell stands
in a sparse row, which rows are hidden, and which formulas have no result. Nothing is filled in between
rows, so a row number beyond all sheets costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from openpyxl.utils import get_column_letter
from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

FORMULA: Final = object()  # instead of the value of a cell
ERROR = "e"  # openpyxl's type of a cell such as #NAME?


class _Parser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """`is_calculated`: whether a spreadsheet program worked the formulas out. Libraries that write workbooks
    leave 0 for its result, and ask for it to be worked out on opening.
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
        if value is None:  # an empty text is one
            return element.get("t") == "str" and element.find(VALUE_TAG) is not None
        return self.is_calculated or value != 0


def sheet_rows(sheet: Any) -> Iterator[tuple[int, bool, dict[int, Any]]]:
    """(number, whether it is hidden, cells by the number of their column) of each row that holds anything."""
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
    """Such as C7."""
    return f"{get_column_letter(column)}{row}"
