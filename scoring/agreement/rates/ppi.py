"""The true pass rate from few labels of clinicians and many of a judge: prediction-powered inference.

Angelopoulos et al. (Science 2023), Y the clinicians' labels of n units, f the judge's on them and on N
others, 1 for a pass: mean(f of the N) * lambda + mean(Y - lambda * f), with the variance lambda^2 var(f of
the N) / N + var(Y - lambda * f) / n. PPI takes lambda = 1; PPI++ (Angelopoulos, Duchi and Zrnic 2023) the one
of least variance, cov(Y, f) / ((1 + n/N) var(f)), from 0 to 1. Badly biased where the n are no random sample
of all, and too narrow where clinicians found few failures.
"""

from __future__ import annotations

import math

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.proportions import Z
from scoring.agreement.rates.corrected_rate import NOTHING_JUDGED, JudgePasses, PassCalibration

NO_LABELS = "clinicians labelled nothing that the judge labelled too"


def ppi(calibration: PassCalibration, judged: JudgePasses) -> Estimate:
    """Pass rate with its 95 % interval, normal. As published it is not held within 0 and 1. `judged`: without
    the calibration units.
    """
    return _with(1.0, calibration, judged, "PPI")


def ppi_plus_plus(calibration: PassCalibration, judged: JudgePasses) -> Estimate:
    """As `ppi`, with the lambda of least variance; 0, the clinicians' labels alone, where the judge always
    says the same.
    """
    return _with(
        _best(calibration, judged) if calibration.n and judged.n else 0.0, calibration, judged, "PPI++"
    )


def _with(weight: float, calibration: PassCalibration, judged: JudgePasses, method: str) -> Estimate:
    n = calibration.n
    if n == 0 or judged.n == 0:
        return undefined_estimate(NO_LABELS if n == 0 else NOTHING_JUDGED, n, method)
    human, judge, elsewhere = calibration.passed / n, _passed(calibration) / n, judged.passed / judged.n
    residual = human * (1 - human) - 2 * weight * _covariance(calibration) + weight**2 * judge * (1 - judge)
    value = weight * elsewhere + human - weight * judge
    half = Z * math.sqrt(weight**2 * elsewhere * (1 - elsewhere) / judged.n + max(0.0, residual) / n)
    return Estimate(value, n, method, low=value - half, high=value + half)


def _best(calibration: PassCalibration, judged: JudgePasses) -> float:
    n, together = calibration.n, calibration.n + judged.n
    share = (_passed(calibration) + judged.passed) / together
    variance = share * (1 - share) * together / (together - 1)
    return min(1.0, max(0.0, _covariance(calibration) / ((1 + n / judged.n) * variance))) if variance else 0.0


def _covariance(calibration: PassCalibration) -> float:
    n = calibration.n
    return calibration.passed_by_judge / n - calibration.passed / n * _passed(calibration) / n


def _passed(calibration: PassCalibration) -> int:
    """How many of the calibration units the judge passed."""
    return calibration.passed_by_judge + calibration.failed - calibration.failed_by_judge
