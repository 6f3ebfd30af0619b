"""A line for each rater: whether they moved beside the others and how far, how steady and how quick they are,
and whom to calibrate again.
"""

from __future__ import annotations

import math

from reports.document import Evidence, EvidenceRow
from reports.drift.rater_words import ALONE, describe_movement, measure_name, recalibration_sentences
from reports.drift.raters import RaterDrift
from scoring.agreement.intervals.estimate import undefined_estimate
from scoring.drift.rater_movement import SLOPE, Movement
from words.figures import decimal, signed_decimal

LINES = 10  # what a screen holds; the tables have everybody


def rater_evidence(drift: RaterDrift) -> Evidence:
    """Return a row per rater, at most LINES (10): first who moved, then who should be calibrated again,
    then the others.
    """
    raters = sorted(drift.names, key=lambda rater: (not _has_moved(drift, rater), rater not in drift.reasons))
    rows = tuple(_row(drift, rater) for rater in raters[:LINES])
    ends = [
        abs(end)
        for row in rows
        for estimate in row.estimates
        for end in (estimate.value, estimate.low, estimate.high)
        if end is not None
    ]
    reach = max(1, math.ceil(max(ends, default=0.0)))
    return Evidence(
        "raters",
        "Raters compared with the others",
        "Rater",
        "Drifted?",
        ("Change in four weeks",),
        f"{measure_name(drift).capitalize()}, own minus the others', in four weeks: 0 is no change",
        (drift.source.noun.plural.capitalize(), "Same label again", "Minutes", "Next"),
        ("Finding", "Why calibrate again"),
        rows,
        -reach,
        reach,
    )


def _has_moved(drift: RaterDrift, rater: int) -> bool:
    movement = drift.movements.get(rater)
    return movement is not None and bool(movement.verdict)


def _row(drift: RaterDrift, rater: int) -> EvidenceRow:
    movement, repeats, minutes = drift.movements.get(rater), drift.same.get(rater), drift.minutes.get(rater)
    shape, seen = describe_movement(drift, rater)
    units = int((drift.source.moments.rater == rater).sum())
    again = drift.reasons.get(rater)
    median = minutes.median if minutes is not None else None
    return EvidenceRow(
        str(rater),
        drift.names[rater],
        shape,
        _verdict(drift, movement),
        (movement.slope if movement is not None else undefined_estimate(ALONE, 0, SLOPE),),
        (
            f"{units:,}",
            "" if repeats is None else f"{repeats.same:,} of {repeats.pairs:,}",
            "" if median is None else decimal(median, 1),
            "calibrate again" if again else "",
        ),
        (float(units), None if repeats is None else repeats.share.value, median, None),
        (
            f"{seen}{' compared with the others' if shape == 'yes' else ''}{_halves(movement)}",
            "; ".join(recalibration_sentences(again, drift.source.threshold, drift.source.ordered))
            if again
            else "",
        ),
    )


def _verdict(drift: RaterDrift, movement: Movement | None) -> str:
    if movement is None or movement.p is None:
        return "not tested"
    if movement.verdict != "moved":
        return movement.verdict or "no clear change"
    if drift.source.ordered:
        return f"drifted: {'higher' if movement.up else 'lower'}"
    return f"drifted: {'fails more' if movement.up else 'fails less'}"


def _halves(movement: Movement | None) -> str:
    if movement is None or movement.first is None or movement.second is None:
        return ""
    return (
        f": {signed_decimal(movement.first, 2)} in the earlier half of {movement.conversations:,} "
        f"conversations, {signed_decimal(movement.second, 2)} in the later"
    )
