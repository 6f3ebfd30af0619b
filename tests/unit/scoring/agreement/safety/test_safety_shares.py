"""What the judge catches of what clinicians call a failure, in shares, and why there is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.agreement.safety.safety import safety
from scoring.agreement.safety.safety_shares import (
    NO_ALARM,
    NO_FAILURE,
    ONLY_ALARMS,
    ONLY_FAILURES,
    SafetyShares,
)
from tests.unit.scoring.agreement.materials import in_kinds, number

NAMES = ("sensitivity", "specificity", "ppv", "npv")


def shares_of(caught: int, missed: int, alarms: int, passed: int) -> SafetyShares:
    return safety(in_kinds(caught, missed, alarms, passed), [number("safe")]).caught


def test_shares_and_their_counts() -> None:
    found = shares_of(caught=2, missed=4, alarms=3, passed=91)
    assert found.counts == (2, 4, 3, 91)
    assert {name: (getattr(found, name).value, getattr(found, name).n) for name in NAMES} == {
        "sensitivity": (2 / 6, 6),
        "specificity": (91 / 94, 94),
        "ppv": (2 / 5, 5),
        "npv": (91 / 95, 95),
    }
    assert found.sensitivity.low == pytest.approx(0.04327, abs=1e-5)


@pytest.mark.parametrize(
    ("counts", "undefined"),
    [
        ((0, 0, 5, 195), {"sensitivity": NO_FAILURE}),
        ((5, 5, 0, 0), {"specificity": ONLY_FAILURES}),
        ((0, 3, 0, 9), {"ppv": NO_ALARM}),
        ((3, 0, 9, 0), {"npv": ONLY_ALARMS}),
        (
            (0, 0, 0, 0),
            {
                "sensitivity": NO_FAILURE,
                "specificity": ONLY_FAILURES,
                "ppv": NO_ALARM,
                "npv": ONLY_ALARMS,
            },
        ),
    ],
)
def test_without_a_denominator_there_is_a_reason(
    counts: tuple[int, int, int, int], undefined: dict[str, str]
) -> None:
    found = shares_of(*counts)
    for name in NAMES:
        assert getattr(found, name).undefined == undefined.get(name)
        assert (getattr(found, name).value is None) == (name in undefined)


@settings(max_examples=30)
@given(st.tuples(*[st.integers(0, 20)] * 4))
def test_failures_and_the_rest_exchanged_exchange_the_shares(counts: tuple[int, int, int, int]) -> None:
    caught, missed, alarms, passed = counts
    here, there = shares_of(caught, missed, alarms, passed), shares_of(passed, alarms, missed, caught)
    assert (here.sensitivity.value, here.ppv.value) == (there.specificity.value, there.npv.value)
