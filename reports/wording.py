"""Estimates in words: n beside every number, an interval or why there is none."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from scoring.agreement.cautions import CONVERSATIONS
from scoring.agreement.estimate import Estimate
from scoring.figures import decimal, percent

CANNOT = "cannot be estimated"


def share(estimate: Estimate) -> str:
    """83% (plausible 79% to 87%)."""
    return CANNOT if estimate.value is None else f"{percent(estimate.value)} ({interval_words(estimate)})"


def interval_words(estimate: Estimate) -> str:
    """plausible 79% to 87%; or why nobody can tell."""
    if estimate.low is None or estimate.high is None:
        return f"no interval: {estimate.no_interval}"
    return f"plausible {percent(estimate.low)} to {percent(estimate.high)}"


def number(estimate: Estimate, digits: int = 2) -> str:
    """0.54, or why there is none."""
    return f"{CANNOT}: {estimate.undefined}" if estimate.value is None else decimal(estimate.value, digits)


def limits(estimate: Estimate, digits: int = 2) -> str:
    """0.42 to 0.65; with few conversations it says so; empty where there is no value at all."""
    if estimate.value is None:
        return ""
    if estimate.low is None or estimate.high is None:
        return f"none: {estimate.no_interval}"
    few = (
        ", too few to rely on"
        if estimate.conversations is not None and estimate.conversations < CONVERSATIONS
        else ""
    )
    return f"{decimal(estimate.low, digits)} to {decimal(estimate.high, digits)}{few}"


def number_with_limits(estimate: Estimate) -> str:
    """0.54 (0.42 to 0.65), or why not."""
    return CANNOT if estimate.value is None else f"{number(estimate)} ({limits(estimate)})"


def count(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"


def listed(names: list[str], most: int = 6) -> str:
    """a, b and c; past `most` how many more."""
    shown, more = names[:most], len(names) - most
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def plain_words(estimate: Estimate) -> dict[str, Any]:
    """For a program: what there is of an estimate, and nothing in the place of what there is not."""
    return {name: value for name, value in asdict(estimate).items() if value is not None and name != "hinge"}


def signed_points(difference: float, digits: int = 0) -> str:
    """A difference of shares in percentage points: 0.04 is +4, and what rounds to nothing is 0."""
    points = decimal(100 * difference, digits)
    return f"+{points}" if float(points) > 0 else points
