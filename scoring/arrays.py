"""The kinds of arrays that labels and estimates are made of, and how very many of them are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
Mask = NDArray[np.bool_]

Table = TypeVar("Table")
MANY = 10_000  # numbers, below which a column is kept as it is
MAX_NUMBERS_TRIED = 1_000  # numbers of a column, in which one that does not fit is mostly met
WHOLE_NUMBERS = (np.int8, np.int16, np.int32)
FRACTIONS = (np.float16, np.float32)


class SmallColumn:
    """A column of a data class in as few bytes as hold all of its numbers exactly. It is read as numbers of
    64 bits, as what is computed of small ones would run over.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, table: Any, owner: type) -> Any:
        if table is None:  # to a data class: a column without a default
            raise AttributeError(self._name)
        return widen(table.__dict__[self._name])

    def __set__(self, table: Any, column: Any) -> None:
        table.__dict__[self._name] = shrink(column)

    def get_small(self, table: Any) -> Any:
        """Return the column of `table` as it is stored, in its small type."""
        return table.__dict__[self._name]


def small_column() -> Any:
    """Return a dataclass field descriptor that stores its column in as few bytes as hold it exactly.

    Used in place of a default, as `dataclasses.field` is. The column is read as int64 or float64. A column
    may be None.
    """
    return SmallColumn()


def shrink(column: Any) -> Any:
    """Return the same numbers in the smallest type that holds all of them exactly.

    None, a column of fewer than MANY (10,000) numbers, and types other than int64 and float64 are returned
    as they are.
    """
    if column is None or len(column) < MANY or column.dtype not in (np.int64, np.float64):
        return column
    if column.dtype == np.int64:
        low, high = int(column.min()), int(column.max())
        for whole in WHOLE_NUMBERS:
            if np.iinfo(whole).min <= low and high <= np.iinfo(whole).max:
                return column.astype(whole)
        return column
    some = column[
        :: max(1, len(column) // MAX_NUMBERS_TRIED)
    ]  # where these do not fit, all of them need not be tried
    for fraction in FRACTIONS:
        if _in_bytes_of(fraction, some) is not None:
            small = _in_bytes_of(fraction, column)
            if small is not None:
                return small
    return column


def _in_bytes_of(fraction: type[np.floating[Any]], column: Array) -> Any:
    """The same numbers as a smaller kind of fraction; None where it does not hold all of them exactly."""
    with np.errstate(over="ignore"):  # what is too large is not the same
        small = column.astype(fraction)
    return small if np.array_equal(small, column, equal_nan=True) else None


def join_tables(tables: Sequence[Table]) -> Table:
    """Return one table with the rows of all `tables`, of one dataclass whose fields are all columns.

    Small columns stay small. At least one table is needed.
    """
    kind: Any = type(tables[0])
    table: Table = kind(
        *(np.concatenate([kept_column(part, column.name) for part in tables]) for column in fields(kind))
    )
    return table


def take_rows(table: Any, name: str, rows: Any) -> Any:
    """Return `rows` of column `name` as int64 or float64, without widening the rest of the column."""
    return widen(kept_column(table, name)[rows])


def choose_rows(table: Table, rows: Any) -> Table:
    """Return a table of the same class with `rows` (a mask or positions) of every column; small ones stay
    small.
    """
    kind: Any = type(table)
    shorter: Table = kind(*(kept_column(table, column.name)[rows] for column in fields(kind)))
    return shorter


def kept_column(table: Any, name: str) -> Any:
    """Return column `name` as it is stored, which may be a small type: to compare and to sort, not to
    compute with.
    """
    column = vars(type(table)).get(name)
    return column.get_small(table) if isinstance(column, SmallColumn) else getattr(table, name)


def widen(column: Any) -> Any:
    """Return a column that `shrink` made small as int64 or float64.

    None and Booleans are returned as they are. The result is read-only where it is a copy.
    """
    if column is None or column.dtype == bool:
        return column
    wide = column.astype(np.int64 if np.issubdtype(column.dtype, np.integer) else np.float64, copy=False)
    if wide is not column:
        wide.flags.writeable = False
    return wide
