"""A computed number in words: its value, its interval, or the reason why there is none."""

from __future__ import annotations

from data.record.metrics import MetricValue
from words.figures import decimal


def number(metric: MetricValue) -> str:
    """Return "0.551", or "none: " and the reason."""
    return decimal(metric.value, 3) if metric.value is not None else f"none: {metric.undefined}"


def interval(metric: MetricValue) -> str:
    """Return "0.420 to 0.650", or "none: " and the reason; "" without a value."""
    low, high = metric.detail.get("low"), metric.detail.get("high")
    if low is not None and high is not None:
        return f"{decimal(low, 3)} to {decimal(high, 3)}"
    if metric.value is None:
        return ""
    return f"none: {metric.detail.get('no_interval') or 'this is a single figure for the whole set'}"


def published_number(metric: MetricValue) -> str:
    """Return what the published program prints for it, such as "0.551"; "" if that is not stored."""
    value = metric.detail.get("reference")
    return decimal(value, 3) if isinstance(value, float) else ""
