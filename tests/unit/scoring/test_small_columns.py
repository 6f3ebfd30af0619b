"""Columns that are kept in few bytes are read as what was given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from scoring.arrays import MANY, Array, IntArray, shrink, small_column, widen


@dataclass(frozen=True, eq=False)
class SmallTable:
    number: IntArray = small_column()
    share: Array = small_column()


@pytest.mark.parametrize(
    ("highest", "kind"),
    [
        (127, np.int8),
        (-128, np.int8),
        (128, np.int16),
        (-129, np.int16),
        (32_767, np.int16),
        (32_768, np.int32),
        (2**31 - 1, np.int32),
        (2**31, np.int64),
        (-(2**31) - 1, np.int64),
    ],
)
def test_whole_numbers_take_as_few_bytes_as_hold_each(highest: int, kind: type) -> None:
    column = np.arange(MANY) % 3
    column[-1] = highest
    small = shrink(column)
    assert small.dtype == kind
    np.testing.assert_array_equal(widen(small), column, strict=True)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (0.25, np.float16),
        (np.nan, np.float16),
        (-np.inf, np.float16),
        (2048.5, np.float32),
        (70_000.0, np.float32),
        (1 / 3, np.float64),
        (1e300, np.float64),
    ],
)
def test_fractions_are_made_smaller_only_where_each_stays_the_same(value: float, kind: type) -> None:
    column = np.resize([0.0, 0.5, 1.0], MANY)
    column[-1] = value
    small = shrink(column)
    assert small.dtype == kind
    np.testing.assert_array_equal(widen(small), column, strict=True)


@pytest.mark.parametrize("column", [np.arange(MANY - 1), np.zeros(0, dtype=np.int64), np.ones(MANY, bool)])
def test_what_would_save_nothing_stays_as_it_is(column: Any) -> None:
    assert shrink(column) is column
    assert widen(column) is column


def test_a_table_is_read_as_numbers_of_64_bits_with_which_nothing_runs_over() -> None:
    table = SmallTable(np.full(MANY, 100), np.full(MANY, 0.5))
    assert table.number.dtype == np.int64 and table.share.dtype == np.float64
    assert int((table.number * 1_000_000).sum()) == MANY * 100_000_000
    kept = vars(table).values()
    assert sum(column.nbytes for column in kept) == MANY * (1 + 2)
    assert replace(table, number=np.full(MANY, 7)).number.sum() == 7 * MANY


def test_a_table_without_a_column_is_refused() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'share'"):
        SmallTable(np.zeros(3, dtype=np.int64))


def test_what_is_read_of_a_small_column_cannot_be_written_into() -> None:
    """It would change a copy, and be lost."""
    table = SmallTable(np.full(MANY, 100), np.full(MANY, 0.5))
    with pytest.raises(ValueError, match="read-only"):
        table.number[0] = 7
    with pytest.raises(ValueError, match="read-only"):
        table.share[0] = 7
