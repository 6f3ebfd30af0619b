"""Columns of very many rows, each as one text: making an object of every row takes ten times as long as
reading it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Text, cast, func

from scoring.arrays import IntArray, Mask


def joined(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The values of a column that is never NULL, with commas between; NULL without rows. Several of them in
    one SELECT list the same rows.
    """
    return func.aggregate_strings(cast(column, Text), ",")


def numbers(text: str | None) -> IntArray:
    """What `joined` made of a column of whole numbers."""
    return np.fromstring(text or "", sep=",", dtype=np.int64)


def places(among: IntArray, of: IntArray) -> tuple[IntArray, Mask]:
    """Where each of `of` stands in `among`, whose numbers are all different, and which of them stand in it:
    indices of those alone, and a mask.
    """
    order = np.argsort(among)
    found = np.searchsorted(among, of, sorter=order)
    inside = found < len(among)
    inside[inside] = among[order[found[inside]]] == of[inside]
    return order[found[inside]], inside
