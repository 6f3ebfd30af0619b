"""One judge run: its progress, and what to do if it stopped."""

from __future__ import annotations

import streamlit as st

from data.record import judge_runs, ledger_reports, ledger_totals
from data.record.judge_runs import JudgeRun, JudgeRunProgress
from data.record.ledger_totals import AttemptTotals
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from reports.wording import describe_time_left
from runs.time_left import TimeLeft
from scoring.judges.statuses import FAILURES
from services.judge_requests import ask_again, cancel_run
from words.figures import decimal, money

LATELY = 30.0  # seconds over which the rate is measured
STATES = {
    "waiting": "is waiting for the worker, the background program that asks the judges",
    "running": "is running",
    "interrupted": "was interrupted; the worker (the background program that asks the judges) continues it "
    "when it starts",
}


def show_under_way(study: Study, run: JudgeRun) -> None:
    """Show how far a run is, with a button that cancels it."""
    with reader_session.store().reading() as connection:
        progress = judge_runs.progress(connection, run.id)
        totals = ledger_totals.totals(connection, run_id=run.id)
        rate = ledger_totals.rate(
            connection,
            run.id,
            min(LATELY, max(1.0, judge_runs.seconds_since(run.resumed_at)) if run.resumed_at else 1.0),
        )
        kinds = ledger_reports.tries_by_kind(connection, run.id)
    with st.container(border=True, key=f"run-{run.id}"):
        untrusted_text.heading(
            f"Run {run.id}: {run.judge_name} {'is being cancelled' if run.cancelled else STATES[run.state]}",
            3,
        )
        if progress is not None:
            st.progress(progress.done / progress.total if progress.total else 0.0)
            untrusted_text.paragraph(_pace(run, progress, totals, rate))
        if kinds:
            untrusted_text.paragraph(
                f"Attempts without a label so far: {_listed(kinds)}. Failed calls are retried; a "
                "withheld reply is final.",
                small=True,
            )
        if not run.cancelled and st.button(
            "Cancel",
            key=f"cancel-{run.id}",
            help="Calls that are under way finish and are kept; the rest stays pending.",
        ):
            cancel_run(reader_session.store(), reader_session.actor(study), study, run)
            st.rerun()


def _pace(run: JudgeRun, progress: JudgeRunProgress, totals: AttemptTotals, rate: float) -> str:
    left = progress.total - progress.done
    parts = [f"{progress.done:,} of {progress.total:,} calls"]
    if run.state == "running":
        parts += [f"{progress.in_flight} under way", f"{decimal(rate, 1)} a second"]
    if run.state == "running" and rate > 0 and left:
        parts.append(describe_time_left(_time_left(run, progress, left / rate)))
    if totals.costs:
        parts.append(f"{money(totals.costs)} spent")
    return ", ".join(parts) + "."


def _time_left(run: JudgeRun, progress: JudgeRunProgress, by_rate: float) -> float:
    """Estimate the time left from the steps that this tab saw, or from the rate before there are any."""
    looks: dict[int, TimeLeft] = st.session_state.setdefault("runs-time-left", {})
    seconds = looks.setdefault(run.id, TimeLeft()).seconds(progress.done, progress.total)
    return by_rate if seconds is None else seconds


def _listed(kinds: dict[tuple[str, str], int]) -> str:
    by_kind: dict[str, dict[str, int]] = {}
    for (status, criterion), count in sorted(kinds.items()):
        by_kind.setdefault(status, {})[criterion] = count
    return "; ".join(
        f"{FAILURES.get(status, status)}: {sum(found.values()):,} "
        f"({', '.join(f'{c} {n:,}' for c, n in list(found.items())[:6])})"
        for status, found in by_kind.items()
    )


def show_ended(study: Study, run: JudgeRun) -> None:
    """Show how the latest run ended, and a button to continue it if that is possible."""
    if run.outcome == "finished":
        return
    with st.container(border=True, key=f"ended-{run.id}"):
        untrusted_text.heading(f"Run {run.id}: {run.judge_name}", 3)
        untrusted_text.paragraph(run.said or "")
        if run.outcome == "unconfirmed" and run.served is not None and run.judge_id is not None:
            label = f"{run.served or 'A model without a name'} is the right model: continue"
            if st.button(untrusted_text.plain(label), key=f"confirm-{run.id}"):
                _again(study, run, served=run.served)
        elif run.outcome != "not_sent_policy" and st.button("Continue the run", key=f"again-{run.id}"):
            _again(study, run)


def _again(study: Study, run: JudgeRun, served: str | None = None) -> None:
    ask_again(reader_session.store(), reader_session.actor(study), study, run, served)
    st.rerun()
