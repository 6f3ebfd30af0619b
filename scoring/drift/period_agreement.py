"""The line of agreement: how often blind labels and the judge's are the same, period by period, as it stands
and with a fixed mix of cases.

Fixed mix (direct standardisation): the sum over conditions of the condition's share of all pairs over the
whole time, times its agreement in the period. Cases that come more often later then do not move the line. A
period without one of the conditions has no such value, because to leave the condition out there would change
the mix again. Intervals: jackknife over the conversations, or persons, of the period; the shares are held
fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.coefficients.chance import share
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import RESTS_ON_ONE, Statistic, jackknife
from scoring.agreement.labels.labels import numbered
from scoring.agreement.significance_tests.trend import MannKendall, trend
from scoring.arrays import Array, IntArray, Mask
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.periods import MIN_PERIODS_FOR_TREND, Length
from words.plurals import join_words

NOTHING = "nothing the judge labelled was rated blind"
LACKS = "no pair of "
SINGLE = "a condition has one conversation here, so how much it varies can't be estimated"
ROUNDING_ERROR = 1e-9  # of a weight: what rounding leaves where a conversation is taken out of its condition
PERCENT, FIXED = "percent agreement", "percent agreement with a fixed mix of cases"
FOUR_WEEKS = {"day": 28.0, "week": 4.0, "month": 28 / (365.25 / 12)}  # periods in four weeks


@dataclass(frozen=True, eq=False)
class AgreementPairs:
    """Pairs of a blind label and the judge's, one entry a pair, arrays of one length. `period`: below 0 where
    not known. `condition`: position in the names, below 0 where not known, which is a condition of its own.
    `part`: whose, as a number. `weight`: of the unit.
    """

    same: Mask
    period: IntArray
    condition: IntArray
    part: IntArray
    weight: Array


@dataclass(frozen=True)
class PeriodAgreement:
    """`same` of `pairs`, as counted. `agreement`: as it stands; `fixed`: with the mix of the whole time, None
    where there are not two conditions.
    """

    same: int
    pairs: int
    agreement: Estimate
    fixed: Estimate | None


@dataclass(frozen=True)
class AgreementTrend:
    """`theil_sen`, `fixed_sen`: median slope in shares per four weeks, None where `untold` says why (or the
    fixed line has too few values).
    """

    periods: tuple[PeriodAgreement, ...]
    theil_sen: float | None
    fixed_sen: float | None
    mann_kendall: MannKendall | None
    untold: str | None = None

    @property
    def known(self) -> int:
        return sum(period.agreement.value is not None for period in self.periods)

    def finding(self) -> Finding:
        """Return Mann and Kendall's test of the line as a finding of kind "trend"; `untold` where it was
        not tested.
        """
        if self.mann_kendall is None:
            return cannot_tell("trend", self.untold or "", self.known)
        return Finding("trend", self.mann_kendall.p, self.known, int(np.sign(self.mann_kendall.s)))


def line(agreed: AgreementPairs, count: int, names: Sequence[str], length: Length) -> AgreementTrend:
    """Return the percent agreement of blind labels and judge in each of `count` periods, and its trend.

    Pairs whose period is not within 0 to `count` - 1 are ignored. The fixed-mix line exists where the dated
    pairs are of at least two conditions. The trend and its slopes (per four weeks) need
    MIN_PERIODS_FOR_TREND (8) periods with a value.

    Args:
        agreed: the pairs.
        count: number of periods.
        names: names of the conditions, used in the reason why a period has no fixed-mix value.
        length: length of a period.
    """
    dated = (agreed.period >= 0) & (agreed.period < count)
    condition = np.where(agreed.condition < 0, len(names), agreed.condition)
    conditions_present = np.unique(condition[dated])
    shares = np.bincount(
        np.searchsorted(conditions_present, condition[dated]), agreed.weight[dated], len(conditions_present)
    )
    fixed = _fixed(
        shares / max(shares.sum(), 1e-300),
        [
            (*names, "a condition that is not known")[condition_number]
            for condition_number in conditions_present.tolist()
        ],
    )
    order = np.argsort(agreed.period[dated], kind="stable")
    rows = np.flatnonzero(dated)[order]
    bounds = np.searchsorted(agreed.period[rows], np.arange(count + 1))
    periods = tuple(
        _period(
            agreed,
            rows[bounds[at] : bounds[at + 1]],
            np.searchsorted(conditions_present, condition),
            fixed if len(conditions_present) > 1 else None,
            len(conditions_present),
        )
        for at in range(count)
    )
    values = [period.agreement.value for period in periods]
    standard = [None if period.fixed is None else period.fixed.value for period in periods]
    slope, mann_kendall = _find_trend(values, length)
    return AgreementTrend(
        periods,
        slope,
        _find_trend(standard, length)[0],
        mann_kendall,
        f"fewer than {MIN_PERIODS_FOR_TREND} periods have a value" if mann_kendall is None else None,
    )


def _find_trend(series: Sequence[float | None], length: Length) -> tuple[float | None, MannKendall | None]:
    """The median slope in four weeks, and the test; None where there are too few values."""
    if sum(value is not None for value in series) < MIN_PERIODS_FOR_TREND:
        return None, None
    found = trend(series)
    slope = found.theil_sen.value
    return None if slope is None else slope * FOUR_WEEKS[length], found.mann_kendall


def _period(
    agreed: AgreementPairs,
    rows: NDArray[np.intp],
    condition: NDArray[np.intp],
    fixed: Statistic | None,
    conditions: int,
) -> PeriodAgreement:
    """One period, whose pairs are `rows`."""
    same, part, weight = agreed.same[rows], numbered(agreed.part[rows])[1], agreed.weight[rows]
    if not len(rows):
        nothing = undefined_estimate(NOTHING, 0, PERCENT)
        return PeriodAgreement(
            0, 0, nothing, None if fixed is None else undefined_estimate(NOTHING, 0, FIXED)
        )
    parts = int(part.max()) + 1
    cell = part * conditions + condition[rows]
    counts: Array = np.zeros((parts, conditions, 2))
    for at, amount in enumerate((weight * same, weight)):
        counts[..., at] = np.bincount(cell, amount, parts * conditions).reshape(parts, conditions)
    return PeriodAgreement(
        int(same.sum()),
        len(rows),
        jackknife(_PLAIN, counts.sum(axis=1), len(rows)),
        None if fixed is None else _standardised(jackknife(fixed, counts, len(rows))),
    )


def _standardised(estimate: Estimate) -> Estimate:
    """It is one of the conditions that rests on one conversation, not all of it."""
    return replace(estimate, no_interval=SINGLE) if estimate.no_interval == RESTS_ON_ONE else estimate


_PLAIN = Statistic(
    PERCENT,
    lambda counts: share(counts[..., 0], counts[..., 1], ROUNDING_ERROR),
    lambda _: NOTHING,
    low=0.0,
    kind="share",
)


def _fixed(shares: Array, names: Sequence[str]) -> Statistic:
    """Of counts (..., K, 2): same and all of each condition."""

    def lacking(counts: Array) -> str:
        gone = [names[at] for at in np.flatnonzero(counts[:, 1] <= ROUNDING_ERROR).tolist()]
        return LACKS + join_words(gone, "or")

    return Statistic(
        FIXED,
        lambda counts: (share(counts[..., 0], counts[..., 1], ROUNDING_ERROR) * shares).sum(axis=-1),
        lacking,
        low=0.0,
        kind="amount",
    )
