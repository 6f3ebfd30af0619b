"""How long a unit takes a rater, from their own commits."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from statistics import median

from sqlalchemy import Connection, select

from data import schema
from data.labels.rating_durations import BREAK

LAST_COMMITS = 31  # only recent ones, because raters get faster
NEEDED = 5  # intervals, below which there is no pace


def own_minutes(connection: Connection, rater_id: int) -> float | None:
    """Return the median minutes between this rater's last commits, without breaks of more than an hour.

    None with fewer than five such times.
    """
    table = schema.commit
    moments = [
        datetime.fromisoformat(at)
        for at in connection.execute(
            select(table.c.at)
            .where(table.c.rater_id == rater_id)
            .order_by(table.c.ordinal.desc())
            .limit(LAST_COMMITS)
        ).scalars()
    ]
    minutes = [(later - earlier).total_seconds() / 60 for later, earlier in pairwise(moments)]
    counted = [minute for minute in minutes if 0 <= minute <= BREAK]
    return median(counted) if len(counted) >= NEEDED else None
