"""Runs of judges: asked for by somebody, started, perhaps cancelled, ended. A run that began and did not end
was interrupted.

The worker goes on with one that was asked for on a page; one of the command line counts as ended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert as upsert

from data import schema
from data.store.errors import NotFound
from data.store.trail import TrailEntry, now

State = Literal["waiting", "running", "interrupted", "ended"]
From = Literal["page", "command line"]


@dataclass(frozen=True)
class JudgeRunOptions:
    """What was asked for. `replicates`: how often in all a drawn label is asked; 1 is once. `budget_nano`:
    billionths of the currency.

    `anchor_round`: only the study's newest anchors, in this round, from 1 (data/record/anchors.py); None: the
    units of the study.
    """

    replicates: int = 1
    share: float = 0.05
    limit: int | None = None
    budget_nano: int | None = None
    retry_failures: bool = False
    batch: bool = False
    anchor_round: int | None = None


@dataclass(frozen=True)
class JudgeRun:
    """`judge_id` is None before the run started. `resumed_at`: when it was last begun or gone on with.
    `outcome` and `said` tell how it ended.
    """

    id: int
    study_id: int
    judge_name: str
    asked_from: str
    options: JudgeRunOptions
    at: str
    judge_id: int | None
    state: State
    cancelled: bool
    started_at: str | None
    outcome: str | None
    said: str | None
    served: str | None
    resumed_at: str | None
    done: int | None
    total: int | None


@dataclass(frozen=True)
class JudgeRunProgress:
    pid: int
    beat: str
    done: int
    total: int
    in_flight: int
    at_once: int
    note: str


def ask(
    connection: Connection,
    entry: TrailEntry,
    study_id: int,
    judge_name: str,
    asked_from: From,
    options: JudgeRunOptions,
) -> int:
    """Record that a run is asked for; return its id."""
    return entry.write(
        schema.judge_run,
        {
            "study_id": study_id,
            "judge_name": judge_name,
            "asked_from": asked_from,
            "options": json.dumps(asdict(options), sort_keys=True),
        },
    )


def note(
    connection: Connection,
    entry: TrailEntry,
    run_id: int,
    kind: str,
    judge_id: int | None = None,
    **detail: Any,
) -> None:
    """Record an event of a run; `detail` has to be writable as JSON."""
    entry.write(
        schema.run_event,
        {"run_id": run_id, "judge_id": judge_id, "kind": kind, "detail": json.dumps(detail, sort_keys=True)},
    )


def get(connection: Connection, run_id: int) -> JudgeRun:
    """Return a run. Raise NotFound ("no_run") if there is none with this id."""
    row = connection.execute(select(schema.judge_run).where(schema.judge_run.c.id == run_id)).first()
    if row is None:
        raise NotFound("no_run", run_id=run_id)
    return _run(connection, row)


def listing(connection: Connection, study_id: int, at_most: int = 50) -> list[JudgeRun]:
    """Return the study's runs, newest first, at most `at_most`."""
    table = schema.judge_run
    rows = connection.execute(
        select(table).where(table.c.study_id == study_id).order_by(table.c.id.desc()).limit(at_most)
    ).all()
    return [_run(connection, row) for row in rows]


def find_waiting(connection: Connection) -> JudgeRun | None:
    """Return the next run that a worker has to do, or None: the oldest asked for on a page that has not
    ended.
    """
    table, event = schema.judge_run, schema.run_event
    ended = select(event.c.run_id).where(event.c.kind == "ended")
    row = connection.execute(
        select(table)
        .where(table.c.asked_from == "page", table.c.id.not_in(ended))
        .order_by(table.c.id)
        .limit(1)
    ).first()
    return _run(connection, row) if row else None


def cancelled(connection: Connection, run_id: int) -> bool:
    """Tell whether somebody asked to stop the run."""
    table = schema.run_event
    return (
        connection.execute(
            select(table.c.id).where(table.c.run_id == run_id, table.c.kind == "cancel")
        ).first()
        is not None
    )


def served_names(connection: Connection, judge_id: int) -> set[str]:
    """Return the names under which this judge may answer because a person confirmed them."""
    table = schema.run_event
    rows = connection.execute(
        select(table.c.detail).where(table.c.judge_id == judge_id, table.c.kind == "served")
    )
    return {str(json.loads(row.detail)["name"]) for row in rows}


