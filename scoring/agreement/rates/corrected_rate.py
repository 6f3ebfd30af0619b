"""The true pass rate behind a judge's pass rate, given how often the judge errs on units that clinicians
labelled.

Rogan and Gladen (1978): (p + specificity - 1) / (sensitivity + specificity - 1), p the judge's pass rate,
positive a pass. Interval: Lee et al. 2026 (arXiv 2511.21140), which adds z^2/2 of z^2 to p and 1 of 2 to each
error rate before it takes the variances of all three, and moves its middle by 2 z^2 ((rate * sensitivity * (1
- sensitivity) / (m1 + 2)) - ((1 - rate) * specificity * (1 - specificity) / (m0 + 2))), m1 and m0 the passes
and failures of the clinicians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.proportions import Z
from scoring.bad_input import BadInput, count

METHOD = "Rogan-Gladen, interval of Lee et al. 2026"
NO_FAILURE = "clinicians found no failure, so how often the judge passes one can't be estimated"
NO_PASS = "clinicians found no pass, so how often the judge fails one can't be estimated"
NOTHING_JUDGED = "the judge labelled nothing yet"
CHANCE = "the judge tells failures from passes no better than chance"


@dataclass(frozen=True)
class PassCalibration:
    """Units that clinicians and judge labelled: `passed` and `failed` by clinicians, and of these how many
    the judge did alike.
    """

    passed: int
    passed_by_judge: int
    failed: int
    failed_by_judge: int

    def __post_init__(self) -> None:
        for name, of in (("passed_by_judge", self.passed), ("failed_by_judge", self.failed)):
            if count(name, getattr(self, name)) > count(name.removesuffix("_by_judge"), of):
                raise BadInput(name, f"expected 0 to {of}, found {getattr(self, name)}")

    @property
    def n(self) -> int:
        return self.passed + self.failed

    @property
    def better_than_chance(self) -> bool:
        """sensitivity + specificity > 1, in whole numbers, so that no rounding decides."""
        return (
            self.passed_by_judge * self.failed + self.failed_by_judge * self.passed
            > self.passed * self.failed
        )


@dataclass(frozen=True)
class JudgePasses:
    """All units that the judge labelled, and how many of them it passed."""

    passed: int
    n: int

    def __post_init__(self) -> None:
        if count("passed", self.passed) > count("n", self.n):
            raise BadInput("passed", f"expected 0 to {self.n}, found {self.passed}")


def corrected_rate(calibration: PassCalibration, judged: JudgePasses) -> Estimate:
    """Return the true pass rate of all judged units, 0 to 1, with its 95% interval, both cut at 0 and 1.

    Rogan and Gladen (1978), interval of Lee et al. (2026). Right only where the calibration units are a
    random sample of those judged; `why_not_corrected` decides whether to show it. The value is None, with a
    reason, where the judge labelled nothing, clinicians found no failure or no pass, or the judge is no
    better than chance.
    """
    for reason, holds in (
        (NOTHING_JUDGED, judged.n == 0),
        (NO_FAILURE, calibration.failed == 0),
        (NO_PASS, calibration.passed == 0),
        (CHANCE, not calibration.better_than_chance),
    ):
        if holds:
            return undefined_estimate(reason, calibration.n, METHOD)
    interval = lee_interval(calibration, judged)
    value = _cut(
        _solve(
            judged.passed / judged.n,
            calibration.passed_by_judge / calibration.passed,
            calibration.failed_by_judge / calibration.failed,
        )
    )
    if interval is None:
        return Estimate(
            value,
            calibration.n,
            METHOD,
            no_interval="too few labels of clinicians to tell how far this may be off",
        )
    return Estimate(value, calibration.n, METHOD, low=_cut(interval[0]), high=_cut(interval[1]))


def lee_interval(calibration: PassCalibration, judged: JudgePasses) -> tuple[float, float] | None:
    """Return (low, high) of the corrected pass rate before it is cut at 0 and 1 (Lee et al. 2026).

    With z = 1.96, n judged units, m1 and m0 the clinicians' passes and failures: p = (judge's passes +
    z^2/2) / (n + z^2), q1 = (passes that the judge passed + 1) / (m1 + 2), q0 = (failures that it failed +
    1) / (m0 + 2) and r = (p + q0 - 1) / (q1 + q0 - 1). The middle is r + 2 z^2 (r q1 (1 - q1) / (m1 + 2) -
    (1 - r) q0 (1 - q0) / (m0 + 2)), half the width z sqrt(p (1 - p) / (n + z^2) + (1 - r)^2 q0 (1 - q0) /
    (m0 + 2) + r^2 q1 (1 - q1) / (m1 + 2)) / (q1 + q0 - 1). None where q0 + q1 is at most 1.
    """
    n, m1, m0 = judged.n + Z**2, calibration.passed + 2, calibration.failed + 2
    p, q1, q0 = (
        (judged.passed + Z**2 / 2) / n,
        (calibration.passed_by_judge + 1) / m1,
        (calibration.failed_by_judge + 1) / m0,
    )
    if q0 + q1 <= 1:
        return None
    rate, spread1, spread0 = _solve(p, q1, q0), q1 * (1 - q1) / m1, q0 * (1 - q0) / m0
    middle = rate + 2 * Z**2 * (rate * spread1 - (1 - rate) * spread0)
    half = Z * math.sqrt(p * (1 - p) / n + (1 - rate) ** 2 * spread0 + rate**2 * spread1) / (q0 + q1 - 1)
    return middle - half, middle + half


def _solve(p: float, sensitivity: float, specificity: float) -> float:
    return (p + specificity - 1) / (sensitivity + specificity - 1)


def _cut(share: float) -> float:
    return min(1.0, max(0.0, share))
