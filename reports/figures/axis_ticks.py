"""Round numbers along an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from words.figures import decimal

STEPS = (1.0, 2.0, 2.5, 5.0)


@dataclass(frozen=True)
class AxisTick:
    """`at`: in units of the picture."""

    at: float
    label: str


def round_values(low: float, high: float, most: int) -> tuple[list[float], int]:
    """Multiples of 1, 2, 2.5 or 5 times a power of ten from `low` to `high`, at most so many, and how many
    decimals they need.
    """
    span = high - low
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(
        multiple * power * scale
        for scale in (1.0, 10.0, 100.0)
        for multiple in STEPS
        if span / (multiple * power * scale) < most
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if abs(step * 10**digits - round(step * 10**digits)) > 1e-6:
        digits += 1
    return [round(number * step, 10) for number in range(first, last + 1)], digits


def plain_ticks(values: Iterable[float | None], most: int = 8) -> dict[str, Any]:
    """For an axis of Plotly with these values or ends, which would write a longer minus sign below zero than
    the sentences beside it: its numbers as they write them. Nothing where no number is below zero.
    """
    ends = [value for value in values if value is not None]
    if not ends or min(ends) >= 0 or min(ends) == max(ends):
        return {}
    numbers, digits = round_values(min(ends), max(ends), most)
    if not numbers or numbers[0] >= 0:
        return {}
    return {"tickvals": numbers, "ticktext": [decimal(number, digits) for number in numbers]}
