"""Trends."""

from __future__ import annotations

from scoring.agreement.significance_tests.trend import trend
from tests.vectors.families.values import compare_estimate, has_reason
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict

ROUNDING = 1e-12


def drift(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    result, where = trend(case["series"]), case["id"]
    expected = case["expected"]
    if "n" in expected:
        tally.same(f"{where} n", result.n, expected["n"])
    if expected.get("undefined") is not None:
        for name, part in (("Mann-Kendall", result.mann_kendall), ("line", result.line)):
            tally.same(f"{where} {name}", part, None)
        for estimate in (result, result.tau_b, result.theil_sen):
            has_reason(where, tally, estimate)
        return
    kendall, line = result.mann_kendall, result.line
    assert kendall is not None and line is not None
    for name, value in (("S", kendall.s), ("var_S", kendall.var_s), ("z", kendall.z), ("p", kendall.p)):
        tally.number(f"{where} {name}", value, expected["mann_kendall"][name])
    compare_estimate(f"{where} tau-b", tally, result.tau_b, expected["kendall_tau_b"])
    compare_estimate(f"{where} Theil-Sen", tally, result.theil_sen, expected["theil_sen_slope"])
    tally.number(f"{where} slope", line.slope.value, expected["ols"]["slope"])
    tally.number(f"{where} SE", line.error, expected["ols"]["se"])
    if line.p is None:
        # Points on a line: the other programs' p and interval are made of rounding (SE below 1e-12) and say
        # nothing.
        tally.same(f"{where} the expected SE is rounding", expected["ols"]["se"] < ROUNDING, True)
        p, slope, limits = (expected["ols"].get(name) for name in ("p", "slope", "ci95"))
        tally.same(f"{where} the expected p is one", p is None or 0 <= p <= 1, True)
        if limits is not None:
            tally.numbers(f"{where} the expected interval is the slope", limits, [slope, slope])
        tally.same(f"{where} slope has a reason for no interval", bool(line.slope.no_interval), True)
    else:
        tally.number(f"{where} p", line.p, expected["ols"]["p"])
        tally.numbers(f"{where} interval", [line.slope.low, line.slope.high], expected["ols"]["ci95"])


COMPARERS = {"agreement_drift": drift}
