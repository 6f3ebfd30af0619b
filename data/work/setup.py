"""Setting up the work of a study: what else a new plan or a draw brings with it, in the same transaction."""

from __future__ import annotations

from sqlalchemy import Connection

from data.record.studies import Study
from data.store.trail import TrailEntry
from data.work import assignment, open_slots
from data.work import plan as plans
from data.work.plan import WorkPlan


def new_plan(
    connection: Connection, entry: TrailEntry, study: Study, plan: WorkPlan, seen_version: int | None = None
) -> int:
    """Save a plan and apply it; return its version.

    With the first one, what was rated until now becomes the beginning of the raters' lists. Raise Refused
    as data/work/plan.py does.
    """
    version = plans.put(connection, entry, study, plan, seen_version)
    if version == 1:
        assignment.adopt(connection, entry, study)
    open_slots.refresh(connection, study, plan)
    return version


def open_drawn_units(connection: Connection, study: Study) -> None:
    """Open newly drawn units to raters; nothing happens without a plan."""
    plan = plans.current(connection, study.id)
    if plan is not None:
        open_slots.refresh(connection, study, plan)
