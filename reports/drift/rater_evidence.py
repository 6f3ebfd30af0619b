"""A line for each rater: whether they moved beside the others and how far, how steady and how quick they are,
and whom to calibrate again.
"""

from __future__ import annotations

import math

from reports.document import Evidence, EvidenceRow, Shape
from reports.drift.rater_words import measure_name, why_withheld
from reports.drift.raters import RaterDrift
from reports.drift.recalibration_words import direction, recalibration_sentences
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.drift.rater_movement import SLOPE, Movement
from words.figures import decimal, signed_decimal

LINES = 10  # what a screen holds; the tables have everybody

ALONE = "no blind label with a place on a scale"


def rater_evidence(drift: RaterDrift) -> Evidence:
    """Who moved first, then whom something else speaks for calibrating again; the others by their codes."""
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
        "Raters beside the others",
        "Rater",
        "Moved?",
        ("Change in four weeks",),
        f"{measure_name(drift).capitalize()}, own less the others', in four weeks: 0 is no change",
        (drift.source.noun.plural.capitalize(), "Same again", "Minutes", "Next"),
        ("What was seen", "Why calibrate again"),
        rows,
        -reach,
        reach,
    )


def _has_moved(drift: RaterDrift, rater: int) -> bool:
    movement = drift.movements.get(rater)
    return movement is not None and bool(movement.verdict)


def _row(drift: RaterDrift, rater: int) -> EvidenceRow:
    movement, repeats, minutes = drift.movements.get(rater), drift.same.get(rater), drift.minutes.get(rater)
    shape, verdict, seen = _verdict(drift, rater, movement)
    units = int((drift.source.moments.rater == rater).sum())
    again = drift.reasons.get(rater)
    median = minutes.median if minutes is not None else None
    return EvidenceRow(
        str(rater),
        drift.names[rater],
        shape,
        verdict,
        (movement.slope if movement is not None else _no_slope(),),
        (
            f"{units:,}",
            "" if repeats is None else f"{repeats.same:,} of {repeats.pairs:,}",
            "" if median is None else decimal(median, 1),
            "calibrate again" if again else "",
        ),
        (float(units), None if repeats is None else repeats.share.value, median, None),
        (
            seen,
            "; ".join(recalibration_sentences(again, drift.source.threshold, drift.source.ordered))
            if again
            else "",
        ),
    )


def _no_slope() -> Estimate:
    return undefined_estimate(ALONE, 0, SLOPE)


def _verdict(drift: RaterDrift, rater: int, movement: Movement | None) -> tuple[Shape, str, str]:
    """Shape, word, and what was seen."""
    if movement is None or movement.p is None:
        why = (
            movement.undefined or ALONE
            if movement is not None
            else why_withheld(drift)
            if drift.withheld(rater)
            else ALONE
        )
        return "unknown", "cannot be told", why
    halves = _halves(movement)
    if movement.verdict == "moved apart":
        return (
            "no",
            "moved apart",
            f"moved apart from the one other rater; which of the two cannot be told{halves}",
        )
    if movement.verdict == "moved":
        direction_words = (
            ("higher" if movement.up else "lower")
            if drift.source.ordered
            else ("fails more" if movement.up else "fails less")
        )
        return "no", f"moved: {direction_words}", f"{direction(movement.up, drift.source.ordered)}{halves}"
    return "yes", "no clear change", f"no clear movement beside the others{halves}"


def _halves(movement: Movement) -> str:
    if movement.first is None or movement.second is None:
        return ""
    return (
        f": {signed_decimal(movement.first, 2)} in the earlier half of {movement.conversations:,} "
        f"conversations, {signed_decimal(movement.second, 2)} in the later"
    )
