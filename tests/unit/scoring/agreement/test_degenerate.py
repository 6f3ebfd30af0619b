"""Every coefficient where there is next to nothing: a number or a reason, and never a warning, NaN or
infinity.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.coefficients.kappa import NO_PAIR, NO_VARIATION
from scoring.agreement.coefficients.krippendorff import NO_VARIATION as ALL_THE_SAME
from scoring.agreement.coefficients.multirater import NOBODY, TWO_CATEGORIES
from scoring.agreement.coefficients.percent import NO_PAIRS
from scoring.agreement.coefficients.prevalence import TWO_LABELS
from tests.unit.scoring.agreement.drawn import (
    ALL,
    ALPHAS,
    KINDS,
    NOT_ALPHA,
    Drawn,
    Rows,
    drawn,
    estimate,
    labels_of,
    units_of_two,
    weighing,
)
from tests.unit.scoring.agreement.intervals.test_jackknife import sound

pytestmark = pytest.mark.filterwarnings("error")
NOTHING_TO_COMPARE: dict[str, Rows] = {
    "empty": [],
    "units without a label": [[None, None], [None, None]],
    "one label": [[1, None]],
    "one rater": [[0], [1], [1]],
    "never the same unit": [[0, None], [None, 1]],
}
NEEDS_VARIATION = sorted(
    {*ALPHAS, "Scott", *(f"{name} {kind}" for name in ("Cohen", "Fleiss", "Conger") for kind in KINDS)}
)
CAN_DO_WITHOUT = sorted(
    {"percent", "agreeing", *(f"{name} {kind}" for name in ("Gwet", "Brennan-Prediger") for kind in KINDS)}
)


@pytest.mark.parametrize("name", sorted(ALL))
@pytest.mark.parametrize("rows", NOTHING_TO_COMPARE.values(), ids=NOTHING_TO_COMPARE)
def test_nothing_to_compare_cannot_be_estimated(name: str, rows: Rows) -> None:
    found = estimate(name, labels_of(rows, 2), 2)
    sound(found)
    assert found.value is None
    assert found.undefined in (NO_PAIR, NO_PAIRS, NOBODY)
    assert found.conversations == 0


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_scale_of_one_label_says_nothing(name: str) -> None:
    found = estimate(name, labels_of([[0, 0], [0, 0], [0, 0]], 1), 2)
    sound(found)
    if name in ("percent", "agreeing"):
        assert found.value == 1
    else:
        assert found.undefined in (NO_VARIATION, ALL_THE_SAME, TWO_CATEGORIES, TWO_LABELS)


@pytest.mark.parametrize("name", NEEDS_VARIATION)
def test_one_label_used_throughout_cannot_be_told_from_chance(name: str) -> None:
    found = estimate(name, labels_of([[1, 1]] * 30, 3), 2)
    sound(found)
    assert (found.value, found.conversations) == (None, 30)
    assert found.undefined in (NO_VARIATION, ALL_THE_SAME)


@pytest.mark.parametrize("name", CAN_DO_WITHOUT)
def test_one_label_used_throughout_is_full_agreement_where_chance_does_not_need_another(name: str) -> None:
    found = estimate(name, labels_of([[1, 1]] * 30, 3), 2)
    sound(found)
    assert found.value == pytest.approx(1)


def test_a_declared_label_that_nobody_used_is_on_the_scale() -> None:
    """Distances and the number of labels are the declared scale's; only nominal alpha, ordinal alpha, Scott,
    plain kappa and Fleiss do not read them.
    """
    rows: Rows = [[0, 0], [0, 1], [0, 1], [1, 2], [2, 2], [1, 1], [1, 0], [2, 0]]
    wide: Rows = [[0, 0], [0, 1], [0, 1], [1, 3], [3, 3], [1, 1], [1, 0], [3, 0]]
    same = {
        name
        for name in sorted(set(ALL) - {"prevalence", "bias"})
        if estimate(name, labels_of(rows, 3), 2).value
        == pytest.approx(estimate(name, labels_of(wide, 4), 2).value, abs=1e-12)
    }
    assert same == {
        "percent",
        "agreeing",
        "Cohen none",
        "Fleiss none",
        "Conger none",
        "Scott",
        "alpha nominal",
        "alpha ordinal",
    }


@pytest.mark.parametrize("name", sorted(ALL))
@pytest.mark.parametrize(
    "rows", [[[0, 0], [1, 1]], [[0, 1], [1, 0]], [[0, 1], [0, 1]], [[0, 0], [0, 1]]], ids=str
)
def test_two_units_are_enough_for_a_number_and_too_few_for_trust(name: str, rows: Rows) -> None:
    found = estimate(name, labels_of(rows, 2), 2)
    sound(found)
    assert found.value is not None
    assert found.low is None or (found.high is not None and found.high - found.low > 0.8)


@pytest.mark.parametrize("name", sorted(ALL))
def test_huge_counts_overflow_nowhere(name: str) -> None:
    """A unit that weighs like 1e12 stands for as many."""
    rows: Rows = [[0, 0], [1, 1], [0, 1], [1, 0], [0, 0], [1, 1]]
    plain, huge = (
        estimate(name, weighing(labels_of(rows, 2, [0, 0, 1, 1, 2, 2]), [weight] * 6), 2)
        for weight in (1, 1e12)
    )
    sound(huge)
    for end in ("value", "low", "high", "influence"):
        expected = getattr(plain, end)
        assert getattr(huge, end) == (None if expected is None else pytest.approx(expected, abs=1e-9))


@given(drawn(), st.sampled_from(sorted(ALL)), st.lists(st.floats(1e-3, 1e6), min_size=16, max_size=16))
def test_no_weight_makes_a_number_infinite_or_warns(sample: Drawn, name: str, weight: list[float]) -> None:
    found = estimate(name, weighing(sample.labels, weight), sample.raters)
    sound(found)
    assert found.value is None or -1e9 < found.value <= 1 + 1e-9


@given(drawn(), st.sampled_from(sorted(ALL)), st.sampled_from([0.001, 0.3, 7.0, 1e6]))
def test_weights_that_are_all_the_same_change_nothing(sample: Drawn, name: str, weight: float) -> None:
    plain, weighted = (
        estimate(name, labels, sample.raters)
        for labels in (sample.labels, weighing(sample.labels, [weight] * len(sample.rows)))
    )
    assert (weighted.undefined, weighted.conversations) == (plain.undefined, plain.conversations)
    for end in ("value", "low", "high"):
        expected = getattr(plain, end)
        assert getattr(weighted, end) == (None if expected is None else pytest.approx(expected, abs=1e-6)), (
            end
        )


@given(drawn(), st.sampled_from(sorted(NOT_ALPHA)), st.integers(0, 15), st.integers(2, 3))
def test_a_unit_of_weight_2_is_the_unit_twice(sample: Drawn, name: str, which: int, times: int) -> None:
    """But for alpha, whose n - 1 counts labels (test_krippendorff.py)."""
    at = which % len(sample.rows)
    repeated = Drawn(
        sample.k,
        sample.rows + [sample.rows[at]] * (times - 1),
        sample.parts + [sample.parts[at]] * (times - 1),
    )
    expected, units = estimate(name, repeated.labels, sample.raters), units_of_two(repeated.labels)
    heavy = weighing(sample.labels, [times if unit == at else 1 for unit in range(len(sample.rows))])
    weighted = estimate(name, heavy, sample.raters, units)  # how many units there are is counted, not weighed
    assert weighted.undefined == expected.undefined
    assert weighted.conversations == expected.conversations
    for end in ("value", "low", "high", "error"):
        wanted = getattr(expected, end)
        assert getattr(weighted, end) == (None if wanted is None else pytest.approx(wanted, abs=1e-6)), end


def test_a_conversation_with_nothing_in_it_is_not_a_division_by_zero() -> None:
    labels = labels_of([[0, 1], [1, 1]], 2)
    for name in ALL:
        statistic, counts = ALL[name](labels, 2)
        made = statistic.of(np.zeros((3, *counts.shape[1:])))
        assert made.shape == (3,) and all(math.isnan(one) for one in made)
