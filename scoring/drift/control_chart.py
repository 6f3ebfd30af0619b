"""Did disagreement step up or down at some period, and did it come back? A self-starting CUSUM, which needs
no earlier time known to be good.

Hawkins (1987, Technometrics 29): value n less the mean of those before it, by their standard deviation and
times sqrt((n - 1) / n), has Student's t with n - 2 degrees of freedom where nothing changed; taken to the
normal score of the same probability it is independent of all before. Of these scores the tabular CUSUM with k
= 0.5 and h = 5 (scoring/agreement/significance_tests/cusum.py), in standard deviations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from scoring.agreement.significance_tests.cusum import Cusum, cusum
from scoring.arrays import Array
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.periods import ENOUGH

K, H = 0.5, 5.0
DRAWS, SEED = 20_000, 19871
TOLERANCE = 1e-12
FEW = f"fewer than {ENOUGH} periods have a value"
# the spread of a series that was always the same so far: without one the clearest step of all would have no
# score
EVEN = 0.05


@dataclass(frozen=True)
class Chart:
    """`sums`: of scores, one entry a period, None in a gap and in the first two with a value. `p`: how often
    chance alone drives the larger sum as high over as many periods. `first_alarm`: position of the first
    period beyond the limit.
    """

    sums: Cusum
    p: float | None
    untold: str | None = None

    @property
    def first_alarm(self) -> int | None:
        return self.sums.first_alarm

    def finding(self) -> Finding:
        """Of the family of alarms. A chart that never passes its limit has not spoken, however rare its
        sums.
        """
        valued = sum(value is not None for value in self.sums.above)
        if self.p is None:
            return cannot_tell("chart", self.untold or FEW, valued)
        at = self.first_alarm
        if at is None:
            return Finding("chart", 1.0, valued)
        return Finding("chart", self.p, valued, 1 if (self.sums.above[at] or 0.0) > H else -1)


def scores(series: Sequence[float | None]) -> list[float | None]:
    """Normal scores, one a position; None where the series has a gap and for its first two values."""
    points: list[float | None] = []
    before: list[float] = []
    for value in series:
        n, spread = len(before) + 1, float(np.std(before, ddof=1)) if len(before) > 1 else 0.0
        if value is None or n < 3:
            points.append(None)
        else:
            t = (
                (value - float(np.mean(before)))
                / (spread if spread >= TOLERANCE else EVEN)
                * np.sqrt((n - 1) / n)
            )
            points.append(
                float(-np.sign(t) * scipy.special.ndtri(max(scipy.special.stdtr(n - 2, -abs(t)), 1e-300)))
            )
        if value is not None:
            before.append(value)
    return points


def chart(series: Sequence[float | None]) -> Chart:
    """`series`: one value a period, None for a gap."""
    if sum(value is not None for value in series) < ENOUGH:
        return Chart(cusum([None] * len(series), 0.0, 1.0, K, H), None, FEW)
    found = scores(series)
    known = sum(value is not None for value in found)
    sums = cusum(found, 0.0, 1.0, K, H)
    highest = max(one for one in (*sums.above, *sums.below) if one is not None)
    return Chart(sums, float((np.sum(_highest(known) >= highest) + 1) / (DRAWS + 1)))


@lru_cache(maxsize=64)
def _highest(count: int) -> Array:
    """The largest of both sums over `count` independent normal scores, in DRAWS simulated series with a fixed
    seed: h = 5 false-alarms once in about 465 periods, which over 12 of them is rare and over ten years of
    weeks is not.
    """
    rng = np.random.default_rng(SEED)
    up, down, most = np.zeros(DRAWS), np.zeros(DRAWS), np.zeros(DRAWS)
    for _ in range(count):
        drawn = rng.standard_normal(DRAWS)
        up, down = np.maximum(0.0, up + drawn - K), np.maximum(0.0, down - drawn - K)
        most = np.maximum(most, np.maximum(up, down))
    return most
