"""Many tests at once: p adjusted so that some false finding among all of them, or the share of false
findings, stays rare.

Holm (1979): the chance of any false finding. Benjamini and Yekutieli (2001): the expected share of false
among all findings, for tests that depend on each other in any way. An adjusted p is compared with the level
wished for all together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scoring.arrays import Array
from scoring.bad_input import BadInput, values

Adjusted = list[float | None]


def holm(p: Sequence[float | None]) -> Adjusted:
    """Return p adjusted after Holm (1979), in the same order: the i-th smallest times (m - i + 1), at most
    1.

    Never below that of a smaller p. None, a test that could not be made, stays None and is not counted in
    m. Raise BadInput for a p outside 0 to 1.
    """
    return _adjust(p, lambda ordered: np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1)))


def benjamini_yekutieli(p: Sequence[float | None]) -> Adjusted:
    """Return p adjusted after Benjamini and Yekutieli (2001), in the same order, at most 1.

    The i-th smallest p times m / i times 1 + 1/2 + ... + 1/m, never above that of a larger p. None stays
    None and is not counted in m. Raise BadInput for a p outside 0 to 1.
    """
    return _adjust(p, _step_up)


def _step_up(ordered: Array) -> Array:
    m = len(ordered)
    ranks = np.arange(1, m + 1)
    return np.minimum.accumulate((ordered * m / ranks)[::-1])[::-1] * float((1 / ranks).sum())


def _adjust(p: Sequence[float | None], of: Callable[[Array], Array]) -> Adjusted:
    given = values("p", p)
    for index, p_value in enumerate(given):
        if p_value is not None and not 0 <= p_value <= 1:
            raise BadInput(f"p[{index}]", f"expected 0 to 1, found {p_value}")
    places = [index for index, p_value in enumerate(given) if p_value is not None]
    p_values = np.array([p_value for p_value in given if p_value is not None], dtype=np.float64)
    order = np.argsort(p_values, kind="stable")
    corrected: Adjusted = [None] * len(given)
    for place, value in zip(order, np.minimum(of(p_values[order]), 1.0), strict=True):
        corrected[places[place]] = float(value)
    return corrected
