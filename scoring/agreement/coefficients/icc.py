"""Do raters give the same scores? Intraclass correlations (Shrout and Fleiss 1979; McGraw and Wong 1996).

From the mean squares of a table of n rows (conversations) by k raters: between rows R, between raters C,
within rows W, residual E. ICC1 (R - W) / (R + (k-1) W), raters differ from row to row; ICC2 (R - E) / (R +
(k-1) E + k (C - E) / n), absolute agreement of raters drawn at random: the one to show; ICC3 (R - E) / (R +
(k-1) E), consistency of these raters. ICC1k (R - W) / R, ICC2k (R - E) / (R + (C - E) / n) and ICC3k (R - E)
/ R are of the mean of k raters and overstate a single one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.arrays import Array
from scoring.bad_input import BadInput, listed, values

Form = Literal["ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"]
FORMS: tuple[Form, ...] = ("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k")
FEW_ROWS = "fewer than two conversations have a score of every rater"
FEW_RATERS = "there are fewer than two raters"
SAME = "the scores do not vary, so agreement can't be separated from chance"
NOISE = "the conversations differ less than the raters do by chance, so this cannot be estimated"
ROUNDING = 1e-13  # of the largest: what is left of equal scores


@dataclass(frozen=True)
class Icc:
    """An intraclass correlation and the table that it was computed from.

    `estimate`: its interval leaves out one row at a time. `rows`: the complete rows, which were used.
    `left_out`: the rows that were not, because a rater gave no score.
    """

    estimate: Estimate
    rows: int
    raters: int
    left_out: int


def icc(ratings: Sequence[Sequence[float | None]], form: Form = "ICC2") -> Icc:
    """Estimate an intraclass correlation from the complete rows of a table of scores.

    Args:
        ratings: one row per conversation, one score per rater; None where a rater gave no score.
        form: see the formulas above; the forms ending in "k" describe the mean of all raters.

    Returns:
        An estimate without a value where there are fewer than two raters or complete rows, or where the
        scores do not vary.

    Raises:
        BadInput: an unknown form, rows of different lengths, or a score that is not a finite number.
    """
    if form not in FORMS:
        raise BadInput("form", f"expected one of {', '.join(FORMS)}, found {form}")
    rows = [values(f"ratings[{index}]", row) for index, row in enumerate(listed("ratings", ratings, "rows"))]
    raters = len(rows[0]) if rows else 0
    for index, row in enumerate(rows):
        if len(row) != raters:
            raise BadInput(f"ratings[{index}]", f"expected {raters} scores, found {len(row)}")
    complete = [[score for score in row if score is not None] for row in rows if None not in row]
    n, left_out = len(complete), len(rows) - len(complete)
    if raters < 2 or n < 2:
        return Icc(
            undefined_estimate(FEW_RATERS if rows and raters < 2 else FEW_ROWS, n, form, n),
            n,
            raters,
            left_out,
        )
    scores = np.array(complete)
    largest = float(np.abs(scores).max())
    if np.ptp(scores) <= ROUNDING * largest:
        return Icc(undefined_estimate(SAME, n, form, n), n, raters, left_out)
    scores = (scores - scores.mean()) / largest  # sums of squares lose fewer digits around the mean
    totals = scores.sum(axis=1, keepdims=True)
    sums = np.hstack([np.ones((n, 1)), scores, (scores**2).sum(axis=1, keepdims=True), totals**2])
    statistic = Statistic(
        form, lambda counts: _value(counts, form), lambda _: NOISE, all_agree=None, kind="amount"
    )
    return Icc(jackknife(statistic, sums, n), n, raters, left_out)


def _value(counts: Array, form: Form) -> Array:
    """From sums over rows: how many, the score of each rater, squared scores, squared row totals; NaN where
    there is no value.
    """
    n, raters, squares, row_squares = counts[..., 0], counts[..., 1:-2], counts[..., -2], counts[..., -1]
    k = raters.shape[-1]
    middle = raters.sum(axis=-1) ** 2 / (n * k)
    between, columns, total = (
        row_squares / k - middle,
        (raters**2).sum(axis=-1) / n - middle,
        squares - middle,
    )
    rows, rater = share(np.maximum(between, 0), n - 1), np.maximum(columns, 0) / (k - 1)
    within = np.maximum(total - between, 0) / (n * (k - 1))
    error = share(np.maximum(total - between - columns, 0), (n - 1) * (k - 1))
    other = within if form.startswith("ICC1") else error
    extra = (rater - error) / n if form.startswith("ICC2") else np.zeros_like(error)
    return share(
        rows - other,
        rows + extra if form.endswith("k") else rows + (k - 1) * other + k * extra,
        ROUNDING * squares,
    )
