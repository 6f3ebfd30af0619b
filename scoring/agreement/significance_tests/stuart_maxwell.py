"""Do two sides use the labels equally often?

Stuart (1955) and Maxwell (1970), equal margins: d' V^-1 d with d the differences of the margins and V their
covariance under equal margins, V_ii = n_i. + n_.i - 2 n_ii, V_ij = -(n_ij + n_ji). With two labels it is
McNemar's test.

A label that neither side used, or on which they never differed, tells nothing and is left out. What is left
falls into groups of labels that were exchanged among each other; within each the differences add up to 0, so
a group of g labels has g - 1 degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from scoring.agreement.coefficients.tables import square
from scoring.agreement.labels.pairs import Counts
from scoring.agreement.significance_tests.significance import Significance, untestable

NO_DIFFERENCE = "no pair of labels differs, so there is nothing to test"


def stuart_maxwell(table: Sequence[Sequence[int]] | Counts) -> Significance:
    """Test whether two sides use all labels equally often (Stuart 1955, Maxwell 1970).

    `p` is None if no pair of labels differs.

    Args:
        table: (k, k) counts, rows the first side.

    Raises:
        BadInput: another shape, or a count below 0.
    """
    counts = square("table", table)
    exchanged = _exchanged(counts)
    if not exchanged.any():
        return untestable(NO_DIFFERENCE, "Stuart-Maxwell")
    group = _groups(exchanged)
    difference = (counts.sum(axis=1) - counts.sum(axis=0)).astype(np.float64)
    covariance = np.diag(exchanged.sum(axis=1)) - exchanged
    statistic = 0.0
    for first in set(group):
        free = np.flatnonzero(np.array(group) == first)[:-1]  # the last difference follows from the others
        statistic += float(
            difference[free]
            @ np.linalg.solve(covariance[np.ix_(free, free)].astype(np.float64), difference[free])
        )
    df = len(counts) - len(set(group))
    return Significance(float(scipy.special.chdtrc(df, statistic)), "Stuart-Maxwell", statistic, df)


def _groups(exchanged: Counts) -> list[int]:
    """For each label the first one to which a chain of exchanges leads, itself if none does."""
    reached = (exchanged > 0) | np.eye(len(exchanged), dtype=bool)
    for _ in range(len(exchanged)):
        reached = reached @ reached
    return [int(first) for first in reached.argmax(axis=1)]


def _exchanged(counts: Counts) -> Counts:
    """How often two labels stood against each other, either way; 0 on the diagonal."""
    both = counts + counts.T
    np.fill_diagonal(both, 0)
    return both
