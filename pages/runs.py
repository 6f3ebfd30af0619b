"""Judge runs: their state in one sentence, the form that starts one, missing labels, and earlier runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from configs.files.yaml_files import ConfigFileError
from configs.settings import Settings
from data.record import judge_runs, judgements, ledger_reports, ledger_totals
from data.record.judge_runs import JudgeRun
from data.record.judgements import Judge
from data.record.ledger_reports import UnresolvedFailure
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.guard import JUDGES_SHOWN_LATER, labels_permitted
from pages.widgets.judge_runs.failures import MAX_FAILURES_LISTED, show_failures
from pages.widgets.judge_runs.start import start_run
from pages.widgets.opening_line import opening_line
from pages.widgets.page_context import page_context
from pages.widgets.run_status import show_ended, show_under_way
from reports.judges.run_words import headline
from reports.refusals import word_error
from scoring.judges.catalogue import load_catalogue
from words.figures import moment, money
from words.plurals import count

WORKER_LOST = 30.0  # seconds without a heartbeat of the worker


def render() -> None:
    """Draw the Runs page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    with st.container(key="answer-page", gap="small"):
        if not labels_permitted(study, reader, JUDGES_SHOWN_LATER):
            untrusted_text.heading("Runs", 1)
            return
        with reader_session.store().reading() as connection:
            judges = judgements.judges(connection, study.id)
            runs = judge_runs.listing(connection, study.id)
            failures = {
                judge.id: ledger_reports.standing_failures(connection, judge.id, MAX_FAILURES_LISTED + 1)
                for judge in judges
            }
        _title(study.key, _by_name(judges, failures))
        _under_way(study.key)
        _last(study, runs)
        left, right = st.columns([2, 3], gap="large")
        with left:
            _start(study)
        with right:
            show_failures(study, judges, failures)
        _earlier([run for run in runs if run.state == "ended"])


def _by_name(judges: Sequence[Judge], failures: Mapping[int, Sequence[UnresolvedFailure]]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for judge in judges:
        numbers[judge.name] = numbers.get(judge.name, 0) + len(failures[judge.id])
    return numbers


@st.fragment(run_every=2.0)
def _title(study_key: str, failures: Mapping[str, int]) -> None:
    """Show the headline, and refresh it while runs are under way."""
    study = reader_session.study()
    if study is None or study.key != study_key:
        return
    with reader_session.store().reading() as connection:
        runs = judge_runs.listing(connection, study.id)
        open_run = next((run for run in reversed(runs) if run.state != "ended"), None)
        progress = judge_runs.progress(connection, open_run.id) if open_run else None
    untrusted_text.heading(headline(runs, progress, failures), 1)


def _start(study: Study) -> None:
    try:
        catalogue = load_catalogue(Settings.read().models)
    except ConfigFileError as error:
        st.error(untrusted_text.plain(f"{word_error(error)} You can't ask a judge until this is fixed."))
    else:
        start_run(study, catalogue)


@st.fragment(run_every=1.0)
def _under_way(study_key: str) -> None:
    """Show runs that wait or run. Refreshes every second without the rest of the page."""
    study = reader_session.study()
    if study is None or study.key != study_key:
        return
    with reader_session.store().reading() as connection:
        runs = [run for run in judge_runs.listing(connection, study.id) if run.state != "ended"]
        seen = judge_runs.worker_seen(connection)
    before = st.session_state.get("runs-shown", [])
    st.session_state["runs-shown"] = [run.id for run in runs]
    if set(before) - {run.id for run in runs}:  # one has ended, so the rest of the page has to refresh
        st.rerun()
    if not runs:
        return
    working = any(run.state == "running" for run in runs)
    if not working and (seen is None or seen > WORKER_LOST) and any(run.asked_from == "page" for run in runs):
        st.warning(
            "The worker, the background program that asks the judges, is not running, so nothing happens "
            "yet. The command \u201cmake run\u201d starts it together with the app; \u201csecond-reader "
            "worker\u201d starts it alone."
        )
    for run in runs:
        show_under_way(study, run)


def _last(study: Study, runs: Sequence[JudgeRun]) -> None:
    """Show how the last run ended, unless another one is under way."""
    if runs and all(run.state == "ended" for run in runs):
        show_ended(study, runs[0])


def _earlier(runs: Sequence[JudgeRun]) -> None:
    if not runs:
        return
    line = opening_line(count(len(runs), "earlier run", "earlier runs"), "runs-earlier")
    if not line.open:
        return
    with reader_session.store().reading() as connection:
        costs = {run.id: ledger_totals.totals(connection, run_id=run.id) for run in runs}
    with line:
        untrusted_text.window(
            "Runs, the newest first",
            ["Run", "Judge", "Started (UTC)", "Calls", "Cost", "How it ended"],
            [
                [
                    f"{run.id}",
                    run.judge_name,
                    moment(run.started_at or run.at),
                    f"{run.done or 0:,} of {run.total:,}" if run.total else "",
                    money(costs[run.id].costs) or ("unknown" if costs[run.id].unpriced else ""),
                    run.said or "",
                ]
                for run in runs
            ],
            numeric=(3, 4),
        )
