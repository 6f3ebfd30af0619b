"""How the expectations of the agreement files are written: numbers, objects with a value, or a reason why
there is none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.significance_tests.significance import Significance
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict

STATISTIC = ("statistic", "q", "Q", "chi2", "chi_square")
P = ("p", "p_value", "pvalue")


def has_reason(where: str, tally: Tally, result: Estimate | Significance | Any) -> None:
    tally.same(f"{where} has a reason", bool(result.undefined), True)


def value_of(expected: Any, names: Iterable[str] = ("value",)) -> float | None:
    """The number of an expectation: itself, or under the first of the names that it has; None where it says
    `undefined`."""
    if not isinstance(expected, TrackedDict):
        return None if expected is None else float(expected)
    expected.get("undefined")
    number = next((expected[name] for name in names if name in expected), None)
    return None if number is None else float(number)


def compare_estimate(
    where: str, tally: Tally, result: Estimate, expected: Any, names: Iterable[str] = ("value",)
) -> None:
    """Expected: a number, a value with or without an interval, or undefined."""
    value = value_of(expected, names)
    tally.number(where, result.value, value)
    if value is None:
        has_reason(where, tally, result)
    if isinstance(expected, TrackedDict):
        if "ci95" in expected:
            tally.numbers(f"{where} interval", [result.low, result.high], expected["ci95"])
        if isinstance(expected.get("published"), int | float):
            tally.published(f"{where} as published", result.value, expected["published"])


def compare_test(where: str, tally: Tally, result: Significance, expected: Any) -> None:
    """Expected: a p, or an object with statistic, p and degrees of freedom, or undefined."""
    if not isinstance(expected, TrackedDict):
        tally.number(f"{where} p", result.p, value_of(expected))
    else:
        for value, names in ((result.statistic, STATISTIC), (result.p, P), (result.df, ("df",))):
            if any(name in expected for name in names):
                tally.number(f"{where} {names[0]}", value, value_of(expected, names))
        if "undefined" in expected:
            tally.number(f"{where} p", result.p, value_of(expected, P))
    if result.p is None:
        has_reason(where, tally, result)
