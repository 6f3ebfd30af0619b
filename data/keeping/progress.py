"""Check that `progress` agrees with the record: which units a rater began, left for later, committed and
compared, and their places in the list.

It decides what comes next and what is revealed. Without a plan a skip leaves no record, so only a plan's
assignments tell whether an uncommitted unit was begun or skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

# Rows without a reason, or different from the record. `given`: the entry since which the rater holds the
# unit.
_WRONG = text("""
    SELECT rater_id, unit_id, CASE
        WHEN rater_study IS NULL OR unit_study IS NULL OR rater_study <> unit_study
            THEN 'is not of the rater''s study'
        WHEN expected IS NULL THEN 'is not in the rater''s list'
        WHEN position <> expected THEN 'stands at another place than in the rater''s list'
        WHEN rated AND NOT committed THEN 'counts as rated and was not committed'
        WHEN committed AND NOT rated THEN 'was committed and does not count as rated'
        WHEN state = 'compared' AND NOT shown THEN 'counts as compared and no reveal is recorded'
        WHEN state = 'committed' AND shown THEN 'was revealed and does not count as compared'
        WHEN state = 'begun' AND NOT drafted AND NOT taken_back
            THEN 'counts as begun and nothing of it was saved'
        WHEN state = 'begun' AND last_kind = 'skipped' THEN 'was skipped and counts as begun'
        WHEN state = 'skipped' AND held AND drafted_since THEN 'was taken up again and counts as skipped'
        WHEN state NOT IN ('begun', 'skipped', 'committed', 'compared')
            THEN 'stands in no state that there is'
    END AS wrong
    FROM (
        SELECT joined.*, state IN ('committed', 'compared') AS rated,
            EXISTS (
                SELECT 1 FROM exposure
                WHERE exposure.rater_id = joined.rater_id AND exposure.unit_id = joined.unit_id
            ) AS shown,
            NOT committed AND EXISTS (
                SELECT 1 FROM draft
                WHERE draft.rater_id = joined.rater_id AND draft.unit_id = joined.unit_id
            ) AS drafted,
            held AND EXISTS (
                SELECT 1 FROM draft
                WHERE draft.rater_id = joined.rater_id AND draft.unit_id = joined.unit_id
                    AND draft.trail >= joined.given
            ) AS drafted_since,
            NOT committed AND EXISTS (
                SELECT 1 FROM assignment_event AS event
                WHERE event.assignment_id = joined.assignment_id AND event.kind IN ('ran_out', 'freed')
            ) AS taken_back
        FROM (
            SELECT progress.rater_id, progress.unit_id, progress.position, progress.state,
                rater.study_id AS rater_study, unit.study_id AS unit_study,
                CASE WHEN rater.study_id IN (SELECT study_id FROM work_plan)
                    THEN assignment.place ELSE unit.position END AS expected,
                assignment.id AS assignment_id, unit_commit.id IS NOT NULL AS committed,
                reservation.assignment_id IS NOT NULL AS held,
                last_event.kind AS last_kind, coalesce(last_event.trail, assignment.trail) AS given
            FROM progress
            LEFT JOIN rater ON rater.id = progress.rater_id
            LEFT JOIN unit ON unit.id = progress.unit_id
            LEFT JOIN unit_commit
                ON unit_commit.rater_id = progress.rater_id AND unit_commit.unit_id = progress.unit_id
            LEFT JOIN assignment
                ON assignment.rater_id = progress.rater_id AND assignment.unit_id = progress.unit_id
            LEFT JOIN reservation ON reservation.assignment_id = assignment.id
            LEFT JOIN assignment_event AS last_event ON last_event.id = (
                SELECT max(newest.id) FROM assignment_event AS newest
                WHERE newest.assignment_id = assignment.id)
        ) AS joined
    ) AS told
    WHERE wrong IS NOT NULL ORDER BY rater_id, unit_id
""")
# Recorded units without a row.
_LACKING = text("""
    SELECT rater_id, unit_id, 'was ' || what || ' and is not in the rater''s list' AS wrong
    FROM (
        SELECT rater_id, unit_id, 'committed' AS what FROM unit_commit
        UNION ALL SELECT DISTINCT rater_id, unit_id, 'begun' FROM draft
            WHERE NOT EXISTS (
                SELECT 1 FROM unit_commit
                WHERE unit_commit.rater_id = draft.rater_id AND unit_commit.unit_id = draft.unit_id
            )
        UNION ALL SELECT DISTINCT assignment.rater_id, assignment.unit_id, 'given'
            FROM assignment_event JOIN assignment ON assignment.id = assignment_event.assignment_id
            WHERE assignment_event.kind IN ('skipped', 'ran_out', 'freed')
    ) AS recorded
    WHERE NOT EXISTS (
        SELECT 1 FROM progress
        WHERE progress.rater_id = recorded.rater_id AND progress.unit_id = recorded.unit_id
    )
    ORDER BY rater_id, unit_id
""")


def progress_problems(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each unit whose state in a rater's list differs from the record."""
    for statement in (_WRONG, _LACKING):
        for rater_id, unit_id, wrong in connection.execution_options(yield_per=1000).execute(statement):
            yield f"rater {rater_id}, unit {unit_id}: {wrong}"
