"""What the judge catches beside the reference of a unit (safety.py), in shares with intervals
(Altman and Bland 1994).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.intervals.proportions import at_most, clopper_pearson
from scoring.agreement.labels.labels import numbered
from scoring.agreement.safety.safety_units import NO_LABEL, NOT_ASKED, SafetyUnits
from scoring.arrays import Array, IntArray, Mask

NO_FAILURE = "clinicians found no failure, so the share that the judge catches can't be estimated"
ONLY_FAILURES = (
    "clinicians called everything a failure, so how many passes the judge confirms can't be estimated"
)
NO_ALARM = "the judge called nothing a failure, so how often its alarms are right can't be estimated"
ONLY_ALARMS = "the judge called everything a failure, so how often its passes are right can't be estimated"
CAUGHT, MISSED, FALSE_ALARM, RIGHTLY_PASSED = range(4)


@dataclass(frozen=True)
class SafetyShares:
    """Beside the reference. `counts`: units caught, missed, false alarms, rightly passed, never weighted.
    `unlabelled`: failures on which the judge gave no label; `unasked`: failures for which it has no row.
    `conversations` (or persons) are behind the counts. `limit`: where clinicians found no failure in any of
    them, how many may still have one; None where there is one, and where units were drawn with different
    chances. `open`: units that the judge labelled and that have no reference. `sensitivity`: of the failures
    that the judge labelled;
    `with_unlabelled_missed`: of these and those on which it gave no label, which then count as missed;
    `with_unasked_missed`: of all failures, whatever the judge gave or did not. `open_missed`: units on which
    both readings stand and the judge saw no failure; `at_worst`: the sensitivity if these and failures
    without a label are missed.
    """

    counts: tuple[int, int, int, int]
    unlabelled: int
    unasked: int
    conversations: int
    limit: float | None
    open: int
    sensitivity: Estimate
    with_unlabelled_missed: Estimate
    with_unasked_missed: Estimate
    open_missed: int
    at_worst: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate

    @property
    def failures(self) -> int:
        """Return the number of failures for which the judge has a row, with or without a label."""
        return self.counts[CAUGHT] + self.counts[MISSED] + self.unlabelled


def estimate_shares(rows: Sequence[SafetyUnits]) -> SafetyShares:
    """Return how many failures the judge catches, over the units of several questions, one entry per
    question.
    """
    weighted = any(units.weighted for units in rows)
    columns = _columns(rows, [units.labelled & (units.reference >= 0) for units in rows])
    raw, parts = np.bincount(columns.kind, minlength=4), numbered(columns.part)[0]
    lost = _columns(rows, [(units.judge != NOT_ASKED) & (units.reference == 1) for units in rows])
    every = _columns(rows, [units.reference == 1 for units in rows])
    dodged = [units.left_open & ~units.flagged & (units.judge != NOT_ASKED) for units in rows]
    worst = _columns(
        [
            replace(units, reference=np.where(here, 1, units.reference))
            for units, here in zip(rows, dodged, strict=True)
        ],
        [
            (units.judge != NOT_ASKED) & ((units.reference == 1) | here)
            for units, here in zip(rows, dodged, strict=True)
        ],
    )

    def of(name: str, top: int, rest: int, reason: str, catch_columns: _CatchColumns = columns) -> Estimate:
        return _share(
            name,
            catch_columns.where((catch_columns.kind == top) | (catch_columns.kind == rest)),
            top,
            reason,
        )

    unlabelled, unasked = (
        sum(int(((units.reference == 1) & (units.judge == why)).sum()) for units in rows)
        for why in (NO_LABEL, NOT_ASKED)
    )
    limit = None if weighted or raw[CAUGHT] + raw[MISSED] + unlabelled + unasked else at_most(0, len(parts))
    without = sum(int((units.labelled & (units.reference < 0)).sum()) for units in rows)
    return SafetyShares(
        (int(raw[0]), int(raw[1]), int(raw[2]), int(raw[3])),
        unlabelled,
        unasked,
        len(parts),
        limit,
        without,
        of("sensitivity", CAUGHT, MISSED, NO_FAILURE),
        of("sensitivity, failures without a label missed", CAUGHT, MISSED, NO_FAILURE, lost),
        of("sensitivity, failures without a row missed", CAUGHT, MISSED, NO_FAILURE, every),
        sum(int(here.sum()) for here in dodged),
        of("sensitivity, at worst", CAUGHT, MISSED, NO_FAILURE, worst),
        of("specificity", RIGHTLY_PASSED, FALSE_ALARM, ONLY_FAILURES),
        of("positive predictive value", CAUGHT, FALSE_ALARM, NO_ALARM),
        of("negative predictive value", RIGHTLY_PASSED, MISSED, ONLY_ALARMS),
    )


@dataclass(frozen=True, eq=False)
class _CatchColumns:
    """One entry a unit: its conversation, CAUGHT to RIGHTLY_PASSED, its weight."""

    part: IntArray
    kind: IntArray
    weight: Array

    def where(self, chosen: Mask) -> _CatchColumns:
        return _CatchColumns(self.part[chosen], self.kind[chosen], self.weight[chosen])


def _columns(rows: Sequence[SafetyUnits], chosen: Sequence[Mask]) -> _CatchColumns:
    nothing = np.zeros(0, dtype=np.int64)
    both = list(zip(rows, chosen, strict=True))
    return _CatchColumns(
        np.concatenate([nothing, *(units.part[here] for units, here in both)]),
        np.concatenate(
            [nothing, *(_kind(units.reference[here] == 1, units.flagged[here]) for units, here in both)]
        ),
        np.concatenate([np.zeros(0), *(units.weight[here] for units, here in both)]),
    )


def _share(name: str, units: _CatchColumns, top: int, reason: str) -> Estimate:
    """Of these units, how many are of the kind `top`."""
    parts, place = numbered(units.part)
    hits = units.kind == top
    weighted = len(units.weight) > 0 and np.ptp(units.weight) > 0
    if not weighted and len(parts) == len(place):
        return clopper_pearson(int(hits.sum()), len(hits), reason)
    counts = np.stack(
        [
            np.bincount(place, weights=units.weight * hits, minlength=len(parts)),
            np.bincount(place, weights=units.weight, minlength=len(parts)),
        ],
        axis=1,
    ).astype(float)
    statistic = Statistic(
        name, lambda sums: share(sums[..., 0], sums[..., 1]), lambda _: reason, low=0.0, kind="share"
    )
    return jackknife(statistic, counts, len(hits))


def _kind(failed: Mask, flagged: Mask) -> IntArray:
    return np.where(
        failed, np.where(flagged, CAUGHT, MISSED), np.where(flagged, FALSE_ALARM, RIGHTLY_PASSED)
    ).astype(np.int64)
