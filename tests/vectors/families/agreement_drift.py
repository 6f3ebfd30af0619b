"""Trends and CUSUM charts."""

from __future__ import annotations

from typing import Any

from scoring.agreement.cusum import cusum
from scoring.agreement.trend import trend
from tests.vectors.families.agreement_tests import estimate, has_reason
from tests.vectors.tally import Tally

Case = dict[str, Any]
ROUNDING = 1e-12


def drift(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    where, expected, found = case["id"], case["expected"], trend(case["series"])
    tally.same(f"{where} n", found.n, expected.get("n", found.n))
    if "undefined" in expected:
        for name, made in (("Mann-Kendall", found.mann_kendall), ("line", found.line)):
            tally.same(f"{where} {name}", made, None)
        for one in (found, found.tau_b, found.theil_sen):
            has_reason(where, tally, one)
        return
    kendall, line = found.mann_kendall, found.line
    assert kendall is not None and line is not None
    for name, value in (("S", kendall.s), ("var_S", kendall.var_s), ("z", kendall.z), ("p", kendall.p)):
        tally.number(f"{where} {name}", value, expected["mann_kendall"][name])
    estimate(f"{where} tau-b", tally, found.tau_b, expected["kendall_tau_b"])
    estimate(f"{where} Theil-Sen", tally, found.theil_sen, expected["theil_sen_slope"])
    tally.number(f"{where} slope", line.slope.value, expected["ols"]["slope"])
    tally.number(f"{where} SE", line.error, expected["ols"]["se"])
    if line.p is None:
        # Points on a line: the other programs' p and interval are made of rounding (SE below 1e-12) and say nothing.
        tally.same(f"{where} the expected SE is rounding", expected["ols"]["se"] < ROUNDING, True)
        tally.same(f"{where} slope has a reason for no interval", bool(line.slope.no_interval), True)
    else:
        tally.number(f"{where} p", line.p, expected["ols"]["p"])
        tally.numbers(f"{where} interval", [line.slope.low, line.slope.high], expected["ols"]["ci95"])


def chart(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    where, expected = case["id"], case["expected"]
    found = cusum(case["series"], case["target"], case["sd"], case["k"], case["h"])
    tally.same(f"{where} first alarm", found.first_alarm, expected.get("first_alarm_index0"))
    if "undefined" in expected:
        has_reason(where, tally, found)
        return
    tally.numbers(f"{where} C+", found.above, expected["C_plus"])
    tally.numbers(f"{where} C-", found.below, expected["C_minus"])


COMPARERS = {"agreement_drift": drift, "agreement_cusum": chart}