def open_batches(connection: Connection, judge_id: int) -> list[Mapping[str, Any]]:
    """Return the judge's batch jobs that were handed over and not yet taken back, oldest first.

    Each has label, calls, at and name; the name is None if the program ended before the service told it.
    """
    table = schema.run_event
    kinds = ("batch", "batch_name", "batch_ended")
    rows = connection.execute(
        select(table.c.kind, table.c.detail)
        .where(table.c.judge_id == judge_id, table.c.kind.in_(kinds))
        .order_by(table.c.id)
    ).all()
    jobs: dict[str, dict[str, Any]] = {}
    for row in rows:
        detail = json.loads(row.detail)
        if row.kind == "batch":
            jobs[detail["label"]] = {**detail, "name": None}
        elif row.kind == "batch_name":
            jobs[detail["label"]]["name"] = detail["name"]
        else:
            del jobs[detail["label"]]
    return list(jobs.values())


def put_progress(connection: Connection, run_id: int, progress: JudgeRunProgress) -> None:
    """Write how far a run is, in place of what was there; not part of the record."""
    values = {**asdict(progress), "run_id": run_id}
    statement = upsert(schema.run_progress).values(**values)
    connection.execute(statement.on_conflict_do_update(index_elements=["run_id"], set_=values))


def progress(connection: Connection, run_id: int) -> JudgeRunProgress | None:
    """Return how far a run is; None if it never wrote that."""
    row = connection.execute(
        select(schema.run_progress).where(schema.run_progress.c.run_id == run_id)
    ).first()
    return (
        JudgeRunProgress(row.pid, row.beat, row.done, row.total, row.in_flight, row.at_once, row.note)
        if row
        else None
    )


def latest_progress(connection: Connection) -> JudgeRunProgress | None:
    """Return how far the run is that wrote its progress last; None without any."""
    run_id = connection.execute(
        select(schema.run_progress.c.run_id).order_by(schema.run_progress.c.beat.desc()).limit(1)
    ).scalar()
    return None if run_id is None else progress(connection, run_id)


def put_worker_beat(connection: Connection) -> None:
    """Record that this process is a worker and alive now; not part of the record."""
    values = {"id": 1, "pid": os.getpid(), "beat": now()}
    connection.execute(
        upsert(schema.worker_beat).values(**values).on_conflict_do_update(index_elements=["id"], set_=values)
    )


def worker_seen(connection: Connection) -> float | None:
    """Return the seconds since a worker last showed that it is alive; None if none ever did."""
    beat = connection.execute(select(schema.worker_beat.c.beat)).scalar()
    return None if beat is None else seconds_since(beat)


def seconds_since(at: str) -> float:
    """Return the seconds since an ISO moment with a time zone; below 0 if it is in the future."""
    return (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds()


def _run(connection: Connection, row: Any) -> JudgeRun:
    table = schema.run_event
    events = connection.execute(select(table).where(table.c.run_id == row.id).order_by(table.c.id)).all()
    last = {event.kind: event for event in events}
    first = next((event for event in events if event.kind == "started"), None)
    started, ended = last.get("started"), last.get("ended")
    end_detail = json.loads(ended.detail) if ended else {}
    sign = connection.execute(
        select(schema.run_progress.c.beat, schema.run_progress.c.done, schema.run_progress.c.total).where(
            schema.run_progress.c.run_id == row.id
        )
    ).first()
    state: State = "ended" if ended else "waiting"
    if started and not ended:  # one that has just started shows its first sign of life in a moment
        alive = seconds_since(max(started.at, sign.beat if sign else started.at)) < STALE
        state = "running" if alive else "interrupted"
    if state == "interrupted" and row.asked_from == "command line":  # nobody takes it up again, so it is over
        state, end_detail = (
            "ended",
            {
                "outcome": "interrupted",
                "said": BROKEN_OFF,
                "done": sign.done if sign else 0,
                "total": sign.total if sign else 0,
            },
        )
    return JudgeRun(
        row.id,
        row.study_id,
        row.judge_name,
        row.asked_from,
        JudgeRunOptions(**json.loads(row.options)),
        row.at,
        started.judge_id if started else None,
        state,
        "cancel" in last,
        first.at if first else None,
        end_detail.get("outcome"),
        end_detail.get("said"),
        end_detail.get("served"),
        started.at if started else None,
        end_detail.get("done"),
        end_detail.get("total"),
    )


BROKEN_OFF = "Broken off. The same command goes on with what is pending."
STALE = 15.0  # seconds without a sign of life after which a run counts as interrupted
