"""The beginning of a file, as an importer is shown it to tell whether it is one of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from data.importers.columns import ALIASES, plain_name


@dataclass(frozen=True)
class FileSample:
    """`columns`: of a table, or the fields of the objects. `rows`: the first of them, as text in a table.
    `is_whole`: whether these are all. `has_lists`: whether some of its values are lists, not objects.
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

    def column(self, name: str) -> str | None:
        """The column that has one of the usual names of a field, as the file writes it."""
        plain = {plain_name(column): column for column in reversed(self.columns)}
        return next((plain[alias] for alias in ALIASES[name] if alias in plain), None)

    def example(self, column: str) -> str:
        """The first text that stands in a column."""
        return next((str(row[column]) for row in self.rows if row.get(column) not in (None, "")), "")

    def values(self, column: str) -> list[str]:
        """The different texts of a column, in their order."""
        return list(dict.fromkeys(str(row[column]) for row in self.rows if row.get(column) not in (None, "")))
