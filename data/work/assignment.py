"""Giving units to raters: taken, kept for a while, committed, skipped, run out or freed. Every change is one
transaction.

An assignment is held until its rater commits or skips it, or until it runs out; each save keeps it on. What
ran out is free for others, and its rater may go on with it as long as nobody else has taken it: nothing that
was saved is lost, and nobody rates what has as many raters as it wants.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from data import schema
from data.record import units
from data.record.studies import Rater, Study
from data.record.study_changes import is_archived
from data.store.errors import Refused
from data.store.trail import TrailEntry, now
from data.work import certification, conflicts, exposures, next_unit, open_slots, repeats, roles
from data.work import plan as plans
from data.work.next_unit import NoUnit
from data.work.plan import WorkPlan
from data.work.worklist import Worklist

CHANCE = random.SystemRandom()
_HELD = (
    select(schema.reservation.c.assignment_id, schema.assignment.c.place)
    .join(schema.assignment, schema.assignment.c.id == schema.reservation.c.assignment_id)
    .where(schema.reservation.c.rater_id == bindparam("rater"))
    .order_by(schema.assignment.c.place)
)
_MINE = select(schema.assignment).where(
    schema.assignment.c.rater_id == bindparam("rater"), schema.assignment.c.unit_id == bindparam("unit")
)


def take(
    connection: Connection, entry: TrailEntry, study: Study, rater: Rater, rng: random.Random = CHANCE
) -> int | NoUnit:
    """Return the place, in the rater's own list, of the unit to rate now, or why there is none.

    A unit that the rater holds comes before anything new, which is written to the list and reserved. In an
    archived study nothing is given. Expired reservations of the study are freed first. Raise Refused
    ("study_without_plan") without a plan.
    """
    plan = plans.current(connection, study.id)
    if plan is None:
        raise Refused("study_without_plan")
    run_out(connection, entry, study)
    held = connection.execute(_HELD, {"rater": rater.id}).first()
    if held is not None and not is_archived(connection, study.id):
        return int(held.place)
    choice = next_unit.choose_next_unit(connection, study, plan, rater, rng)
    if isinstance(choice, NoUnit):
        return choice
    unit_id = choice.unit_id
    if choice.repeated_unit is not None:
        unit_id = repeats.repeat_of(
            connection, entry, choice.repeated_unit, choice.purpose, choice.calibration_id
        )
    before = connection.execute(_MINE, {"rater": rater.id, "unit": unit_id}).first()
    if choice.purpose == "real" and not open_slots.take(connection, unit_id):
        raise AssertionError("what was chosen wants nobody")  # choose_next_unit looked under the same lock
    if choice.cursor is not None:
        open_slots.set_search_start(connection, rater.id, choice.cursor)
    if before is not None:
        entry.write(schema.assignment_event, {"assignment_id": before.id, "kind": "taken_again"})
        _hold(connection, study, plan, rater.id, unit_id, before.id)
        return int(before.place)
    place = (connection.execute(_LAST_PLACE, {"rater": rater.id}).scalar() or 0) + 1
    share = (
        plan.repeats if study.review == "blind" else 0.0
    )  # where the judge is visible, its absence would tell a repeat
    hold = repeats.hold(study.key, rater.id, place, share) if choice.purpose == "real" else ""
    assignment_id = entry.write(
        schema.assignment,
        {"rater_id": rater.id, "unit_id": unit_id, "purpose": choice.purpose, "place": place, "hold": hold},
    )
    _hold(connection, study, plan, rater.id, unit_id, assignment_id)
    return place


_LAST_PLACE = select(func.max(schema.assignment.c.place)).where(
    schema.assignment.c.rater_id == bindparam("rater")
)


def _hold(
    connection: Connection, study: Study, plan: WorkPlan, rater_id: int, unit_id: int, assignment_id: int
) -> None:
    connection.execute(
        insert(schema.reservation).values(
            assignment_id=assignment_id,
            study_id=study.id,
            rater_id=rater_id,
            unit_id=unit_id,
            until=_until(plan),
        )
    )


def _until(plan: WorkPlan) -> str:
    return (datetime.fromisoformat(now()) + timedelta(hours=plan.hold_hours)).isoformat(
        timespec="milliseconds"
    )


def keep(entry: TrailEntry, worklist: Worklist, unit_id: int) -> None:
    """Check that the rater holds the unit, and renew the reservation for the plan's hours.

    Call it before anything is saved for a unit. Without a plan nothing is checked. A unit whose time ran
    out is taken again if it still wants a rater.

    Raises:
        Refused: the unit is not in the list, a conflict of interest bars it, or it has been taken by
            others.
    """
    connection, study, rater_id, plan = (
        worklist.connection,
        worklist.study,
        worklist.rater_id,
        worklist.plan,
    )
    if plan is None:
        return
    mine = connection.execute(_MINE, {"rater": rater_id, "unit": unit_id}).first()
    if mine is None:
        raise Refused("not_in_list")
    if conflicts.bars_conversation(connection, rater_id, unit_id):
        raise Refused("conflict_noted_meanwhile")
    changed = connection.execute(
        update(schema.reservation)
        .where(schema.reservation.c.assignment_id == mine.id)
        .values(until=_until(plan))
    )
    if changed.rowcount:
        return
    why_not = roles.why_not_given(connection, plan, rater_id)
    if why_not is not None:
        raise Refused("settles_now" if why_not.reason == "settles_here" else "not_in_plan_now")
    if mine.purpose == "repeat" and exposures.revealed(
        connection, rater_id, repeats.original(connection, unit_id)
    ):
        raise Refused("repeat_not_needed")
    if mine.purpose == "real" and not open_slots.count_wanted_raters(connection, unit_id):
        raise Refused("not_rated_now")
    if mine.purpose == "real" and not open_slots.take(connection, unit_id):
        raise Refused("rated_by_others_since")
    entry.write(schema.assignment_event, {"assignment_id": mine.id, "kind": "taken_again"})
    _hold(connection, study, plan, rater_id, unit_id, mine.id)


def note_commit(connection: Connection, entry: TrailEntry, study: Study, unit_id: int, rater_id: int) -> None:
    """Record that the unit was committed in this transaction, which frees it and may end a certification
    round.
    """
    mine = _let_go(connection, entry, unit_id, rater_id, "committed")
    if mine is not None and mine.purpose == "gold":
        plan = plans.current(connection, study.id)
        assert plan is not None
        certification.note_round_end(connection, entry, study, rater_id, plan.pass_mark)


def note_skip(connection: Connection, entry: TrailEntry, study: Study, unit_id: int, rater_id: int) -> None:
    """Record that the unit was left for later: others may take it, and the rater too, as long as it wants
    raters.
    """
    mine = _let_go(connection, entry, unit_id, rater_id, "skipped")
    plan = plans.current(connection, study.id)
    if mine is not None and mine.purpose == "real" and plan is not None:
        open_slots.give_back(connection, study.id, plan, rater_id, unit_id)


def _let_go(
    connection: Connection, entry: TrailEntry, unit_id: int, rater_id: int, kind: str
) -> Row[Any] | None:
    mine = connection.execute(_MINE, {"rater": rater_id, "unit": unit_id}).first()
    if mine is None:
        return None
    held = connection.execute(
        schema.reservation.delete().where(schema.reservation.c.assignment_id == mine.id)
    ).rowcount
    if not held:
        return None
    entry.write(schema.assignment_event, {"assignment_id": mine.id, "kind": kind})
    return mine


def run_out(connection: Connection, entry: TrailEntry, study: Study) -> int:
    """Free every reservation of the study that has expired; return how many."""
    table = schema.reservation
    return _free(connection, entry, study, "ran_out", table.c.study_id == study.id, table.c.until <= now())


def free(connection: Connection, entry: TrailEntry, study: Study, rater_id: int) -> int:
    """Free everything that a rater holds, because they left; return how many. What they committed stays."""
    return _free(
        connection,
        entry,
        study,
        "freed",
        schema.reservation.c.study_id == study.id,
        schema.reservation.c.rater_id == rater_id,
    )


def _free(connection: Connection, entry: TrailEntry, study: Study, kind: str, *which: Any) -> int:
    table, assigned = schema.reservation, schema.assignment
    rows = connection.execute(
        select(table.c.assignment_id, table.c.rater_id, table.c.unit_id, assigned.c.purpose, assigned.c.place)
        .join(assigned, assigned.c.id == table.c.assignment_id)
        .where(*which)
    ).all()
    if not rows:
        return 0
    connection.execute(table.delete().where(table.c.assignment_id.in_([row.assignment_id for row in rows])))
    entry.write_many(
        schema.assignment_event, [{"assignment_id": row.assignment_id, "kind": kind} for row in rows]
    )
    plan = plans.current(connection, study.id)
    for row in rows:
        units.set_begun(connection, row.rater_id, row.unit_id, row.place)
        if row.purpose == "real" and plan is not None:
            open_slots.give_back(connection, study.id, plan, row.rater_id, row.unit_id)
    return len(rows)


def adopt(connection: Connection, entry: TrailEntry, study: Study) -> None:
    """Turn what raters did before the study's first plan into the beginning of their lists.

    Committed units come in the order of their commits, then those only begun or skipped. Begun units are
    not held: the rater may continue as long as nobody else got them.
    """
    progress, commit, people = schema.progress, schema.commit, schema.rater
    rows = connection.execute(
        select(progress.c.rater_id, progress.c.unit_id, progress.c.state, commit.c.ordinal)
        .join(people, people.c.id == progress.c.rater_id)
        .outerjoin(
            commit, (commit.c.rater_id == progress.c.rater_id) & (commit.c.unit_id == progress.c.unit_id)
        )
        .where(people.c.study_id == study.id)
        .order_by(progress.c.rater_id, commit.c.ordinal.is_(None), commit.c.ordinal, progress.c.position)
    ).all()
    places: dict[int, int] = {}
    adopted = []
    for row in rows:
        places[row.rater_id] = places.get(row.rater_id, 0) + 1
        adopted.append((row, places[row.rater_id]))
    ids = entry.write_many(
        schema.assignment,
        [
            {"rater_id": row.rater_id, "unit_id": row.unit_id, "purpose": "real", "place": place, "hold": ""}
            for row, place in adopted
        ],
    )
    kinds = {"committed": "committed", "compared": "committed", "skipped": "skipped", "begun": "freed"}
    entry.write_many(
        schema.assignment_event,
        [
            {"assignment_id": number, "kind": kinds[row.state]}
            for number, (row, _) in zip(ids, adopted, strict=True)
        ],
    )
    for row, place in adopted:
        connection.execute(
            update(progress)
            .where(progress.c.rater_id == row.rater_id, progress.c.unit_id == row.unit_id)
            .values(position=place)
        )
