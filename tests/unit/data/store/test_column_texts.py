"""Columns as one text, and where numbers stand among others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from data.store.column_texts import numbers, places


@given(st.lists(st.integers(-50, 50), unique=True), st.lists(st.integers(-60, 60)))
def test_places_are_those_of_a_search_one_by_one(among: list[int], of: list[int]) -> None:
    found, inside = places(np.array(among, dtype=np.int64), np.array(of, dtype=np.int64))
    assert found.tolist() == [among.index(one) for one in of if one in among]
    assert inside.tolist() == [one in among for one in of]


def test_no_rows_are_no_numbers() -> None:
    assert numbers(None).tolist() == []
    assert numbers("-1,0,90071992547409931").tolist() == [-1, 0, 90071992547409931]
