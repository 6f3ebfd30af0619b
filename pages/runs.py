"""Judge runs: choose a judge, know what it will take, start, watch, and see what is left."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from configs.settings import Settings
from data import anchors, judge_runs, judgements, ledger_reports, ledger_totals
from data.judge_runs import JudgeRunOptions
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.guard import judges_permitted
from pages.widgets.page_context import page_context
from pages.widgets.run_status import show_ended, show_under_way
from pages.widgets.which_asking import which_asking
from runs.judging import RunConfiguration, configure_run, dry_run
from runs.judging.families import same_family
from scoring.figures import moment, money
from scoring.judges.catalogue import Catalogue, JudgeUnusable, load_catalogue
from scoring.judges.statuses import FAILURES
from scoring.yaml_files import ConfigFileError
from services.judge_requests import ask_for_run

LISTED = 200
WORKER_LOST = 30.0  # seconds without a sign of the worker


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading("Runs", 1)
    if not judges_permitted(study, reader):
        return
    try:
        catalogue = load_catalogue(Settings.read().models)
    except ConfigFileError as error:
        st.error(untrusted_text.plain(f"{error} No judge can be asked before this is corrected."))
    else:
        _start(study, catalogue)
    _under_way(study.key)
    _ended(study)
    _failures(study)


def _start(study: Study, catalogue: Catalogue) -> None:
    untrusted_text.heading("Start a run", 2)
    names = list(catalogue.judges)
    name = st.selectbox("Judge", names, key="runs-judge", help="The judges of models.yaml.")
    entry, asked_as = catalogue.entry(name), catalogue.asked_as(name)
    untrusted_text.paragraph(
        f"{asked_as.model}, through {entry.address}; "
        f"one call for each {'question' if asked_as.batching == 'criterion' else 'unit'}.",
        small=True,
    )
    if entry.is_replay:
        untrusted_text.paragraph(
            "Recorded: this judge repeats answers that were recorded earlier and asks no model. What was "
            "not recorded is a failure.",
            small=True,
        )
    if study.data_class not in entry.data_classes:
        st.warning(
            untrusted_text.plain(
                f"This study holds {study.data_class} data, and {name} is not marked for it in models.yaml. "
                "Nothing will be sent there."
            )
        )
        return
    missing = catalogue.missing(name)
    if missing:
        st.warning(untrusted_text.plain(missing))
        return
    try:
        setting = configure_run(reader_session.store(), Settings.read(), study.key, name)
    except (ConfigFileError, JudgeUnusable) as error:
        st.error(untrusted_text.plain(str(error)))
        return
    warning = same_family(setting)
    if warning:
        st.warning(untrusted_text.plain(warning))
    options = _options(study, entry.takes_batches, entry.price.currency if entry.price else None)
    if options is not None:
        _say_or_start(setting, options)


def _options(study: Study, may_batch: bool, currency: str | None) -> JudgeRunOptions | None:
    """None where a number is out of its range: what is wrong is said, and nothing can be started.

    The fields have no limits of their own: a browser would keep the last good value of such a field and tell
    only the person.
    """
    with reader_session.store().reading() as connection:
        frozen = anchors.newest(connection, study.id)
    if frozen and st.checkbox(
        f"Only the anchors, three times each ({len(frozen.labels):,} settled labels)",
        key="runs-anchors",
        help="A round that was begun is gone on with; after it, a new one is asked, which shows whether the "
        "judge has changed since.",
    ):
        with st.expander("Limits"):
            budget = _budget(st.container(), currency)
            retry = st.checkbox("Ask again where a call failed before", key="runs-anchors-retry")
        return (
            None
            if _wrong(None, budget, 1)
            else JudgeRunOptions(budget_nano=_nano(budget, currency), retry_failures=retry, anchor_round=1)
        )
    with st.expander("Limits and repeats"):
        left, middle, right = st.columns(3)
        limit = left.number_input(
            "Only the first units", value=None, step=1, key="runs-limit", placeholder="all of them"
        )
        budget = _budget(middle, currency)
        times = right.number_input(
            "Ask each drawn label so many times",
            value=1,
            step=1,
            key="runs-replicates",
            help="Of a random share of the units, of every safety NO and of as many YES. It shows how often "
            "the judge changes its mind.",
        )
        share = st.slider(
            "Random share of the units that is asked again",
            1,
            100,
            5,
            format="%d%%",
            key="runs-share",
            disabled=times == 1,
        )
        retry = st.checkbox("Ask again where a call failed before", key="runs-retry")
        batch = (
            st.checkbox("As one batch at the lower price; the answers come within a day", key="runs-batch")
            if may_batch
            else False
        )
    if _wrong(limit, budget, times):
        return None
    return JudgeRunOptions(
        int(times), share / 100, int(limit) if limit else None, _nano(budget, currency), retry, batch
    )


def _budget(where: DeltaGenerator, currency: str | None) -> float | None:
    found: float | None = where.number_input(
        f"Budget in {currency}" if currency else "Budget: no price is known",
        value=None,
        step=1.0,
        key="runs-budget",
        placeholder="none",
        disabled=currency is None,
    )
    return found


def _nano(budget: float | None, currency: str | None) -> int | None:
    return round(budget * 10**9) if budget and currency else None


def _wrong(limit: int | None, budget: float | None, times: int | None) -> bool:
    """Whether a number is out of its range, which is said."""
    wrong = [
        problem
        for bad, problem in (
            (limit is not None and limit < 1, "Only the first units: at least 1, or empty for all of them."),
            (budget is not None and budget < 0.01, "Budget: at least 0.01, or empty for none."),
            (times is None or not 1 <= times <= 20, "Ask each drawn label so many times: from 1 to 20."),
        )
        if bad
    ]
    for problem in wrong:
        st.error(problem)
    return bool(wrong)


def _say_or_start(setting: RunConfiguration, options: JudgeRunOptions) -> None:
    with st.container(horizontal=True):
        say = st.button("What will it take?", key="runs-expect")
        start = st.button("Start", key="runs-start", type="primary")
    try:
        options = setting.on_the_anchors(options) if options.anchor_round is not None else options
        setting.check(options)
    except JudgeUnusable as error:
        st.error(untrusted_text.plain(str(error)))
        return
    if say:
        with st.spinner("Counting ..."):
            untrusted_text.paragraph(dry_run(setting, options).sentence())
    if start:
        with reader_session.store().reading() as connection:
            same = [
                run
                for run in judge_runs.listing(connection, setting.study.id)
                if run.state in ("waiting", "running") and run.judge_name == setting.name
            ]
        if same:
            st.info("A run of this judge is under way already.")
            return
        ask_for_run(
            reader_session.store(),
            reader_session.actor(setting.study),
            setting.study,
            setting.name,
            options,
        )
        st.rerun()


@st.fragment(run_every=1.0)
def _under_way(study_key: str) -> None:
    """What is waiting or running, anew every second, without the rest of the page."""
    study = reader_session.study()
    if study is None or study.key != study_key:
        return
    with reader_session.store().reading() as connection:
        runs = [run for run in judge_runs.listing(connection, study.id) if run.state != "ended"]
        seen = judge_runs.worker_seen(connection)
    before = st.session_state.get("runs-shown", [])
    st.session_state["runs-shown"] = [run.id for run in runs]
    if set(before) - {run.id for run in runs}:  # one has ended: the tables below must know
        st.rerun()
    if not runs:
        return
    untrusted_text.heading("Under way", 2)
    working = any(run.state == "running" for run in runs)
    if not working and (seen is None or seen > WORKER_LOST) and any(run.asked_from == "page" for run in runs):
        st.warning(
            "No worker is at work, so nothing happens yet. It comes with make run; by hand, start: "
            "second-reader worker"
        )
    for run in runs:
        show_under_way(study, run)


def _ended(study: Study) -> None:
    with reader_session.store().reading() as connection:
        runs = judge_runs.listing(connection, study.id)
    ended_runs, under_way = (
        [run for run in runs if run.state == "ended"],
        any(run.state != "ended" for run in runs),
    )
    if not ended_runs:
        return
    untrusted_text.heading("Earlier runs", 2)
    if not under_way:  # what an earlier run says may be over by now
        show_ended(study, ended_runs[0])
    with reader_session.store().reading() as connection:
        costs = {run.id: ledger_totals.totals(connection, run_id=run.id) for run in ended_runs}
    untrusted_text.table(
        "Runs, the newest first",
        ["Run", "Judge", "Begun (UTC)", "Calls", "Cost", "How it ended"],
        [
            [
                f"{run.id}",
                run.judge_name,
                moment(run.started_at or run.at),
                f"{run.done or 0:,} of {run.total:,}" if run.total else "",
                money(costs[run.id].costs) or ("not known" if costs[run.id].unpriced else ""),
                run.said or "",
            ]
            for run in ended_runs
        ],
        numeric=(3, 4),
    )


def _failures(study: Study) -> None:
    """What has no label, judge by judge, each a way to its calls."""
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        failures = {
            judge.id: ledger_reports.standing_failures(connection, judge.id, LISTED + 1) for judge in judges
        }
    if not any(failures.values()):
        return
    untrusted_text.heading("Without a label", 2)
    untrusted_text.paragraph(
        "These are failures, not labels: they count in no number, and a person should look at them. "
        '"Ask again where a call failed before" asks them anew.',
        small=True,
    )
    reader = st.query_params.get("reader", "")
    for judge in judges:
        if not failures[judge.id]:
            continue
        listed = failures[judge.id][:LISTED]
        untrusted_text.table(
            f"{judge.name}{f', the first {LISTED}' if len(failures[judge.id]) > LISTED else ''}",
            ["Unit", "Criterion", "What happened", "In short"],
            [
                [
                    untrusted_text.Link(
                        f"Unit {failure.position}",
                        f"calls?study={study.key}&reader={reader}&unit={failure.position}&judge={judge.id}&criterion={failure.criterion}",
                    ),
                    failure.criterion + which_asking(failure.anchor_round, failure.replicate),
                    FAILURES.get(failure.status, failure.status),
                    failure.detail or "",
                ]
                for failure in listed
            ],
        )
