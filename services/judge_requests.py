"""Requests to start, cancel and continue runs of a judge."""

from __future__ import annotations

from data.record import judge_runs
from data.record.judge_runs import JudgeRun, JudgeRunOptions
from data.record.studies import Study
from data.store.store import Store


def ask_for_run(store: Store, actor: str, study: Study, judge_name: str, options: JudgeRunOptions) -> None:
    """Record that a run is asked for; a worker starts it."""
    with store.writing(actor, "ask for a judge run", study.id) as (connection, entry):
        judge_runs.ask(connection, entry, study.id, judge_name, "page", options)


def ask_again(store: Store, actor: str, study: Study, run: JudgeRun, served: str | None = None) -> None:
    """Record a new run with the same options, which continues what `run` left pending.

    `served`: the model name that a person confirms, None for none.
    """
    with store.writing(actor, "ask for a judge run", study.id) as (connection, entry):
        if served is not None:
            judge_runs.note(connection, entry, run.id, "served", run.judge_id, name=served)
        judge_runs.ask(connection, entry, study.id, run.judge_name, "page", run.options)


def cancel_run(store: Store, actor: str, study: Study, run: JudgeRun) -> None:
    """Record that a run is cancelled.

    Calls in flight finish and are kept; a run without a worker ends at once.
    """
    with store.writing(actor, "cancel judge run", study.id) as (connection, entry):
        judge_runs.note(connection, entry, run.id, "cancel", run.judge_id)
        if run.state in ("waiting", "interrupted"):
            judge_runs.note(
                connection,
                entry,
                run.id,
                "ended",
                run.judge_id,
                outcome="cancelled",
                said="Cancelled.",
                done=0,
                failed=0,
            )
