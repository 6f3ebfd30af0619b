"""Cochran's Q: by hand, against statsmodels, as McNemar's test of two, and what has no answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.contingency_tables import cochrans_q

from scoring.agreement.significance_tests.cochran_q import METHOD, NO_DIFFERENCE, cochran_q
from scoring.agreement.significance_tests.mcnemar import mcnemar
from scoring.bad_input import BadInput

answers = st.integers(2, 6).flatmap(
    lambda k: st.integers(0, 30).flatmap(lambda n: arrays(np.int64, (k, n), elements=st.integers(0, 1)))
)


def test_three_judges_by_hand() -> None:
    """Right on 4, 2 and 1 of five units; 2, 2, 1, 1 and 1 judges right: 2 * (3*21 - 49) / (3*7 - 11) = 2.8,
    and p = exp(-1.4)."""
    result = cochran_q([[1, 1, 1, 1, 0], [1, 0, 0, 0, 1], [0, 1, 0, 0, 0]])
    assert (result.df, result.method) == (2, METHOD)
    assert result.statistic == pytest.approx(2.8, abs=1e-15)
    assert result.p == pytest.approx(np.exp(-1.4), abs=1e-15)


@given(answers)
def test_it_is_that_of_statsmodels(right: np.ndarray) -> None:
    result = cochran_q(right.tolist())
    if (right == right[0]).all():
        assert (result.p, result.statistic, result.df, result.undefined) == (None, None, None, NO_DIFFERENCE)
        return
    theirs = cochrans_q(right.T)
    assert (result.statistic, result.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)
    assert result.df == theirs.df == len(right) - 1


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_of_two_it_is_mcnemars_test(pairs: list[tuple[bool, bool]]) -> None:
    first, second = zip(*pairs, strict=True)
    result = cochran_q([first, second])
    table = [[sum(pair == (a, b) for pair in pairs) for b in (True, False)] for a in (True, False)]
    chi2 = mcnemar(table).chi2
    assert (result.p, result.statistic, result.df) == (
        None if chi2.p is None else pytest.approx(chi2.p),
        chi2.statistic,
        chi2.df,
    )


@given(answers)
def test_units_on_which_all_are_alike_and_the_order_of_judges_change_nothing(right: np.ndarray) -> None:
    wider = np.concatenate(
        [np.ones((len(right), 3), dtype=int), right[::-1], np.zeros((len(right), 2), dtype=int)], axis=1
    )
    assert cochran_q(wider.tolist()) == cochran_q(right.tolist())


def test_without_a_unit_there_is_nothing_to_test() -> None:
    assert cochran_q([[], [], []]).undefined == NO_DIFFERENCE


@pytest.mark.parametrize(
    ("right", "says"),
    [
        ([[1, 0]], "right: expected at least 2 judges, found 1"),
        ([], "right: expected at least 2 judges, found 0"),
        ([[1, 0], [1]], r"right\[1\]: expected 2 units"),
        ([[1, 0], [1, 2]], r"right\[1\]\[1\]: expected 0 or 1, found 2"),
        ([[1, 0], [1, None]], r"right\[1\]\[1\]: expected a whole number, found NoneType"),
        ([[1, 0], "10"], r"right\[1\]: expected a list"),
    ],
)
def test_what_is_not_right_or_wrong_is_refused_by_its_place(right: list[list[int]], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        cochran_q(right)
