"""What is practice: the one place that says so, for the pool of units, the draws and every number
(data/labels/counted.py).

A unit is practice once it has gold labels or belongs to a calibration round. A rater may have rated it for
real before, but those answers were read for the gold labels or shown in the round, so none of its labels
counts.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, select

from data import schema


def is_practice(unit_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return an SQL condition: the unit has gold labels or belongs to a calibration round."""
    gold, calibrated = schema.gold_label, schema.calibration_unit
    # Not correlated, so that the few units of practice are looked up once and not again for every rating.
    return unit_id.in_(
        select(gold.c.unit_id).correlate(None).union(select(calibrated.c.unit_id).correlate(None))
    )


def practice_units(connection: Connection, study_id: int) -> set[int]:
    """Return the ids of the study's units that are rated for practice; no draw takes them."""
    unit = schema.unit
    return set(
        connection.execute(
            select(unit.c.id).where(unit.c.study_id == study_id, is_practice(unit.c.id))
        ).scalars()
    )
