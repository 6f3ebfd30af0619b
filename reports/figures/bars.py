"""Intervals as bars of a Plotly trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class WithLimits(Protocol):
    """A value with its ends; None where there is none."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def bars(values: Sequence[WithLimits]) -> dict[str, Any]:
    """For `error_y`; without a length where there is no interval."""
    return {
        "type": "data",
        "symmetric": False,
        "thickness": 1.2,
        "width": 3,
        "array": [_reach(value, value.high) for value in values],
        "arrayminus": [_reach(value, value.low) for value in values],
    }


def _reach(value: WithLimits, end: float | None) -> float:
    return 0.0 if end is None or value.value is None else abs(end - value.value)
