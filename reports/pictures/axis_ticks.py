"""Round numbers along an axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

STEPS = (1.0, 2.0, 2.5, 5.0)


@dataclass(frozen=True)
class AxisTick:
    """`at`: in units of the picture."""

    at: float
    label: str


def round_values(low: float, high: float, most: int) -> tuple[list[float], int]:
    """Return multiples of 1, 2, 2.5 or 5 times a power of ten from `low` to `high`, and the decimals they
    need.

    At most `most` of them; `high` has to be above `low`.
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
