"""Ticks of a Plotly axis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reports.pictures.axis_ticks import round_values
from words.figures import decimal


def plain_ticks(values: Iterable[float | None], most: int = 8) -> dict[str, Any]:
    """Return Plotly settings that write numbers below zero with a plain minus sign.

    They are "tickvals", at most about `most` round numbers over the range of `values`, and "ticktext". {}
    if no value is below zero or all are the same; None is ignored.
    """
    ends = [value for value in values if value is not None]
    if not ends or min(ends) >= 0 or min(ends) == max(ends):
        return {}
    numbers, digits = round_values(min(ends), max(ends), most)
    if not numbers or numbers[0] >= 0:
        return {}
    return {"tickvals": numbers, "ticktext": [decimal(number, digits) for number in numbers]}
