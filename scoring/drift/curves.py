"""How a metric moves over the turns of a conversation: slope of a curve, mean of curves, rate of decay.

A curve has one entry a turn, in order; None is a turn without a value, and it keeps its place. The slope is
that of ordinary least squares on turn 1, 2, ..., n, in units of the metric per turn; below 0 the metric
falls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.agreement.intervals.additive_counts import add_up, divide_counts
from scoring.agreement.intervals.bootstrap import Interval, jackknife
from scoring.agreement.intervals.estimate import Estimate
from scoring.bad_input import listed, values
from scoring.drift.average_curves import slopes

Curve = Sequence[float | None]
METHOD = "least squares on turn number"


@dataclass(frozen=True)
class DriftSlope(Estimate):
    """`value` per turn over the `n` turns that have one. `reference`: what the published program prints.

    That is 0.0 for a curve of fewer than two turns, and nothing (None) for a curve with a gap, on which it
    fails.
    """

    reference: float | None = None


@dataclass(frozen=True)
class AverageCurve:
    """Per turn the mean over the cases that have a value there (None where none has), and how many they
    are.
    """

    values: tuple[float | None, ...]
    n: tuple[int, ...]

    @property
    def reference(self) -> list[float]:
        """As published: a turn without any value is dropped, so that later turns move to the left."""
        return [value for value in self.values if value is not None]


def drift_slope(curve: Curve) -> DriftSlope:
    """Return the least-squares slope of one curve on turn 1, 2, ..., in units of the metric per turn.

    None in the curve is a turn without a value and keeps its place. The slope is None, with a reason, for
    fewer than two values: one point has no direction.

    Raises:
        BadInput: an entry is neither None nor a finite number.
    """
    entries = values("curve", curve)
    points = [(turn, value) for turn, value in enumerate(entries, start=1) if value is not None]
    gaps = len(points) < len(entries)
    if len(points) < 2:
        reference = 0.0 if len(entries) < 2 else None
        return DriftSlope(
            None, len(points), METHOD, "a slope needs values in at least two turns", reference=reference
        )
    slope = _least_squares(points)
    return DriftSlope(slope, len(points), METHOD, None, reference=None if gaps else slope)


def average_curve(curves: Sequence[Curve]) -> AverageCurve:
    """Return the mean of several curves turn by turn, as long as the longest curve.

    A turn's mean is over the curves that have a value there, and None where none has. Without curves both
    fields are empty.

    Raises:
        BadInput: names the curve and the entry that is neither None nor a finite number.
    """
    cases = _cases(curves)
    turns = range(max(map(len, cases), default=0))
    columns = [[case[t] for case in cases if t < len(case)] for t in turns]
    valued = [[value for value in column if value is not None] for column in columns]
    return AverageCurve(
        values=tuple(math.fsum(column) / len(column) if column else None for column in valued),
        n=tuple(map(len, valued)),
    )


def truth_decay_rate(curves: Sequence[Curve], persons: Sequence[int] | None = None) -> Interval:
    """Return the slope per turn of the mean of `curves`, with a jackknife interval over persons.

    This is not the mean of the slopes: a case that ends early counts in the turns it has. The value is None
    where no slope can be computed.

    Args:
        curves: one per case, None for a turn without a value.
        persons: the person of each curve, whose curves are left out together; by default each curve is a
            different person's.

    Raises:
        BadInput: an entry is neither None nor a finite number.
    """
    cases = _cases(curves)
    table = np.full((len(cases), max(map(len, cases), default=0)), np.nan)
    for row, case in zip(table, cases, strict=True):
        row[: len(case)] = case
    counts = np.stack([np.nan_to_num(table), ~np.isnan(table)], axis=-1)
    parts = range(len(cases)) if persons is None else persons
    _, sums = add_up(zip(parts, counts, strict=True), counts.shape[1:])
    return jackknife(sums, lambda sums_by_turn: slopes(divide_counts(sums_by_turn)))


def _least_squares(points: Sequence[tuple[int, float]]) -> float:
    turn = math.fsum(t for t, _ in points) / len(points)
    level = math.fsum(y for _, y in points) / len(points)
    return math.fsum((t - turn) * (y - level) for t, y in points) / math.fsum(
        (t - turn) ** 2 for t, _ in points
    )


def _cases(curves: Sequence[Curve]) -> list[list[float | None]]:
    return [
        values(f"curves[{index}]", curve) for index, curve in enumerate(listed("curves", curves, "curves"))
    ]
