"""Check that `rater_progress` agrees with the record: how many units a rater committed, for how many they saw
the judge, and where they continue.

The counts decide what is revealed and whether a rating is practice. The place itself is not recorded: no unit
still to rate lies before it, and without a plan the unit there is not committed. It may be a unit that was
skipped since.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

# IS NOT also compares types: a value that is not a number equals nothing recorded.
_COUNTS = text("""
    SELECT counter.rater_id FROM rater_progress AS counter
    WHERE counter.committed IS NOT (
            SELECT count(*) FROM unit_commit WHERE unit_commit.rater_id = counter.rater_id
        )
        OR counter.reveals IS NOT (
            SELECT count(DISTINCT exposure.unit_id) FROM exposure WHERE exposure.rater_id = counter.rater_id
        )
        OR counter.rater_id NOT IN (SELECT id FROM rater)
    UNION SELECT rater_id FROM unit_commit WHERE rater_id NOT IN (SELECT rater_id FROM rater_progress)
    UNION SELECT rater_id FROM exposure
        WHERE unit_id IS NOT NULL AND rater_id NOT IN (SELECT rater_id FROM rater_progress)
    ORDER BY 1
""")
_PLACES = text("""
    SELECT counter.rater_id FROM rater_progress AS counter JOIN rater ON rater.id = counter.rater_id
    WHERE counter.frontier < 1
        OR counter.frontier - 1 <> (
            SELECT count(*) FROM progress
            WHERE progress.rater_id = counter.rater_id
                AND progress.position BETWEEN 1 AND counter.frontier - 1
                AND progress.state IN ('committed', 'compared', 'skipped'))
        OR (NOT EXISTS (SELECT 1 FROM work_plan WHERE work_plan.study_id = rater.study_id)
            AND EXISTS (
                SELECT 1 FROM progress
                WHERE progress.rater_id = counter.rater_id AND progress.position = counter.frontier
                    AND progress.state IN ('committed', 'compared')))
    ORDER BY counter.rater_id
""")


def rater_progress_problems(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each rater whose counters or next place differ from the record."""
    for rater_id in connection.execute(_COUNTS).scalars():
        yield f"the counters of rater {rater_id} differ from the record"
    for rater_id in connection.execute(_PLACES).scalars():
        yield f"the place where rater {rater_id} continues is not where their rated units end"
