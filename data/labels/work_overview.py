"""How the work of a study stands, for its lead: by rater, by criterion, and what nobody took. Nothing of
agreement.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import Connection, Integer, case, func, select

from data import schema
from data.labels import agreement_labels
from data.labels.counted import given_for_real
from data.labels.imported_units import imported_units
from data.record import studies
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.trail import now
from data.work import certification, next_unit
from data.work import plan as plans

PACE_OF = 100  # the last so many commits make the pace
ONE_SITTING = 60.0  # minutes between two commits; more is a pause and no working time


@dataclass(frozen=True)
class StudyProgress:
    """The whole study: drawn units by how many raters have committed them, and how many of all ratings wanted
    were given.

    What a unit has beyond what is wanted of it, as after the plan was made smaller, is in none of these
    numbers.
    `under_way`: ratings that somebody has taken and not committed yet; they are in none of the other numbers.
    """

    drawn: int
    complete: int
    begun: int
    given: int
    wanted: int
    under_way: int


@dataclass(frozen=True)
class RaterRow:
    """`committed` and `this_week` count what was rated for real. `minutes`: the median between two commits of
    one sitting, None with fewer than two. `imported`: units whose labels came from a file, counted in nothing
    else here. `certified`: words, "" where none is asked for.
    """

    id: int
    name: str
    code: str
    committed: int
    practice: int
    repeats: int
    held: int
    skipped: int
    ran_out: int
    last: str | None
    this_week: int
    minutes: float | None
    certified: str
    admitted: bool
    saw_judge: bool
    imported: int


@dataclass(frozen=True)
class CriterionRow:
    criterion: str
    labels: int
    cannot_rate: int


@dataclass(frozen=True)
class OpenUnit:
    """A drawn unit that wants more raters than it has; how often it was skipped and ran out."""

    position: int
    taken: int
    wanted: int
    skipped: int
    ran_out: int


def study_progress(connection: Connection, study: Study) -> StudyProgress:
    """Return how far the drawn units of a study are rated; all 0 without a draw."""
    table, held_units, assigned = schema.slot, schema.reservation, schema.assignment
    held = (
        select(held_units.c.unit_id, func.count().label("held"))
        .join(assigned, assigned.c.id == held_units.c.assignment_id)
        .where(held_units.c.study_id == study.id, assigned.c.purpose == "real")
    )
    plan = plans.current(connection, study.id)
    if plan is not None and plan.each:  # what others hold takes none of the places
        held = held.where(held_units.c.rater_id.in_(plan.raters))
    under_way = held.group_by(held_units.c.unit_id).subquery()
    now_held = func.coalesce(under_way.c.held, 0)
    complete = table.c.taken - now_held
    row = connection.execute(
        select(
            func.count(),
            func.coalesce(func.sum(case((complete >= table.c.wanted, 1), else_=0)), 0),
            func.coalesce(func.sum(case(((complete > 0) & (complete < table.c.wanted), 1), else_=0)), 0),
            func.coalesce(func.sum(case((complete < table.c.wanted, complete), else_=table.c.wanted)), 0),
            func.coalesce(func.sum(table.c.wanted), 0),
            func.coalesce(func.sum(now_held), 0),
        )
        .select_from(table)
        .outerjoin(under_way, under_way.c.unit_id == table.c.unit_id)
        .where(table.c.study_id == study.id)
    ).one()
    return StudyProgress(*map(int, row))


def by_rater(connection: Connection, study: Study, at: str | None = None) -> list[RaterRow]:
    """Return a row for every person with a name in the study, in the order of their codes.

    `at`: the moment (ISO, as the store writes it) from which the last week is counted back; None for now.
    """
    people = [rater for rater in studies.raters(connection, study.id) if rater.kind == "person"]
    codes, plan = read_rater_codes(connection, study), plans.current(connection, study.id)
    assigned, commit, event, progress, shown = (
        schema.assignment,
        schema.commit,
        schema.assignment_event,
        schema.progress,
        schema.exposure,
    )
    mine = schema.rater.c.study_id == study.id
    purposes: dict[tuple[int, str], int] = {
        (row[0], row[1]): row[2]
        for row in connection.execute(
            select(commit.c.rater_id, func.coalesce(assigned.c.purpose, "real"), func.count())
            .join(schema.rater, schema.rater.c.id == commit.c.rater_id)
            .outerjoin(
                assigned,
                (assigned.c.rater_id == commit.c.rater_id) & (assigned.c.unit_id == commit.c.unit_id),
            )
            .where(mine)
            .group_by(commit.c.rater_id, func.coalesce(assigned.c.purpose, "real"))
        )
    }
    held: dict[int, int] = dict(
        connection.execute(
            select(schema.reservation.c.rater_id, func.count())
            .where(schema.reservation.c.study_id == study.id)
            .group_by(schema.reservation.c.rater_id)
        ).all()
    )
    skipped: dict[int, int] = dict(
        connection.execute(
            select(progress.c.rater_id, func.count())
            .join(schema.rater, schema.rater.c.id == progress.c.rater_id)
            .where(mine, progress.c.state == "skipped")
            .group_by(progress.c.rater_id)
        ).all()
    )
    ran_out: dict[int, int] = dict(
        connection.execute(
            select(assigned.c.rater_id, func.count())
            .join(event, event.c.assignment_id == assigned.c.id)
            .join(schema.rater, schema.rater.c.id == assigned.c.rater_id)
            .where(mine, event.c.kind == "ran_out")
            .group_by(assigned.c.rater_id)
        ).all()
    )
    week: dict[int, int] = dict(
        connection.execute(
            select(commit.c.rater_id, func.count())
            .join(schema.rater, schema.rater.c.id == commit.c.rater_id)
            .outerjoin(
                assigned,
                (assigned.c.rater_id == commit.c.rater_id) & (assigned.c.unit_id == commit.c.unit_id),
            )
            .where(
                mine,
                func.coalesce(assigned.c.purpose, "real") == "real",
                commit.c.at >= _days_before(at or now(), 7),
            )
            .group_by(commit.c.rater_id)
        ).all()
    )
    imported = imported_units(connection, study)
    saw = set(connection.execute(select(shown.c.rater_id).where(shown.c.kind == "page")).scalars())
    rows = []
    for rater in people:
        times = (
            connection.execute(
                select(commit.c.at)
                .where(commit.c.rater_id == rater.id)
                .order_by(commit.c.ordinal.desc())
                .limit(PACE_OF)
            )
            .scalars()
            .all()
        )
        counts = {
            purpose: purposes.get((rater.id, purpose), 0)
            for purpose in ("real", "gold", "calibration", "discussed", "repeat")
        }
        rows.append(
            RaterRow(
                rater.id,
                rater.name,
                codes[rater.id],
                counts["real"],
                counts["gold"] + counts["calibration"] + counts["discussed"],
                counts["repeat"],
                held.get(rater.id, 0),
                skipped.get(rater.id, 0),
                ran_out.get(rater.id, 0),
                times[0] if times else None,
                week.get(rater.id, 0),
                _pace(times),
                _certified(connection, study, rater.id) if plan is not None and plan.certify else "",
                plan is None or plan.admits(rater.id),
                rater.id in saw,
                imported.get(rater.id, 0),
            )
        )
    return sorted(rows, key=lambda row: row.code)


def _days_before(moment: str, days: int) -> str:
    """As the store writes moments, which sort as text."""
    return (datetime.fromisoformat(moment) - timedelta(days=days)).isoformat(timespec="milliseconds")


def _pace(times: Sequence[str]) -> float | None:
    found = [datetime.fromisoformat(at) for at in times]
    gaps = [
        gap
        for later, earlier in itertools.pairwise(found)
        if 0 <= (gap := (later - earlier).total_seconds() / 60) <= ONE_SITTING
    ]
    return median(gaps) if gaps else None


def _certified(connection: Connection, study: Study, rater_id: int) -> str:
    status = certification.certification_status(connection, study, rater_id)
    if status.certified:
        return "certified" if not status.let_in else "let in"
    return (
        f"failed: {status.same} of {status.labels}"
        if status.tried and status.next_unit is None
        else "not yet"
    )


def by_criterion(connection: Connection, study: Study) -> list[CriterionRow]:
    """Return labels given for real, and how often a criterion could not be rated, one row per criterion.

    Labels filled in by rule and changes after a commit are not counted; criteria without ratings are
    absent.
    """
    rating = schema.rating
    rows = connection.execute(
        select(
            rating.c.criterion,
            func.count(rating.c.label),
            func.sum(rating.c.cannot_rate.is_not(None).cast(Integer)),
        )
        .join(schema.unit, schema.unit.c.id == rating.c.unit_id)
        .join(schema.rater, schema.rater.c.id == rating.c.rater_id)
        .where(
            rating.c.study_id == study.id,
            rating.c.source == "given",
            rating.c.replaces.is_(None),
            schema.rater.c.kind == "person",
            *given_for_real(rating),
        )
        .group_by(rating.c.criterion)
    ).all()
    return [CriterionRow(row[0], row[1], int(row[2] or 0)) for row in rows]


def still_open(
    connection: Connection, study: Study, at_most: int | None, untouched: bool
) -> tuple[int, list[OpenUnit]]:
    """Return the number of units that want more raters, and the first `at_most` of them, or all if None.

    `untouched`: only units that nobody took.
    """
    table, unit = schema.slot, schema.unit
    which = [
        table.c.study_id == study.id,
        table.c.taken < table.c.wanted,
        *([table.c.taken == 0] if untouched else []),
    ]
    count = connection.execute(select(func.count()).where(*which)).scalar_one()
    rows = connection.execute(
        select(table.c.unit_id, unit.c.position, table.c.taken, table.c.wanted)
        .join(unit, unit.c.id == table.c.unit_id)
        .where(*which)
        .order_by(table.c.place)
        .limit(at_most)
    ).all()
    counts = _events_of(connection, [row.unit_id for row in rows])
    return count, [
        OpenUnit(
            row.position,
            row.taken,
            row.wanted,
            counts.get((row.unit_id, "skipped"), 0),
            counts.get((row.unit_id, "ran_out"), 0),
        )
        for row in rows
    ]


def _events_of(connection: Connection, unit_ids: Sequence[int]) -> dict[tuple[int, str], int]:
    """(unit, "skipped" or "ran_out") -> how often."""
    assigned, event = schema.assignment, schema.assignment_event
    counts: dict[tuple[int, str], int] = {}
    for first in range(0, len(unit_ids), MAX_IDS_PER_QUERY):
        rows = connection.execute(
            select(assigned.c.unit_id, event.c.kind, func.count())
            .join(event, event.c.assignment_id == assigned.c.id)
            .where(
                assigned.c.unit_id.in_(unit_ids[first : first + MAX_IDS_PER_QUERY]),
                event.c.kind.in_(("skipped", "ran_out")),
            )
            .group_by(assigned.c.unit_id, event.c.kind)
        )
        counts |= {(row[0], row[1]): row[2] for row in rows}
    return counts


def ran_out(connection: Connection, study: Study, at_most: int | None) -> list[tuple[str, int, int]]:
    """Return (when, rater, position of the unit) of reservations that expired, newest first.

    At most `at_most`, or all if None.
    """
    event, assigned, unit = schema.assignment_event, schema.assignment, schema.unit
    rows = connection.execute(
        select(event.c.at, assigned.c.rater_id, unit.c.position)
        .join(assigned, assigned.c.id == event.c.assignment_id)
        .join(unit, unit.c.id == assigned.c.unit_id)
        .where(unit.c.study_id == study.id, event.c.kind == "ran_out")
        .order_by(event.c.id.desc())
        .limit(at_most)
    )
    return [(row.at, row.rater_id, row.position) for row in rows]


def sitting_of(connection: Connection, study: Study, rater_id: int) -> next_unit.Sitting | None:
    """Return the rater's current sitting; None without a plan."""
    plan = plans.current(connection, study.id)
    return None if plan is None else next_unit.current_sitting(connection, plan, rater_id)


def label_shares(connection: Connection, study: Study, criterion: str) -> tuple[int, dict[str, int]]:
    """Return how many units somebody labelled blind on a criterion, and label -> how many of them have it.

    The label of a unit is that of the rater with the lowest number.
    """
    first: dict[int, str] = {}
    for label in sorted(
        agreement_labels.human_labels(connection, study.id, "blind", criterion=criterion),
        key=lambda label_row: (label_row.unit_id, label_row.who),
    ):
        if label.label is not None:
            first.setdefault(label.unit_id, label.label)
    return len(first), dict(Counter(first.values()))
