"""The beginning of a file, from which an importer tells whether it can read the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from data.importers.columns import plain_name


@dataclass(frozen=True)
class FileSample:
    """The beginning of a file.

    `columns`: of a table, or the fields of the objects. `rows`: the first rows, as text in a table.
    `is_whole`: whether these are all rows. `has_lists`: whether some values are lists instead of objects.
    """

    name: str
    columns: tuple[str, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    is_table: bool = False
    is_whole: bool = False
    has_lists: bool = False
    problem: str = ""

    @property
    def plain_columns(self) -> frozenset[str]:
        return frozenset(map(plain_name, self.columns))

    def example(self, column: str) -> str:
        """Return the first non-empty cell of a column; "" if there is none."""
        return next((str(row[column]) for row in self.rows if row.get(column) not in (None, "")), "")

    def values(self, column: str) -> list[str]:
        """Return the distinct non-empty cells of a column, in order."""
        return list(dict.fromkeys(str(row[column]) for row in self.rows if row.get(column) not in (None, "")))
