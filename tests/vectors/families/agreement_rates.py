"""Corrected pass rates and intraclass correlations."""

from __future__ import annotations

from scoring.agreement.coefficients.icc import FORMS, icc
from scoring.agreement.intervals.proportions import wilson
from scoring.agreement.rates.corrected_rate import JudgePasses, PassCalibration, corrected_rate
from tests.vectors.families.values import compare_estimate, has_reason, value_of
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict


def corrected(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    where, counts = case["id"], case["calibration"]
    calibration = PassCalibration(
        counts["tp"] + counts["fn"], counts["tp"], counts["tn"] + counts["fp"], counts["tn"]
    )
    judged = JudgePasses(case["judge_pass"], case["judge_total"])
    result, expected = corrected_rate(calibration, judged), case["expected"]
    if "raw_judge_rate" in expected:
        raw = wilson(judged.passed, judged.n).value
        tally.number(f"{where} raw_judge_rate", raw, value_of(expected["raw_judge_rate"]))
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


def intraclass(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    for form in FORMS:
        found, expected = icc(case["ratings"], form).estimate, case["expected"]
        if expected.get("undefined") is not None:
            tally.number(f"{case['id']} {form}", found.value, None)
            has_reason(f"{case['id']} {form}", tally, found)
        elif form in expected:
            compare_estimate(f"{case['id']} {form}", tally, found, expected[form])


COMPARERS = {"agreement_corrected_rate": corrected, "agreement_icc": intraclass}
