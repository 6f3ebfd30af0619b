"""The margins by which a study judges its judge: part of the plan of work, and a change after the first blind
rating stays on record."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from data import schema
from data.labels.counted import ARMS, given_for_real
from data.work import plan as plans
from data.work.plan import WorkPlan
from scoring.agreement.verdicts.verdict_rule import Margins


@dataclass(frozen=True)
class MarginChange:
    """In the plan of this `version`, kept at this moment, after `ratings` labels had been given blind."""

    version: int
    at: str
    before: Margins
    after: Margins
    ratings: int


def margins_of(connection: Connection, study_id: int) -> Margins:
    """Return the margins of the study's newest plan; the default ones without a plan."""
    return _margins(plans.current(connection, study_id) or WorkPlan())


def margin_changes(connection: Connection, study_id: int) -> tuple[MarginChange, ...]:
    """Return the changes of margins that came after the first blind rating, oldest first.

    Ratings for practice do not count. An imported rating counts as given before a plan if it was kept, or
    according to its file given, before it.
    """
    table, rating = schema.work_plan, schema.rating
    blind = (
        select(func.count())
        .select_from(rating.join(schema.unit, schema.unit.c.id == rating.c.unit_id))
        .where(
            rating.c.study_id == study_id,
            rating.c.exposure.in_(ARMS["blind"]),
            *given_for_real(rating),
        )
    )
    changes = []
    before = _margins(WorkPlan())
    for row in connection.execute(
        select(table).where(table.c.study_id == study_id).order_by(table.c.version)
    ):
        after = _margins(WorkPlan.model_validate_json(row.body))
        if after != before:
            ratings = connection.execute(
                blind.where((rating.c.trail < row.trail) | (rating.c.at < row.at))
            ).scalar_one()
            if ratings:
                changes.append(MarginChange(row.version, row.at, before, after, ratings))
        before = after
    return tuple(changes)


def _margins(plan: WorkPlan) -> Margins:
    return Margins(plan.margin, plan.margin_same_label, plan.catches_at_least, plan.settle_share)
