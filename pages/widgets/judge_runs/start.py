"""The start of a run, with an estimate of calls and cost if that is quickly counted."""

from __future__ import annotations

import streamlit as st

from configs.files.yaml_files import ConfigFileError
from configs.settings import Settings
from data.record import judge_runs, studies
from data.record.judge_runs import JudgeRunOptions
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.judge_runs.choice import choose_judge, may_be_asked
from pages.widgets.judge_runs.limits import ask_limits
from pages.widgets.memo import memoize, study_head
from reports.judges.run_words import describe_estimate
from runs.judging import RunConfiguration, configure_run, dry_run
from runs.judging.families import same_family
from scoring.judges.catalogue import Catalogue, JudgeUnusable
from services.judge_requests import ask_for_run

MAX_QUESTIONS_COUNTED = 2_000  # questions up to which a run is estimated unasked


def start_run(study: Study, catalogue: Catalogue) -> None:
    """Show the form that starts a run."""
    untrusted_text.heading("Start a run", 2)
    name = choose_judge(study, catalogue)
    if not may_be_asked(study, catalogue, name):
        return
    try:
        setting = configure_run(reader_session.store(), Settings.read(), study.key, name)
    except (ConfigFileError, JudgeUnusable) as error:
        untrusted_text.show_error(error)
        return
    warning = same_family(setting)
    if warning:
        st.warning(untrusted_text.plain(warning))
    entry = catalogue.entry(name)
    place = st.container()
    options = ask_limits(study, entry.takes_batches, entry.price.currency if entry.price else None)
    if options is not None:
        with place:
            _say_and_start(setting, options)


def _say_and_start(setting: RunConfiguration, options: JudgeRunOptions) -> None:
    try:
        options = setting.on_the_anchors(options) if options.anchor_round is not None else options
        setting.check(options)
    except JudgeUnusable as error:
        untrusted_text.show_error(error)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        start = st.button("Start", key="runs-start", type="primary")
        if _is_quick(setting, options) or st.button("Estimate calls and cost", key="runs-expect"):
            untrusted_text.paragraph(_estimate(setting, options))
    if start:
        _start(setting, options)


def _is_quick(setting: RunConfiguration, options: JudgeRunOptions) -> bool:
    with reader_session.store().reading() as connection:
        questions = studies.unit_count(connection, setting.study.id) * len(setting.study.instrument.criteria)
    return questions * options.replicates <= MAX_QUESTIONS_COUNTED


def _estimate(setting: RunConfiguration, options: JudgeRunOptions) -> str:
    with reader_session.store().reading() as connection:
        head = study_head(connection, setting.study)
    with st.spinner("Counting ...", show_time=True):
        return memoize(
            "run-estimate",
            (setting.study.id, setting.identity().digest(), str(setting.entry.price), options),
            head,
            lambda: describe_estimate(dry_run(setting, options)),
        )


def _start(setting: RunConfiguration, options: JudgeRunOptions) -> None:
    with reader_session.store().reading() as connection:
        under_way = [
            run
            for run in judge_runs.listing(connection, setting.study.id)
            if run.state in ("waiting", "running") and run.judge_name == setting.name
        ]
    if under_way:
        st.info("This judge has a run under way already.")
        return
    actor = reader_session.actor(setting.study)
    ask_for_run(reader_session.store(), actor, setting.study, setting.name, options)
    st.rerun()
