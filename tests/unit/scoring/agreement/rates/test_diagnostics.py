"""What the judge catches of what clinicians call a failure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.rates.diagnostics import (
    NO_ALARM,
    NO_FAILURE,
    NOTHING,
    ONLY_ALARMS,
    ONLY_FAILURES,
    diagnostics,
)
from scoring.bad_input import BadInput


def test_shares_and_their_counts() -> None:
    result = diagnostics(tp=2, fn=4, fp=3, tn=91)
    named = {
        name: (getattr(result, name).k, getattr(result, name).n)
        for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy")
    }
    assert named == {
        "sensitivity": (2, 6),
        "specificity": (91, 94),
        "ppv": (2, 5),
        "npv": (91, 95),
        "accuracy": (93, 100),
    }
    assert result.sensitivity.clopper_pearson.low == pytest.approx(0.04327, abs=1e-5)
    assert result.balanced_accuracy.value == pytest.approx((2 / 6 + 91 / 94) / 2)
    assert result.youden_j.value == pytest.approx(2 / 6 + 91 / 94 - 1)


@pytest.mark.parametrize(
    ("counts", "undefined"),
    [
        (
            (0, 0, 5, 195),
            {"sensitivity": NO_FAILURE, "balanced_accuracy": NO_FAILURE, "youden_j": NO_FAILURE},
        ),
        (
            (5, 5, 0, 0),
            {"specificity": ONLY_FAILURES, "balanced_accuracy": ONLY_FAILURES, "youden_j": ONLY_FAILURES},
        ),
        ((0, 3, 0, 9), {"ppv": NO_ALARM}),
        ((3, 0, 9, 0), {"npv": ONLY_ALARMS}),
        (
            (0, 0, 0, 0),
            {
                "sensitivity": NO_FAILURE,
                "specificity": ONLY_FAILURES,
                "ppv": NO_ALARM,
                "npv": ONLY_ALARMS,
                "accuracy": NOTHING,
                "balanced_accuracy": NOTHING,
                "youden_j": NOTHING,
            },
        ),
    ],
)
def test_without_a_denominator_there_is_a_reason(
    counts: tuple[int, int, int, int], undefined: dict[str, str]
) -> None:
    found = diagnostics(*counts)
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy", "balanced_accuracy", "youden_j"):
        assert getattr(found, name).undefined == undefined.get(name)
        assert (getattr(found, name).value is None) == (name in undefined)


@given(st.tuples(*[st.integers(0, 40)] * 4))
def test_failures_and_the_rest_exchanged_exchange_the_shares(counts: tuple[int, int, int, int]) -> None:
    tp, fn, fp, tn = counts
    here, there = diagnostics(tp, fn, fp, tn), diagnostics(tp=tn, fn=fp, fp=fn, tn=tp)
    assert (here.sensitivity.value, here.ppv.value, here.accuracy.value) == (
        there.specificity.value,
        there.npv.value,
        there.accuracy.value,
    )
    assert here.youden_j.value == there.youden_j.value


@pytest.mark.parametrize("name", ["tp", "fn", "fp", "tn"])
def test_what_is_no_count_is_refused_by_name(name: str) -> None:
    for value in (-1, 0.5, None, "3"):
        with pytest.raises(BadInput, match=f"^{name}: "):
            diagnostics(**{"tp": 1, "fn": 1, "fp": 1, "tn": 1, name: value})  # type: ignore[arg-type]
