"""McNemar and Stuart-Maxwell: published numbers, scipy, and tables that have no answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom, binomtest, chi2

from scoring.agreement.significance_tests import mcnemar as mc
from scoring.agreement.significance_tests import stuart_maxwell as sm
from scoring.agreement.significance_tests.mcnemar import mcnemar, sign_test
from scoring.agreement.significance_tests.significance import Significance
from scoring.agreement.significance_tests.stuart_maxwell import stuart_maxwell
from scoring.bad_input import BadInput

tables = st.integers(1, 5).flatmap(lambda k: arrays(np.int64, (k, k), elements=st.integers(0, 6)))


def test_the_approval_ratings_of_agresti() -> None:
    found = mcnemar([[794, 150], [86, 570]])
    assert found.chi2.df == 1
    assert found.chi2.statistic == pytest.approx(17.356, abs=5e-4)
    assert found.chi2.p == pytest.approx(3.1e-5, abs=5e-7)


@given(st.integers(0, 60), st.integers(0, 60))
def test_exact_and_mid_p_are_binomial(b: int, c: int) -> None:
    result, n = mcnemar([[3, b], [c, 5]]), b + c
    if n == 0:
        assert result.exact.undefined == mc.NO_DIFFERENCE
        return
    assert result.exact.p == sign_test(b, c) == pytest.approx(binomtest(b, n).pvalue, abs=1e-12)
    assert result.mid_p.p == pytest.approx(
        2 * (binom.cdf(min(b, c) - 1, n, 0.5) + binom.pmf(min(b, c), n, 0.5) / 2), abs=1e-12
    )
    assert (
        result.mid_p.p is not None and result.exact.p is not None and result.mid_p.p <= result.exact.p + 1e-12
    )
    assert result.chi2.p == pytest.approx(chi2.sf((b - c) ** 2 / n, 1))


@pytest.mark.parametrize("apart", [0, 1])
def test_the_correction_never_makes_a_difference_of_none(apart: int) -> None:
    """7 against 7: one library subtracts 1 from 0, squares it, and finds 1/14."""
    found = mcnemar([[20, 7 + apart], [7, 20]]).chi2_continuity
    assert (found.statistic, found.p) == (0, 1)


def test_the_other_way_round_is_the_same_test() -> None:
    here, there = mcnemar([[9, 8], [2, 9]]), mcnemar([[9, 2], [8, 9]])
    assert (here.exact, here.mid_p, here.chi2, here.chi2_continuity) == (
        there.exact,
        there.mid_p,
        there.chi2,
        there.chi2_continuity,
    )


@pytest.mark.parametrize("table", [[[5, 0], [0, 4]], [[0, 0], [0, 0]]])
def test_where_nothing_differs_there_is_nothing_to_test(table: list[list[int]]) -> None:
    found = mcnemar(table)
    for one in (found.exact, found.mid_p, found.chi2, found.chi2_continuity):
        assert (one.p, one.statistic, one.undefined) == (None, None, mc.NO_DIFFERENCE)
    assert stuart_maxwell(table).undefined == sm.NO_DIFFERENCE


@given(st.integers(0, 40), st.integers(0, 40))
def test_with_two_labels_both_are_one_test(b: int, c: int) -> None:
    table = [[4, b], [c, 4]]
    pairs, found = mcnemar(table).chi2, stuart_maxwell(table)
    assert (found.p, found.statistic, found.df) == (
        (None, None, None) if pairs.p is None else (pytest.approx(pairs.p), pytest.approx(pairs.statistic), 1)
    )


@given(tables)
def test_it_is_the_closed_form_with_any_generalised_inverse(table: np.ndarray) -> None:
    off = table + table.T - 2 * np.diag(np.diag(table))
    result = stuart_maxwell(table)
    if not off.any():
        assert result.p is None
        return
    covariance = np.diag(off.sum(axis=1)) - off
    difference = table.sum(axis=1) - table.sum(axis=0)
    assert result.statistic == pytest.approx(
        difference @ np.linalg.pinv(covariance.astype(float)) @ difference, abs=1e-8
    )
    assert result.df == np.linalg.matrix_rank(covariance)
    assert result.p == pytest.approx(chi2.sf(result.statistic, result.df))


@given(tables, st.integers(0, 4))
def test_a_label_that_nobody_used_changes_nothing(table: np.ndarray, where: int) -> None:
    place = min(where, len(table))
    wider = np.insert(np.insert(table, place, 0, axis=0), place, 0, axis=1)
    here, there = stuart_maxwell(table), stuart_maxwell(wider)
    assert (here.p, here.df, here.undefined) == (
        None if there.p is None else pytest.approx(there.p),
        there.df,
        there.undefined,
    )


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[1, 2], [3]], r"table\[1\]: expected 2 counts"),
        ([[1, -2], [3, 4]], r"table\[0\]\[1\]: expected a count"),
        ([[1, 0.5], [3, 4]], r"table\[0\]\[1\]: expected a whole number"),
        ([[1, None], [3, 4]], "found NoneType"),
    ],
)
def test_what_is_no_table_is_refused_by_cell(table: list[list[int]], says: str) -> None:
    for test in (mcnemar, stuart_maxwell):
        with pytest.raises(BadInput, match=says):
            test(table)


def test_mcnemar_takes_two_labels() -> None:
    with pytest.raises(BadInput, match="expected 2 rows"):
        mcnemar([[1, 2, 3]] * 3)
    with pytest.raises(BadInput, match="expected 2 rows"):
        mcnemar([])
    assert stuart_maxwell([]).undefined == sm.NO_DIFFERENCE


def test_a_test_has_a_p_or_a_reason() -> None:
    with pytest.raises(ValueError, match="either a p or a reason"):
        Significance(None, "exact")
