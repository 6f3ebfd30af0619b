"""Intraclass correlations: the table of Shrout and Fleiss, the mean squares written out, and tables without
an answer.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t

from scoring.agreement.coefficients.icc import FEW_RATERS, FEW_ROWS, FORMS, NOISE, SAME, Form, icc
from scoring.bad_input import BadInput

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
tables = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 4).map(float))
)


def plain(x: np.ndarray, form: Form) -> float:
    n, k = x.shape
    rows, columns = x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    r, c = k * ((rows - x.mean()) ** 2).sum() / (n - 1), n * ((columns - x.mean()) ** 2).sum() / (k - 1)
    w, e = (
        ((x - rows) ** 2).sum() / (n * (k - 1)),
        ((x - rows - columns + x.mean()) ** 2).sum() / ((n - 1) * (k - 1)),
    )
    above = r - (w if form.startswith("ICC1") else e)
    below = {
        "ICC1": r + (k - 1) * w,
        "ICC2": r + (k - 1) * e + k * (c - e) / n,
        "ICC3": r + (k - 1) * e,
        "ICC1k": r,
        "ICC2k": r + (c - e) / n,
        "ICC3k": r,
    }[form]
    return above / below if below > 1e-9 else float("nan")


@pytest.mark.parametrize(
    ("form", "published"), list(zip(FORMS, (0.17, 0.29, 0.71, 0.44, 0.62, 0.91), strict=True))
)
def test_the_table_of_shrout_and_fleiss(form: Form, published: float) -> None:
    found = icc(SHROUT_FLEISS, form)
    assert found.estimate.value == pytest.approx(published, abs=5e-3)
    assert (found.rows, found.raters, found.left_out) == (6, 4, 0)


@given(tables, st.sampled_from(FORMS))
def test_it_is_made_of_the_mean_squares(table: np.ndarray, form: Form) -> None:
    found = icc(table.tolist(), form).estimate
    if np.ptp(table) == 0:
        assert found.undefined == SAME
        return
    expected = plain(table, form)
    if np.isnan(expected):
        assert found.undefined == NOISE
    else:
        assert found.value == pytest.approx(expected, abs=1e-9)


@given(tables)
def test_the_interval_leaves_out_one_row_at_a_time(table: np.ndarray) -> None:
    found = icc(table.tolist()).estimate
    assume(found.low is not None and len(table) > 2)
    without = np.array([plain(np.delete(table, row, axis=0), "ICC2") for row in range(len(table))])
    error = np.sqrt((len(table) - 1) * np.var(without))
    assert found.value is not None and found.low is not None
    below = found.value - t.ppf(0.975, len(table) - 1) * error
    assert found.low == pytest.approx(min(found.value, max(-1.0, below)), abs=1e-7)


@pytest.mark.parametrize("form", FORMS)
def test_equal_scores_of_conversations_that_differ_are_1_and_say_nothing_of_chance(form: Form) -> None:
    found = icc([[0.1, 0.1], [0.7, 0.7], [0.3, 0.3]], form).estimate
    assert (found.low, bool(found.no_interval)) == (None, True)
    assert found.value == pytest.approx(1)


def test_moving_or_stretching_the_scale_changes_nothing() -> None:
    there = [[score * 1e-3 + 5 for score in row] for row in SHROUT_FLEISS]
    for form in FORMS:
        assert icc(there, form).estimate.value == pytest.approx(
            icc(SHROUT_FLEISS, form).estimate.value, abs=1e-9
        )


def test_only_rows_with_every_score_count() -> None:
    gaps: list[list[float | None]] = [*SHROUT_FLEISS, [1, None, 2, 3], [None] * 4]  # type: ignore[list-item]
    found = icc(gaps)
    assert (found.estimate, found.rows, found.left_out) == (icc(SHROUT_FLEISS).estimate, 6, 2)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([], FEW_ROWS),
        ([[1, 2]], FEW_ROWS),
        ([[1, None], [2, 3]], FEW_ROWS),
        ([[1], [2], [3]], FEW_RATERS),
        ([[], []], FEW_RATERS),
        ([[2, 2], [2, 2]], SAME),
        ([[0, 0], [0, 0]], SAME),
        ([[0.1 + 0.2, 0.3], [0.3, 0.3]], SAME),
    ],
)
def test_without_rows_raters_or_variation_it_cannot_be_told(
    ratings: list[list[float | None]], reason: str
) -> None:
    for form in FORMS:
        assert icc(ratings, form).estimate.undefined == reason


def test_the_mean_of_raters_has_none_where_conversations_do_not_differ() -> None:
    assert icc([[1, 2], [2, 1]], "ICC3k").estimate.undefined == NOISE
    assert icc([[1, 2], [2, 1]], "ICC3").estimate.value == -1


@pytest.mark.parametrize(
    ("ratings", "says"),
    [
        ([[1, 2], [3]], r"ratings\[1\]: expected 2 scores, found 1"),
        ([[1, "2"]], r"ratings\[0\]\[1\]: expected a number"),
        ([[1, float("nan")]], r"ratings\[0\]\[1\]: expected a finite number"),
        ([3], r"ratings\[0\]: expected a list"),
    ],
)
def test_what_is_no_table_is_refused_by_cell(ratings, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match=says):
        icc(ratings)
    with pytest.raises(BadInput, match="form: expected one of ICC1"):
        icc([], "ICC4")  # type: ignore[arg-type]
