"""Which units a rater may still be given. Until then the rater is told nothing about them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, exists, false, func, or_, select

from data import schema
from data.record.studies import Study
from data.work import conflicts, roles
from data.work import plan as plans


def may_still_come(
    connection: Connection, study: Study, unit_id: ColumnElement[int], rater_id: int
) -> ColumnElement[bool]:
    """Return an SQL condition: with the study's plan the unit could still be given to the rater.

    Anything shown about such a unit, even a count of differences, would tell how it was labelled. It can't
    come any more once as many as wanted have committed it, or the rater opened its conversation. Never true
    without a plan, or for a person who is given no units.
    """
    plan = plans.current(connection, study.id)
    if plan is None or not roles.is_given_units(connection, plan, rater_id):
        return false()
    assignment, commit, unit = schema.assignment.alias(), schema.commit.alias(), schema.unit.alias()
    practised = exists().where(
        assignment.c.rater_id == commit.c.rater_id,
        assignment.c.unit_id == commit.c.unit_id,
        assignment.c.purpose != "real",
    )
    counted = (
        (commit.c.rater_id.in_(plan.raters),) if plan.each else ()
    )  # each named rater is wanted, no matter who else rated it
    # Not correlated, so that the commits are counted once and not again for every unit.
    complete = (
        select(commit.c.unit_id)
        .join(unit, unit.c.id == commit.c.unit_id)
        .where(unit.c.study_id == study.id, ~practised, *counted)
        .group_by(commit.c.unit_id)
        .having(func.count(commit.c.id) >= plan.wanted)
    )
    seen = select(unit.c.id).where(
        unit.c.conversation_id.in_(conflicts.seen_conversations(connection, rater_id))
    )
    return and_(unit_id.not_in(complete), unit_id.not_in(seen))


def may_be_told(connection: Connection, study: Study, rater_id: int) -> set[int]:
    """Return the units whose colleagues' notes this person may see: those they can't be given any more."""
    unit = schema.unit
    return set(
        connection.execute(
            select(unit.c.id).where(
                unit.c.study_id == study.id, ~may_still_come(connection, study, unit.c.id, rater_id)
            )
        ).scalars()
    )


def on_list(unit_id: ColumnElement[int], rater_id: int) -> ColumnElement[bool]:
    """Return an SQL condition: the rater holds the unit, left it for later, or had it until its time ran
    out.
    """
    assignment, happened = schema.assignment, schema.assignment_event
    last = (
        select(happened.c.kind)
        .where(happened.c.assignment_id == assignment.c.id)
        .order_by(happened.c.id.desc())
        .limit(1)
        .correlate(assignment)
        .scalar_subquery()
    )
    return exists().where(
        assignment.c.unit_id == unit_id,
        assignment.c.rater_id == rater_id,
        or_(last.is_(None), last != "committed"),
    )
