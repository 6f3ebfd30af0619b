"""Intervals as bars of a Plotly trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Between(Protocol):
    """A value with its ends; None where there is none."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def bars(found: Sequence[Between]) -> dict[str, Any]:
    """For `error_y`; without a length where there is no interval."""
    return {
        "type": "data",
        "symmetric": False,
        "thickness": 1.2,
        "width": 3,
        "array": [_reach(one, one.high) for one in found],
        "arrayminus": [_reach(one, one.low) for one in found],
    }


def _reach(one: Between, end: float | None) -> float:
    return 0.0 if end is None or one.value is None else abs(end - one.value)
