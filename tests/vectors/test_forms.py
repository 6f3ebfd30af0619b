"""Forms that vector files may have beside those of the copies, and cases on which the reference program
fails.
"""

from __future__ import annotations

from typing import Any

import pytest

from scoring.bad_input import BadInput
from tests.vectors.comparison import compare_document
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict

# Cases on which the reference program fails


def refused(name: str, case: dict[str, Any]) -> list[str]:
    return compare_document(name, {"cases": [{"id": "bad", **case}]}).failures


def test_an_expected_exception_is_a_refusal_in_clear_words() -> None:
    name, negative = "agreement_proportion_ci", {"k": -1, "n": 9}
    assert refused(name, {**negative, "expected_exception": "ValueError"}) == []
    assert refused(name, {**negative, "expected": {"expected_exception": "ValueError"}}) == []
    assert refused(name, {**negative, "expected": {}})[0].startswith(
        "bad: BadInput: k: expected a count from 0"
    )
    message = refused(name, {**negative, "k": 1, "expected_exception": "ValueError", "expected": {}})
    assert message[-1] == "bad: expected the product to refuse it, and it did not"


def test_a_crash_of_the_comparison_is_no_refusal() -> None:
    assert refused("step_f1", {"threshold": 0.5, "expected_exception": "TypeError"})[0].startswith(
        "bad: KeyError: 'model_steps'"
    )


def test_a_crash_of_the_product_is_no_refusal() -> None:
    def divide(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
        Tally("inner").numbers("curve", case["curve"], 1)  # type: ignore[arg-type]

    def refuse_by_itself(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
        raise BadInput("curve", "raised here and not by the product")

    for comparer in (divide, refuse_by_itself):
        case = {"id": "bad", "curve": [1], "expected_exception": "TypeError"}
        assert len(compare_document("x", {"cases": [case]}, {"x": comparer}).failures) == 1


def test_a_curve_with_a_gap_on_which_the_published_program_fails_has_no_published_slope() -> None:
    case: dict[str, Any] = {"curve": [0.5, None, 0.7], "expected_exception": "TypeError"}
    assert refused("drift_slope", case) == []
    told = refused("drift_slope", {**case, "curve": [0.5, 0.6, 0.7]})
    assert len(told) == 2 and told[0].startswith("bad as published: ") and told[0].endswith(", expected None")


def test_a_stride_below_1_is_refused() -> None:
    case: dict[str, Any] = {
        "responses_by_case": {"c0": ["Rest.", "Do not rest."]},
        "nli_stride": 0,
        "expected_exception": "ValueError",
    }
    assert refused("knowledge_conflict", case) == []
    assert refused("knowledge_conflict", {**case, "nli_stride": 1})


# Forms that other files may have


THREE_JUDGES = [[1, 1, 1, 1, 0], [1, 0, 0, 0, 1], [0, 1, 0, 0, 0]]
Q = {"statistic": 2.8, "df": 2, "p": 0.2465969639416065}


@pytest.mark.parametrize(
    "data",
    [
        THREE_JUDGES,
        [list(unit) for unit in zip(*THREE_JUDGES, strict=True)],
        dict(zip("abc", THREE_JUDGES, strict=True)),
    ],
)
@pytest.mark.parametrize(
    "expected",
    [
        Q,
        {"cochran_q": Q},
        {"q": 2.8, "df": 2, "p_value": 0.2465969639416065, "confirmed_by": ["statsmodels"]},
    ],
)
def test_cochrans_q_by_raters_and_units(data: object, expected: dict[str, Any]) -> None:
    case = {"test": "cochran_q", "data": data}
    assert refused("agreement_paired_tests", {**case, "expected": expected}) == []
    numbers = expected.get("cochran_q", expected)
    for key in set(numbers) - {"df", "confirmed_by"}:
        wrong = {**numbers, key: numbers[key] + 0.1}
        assert len(refused("agreement_paired_tests", {**case, "expected": {"cochran_q": wrong}})) == 1, key
    assert refused("agreement_paired_tests", {**case, "expected": {**numbers, "df": 3}})


@pytest.mark.parametrize(
    "expected",
    [{"undefined": "no unit differs"}, {"statistic": 0.0, "p": 1.0}, {"statistic": None, "p": None, "df": 2}],
)
def test_cochrans_q_where_no_unit_differs(expected: dict[str, Any]) -> None:
    case = {"test": "cochran_q", "data": [[1, 0], [1, 0], [1, 0]]}
    assert refused("agreement_paired_tests", {**case, "expected": expected}) == []
    assert len(refused("agreement_paired_tests", {**case, "expected": {"statistic": 1.5, "p": 0.4}})) == 1


def test_an_unknown_test_is_a_failure_by_its_name() -> None:
    told = refused(
        "agreement_paired_tests", {"test": "friedman", "data": THREE_JUDGES, "expected": {"p": 0.1}}
    )
    assert told[0] == "bad: nothing in the product answers to the test friedman"


def test_sizes_of_claims_with_misses() -> None:
    case = {"rate": 0.05, "n_failures": 1}
    assert refused("agreement_sample_size", {**case, "expected": {"n": 93}}) == []
    assert len(refused("agreement_sample_size", {**case, "expected": {"n": 94}})) == 1


def test_a_standard_error_is_compared_as_such_where_the_interval_is_cut_short() -> None:
    """9 of 10, 10 of 10 and 2 of 20 alike, in three conversations: the t interval goes beyond both ends."""
    units = [*[["a", "a"]] * 9, ["a", "b"], *[["a", "a"]] * 10, *[["b", "b"]] * 2, *[["a", "b"]] * 18]
    error = 0.37826765623442665
    value, half = 21 / 40, 4.302652729911275 * error
    entry = {"value": value, "jackknife_se": error, "df": 2, "ci95_t": [value - half, value + half]}
    case = {
        "categories": ["a", "b"],
        "ratings": units,
        "clusters": [0] * 10 + [1] * 10 + [2] * 20,
        "expected": {"percent_agreement": entry},
    }
    assert refused("agreement_cluster", case) == []
    assert (
        len(
            refused(
                "agreement_cluster",
                {**case, "expected": {"percent_agreement": {**entry, "jackknife_se": error + 1e-6}}},
            )
        )
        == 1
    )


def test_published_figures_are_met_to_their_last_digit() -> None:
    tally = Tally("x")
    tally.published("kappa", 0.25925, 0.26)
    assert tally.failures == []
    tally.published("kappa", 0.2598, 0.259)
    tally.published("kappa", None, 0.26)
    assert len(tally.failures) == 2
