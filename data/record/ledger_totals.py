"""What the tries of a judge took and cost, counted in the ledger (data/record/ledger.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, func, select

from data import schema


@dataclass(frozen=True)
class AttemptTotals:
    """Of the tries of a judge, or of one run. `unpriced`: tries that may have cost an unknown amount.

    `costs`: billionths, currency by currency: no sum is made of two.
    """

    attempts: int
    tokens_in: int
    tokens_out: int
    thought: int
    cached: int
    costs: Mapping[str, int]
    unpriced: int

    @property
    def cost_nano(self) -> int:
        """Return the sum of costs over all currencies, only to compare it with a budget in the currency of
        the day.
        """
        return sum(self.costs.values())


MIN_CALLS_FOR_PACE = 10  # calls of a run that tell its pace
_FREE = ("quota", "not_sent_policy", "not_recorded")  # statuses of tries that certainly cost nothing


def totals(connection: Connection, judge_id: int | None = None, run_id: int | None = None) -> AttemptTotals:
    """Return the totals of the tries of a run if `run_id` is given, else of a judge; all 0 without tries."""
    table = schema.attempt
    condition = table.c.run_id == run_id if run_id is not None else table.c.judge_id == judge_id
    may_have_cost = table.c.cost_nano.is_(None) & table.c.status.not_in(_FREE) & (table.c.replayed == 0)
    rows = connection.execute(
        select(
            table.c.currency,
            func.count(),
            *[
                func.coalesce(func.sum(column), 0)
                for column in (
                    table.c.tokens_in,
                    table.c.tokens_out,
                    table.c.tokens_thought,
                    table.c.tokens_cached,
                )
            ],
            func.count().filter(may_have_cost),
            func.sum(table.c.cost_nano),
        )
        .where(condition)
        .group_by(table.c.currency)
        .order_by(table.c.currency)
    ).all()
    costs: dict[str, int] = {}
    for row in rows:
        if row[-1] is not None:
            costs[row.currency or ""] = int(row[-1])
    counts = [sum(int(row[place]) for row in rows) for place in range(1, 7)]
    return AttemptTotals(counts[0], counts[1], counts[2], counts[3], counts[4], costs, counts[5])


def rate(connection: Connection, run_id: int, seconds: float) -> float:
    """Return the readable answers per second of a run during the last `seconds`."""
    table, since = (
        schema.attempt,
        (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds"),
    )
    return (
        int(
            connection.execute(
                select(func.count()).where(
                    table.c.run_id == run_id, table.c.status == "ok", table.c.at >= since
                )
            ).scalar_one()
        )
        / seconds
    )


def mean_usage(connection: Connection, judge_id: int) -> tuple[float, float] | None:
    """Return the mean tokens (in, out) of the judge's answered calls; None without any."""
    table = schema.attempt
    row = connection.execute(
        select(func.avg(table.c.tokens_in), func.avg(table.c.tokens_out)).where(
            table.c.judge_id == judge_id, table.c.status == "ok", table.c.tokens_in.is_not(None)
        )
    ).one()
    return None if row[0] is None else (float(row[0]), float(row[1]))


def pace(connection: Connection, judge_id: int) -> float | None:
    """Return the seconds per call in the judge's last run with more than MIN_CALLS_FOR_PACE (10) calls;
    None without one.

    That is the run's duration divided by its calls, however many were made at once.
    """
    table = schema.attempt
    run = connection.execute(
        select(func.min(table.c.at), func.max(table.c.at), func.count())
        .where(table.c.judge_id == judge_id)
        .group_by(table.c.run_id)
        .having(func.count() > MIN_CALLS_FOR_PACE)
        .order_by(table.c.run_id.desc())
        .limit(1)
    ).first()
    if run is None:
        return None
    first, last = datetime.fromisoformat(run[0]), datetime.fromisoformat(run[1])
    return (last - first).total_seconds() / (int(run[2]) - 1)
