"""Compute from the record what is kept of a study for speed: where its raters stand, what is held for them,
and how many raters each unit still wants. For a study that comes from another store.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import Connection, insert, text

from data import schema
from data.store.trail import now
from data.work import open_slots
from data.work import plan as plans

_PROGRESS = text("""
    WITH people AS (SELECT id FROM rater WHERE study_id = :study),
    known AS (
        SELECT rater_id, unit_id FROM unit_commit WHERE rater_id IN people
        UNION SELECT rater_id, unit_id FROM draft WHERE rater_id IN people
        UNION SELECT assignment.rater_id, assignment.unit_id FROM assignment
            JOIN assignment_event AS event ON event.assignment_id = assignment.id
            WHERE rater_id IN people AND event.kind IN ('skipped', 'ran_out', 'freed')
    )
    SELECT known.rater_id, known.unit_id, coalesce(mine.place, unit.position) AS position,
        EXISTS (SELECT 1 FROM unit_commit AS done
            WHERE done.rater_id = known.rater_id AND done.unit_id = known.unit_id) AS committed,
        EXISTS (SELECT 1 FROM exposure
            WHERE exposure.rater_id = known.rater_id AND exposure.unit_id = known.unit_id) AS shown,
        last_event.kind AS last_kind,
        EXISTS (SELECT 1 FROM assignment_event AS earlier
            WHERE earlier.assignment_id = mine.id AND earlier.kind = 'skipped') AS skipped,
        EXISTS (SELECT 1 FROM draft WHERE draft.rater_id = known.rater_id
            AND draft.unit_id = known.unit_id AND draft.trail >= last_event.trail) AS drafted_since
    FROM known JOIN unit ON unit.id = known.unit_id
    LEFT JOIN assignment AS mine ON mine.rater_id = known.rater_id AND mine.unit_id = known.unit_id
    LEFT JOIN assignment_event AS last_event ON last_event.id = (
        SELECT max(newest.id) FROM assignment_event AS newest WHERE newest.assignment_id = mine.id)
    ORDER BY known.rater_id, position
""")
_REVEALS = text("""
    SELECT rater_id, count(DISTINCT unit_id) FROM exposure
    WHERE rater_id IN (SELECT id FROM rater WHERE study_id = :study) AND unit_id IS NOT NULL
    GROUP BY rater_id
""")
_HELD = text("""
    SELECT assignment.id AS assignment_id, rater.study_id, assignment.rater_id, assignment.unit_id
    FROM assignment JOIN rater ON rater.id = assignment.rater_id
    WHERE rater.study_id = :study AND coalesce((
        SELECT event.kind FROM assignment_event AS event WHERE event.assignment_id = assignment.id
        ORDER BY event.id DESC LIMIT 1), 'taken_again') = 'taken_again'
""")


def rebuild_projections(connection: Connection, study_id: int) -> None:
    """Write the projections of a study that has none yet.

    What is held for a rater is held anew, for the hours of the plan: until when it was held is not recorded.
    """
    plan = plans.current(connection, study_id)
    reveals = {row[0]: row[1] for row in connection.execute(_REVEALS, {"study": study_id})}
    committed: dict[int, int] = {}
    frontiers: dict[int, int] = {}
    rows = connection.execute(_PROGRESS, {"study": study_id}).mappings().all()
    for rater_id, own in groupby(rows, key=lambda row: row["rater_id"]):
        frontier, some = 1, []
        for row in own:
            state = _state(
                row["committed"], row["shown"], row["last_kind"], row["skipped"], row["drafted_since"]
            )
            committed[rater_id] = committed.get(rater_id, 0) + row["committed"]
            frontier += state != "begun" and row["position"] == frontier
            some.append({**{name: row[name] for name in ("rater_id", "unit_id", "position")}, "state": state})
        frontiers[rater_id] = frontier
        connection.execute(insert(schema.progress), some)
    counters = [
        {
            "rater_id": rater_id,
            "frontier": frontiers.get(rater_id, 1),
            "committed": committed.get(rater_id, 0),
            "reveals": reveals.get(rater_id, 0),
        }
        for rater_id in sorted(frontiers.keys() | reveals.keys())
    ]
    hours = plan.hold_hours if plan is not None else 0
    until = (datetime.fromisoformat(now()) + timedelta(hours=hours)).isoformat(timespec="milliseconds")
    held = [{**row, "until": until} for row in connection.execute(_HELD, {"study": study_id}).mappings()]
    for table, values in ((schema.rater_progress, counters), (schema.reservation, held)):
        if values:
            connection.execute(insert(table), values)
    if plan is not None:
        open_slots.fill(connection, study_id, plan)


def _state(committed: bool, shown: bool, last_kind: str | None, skipped: bool, drafted_since: bool) -> str:
    if committed:
        return "compared" if shown else "committed"
    left = last_kind == "skipped" or (last_kind == "taken_again" and skipped and not drafted_since)
    return "skipped" if left else "begun"
