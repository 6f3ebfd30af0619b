"""Cohen's kappa against vectors that several independent libraries confirmed."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.agreement.coefficients.kappa import kappa
from scoring.agreement.coefficients.percent import percent
from scoring.agreement.coefficients.weights import Weights
from scoring.agreement.labels.pairs import Counts, confusion
from tests.vectors.reading import cases

CASES = cases("cohen_kappa.json")
NAMES: dict[str, Weights] = {"cohen": "none", "cohen_linear": "linear", "cohen_quadratic": "quadratic"}
DEFINED = [(case, name) for case in CASES for name in NAMES if "value" in case["expected"].get(name, {})]
UNDEFINED = [
    (case, name) for case in CASES for name in NAMES if "undefined" in case["expected"].get(name, {})
]


def table(case: dict[str, Any]) -> Counts:
    return confusion(
        ((str(a), str(b)) for a, b in case["ratings"]), [str(label) for label in case["categories"]]
    )


def test_the_vectors_hold_both_kinds() -> None:
    assert (len(DEFINED), len(UNDEFINED)) == (17, 2)


@pytest.mark.parametrize(("case", "name"), DEFINED, ids=lambda x: x["id"] if isinstance(x, dict) else x)
def test_kappa_is_that_of_the_vectors(case: dict[str, Any], name: str) -> None:
    assert kappa(table(case), NAMES[name]).value == pytest.approx(case["expected"][name]["value"], abs=1e-9)


@pytest.mark.parametrize(("case", "name"), UNDEFINED, ids=lambda x: x["id"] if isinstance(x, dict) else x)
def test_what_cannot_be_estimated_says_why(case: dict[str, Any], name: str) -> None:
    found = kappa(table(case), NAMES[name])
    assert found.value is None
    assert found.undefined


@pytest.mark.parametrize(
    "case", [c for c in CASES if "value" in c["expected"]["percent_agreement"]], ids=lambda case: case["id"]
)
def test_percent_agreement_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    assert percent(table(case)).value == pytest.approx(
        case["expected"]["percent_agreement"]["value"], abs=1e-9
    )
