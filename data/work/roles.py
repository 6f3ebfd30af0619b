"""What a person does in a study: rate, or settle what others rated."""

from __future__ import annotations

from sqlalchemy import Connection, select

from data import schema
from data.schema.vocabulary import StudyRole
from data.store.errors import Notice
from data.store.trail import TrailEntry
from data.work.plan import WorkPlan


def role_of(connection: Connection, rater_id: int) -> StudyRole:
    """Return what a person does in the study: a rater, unless another role was chosen last."""
    table = schema.study_role
    role = connection.execute(
        select(table.c.role).where(table.c.rater_id == rater_id).order_by(table.c.id.desc()).limit(1)
    ).scalar()
    return StudyRole.RATER if role is None else StudyRole(role)


def is_settler(connection: Connection, rater_id: int) -> bool:
    """Tell whether the person settles labels: whether `role_of` is SETTLER."""
    return role_of(connection, rater_id) is StudyRole.SETTLER


def is_given_units(connection: Connection, plan: WorkPlan | None, rater_id: int) -> bool:
    """Tell whether units are handed to this person to rate."""
    return why_not_given(connection, plan, rater_id) is None


def why_not_given(connection: Connection, plan: WorkPlan | None, rater_id: int) -> Notice | None:
    """Return why no units are handed to this person; None if they are.

    "settles_here" for a settler, "not_in_plan" for a person whom the plan does not name although it names
    raters.
    """
    if is_settler(connection, rater_id):
        return Notice("settles_here")
    return None if plan is None or plan.admits(rater_id) else Notice("not_in_plan")


def choose_role(connection: Connection, entry: TrailEntry, rater_id: int, role: StudyRole) -> None:
    """Record what a person does from now on. The same role again changes nothing."""
    if role_of(connection, rater_id) is not role:
        entry.write(schema.study_role, {"rater_id": rater_id, "role": role})
