"""How far the work of a study is: what each rater rated, what of all is, and how long the rest takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from data.labels.work_overview import RaterRow, StudyProgress
from reports.agreement.findings import Findings
from reports.wording import describe_minutes
from words.plurals import count, inflect

NOBODY = "Nobody has rated yet."


@dataclass(frozen=True)
class RatedUnits:
    """`committed` here; `imported`: with labels from a file."""

    rater: int
    name: str
    committed: int
    imported: int

    @property
    def units(self) -> int:
        return self.committed + self.imported


def rated_units(raters: Sequence[RaterRow], findings: Findings) -> list[RatedUnits]:
    """Return how many units each person rated, under codes, who rated most first; those without are absent.

    Raters known only from files are included with their imported labels.
    """
    rows = [RatedUnits(rater.id, rater.code, rater.committed, rater.imported) for rater in raters]
    listed = {row.rater for row in rows}
    given = findings.everyone.given
    pairs = np.unique(np.stack([given.rater, given.unit], axis=1), axis=0)
    numbers, units = np.unique(pairs[:, 0], return_counts=True)
    rows += [
        RatedUnits(rater, findings.names[rater], 0, labelled)
        for rater, labelled in zip(numbers.tolist(), units.tolist(), strict=True)
        if rater not in listed and rater in findings.names
    ]
    return sorted((row for row in rows if row.units), key=lambda row: -row.units)


def work_sentence(
    rated: Sequence[RatedUnits],
    units: int,
    totals: StudyProgress | None,
    minutes: Mapping[int, float],
) -> str:
    """Return how the work is going, in one sentence.

    For example "12 of 40 rated here, about 3 hours of work left.", or "All 40 ratings are given here."; the
    time only if raters have a pace. Without ratings given here, the number of those "from files", else
    "Nobody has rated yet."

    Args:
        rated: the raters' counts.
        units: number of units of the study.
        totals: None without a plan, and then everybody who has begun is to rate all units.
        minutes: rater -> minutes per unit, if they have a pace.
    """
    here = [row for row in rated if row.committed]
    files = sum(row.imported for row in rated if not row.committed)
    if totals is not None and totals.wanted:
        left = totals.wanted - totals.given
        paces = [minutes[row.rater] for row in here if row.rater in minutes]
        return _progress(totals.given, totals.wanted, median(paces) * left if paces else None)
    if not here:
        return _from_files(files) if files else NOBODY
    left_by_rater = {row.rater: max(0, units - row.units) for row in here}
    has_pace = all(rater in minutes for rater, left in left_by_rater.items() if left)
    time = sum(minutes[rater] * left for rater, left in left_by_rater.items() if left) if has_pace else None
    wanted = units * len(here)
    sentence = _progress(wanted - sum(left_by_rater.values()), wanted, time)
    return f"{sentence} {_from_files(files)}" if files else sentence


def _progress(given: int, wanted: int, minutes: float | None) -> str:
    if given >= wanted:
        return f"All {count(wanted, 'rating has', 'ratings have')} been made here."
    time = "" if minutes is None else f", about {describe_minutes(minutes)} of work left"
    return f"{given:,} of {wanted:,} rated here{time}."


def _from_files(ratings: int) -> str:
    return f"{ratings:,} {inflect(ratings, 'rating', 'ratings')} from files."
