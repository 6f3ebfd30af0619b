"""What a person has begun to rate and can go on with, and how long the rest takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from data import schema
from data.labels.pace import own_minutes
from data.record import studies
from data.record.studies import Study
from data.work import assignment, next_unit
from data.work.next_unit import NoUnit
from data.work.worklist import Worklist, open_worklist


@dataclass(frozen=True)
class BegunWork:
    """`place`: the next open place in the rater's list. `total`: of how many; None if they share the work.
    `minutes`: what is left, at their own pace; None without a pace or a total.
    """

    study: Study
    place: int
    total: int | None
    minutes: float | None


def find_begun_work(connection: Connection, studies_by_rater: Mapping[int, Study]) -> BegunWork | None:
    """Return what to go on with, in the study that one of these raters answered in last.

    Args:
        connection: where to read.
        studies_by_rater: rater id -> their study; all of them are one person.

    Returns:
        None if none of them has answered anything, or nothing is open where they have.
    """
    table = schema.draft
    last = func.max(table.c.id)
    begun = connection.execute(
        select(table.c.rater_id)
        .where(table.c.rater_id.in_(studies_by_rater))
        .group_by(table.c.rater_id)
        .order_by(last.desc())
    ).scalars()
    for rater_id in begun.all():
        worklist = open_worklist(connection, studies_by_rater[rater_id], rater_id)
        place = _next_place(worklist)
        if place is not None:
            return _describe(worklist, place)
    return None


def _next_place(worklist: Worklist) -> int | None:
    place = worklist.next_open()
    if place is not None or worklist.plan is None:
        return place
    rater = studies.rater(worklist.connection, worklist.rater_id)
    choice = next_unit.choose_next_unit(
        worklist.connection, worklist.study, worklist.plan, rater, assignment.CHANCE
    )
    return None if isinstance(choice, NoUnit) else worklist.length + 1


def _describe(worklist: Worklist, place: int) -> BegunWork:
    left = worklist.remaining_work
    if not left.whole:
        return BegunWork(worklist.study, place, None, None)
    units_left = left.held + left.may_come
    total = max(place, worklist.progress.committed + units_left)
    pace = own_minutes(worklist.connection, worklist.rater_id)
    return BegunWork(worklist.study, place, total, None if pace is None else pace * units_left)
