"""Check that `reservation`, `slot` and `rater_cursor` agree with the record. They decide who is given a
unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, func, or_, select
from sqlalchemy.exc import DBAPIError

from data import schema
from data.work import open_slots
from data.work import plan as plans
from data.work.plan import WorkPlan


def assignment_problems(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each way in which lists, reservations or open places differ from the record."""
    assigned, event = schema.assignment, schema.assignment_event
    last = (
        select(event.c.kind)
        .where(event.c.assignment_id == assigned.c.id)
        .order_by(event.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    held = select(assigned.c.id).where(func.coalesce(last, "taken_again") == "taken_again")
    held_now = select(schema.reservation.c.assignment_id)
    if any(
        connection.execute(left.except_(right).limit(1)).first()
        for left, right in ((held, held_now), (held_now, held))
    ):
        yield "the units held for raters differ from the record"
    yield from _kept_where_assigned(connection)
    for rater_id in open_slots.walked_past(connection):
        yield f"rater {rater_id} has passed over units that they could still be given"
    planned = list(
        connection.execute(
            select(schema.work_plan.c.study_id).distinct().order_by(schema.work_plan.c.study_id)
        ).scalars()
    )
    for study_id in connection.execute(
        select(schema.slot.c.study_id).distinct().order_by(schema.slot.c.study_id)
    ).scalars():
        if study_id not in planned:
            yield f"units of study {study_id} are open to raters, and it has no plan"
    for study_id in planned:
        plan = _plan(connection, study_id)
        if plan is not None and open_slots.miscounted(connection, study_id, plan):
            yield f"how many raters have taken the units of study {study_id} differs from the record"


def _kept_where_assigned(connection: Connection) -> Iterator[str]:
    """Check that what is held for a rater is for the unit, person and study of the assignment."""
    held, assigned, unit = schema.reservation, schema.assignment, schema.unit
    other = connection.execute(
        select(held.c.assignment_id)
        .join(assigned, assigned.c.id == held.c.assignment_id)
        .join(unit, unit.c.id == assigned.c.unit_id)
        .where(
            or_(
                held.c.rater_id != assigned.c.rater_id,
                held.c.unit_id != assigned.c.unit_id,
                held.c.study_id != unit.c.study_id,
            )
        )
        .order_by(held.c.assignment_id)
    ).scalars()
    for number in other:
        yield f"what is held under assignment {number} differs from what was assigned"


def _plan(connection: Connection, study_id: int) -> WorkPlan | None:
    """Return the plan; None if it was altered and can't be read, which its digest shows."""
    try:
        return plans.current(connection, study_id)
    except (ValueError, DBAPIError):
        return None
