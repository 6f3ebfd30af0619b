"""Are three judges or more right equally often on the same units? Cochran's Q (1950); with two it is
McNemar's test.

Q = (k - 1) (k sum of G_j^2 - (sum of G_j)^2) / (k sum of L_i - sum of L_i^2), with G_j the units on which
judge j is right and L_i the judges that are right on unit i. Where all are right equally often, Q follows
chi2 with k - 1 degrees of freedom as units grow many. A unit on which all are right, or none is, adds nothing
above or below and tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from scoring.agreement.significance_tests.significance import Significance, untestable
from scoring.arrays import IntArray
from scoring.bad_input import BadInput, count, listed

METHOD = "Cochran's Q"
NO_DIFFERENCE = "nowhere is one judge right and another wrong, so there is nothing to test"
MIN_JUDGES = 2


def cochran_q(right: Sequence[Sequence[int]]) -> Significance:
    """Test whether two judges or more are right equally often on the same units (Cochran 1950).

    `p` is None if no unit has a judge that is right and one that is wrong.

    Args:
        right: one row per judge with one entry per unit: 1 or True is right, 0 or False wrong.

    Raises:
        BadInput: fewer than two judges, rows of different lengths, or any other entry, None included.
    """
    answers = _checked(right)
    judges, judge_totals, unit_totals = len(answers), answers.sum(axis=1), answers.sum(axis=0)
    below = int(judges * unit_totals.sum() - (unit_totals**2).sum())
    if below == 0:
        return untestable(NO_DIFFERENCE, METHOD)
    above = (judges - 1) * int(judges * (judge_totals**2).sum() - judge_totals.sum() ** 2)
    statistic = above / below
    return Significance(float(scipy.special.chdtrc(judges - 1, statistic)), METHOD, statistic, judges - 1)


def _checked(right: Sequence[Sequence[int]]) -> IntArray:
    """(judges, units) of 0 and 1."""
    rows = [
        list(listed(f"right[{judge}]", row, "0 and 1"))
        for judge, row in enumerate(listed("right", right, "judges"))
    ]
    if len(rows) < MIN_JUDGES:
        raise BadInput("right", f"expected at least {MIN_JUDGES} judges, found {len(rows)}")
    for judge, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BadInput(
                f"right[{judge}]",
                f"expected {len(rows[0])} units, as many as the first judge has, found {len(row)}",
            )
        for unit, entry in enumerate(row):
            if not isinstance(entry, bool) and count(f"right[{judge}][{unit}]", entry) > 1:
                raise BadInput(f"right[{judge}][{unit}]", f"expected 0 or 1, found {entry}")
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(rows[0]))
