"""Corrected pass rates and intraclass correlations."""

from __future__ import annotations

from scoring.agreement.coefficients.icc import FORMS, icc
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.proportions import wilson
from scoring.agreement.rates.corrected_rate import JudgePasses, PassCalibration, corrected_rate
from scoring.agreement.rates.ppi import ppi, ppi_plus_plus
from tests.vectors.families.values import compare_estimate, has_reason, value_of
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict

CLOSED_FORM = "closed_form_ci95_ddof0"


def corrected(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    where, counts = case["id"], case["calibration"]
    calibration = PassCalibration(
        counts["tp"] + counts["fn"], counts["tp"], counts["tn"] + counts["fp"], counts["tn"]
    )
    judged = JudgePasses(case["judge_pass"], case["judge_total"])
    result, expected = corrected_rate(calibration, judged), case["expected"]
    for name, value in (
        ("raw_judge_rate", wilson(judged.passed, judged.n).value),
        ("sensitivity", calibration.sensitivity.value),
        ("specificity", calibration.specificity.value),
    ):
        if name in expected:
            tally.number(f"{where} {name}", value, value_of(expected[name]))
    for name, count in (("n_failures", calibration.failed), ("n_passes", calibration.passed)):
        if name in expected:
            tally.same(f"{where} {name}", count, expected[name])
    if "corrected" in expected:
        compare_estimate(
            f"{where} corrected", tally, result, expected["corrected"], ("rogan_gladen_point", "value")
        )
        if isinstance(expected["corrected"], TrackedDict) and "lee2026_ci95" in expected["corrected"]:
            tally.numbers(
                f"{where} corrected interval",
                [result.low, result.high],
                expected["corrected"]["lee2026_ci95"],
            )
    for name, estimate in (
        ("ppi_lambda1", ppi(calibration, judged)),
        ("ppi_plusplus", ppi_plus_plus(calibration, judged)),
    ):
        if name in expected:
            compare_estimate(f"{where} {name}", tally, estimate, expected[name], ("point", "value"))
            if isinstance(expected[name], TrackedDict) and CLOSED_FORM in expected[name]:
                compare_closed_form(f"{where} {name} closed form", tally, estimate, expected[name])


def compare_closed_form(where: str, tally: Tally, found: Estimate, expected: TrackedDict) -> None:
    """The limits of a formula, which are the product's unless the file says that they do not match."""
    if expected.get("closed_form_matches", True):
        tally.numbers(where, [found.low, found.high], expected[CLOSED_FORM])
    else:
        tally.same(f"{where} differs", expected[CLOSED_FORM] != expected.get("ci95"), True)


def intraclass(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    for form in FORMS:
        found, expected = icc(case["ratings"], form).estimate, case["expected"]
        if expected.get("undefined") is not None:
            tally.number(f"{case['id']} {form}", found.value, None)
            has_reason(f"{case['id']} {form}", tally, found)
        elif form in expected:
            compare_estimate(f"{case['id']} {form}", tally, found, expected[form])


COMPARERS = {"agreement_corrected_rate": corrected, "agreement_icc": intraclass}
