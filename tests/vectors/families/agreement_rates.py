"""Corrected pass rates and intraclass correlations."""

from __future__ import annotations

from typing import Any

from scoring.agreement.corrected_rate import Calibration, Judged, corrected_rate
from scoring.agreement.icc import FORMS, icc
from scoring.agreement.ppi import ppi, ppi_plus_plus
from scoring.agreement.proportions import wilson
from tests.vectors.families.agreement_tests import estimate, has_reason
from tests.vectors.tally import Tally

Case = dict[str, Any]


def corrected(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    where, expected, counts = case["id"], case["expected"], case["calibration"]
    calibration = Calibration(counts["tp"] + counts["fn"], counts["tp"], counts["tn"] + counts["fp"], counts["tn"])
    judged = Judged(case["judge_pass"], case["judge_total"])
    for name, value in (("raw_judge_rate", wilson(judged.passed, judged.n).value), ("sensitivity", calibration.sensitivity.value),
                        ("specificity", calibration.specificity.value)):
        if name in expected:
            tally.number(f"{where} {name}", value, expected[name] if not isinstance(expected[name], dict) else None)
    found, wanted = corrected_rate(calibration, judged), expected.get("corrected")
    if wanted is not None:
        estimate(f"{where} corrected", tally, found,
                 {"value": wanted.get("rogan_gladen_point"), **({"ci95": wanted["lee2026_ci95"]} if "lee2026_ci95" in wanted else {})})
    for name, made in (("ppi_lambda1", ppi(calibration, judged)), ("ppi_plusplus", ppi_plus_plus(calibration, judged))):
        if name in expected:
            estimate(f"{where} {name}", tally, made,
                     {"value": expected[name].get("point"), **{key: expected[name][key] for key in ("ci95",) if key in expected[name]}})
        if "closed_form_ci95_ddof0" in expected.get(name, {}):
            tally.numbers(f"{where} {name} closed form", [made.low, made.high], expected[name]["closed_form_ci95_ddof0"])


def intraclass(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    expected = case["expected"]
    for form in FORMS:
        found = icc(case["ratings"], form).estimate
        if "undefined" in expected:
            tally.number(f"{case['id']} {form}", found.value, None)
            has_reason(f"{case['id']} {form}", tally, found)
        elif form in expected:
            estimate(f"{case['id']} {form}", tally, found, expected[form])


COMPARERS = {"agreement_corrected_rate": corrected, "agreement_icc": intraclass}
