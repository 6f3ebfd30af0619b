"""The median with an interval that takes nothing for granted of the distribution: two of the values in order
(Conover 1999, 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import listed, number
from scoring.confidence import CONFIDENCE

ALIKE = "all of them are the same"
SIX_VALUES_NEEDED = "six values or more are needed for one"


def median(some: Sequence[float], independent: bool = True) -> Estimate:
    """Return the median of `some`, with an interval of at least 95% from the ordered values.

    The value is None without numbers. There is no interval where all values are equal, fewer than six, or
    not `independent`. Raise BadInput for anything but finite numbers.
    """
    values = np.sort([number(f"some[{i}]", item) for i, item in enumerate(listed("some", some, "numbers"))])
    n, method = len(values), "median, interval from the values in order"
    if not n:
        return undefined_estimate("no run has it", 0, method)
    value = float(np.median(values))
    if values[0] == values[-1] and n > 1:
        return Estimate(value, n, method, no_interval=ALIKE)
    if not independent:
        return Estimate(value, n, method, no_interval="several of them are of one group")
    below = [
        k for k in range(n // 2 + 1) if scipy.special.bdtr(k, n, 0.5) <= (1 - CONFIDENCE) / 2
    ]  # so many may lie outside at each end
    if not below:
        return Estimate(value, n, method, no_interval=SIX_VALUES_NEEDED)
    return Estimate(value, n, method, low=float(values[below[-1]]), high=float(values[n - 1 - below[-1]]))
