"""Are two sides right equally often on the same units? McNemar's test (1947) of the pairs that differ.

b: only the first, c: only the second. Exact: b of b + c against one half, two-sided binomial, which is the
sign test. Mid-p (Fagerland, Lydersen and Laake 2013): the same with half the chance of b itself, P(X < b) +
P(X = b)/2, doubled, so that b = c gives 1. chi2 = (b - c)^2 / (b + c), 1 df; with Edwards' correction (1948)
(|b - c| - 1)^2 / (b + c), but 0 where b = c, which the correction would turn into a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import scipy

from scoring.agreement.coefficients.tables import square
from scoring.agreement.significance_tests.significance import Significance, untestable
from scoring.bad_input import BadInput, count

NO_DIFFERENCE = "no pair differs, so there is nothing to test"


@dataclass(frozen=True)
class McNemar:
    """`first_only`, `second_only`: pairs that differ, the one way and the other. All four undefined where
    none does.
    """

    first_only: int
    second_only: int
    exact: Significance
    mid_p: Significance
    chi2: Significance
    chi2_continuity: Significance


def mcnemar(table: Sequence[Sequence[int]]) -> McNemar:
    """Test whether two sides are right equally often: four forms of McNemar's test of the pairs that
    differ.

    All four have p None if no pair differs.

    Args:
        table: 2 x 2 counts, rows the first side, columns the second.

    Raises:
        BadInput: another shape, or a count below 0.
    """
    counts = square("table", table)
    if len(counts) != 2:
        raise BadInput("table", f"expected 2 rows and 2 columns, found {len(counts)} and {len(counts)}")
    b, c = int(counts[0, 1]), int(counts[1, 0])
    n, names = b + c, ("exact McNemar", "mid-p McNemar", "McNemar", "McNemar, continuity corrected")
    p = sign_test(b, c)
    if p is None:
        return McNemar(b, c, *(untestable(NO_DIFFERENCE, name) for name in names))
    plain, corrected = (b - c) ** 2 / n, max(abs(b - c) - 1, 0) ** 2 / n
    mid = float(scipy.special.bdtr(min(b, c), n, 0.5)) + (
        float(scipy.special.bdtr(min(b, c) - 1, n, 0.5)) if b and c else 0.0
    )
    return McNemar(
        b,
        c,
        Significance(p, names[0]),
        Significance(mid, names[1]),
        Significance(float(scipy.special.chdtrc(1, plain)), names[2], plain, 1),
        Significance(float(scipy.special.chdtrc(1, corrected)), names[3], corrected, 1),
    )


def sign_test(one_way: int, other_way: int) -> float | None:
    """Return the exact two-sided p of so uneven a split if both ways are equally likely; None for 0 and 0.

    Raise BadInput unless both are whole numbers from 0.
    """
    one_way, other_way = count("one_way", one_way), count("other_way", other_way)
    n = one_way + other_way
    return min(1.0, 2 * float(scipy.special.bdtr(min(one_way, other_way), n, 0.5))) if n else None
