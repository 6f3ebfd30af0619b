"""Slopes and average curves."""

from __future__ import annotations

import numpy as np

from scoring.drift.curves import average_curve, drift_slope
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict, expects_refusal


def slope(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    """The published number, and the product's own wherever two turns have a value.

    The published program fails on a curve with a gap; the product then has no number under its name, and its
    own from the other turns.
    """
    curve = case.get("curve") or []
    result = drift_slope(curve)
    published = None if expects_refusal(case) else case["expected_slope"]
    published = published if isinstance(published, int | float) else None  # an error is no number
    tally.number(f"{case['id']} as published", result.reference, published)
    values = [(turn, value) for turn, value in enumerate(curve, start=1) if value is not None]
    if len(values) < 2:
        tally.number(f"{case['id']} product", result.value, None)
        tally.same(f"{case['id']} has a reason", bool(result.undefined), True)
    elif len(values) == len(curve):
        tally.number(f"{case['id']} product", result.value, published)
    else:
        turns, levels = zip(*values, strict=True)
        tally.number(f"{case['id']} product, with gaps", result.value, float(np.polyfit(turns, levels, 1)[0]))


def average(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    curves = [curve or [] for curve in case.get("curves") or []]
    found = average_curve(curves)
    tally.numbers(f"{case['id']} as published", found.reference, case["expected"])
    tally.numbers(f"{case['id']} by position", found.values, case["positionwise_with_none"])
    tally.same(
        f"{case['id']} counts",
        list(found.n),
        [sum(t < len(curve) and curve[t] is not None for curve in curves) for t in range(len(found.values))],
    )


COMPARERS = {"drift_slope": slope, "alignment_curve_average": average}
